// Why a host is in its phase, in numbers and names.
import type { GpuHostPhase, GpuHostReason } from '@gantry/contract/kinds/gpu-host.ts';
import { rfc3339 } from '@gantry/contract/next-condition.ts';
import { answers, cardsOf, type Facts, settlesAt, staying, type Trouble } from './facts.ts';
import { givenBack } from './giving-back.ts';
import { joined } from './phase.ts';
import { inWords } from './quota.ts';

export function explain(f: Facts, phase: GpuHostPhase): Trouble {
  return BY_PHASE[phase](f);
}

const plain = (reason: GpuHostReason): Trouble => ({ reason, args: {} });

const BY_PHASE: Record<GpuHostPhase, (f: Facts) => Trouble> = {
  releasing: (f) => (f.held.length === 0 ? plain('Released') : leaving(f)),
  draining: leaving,
  expired: (f) => {
    const at = rfc3339(f.rental?.expiresAt ?? f.now);
    if (f.status.returnedAt !== undefined) return { reason: 'Returned', args: { at } };
    return { reason: 'Expired', args: { at, until: rfc3339(f.rental?.graceEnds ?? f.now) } };
  },
  lost: (f) => f.trouble ?? short(f, 'NodesLost'),
  pending: (f) => {
    if (f.trouble) return f.trouble;
    if (f.missing > 0) return short(f, 'WaitingForNodes');
    const { nodes } = f.owner.spec;
    return { reason: 'Claiming', args: { held: String(staying(f).length), nodes: String(nodes) } };
  },
  activeSync: (f) => f.trouble ?? confirming(f),
  notReady: (f) => notAnswering(f),
  active: (f) => {
    if (f.trouble) return f.trouble;
    if (!joined(f).every(answers)) return notAnswering(f);
    if (f.missing > 0) return short(f, 'WaitingForNodes');
    if (f.rental?.hoursLeft === undefined) return plain('Active');
    return {
      reason: 'ExpiresSoon',
      args: { at: rfc3339(f.rental.expiresAt), hours: String(f.rental.hoursLeft) },
    };
  },
};

/** The first node that waits says why; all are cleared at once. */
function leaving(f: Facts): Trouble {
  const waits = f.going.flatMap((held) => givenBack(f, held).waits ?? []);
  return f.trouble ?? waits[0] ?? plain('Releasing');
}

function short({ seen, owner, unpaid, missing }: Facts, reason: GpuHostReason): Trouble {
  if (unpaid) return unpaid;
  if (seen.excess) return { reason: 'QuotaExceeded', args: inWords(seen.excess) };
  const { nodes, gpu } = owner.spec;
  const { all = [], free = [], ahead = 0, sizes = [] } = seen.room ?? {};
  const wish = { nodes: String(nodes), count: String(gpu.count), model: gpu.model };
  const isNew = reason === 'WaitingForNodes';
  if (isNew && all.length === 0 && sizes.length > 0)
    return { reason: 'UnknownNodes', args: { ...wish, models: sizes.join(', ') } };
  const args = { ...wish, all: String(all.length), free: String(free.length), ahead: String(ahead) };
  return isNew && all.length < nodes && missing > 0 ? { reason: 'TooFewNodes', args } : { reason, args };
}

function confirming(f: Facts): Trouble {
  const { count } = f.owner.spec.gpu;
  const lacking = staying(f).find((one) => one.node && (one.isJoined || one.isConfirmed) && cardsOf(one) < count);
  if (lacking)
    return {
      reason: 'GpusMissing',
      args: { node: lacking.name, seen: String(cardsOf(lacking)), count: String(count) },
    };
  const next = staying(f).find(({ isConfirmed }) => !isConfirmed);
  return { reason: 'Confirming', args: { node: next?.name ?? staying(f)[0]?.name ?? '' } };
}

const notAnswering = (f: Facts): Trouble => ({
  reason: 'NodesNotReady',
  args: {
    nodes: joined(f)
      .filter((one) => !answers(one))
      .map(({ name }) => name)
      .join(', '),
  },
});

/** When the last of the marked nodes has been watched long enough. */
export const confirmedAt = (f: Facts): number[] =>
  staying(f).flatMap(({ node, isJoined }) => (node && !isJoined ? [settlesAt(node, f.uid)] : []));
