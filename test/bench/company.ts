// The basis of every scene: an operator, a tenant with enough quota, a followed fleet. It leaves nothing behind.

import type { Resource } from '@gantry/kube/resource.ts';
import { MODELS } from '../../hack/kwok/nodes.ts';
import { POD } from '../../operator/src/resources.ts';
import { Fleet, type InstanceSpec } from '../scale/fleet.ts';
import type { MeasuredOperator } from '../scale/measured-operator.ts';
import { simulateNodes } from '../scale/simulated-nodes.ts';
import { makeTenant } from '../scale/tenant.ts';
import type { Stage } from './stage.ts';

const MINUTE = 60_000;

// The operator's own caches keep little of a Pod that is not an instance's.
const { keep: _thinned, ...WHOLE_PODS } = POD;

/** One card each: as many as fit on 200 nodes. */
export const SIMULATED: InstanceSpec = {
  image: 'library/busybox:1.36',
  gpu: { model: MODELS.h100.product, count: 1 },
  cores: 1,
  memoryGi: 1,
  homeDisk: { sizeGi: 1 },
};

export interface Company {
  readonly operator: MeasuredOperator;
  readonly fleet: Fleet;
  readonly namespace: string;
  /** The fleet follows it too. */
  readonly pods: Resource;
}

export interface Needs {
  readonly name: string;
  readonly instances: number;
  /** Simulated H100 nodes, and how many cards each has unless it is the usual eight. */
  readonly nodes: number;
  readonly gpusPerNode?: number;
}

export async function withCompany<T>(
  stage: Stage,
  { name, instances, nodes, gpusPerNode }: Needs,
  play: (company: Company) => Promise<T>,
): Promise<T> {
  const removeNodes = await simulateNodes(stage.kubeconfig, 'h100', nodes, { gpusPerNode });
  const operator = await stage.operator();
  try {
    const quota = {
      gpus: instances,
      cores: instances,
      memoryGi: instances,
      storageGi: instances,
      instances,
      disks: 1000,
      hosts: 100,
    };
    const tenant = await makeTenant(stage, name, quota);
    const pods = { ...WHOLE_PODS, namespace: tenant.namespace };
    const fleet = await Fleet.follow(stage.kubeconfig, tenant.namespace, [pods]);
    try {
      return await play({ operator, fleet, namespace: tenant.namespace, pods });
    } finally {
      fleet.close();
      await tenant.remove().catch((error: unknown) => console.error('the tenant was not removed:', error));
    }
  } finally {
    await operator.close();
    await removeNodes();
  }
}

export const names = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

/** Shut down, released, gone. */
export async function emptied(fleet: Fleet): Promise<void> {
  await fleet.wish('ShutDown');
  await fleet.reached('shutDown', fleet.instances().length, 15 * MINUTE);
  await fleet.release();
  await fleet.gone(15 * MINUTE);
}
