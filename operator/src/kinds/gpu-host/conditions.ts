// A host's conditions besides its phase.
import { type Condition, sentence } from '@gantry/contract/define-kind.ts';
import { type GpuHostPhase, type GpuHostReason, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { nextCondition, rfc3339 } from '@gantry/contract/next-condition.ts';
import type { Args } from '@gantry/contract/said.ts';
import type { Facts, Trouble } from './facts.ts';
import { joined } from './phase.ts';
import { inWords } from './quota.ts';
import { unkeptDisk } from './unkept-disk.ts';

export const CONDITIONS = [
  ...(['Ready', 'AcceptsInstances', 'ExpiresSoon', 'GraceOver', 'MonthsCounted', 'NodesComplete'] as const),
  ...(['Alone', 'DisksKept', 'Wiped'] as const),
];
type ConditionType = (typeof CONDITIONS)[number];

/** `why` is the reason of the phase. */
export function conditionsOf(f: Facts, phase: GpuHostPhase, why: Trouble): Condition[] {
  const said = (type: ConditionType, is: boolean | undefined, reason: GpuHostReason, args: Args = {}) =>
    nextCondition(
      f.status.conditions,
      {
        type,
        status: is === undefined ? 'Unknown' : is ? 'True' : 'False',
        reason,
        message: sentence(gpuHost.reasons[reason], 'en', args),
        args,
      },
      f.now,
    );
  const isActive = phase === 'active';
  const answer: Trouble = isActive ? { reason: 'Active', args: {} } : why;
  return [
    said('Ready', isActive, answer.reason, answer.args),
    said('AcceptsInstances', isActive, answer.reason, answer.args),
    ...rented(f, said),
    ...uncounted(f, said),
    ...(f.started && !f.ending ? [complete(f, said)] : []),
    ...shared(f, said),
    ...disks(f, said),
    ...unwiped(f, said),
  ];
}

type Said = (type: ConditionType, is: boolean | undefined, reason: GpuHostReason, args?: Args) => Condition;

function rented({ rental }: Facts, said: Said): Condition[] {
  if (!rental) return [];
  const at = rfc3339(rental.expiresAt);
  const until = rfc3339(rental.graceEnds);
  const soon = rental.hoursLeft === undefined ? undefined : { at, hours: String(rental.hoursLeft) };
  if (!rental.isExpired)
    return [soon ? said('ExpiresSoon', true, 'ExpiresSoon', soon) : said('ExpiresSoon', false, 'NotSoon', { at })];
  return [rental.isGraceOver ? said('GraceOver', true, 'GraceOver') : said('GraceOver', false, 'InGrace', { until })];
}

/** Months that were asked for and do not count yet. */
function uncounted({ rental, countedMonths, owner }: Facts, said: Said): Condition[] {
  const { months } = owner.spec;
  if (!rental || countedMonths >= months) return [];
  return [said('MonthsCounted', false, 'MonthsUnpaid', { months: String(months), counted: String(countedMonths) })];
}

function complete(f: Facts, said: Said): Condition {
  const { nodes, gpu } = f.owner.spec;
  if (joined(f).length >= nodes) return said('NodesComplete', true, 'NodesComplete');
  if (f.seen.excess) return said('NodesComplete', false, 'QuotaExceeded', inWords(f.seen.excess));
  const { all = [], free = [], ahead = 0 } = f.seen.room ?? {};
  const numbers = { nodes, count: gpu.count, model: gpu.model, all: all.length, free: free.length, ahead };
  const args = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)]));
  return said('NodesComplete', false, 'WaitingForNodes', args);
}

/** Bound to the node before its taint was seen, and started after it had joined. */
function shared(f: Facts, said: Said): Condition[] {
  const { namespace } = f.owner.metadata;
  const one = joined(f).find(({ tenants }) => tenants.some((tenant) => tenant.namespace !== namespace));
  return one ? [said('Alone', false, 'OthersLeft', { node: one.name })] : [];
}

function disks({ owner, seen, deleting }: Facts, said: Said): Condition[] {
  if (deleting || !owner.spec.disks?.length) return [];
  const why = unkeptDisk(owner, seen.disks);
  const is = why?.reason === 'DiskNotReady' ? undefined : !why;
  return [said('DisksKept', is, why?.reason ?? 'DisksKept', why?.args)];
}

/** Once written it stays: nobody will have wiped there later. */
function unwiped(f: Facts, said: Said): Condition[] {
  const known = (f.status.conditions ?? []).filter(({ type }) => type === 'Wiped');
  const bare = f.going
    .filter(({ name, isJoined }) => isJoined && !f.seen.agents.includes(name))
    .map(({ name }) => name);
  return bare.length === 0 ? known : [said('Wiped', undefined, 'NoAgentOnNode', { nodes: bare.join(', ') })];
}
