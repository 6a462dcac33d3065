// The definition of a controller: what it reads, and one pure function from what is observed to what should be done. The runtime
// carries plans out and knows no kind by name; a plan never waits, never calls, never looks at a clock.
import type { CommonStatus, KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import type { DeviceList } from '@gantry/contract/gpu-access.ts';
import type { Refusal } from '@gantry/kube/api-error.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import type { CacheReader, Key, Patch, Removal, Resource } from '@gantry/kube/resource.ts';
import { closed } from './closed-pods.ts';

/**
 * One thing a plan looks at. `find` gathers it from caches; `wakes` says which owners a change of it concerns. The settings are the
 * plan's.
 */
export interface Read<Owner extends KubeObject = KubeObject, Found = unknown, Settings = void> {
  of: Resource;
  find(owner: Owner, caches: CacheReader, settings: Settings): Found;
  /** `before` is absent for an added object, `after` for a removed one. */
  wakes?(change: { before?: KubeObject; after?: KubeObject }, caches: CacheReader, settings: Settings): readonly Key[];
  /** Other resources `find` looks at; they are cached too, and wake nobody. */
  also?: readonly Resource[];
}
// biome-ignore lint/suspicious/noExplicitAny: a table of reads holds readers of different owners, findings and settings
export type Reads = Record<string, Read<any, any, any>>;
export type Seen<R extends Reads> = { readonly [K in keyof R]: ReturnType<R[K]['find']> };

/**
 * The context of every plan. `refusals` are those of the plan's own writes: it is called again with them at once, for a status.
 * While it still wants a refused write, its status is the one it returns with them, so that no attempt flaps.
 */
export interface Context<Settings> {
  now: Instant;
  settings: Settings;
  refusals: readonly Refusal[];
}

/**
 * The next actions; everything undefined means "leave it as it is". Carried out in this order: finalizer added, status, unseen,
 * create (nothing, if something unseen was refused), apply, patch, remove, finalizer removed. After any write the plan is called
 * again at once, with the written objects observed, until it is empty: so a plan takes one step at a time and never assumes that
 * an earlier step of its own was done.
 */
export interface Plan<Status = CommonStatus> {
  /** Made by POST. An existing object of another owner is a refusal with reason AlreadyExists. */
  create?: readonly KubeObject[];
  /** Kept as desired by server-side apply, with the observed uid in `metadata.uid`; never creates. */
  apply?: readonly KubeObject[];
  /**
   * Objects that nobody may read, Secrets: created or corrected by server-side apply when first desired since the operator's
   * start, when the desired content changes, and periodically. The name must be the platform's alone.
   */
  unseen?: readonly KubeObject[];
  patch?: readonly Patch[];
  remove?: readonly Removal[];
  /** `keep`: our finalizer is needed. `drop`: nothing is left, the object may go. */
  finalizer?: 'keep' | 'drop';
  /**
   * The whole status that this controller owns. Conditions carry the plan's lastTransitionTime. If phase or reason differ from
   * the recorded ones, the runtime also records a Kubernetes event with the status's reason and message.
   */
  status?: Status;
  /** The status tells only details besides what is recorded: where nothing else is to be done, it is written once a second at most. */
  isDetail?: boolean;
  /** Plan again after this long, even when nothing changes. */
  againInMs?: number;
}

/** It was stopped, deleted or has no credit; or nobody records its usage. */
export type Overdue = 'ended' | 'unbilled';

/** The part of a status that a plan writes besides the fields of all kinds (`commonStatus`, without its conditions). */
export interface StatusWrites<Field extends string = string> {
  fields?: readonly Field[];
  /** By their types. */
  conditions?: readonly string[];
}

export interface Controller<Owner extends KubeObject, R extends Reads, Settings> {
  facts: KindFacts;
  reads: R;
  /** Fields of others stay: within these, fields that a plan omits are removed. */
  writes?: StatusWrites<keyof NonNullable<(Owner & { status?: object })['status']> & string> | undefined;
  /**
   * Why this Pod of it may run no longer; asked where the plan fails, or its writes do not get through (runtime/last-resort.ts). By
   * the object's own fields alone, for any object at all. `failingMs`: for how long the plan has failed.
   */
  overdue?(owner: Owner, run: { podUID: string; failingMs: number }, settings: Settings): Overdue | undefined;
  /** Changes to what would make others of the Pods that are ended because the object is: a Deployment's number of replicas. */
  halts?(owner: Owner, caches: CacheReader): readonly { of: Resource; patch: Patch }[];
  /** The Pods that `overdue` is asked about, where they are not the object's own children. */
  pods?(owner: Owner, caches: CacheReader): readonly Pod[];
  /** Status fields that only hold while a Pod runs which no longer does: they are removed even if the plan fails. */
  stale?(owner: Owner, pods: readonly Pod[]): readonly string[];
  plan(
    owner: Owner,
    seen: Seen<R>,
    context: Context<Settings>,
  ): Plan<NonNullable<(Owner & { status?: object })['status']>>;
}

/**
 * Objects that exist once per cluster and have no owner of ours. They are planned again a moment after one of the reads has changed, and
 * are never removed.
 */
export interface ClusterPlan<Settings> {
  name: string;
  reads: readonly Resource[];
  /** Pure over the caches. `apply` carries the observed uid. */
  plan(caches: CacheReader, settings: Settings): Pick<Plan, 'create' | 'apply'>;
}

// biome-ignore lint/suspicious/noExplicitAny: the runtime holds controllers of every kind in one list
export type AnyController = Controller<any, any, any>;
// biome-ignore lint/suspicious/noExplicitAny: each cluster plan has its part of the settings
export type AnyClusterPlan = ClusterPlan<any>;

/**
 * The controller with its types joined up: `seen` follows from `reads`. Containers that it plans get at no device of a node that
 * they have not asked for.
 */
export const defineController = <Owner extends KubeObject, R extends Reads, Settings>(
  controller: Controller<Owner, R, Settings>,
): Controller<Owner, R, Settings> => ({
  ...controller,
  plan(owner, seen, context) {
    const plan = controller.plan(owner, seen, context);
    const { gpuDeviceList = 'envvar' } = context.settings as { gpuDeviceList?: DeviceList };
    const { create, apply, patch } = plan;
    return {
      ...plan,
      ...(create && { create: create.map((one) => closed(one, gpuDeviceList)) }),
      ...(apply && { apply: apply.map((one) => closed(one, gpuDeviceList)) }),
      ...(patch && { patch: patch.map((one) => ({ ...one, body: closed(one.body, gpuDeviceList) })) }),
    };
  },
});
