// Row A8: how long billing's decision, the start and the stop of an instance take while its tenant edits it as fast as the API server
// answers, beside one that is left alone. Each edit is a new resourceVersion, and every write of ours may meet one.
import { type GpuInstance, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { isConflict } from '@gantry/kube/api-error.ts';
import { resourceOf, targetOf } from '@gantry/kube/resource.ts';
import { gatewayFlags } from '../../hack/gateway.ts';
import { MODELS } from '../../hack/kwok/nodes.ts';
import { waitUntil } from '../faults/wait-until.ts';
import { Fleet } from '../scale/fleet.ts';
import { simulateNodes } from '../scale/simulated-nodes.ts';
import { makeTenant } from '../scale/tenant.ts';
import { GatewayProcess } from '../support/gateway.ts';
import { emptied, names, SIMULATED } from './company.ts';
import type { Pair } from './measure.ts';
import { type Stage, sized } from './stage.ts';

/** Pairs of instances: one is edited, the other is not. */
const PAIRS = sized(10);
const NODES = Math.ceil((2 * PAIRS) / MODELS.h100.perNode) + 1;
/** Edits under way at once. */
const EDITORS = 4;
const MINUTE = 60_000;
const INSTANCES = resourceOf(gpuInstance);

export interface EditedDecisions {
  /** From the answer to the create until the decision is seen. */
  readonly decisionMs: readonly Pair[];
  readonly runningMs: readonly Pair[];
  /** From the wish until it is shut down. */
  readonly stopMs: readonly Pair[];
  readonly editsPerSecond: readonly number[];
}

interface Life {
  readonly decisionMs: number;
  readonly runningMs: number;
  readonly stopMs: number;
  readonly editsPerSecond: number;
}

export async function editedDecisions(stage: Stage): Promise<EditedDecisions> {
  const removeNodes = await simulateNodes(stage.kubeconfig, 'h100', NODES);
  const quota = { gpus: 100, cores: 100, memoryGi: 100, storageGi: 100, instances: 100, disks: 1, hosts: 1 };
  const operator = await stage.operator('--credit-gate=required');
  const tenant = await makeTenant(stage, 'edited', quota);
  const gateway = await GatewayProcess.start(stage, {
    flags: [...(await gatewayFlags(stage.place)), '--billing=on', '--adopted-credit=9000000'],
  });
  const fleet = await Fleet.follow(stage.kubeconfig, tenant.namespace);
  try {
    // First-time work is done before measuring.
    await lived(fleet, 'first', false);
    const pairs: { ours: Life; peer: Life }[] = [];
    for (const [at, name] of names('pair', PAIRS).entries()) {
      const order = at % 2 === 0 ? [true, false] : [false, true];
      const lives = new Map<boolean, Life>();
      for (const isEdited of order)
        lives.set(isEdited, await lived(fleet, `${name}-${isEdited ? 'a' : 'b'}`, isEdited));
      pairs.push({ ours: lives.get(true) as Life, peer: lives.get(false) as Life });
    }
    const of = (figure: keyof Life) => pairs.map(({ ours, peer }) => ({ ours: ours[figure], peer: peer[figure] }));
    await emptied(fleet);
    return {
      decisionMs: of('decisionMs'),
      runningMs: of('runningMs'),
      stopMs: of('stopMs'),
      editsPerSecond: pairs.map(({ ours }) => ours.editsPerSecond),
    };
  } finally {
    fleet.close();
    await tenant.remove();
    await gateway.close();
    await operator.close();
    await removeNodes();
  }
}

async function lived(fleet: Fleet, name: string, isEdited: boolean): Promise<Life> {
  const now = () => fleet.instances().find(({ metadata }) => metadata.name === name);
  const seen = (what: string, is: (status: GpuInstance['status']) => boolean) =>
    waitUntil(`${name} is ${what}`, () => is(now()?.status), { limitMs: 5 * MINUTE, everyMs: 5 });
  const made = (await fleet.createOne(name, SIMULATED)) as GpuInstance;
  const began = performance.now();
  const end = new AbortController();
  const editors = Array.from({ length: isEdited ? EDITORS : 0 }, (_, by) => edited(fleet, made, by, end.signal));
  try {
    await seen('decided on', (status) => status?.credit !== undefined);
    const decided = performance.now();
    await seen('running', (status) => status?.phase === 'running');
    const running = performance.now();
    await fleet.wishOne(name, 'ShutDown');
    const wished = performance.now();
    await seen('shut down', (status) => status?.phase === 'shutDown');
    const ended = performance.now();
    end.abort();
    const count = (await Promise.all(editors)).reduce((sum, one) => sum + one, 0);
    return {
      decisionMs: decided - began,
      runningMs: running - began,
      stopMs: ended - wished,
      editsPerSecond: count / ((ended - began) / 1000),
    };
  } finally {
    end.abort();
  }
}

/** How often it was edited until the end. */
async function edited(fleet: Fleet, instance: GpuInstance, by: number, end: AbortSignal): Promise<number> {
  const target = targetOf(instance);
  let count = 0;
  while (!end.aborted) {
    const body = { spec: { displayName: `by_${by}_${count}` } };
    const isWritten = await fleet.client.mergePatch(INSTANCES, { ...target, body }).then(
      () => true,
      // So many edits conflict with each other.
      (error: unknown) => {
        if (!isConflict(error)) throw error;
      },
    );
    if (isWritten) count++;
  }
  return count;
}
