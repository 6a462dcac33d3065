// A deployment as a service: its engine's image and command, the port it answers at, and the size that was chosen for it.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { ContainerService, ContainerServiceSpec } from '@gantry/contract/kinds/container-service.ts';
import type { ModelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { engineOf, sizesOf } from '@gantry/contract/kinds/model-deployment-view.ts';
import { ENGINE_FACTS, type EngineFacts, type EngineWish } from '@gantry/contract/models/engines.ts';

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
  const { power, restartCount, startedBy, creator, host, env, replicas, autoscaling, update, wake } = spec;
  const name = engineOf(deployment);
  const engine: EngineFacts | undefined = name && ENGINE_FACTS[name];
  const kept = { power, restartCount, startedBy, creator, host, env, replicas, autoscaling, update, wake };
  return {
    ...(object as unknown as ContainerService),
    deployment,
    spec: {
      ...(Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined)) as typeof kept),
      image: status?.setup?.image ?? engine?.image ?? '',
      ...(engine && status?.setup && { command: commandOf(deployment, engine) }),
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

/** What the Pods on a replica's other nodes run. */
export const workerCommandOf = (deployment: ModelDeployment): string[] | undefined => {
  const name = engineOf(deployment);
  return name && ENGINE_FACTS[name].worker?.(wishOf(deployment));
};

const commandOf = (deployment: ModelDeployment, engine: EngineFacts): string[] => engine.command(wishOf(deployment));

function wishOf(deployment: ModelDeployment): EngineWish {
  const { metadata, spec, status } = deployment;
  const { weights, setup } = status ?? {};
  return {
    name: metadata.name,
    task: spec.task,
    entry: weights?.entry,
    adapters: (spec.adapters ?? []).map(({ name }) => ({ name, entry: weights?.adapterEntries?.[name] })),
    tensorParallel: setup?.tensorParallel ?? 1,
    nodes: sizesOf(deployment).nodes,
    hasGpu: sizesOf(deployment).gpu !== undefined,
    contextLength: setup?.contextLength,
    memoryFraction: setup?.memoryFraction ?? 0.9,
    extraArgs: spec.extraArgs ?? [],
  };
}
