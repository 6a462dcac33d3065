// A ModelDeployment, as far as requests to /v1 are concerned: pure.
import { listOf } from '@gantry/contract/fields/stored.ts';
import type { ContainerService } from '@gantry/contract/kinds/container-service.ts';
import { type ModelDeployment, wantedReplicas } from '@gantry/contract/kinds/model-deployment.ts';
import { engineOf, reflowOf } from '@gantry/contract/kinds/model-deployment-view.ts';
import { ENGINE_FACTS, type Engine } from '@gantry/contract/models/engines.ts';
import { organizationOf } from '@gantry/contract/names.ts';
import { standOf } from '../../platform/relay/stand.ts';
import type { ModelFacts } from './serving.ts';

const NAMES_ADAPTERS: Readonly<Record<Engine, ModelFacts['adaptersBy']>> = {
  vllm: 'model',
  sglang: 'lora_path',
  'llama.cpp': 'lora',
};
const USUAL_WAKE = { requests: 100, seconds: 600 };

/** Undefined for one outside of organisations' namespaces. */
export function modelFactsOf(object: ModelDeployment): ModelFacts | undefined {
  const { metadata, spec, status } = object;
  const { name, namespace = '', uid = '', creationTimestamp } = metadata;
  const organization = organizationOf(namespace);
  if (organization === undefined) return undefined;
  const engine = engineOf(object);
  // The first worker of a replica on several nodes answers for it.
  const workers = engine === undefined ? [] : (status?.pods ?? []).filter(({ part }) => part === undefined);
  const hasReady = workers.some(({ phase, podIP }) => phase === 'ready' && podIP !== undefined);
  return {
    uid,
    name,
    namespace,
    organization,
    engine: engine ?? 'vllm',
    displayName: spec.displayName,
    priced: spec.model,
    task: spec.task ?? 'Generate',
    adapters: (spec.adapters ?? []).map((adapter) => adapter.name),
    contextTokens: status?.setup?.contextLength,
    port: engine === undefined ? 0 : ENGINE_FACTS[engine].port,
    adaptersBy: NAMES_ADAPTERS[engine ?? 'vllm'],
    workers: workers.map((worker) => ({ ...worker, adapters: adaptersOf(object, worker.revision) })),
    stand: standOf(object as unknown as ContainerService, hasReady),
    isAsleep: isModelAsleep(object),
    wake: spec.wake ?? USUAL_WAKE,
    reflow: reflowOf(object),
    createdAt: Date.parse(`${creationTimestamp ?? '1970-01-01T00:00:00Z'}`),
  };
}

/** As the revision remembers them, in the order of the engine's command line. Undefined: it does not. */
function adaptersOf({ status }: ModelDeployment, revision: number | undefined): string[] | undefined {
  const { template } = status?.revisions?.find((one) => one.revision === revision) ?? {};
  if (template === undefined) return undefined;
  try {
    const { adapters } = JSON.parse(template) as Pick<ModelDeployment['spec'], 'adapters'>;
    return listOf(adapters).map(({ name }) => name);
  } catch {
    return undefined;
  }
}

/** Whether it takes a write to get a first replica. */
export const isModelAsleep = (object: ModelDeployment): boolean =>
  object.spec.autoscaling !== undefined && object.status?.setup !== undefined && wantedReplicas(object) === 0;
