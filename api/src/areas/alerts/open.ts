// Joins what alerts need: the cluster's policies and objects, Prometheus, money, people and their messages.
import { randomUUID } from 'node:crypto';
import { ALERT_METRICS, type AlertMetricName } from '@gantry/contract/alerts/metrics.ts';
import { alertWords } from '@gantry/contract/alerts/words.ts';
import { type KindFacts, type KubeObject, sentence, type Words } from '@gantry/contract/define-kind.ts';
import { instantOf } from '@gantry/contract/fields/date-time.ts';
import { LANGUAGES, type Language } from '@gantry/contract/fields/language.ts';
import { type ProblemCode, problem, problemSentence } from '@gantry/contract/http/problem.ts';
import { type AlertPolicy, type AlertPolicySpec, alertPolicy, ruleLevel } from '@gantry/contract/kinds/alert-policy.ts';
import type { DataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { LABEL, organizationNamespace, organizationOf } from '@gantry/contract/names.ts';
import { rfc3339 } from '@gantry/contract/next-condition.ts';
import { mayRole, ORG_ROLES } from '@gantry/contract/roles.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import { resourceOf, targetOf } from '@gantry/kube/resource.ts';
import type { Logger } from 'pino';
import { burnOf } from '../../core/billing/prices/price-of.ts';
import type { Tariffs } from '../../core/billing/prices/tariffs.ts';
import { actorOf } from '../../core/identity/organizations/actor-of.ts';
import { CODE_LIFE_MS, newCode, proveAddress } from '../../core/identity/people/codes.ts';
import type { Writer } from '../../core/kinds/kind-writes.ts';
import type { Cluster } from '../../core/kinds/open-cluster.ts';
import { aside, TooMuchWork, taskIn } from '../../platform/aside/aside.ts';
import { count } from '../../platform/db/counters.ts';
import type { Database, Sql } from '../../platform/db/open.ts';
import { Turn, together } from '../../platform/db/turn.ts';
import { FairQueue, QueueFull } from '../../platform/fair-queue.ts';
import type { Served } from '../../platform/http/serve.ts';
import { POD } from '../../platform/kube/resources.ts';
import { type MailQueue, queueMail, queueNotice } from '../../platform/mail/mail-queue.ts';
import { isInnerHost, signedPost } from '../../platform/mail/signed-post.ts';
import type { MessageStore } from '../../platform/messages/message-store.ts';
import { problemOf } from '../../platform/prometheus/problem-of.ts';
import type { Prometheus } from '../../platform/prometheus/prometheus.ts';
import { scopeQuery } from '../../platform/prometheus/scope-query.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { AlarmStore, type KnownSeries } from './alarm-store.ts';
import { Alarms } from './alarms.ts';
import { type AlertRouteParts, alertRoutes } from './alert-routes.ts';
import { Contacts } from './contacts.ts';
import { DueStatuses } from './due-statuses.ts';
import { Evaluator, type Verdict } from './evaluator.ts';
import { outgoing, refusalIn } from './formats.ts';
import { keyOf, type Sample } from './group.ts';
import { needsBefore, needsLastWeek } from './judge.ts';
import { Mailboxes } from './mailboxes.ts';
import { type ToldAlarm, tell } from './message.ts';
import { MuteLinks } from './mute-links.ts';
import { type Delivery, isMuted, NotDelivered, Notifier } from './notifier.ts';
import { type LivingObject, lifeOf } from './object-life.ts';
import type { Life } from './outcome.ts';
import { policyChanges } from './policy-changes.ts';
import { deliveryAfter, type Facts, isOver, nextStatus, staleMs } from './policy-status.ts';
import { languageOf, mailRecipients, phoneRecipients } from './recipients.ts';
import type { Past, PastValues, replay, valuesOf } from './replay.ts';
import { type Ago, shapeOf } from './shape.ts';

export interface OpenAlertsParts {
  db: Database;
  clock: Clock;
  log: Logger;
  cluster: Pick<Cluster, 'client' | 'cache' | 'kinds' | 'billed'>;
  /** Absent: there is no Prometheus. */
  metrics?: Pick<Prometheus, 'instant' | 'past'> | undefined;
  wallets: { balances(organizationId: string): Promise<{ available: bigint }> };
  tariffs: Pick<Tariffs, 'of'>;
  messages: Pick<MessageStore, 'send' | 'wake'>;
  secrets: Secrets;
  mails: Pick<MailQueue, 'can' | 'wake'>;
  publicUrl: string;
  /** The platform's key for links in mails. */
  linkKey: string;
  /** Whether this installation sends text messages. */
  canText: boolean;
  /** For receivers inside the network, of an installation that has some. */
  allowInner: boolean;
}

export interface OpenAlerts {
  routes: readonly Served[];
  start(): void;
  stop(): Promise<void>;
}

/** What nobody has evaluated or told of yet. */
const UNKNOWN: Omit<Facts, 'missing'> = {
  verdict: undefined,
  firing: 0,
  evaluatedAt: undefined,
  delivery: new Map(),
};
const MIB = 1024 * 1024;
/** One question of the platform's own is about all organisations at once. */
const ASK_LIMITS = { deadlineMs: 5_000, mostSeries: 200_000, mostBytes: 128 * MIB };
/** What a tenant wrote makes as many series as it likes, of no series at all. */
const OWN_LIMITS = { deadlineMs: 5_000, mostSeries: 1_000, mostBytes: 2 * MIB };
/** Of the past: a million points are a week of 124 series at 75 seconds. */
const PAST_LIMITS = { deadlineMs: 5_000, mostSeries: 1_000, mostPoints: 1_000_000, mostBytes: 24 * MIB };
/** Trials under way, in one gateway: what Prometheus has answered is in memory. */
const TRIALS = { atOnce: 4, ofOneLane: 1, mostOfLane: 16, most: 256 };
const STATUS_MS = 2_000;
/** How soon a policy says that an address has confirmed, or left. */
const UNREACHABLE_MS = 10_000;
/** All periods are multiples of it. */
const SHORTEST_PERIOD_MS = 15_000;
const WEEK_MS = 7 * 86_400_000;
const MOST_CYCLES = 10_000;
const MOST_POINTS = 1_500;
const MOST_DAYS = 365;
const REPLAYING = new URL('replay.ts', import.meta.url);
const REPLAY = taskIn<typeof replay>(REPLAYING, 'replay');
const VALUES_OF = taskIn<typeof valuesOf>(REPLAYING, 'valuesOf');
const MUTE_MS = 30 * 60_000;
const AGOS: readonly Ago[] = ['now', 'period', 'week'];

const KIND_OF: ReadonlyMap<string, KindFacts> = new Map(
  (Object.values(KINDS) as readonly KindFacts[]).map((facts) => [facts.kind, facts]),
);

export function openAlerts(parts: OpenAlertsParts): OpenAlerts {
  const { db, clock, log, cluster, metrics } = parts;
  const objects = new Objects(cluster);
  const store = new AlarmStore(db);
  const alarms = new Alarms({
    db,
    clock,
    muted: (organizationId) =>
      objects
        .policies(organizationNamespace(organizationId))
        .filter((policy) => isMuted(policy, clock.now()))
        .map(({ metadata }) => metadata.uid ?? ''),
  });
  const contacts = new Contacts({
    ...{ db, clock, secrets: parts.secrets, allowInner: parts.allowInner },
    isInner: isInnerHost,
  });
  const links = new MuteLinks({ db, clock, key: parts.linkKey });
  const mailboxes = openMailboxes(parts);
  let unreachable: ReadonlySet<string> | undefined;
  let unreachableAt = Number.NEGATIVE_INFINITY;
  /** Whom policies name and no mail reaches. */
  const lookForUnreachable = async (now: number) => {
    if (now - unreachableAt < UNREACHABLE_MS) return;
    const asked = objects.policies().flatMap((policy) => mailAddresses(policy));
    const next = await mailboxes.unreachable(asked);
    unreachableAt = now;
    const before = unreachable;
    unreachable = next;
    for (const policy of objects.policies()) {
      const keys = mailAddresses(policy).map(({ organizationId, address }) => `${organizationId} ${address}`);
      if (keys.some((key) => before === undefined || before.has(key) !== next.has(key)))
        due.heard(policy.metadata.uid ?? '');
    }
  };
  const standings = new Map<string, Omit<Facts, 'missing'>>();
  const due = new DueStatuses();
  cluster.cache.on(({ namespace, before, after }) => {
    if (!before !== !after) due.moved(namespace);
  });
  const evaluator = new Evaluator({
    store,
    clock,
    log,
    policies: () => objects.evaluated(clock.now()),
    exists(uid) {
      const policy = objects.byUid().get(uid);
      return policy !== undefined && objects.isEvaluated(policy, clock.now());
    },
    ...(metrics && {
      ask: (query: string, at: number, signal: AbortSignal, isOwn: boolean) =>
        metrics.instant(query, at, { ...(isOwn ? OWN_LIMITS : ASK_LIMITS), signal }),
    }),
    scope: scoped,
    objectOf: (labels) => objects.of(labels),
    platform: (metric, namespaces, now) => platformSamples(parts, metric, namespaces, now),
    lifeOf: (policy, of) => objects.lifeOf(policy, of, clock.now()),
    due: (policy) => objects.due(policy, clock.now()),
    evaluated(policy, verdict, firing, at) {
      const uid = policy.metadata.uid ?? '';
      const known = standings.get(uid);
      if (known?.firing === firing && isSame(known.verdict, verdict)) {
        known.evaluatedAt = at;
        return;
      }
      standings.set(uid, { ...(known ?? UNKNOWN), verdict, firing, evaluatedAt: at });
      due.heard(uid);
    },
  });
  const notifier = new Notifier({
    db,
    clock,
    log,
    policyOf: (uid) => objects.byUid().get(uid),
    put: (tx, delivery) => put(parts, { links, mailboxes }, tx, objects.named(delivery)),
    post: (delivery) => post(parts, contacts, objects.named(delivery)),
    wake: () => parts.messages.wake(),
    delivered(policy, channel, failure) {
      const uid = policy.metadata.uid ?? '';
      const known = standings.get(uid) ?? UNKNOWN;
      standings.set(uid, { ...known, delivery: deliveryAfter(policy, known.delivery, channel, failure) });
      due.heard(uid);
    },
  });
  const forgetGone = () => {
    const exists = (uid: string) => objects.byUid().has(uid);
    for (const uid of standings.keys()) if (!exists(uid)) standings.delete(uid);
    due.forget(exists);
  };
  const unreachableOf = (policy: AlertPolicy) =>
    unreachable &&
    mailAddresses(policy).flatMap(({ organizationId, address }) =>
      unreachable?.has(`${organizationId} ${address}`) ? [address] : [],
    );
  /** What is to be written of a policy now, if anything. */
  const statusOf = (policy: AlertPolicy, now: number) => {
    const known = standings.get(policy.metadata.uid ?? '');
    if (!known && policy.spec.state === 'Enabled' && !isOver(policy, now)) return undefined;
    if (!due.isDue(policy, known ?? UNKNOWN, now)) return undefined;
    const facts = { ...(known ?? UNKNOWN), missing: objects.missing(policy), unreachable: unreachableOf(policy) };
    const stale = staleMs(objects.policies().length);
    const status = nextStatus(policy, facts, now, stale);
    if (!status) due.isRight(policy, now, stale);
    return status;
  };
  const writeStatuses = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      const now = clock.now();
      forgetGone();
      await lookForUnreachable(now).catch((error: unknown) =>
        log.warn({ err: error }, 'addresses are looked at again'),
      );
      for (const policy of objects.policies()) {
        const status = statusOf(policy, now);
        if (status)
          await writeStatus(cluster, policy, status).catch((error: unknown) =>
            log.warn({ err: error, policy: policy.metadata.uid }, 'the state of a policy was not written'),
          );
        if (signal.aborted) return;
      }
      await pause(clock, STATUS_MS, signal);
    }
  };
  const turn = new Turn({ db, clock, log }, 'alerts');
  return {
    routes: alertRoutes(routeParts(parts, { objects, alarms, contacts, links, mailboxes })),
    start: () =>
      turn.start((signal) =>
        together(signal, [
          (within) => evaluator.run(within),
          (within) => notifier.run(within),
          (within) => writeStatuses(within),
        ]),
      ),
    stop: () => turn.stop(),
  };
}

