// Brings one object from what is seen to what its plan wants: look, plan, carry out, and look again until the plan wants nothing.
// It knows a key and nothing of what happened: whatever woke it, the answer is the same.
import { ANNOTATION } from '@gantry/contract/names.ts';
import type { Refusal } from '@gantry/kube/api-error.ts';
import type { Caches } from '@gantry/kube/caches.ts';
import { keyFrom } from '@gantry/kube/object-key.ts';
import type { Resource } from '@gantry/kube/resource.ts';
import type { AnyController, Context, Plan, Reads, Seen } from '../define-controller.ts';
import { Turn, type TurnParts } from './turn.ts';
import { UnseenMemory } from './unseen-memory.ts';

export interface ReconcilerParts extends TurnParts {
  controller: AnyController;
  /** The kind's own resource, as the caches follow it. */
  resource: Resource;
  caches: Caches;
  settings: unknown;
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

/** A plan that still writes after this many rounds contradicts itself. */
const MOST_ROUNDS = 10;

export class Reconciler {
  readonly #parts: ReconcilerParts;
  /** Key → what was refused at the last try, while it is still wanted. */
  readonly #refused = new Map<string, readonly Refusal[]>();
  /** Key → what was kept without being seen. */
  readonly #unseen = new Map<string, UnseenMemory>();

  constructor(parts: ReconcilerParts) {
    this.#parts = parts;
  }

  /** Gives after how many milliseconds to plan again, if at all. Rejects with what stopped it: the queue tries again. */
  async reconcile(text: string): Promise<number | undefined> {
    const { caches, resource } = this.#parts;
    const { namespace, name } = keyFrom(text);
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const owner = caches.get(resource, namespace, name);
      if (!owner || ANNOTATION.paused in (owner.metadata.annotations ?? {})) {
        this.#refused.delete(text);
        this.#unseen.delete(text);
        return undefined;
      }
      const plan = this.#plan(text, owner);
      const turn = new Turn(this.#parts, resource, owner, sourceOf(resource, text), this.#memory(text, plan.unseen));
      await turn.carryOut(plan);
      if (turn.refusals.length > 0) return this.#refuse(text, turn.refusals);
      this.#refused.delete(text);
      if (!turn.wrote) return plan.againInMs;
    }
    throw new Error(`the plan of ${text} does not converge: it still writes after ${MOST_ROUNDS} rounds`);
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

  /** The plan answers to the refusals, by a status above all; what was refused is not sent a second time. */
  async #refuse(text: string, refusals: readonly Refusal[]): Promise<never> {
    const { caches, resource } = this.#parts;
    const { namespace, name } = keyFrom(text);
    this.#refused.set(text, refusals);
    const owner = caches.get(resource, namespace, name);
    if (owner) {
      const plan = without(this.#ask(owner, refusals), refusals);
      const turn = new Turn(this.#parts, resource, owner, sourceOf(resource, text), this.#memory(text, plan.unseen));
      await turn.carryOut(plan);
    }
    throw new Refused(refusals);
  }

  #ask(owner: Parameters<AnyController['plan']>[0], refusals: readonly Refusal[]): Plan<object> {
    const { controller, caches, settings, clock } = this.#parts;
    const seen = Object.fromEntries(
      Object.entries(controller.reads as Reads).map(([read, { find }]) => [read, find(owner, caches)]),
    ) as Seen<AnyController['reads']>;
    const context: Context<unknown> = { now: clock.now(), settings, refusals };
    return controller.plan(owner, seen, context);
  }
}

/** What a reconcile of this key signs its writes with, so that they do not wake it. */
export const sourceOf = (resource: Resource, key: string): string => `${resource.kind} ${key}`;

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
