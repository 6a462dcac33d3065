// Brings one object from its observed state to its plan's: look, plan, carry out, and look again until the plan is empty. It
// knows a key and nothing of what happened: whatever woke it, the answer is the same.
import type { CommonStatus, Condition, KubeObject } from '@gantry/contract/define-kind.ts';
import { ANNOTATION, FINALIZER, LABEL } from '@gantry/contract/names.ts';
import { nextCondition } from '@gantry/contract/next-condition.ts';
import { RECONCILE_REASONS, RECONCILED, type ReconcileReason } from '@gantry/contract/reconcile-sentences.ts';
import { said } from '@gantry/contract/said.ts';
import { isAbsent, type Refusal } from '@gantry/kube/api-error.ts';
import type { Caches } from '@gantry/kube/caches.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { keyFrom } from '@gantry/kube/object-key.ts';
import { type Resource, targetOf } from '@gantry/kube/resource.ts';
import type { AnyController, Context, Overdue, Plan, Reads, Seen } from '../define-controller.ts';
import { isMetered, POD } from '../resources.ts';
import type { EventRecorder } from './event-recorder.ts';
import type { LastResort } from './last-resort.ts';
import { statusPatch } from './status-patch.ts';
import { NotLeading, OwnerMoved, StatusRefused, Turn, type TurnParts } from './turn.ts';
import { UnseenMemory } from './unseen-memory.ts';
import { SLOW_MS, type WriteLimit } from './write-limit.ts';

export interface ReconcilerParts extends TurnParts {
  controller: AnyController;
  /** The kind's own resource, as the caches follow it. */
  resource: Resource;
  caches: Caches;
  settings: unknown;
  events: Pick<EventRecorder, 'record' | 'warn'>;
  limit: WriteLimit;
  lastResort: Pick<LastResort, 'planned' | 'planFailed'>;
}