const isSame = (one: Verdict | undefined, other: Verdict): boolean =>
  one?.said === other.said && detailOf(one) === detailOf(other);
const detailOf = (verdict: Verdict): string | undefined => ('detail' in verdict ? verdict.detail : undefined);

async function writeStatus(
  { client, cache }: Pick<Cluster, 'client' | 'cache'>,
  policy: AlertPolicy,
  status: object,
): Promise<void> {
  const patch = { ...targetOf(policy), body: { status } };
  cache.observe(await client.mergePatch(resourceOf(alertPolicy), patch, 'status'));
}

/** The cluster's policies, and whose a series is. */
class Objects {
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

  isEvaluated(policy: AlertPolicy, now: number): boolean {
    return policy.spec.state === 'Enabled' && !isOver(policy, now) && policy.metadata.deletionTimestamp === undefined;
  }

  /** The same array until a policy changes, or the next cycle of any period: only then can one be over. */
  evaluated(now: number): readonly { organizationId: string; policy: AlertPolicy }[] {
    const slot = Math.floor(now / SHORTEST_PERIOD_MS);
    if (this.#evaluated?.slot !== slot) {
      const of = this.policies().flatMap((policy) => {
        const organizationId = organizationOf(policy.metadata.namespace ?? '');
        return organizationId !== undefined && this.isEvaluated(policy, now) ? [{ organizationId, policy }] : [];
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
    // Of what the gateways say there is no Pod that stands for it.
    if (!labels && !object) return undefined;
    return { kind, name, labels: object?.metadata.labels };
  }

  /** Of the object, or of the Pod that labels name: a query's labels prove nothing, and tell when it is over. */
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

/** What the platform knows without Prometheus. */
async function platformSamples(
  parts: Pick<OpenAlertsParts, 'cluster' | 'wallets' | 'tariffs'>,
  metric: AlertMetricName,
  namespaces: readonly string[],
  now: number,
): Promise<Sample[]> {
  return metric === 'CreditHours'
    ? (await Promise.all(namespaces.map((namespace) => creditHours(parts, namespace, now)))).flat()
    : namespaces.flatMap((namespace) => objectSamples(parts.cluster.cache, metric, namespace));
}

/** Of the kinds that have the metric. An alert policy has none: it is red while it alerts, and would keep its own alarm up. */
export function objectSamples(
  cache: Pick<Cluster['cache'], 'list'>,
  metric: AlertMetricName,
  namespace: string,
): Sample[] {
  const isDisk = metric === 'DiskUsed';
  const kinds = ALERT_METRICS[metric].kinds.flatMap((kind) => KIND_OF.get(kind) ?? []);
  return kinds.flatMap((facts) =>
    cache.list(facts, namespace).flatMap((object): Sample[] => {
      const value = isDisk ? usedPercent(object as DataDisk) : failedOf(facts, object);
      const { name, labels } = object.metadata;
      return value === undefined ? [] : [{ labels: { namespace }, object: { kind: facts.kind, name, labels }, value }];
    }),
  );
}

/** At what everything costs now. Nothing where nothing costs. */
async function creditHours(
  { cluster, wallets, tariffs }: Pick<OpenAlertsParts, 'cluster' | 'wallets' | 'tariffs'>,
  namespace: string,
  now: number,
): Promise<Sample[]> {
  const organizationId = organizationOf(namespace) ?? '';
  const perHour = burnOf({ cluster: cluster.billed, tariffs }, organizationId, now);
  if (perHour <= 0n) return [];
  const { available } = await wallets.balances(organizationId);
  const object = { kind: 'Organization', name: organizationId };
  return [{ labels: { namespace }, object, value: Math.max(0, Number(available) / Number(perHour)) }];
}

function usedPercent({ status }: DataDisk): number | undefined {
  const { usedBytes, totalBytes } = status?.usage ?? {};
  return usedBytes === undefined || !totalBytes ? undefined : (100 * usedBytes) / totalBytes;
}

/** Whatever its kind shows in red has failed. */
function failedOf({ phases }: Pick<KindFacts, 'phases'>, object: KubeObject): 0 | 1 {
  const { phase = '' } = (object as KubeObject & { status?: { phase?: string } }).status ?? {};
  return Object.hasOwn(phases, phase) && phases[phase]?.tone === 'bad' ? 1 : 0;
}

/** Within the transaction that notes it as sent: the message, the mails or the texts. */
async function put(
  parts: Pick<OpenAlertsParts, 'messages' | 'secrets' | 'clock' | 'publicUrl' | 'canText'>,
  { links, mailboxes }: { links: MuteLinks; mailboxes: Mailboxes },
  tx: Sql,
  delivery: Delivery,
): Promise<void> {
  const { policy, organizationId, type, to, id, what, alarms, leftOut } = delivery;
  const { spec } = policy;
  const creator = spec.creator;
  if (type === 'Bell') {
    const inEach = (of: 'title' | 'text'): Words =>
      Object.fromEntries(
        LANGUAGES.map((language) => [language, tell(spec, what, alarms, language, leftOut)[of]]),
      ) as unknown as Words;
    const notice = { key: `alarm/${id}`, title: inEach('title'), content: inEach('text') };
    const object = { kind: 'alarms', id: alarms[0]?.id ?? '' };
    const roles = ORG_ROLES.filter((role) => mayRole(role, 'use'));
    await parts.messages.send(
      { ...notice, object },
      { organization: organizationId, roles, ...(creator && { also: creator }) },
      tx,
    );
    return;
  }
  if (type === 'SMS' && !parts.canText) throw new NotDelivered('notConfigured', {}, true);
  const asked = { organizationId, creator, to };
  const recipients = await (type === 'SMS' ? phoneRecipients(tx, asked) : mailRecipients(tx, asked, mailboxes));
  const page = new URL(`/monitor/alarm/${encodeURIComponent(alarms[0]?.id ?? '')}`, parts.publicUrl).href;
  for (const { address, language, isMailbox } of recipients) {
    const { title, text } = tell(spec, what, alarms, language, leftOut);
    const link = new URL(`/monitor/mute#${links.issue(id)}`, parts.publicUrl).href;
    const mute = sentence(alertWords.notices.mute, language, { link });
    const isBad = what === 'fired' || what === 'repeated';
    const ways = isMailbox
      ? unsubscribing(parts, mailboxes.token(organizationId, address), address, language)
      : undefined;
    const content = [text, isBad && type === 'Mail' && mute, ways?.line].filter(Boolean).join('\n\n');
    const args = { title, content, url: page, ...(ways && { unsubscribe: ways.unsubscribe }) };
    const channel = type === 'SMS' ? 'phone' : 'email';
    await queueNotice(tx, parts.secrets, { channel, address, language }, args, parts.clock.now());
  }
}

/** A link for people, and an address for mail programs (RFC 8058). */
function unsubscribing(
  { publicUrl }: Pick<OpenAlertsParts, 'publicUrl'>,
  token: string,
  address: string,
  language: Language,
): { line: string; unsubscribe: string } {
  const link = new URL(`/monitor/unsubscribe#${token}`, publicUrl).href;
  return {
    line: sentence(alertWords.notices.unsubscribe, language, { address, link }),
    unsubscribe: new URL(`/api/monitor/v1/alert/unsubscribe/${token}`, publicUrl).href,
  };
}

function openMailboxes({ db, clock, secrets, linkKey, mails }: OpenAlertsParts): Mailboxes {
  return new Mailboxes({
    ...{ db, clock, key: linkKey },
    count: (key, limit, now) => count(db.sql, key, limit, now),
    newCode: (tx, key, now) => newCode(tx, secrets, 'mailbox', key, now),
    proves: (key, code, now) => proveAddress(db.sql, secrets, 'mailbox', key, code, now),
    async mailCode(tx, { address, language }, { organization, code }) {
      if (!mails.can('email')) throw problem('cannot_send', { type: 'email' });
      const args = { organization, code };
      const mail = {
        channel: 'email',
        address,
        template: 'mailboxCode',
        language,
        args,
        lifeMs: CODE_LIFE_MS,
      } as const;
      await queueMail(tx, secrets, mail, clock.now());
    },
    wake: () => mails.wake(),
  });
}

/** Those that its channels name, in lower case. */
function mailAddresses({ spec, metadata }: AlertPolicy): { organizationId: string; address: string }[] {
  const organizationId = organizationOf(metadata.namespace ?? '') ?? '';
  return spec.channels.flatMap(({ type, to }) =>
    type === 'Mail' && to !== undefined ? [{ organizationId, address: to.toLowerCase() }] : [],
  );
}

/** Redirects are not followed, and what a name resolves to is where the connection goes. */
async function post(
  { clock, db, allowInner }: Pick<OpenAlertsParts, 'clock' | 'db' | 'allowInner'>,
  contacts: Contacts,
  { id, organizationId, to = '', type, what, alarms, leftOut, policy }: Delivery,
): Promise<void> {
  const contact = await contacts.read(organizationId, to);
  if (!contact || contact.type !== type) throw new NotDelivered('noContact', { name: to }, true);
  const now = clock.now();
  const { creator, language = await languageOf(db.sql, { organizationId, creator }) } = policy.spec;
  const told = tell(policy.spec, what, alarms, language, leftOut);
  const { url, body } = outgoing(contact, { id, what, told, alarms, now });
  const answer = await signedPost({ url, key: contact.key, allowInner }, body, now).catch((error: unknown) => {
    const { code = '' } = error as { code?: string };
    if (code === 'EINNER') throw new NotDelivered('innerAddress', { host: new URL(url).hostname }, true);
    const [, status] = /^HTTP (\d+)$/.exec(code) ?? [];
    if (status === undefined) throw new NotDelivered('unreachable');
    throw status.startsWith('3') ? new NotDelivered('redirected') : new NotDelivered('answered', { status });
  });
  const refusal = refusalIn(type, answer);
  if (refusal !== undefined) throw new NotDelivered('refused', { detail: refusal });
}

interface RouteRooms {
  objects: Objects;
  alarms: Alarms;
  contacts: Contacts;
  links: MuteLinks;
  mailboxes: Mailboxes;
}

function routeParts(
  parts: OpenAlertsParts,
  { objects, alarms, contacts, links, mailboxes }: RouteRooms,
): AlertRouteParts {
  const { clock, cluster, db } = parts;
  const trials = new FairQueue(TRIALS);
  const trial = async <T>(lane: string, signal: AbortSignal, run: () => Promise<T>): Promise<T> => {
    let done: T | undefined;
    const work = {
      ...{ key: randomUUID(), lane, signal },
      run: async () => {
        done = await run();
      },
    };
    await besides(trials.put(work));
    return done as T;
  };
  return {
    alarms,
    contacts,
    mailboxes,
    now: () => clock.now(),
    contentOf: (row, language) => {
      const policy = objects.byUid().get(row.policyUid);
      return tell({ content: policy?.spec.content }, 'fired', [objects.told(row.organizationId, row)], language).text;
    },
    async setStatus(caller, id, { status, minutes }, language) {
      const { namespace, role } = caller.organization;
      const writer: Writer = { namespace, role, language, account: caller.account.id };
      const change =
        status === 'blocking'
          ? { mutedUntil: rfc3339(clock.now() + minutes * 60_000) }
          : status === 'disabled'
            ? { state: 'Disabled' }
            : { state: 'Enabled', mutedUntil: null };
      await cluster.kinds.change(alertPolicy, writer, id, change);
    },
    async changes({ organization }, id, asked) {
      const policy = cluster.cache.get<AlertPolicy>(alertPolicy, organization.namespace, id);
      if (!policy) throw problem('not_found', { what: id });
      const since = new Date(instantOf(policy.metadata.creationTimestamp) ?? 0);
      return policyChanges(db, { organizationId: organization.id, id, since }, asked);
    },
    preview(spec, language) {
      const sample: ToldAlarm = {
        id: 'alm-00000000',
        title: (spec as { displayName?: string }).displayName ?? '',
        kind: spec.objects.kind,
        object: spec.objects.names?.[0] ?? 'ins-00000000',
        labels: Object.fromEntries((spec.groupBy ?? []).map((label) => [label, '0'])),
        metric: spec.metric ?? 'PromQL',
        level: ruleLevel(spec.rules[0] ?? {}),
        value: spec.rules[0]?.value ?? null,
        firstAbnormalAt: new Date(clock.now()),
      };
      return { fired: tell(spec, 'fired', [sample], language), resolved: tell(spec, 'resolved', [sample], language) };
    },
    async test(namespace, spec, signal) {
      const policy = { ...draftOf(namespace, spec) };
      const period = spec.periodSeconds * 1000;
      const stepMs = period * Math.ceil(WEEK_MS / period / MOST_CYCLES);
      const end = Math.floor(clock.now() / period) * period;
      const start = end - Math.floor(WEEK_MS / stepMs) * stepMs;
      return trial(namespace, signal, async () => {
        const values = await pastOf(parts, objects, policy, { start, end, stepMs }, signal);
        const replayed = await besides(aside.run(REPLAY, [policy, values, start, stepMs], { lane: namespace }));
        return { start, end, ...replayed };
      });
    },
    async query({ organization }, row, { start, end, step }, signal) {
      const policy = objects.byUid().get(row.policyUid);
      if (!policy || policy.metadata.namespace !== organization.namespace)
        throw problem('not_found', { what: row.policy });
      if (end <= start || (end - start) / step > MOST_POINTS)
        throw problem('monitor_window', { points: MOST_POINTS, days: MOST_DAYS });
      const range = { start: start * 1000, end: end * 1000, stepMs: step * 1000 };
      const steps = Math.floor((end - start) / step) + 1;
      const key = keyOf(row.object ?? undefined, row.labels);
      const values = await trial(organization.namespace, signal, async () => {
        const { now } = await pastOf(parts, objects, policy, range, signal, ['now']);
        return besides(aside.run(VALUES_OF, [policy, now, key], { lane: organization.namespace }));
      });
      return Array.from({ length: steps }, (_, at): [number, number | null] => [start + at * step, values[at] ?? null]);
    },
    async mute(token, confirm) {
      const { notice, policyUid, isUsed } = await links.read(token);
      const policy = objects.byUid().get(policyUid);
      if (!policy) throw problem('link_invalid');
      const { metadata, spec } = policy;
      const organizationId = organizationOf(metadata.namespace ?? '') ?? '';
      const about = { organizationId, id: metadata.name, policy: spec.displayName ?? metadata.name };
      const known = instantOf(spec.mutedUntil);
      if (!confirm || isUsed)
        return {
          ...about,
          mutedUntil: known !== undefined && known > clock.now() ? known : undefined,
          hasMuted: false,
        };
      const mutedUntil = Math.floor((clock.now() + MUTE_MS) / 1000) * 1000;
      const account = await actorOf(db.sql, { organizationId, creator: spec.creator });
      const writer: Writer = { namespace: metadata.namespace ?? '', account, language: 'en', role: 'owner' };
      await cluster.kinds.change(alertPolicy, writer, metadata.name, { mutedUntil: rfc3339(mutedUntil) });
      // Afterwards: a link that muted nothing can be tried again, and one that did cannot undo what somebody does later.
      await links.use(notice);
      return { ...about, mutedUntil, hasMuted: true };
    },
  };
}

/** What was too much for a thread, or waits behind too much, is too much for a page. */
const besides = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof TooMuchWork || error instanceof QueueFull
      ? problem('monitor_too_much', {}, { cause: error })
      : error;
  });

type Refused = { refused: string; problem: [ProblemCode, { at: number }] };

/** What a tenant wrote, confined to its namespace; or why not. */
function scoped(query: string, namespace: string): { query: string } | Refused {
  const answer = scopeQuery(query, namespace);
  if ('query' in answer) return answer;
  const why: Refused['problem'] = [`monitor_query_${answer.refused}`, { at: answer.at + 1 }];
  return { refused: problemSentence(why[0], 'en', why[1]), problem: why };
}

const draftOf = (namespace: string, spec: AlertPolicySpec): AlertPolicy => ({
  apiVersion: 'gantry.dev/v1alpha1',
  kind: alertPolicy.kind,
  metadata: { name: 'draft', namespace },
  spec,
});

/** A policy's series in the past. Throws policy_not_testable, query_refused, metrics_away. */
async function pastOf(
  { metrics }: Pick<OpenAlertsParts, 'metrics'>,
  objects: Objects,
  policy: AlertPolicy,
  range: { start: number; end: number; stepMs: number },
  signal: AbortSignal,
  agos: readonly Ago[] = AGOS,
): Promise<PastValues> {
  const { namespace = '' } = policy.metadata;
  const { rules, periodSeconds } = policy.spec;
  const shape = shapeOf(policy);
  if (!metrics) throw problem('monitor_off');
  if (!shape.own && !shape.queryAt) throw problem('policy_not_testable');
  const limits = { ...PAST_LIMITS, signal, lane: namespace };
  const wanted = { now: true, period: needsBefore(rules), week: needsLastWeek(rules) };
  const past = async (ago: Ago): Promise<readonly Past[]> => {
    if (!wanted[ago] || !agos.includes(ago)) return [];
    if (shape.queryAt) {
      const { series } = await metrics.past(shape.queryAt([namespace], ago), range, limits);
      return series.flatMap((one) => {
        const object = objects.of(one.labels);
        return object ? [{ ...one, object }] : [];
      });
    }
    const own = scoped(shape.own?.query ?? '', namespace);
    if ('refused' in own) throw problem(...own.problem, { field: 'query' });
    const back = ago === 'now' ? 0 : ago === 'week' ? WEEK_MS : periodSeconds * 1000;
    const { start, end, stepMs } = range;
    const window = { start: start - back, end: end - back, stepMs };
    const { series } = await metrics.past(own.query, window, limits);
    return series;
  };
  try {
    const [now = [], period = [], week = []] = await Promise.all(AGOS.map(past));
    return { now, period, week };
  } catch (error) {
    throw problemOf(error);
  }
}
