// Facts that are recorded before the operator acts on them: which nodes have joined, since when, and what they cost.
import type { Interval } from '@gantry/contract/fields/metering.ts';
import type { GpuHost, GpuHostStatus } from '@gantry/contract/kinds/gpu-host.ts';
import { rfc3339 } from '@gantry/contract/next-condition.ts';
import { kept, stretched, wholeSeconds } from '../../metering.ts';
import { answers, cardsOf, type Facts, type Held } from './facts.ts';
import { givenBack } from './giving-back.ts';

export type NodeStatus = NonNullable<GpuHostStatus['nodes']>[number];
export interface Books {
  nodes: readonly NodeStatus[];
  startedAt: string | undefined;
  returnedAt: string | undefined;
  countedMonths: number;
  renewedMonths: number;
  intervals: readonly Interval[];
}

export function booksOf(f: Facts): Books {
  const { status, held, owner, now, going } = f;
  // Out of the books before its Lease goes: from then on it may be another's.
  const isLeaving = (one: Held) => going.includes(one) && givenBack(f, one).remove.length > 0;
  const isReady = (one: Held) => one.isJoined || (one.isConfirmed && cardsOf(one) >= owner.spec.gpu.count);
  const had = status.nodes ?? [];
  const fit = held.filter(
    (one) => one.node && isReady(one) && !isLeaving(one) && (one.isJoined || !going.includes(one)),
  );
  // A new host starts with all its nodes, or not at all.
  const joins = f.started || f.ending ? fit : fit.length >= owner.spec.nodes ? fit : [];
  // Its Lease is being made again: the node stays in the books, or nobody would remember whose it was.
  const reclaimed = had.filter(({ name }) => f.toClaim.includes(name));
  const nodes = [...joins.map(nodeStatus), ...reclaimed].sort((a, b) => (a.name < b.name ? -1 : 1));
  const startedAt = status.startedAt ?? (joins.length > 0 ? rfc3339(now) : undefined);
  const isReturned = f.rental?.isGraceOver === true && !f.deleting && held.length === 0;
  return {
    nodes,
    startedAt,
    returnedAt: status.returnedAt ?? (isReturned ? rfc3339(now) : undefined),
    countedMonths: f.countedMonths,
    renewedMonths: f.renewedMonths,
    intervals: metered(f, nodes.length),
  };
}

function nodeStatus(held: Held): NodeStatus {
  const { name, node } = held;
  const lanAddress = node?.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address;
  const os = node?.status?.nodeInfo?.osImage;
  return { name, ...(lanAddress && { lanAddress }), ...(os && { os }), ready: answers(held), gpus: cardsOf(held) };
}

/** From the first Active until its nodes are given back, whether they answer or not: a host is rented, not used. */
function metered({ status, owner, now, settings, uid }: Facts, nodes: number): readonly Interval[] {
  const uses = nodes === 0 ? [] : [{ resource: 'host', model: owner.spec.gpu.model, quantity: nodes }];
  const next = stretched(status.intervals ?? [], { subjectUID: uid, uses, at: wholeSeconds(now) });
  return kept(next, owner, settings.creditGate);
}

/** The host as it will be once the books are written. */
export function recorded(
  owner: GpuHost,
  { nodes, startedAt, returnedAt, countedMonths, renewedMonths, intervals }: Books,
): GpuHost {
  return {
    ...owner,
    status: {
      ...owner.status,
      nodes: [...nodes],
      ...(startedAt !== undefined && { startedAt }),
      ...(returnedAt !== undefined && { returnedAt }),
      countedMonths,
      renewedMonths,
      intervals: [...intervals],
    },
  };
}
