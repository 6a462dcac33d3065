// Under which names of deployments a version that was made answers, and its base. Pure.
import type { ModelDeploymentView } from '@gantry/contract/kinds/model-deployment.ts';

interface Made {
  base: { model: string; version: string };
  model: string;
  version: string;
  isAdapter: boolean;
}

type Deployment = Pick<ModelDeploymentView, 'id' | 'adapters'> & { model: { id: string; version: string } };

interface Subject {
  deployment: string;
  adapter?: string;
}

/** The base where it is served, then what was made. Empty where that is served by nobody. */
export function servedSubjects(
  deployments: readonly Deployment[],
  { base, model, version, isAdapter }: Made,
): readonly Subject[] {
  const serving = (id: string, of: string) => deployments.find(({ model: one }) => one.id === id && one.version === of);
  if (isAdapter) {
    for (const { id, adapters } of deployments) {
      const found = adapters.find((one) => one.model === model && one.version === version);
      // A deployment serves the base of its adapters under its own name.
      if (found) return [{ deployment: id }, { deployment: id, adapter: found.name }];
    }
    return [];
  }
  const own = serving(model, version);
  const before = serving(base.model, base.version);
  return own ? [...(before ? [{ deployment: before.id }] : []), { deployment: own.id }] : [];
}
