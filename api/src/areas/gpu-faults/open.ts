// Joins what failed GPUs need: the nodes that report them, what runs there, prices, credits, and people's messages.
import { instantOf } from '@gantry/contract/fields/date-time.ts';
import type { Interval } from '@gantry/contract/fields/metering.ts';
import { affects, gpuFaultsOf, podKey } from '@gantry/contract/gpu-conditions.ts';
import { LABEL, organizationNamespace } from '@gantry/contract/names.ts';
import { PAYERS } from '@gantry/contract/roles.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Node, Pod } from '@gantry/kube/core-objects.ts';
import type { Logger } from 'pino';
import { openIntervals } from '../../core/billing/gate/decide.ts';
import type { Wallets } from '../../core/billing/ledger/wallets.ts';
import { ratePerHour } from '../../core/billing/prices/rate.ts';
import type { Tariffs } from '../../core/billing/prices/tariffs.ts';
import { mailPayers } from '../../core/identity/organizations/mail-payers.ts';
import type { BilledObject } from '../../core/kinds/billed-objects.ts';
import type { Cluster } from '../../core/kinds/open-cluster.ts';
import { EventReader } from '../../core/kinds/staff/events.ts';
import { StaffNodes } from '../../core/kinds/staff/staff-nodes.ts';
import type { AuditEntry } from '../../platform/audit/entry.ts';
import type { Database } from '../../platform/db/open.ts';
import { Turn, together } from '../../platform/db/turn.ts';
import { NODE, POD } from '../../platform/kube/resources.ts';
import type { MessageStore } from '../../platform/messages/message-store.ts';
import type { Prometheus } from '../../platform/prometheus/prometheus.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { type Affected, FaultWatch, type FaultyNode } from './fault-watch.ts';
import { NOTICES } from './notices.ts';
import { XidWatch, type XidWatchParts } from './xid-watch.ts';

export interface OpenGpuFaultsParts {
  db: Database;
  clock: Clock;
  log: Logger;
  cluster: Pick<Cluster, 'billed' | 'cache' | 'client'>;
  tariffs: Pick<Tariffs, 'of'>;
  wallets: Pick<Wallets, 'grant'>;
  messages: Pick<MessageStore, 'send'>;
  secrets: Secrets;
  publicUrl: string;
  /** Absent: there is no Prometheus, and other tools say which GPUs have failed. */
  metrics: Pick<Prometheus, 'instant'> | undefined;
  /** What becomes of a node with a fatal error. */
  drain: 'off' | 'cordon' | 'drain';
  audit(entry: AuditEntry): Promise<void>;
}

/** Runs on one gateway at a time. Returns how to stop it. */
export function startGpuFaults(parts: OpenGpuFaultsParts): () => Promise<void> {
  const { db, clock, log, cluster, tariffs, wallets, messages, secrets, publicUrl, metrics } = parts;
  const watch = new FaultWatch({
    db,
    clock,
    log,
    affected: affectedAtEachLook(cluster, tariffs),
    faulty: () => faultyNodes(cluster),
    ranUntil({ uid, kind, organizationId, name }, from) {
      const one = cluster.billed.get({ kind, namespace: organizationNamespace(organizationId), name });
      return one?.uid === uid ? endOfRun(one.object.status?.intervals ?? [], from) : Number.POSITIVE_INFINITY;
    },
    takeOut: takingOut(parts),
    grant: (grant) => wallets.grant(grant),
    async tell(tx, { organizationId, creator, key, what, args, kind, name }) {
      const plural = cluster.billed.get({ kind, namespace: organizationNamespace(organizationId), name })?.facts.plural;
      const object = plural === undefined ? undefined : { kind: plural, id: name };
      const notice = { key, ...NOTICES[what], args: { ...args }, ...(object && { object }) };
      const also = creator === undefined ? {} : { also: creator };
      const isNews = await messages.send(notice, { organization: organizationId, roles: PAYERS, ...also }, tx);
      if (isNews) await mailPayers({ secrets, clock, publicUrl }, tx, organizationId, notice, { ...also, page: '/' });
    },
  });
  const turn = new Turn({ db, clock, log }, 'gpu-faults');
  const xids = metrics && new XidWatch(xidParts({ clock, log, cluster, metrics }));
  turn.start((signal) =>
    together(signal, [(within) => watch.run(within), ...(xids ? [(within: AbortSignal) => xids.run(within)] : [])]),
  );
  return () => turn.stop();
}

