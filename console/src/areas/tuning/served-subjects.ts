// By what a version that was made is asked, and its base. Pure.
import type { ModelDeploymentView } from '@gantry/contract/kinds/model-deployment.ts';

interface Made {
  base: { model: string; version: string };
  model: string;
  version: string;
  isAdapter: boolean;
}

type Deployment = Pick<ModelDeploymentView, 'id' | 'adapters' | 'served_for'> & {
  model: { id: string; version: string };
};

type Subject = { deployment: string; adapter?: string } | { model: string; version: string };

/** The base, then what was made. An adapter is evaluated beside the base that a deployment serves it with; without one, empty. */
export function servedSubjects(
  deployments: readonly Deployment[],
  { base, model, version, isAdapter }: Made,
): readonly Subject[] {
  const stay = deployments.filter(({ served_for: servedFor }) => servedFor === null);
  const serving = (id: string, of: string) => stay.find(({ model: one }) => one.id === id && one.version === of);
  if (isAdapter) {
    for (const { id, adapters } of deployments) {
      const found = adapters.find((one) => one.model === model && one.version === version);
      // A deployment serves the base of its adapters under its own name.
      if (found) return [{ deployment: id }, { deployment: id, adapter: found.name }];
    }
    return [];
  }
  // What nobody serves is deployed for the run.
  const subjectOf = (id: string, of: string): Subject => {
    const found = serving(id, of);
    return found ? { deployment: found.id } : { model: id, version: of };
  };
  return [subjectOf(base.model, base.version), subjectOf(model, version)];
}
