// One look at one object, and the writes that follow from it. Every write asks first whether we still lead, names the uid it
// means, and is seen by the caches before the next plan.
import type { Condition, KubeObject } from '@gantry/contract/define-kind.ts';
import { FINALIZER } from '@gantry/contract/names.ts';
import { stateBegun } from '@gantry/contract/state-begun.ts';
import {
  isAbsent,
  isAmbiguous,
  isConflict,
  isTaken,
  type Refusal,
  refusalOf,
  type StatusBody,
} from '@gantry/kube/api-error.ts';
import type { Caches } from '@gantry/kube/caches.ts';
import type { KubeClient, ResourceNames } from '@gantry/kube/client.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Patch, Removal, Resource } from '@gantry/kube/resource.ts';
import type { Plan, StatusWrites } from '../define-controller.ts';
import type { EventRecorder } from './event-recorder.ts';
import { conditionPatch, statusPatch } from './status-patch.ts';
import type { UnseenMemory } from './unseen-memory.ts';

export interface TurnParts {
  caches: Pick<Caches, 'observe' | 'forget' | 'overlooks'>;
  client: Pick<KubeClient, 'get' | 'create' | 'apply' | 'mergePatch' | 'delete'>;
  names: Pick<ResourceNames, 'of'>;
  events: Pick<EventRecorder, 'record'>;
  clock: Clock;
  /** Labels of every object: the platform's, which no tenant may set. */
  labels?: Readonly<Record<string, string>>;
  /** The part of the status that plans write. */
  writes?: StatusWrites | undefined;
  /** Hears of every object that was changed. */
  wrote?: (object: string) => void;
  /** Leadership is sure now. Asked right before every write. */
  mayWrite(): boolean;
}

/** Leadership is not sure, so nothing is written. */
export class NotLeading extends Error {
  override readonly name = 'NotLeading';
  constructor() {
    super('another operator may lead: nothing is written');
  }
}

export class StatusRefused extends Error {
  override readonly name = 'StatusRefused';
  constructor(cause: unknown) {
    super(`the status that the plan wants is refused: ${(cause as Error).message}`, { cause });
  }
}

/** The owner is not as the plan saw it. The cause is the API server's conflict. */
export class OwnerMoved extends Error {
  override readonly name = 'OwnerMoved';
  constructor(cause: unknown) {
    super('the object was changed since the plan looked', { cause });
  }
}

/** A create trusts the owner's resourceVersion that was confirmed at most this long ago. */
const FENCE_MS = 1000;

export class Turn {
  /** Something changed on the cluster by this turn. */
  wrote = false;
  readonly refusals: Refusal[] = [];
  readonly #parts: TurnParts;
  readonly #resource: Resource;
  /** Listeners to our writes get this too, so that the key does not wake itself. */
  readonly #source: unknown;
  /** As last confirmed by the API server: only our own answers move it on, so that a stranger's change is never overwritten. */
  #owner: KubeObject;
  #confirmedAt = Number.NEGATIVE_INFINITY;

  /** Objects applied without having been read. */
  readonly #kept: UnseenMemory;

