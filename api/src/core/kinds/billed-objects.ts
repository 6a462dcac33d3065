// Billing's view of the cluster and its writes there, in the gateway's own name: billable objects, its finalizer on them, and its
// answers in their status. Specs belong to the operator and the tenant; billing never touches one.

import { isDeepStrictEqual } from 'node:util';
import type { CommonStatus, Condition, CostFacts, KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import type { Interval } from '@gantry/contract/fields/metering.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import { type Organization, organization } from '@gantry/contract/kinds/organization.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { FINALIZER, organizationOf } from '@gantry/contract/names.ts';
import { nextCondition, rfc3339 } from '@gantry/contract/next-condition.ts';
import { isAbsent, isConflict, isUntrue } from '@gantry/kube/api-error.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { type PatchStep, resourceOf, targetOf } from '@gantry/kube/resource.ts';
import { followed } from '../../platform/kube/resources.ts';
import type { WatchCache } from '../../platform/kube/watch-cache.ts';

/** The field manager of billing's writes. */
export const BILLING_MANAGER = 'gantry-billing';

const CREDIT_RESERVED = 'CreditReserved';
const IN_CREDIT = 'InCredit';

export interface CostlyFacts extends KindFacts {
  cost: CostFacts;
}

export interface BilledKubeObject extends KubeObject {
  spec: Record<string, unknown> & { creator?: string; startedBy?: string };
  status?: CommonStatus & {
    intervals?: readonly Interval[];
    credit?: { until?: string; postedSeq?: number; months?: number; replicas?: number; cost?: string };
  };
}

type CreditFields = {
  until?: string | undefined;
  postedSeq?: number;
  months?: number | undefined;
  replicas?: number | undefined;
  cost?: string;
};

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

export type Verdict = Pick<Condition, 'status' | 'reason' | 'message' | 'args'>;

export interface BilledObjectsParts {
  cache: Pick<WatchCache, 'get' | 'list' | 'on' | 'observe' | 'forget' | 'synced' | 'staleSince'>;
  /** The gateway's own account, as BILLING_MANAGER. */
  client: Pick<KubeClient, 'get' | 'jsonPatch' | 'delete'>;
  clock: Pick<Clock, 'now'>;
  region: { id: string };
}

const COSTLY = (Object.values(KINDS) as readonly KindFacts[]).filter(
  (facts): facts is CostlyFacts => facts.cost !== undefined,
);
const costly = (kind: string): CostlyFacts | undefined => COSTLY.find((facts) => facts.kind === kind);

export class BilledObjects {
  readonly #parts: BilledObjectsParts;
  /** One per state of an object in the cache, so that repeated calls do not rebuild it. */
  readonly #known = new WeakMap<KubeObject, BilledObject>();
  #others: readonly BilledObjects[] = [];
  #isOurs: (organizationId: string) => boolean = () => true;

  constructor(parts: BilledObjectsParts) {
    this.#parts = parts;
  }

  /** From now on what other clusters hold is billed with ours. Before anybody follows changes. */
  billAlso(others: readonly BilledObjects[]): void {
    this.#others = others;
  }

  /** Nothing of other organisations is billed, or exists. */
  limitTo(isOurs: (organizationId: string) => boolean): void {
    this.#isOurs = isOurs;
  }

  /** Data centres that objects are in and that are followed: of what is missing there it is known that it is gone. */
  get regions(): readonly string[] {
    const heard = this.#others.filter((other) => other.#isHeard);
    return [this, ...heard].map((one) => one.#parts.region.id);
  }

  /** Data centres that are out of reach: nothing is known about what runs there. */
  get silentRegions(): readonly string[] {
    return this.#others.filter((other) => !other.#isHeard).map((one) => one.#parts.region.id);
  }

  /** Whether an object is in a data centre that is no longer configured, and in none that is. */
  isAbandoned({ uid, region, organizationId }: Pick<BilledObject, 'uid' | 'region' | 'organizationId'>): boolean {
    const isConfigured = [this, ...this.#others].some((one) => one.#parts.region.id === region);
    return !isConfigured && !this.ofOrganization(organizationId).some((one) => one.uid === uid);
  }

  /** Whether the objects of every data centre have been seen. */
  get areAllSeen(): boolean {
    return this.#others.every((other) => other.#parts.cache.synced);
  }

  /** All billable objects, of one kind or of all. Official ones belong to no organisation and cost nobody anything. */
  list(kind?: string): readonly BilledObject[] {
    const found = kind === undefined ? COSTLY : COSTLY.filter((facts) => facts.kind === kind);
    const own = found.flatMap((facts) =>
      this.#parts.cache.list(facts).flatMap((object) => this.#of(facts, object) ?? []),
    );
    return this.#others.length === 0 ? own : [...own, ...this.#others.flatMap((other) => other.list(kind))];
  }

  ofOrganization(organizationId: string): readonly BilledObject[] {
    const namespace = `org-${organizationId}`;
    const own = COSTLY.flatMap((facts) =>
      this.#parts.cache.list(facts, namespace).flatMap((object) => this.#of(facts, object) ?? []),
    );
    return this.#others.length === 0
      ? own
      : [...own, ...this.#others.flatMap((other) => other.ofOrganization(organizationId))];
  }

  get(key: { kind: string; namespace: string; name: string }): BilledObject | undefined {
    const facts = costly(key.kind);
    const object = facts && this.#parts.cache.get(facts, key.namespace, key.name);
    const own = facts && object && this.#of(facts, object);
    return own ?? firstOf(this.#others, (other) => other.get(key));
  }

  /** Calls back on every change of a billable object, once the caches are filled; returns a function that stops it. */
  on(listener: (change: BilledChange) => void): () => void {
    const off = this.#parts.cache.on(({ kind, before, after }) => {
      const facts = costly(kind.kind);
      if (!facts) return;
      const was = before && this.#of(facts, before);
      const is = after && this.#of(facts, after);
      if (was || is) listener({ ...(was && { before: was }), ...(is && { after: is }) });
    });
    return all(off, ...this.#others.map((other) => other.on(listener)));
  }

  /** Ids of the organisations that the cluster knows: those elsewhere are here, too. */
  organizations(): readonly string[] {
    const all = this.#parts.cache.list<Organization>(organization).map(({ metadata }) => metadata.name);
    return all.filter((id) => this.#isOurs(id));
  }

  inCredit(organizationId: string): Condition | undefined {
    return this.#organization(organizationId)?.status?.conditions?.find(({ type }) => type === IN_CREDIT);
  }

  onOrganization(listener: (organizationId: string) => void): () => void {
    const off = this.#parts.cache.on(({ kind, name }) => {
      if (kind.kind === organization.kind) listener(name);
    });
    return all(off, ...this.#others.map((other) => other.onOrganization(listener)));
  }

  async addFinalizer({ object, region }: BilledObject): Promise<void> {
    await this.#in(region).#patch(object, undefined, ({ metadata: { finalizers } }) =>
      finalizers?.includes(FINALIZER.billing)
        ? []
        : [
            // If several add one at the same time, each reads again.
            { op: 'test', path: '/metadata/finalizers', value: finalizers ?? null },
            finalizers
              ? { op: 'add', path: '/metadata/finalizers/-', value: FINALIZER.billing }
              : { op: 'add', path: '/metadata/finalizers', value: [FINALIZER.billing] },
          ],
    );
  }

  async dropFinalizer({ object, region }: BilledObject): Promise<void> {
    const there = this.#in(region);
    try {
      await there.#patch(object, undefined, ({ metadata: { finalizers = [] } }) =>
        finalizers.includes(FINALIZER.billing)
          ? [
              { op: 'test', path: '/metadata/finalizers', value: finalizers },
              {
                op: 'replace',
                path: '/metadata/finalizers',
                value: finalizers.filter((one) => one !== FINALIZER.billing),
              },
            ]
          : [],
      );
    } catch (error) {
      if (!isAbsent(error)) throw error;
      there.#parts.cache.forget(object);
    }
  }

  /**
   * Writes whether credit is reserved for the object's current spec, and until when. Writes only differences; true if it wrote.
   * Without `until`, nothing new may be created for it. The answer names the generation that was decided on, even if the object
   * has changed since: a tenant cannot delay an answer by editing. What it has cost goes along with what is written anyway.
   */
  writeCredit(
    { object, region }: BilledObject,
    {
      condition,
      until,
      months,
      replicas,
      cost,
    }: {
      condition: Verdict;
      until?: number;
      months?: number | undefined;
      replicas?: number | undefined;
      cost?: string | undefined;
    },
  ): Promise<boolean> {
    const { generation } = object.metadata;
    const wanted = { until: until === undefined ? undefined : rfc3339(until), months, replicas };
    return this.#in(region).#patch(object, 'status', (live) => {
      const verdict = this.#verdict(live, CREDIT_RESERVED, condition, generation);
      const seen = conditionOf(live, CREDIT_RESERVED);
      const { credit } = live.status ?? {};
      const isSaid = credit?.until === wanted.until && credit?.months === months && credit?.replicas === replicas;
      if (isSame(seen, verdict) && isSaid) return [];
      return [
        ...conditionSteps(live, verdict),
        ...creditSteps(live, { ...wanted, ...(cost !== undefined && { cost }) }),
      ];
    });
  }

  /** Everything up to this interval is posted: the operator may drop it. Never decreases; true if it wrote. */
  writePosted({ object, region }: BilledObject, postedSeq: number, cost?: string): Promise<boolean> {
    return this.#in(region).#patch(object, 'status', (live) =>
      (live.status?.credit?.postedSeq ?? 0) >= postedSeq
        ? []
        : [...statusSteps(live), ...creditSteps(live, { postedSeq, ...(cost !== undefined && { cost }) })],
    );
  }

  /** True if it wrote; an Organization that is missing or being deleted is left alone. */
  async writeInCredit(organizationId: string, condition: Verdict): Promise<boolean> {
    const wrote = await this.#writeInCreditHere(organizationId, condition);
    // One that does not answer holds nothing else up: an organisation is looked at again and again.
    const elsewhere = this.#others.filter((other) => other.#isHeard);
    const others = await Promise.allSettled(elsewhere.map((one) => one.writeInCredit(organizationId, condition)));
    return wrote || others.some((one) => one.status === 'fulfilled' && one.value);
  }

  async #writeInCreditHere(organizationId: string, condition: Verdict): Promise<boolean> {
    const found = this.#organization(organizationId);
    if (!found || found.metadata.deletionTimestamp !== undefined) return false;
    const { generation } = found.metadata;
    return this.#patch(found as BilledKubeObject, 'status', (live) => {
      const verdict = this.#verdict(live, IN_CREDIT, condition, generation);
      // The verdict is about money and not about the spec: another generation alone is not worth a write.
      const { observedGeneration: _seen, ...was } = conditionOf(live, IN_CREDIT) ?? {};
      const { observedGeneration: _wanted, ...is } = verdict;
      return isSame(was, is) ? [] : conditionSteps(live, verdict);
    });
  }

  /** Ends an object whose data nobody pays for any longer. Policies let billing do so where the organisation has no credit. */
  async deleteData({ facts, object, region }: BilledObject): Promise<void> {
    try {
      await this.#in(region).#parts.client.delete(resourceOf(facts), targetOf(object));
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
  }

  get #isHeard(): boolean {
    const { cache } = this.#parts;
    return cache.synced && cache.staleSince() === undefined;
  }

  #in(region: string): BilledObjects {
    return this.#others.find((other) => other.#parts.region.id === region) ?? this;
  }

  #organization(id: string): Organization | undefined {
    return this.#isOurs(id) ? this.#parts.cache.get<Organization>(organization, undefined, id) : undefined;
  }

  #of(facts: CostlyFacts, object: KubeObject): BilledObject | undefined {
    const organizationId = organizationOf(object.metadata.namespace ?? '');
    if (organizationId === undefined || !this.#isOurs(organizationId)) return undefined;
    const known = this.#known.get(object);
    if (known) return known;
    const made: BilledObject = {
      facts,
      object: object as BilledKubeObject,
      uid: identityOf(object),
      organizationId,
      region: this.#parts.region.id,
    };
    this.#known.set(object, made);
    return made;
  }

  #verdict(live: BilledKubeObject, type: string, condition: Verdict, generation: number | undefined): Condition {
    return {
      ...nextCondition(live.status?.conditions, { type, ...condition }, this.#parts.clock.now()),
      ...(generation !== undefined && { observedGeneration: generation }),
    };
  }

  /**
   * Writes to exactly this object regardless of concurrent changes, so that a tenant who keeps editing it does not block billing:
   * the patch tests its uid, not its version. If the cache is behind, the same is written to the current object at once.
   */
  async #patch(
    object: BilledKubeObject,
    subresource: 'status' | undefined,
    stepsFor: (live: BilledKubeObject) => readonly PatchStep[],
  ): Promise<boolean> {
    const { client, cache } = this.#parts;
    const resource = followed(object);
    const target = targetOf(object);
    for (let live = object, tries = 1; ; tries++) {
      const steps = stepsFor(live);
      if (steps.length === 0) return false;
      try {
        const written = await client.jsonPatch(resource, target, steps, subresource);
        const isGone = written.metadata.deletionTimestamp !== undefined && !written.metadata.finalizers?.length;
        if (isGone) cache.forget(written);
        else cache.observe(written);
        return true;
      } catch (error) {
        if (tries === MOST_TRIES || !(isUntrue(error) || isConflict(error))) throw error;
        live = (await client.get(resource, target.namespace, target.name)) as BilledKubeObject;
        if (live.metadata.uid !== target.uid) throw error;
        cache.observe(live);
      }
    }
  }
}

