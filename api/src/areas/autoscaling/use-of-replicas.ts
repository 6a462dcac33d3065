// How busy the ready replicas of a service or a deployment are, all together: what the autoscaler compares with its targets.
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import type { ContainerService } from '@gantry/contract/kinds/container-service.ts';
import { type ModelDeployment, modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { sizesOf } from '@gantry/contract/kinds/model-deployment-view.ts';
import type { OpenObjectUsage } from '../../core/kinds/usage/open.ts';
import type { MeasuredKind } from '../../core/kinds/usage/usage.ts';
import { replicasGpuQuery } from '../../platform/prometheus/object-queries.ts';

const WHOLE = 100;

const readyOf = ({ status }: ContainerService) => (status?.pods ?? []).filter(({ phase }) => phase === 'ready');

/** A replica of a service is one Pod; one of a deployment may be spread over nodes, with a Pod on each. */
const replicaOf = (object: ContainerService): { cores: number; nodes: number } =>
  object.kind === modelDeployment.kind
    ? sizesOf(object as unknown as ModelDeployment)
    : { cores: object.spec.cores, nodes: 1 };

/** In percent of one replica's cores; undefined while one of the ready Pods has not been measured, or none is ready. */
export function cpuPercentOf(
  facts: KindFacts,
  object: ContainerService,
  latest: OpenObjectUsage['latest'],
): number | undefined {
  const used = readyOf(object).map(({ name }) => latest(object as KubeObject, facts as MeasuredKind, name, 'cpu'));
  if (used.length === 0 || used.includes(undefined)) return undefined;
  const sum = used.reduce<number>((all, one) => all + (one ?? 0), 0);
  const { cores, nodes } = replicaOf(object);
  return (WHOLE * sum) / (cores * nodes);
}

/** PromQL for what their cards do together; undefined while no replica is ready. */
export function gpuQueryOf({ kind }: KindFacts, object: ContainerService): string | undefined {
  const { namespace = '', name } = object.metadata;
  const pods = readyOf(object).length;
  return pods === 0
    ? undefined
    : replicasGpuQuery({ namespace, kind, object: name }, { pods, nodes: replicaOf(object).nodes });
}
