// The alarms that a policy would have raised in the last week, and the values behind an alarm: Prometheus' past through the same rules. A
// few at once, and the counting on a thread of its own, so that a heavy one stops nobody.
import { randomUUID } from 'node:crypto';
import { problem } from '@gantry/contract/http/problem.ts';
import { type AlertPolicy, type AlertPolicySpec, alertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import { aside, TooMuchWork, taskIn } from '../../platform/aside/aside.ts';
import { FairQueue, QueueFull } from '../../platform/fair-queue.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Platform } from '../../platform/open.ts';
import { problemOf } from '../../platform/prometheus/problem-of.ts';
import type { AlarmRow } from './alarms.ts';
import { keyOf } from './group.ts';
import { needsBefore, needsLastWeek } from './judge.ts';
import type { Past, PastValues, Replayed, replay, valuesOf } from './replay.ts';
import { scopeOwnQuery } from './scope-own-query.ts';
import { type Ago, shapeOf } from './shape.ts';
import type { WatchedObjects } from './watched-objects.ts';

const MIB = 1024 * 1024;
/** Limits of queries about the past: a million points are a week of 124 series at 75 seconds. */
const PAST_LIMITS = { deadlineMs: 5_000, mostSeries: 1_000, mostPoints: 1_000_000, mostBytes: 24 * MIB };
/** Trials under way, in one gateway: what Prometheus has answered is in memory. */
const TRIALS = { atOnce: 4, ofOneLane: 1, mostOfLane: 16, most: 256 };
const WEEK_MS = 7 * 86_400_000;
const MOST_CYCLES = 10_000;
const MOST_POINTS = 1_500;
const MOST_DAYS = 365;
const REPLAYING = new URL('replay.ts', import.meta.url);
const REPLAY = taskIn<typeof replay>(REPLAYING, 'replay');
const VALUES_OF = taskIn<typeof valuesOf>(REPLAYING, 'valuesOf');
const AGOS: readonly Ago[] = ['now', 'period', 'week'];

export class PolicyPast {
  readonly #platform: Pick<Platform, 'clock' | 'prometheus'>;
  readonly #objects: WatchedObjects;
  readonly #trials = new FairQueue(TRIALS);

  constructor(platform: Pick<Platform, 'clock' | 'prometheus'>, objects: WatchedObjects) {
    this.#platform = platform;
    this.#objects = objects;
  }

  /** A draft over the last week. */
  async test(
    namespace: string,
    spec: AlertPolicySpec,
    signal: AbortSignal,
  ): Promise<Replayed & { start: number; end: number }> {
    const policy = { ...draftOf(namespace, spec) };
    const period = spec.periodSeconds * 1000;
    const stepMs = period * Math.ceil(WEEK_MS / period / MOST_CYCLES);
    const end = Math.floor(this.#platform.clock.now() / period) * period;
    const start = end - Math.floor(WEEK_MS / stepMs) * stepMs;
    return this.#trial(namespace, signal, async () => {
      const values = await this.#pastOf(policy, { start, end, stepMs }, signal);
      const replayed = await besides(aside.run(REPLAY, [policy, values, start, stepMs], { lane: namespace }));
      return { start, end, ...replayed };
    });
  }

  /** The values of an alarm's series; in seconds since 1970. Throws not_found, monitor_window. */
  async query(
    { organization }: Caller,
    row: AlarmRow,
    { start, end, step }: { start: number; end: number; step: number },
    signal: AbortSignal,
  ): Promise<[number, number | null][]> {
    const policy = this.#objects.byUid().get(row.policyUid);
    if (!policy || policy.metadata.namespace !== organization.namespace)
      throw problem('not_found', { what: row.policy });
    if (end <= start || (end - start) / step > MOST_POINTS)
      throw problem('monitor_window', { points: MOST_POINTS, days: MOST_DAYS });
    const range = { start: start * 1000, end: end * 1000, stepMs: step * 1000 };
    const steps = Math.floor((end - start) / step) + 1;
    const key = keyOf(row.object ?? undefined, row.labels);
    const values = await this.#trial(organization.namespace, signal, async () => {
      const { now } = await this.#pastOf(policy, range, signal, ['now']);
      return besides(aside.run(VALUES_OF, [policy, now, key], { lane: organization.namespace }));
    });
    return Array.from({ length: steps }, (_, at): [number, number | null] => [start + at * step, values[at] ?? null]);
  }

  async #trial<T>(lane: string, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
    let done: T | undefined;
    const work = {
      ...{ key: randomUUID(), lane, signal },
      run: async () => {
        done = await run();
      },
    };
    await besides(this.#trials.put(work));
    return done as T;
  }

  /** A policy's series in the past. Throws policy_not_testable, query_refused, metrics_away. */
  async #pastOf(
    policy: AlertPolicy,
    range: { start: number; end: number; stepMs: number },
    signal: AbortSignal,
    agos: readonly Ago[] = AGOS,
  ): Promise<PastValues> {
    const { namespace = '' } = policy.metadata;
    const { rules, periodSeconds } = policy.spec;
    const shape = shapeOf(policy);
    const metrics = this.#platform.prometheus;
    if (!metrics) throw problem('monitor_off');
    if (!shape.own && !shape.queryAt) throw problem('policy_not_testable');
    const limits = { ...PAST_LIMITS, signal, lane: namespace };
    const wanted = { now: true, period: needsBefore(rules), week: needsLastWeek(rules) };
    const past = async (ago: Ago): Promise<readonly Past[]> => {
      if (!wanted[ago] || !agos.includes(ago)) return [];
      if (shape.queryAt) {
        const { series } = await metrics.past(shape.queryAt([namespace], ago), range, limits);
        return series.flatMap((one) => {
          const object = this.#objects.of(one.labels);
          return object ? [{ ...one, object }] : [];
        });
      }
      const own = scopeOwnQuery(shape.own?.query ?? '', namespace);
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
}

/** Work that is too much for a thread, or waits behind too much, is too much for a page. */
const besides = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof TooMuchWork || error instanceof QueueFull
      ? problem('monitor_too_much', {}, { cause: error })
      : error;
  });

const draftOf = (namespace: string, spec: AlertPolicySpec): AlertPolicy => ({
  apiVersion: 'gantry.dev/v1alpha1',
  kind: alertPolicy.kind,
  metadata: { name: 'draft', namespace },
  spec,
});
