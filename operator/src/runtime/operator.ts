// Joins the parts: caches over all controllers' resources, a queue and a reconciler for each controller, one leader.
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { isConflict } from '@gantry/kube/api-error.ts';
import { Caches } from '@gantry/kube/caches.ts';
import { type KubeClient, ResourceNames } from '@gantry/kube/client.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { InformerLimits } from '@gantry/kube/informer.ts';
import { keyText } from '@gantry/kube/object-key.ts';
import type { Key, Resource } from '@gantry/kube/resource.ts';
import { resourceOf } from '@gantry/kube/resource.ts';
import type { Change } from '@gantry/kube/store.ts';
import type { Logger } from 'pino';
import type { AnyClusterPlan, AnyController, Read, Reads } from '../define-controller.ts';
import { NODE, POD } from '../resources.ts';
import { ClusterPlanKeeper } from './cluster-plan.ts';
import { EventRecorder } from './event-recorder.ts';
import { LastResort } from './last-resort.ts';
import { Leader } from './leader.ts';
import type { Metrics, ReconcileResult } from './metrics.ts';
import { PRIORITIES, type Priority, WorkQueue } from './queue.ts';
import { PlanFailed, Reconciler, Refused, Slowed, sourceOf } from './reconcile.ts';
import { NotLeading, StatusRefused } from './turn.ts';
import { WriteLimit } from './write-limit.ts';

export interface OperatorParts {
  controllers: readonly AnyController[];
  clusterPlans?: readonly AnyClusterPlan[];
  /** API groups that the cluster does not have. What belongs to them is not followed, and no plan sees any. */
  unserved?: readonly string[];
  settings: unknown;
  client: KubeClient;
  clock: Clock;
  /** Labels of every object of the controllers' kinds. */
  labels?: Readonly<Record<string, string>>;
  log: Logger;
  metrics: Metrics;
  /** Keys of one kind worked on at once. */
  workers: number;
  /** Absent: lead without asking. */
  lease?: { namespace: string; name: string; version?: string };
  /** Every object is planned again this often, a few each second. */
  resyncMs: number;
  informerLimits?: InformerLimits;
}

/** Between two slices of a resync. */
const SLICE_MS = 1000;
/** How often to look for Pods that may no longer run. */
const OVERDUE_LOOK_MS = 5000;
/** Running reconciles may take this long to end when the operator stops. */
const STOP_MS = 5000;

interface Station {
  kind: string;
  resource: Resource;
  queue: WorkQueue;
  limit: WriteLimit;
  lastResort: LastResort;
}

/** Wakes the objects that a change of this resource concerns. */
export interface Waker {
  of: Resource;
  wake(change: Change, source: unknown): void;
}

export class Operator {
  /** Resolves when another operator has taken the Lease: this process must end. */
  readonly lost: Promise<void>;
  /** Called on every change of their resources, by the starter of this operator. */
  readonly wakers: readonly Waker[];
  readonly #parts: OperatorParts;
  readonly #stop = new AbortController();
  /** Leads on while the last writes end: the Lease is given up after them. */
  readonly #stopLeading = new AbortController();
  readonly #caches: Caches;
  readonly #events: EventRecorder;
  readonly #leader: Leader | undefined;
  readonly #stations: readonly Station[];
  readonly #keepers: readonly ClusterPlanKeeper[];
  #markLost: () => void = () => {};
  #callOffResync: () => void = () => {};
  #callOffLook: () => void = () => {};

