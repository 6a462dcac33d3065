// Questions about each billable object, and about each decision: pure.
import { cannotStart } from '@gantry/contract/billing/credit.ts';
import { FINALIZER } from '@gantry/contract/names.ts';
import type { Said } from '@gantry/contract/said.ts';
import { type Answer, type Decision, isReserved, isRunning, isUsing, type Reserve, untilOf } from './decide.ts';
import { type Refusal, sentenceOf } from './may-spend.ts';
import { isRental } from './orders.ts';
import type { Billed, Verdict } from './parts.ts';

/** The decision about one object, and its result. */
export interface Decided {
  billed: Billed;
  afresh?: Afresh | undefined;
  decision: Decision;
  /** The answer about the reserved part. */
  answer?: Answer;
}

/** Its cap was changed, its hold was cut, what it holds is needed by something that runs, or it is that, and money came. */
export interface Afresh {
  readonly why: 'cap' | 'cut' | 'yield' | 'short';
}

/** As the agenda names an object: kind, namespace and name. */
export const keyOf = ({ facts, object: { metadata } }: Pick<Billed, 'facts' | 'object'>): string =>
  `${facts.kind}/${metadata.namespace}/${metadata.name}`;

/** The changes to an object that concern the gate. */
export function concerns(before: Billed, after: Billed): boolean {
  const [was, is] = [before.object, after.object];
  // For a host, how long its term is matters.
  return (
    isRental(after) ||
    was.metadata.generation !== is.metadata.generation ||
    was.metadata.deletionTimestamp !== is.metadata.deletionTimestamp ||
    needsFinalizer(before) !== needsFinalizer(after) ||
    creditIn(before) !== creditIn(after) ||
    cannotStart(was) !== cannotStart(is) ||
    JSON.stringify(was.status?.intervals) !== JSON.stringify(is.status?.intervals) ||
    JSON.stringify(after.facts.cost.desired(was)) !== JSON.stringify(after.facts.cost.desired(is))
  );
}

/** The credit condition of the object, which only billing may write. */
const creditIn = ({ object: { status } }: Billed): string =>
  JSON.stringify([status?.credit, status?.conditions?.find(({ type }) => type === 'CreditReserved')]);

/** No hold is needed any longer: the object requests none, and its usage is posted. */
export const isLetGo = ({ billed, decision }: Decided): boolean =>
  decision.do === 'rest' || decision.do === 'paid' || (decision.do === 'refuse' && !isUsing(billed));

/**
 * An earlier grant lasts to its end: only then is the object out of credit. A lowered cap ends it at once, and so does a cut
 * hold: nothing is held for it.
 */
export const isLasting = (
  { billed, afresh }: Pick<Decided, 'billed' | 'afresh'>,
  wanted: Reserve,
  refusal: Refusal,
  now: number,
): boolean =>
  wanted.isRunning === true &&
  !wanted.isDearer &&
  afresh?.why !== 'cut' &&
  refusal.reason !== 'SpendCapReached' &&
  untilOf(billed) > now &&
  isReserved(billed);

/** Before anything of it may be used, so that it is not gone before that is posted. */
export const needsFinalizer = ({ facts, object }: Billed): boolean =>
  object.metadata.deletionTimestamp === undefined &&
  !object.metadata.finalizers?.includes(FINALIZER.billing) &&
  (facts.cost.desired(object).length > 0 || (object.status?.intervals ?? []).length > 0);

/** Its place among what has not started and may wait. */
export const placeOf = ({ facts, object }: Billed): number | undefined =>
  object.metadata.deletionTimestamp === undefined ? facts.cost.waitsAs?.(object) : undefined;

/** Running objects come first, then those that cannot wait, then the line: by priority, the oldest first. */
export function inLine(one: Billed, other: Billed): number {
  const [a, b] = [one, other].map((billed) => placeOf(billed) ?? (isRunning(billed) ? -200 : -100)) as [number, number];
  return a - b || createdAt(one) - createdAt(other);
}

const createdAt = ({ object }: Billed): number => Date.parse(object.metadata.creationTimestamp ?? '') || 0;

/** The same refusal is on it already, numbers of others' money apart. */
export function isRefusedAlready({ object }: Billed, { reason, args }: Verdict): boolean {
  const known = object.status?.conditions?.find(({ type }) => type === 'CreditReserved');
  return (
    known?.status === 'False' &&
    known.reason === reason &&
    known.observedGeneration === object.metadata.generation &&
    object.status?.credit?.until === undefined &&
    known.args?.wanted !== undefined &&
    known.args.wanted === args?.wanted
  );
}

/** The condition of a refusal. `what` is the thing that was asked for. */
export const refused = (refusal: Refusal, what: Said): Verdict => ({
  status: 'False',
  reason: refusal.reason,
  ...sentenceOf(refusal, what),
});