  /** `before` is the round before this one: what it confirmed of this very version of the owner still holds. */
  constructor(
    parts: TurnParts,
    resource: Resource,
    owner: KubeObject,
    source: unknown,
    kept: UnseenMemory,
    before?: Turn,
  ) {
    const { resourceVersion } = owner.metadata;
    if (before && before.#owner.metadata.resourceVersion === resourceVersion) this.#confirmedAt = before.#confirmedAt;
    this.#parts = parts;
    this.#resource = resource;
    this.#owner = owner;
    this.#source = source;
    this.#kept = kept;
  }

  /** Throws what stopped it, if anything did; refusals are gathered instead. */
  async carryOut(plan: Plan<object>): Promise<void> {
    if (plan.finalizer === 'keep') await this.#keepFinalizer();
    if (plan.status) await this.#writeStatus(plan.status);
    for (const object of plan.unseen ?? []) await this.#keepUnseen(object);
    // A Pod that was made without its Secret would take up whatever has that name.
    const isSafe = this.refusals.length === 0;
    for (const object of isSafe ? (plan.create ?? []) : []) await this.#create(object);
    for (const object of plan.apply ?? []) await this.#apply(object);
    for (const patch of plan.patch ?? []) await this.#patch(patch);
    for (const removal of plan.remove ?? []) await this.#remove(removal);
    if (plan.finalizer === 'drop') await this.#dropFinalizer();
  }

  async #keepFinalizer(): Promise<void> {
    const { finalizers = [], labels: worn = {}, deletionTimestamp } = this.#owner.metadata;
    const { labels = {} } = this.#parts;
    const isHeld = finalizers.includes(FINALIZER.operator);
    const isLabelled = Object.entries(labels).every(([name, value]) => worn[name] === value);
    // The API server takes no new finalizer on an object that is going.
    if ((isHeld && isLabelled) || deletionTimestamp) return;
    await this.#patchOwner({
      metadata: {
        ...(!isHeld && { finalizers: [...finalizers, FINALIZER.operator] }),
        ...(!isLabelled && { labels }),
      },
    });
  }

  async #dropFinalizer(): Promise<void> {
    const { finalizers = [] } = this.#owner.metadata;
    if (!finalizers.includes(FINALIZER.operator)) return;
    const others = finalizers.filter((finalizer) => finalizer !== FINALIZER.operator);
    await this.#patchOwner({ metadata: { finalizers: others } });
  }

  async #writeStatus(status: object): Promise<void> {
    const before = this.#owner;
    const patch = statusPatch(before, status, this.#parts.writes);
    if (!patch) return;
    const state = stateBegun(before, status, this.#parts.clock.now());
    await this.#patchOwner({ status: { ...patch, ...state } }, 'status').catch((error: unknown) => {
      // A status that the API server cannot take is a fault of ours: nothing else of the plan is carried out either.
      throw refusalOf(error, before.kind, before.metadata.name) ? new StatusRefused(error) : error;
    });
    this.#parts.events.record(before, this.#owner);
  }

  /** Writes these fields of the status and removes those; the rest stays. Returns whether anything changed. */
  async say(condition: Condition, stale: readonly string[]): Promise<boolean> {
    const news = conditionPatch(this.#owner, condition);
    const { status = {} } = this.#owner as { status?: Record<string, unknown> };
    const gone = stale.filter((field) => status[field] !== undefined).map((field) => [field, null]);
    if (news || gone.length > 0) await this.#patchOwner({ status: { ...news, ...Object.fromEntries(gone) } }, 'status');
    return news !== undefined;
  }

  async #create(wanted: KubeObject): Promise<void> {
    const resource = await this.#parts.names.of(wanted);
    await this.#fence();
    this.#check();
    await this.#refusable(wanted.kind, wanted.metadata.name, async () => {
      const made = await this.#parts.client.create(resource, wanted).catch(async (error: unknown) => {
        // Whether it was made is not known, or it was made before: look, never make another.
        if (!isTaken(error) && !isAmbiguous(error)) throw error;
        const { namespace, name } = wanted.metadata;
        const found = await this.#parts.client.get(resource, namespace, name).catch((lookup: unknown) => {
          throw isTaken(error) ? lookup : error;
        });
        if (!isOurs(found, wanted)) throw error;
        // A label was removed by hand: until it is back no cache accepts the object, and the plan would create it forever.
        return this.#parts.caches.overlooks(found, wanted) ? this.#keep(resource, found, wanted) : found;
      });
      this.wrote = true;
      this.#saw(made);
    });
  }

  #keep(resource: Resource, { metadata: { uid } }: KubeObject, wanted: KubeObject): Promise<KubeObject> {
    this.#check();
    const metadata = { ...wanted.metadata, ...(uid !== undefined && { uid }) };
    return this.#parts.client.apply(resource, { ...wanted, metadata });
  }

  async #apply(wanted: KubeObject): Promise<void> {
    const { kind, metadata } = wanted;
    if (!metadata.uid) throw new Error(`plan: apply of ${kind} ${metadata.name} has no uid, so it could create`);
    const resource = await this.#parts.names.of(wanted);
    this.#check();
    await this.#refusable(kind, metadata.name, async () => this.#saw(await this.#parts.client.apply(resource, wanted)));
  }

  /** Not a write that the next plan would see: it is no reason to plan again. */
  async #keepUnseen(wanted: KubeObject): Promise<void> {
    const now = this.#parts.clock.monotonic();
    if (this.#kept.isFresh(wanted, now)) return;
    const resource = await this.#parts.names.of(wanted);
    await this.#fence();
    this.#check();
    await this.#refusable(wanted.kind, wanted.metadata.name, async () => {
      await this.#parts.client.apply(resource, wanted);
      this.#kept.note(wanted, now);
    });
  }

  async #patch(patch: Patch): Promise<void> {
    const resource = await this.#parts.names.of(patch);
    this.#check();
    await this.#refusable(patch.kind, patch.name, async () => {
      const patched = await this.#parts.client.mergePatch(resource, patch);
      if (patch.uid === this.#owner.metadata.uid) this.#confirm(patched);
      else this.#saw(patched);
    });
  }

  async #remove(removal: Removal): Promise<void> {
    const resource = await this.#parts.names.of(removal);
    this.#check();
    const { apiVersion, kind, namespace, name, uid } = removal;
    const target = { apiVersion, kind, metadata: { name, uid, ...(namespace !== undefined && { namespace }) } };
    await this.#refusable(kind, name, async () => {
      const answer = await this.#parts.client.delete(resource, removal).catch((error: unknown): StatusBody => {
        if (isAbsent(error)) return { kind: 'Status' };
        throw error;
      });
      if (answer.kind !== 'Status') this.#saw(answer as KubeObject);
      else if (this.#parts.caches.forget(target, this.#source)) this.wrote = true;
    });
  }

  /** Proves that our look at the owner is still the newest, by a patch that changes nothing and fails when it is not. */
  async #fence(): Promise<void> {
    if (this.#parts.clock.monotonic() - this.#confirmedAt <= FENCE_MS) return;
    await this.#patchOwner({}, 'status');
  }

  async #patchOwner(body: Patch['body'], subresource?: 'status'): Promise<void> {
    this.#check();
    const { apiVersion, kind } = this.#owner;
    const { name, namespace, uid = '', resourceVersion = '' } = this.#owner.metadata;
    const target = { apiVersion, kind, name, uid, resourceVersion, ...(namespace !== undefined && { namespace }) };
    const answer = await this.#parts.client
      .mergePatch(this.#resource, { ...target, body }, subresource)
      .catch((error: unknown) => {
        throw isConflict(error) ? new OwnerMoved(error) : error;
      });
    this.#confirm(answer);
  }

  #confirm(answer: KubeObject): void {
    this.#confirmedAt = this.#parts.clock.monotonic();
    if (answer.metadata.resourceVersion === this.#owner.metadata.resourceVersion) return;
    this.#owner = answer;
    this.#wrote(answer);
    this.#parts.caches.observe(answer, this.#source);
  }

  /** An answer with a known version changed nothing, or the watch was faster and has woken this key: a plan follows anyway. */
  #saw(answer: KubeObject): void {
    if (this.#parts.caches.observe(answer, this.#source)) this.#wrote(answer);
  }

  #wrote({ kind, metadata }: KubeObject): void {
    this.wrote = true;
    this.#parts.wrote?.(`${kind} ${metadata.name}`);
  }

  #check(): void {
    if (!this.#parts.mayWrite()) throw new NotLeading();
  }

  async #refusable(kind: string, name: string, write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      const refusal = refusalOf(error, kind, name);
      if (!refusal) throw error;
      this.refusals.push(refusal);
    }
  }
}

/**
 * An object of that name is the one we wanted if it has the owners we would have given it. One that is made without owners is
 * known by our labels, which nobody else may set.
 */
function isOurs(found: KubeObject, wanted: KubeObject): boolean {
  const owners = wanted.metadata.ownerReferences ?? [];
  if (owners.length > 0) {
    return owners.every(({ uid }) => found.metadata.ownerReferences?.some((owner) => owner.uid === uid));
  }
  const marks = Object.entries(wanted.metadata.labels ?? {}).filter(([key]) => key.startsWith('gantry.dev/'));
  return marks.length > 0 && marks.every(([key, value]) => found.metadata.labels?.[key] === value);
}