/** One question is about all cards. */
const ASK_LIMITS = { deadlineMs: 5_000, mostSeries: 200_000, mostBytes: 128 * 1024 * 1024 };

function xidParts({
  clock,
  log,
  cluster,
  metrics,
}: Pick<OpenGpuFaultsParts, 'clock' | 'log' | 'cluster'> & { metrics: Pick<Prometheus, 'instant'> }): XidWatchParts {
  const nodes = new StaffNodes({ ...cluster, events: new EventReader(cluster.client) });
  const { reader } = cluster.cache;
  return {
    clock,
    log,
    ask: (query, at, signal) => metrics.instant(query, at, { ...ASK_LIMITS, signal }),
    nodes: () => reader.list(NODE) as readonly Node[],
    podsOn: (node) => new Set((reader.by(POD, 'node', node) as readonly Pod[]).map(podKey)),
    mark: (node, faults) => nodes.markGpus(node, faults),
  };
}

/** What the policy does with a node; undefined where it does nothing. What was done is in the audit log, and nothing else. */
export function takingOut({
  cluster,
  drain,
  audit,
}: Pick<OpenGpuFaultsParts, 'drain' | 'audit'> & { cluster: Pick<Cluster, 'cache' | 'client'> }):
  | ((node: FaultyNode) => Promise<void>)
  | undefined {
  if (drain === 'off') return undefined;
  const nodes = new StaffNodes({ ...cluster, events: new EventReader(cluster.client) });
  return async ({ node, since, detail }) => {
    const reason = `fatal GPU error: ${detail}`;
    const carryOut = async (action: 'cordon' | 'drain') => {
      // Its people were told of the fault, and what they lose by it is credited.
      const isDone = await nodes.act(node, { action, confirm: node, reason }, async () => {});
      if (isDone)
        await audit({
          ...BY_ITSELF,
          requestId: `gpu-fault/${node}/${since}`,
          action: ACTIONS[action],
          object: `Node/${node}`,
          reason,
        });
    };
    if (!nodes.row(node).cordoned) await carryOut('cordon');
    if (drain === 'drain') await carryOut('drain');
  };
}

const ACTIONS = { cordon: 'gpuFaultCordon', drain: 'gpuFaultDrain' };
const BY_ITSELF = { decision: 'allowed', status: 200, caller: undefined, ip: '', userAgent: undefined } as const;

const faultyNodes = ({ cache }: Pick<Cluster, 'cache'>): FaultyNode[] =>
  (cache.reader.list(NODE) as readonly Node[]).flatMap((node) => {
    // Of conditions the newest, as the operator counts; of cards each.
    const faults = gpuFaultsOf(node);
    const newest = faults.find(({ holders }) => holders === undefined);
    return faults
      .filter((fault) => fault.holders !== undefined || fault === newest)
      .map((fault) => ({ ...fault, node: node.metadata.name, since: Math.max(0, fault.since) }));
  });

/** Something of a tenant's with GPUs on a node, and its Pods there. */
interface Here {
  readonly one: BilledObject;
  readonly pods: readonly Pod[];
}

/**
 * What faults affect at each look. A job leaves a node within moments of its fault: at the first look after that, what ran there at
 * the look before is affected, too.
 */
