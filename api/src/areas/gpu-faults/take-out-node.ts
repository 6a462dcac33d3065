// Takes a node with a fatal GPU error out of service, as far as the installation's policy goes.
import type { Cluster } from '../../core/kinds/open-cluster.ts';
import { EventReader } from '../../core/kinds/staff/events.ts';
import { StaffNodes } from '../../core/kinds/staff/staff-nodes.ts';
import type { Platform } from '../../platform/open.ts';
import type { FaultyNode } from './fault-watch.ts';

/** Undefined where the policy does nothing. What was done is in the audit log, and nothing else. */
export function takingOut(
  audit: Platform['audit'],
  cluster: Pick<Cluster, 'cache' | 'client'>,
  drain: 'off' | 'cordon' | 'drain',
): ((node: FaultyNode) => Promise<void>) | undefined {
  if (drain === 'off') return undefined;
  const nodes = new StaffNodes({ ...cluster, events: new EventReader(cluster.client) });
  return async ({ node, since, detail }) => {
    const reason = `fatal GPU error: ${detail}`;
    const carryOut = async (action: 'cordon' | 'drain') => {
      // Its people were told of the fault, and what they lose by it is credited.
      const isDone = await nodes.act(node, { action, confirm: node, reason }, async () => {});
      if (isDone)
        await audit({
          ...BY_ITSELF,
          requestId: `gpu-fault/${node}/${since}`,
          action: ACTIONS[action],
          object: `Node/${node}`,
          reason,
        });
    };
    if (!nodes.row(node).cordoned) await carryOut('cordon');
    if (drain === 'drain') await carryOut('drain');
  };
}

const ACTIONS = { cordon: 'gpuFaultCordon', drain: 'gpuFaultDrain' };
const BY_ITSELF = { decision: 'allowed', status: 200, caller: undefined, ip: '', userAgent: undefined } as const;
