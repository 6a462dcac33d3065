// A deployment as a service: its engine's image and command, the port it answers at, and the size that was chosen for it.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { ContainerService, ContainerServiceSpec } from '@gantry/contract/kinds/container-service.ts';
import { hostWish } from '@gantry/contract/kinds/host-of.ts';
import type { ModelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { engineOf, sizesOf } from '@gantry/contract/kinds/model-deployment-view.ts';
import { ENGINE_FACTS, type EngineFacts, type EngineWish } from '@gantry/contract/models/engines.ts';
import { verbatim } from '../../tenant-pods.ts';

/** The deployment that the service stands for. */
export interface AsService extends ContainerService {
  deployment: ModelDeployment;
}

export const deploymentOf = (service: ContainerService): ModelDeployment =>
  ({ ...(service as AsService).deployment, status: service.status }) as ModelDeployment;

/** By its health an engine says that it goes on answering. */
const HEALTH_TIMEOUT_S = 5;

export function asService(object: KubeObject): AsService {
  const deployment = object as ModelDeployment;
  const { spec, status } = deployment;
  const { power, restartCount, startedBy, creator, env, replicas, autoscaling, update, wake } = spec;
  const name = engineOf(deployment);
  const engine: EngineFacts | undefined = name && ENGINE_FACTS[name];
  const kept = {
    power,
    restartCount,
    startedBy,
    creator,
    host: hostWish(spec),
    env,
    replicas,
    autoscaling,
    update,
    wake,
  };
  return {
    ...(object as unknown as ContainerService),
    deployment,
    spec: {
      ...(Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined)) as typeof kept),
      image: status?.setup?.image ?? engine?.image ?? '',
      // For the hash alone, which an upgrade does not change: `dress` writes the command.
      ...(engine && status?.setup && { command: engine.command(wishOf(deployment, (word) => word)) }),
      ...sizes(deployment),
      ports: [{ name: 'http', port: engine?.port ?? 8000 }],
      readiness: { path: engine?.health ?? '/health', timeoutSeconds: HEALTH_TIMEOUT_S },
    } as ContainerServiceSpec,
  };
}

function sizes(deployment: ModelDeployment) {
  const { gpu, cores, memoryGi } = sizesOf(deployment);
  return { ...(gpu && { gpu: { model: gpu.model, count: gpu.count } }), cores, memoryGi };
}

/**
 * The command of the Pods, or of those on a replica's other nodes. Commands of built-in engines name variables of the group; the tenant's
 * stay as written.
 */
export const engineCommandOf = (
  deployment: ModelDeployment,
  part: 'command' | 'worker' = 'command',
): string[] | undefined => {
  const name = engineOf(deployment);
  return name && ENGINE_FACTS[name][part]?.(wishOf(deployment, verbatim));
};

/** `written` makes a word of the tenant's one of the command. */
function wishOf(deployment: ModelDeployment, written: (word: string) => string): EngineWish {
  const { metadata, spec, status } = deployment;
  const { weights, setup } = status ?? {};
  return {
    name: metadata.name,
    task: spec.task,
    entry: weights?.entry && written(weights.entry),
    adapters: (spec.adapters ?? []).map(({ name }) => ({
      name,
      entry: written(weights?.adapterEntries?.[name] ?? ''),
    })),
    tensorParallel: setup?.tensorParallel ?? 1,
    nodes: sizesOf(deployment).nodes,
    hasGpu: sizesOf(deployment).gpu !== undefined,
    contextLength: setup?.contextLength,
    memoryFraction: setup?.memoryFraction ?? 0.9,
    extraArgs: (spec.extraArgs ?? []).map(written),
  };
}