  constructor(parts: OperatorParts) {
    this.#parts = parts;
    const { controllers, clusterPlans = [], client, clock, log, metrics, lease } = parts;
    const identity = `${hostname()}_${process.pid}_${randomBytes(4).toString('hex')}`;
    this.lost = new Promise((resolve) => {
      this.#markLost = resolve;
    });
    const owners = controllers.map(({ facts }) => resourceOf(facts));
    const reads = controllers.flatMap((controller) => Object.values(controller.reads as Reads));
    const ended = controllers.some(({ overdue }) => overdue) ? [POD, NODE] : [];
    const followed = [
      ...reads.flatMap(({ of, also = [] }) => [of, ...also]),
      ...clusterPlans.flatMap(({ reads: of }) => of),
    ];
    this.#caches = new Caches([...owners, ...ended, ...followed], {
      client,
      clock,
      report: {
        failed(kind, error) {
          metrics.informerFailures.inc({ kind });
          log.warn({ kind, err: error }, 'the watch failed; it starts again');
        },
        stumbled(kind, error) {
          metrics.informerFailures.inc({ kind });
          log.error({ kind, err: error }, 'a change of an object was not understood');
        },
        corrected(kind, count) {
          metrics.informerCorrections.inc({ kind }, count);
          log.info({ kind, count }, 'a check corrected the cache');
        },
      },
      ...(parts.informerLimits && { limits: parts.informerLimits }),
      ...(parts.unserved && { unserved: parts.unserved }),
    });
    this.#events = new EventRecorder({
      client,
      clock,
      instance: identity,
      kinds: controllers.map(({ facts }) => facts),
      count: (result) => metrics.events.inc({ result }),
    });
    this.#leader =
      lease &&
      new Leader({
        client,
        clock,
        ...lease,
        identity,
        onFault: (err) => log.warn({ err }, 'the Lease was not renewed'),
      });
    const names = new ResourceNames(
      client,
      this.#caches.informers.map(({ resource }) => resource),
    );
    const wakers: Waker[] = [];
    this.#stations = controllers.map((controller, at) =>
      this.#station(controller, owners[at] as Resource, names, wakers),
    );
    const unserved = new Set(parts.unserved);
    this.wakers = wakers.filter(({ of }) => !unserved.has(of.group));
    this.#keepers = clusterPlans.map(
      (plan) =>
        new ClusterPlanKeeper({
          plan,
          caches: this.#caches,
          client,
          names,
          clock,
          settings: parts.settings,
          mayWrite: () => this.leads(),
          failed: (err) => log.warn({ plan: plan.name, err }, 'a cluster plan was not carried out; it is tried again'),
        }),
    );
    this.#measure();
  }

  /** Kinds that have not been listed yet. */
  missing(): readonly string[] {
    return this.#caches.informers.filter(({ filled }) => !filled).map(({ resource }) => resource.plural);
  }

  /** Leadership is sure, or was never asked for. */
  leads(): boolean {
    return this.#leader?.surelyHeld() ?? true;
  }

  /** Calls back on every change of a resource that a waker names. To be asked for before the start. */
  onChange(resource: Resource, listener: Waker['wake']): void {
    this.#caches.onChange(resource, listener);
  }

  /** Resolves once this operator leads and works; a standby waits here. */
  async start(): Promise<void> {
    const { log } = this.#parts;
    await this.#caches.start(this.#stop.signal);
    if (this.#stop.signal.aborted) return;
    log.info({ objects: this.#caches.informers.reduce((sum, { store }) => sum + store.size, 0) }, 'caches are filled');
    // Not sooner: who could not work yet would hold up those who can.
    await this.#leader?.acquire(this.#stop.signal);
    if (this.#stop.signal.aborted) return;
    log.info('leading');
    void this.#leader?.hold(this.#stopLeading.signal).then((end) => {
      if (end === 'lost') this.#markLost();
    });
    for (const { queue } of this.#stations) queue.open();
    // Changes while another process led were not noted.
    this.resync('changed');
    this.#resyncInSlices();
    this.#lookForOverdue();
    for (const keeper of this.#keepers) keeper.start();
  }

  /** Plans every object again. */
  resync(priority: Priority = 'resync'): void {
    for (const { resource, queue } of this.#stations) {
      for (const { metadata } of this.#caches.list(resource))
        queue.add(keyText(metadata.namespace, metadata.name), priority);
    }
  }

  /** Ends running work, then releases the Lease. Safe to call at any time. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#callOffResync();
    this.#callOffLook();
    await Promise.all([
      ...this.#stations.map(({ queue }) => queue.close(STOP_MS)),
      ...this.#keepers.map((keeper) => keeper.stop(STOP_MS)),
    ]);
    this.#events.close();
    this.#stopLeading.abort();
    await this.#leader?.release();
  }

  #station(controller: AnyController, resource: Resource, names: ResourceNames, wakers: Waker[]): Station {
    const { client, clock, log, metrics, settings, workers } = this.#parts;
    const { kind } = controller.facts;
    const limit = new WriteLimit();
    const lastResort = new LastResort({
      controller,
      resource,
      caches: this.#caches,
      client,
      clock,
      settings,
      mayWrite: () => this.leads(),
      ended({ metadata: { namespace, name } }, pod, why) {
        metrics.lastResortEnds.inc({ kind, why });
        log.error({ kind, key: keyText(namespace, name), pod: pod.metadata.name, why }, 'ended past its plan');
      },
      failed: (_owner, err) => log.warn({ kind, err }, 'could not end a Pod past its plan; it is tried again'),
    });
    const reconciler = new Reconciler({
      limit,
      lastResort,
      controller,
      resource,
      caches: this.#caches,
      client,
      names,
      events: this.#events,
      clock,
      settings,
      ...(this.#parts.labels && { labels: this.#parts.labels }),
      writes: controller.writes,
      mayWrite: () => this.leads(),
    });
    let runs = 0;
    const work = async (key: string): Promise<number | undefined> => {
      const run = ++runs;
      const began = clock.monotonic();
      let result: ReconcileResult = 'settled';
      try {
        return await reconciler.reconcile(key);
      } catch (error) {
        result = resultOf(error);
        // A stack trace adds nothing to an answer of the API server.
        const why = result === 'error' || result === 'failed' ? { err: error } : { why: (error as Error).message };
        log[LEVEL[result]]({ kind, key, run, result, ...why }, 'the reconcile ended early; it is tried again');
        throw error;
      } finally {
        metrics.reconcile.observe({ kind, result }, (clock.monotonic() - began) / 1000);
      }
    };
    const onTaken = (waitedMs: number) => metrics.queueWait.observe({ kind }, waitedMs / 1000);
    const queue = new WorkQueue({ work, workers, clock, onTaken });
    const wakesItself: Read<KubeObject, undefined, unknown> = {
      of: resource,
      find: () => undefined,
      wakes: ({ before, after }) => keysOf(after ?? before),
    };
    for (const [read, { of, wakes }] of Object.entries({ wakesItself, ...(controller.reads as Reads) })) {
      if (!wakes) continue;
      const wake = (change: Change, source: unknown) => {
        try {
          for (const { namespace, name } of wakes(change, this.#caches, settings)) {
            const key = keyText(namespace, name);
            if (source !== sourceOf(resource, key)) queue.add(key);
          }
        } catch (err) {
          // One controller's mistake must not stop a watch that all of them share.
          log.error({ kind, read, err }, 'wakes failed; the next resync repairs what was missed');
        }
      };
      wakers.push({ of, wake });
    }
    return { kind, resource, queue, limit, lastResort };
  }

  /** A slice of all objects each second, so that a whole round takes `resyncMs` and no second is busy. */
  #resyncInSlices(slice = 0): void {
    const slices = Math.max(1, Math.round(this.#parts.resyncMs / SLICE_MS));
    for (const { resource, queue } of this.#stations) {
      this.#caches.list(resource).forEach(({ metadata }, at) => {
        if (at % slices === slice) queue.add(keyText(metadata.namespace, metadata.name), 'resync');
      });
    }
    this.#callOffResync = this.#parts.clock.after(SLICE_MS, () => this.#resyncInSlices((slice + 1) % slices));
  }

  /** Beside the queues: it has to work also where no plan does. */
  #lookForOverdue(): void {
    this.#callOffLook = this.#parts.clock.after(OVERDUE_LOOK_MS, () => {
      const { log } = this.#parts;
      const looks = this.#stations.map(({ kind, lastResort }) =>
        lastResort.look().catch((err: unknown) => log.error({ kind, err }, 'the look for overdue Pods failed')),
      );
      void Promise.all(looks).then(() => {
        if (!this.#stop.signal.aborted) this.#lookForOverdue();
      });
    });
  }

  #measure(): void {
    const { failing, slowed } = this.#parts.metrics;
    for (const [gauge, count] of [
      [failing, ({ lastResort }: Station) => lastResort.failing],
      [slowed, ({ limit }: Station) => limit.slowed],
    ] as const) {
      Object.assign(gauge, {
        collect: () => {
          for (const station of this.#stations) gauge.set({ kind: station.kind }, count(station));
        },
      });
    }
    const { queueDepth, cacheObjects, leading } = this.#parts.metrics;
    Object.assign(leading, { collect: () => leading.set(this.leads() ? 1 : 0) });
    Object.assign(queueDepth, {
      collect: () => {
        for (const { kind, queue } of this.#stations) {
          for (const priority of PRIORITIES) queueDepth.set({ kind, priority }, queue.depth(priority));
        }
      },
    });
    Object.assign(cacheObjects, {
      collect: () => {
        for (const { resource, store } of this.#caches.informers) cacheObjects.set({ kind: resource.kind }, store.size);
      },
    });
  }
}

const keysOf = (object: KubeObject | undefined): readonly Key[] => (object ? [object.metadata] : []);

const LEVEL = {
  settled: 'debug',
  refused: 'debug',
  conflict: 'debug',
  notLeading: 'debug',
  slowed: 'warn',
  failed: 'error',
  error: 'warn',
} as const;

function resultOf(error: unknown): ReconcileResult {
  if (error instanceof Refused) return 'refused';
  if (error instanceof NotLeading) return 'notLeading';
  if (error instanceof Slowed) return 'slowed';
  if (error instanceof PlanFailed || error instanceof StatusRefused) return 'failed';
  return isConflict(error) ? 'conflict' : 'error';
}
