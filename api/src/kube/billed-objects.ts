// What billing sees of the cluster and writes there, in the gateway's own name: objects of kinds that cost, its finalizer on
// them, and its answers in their status. What an object holds is the operator's and the tenant's; billing never touches a spec.
import type { CommonStatus, Condition, CostFacts, KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import type { Interval } from '@gantry/contract/fields/metering.ts';
import { type Organization, organization } from '@gantry/contract/kinds/organization.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { FINALIZER, organizationOf } from '@gantry/contract/names.ts';
import { nextCondition, rfc3339 } from '@gantry/contract/next-condition.ts';
import { isAbsent } from '@gantry/kube/api-error.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Target } from '@gantry/kube/resource.ts';
import { resourceOf } from './resources.ts';
import type { WatchCache } from './watch-cache.ts';

/** Own what each of the two writes: with one name for both, the one would drop what the other has said. */
export const GATE_MANAGER = 'gantry-billing';
export const METER_MANAGER = 'gantry-metering';

const CREDIT_RESERVED = 'CreditReserved';
const IN_CREDIT = 'InCredit';

export interface CostlyFacts extends KindFacts {
  cost: CostFacts;
}

export interface BilledKubeObject extends KubeObject {
  spec: Record<string, unknown> & { creator?: string };
  status?: CommonStatus & {
    intervals?: readonly Interval[];
    credit?: { until?: string; postedSeq?: number };
  };
}

export interface BilledObject {
  readonly facts: CostlyFacts;
  /** Live out of the cache: never changed. */
  readonly object: BilledKubeObject;
  readonly uid: string;
  readonly organizationId: string;
  /** The id of the data centre that it is in. */
  readonly region: string;
}

export interface BilledChange {
  /** Absent: it is gone. */
  readonly after?: BilledObject;
  /** Absent: it is new. */
  readonly before?: BilledObject;
}

export type Verdict = Pick<Condition, 'status' | 'reason' | 'message'>;

export interface BilledObjectsParts {
  cache: Pick<WatchCache, 'get' | 'list' | 'on' | 'observe' | 'forget'>;
  /** The gateway's own account, once per field manager. */
  clients: {
    patches: Pick<KubeClient, 'mergePatch' | 'delete'>;
    gate: Pick<KubeClient, 'apply'>;
    meter: Pick<KubeClient, 'apply'>;
  };
  clock: Pick<Clock, 'now'>;
  region: { id: string };
}

const COSTLY = (Object.values(KINDS) as readonly KindFacts[]).filter(
  (facts): facts is CostlyFacts => facts.cost !== undefined,
);
const costly = (kind: string): CostlyFacts | undefined => COSTLY.find((facts) => facts.kind === kind);

export class BilledObjects {
  readonly #parts: BilledObjectsParts;
  /** One per state of an object in the cache: what is asked for again and again is not made anew. */
  readonly #known = new WeakMap<KubeObject, BilledObject>();

  constructor(parts: BilledObjectsParts) {
    this.#parts = parts;
  }

  /** Data centres that objects here are in. */
  get regions(): readonly string[] {
    return [this.#parts.region.id];
  }

  /** All that may cost, of one kind or of all. What is official belongs to no organisation and costs nobody anything. */
  list(kind?: string): readonly BilledObject[] {
    const found = kind === undefined ? COSTLY : COSTLY.filter((facts) => facts.kind === kind);
    return found.flatMap((facts) => this.#parts.cache.list(facts).flatMap((object) => this.#of(facts, object) ?? []));
  }

  ofOrganization(organizationId: string): readonly BilledObject[] {
    const namespace = `org-${organizationId}`;
    return COSTLY.flatMap((facts) =>
      this.#parts.cache.list(facts, namespace).flatMap((object) => this.#of(facts, object) ?? []),
    );
  }

  get({ kind, namespace, name }: { kind: string; namespace: string; name: string }): BilledObject | undefined {
    const facts = costly(kind);
    const object = facts && this.#parts.cache.get(facts, namespace, name);
    return facts && object && this.#of(facts, object);
  }

  /** Tells of every change of what costs, once the caches are filled; gives the way to call it off. */
  on(listener: (change: BilledChange) => void): () => void {
    return this.#parts.cache.on(({ kind, before, after }) => {
      const facts = costly(kind.kind);
      if (!facts) return;
      const was = before && this.#of(facts, before);
      const is = after && this.#of(facts, after);
      if (was || is) listener({ ...(was && { before: was }), ...(is && { after: is }) });
    });
  }

  /** Ids of the organisations that the cluster knows. */
  organizations(): readonly string[] {
    return this.#parts.cache.list<Organization>(organization).map(({ metadata }) => metadata.name);
  }

  inCredit(organizationId: string): Condition | undefined {
    return this.#organization(organizationId)?.status?.conditions?.find(({ type }) => type === IN_CREDIT);
  }

  onOrganization(listener: (organizationId: string) => void): () => void {
    return this.#parts.cache.on(({ kind, name }) => {
      if (kind.kind === organization.kind) listener(name);
    });
  }

  /** A conflict is the caller's to decide anew: the cache is a moment behind. */
  async addFinalizer({ object }: BilledObject): Promise<void> {
    const held = object.metadata.finalizers ?? [];
    if (!held.includes(FINALIZER.billing)) await this.#finalizers(object, [...held, FINALIZER.billing]);
  }

  async dropFinalizer({ object }: BilledObject): Promise<void> {
    const held = object.metadata.finalizers ?? [];
    if (!held.includes(FINALIZER.billing)) return;
    const left = held.filter((one) => one !== FINALIZER.billing);
    try {
      await this.#finalizers(object, left);
    } catch (error) {
      if (!isAbsent(error)) throw error;
      this.#parts.cache.forget(object);
    }
  }

  /**
   * Whether credit is reserved for what this object is now, and until when. Writes only what differs; true where it wrote.
   * Without `until`, nothing new may be made for it.
   */
  async writeCredit(
    { object }: BilledObject,
    { condition, until }: { condition: Verdict; until?: number },
  ): Promise<boolean> {
    const { generation } = object.metadata;
    const wanted = {
      ...nextCondition(object.status?.conditions, { type: CREDIT_RESERVED, ...condition }, this.#parts.clock.now()),
      ...(generation !== undefined && { observedGeneration: generation }),
    };
    const untilText = until === undefined ? undefined : rfc3339(until);
    const seen = object.status?.conditions?.find(({ type }) => type === CREDIT_RESERVED);
    if (isSame(seen, wanted) && object.status?.credit?.until === untilText) return false;
    const status = { conditions: [wanted], ...(untilText !== undefined && { credit: { until: untilText } }) };
    await this.#apply('gate', object, status);
    return true;
  }

  /** Up to this interval all is posted: the operator may drop them. Never goes back; true where it wrote. */
  async writePosted({ object }: BilledObject, postedSeq: number): Promise<boolean> {
    if ((object.status?.credit?.postedSeq ?? 0) >= postedSeq) return false;
    await this.#apply('meter', object, { credit: { postedSeq } });
    return true;
  }

  /** True where it wrote; an Organization that is not there, or is going, is left alone. */
  async writeInCredit(organizationId: string, condition: Verdict): Promise<boolean> {
    const found = this.#organization(organizationId);
    if (!found || found.metadata.deletionTimestamp !== undefined) return false;
    const { generation } = found.metadata;
    const wanted = {
      ...nextCondition(found.status?.conditions, { type: IN_CREDIT, ...condition }, this.#parts.clock.now()),
      ...(generation !== undefined && { observedGeneration: generation }),
    };
    // The verdict is about money and not about the spec: another generation alone is not worth a write.
    const seen = this.inCredit(organizationId);
    const { observedGeneration: _seen, ...was } = seen ?? {};
    const { observedGeneration: _wanted, ...is } = wanted;
    if (isSame(was, is)) return false;
    await this.#apply('gate', found, { conditions: [wanted] });
    return true;
  }

  /** Ends an object whose data nobody pays for any longer. Policies let billing do so where the organisation has no credit. */
  async deleteData({ facts, object }: BilledObject): Promise<void> {
    try {
      await this.#parts.clients.patches.delete(resourceOf(facts), targetOf(object));
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
  }

  #organization(id: string): Organization | undefined {
    return this.#parts.cache.get<Organization>(organization, undefined, id);
  }

  #of(facts: CostlyFacts, object: KubeObject): BilledObject | undefined {
    const known = this.#known.get(object);
    if (known) return known;
    const organizationId = organizationOf(object.metadata.namespace ?? '');
    if (organizationId === undefined) return undefined;
    const made: BilledObject = {
      facts,
      object: object as BilledKubeObject,
      uid: object.metadata.uid ?? '',
      organizationId,
      region: this.#parts.region.id,
    };
    this.#known.set(object, made);
    return made;
  }

  async #finalizers(object: KubeObject, finalizers: readonly string[]): Promise<void> {
    const { clients, cache } = this.#parts;
    const { resourceVersion } = object.metadata;
    const patch = {
      ...targetOf(object),
      // The list is replaced whole: with another version somebody else's finalizer would go with it.
      ...(resourceVersion !== undefined && { resourceVersion }),
      body: { metadata: { finalizers } },
    };
    const written = await clients.patches.mergePatch(resourceOf(object), patch);
    const isGone = finalizers.length === 0 && written.metadata.deletionTimestamp !== undefined;
    if (isGone) cache.forget(written);
    else cache.observe(written);
  }

  async #apply(by: 'gate' | 'meter', object: KubeObject, status: object): Promise<void> {
    const { apiVersion, kind, metadata } = object;
    const { name, namespace, uid, resourceVersion } = metadata;
    const body = {
      apiVersion,
      kind,
      // A status knows no wrong uid: only the version keeps it from another object of the same name.
      metadata: {
        name,
        ...(namespace && { namespace }),
        ...(uid && { uid }),
        ...(resourceVersion && { resourceVersion }),
      },
      status,
    };
    const written = await this.#parts.clients[by].apply(resourceOf(object), body, 'status');
    this.#parts.cache.observe(written);
  }
}

const targetOf = ({ apiVersion, kind, metadata: { name, namespace, uid } }: KubeObject): Target => ({
  apiVersion,
  kind,
  name,
  ...(namespace && { namespace }),
  uid: uid ?? '',
});

const MEMBERS = ['status', 'reason', 'message', 'lastTransitionTime', 'observedGeneration'] as const;
const isSame = (a: Partial<Condition> | undefined, b: Partial<Condition>): boolean =>
  a !== undefined && MEMBERS.every((member) => a[member] === b[member]);
