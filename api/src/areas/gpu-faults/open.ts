// Joins what failed GPUs need: the nodes that report them, what runs there, prices, credits, and people's messages.
import { podKey } from '@gantry/contract/gpu-conditions.ts';
import { organizationNamespace } from '@gantry/contract/names.ts';
import type { Node, Pod } from '@gantry/kube/core-objects.ts';
import { EventReader } from '../../core/kinds/staff/events.ts';
import { StaffNodes } from '../../core/kinds/staff/staff-nodes.ts';
import type { Core } from '../../core/open.ts';
import { Turn, together } from '../../platform/db/turn.ts';
import { NODE, POD } from '../../platform/kube/resources.ts';
import type { Platform } from '../../platform/open.ts';
import { affectedAtEachLook, endOfRun, faultyNodes } from './affected-by-faults.ts';
import { FaultWatch } from './fault-watch.ts';
import { payersNotice } from './notices.ts';
import { takingOut } from './take-out-node.ts';
import { XidWatch } from './xid-watch.ts';

/** One question is about all cards. */
const ASK_LIMITS = { deadlineMs: 5_000, mostSeries: 200_000, mostBytes: 128 * 1024 * 1024 };

/** Runs on one gateway at a time. Returns how to stop it. */
export function startGpuFaults(
  platform: Pick<Platform, 'config' | 'db' | 'clock' | 'log' | 'audit' | 'prometheus'>,
  { cluster, billing, notify }: Pick<Core, 'cluster' | 'billing' | 'notify'>,
): () => Promise<void> {
  const { config, db, clock, log, audit, prometheus } = platform;
  const found = (kind: string, organizationId: string, name: string) =>
    cluster.billed.get({ kind, namespace: organizationNamespace(organizationId), name });
  const watch = new FaultWatch({
    db,
    clock,
    log,
    affected: affectedAtEachLook(cluster, billing.priceOf),
    faulty: () => faultyNodes(cluster),
    ranUntil({ uid, kind, organizationId, name }, from) {
      const one = found(kind, organizationId, name);
      return one?.uid === uid ? endOfRun(one.object.status?.intervals ?? [], from) : Number.POSITIVE_INFINITY;
    },
    takeOut: takingOut(audit, cluster, config.gpuFaultsDrain),
    grant: (grant) => billing.wallets.grant(grant),
    tell: (tx, notice) =>
      notify(tx, payersNotice(notice, found(notice.kind, notice.organizationId, notice.name)?.facts.plural)),
  });
  const turn = new Turn({ db, clock, log }, 'gpu-faults');
  const nodes = new StaffNodes({ ...cluster, events: new EventReader(cluster.client) });
  const { reader } = cluster.cache;
  const xids =
    prometheus &&
    new XidWatch({
      clock,
      log,
      ask: (query, at, signal) => prometheus.instant(query, at, { ...ASK_LIMITS, signal }),
      nodes: () => reader.list(NODE) as readonly Node[],
      podsOn: (node) => new Set((reader.by(POD, 'node', node) as readonly Pod[]).map(podKey)),
      mark: (node, faults) => nodes.markGpus(node, faults),
    });
  turn.start((signal) =>
    together(signal, [(within) => watch.run(within), ...(xids ? [(within: AbortSignal) => xids.run(within)] : [])]),
  );
  return () => turn.stop();
}
