// The nodes that checks look at: real ones that are ready. Simulated ones run nothing.
import type { Node } from '@gantry/kube/core-objects.ts';
import { coreResource } from '@gantry/kube/resource.ts';
import type { DoctorClient } from './check.ts';

const NODE = coreResource('nodes', 'Node', false);
const SIMULATED = 'kwok.x-k8s.io/node';

export async function runningNodes(client: Pick<DoctorClient, 'list'>): Promise<Node[]> {
  const { items } = await client.list(NODE, {});
  return (items as Node[]).filter(
    ({ metadata, status }) =>
      metadata.annotations?.[SIMULATED] === undefined &&
      status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true,
  );
}
