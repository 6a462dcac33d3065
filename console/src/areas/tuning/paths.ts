export const LIST = '/model/finetune';

/** The page of one task. */
export const pathOf = ({ id }: { id: string }): string => `${LIST}/${id}`;

interface Made {
  /** Of the task: an adapter is asked for by it. */
  id: string;
  base: { model: string; version: string };
  model: string;
  version: string;
  isAdapter: boolean;
}

/** The form of a deployment that serves what was made: an adapter is served beside its base. */
export function deployPath({ id, base, model, version, isAdapter }: Made): string {
  const query = isAdapter
    ? { model: base.model, version: base.version, adapter: id, adapterModel: model, adapterVersion: version }
    : { model, version };
  return `/model/deployment/create?${new URLSearchParams(query)}`;
}