/** The plan or its reads threw: our fault, whoever caused it. */
export class PlanFailed extends Error {
  override readonly name = 'PlanFailed';
  constructor(cause: unknown) {
    super(`the plan failed: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/** Still writing after so many rounds. */
class NotConverging extends Error {
  override readonly name = 'NotConverging';
  /** Its own writes come back as changes, and must not bring it back at once. */
  readonly holds = true;
}

/** Written too often: nothing is looked at before its pause is over. */
export class Slowed extends Error {
  override readonly name = 'Slowed';
  readonly retryAfterMs: number;
  /** A plan was carried out before the pause began. */
  readonly hasPlanned: boolean;
  constructor(retryAfterMs: number, hasPlanned: boolean) {
    super(`it is written too often: the next look is in ${retryAfterMs} ms`);
    this.retryAfterMs = retryAfterMs;
    this.hasPlanned = hasPlanned;
  }
}

/** The API server refuses what the plan wants. The status says so; it is tried again when something changes, or later. */
export class Refused extends Error {
  override readonly name = 'Refused';
  /** No is seldom taken back within a moment. */
  readonly patienceMs = 1000;
  constructor(refusals: readonly Refusal[]) {
    super(refusals.map(({ kind, name, reason, message }) => `${kind} ${name}: ${reason}: ${message}`).join('; '));
  }
}

/** While slowed down it looks this often, so that it notices the end. */
const QUIET_LOOK_MS = 60_000;

const FAILED = {
  goesOn: 'PlanFailed',
  ended: 'PlanFailedEnded',
  unbilled: 'PlanFailedUnbilled',
} as const satisfies Record<Overdue | 'goesOn', ReconcileReason>;

const statusOf = (object: KubeObject): CommonStatus => (object as { status?: CommonStatus }).status ?? {};

/** Between two writes of a status for its details' sake. */
const DETAILS_EVERY_MS = 1000;

/** A plan that still writes after this many rounds contradicts itself. */
const MOST_ROUNDS = 10;
/** How many looks of one reconcile bypass the caches: somebody who keeps editing an object must not prevent its plan. */
const MOST_CONFLICTS = 8;

export class Reconciler {
  readonly #parts: ReconcilerParts;
  /** Key → what the last attempt was refused, while it is still wanted. */
  readonly #refused = new Map<string, readonly Refusal[]>();
  /** Key → what was applied without being read. */
  readonly #unseen = new Map<string, UnseenMemory>();
  /** Key → when something was last written, in milliseconds of the monotonic clock. */
  readonly #wroteAt = new Map<string, number>();

  constructor(parts: ReconcilerParts) {
    this.#parts = parts;
  }

  /** Gives after how many milliseconds to plan again, if at all. Rejects with what stopped it: the queue tries again. */
  async reconcile(text: string): Promise<number | undefined> {
    try {
      const againInMs = await this.#rounds(text);
      this.#parts.lastResort.planned(text);
      return againInMs;
    } catch (error) {
      if (error instanceof PlanFailed || error instanceof StatusRefused) await this.#failed(text);
      // Refused, or slowed down by its own writes, it was planned all the same.
      else if (error instanceof Refused || (error instanceof Slowed && error.hasPlanned))
        this.#parts.lastResort.planned(text);
      throw error instanceof OwnerMoved ? error.cause : error;
    }
  }

  async #rounds(text: string): Promise<number | undefined> {
    const { caches, resource, limit, clock } = this.#parts;
    const { namespace, name } = keyFrom(text);
    let conflicts = 0;
    let before: Turn | undefined;
    for (let round = 0; round < MOST_ROUNDS; ) {
      const pauseMs = limit.pauseMs(text, clock.monotonic());
      if (pauseMs > 0) throw new Slowed(pauseMs, round > 0);
      const owner = caches.get(resource, namespace, name);
      if (!owner) {
        limit.forget(text);
        await this.#letGo(namespace, name);
      }
      if (!owner || isPaused(owner)) return this.#forget(text);
      const plan = this.#sayingSlow(text, owner, this.#plan(text, owner));
      const putOffMs = this.#putOffMs(text, owner, plan);
      if (putOffMs !== undefined) return putOffMs;
      const turn = this.#turn(text, owner, plan, before);
      try {
        await turn.carryOut(plan);
      } catch (error) {
        if (!(error instanceof OwnerMoved) || ++conflicts > MOST_CONFLICTS) throw error;
        await this.#lookAgain(owner);
        continue;
      }
      if (turn.refusals.length > 0) return this.#refuse(text, turn.refusals);
      this.#refused.delete(text);
      if (!turn.wrote) return plan.againInMs;
      before = turn;
      round++;
    }
    throw new NotConverging(`the plan of ${text} does not converge: it still writes after ${MOST_ROUNDS} rounds`);
  }

  #forget(text: string): undefined {
    for (const memory of [this.#refused, this.#unseen, this.#wroteAt]) memory.delete(text);
  }

  /** For how long a plan is put off that would write nothing but details, if it is. */
  #putOffMs(text: string, owner: KubeObject, plan: Plan<object>): number | undefined {
    const wroteAt = this.#wroteAt.get(text);
    if (wroteAt === undefined || !isOnlyDetail(plan)) return undefined;
    const waitsMs = wroteAt + DETAILS_EVERY_MS - this.#parts.clock.monotonic();
    const isDue = waitsMs <= 0 || !statusPatch(owner, plan.status ?? {}, this.#parts.controller.writes);
    return isDue ? undefined : Math.min(plan.againInMs ?? waitsMs, waitsMs);
  }

  /**
   * Pods of an object that is gone, which nobody else would ever let go of. A Pod that others made may be seen only after its owner
   * has let go of all that it saw.
   */
  async #letGo(namespace: string | undefined, name: string): Promise<void> {
    const { caches, client, resource, mayWrite } = this.#parts;
    if (namespace === undefined || !caches.follows(POD)) return;
    const left = (caches.list(POD, namespace) as readonly Pod[]).filter(
      (pod) =>
        isMetered(pod) &&
        pod.metadata.deletionTimestamp !== undefined &&
        pod.metadata.labels?.[LABEL.kind] === resource.kind &&
        pod.metadata.labels[LABEL.name] === name,
    );
    if (left.length === 0) return;
    const isGone = await client.get(resource, namespace, name).then(() => false, isAbsent);
    for (const pod of isGone ? left : []) {
      if (!mayWrite()) throw new NotLeading();
      const { resourceVersion, finalizers = [] } = pod.metadata;
      const body = { metadata: { finalizers: finalizers.filter((one) => one !== FINALIZER.metered) } };
      await client.mergePatch(POD, { ...targetOf(pod), ...(resourceVersion && { resourceVersion }), body });
    }
  }

  /** At the object itself: what follows it may be far behind somebody who edits it without end. */
  async #lookAgain(owner: KubeObject): Promise<void> {
    const { caches, client, resource } = this.#parts;
    const { namespace, name } = owner.metadata;
    try {
      caches.observe(await client.get(resource, namespace, name), undefined);
    } catch (error) {
      if (!isAbsent(error)) throw error;
      caches.forget(owner, undefined);
    }
  }

  #turn(text: string, owner: KubeObject, { unseen, isDetail }: Plan<object>, before?: Turn): Turn {
    const { resource, limit, clock } = this.#parts;
    const wrote = (object: string) => {
      limit.note(text, object, clock.monotonic());
      if (isDetail !== undefined) this.#wroteAt.set(text, clock.monotonic());
    };
    const parts = { ...this.#parts, wrote };
    return new Turn(parts, resource, owner, sourceOf(resource, text), this.#memory(text, unseen), before);
  }

  /** If the plan fails nothing of it is carried out: overdue Pods end, and the object says why nothing else happens. */
  async #failed(text: string): Promise<void> {
    const { caches, controller, resource, lastResort, events } = this.#parts;
    const { namespace, name } = keyFrom(text);
    const owner = caches.get(resource, namespace, name);
    if (!owner) return;
    const condition = this.#condition(owner, FAILED[(await lastResort.planFailed(text, owner)) ?? 'goesOn']);
    const now = caches.get(resource, namespace, name) ?? owner;
    const stale = controller.stale?.(now, caches.by(POD, 'owner', now.metadata.uid ?? '') as readonly Pod[]) ?? [];
    // The caller reports what stopped the plan; a failure to report it here as well is not news.
    const isNews = await this.#turn(text, now, {})
      .say(condition, stale)
      .catch(() => false);
    if (isNews) events.warn(now, condition.reason, condition.message);
  }

  /** Written too often, it says so, until it is quiet. */
  #sayingSlow(text: string, owner: KubeObject, plan: Plan<object>): Plan<object> {
    const { limit, events } = this.#parts;
    if (!limit.isSlow(text)) return plan;
    const againInMs = Math.min(plan.againInMs ?? QUIET_LOOK_MS, QUIET_LOOK_MS);
    if (!plan.status) return { ...plan, againInMs };
    const condition = this.#condition(owner, 'TooManyWrites', { seconds: String(SLOW_MS / 1000) });
    const { conditions: known = [] } = statusOf(owner);
    if (!known.some(({ type, reason }) => type === RECONCILED && reason === condition.reason))
      events.warn(owner, condition.reason, condition.message);
    const { conditions = [] } = plan.status as CommonStatus;
    return { ...plan, againInMs, status: { ...plan.status, conditions: [...conditions, condition] } };
  }

  #condition(owner: KubeObject, reason: ReconcileReason, args: Record<string, string> = {}): Condition {
    const wanted = { type: RECONCILED, status: 'False', reason, ...said(RECONCILE_REASONS[reason], args) } as const;
    return nextCondition(statusOf(owner).conditions, wanted, this.#parts.clock.now());
  }

  #memory(text: string, wanted: Plan<object>['unseen']): UnseenMemory {
    const memory = this.#unseen.get(text) ?? new UnseenMemory();
    memory.keepOnly(wanted ?? []);
    if (wanted) this.#unseen.set(text, memory);
    return memory;
  }

  /** While a refused write is tried again, the status that tells of the refusal stays: else it would flap with every try. */
  #plan(text: string, owner: Parameters<AnyController['plan']>[0]): Plan<object> {
    const wish = this.#ask(owner, []);
    const refused = this.#refused.get(text);
    if (!refused || !writesAny(wish, refused)) return wish;
    const { status } = this.#ask(owner, refused);
    return status ? { ...wish, status } : wish;
  }

  /** The plan answers the refusals, mainly with a status; refused writes are not sent a second time. */
  async #refuse(text: string, refusals: readonly Refusal[]): Promise<never> {
    const { caches, resource } = this.#parts;
    const { namespace, name } = keyFrom(text);
    this.#refused.set(text, refusals);
    const owner = caches.get(resource, namespace, name);
    if (owner) {
      const plan = without(this.#ask(owner, refusals), refusals);
      await this.#turn(text, owner, plan).carryOut(plan);
    }
    throw new Refused(refusals);
  }

  #ask(owner: Parameters<AnyController['plan']>[0], refusals: readonly Refusal[]): Plan<object> {
    const { controller, caches, settings, clock } = this.#parts;
    try {
      const seen = Object.fromEntries(
        Object.entries(controller.reads as Reads).map(([read, { find }]) => [read, find(owner, caches, settings)]),
      ) as Seen<AnyController['reads']>;
      const context: Context<unknown> = { now: clock.now(), settings, refusals };
      return controller.plan(owner, seen, context);
    } catch (error) {
      throw new PlanFailed(error);
    }
  }
}

/** The source of the writes of a reconcile of this key, so that they do not wake it. */
export const sourceOf = (resource: Resource, key: string): string => `${resource.kind} ${key}`;

const isPaused = ({ metadata }: KubeObject): boolean => ANNOTATION.paused in (metadata.annotations ?? {});

/** The status is all that it would write. */
const isOnlyDetail = ({
  isDetail,
  create = [],
  apply = [],
  unseen = [],
  patch = [],
  remove = [],
}: Plan<object>): boolean =>
  isDetail === true && [create, apply, unseen, patch, remove].every(({ length }) => length === 0);

const isIn = (refusals: readonly Refusal[], kind: string, name: string): boolean =>
  refusals.some((refusal) => refusal.kind === kind && refusal.name === name);

function writesAny(
  { create = [], apply = [], unseen = [], patch = [], remove = [] }: Plan<object>,
  refusals: readonly Refusal[],
) {
  return (
    [...create, ...apply, ...unseen].some(({ kind, metadata }) => isIn(refusals, kind, metadata.name)) ||
    [...patch, ...remove].some(({ kind, name }) => isIn(refusals, kind, name))
  );
}

function without(plan: Plan<object>, refusals: readonly Refusal[]): Plan<object> {
  const { create = [], apply = [], unseen = [], patch = [], remove = [] } = plan;
  return {
    ...plan,
    ...(unseen.length > 0 && {
      unseen: unseen.filter(({ kind, metadata }) => !isIn(refusals, kind, metadata.name)),
    }),
    // As in a turn: where something unseen was refused, nothing is created.
    create: unseen.some(({ kind, metadata }) => isIn(refusals, kind, metadata.name))
      ? []
      : create.filter(({ kind, metadata }) => !isIn(refusals, kind, metadata.name)),
    apply: apply.filter(({ kind, metadata }) => !isIn(refusals, kind, metadata.name)),
    patch: patch.filter(({ kind, name }) => !isIn(refusals, kind, name)),
    remove: remove.filter(({ kind, name }) => !isIn(refusals, kind, name)),
  };
}