export function affectedAtEachLook(
  cluster: Pick<Cluster, 'billed' | 'cache'>,
  tariffs: Pick<Tariffs, 'of'>,
): (now: number) => Affected[] {
  let before: ReadonlyMap<string, readonly Here[]> = new Map();
  let known: ReadonlySet<string> = new Set();
  const keyOf = ({ node, since, detail }: FaultyNode) => `${node} ${since} ${detail}`;
  return (now) => {
    const faulty = faultyNodes(cluster);
    const here = gpusByNode(cluster);
    const affected = faulty.flatMap((at) => {
      const left = known.has(keyOf(at)) ? [] : (before.get(at.node) ?? []);
      const ran = left.filter(({ one }) => !hasEndedBefore(at.since, one, cluster));
      const hit = [...ran, ...(here.get(at.node) ?? [])].filter(({ pods }) => pods.some((pod) => affects(at, pod)));
      const all = new Map(hit.map(({ one }) => [one.uid, one]));
      return [...all.values()].map((one) => affectedOf(one, at, tariffs, now));
    });
    before = here;
    known = new Set(faulty.map(keyOf));
    return affected;
  };
}

/** A run of several workers has several Pods, and is one. */
function gpusByNode({ billed, cache }: Pick<Cluster, 'billed' | 'cache'>): Map<string, Here[]> {
  const found = new Map<string, Here[]>();
  for (const pod of cache.reader.list(POD) as readonly Pod[]) {
    const { namespace = '', labels = {} } = pod.metadata;
    const { [LABEL.kind]: kind, [LABEL.name]: name } = labels;
    const node = pod.spec?.nodeName;
    if (node === undefined || kind === undefined || name === undefined) continue;
    const one = billed.get({ kind, namespace, name });
    if (!one || !usesOf(one).some(({ resource }) => resource.endsWith('gpu'))) continue;
    const there = found.get(node) ?? [];
    const others = there.filter((known) => known.one !== one);
    const pods = there.find((known) => known.one === one)?.pods ?? [];
    found.set(node, [...others, { one, pods: [...pods, pod] }]);
  }
  return found;
}

/** By itself, and not because of the fault. */
function hasEndedBefore(since: number, one: BilledObject, { billed }: Pick<Cluster, 'billed'>): boolean {
  const { metadata } = one.object;
  const now = billed.get({ kind: one.facts.kind, namespace: metadata.namespace ?? '', name: metadata.name });
  const ran = new Set(openIntervals(one).map(({ seq }) => seq));
  return (now?.object.status?.intervals ?? []).some(
    ({ seq, to }) => ran.has(seq) && (instantOf(to) ?? Number.POSITIVE_INFINITY) < since,
  );
}

function affectedOf(one: BilledObject, at: FaultyNode, tariffs: Pick<Tariffs, 'of'>, now: number): Affected {
  const { facts, object, uid, organizationId, region } = one;
  const { spec, metadata } = object as typeof object & { spec: { displayName?: string } };
  const tariff = { ...tariffs.of(organizationId), region };
  const uses = usesOf(one) as Parameters<typeof ratePerHour>[0];
  const began = Math.min(...openIntervals(one).map(({ from }) => instantOf(from) ?? now));
  return {
    ...{ ...at, uid, organizationId, kind: facts.kind, name: metadata.name },
    title: spec.displayName ?? metadata.name,
    creator: spec.creator,
    from: at.since === 0 ? now : Math.max(at.since, began),
    perHour: ratePerHour(uses, facts.cost.source, tariff, now).net,
    currency: tariff.currency,
  };
}

/** Intervals without a gap between them are one run. Infinite where none is of that instant: what is posted may be gone. */
export function endOfRun(intervals: readonly Pick<Interval, 'from' | 'to'>[], from: number): number {
  let end: number | undefined;
  for (const interval of intervals) {
    const began = instantOf(interval.from) ?? Number.POSITIVE_INFINITY;
    const to = instantOf(interval.to) ?? Number.POSITIVE_INFINITY;
    if (began <= (end ?? from) && to >= from) end = Math.max(end ?? from, to);
  }
  return end ?? Number.POSITIVE_INFINITY;
}

const usesOf = (one: BilledObject) => openIntervals(one).flatMap(({ uses }) => uses);
