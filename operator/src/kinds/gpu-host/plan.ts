// One step towards a host's spec: record which nodes have joined, then claim, mark or return nodes.
import { sentence } from '@gantry/contract/define-kind.ts';
import { type GpuHost, type GpuHostPhase, type GpuHostStatus, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { FINALIZER } from '@gantry/contract/names.ts';
import { rfc3339 } from '@gantry/contract/next-condition.ts';
import { defineController, type Plan } from '../../define-controller.ts';
import { instant } from '../../metering.ts';
import { type Books, booksOf, recorded } from './books.ts';
import { CONDITIONS, conditionsOf } from './conditions.ts';
import {
  desiredLease,
  type HostSettings,
  isMarked,
  isTouched,
  isWipeAsked,
  marked,
  unmarked,
  wipeUnasked,
} from './desired.ts';
import { confirmedAt, explain } from './explain.ts';
import { type Facts, factsOf, staying } from './facts.ts';
import { cleared, forgottenAt, givenBack, type Step } from './giving-back.ts';
import { phaseOf } from './phase.ts';
import { reads } from './reads.ts';
import { nextMoment } from './rental.ts';

export const gpuHostController = defineController<GpuHost, typeof reads, HostSettings>({
  facts: gpuHost,
  reads,
  writes: {
    fields: [
      ...(['nodes', 'lanAddress', 'os', 'gpuCount', 'startedAt', 'expiresAt', 'countedMonths'] as const),
      ...(['renewedMonths', 'returnedAt', 'intervals'] as const),
    ],
    conditions: CONDITIONS,
  },
  plan(owner, seen, context) {
    const books = booksOf(factsOf(owner, seen, context));
    // Phase and steps are based on what will have been recorded: the runtime writes status first and stops if it cannot.
    const f = factsOf(recorded(owner, books), seen, context);
    const phase = phaseOf(f);
    return {
      finalizer: f.deleting && isGone(f) ? 'drop' : 'keep',
      ...(isWorthSaying(f, phase) && { status: statusOf(f, books, phase) }),
      ...steps(f),
      ...again(f),
    };
  },
});

const isGone = (f: Facts): boolean => f.held.length === 0 && strays(f).length === 0;

/** A state that the next round changes is not recorded: nodes that are being claimed, an object that is about to go. */
function isWorthSaying(f: Facts, phase: GpuHostPhase): boolean {
  const { metadata, status } = f.owner;
  if (f.deleting) return !isGone(f) || (metadata.finalizers ?? []).some((one) => one !== FINALIZER.operator);
  if (f.trouble) return true;
  const isReclaiming = f.toClaim.some((name) => status?.nodes?.some((node) => node.name === name));
  return !isReclaiming && (phase !== 'pending' || f.toClaim.length === 0);
}

type Steps = Pick<Plan, 'create' | 'patch' | 'remove'>;

function steps(f: Facts): Steps {
  const all = [
    marking(f),
    kept(f),
    ...f.going.map((held) => givenBack(f, held)),
    ...strays(f).map((node): Step => ({ patch: [unmarked(node, f.uid)], remove: [] })),
    ...f.seen.remains.filter((one) => forgottenAt(one) <= f.now).map(cleared),
  ];
  return {
    create: f.toClaim.map((node) => desiredLease(f.owner, node)),
    patch: all.flatMap(({ patch }) => patch),
    remove: all.flatMap(({ remove }) => remove),
  };
}

/** Label and taint on every node that is claimed, also after a hand took them off. */
function marking(f: Facts): Step {
  const bare = staying(f).flatMap(({ node }) =>
    node && !isMarked(node, f.uid, f.settings.hostTaintKey)
      ? [marked(node, f.uid, f.settings.hostTaintKey, f.now)]
      : [],
  );
  return { patch: bare, remove: [] };
}

/** Renewed in its grace, a host keeps its nodes: a wipe asked for before must neither happen now nor count for its true end. */
const kept = (f: Facts): Step => ({
  patch: staying(f).flatMap(({ lease }) => (isWipeAsked(lease) ? [wipeUnasked(lease)] : [])),
  remove: [],
});

/** Marked for this host and not claimed by it: the Lease went first, or somebody else has it now. */
const strays = ({ seen, held, toClaim, uid }: Facts) =>
  seen.nodes.filter(
    (node) =>
      isTouched(node, uid) &&
      !held.some(({ name }) => name === node.metadata.name) &&
      !toClaim.includes(node.metadata.name),
  );

function statusOf(f: Facts, books: Books, phase: GpuHostPhase): GpuHostStatus {
  const why = explain(f, phase);
  const { nodes, startedAt, returnedAt, countedMonths, renewedMonths, intervals } = books;
  const [first] = nodes;
  return {
    phase,
    reason: why.reason,
    ...(Object.keys(why.args).length > 0 && { reasonArgs: why.args }),
    message: sentence(gpuHost.reasons[why.reason], 'en', why.args),
    ...(f.owner.metadata.generation !== undefined && { observedGeneration: f.owner.metadata.generation }),
    conditions: conditionsOf(f, phase, why),
    ...(nodes.length > 0 && { nodes: [...nodes], gpuCount: nodes.reduce((sum, { gpus }) => sum + gpus, 0) }),
    ...(first?.lanAddress && { lanAddress: first.lanAddress }),
    ...(first?.os && { os: first.os }),
    ...(startedAt !== undefined && { startedAt }),
    ...(f.rental && { expiresAt: rfc3339(f.rental.expiresAt) }),
    ...(f.rental && { countedMonths }),
    ...(renewedMonths > 0 && { renewedMonths }),
    ...(returnedAt !== undefined && { returnedAt }),
    ...(intervals.length > 0 && { intervals: [...intervals] }),
  };
}

/** Longer waits are recounted less often. */
const RECOUNT_MS = { first: 15_000, most: 120_000 };
/** Timers do not reach further, and nothing is lost by a look in between. */
const DAY_MS = 86_400_000;

function recountAt({ owner, seen, missing, now }: Facts): number | undefined {
  if (!seen.room || missing === 0) return undefined;
  const waitedMs = now - (instant(owner.metadata.creationTimestamp) ?? now);
  return now + Math.min(Math.max(RECOUNT_MS.first, waitedMs / 4), RECOUNT_MS.most);
}

/** The next moment at which time alone changes the plan. */
function again(f: Facts): Pick<Plan, 'againInMs'> {
  const { rental, now, seen } = f;
  const moments = [
    ...confirmedAt(f),
    ...seen.remains.map((one) => Math.max(forgottenAt(one), now + RECOUNT_MS.first)),
    recountAt(f),
    rental && !f.ending ? nextMoment(rental, now) : undefined,
  ].filter((at) => at !== undefined && at > now) as number[];
  return moments.length > 0 ? { againInMs: Math.min(...moments, now + DAY_MS) - now } : {};
}
