// The cluster's alert policies, and the objects that they watch: which are evaluated, whose a series is, whether an object lives, and
// what people call it.
import { isEvaluated } from '@gantry/contract/alerts/is-evaluated.ts';
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { type AlertPolicy, alertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { LABEL, organizationNamespace, organizationOf } from '@gantry/contract/names.ts';
import type { Cluster } from '../../core/kinds/open-cluster.ts';
import { POD } from '../../platform/kube/resources.ts';
import type { KnownSeries } from './alarm-store.ts';
import type { Sample } from './group.ts';
import type { ToldAlarm } from './message.ts';
import type { Delivery } from './notifier.ts';
import { type LivingObject, lifeOf } from './object-life.ts';
import type { Life } from './outcome.ts';

/** All periods are multiples of it. */
const SHORTEST_PERIOD_MS = 15_000;

export const KIND_OF: ReadonlyMap<string, KindFacts> = new Map(
  (Object.values(KINDS) as readonly KindFacts[]).map((facts) => [facts.kind, facts]),
);

export class WatchedObjects {
  readonly #cache: Cluster['cache'];
  #byUid: ReadonlyMap<string, AlertPolicy> | undefined;
  #evaluated: { slot: number; of: readonly { organizationId: string; policy: AlertPolicy }[] } | undefined;

  constructor({ cache }: Pick<Cluster, 'cache'>) {
    this.#cache = cache;
    cache.on(({ kind }) => {
      if (kind.kind === alertPolicy.kind) this.#byUid = this.#evaluated = undefined;
    });
  }

  policies(namespace?: string): readonly AlertPolicy[] {
    return this.#cache.list<AlertPolicy>(alertPolicy, namespace);
  }

  /** Made anew only after a change: it is asked for about every policy. */
  byUid(): ReadonlyMap<string, AlertPolicy> {
    this.#byUid ??= new Map(this.policies().map((policy) => [policy.metadata.uid ?? '', policy]));
    return this.#byUid;
  }

  exists(uid: string, now: number): boolean {
    const policy = this.byUid().get(uid);
    return policy !== undefined && isEvaluated(policy, now);
  }

  /** The same array until a policy changes, or the next cycle of any period: only then can one be over. */
  evaluated(now: number): readonly { organizationId: string; policy: AlertPolicy }[] {
    const slot = Math.floor(now / SHORTEST_PERIOD_MS);
    if (this.#evaluated?.slot !== slot) {
      const of = this.policies().flatMap((policy) => {
        const organizationId = organizationOf(policy.metadata.namespace ?? '');
        return organizationId !== undefined && isEvaluated(policy, now) ? [{ organizationId, policy }] : [];
      });
      this.#evaluated = { slot, of };
    }
    return this.#evaluated.of;
  }

  /** By its Pod: Prometheus has the labels of the scrape, the cluster those of the Pod. What the gateways say names the object. */
  of(series: Readonly<Record<string, string>>): Sample['object'] {
    const { namespace = '', pod = '' } = series;
    const labels = this.#cache.reader.get(POD, namespace, pod)?.metadata.labels;
    const kind = labels?.[LABEL.kind] ?? series.kind;
    const name = labels?.[LABEL.name] ?? series.object;
    if (kind === undefined || name === undefined) return undefined;
    const facts = KIND_OF.get(kind);
    const object = facts && this.#cache.get(facts, namespace, name);
    // Series from the gateways have no Pod that stands for them.
    if (!labels && !object) return undefined;
    return { kind, name, labels: object?.metadata.labels };
  }

  /** The life of the object, or of the Pod that labels name: a query's labels prove nothing, and tell when it is over. */
  lifeOf(
    { spec, metadata: { namespace = '' } }: AlertPolicy,
    { object, labels }: Pick<KnownSeries, 'object' | 'labels'>,
    now: number,
  ): Life | undefined {
    if (spec.query !== undefined) {
      const { pod } = labels;
      if (pod === undefined || pod === '') return undefined;
      return this.#cache.reader.get(POD, namespace, pod) ? 'running' : 'gone';
    }
    const facts = KIND_OF.get(spec.objects.kind);
    // An organisation that spends nothing has no hours left to count.
    if (!facts || spec.objects.kind === 'Organization') return 'bare';
    return lifeOf(spec, facts, this.#cache.get<LivingObject>(facts, namespace, object ?? ''), now);
  }

  /** Objects that the policy watches and that ought to have a value now. */
  due(policy: AlertPolicy, now: number): string[] {
    const { spec, metadata } = policy;
    const facts = KIND_OF.get(spec.objects.kind);
    if (!facts || spec.objects.kind === 'Organization') return [];
    const { names } = spec.objects;
    const all = names ?? this.#cache.list(facts, metadata.namespace).map((object) => object.metadata.name);
    return all.filter((object) => this.lifeOf(policy, { object, labels: {} }, now) === 'running');
  }

  /** With what people call the objects. */
  named(delivery: Delivery): Delivery {
    const { organizationId } = delivery;
    return { ...delivery, alarms: delivery.alarms.map((alarm) => this.told(organizationId, alarm)) };
  }

  told(organizationId: string, alarm: ToldAlarm): ToldAlarm {
    const facts = KIND_OF.get(alarm.kind);
    if (!facts || alarm.object === null) return alarm;
    const [namespace, name] =
      facts.scope === 'Namespaced'
        ? [organizationNamespace(organizationId), alarm.object]
        : [undefined, organizationId];
    const object = this.#cache.get<KubeObject & { spec?: { displayName?: string } }>(facts, namespace, name);
    return { ...alarm, displayName: object?.spec?.displayName };
  }

  /** Names that a policy watches, where there is none of them. */
  missing({ spec: { objects }, metadata: { namespace } }: AlertPolicy): string[] {
    const facts = KIND_OF.get(objects.kind);
    const names = objects.names ?? [];
    const missing = facts ? names.filter((name) => !this.#cache.get(facts, namespace, name)) : [];
    return missing.length === names.length ? missing : [];
  }
}