const MOST_TRIES = 4;

const all =
  (...each: readonly (() => void)[]) =>
  (): void => {
    for (const one of each) one();
  };

function firstOf<One, Found>(those: readonly One[], find: (one: One) => Found | undefined): Found | undefined {
  for (const one of those) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

const conditionOf = ({ status }: BilledKubeObject, wanted: string): Condition | undefined =>
  status?.conditions?.find(({ type }) => type === wanted);

/** Creates missing parents, unless somebody else did. */
const statusSteps = ({ status }: BilledKubeObject): PatchStep[] =>
  status === undefined
    ? [
        { op: 'test', path: '/status', value: null },
        { op: 'add', path: '/status', value: {} },
      ]
    : [];

function conditionSteps(live: BilledKubeObject, condition: Condition): PatchStep[] {
  const { conditions } = live.status ?? {};
  const at = conditions?.findIndex(({ type }) => type === condition.type) ?? -1;
  if (!conditions)
    return [
      ...statusSteps(live),
      { op: 'test', path: '/status/conditions', value: null },
      { op: 'add', path: '/status/conditions', value: [condition] },
    ];
  if (at < 0) return [{ op: 'add', path: '/status/conditions/-', value: condition }];
  return [
    { op: 'test', path: `/status/conditions/${at}/type`, value: condition.type },
    { op: 'replace', path: `/status/conditions/${at}`, value: condition },
  ];
}

/** Undefined takes a field away. */
function creditSteps({ status }: BilledKubeObject, wanted: CreditFields): PatchStep[] {
  const fields = Object.entries(wanted);
  const known = status?.credit;
  const set = fields.flatMap(([field, value]): PatchStep[] =>
    value === undefined ? [] : [{ op: 'add', path: `/status/credit/${field}`, value }],
  );
  const gone = fields.flatMap(([field, value]): PatchStep[] =>
    value === undefined && known?.[field as keyof CreditFields] !== undefined
      ? [{ op: 'remove', path: `/status/credit/${field}` }]
      : [],
  );
  const first: PatchStep[] =
    known || set.length === 0
      ? []
      : [
          { op: 'test', path: '/status/credit', value: null },
          { op: 'add', path: '/status/credit', value: {} },
        ];
  return [...first, ...set, ...gone];
}

const MEMBERS = ['status', 'reason', 'message', 'args', 'lastTransitionTime', 'observedGeneration'] as const;
const isSame = (a: Partial<Condition> | undefined, b: Partial<Condition>): boolean =>
  a !== undefined && MEMBERS.every((member) => isDeepStrictEqual(a[member], b[member]));
