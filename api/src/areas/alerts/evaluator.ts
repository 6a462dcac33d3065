// Evaluates all policies, each at every end of its period. Policies of equal shape are one query; what people wrote themselves is
// asked for each by itself, a few at a time, so that a slow one delays nobody. A query that fails changes nothing.
import { createHash } from 'node:crypto';
import type { AlertMetricName } from '@gantry/contract/alerts/metrics.ts';
import { ruleType } from '@gantry/contract/alerts/rule-types.ts';
import type { AlertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import { isUnavailable, sqlStateOf } from '../../platform/db/sqlstate.ts';
import { FairQueue } from '../../platform/fair-queue.ts';
import { type AlarmStore, type Change, type KnownSeries, nextOf } from './alarm-store.ts';
import { keyIn, keyOf, type Sample, type Series, samplesOf, seriesOf } from './group.ts';
import { hasValue, judge, needsBefore, needsLastWeek, watchesNoData } from './judge.ts';
import { countValues, type Life, outcomeOf, type Sight, sightOf, type WithValues } from './outcome.ts';
import { type Ago, type Shape, shapeOf } from './shape.ts';
import { FRESH, type Outcome, step } from './step.ts';

/** A series as Prometheus answers with it. */
export interface Answered {
  series: readonly { labels: Readonly<Record<string, string>>; value: number }[];
  /** Its own words where the answer is partial. */
  warnings: readonly string[];
}

export type Scoped = { query: string } | { refused: string };

/** The verdict of an evaluation, for the policy's status. */
export type Verdict =
  | { said: 'Evaluated' | 'NoData' | 'Incomplete' | 'PrometheusAway' | 'NoPrometheus' }
  | { said: 'QueryRefused' | 'QueryFails'; detail: string };

export interface EvaluatorParts {
  store: AlarmStore;
  clock: Clock;
  log: { warn(facts: object, text: string): void };
  /** Those that are to be evaluated: enabled, and valid still. The same array as long as none of them changes. */
  policies(): readonly { organizationId: string; policy: AlertPolicy }[];
  /** Whether a policy is still there and wanted; otherwise its alarms end. */
  exists(policyUid: string): boolean;
  /** Absent: there is no Prometheus. Rejects where it does not answer; with one of the names in `QUERY_FAULTS` where the query is at fault. `isOwn`: a person's query. */
  ask?(query: string, at: number, signal: AbortSignal, isOwn: boolean): Promise<Answered>;
  scope(query: string, namespace: string): Scoped;
  /** The object that a series belongs to, by its Pod. */
  objectOf(labels: Readonly<Record<string, string>>): Sample['object'];
  /** Values that the platform itself knows of these organisations: labels include `namespace`. */
  platform(metric: AlertMetricName, namespaces: readonly string[], now: number): Promise<readonly Sample[]>;
  /** The life of the object, or of the Pod that labels name; undefined: nothing is known to die with the series. */
  lifeOf(policy: AlertPolicy, of: Pick<KnownSeries, 'object' | 'labels'>): Life | undefined;
  /** Objects that the policy watches and that ought to have a value now. */
  due(policy: AlertPolicy): readonly string[];
  evaluated(policy: AlertPolicy, verdict: Verdict, firing: number, at: number): void;
}

const LOOK_MS = 1_000;
const SWEEP_MS = 3_600_000;
/** A query that was under way when its policy went leaves something behind it. */
const FORGET_MS = 15_000;
/** Cycles that a hand-over or a restart has missed are counted, up to so long ago. */
const MOST_CATCH_UP_MS = 10 * 60_000;
const OWN_AT_ONCE = 8;
const OWN_OF_ONE = 2;
/** Cycles of one policy that wait for SQL: as many as the shortest period has in the time of a catch-up. */
const MOST_OWED = MOST_CATCH_UP_MS / 15_000;
/** Changes that are one transaction, where no policy has more. */
const MOST_AT_ONCE = 500;

const QUERY_FAULTS: readonly string[] = ['QueryRefused', 'AnswerTooLarge'];

type Known = Map<string, KnownSeries>;
type Due = EvaluatorParts['policies'] extends () => readonly (infer One)[] ? One : never;
/** Policies that one question answers. */
interface Plan {
  shape: Shape;
  of: Due[];
}
type SeriesByKey = ReadonlyMap<string, Series>;
/** The measurement of a policy at the end of a period. */
interface Cycle {
  one: Due;
  at: number;
  isWhole: boolean;
  /** It was asked for in time: Prometheus may have measured nothing in a cycle that is caught up with. */
  isInTime: boolean;
  now: SeriesByKey;
  before: SeriesByKey;
  week: SeriesByKey;
}
interface Planned {
  cycle: Cycle;
  of: Due;
  changes: readonly Change[];
}
/** `undefined`: not asked for. */
interface Values {
  samples: Readonly<Record<Ago, readonly Sample[] | undefined>>;
  isWhole: boolean;
}

export class Evaluator {
  readonly #parts: EvaluatorParts;
  #known = new Map<string, Known>();
  #planned: { of: readonly Due[]; byPeriod: ReadonlyMap<number, readonly Plan[]> } = { of: [], byPeriod: new Map() };
  /** For which policies, and when, it was found out last which others there are no more. */
  #forgotten: { of: readonly Due[] | undefined; at: number } = { of: undefined, at: 0 };
  /** By period: the cycle that was begun last. */
  #begun = new Map<number, number>();
  /** Queries that people wrote themselves. */
  readonly #own = new FairQueue({ atOnce: OWN_AT_ONCE, ofOneLane: OWN_OF_ONE });
  #running: Promise<unknown>[] = [];
  /** By period: its last cycle, people's queries included, and those before it. */
  readonly #cycles = new Map<number, Promise<void>>();
  /** By period: up to which cycle all was measured, where that is to be noted. */
  readonly #measured = new Map<number, number>();
  /** By policy: cycles that could not be written, oldest first, with what was measured then. They come before its next one. */
  readonly #owed = new Map<string, (() => Promise<void>)[]>();
  /** SQL was away at this look: nothing is written before the next. */
  #isAway = false;
  /** Policies that are being written. */
  readonly #busy = new Set<string>();
  /** Policies of which SQL has refused something: they share no transaction any more. */
  readonly #alone = new Set<string>();
  /** Up to where the flow of alarms was read. */
  #seq = 0;

  constructor(parts: EvaluatorParts) {
    this.#parts = parts;
  }

  /** Until the signal. What an earlier turn knew is read anew. */
  async run(signal: AbortSignal): Promise<void> {
    await this.open();
    const { clock, log, store } = this.#parts;
    let sweptAt = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      if (clock.monotonic() - sweptAt > SWEEP_MS) {
        sweptAt = clock.monotonic();
        await store
          .sweep(clock.now())
          .catch((error: unknown) => log.warn({ err: error }, 'old alarms were not deleted'));
      }
      await this.look(signal).catch((error: unknown) => log.warn({ err: error }, 'policies are evaluated again'));
      await pause(clock, LOOK_MS, signal);
    }
  }

  async open(): Promise<void> {
    this.#forgotten = { of: undefined, at: 0 };
    this.#owed.clear();
    this.#cycles.clear();
    this.#measured.clear();
    this.#known = await this.#parts.store.load();
    this.#begun = await this.#parts.store.cycles();
    this.#seq = (await this.#parts.store.changedByHand(Number.MAX_SAFE_INTEGER)).seq;
  }

  /**
   * Begins what is due. Resolves once the platform's own shapes are done; people's queries go on behind it. While SQL is away cycles
   * are measured all the same, and wait.
   */
  async look(signal: AbortSignal): Promise<void> {
    const now = this.#parts.clock.now();
    const policies = this.#parts.policies();
    await this.#catchUp(now, policies);
    if (policies !== this.#planned.of) this.#planned = { of: policies, byPeriod: plansOf(policies) };
    for (const [periodSeconds, plans] of this.#planned.byPeriod) {
      for (const at of this.#due(periodSeconds, now)) {
        if (signal.aborted) return;
        this.#begun.set(periodSeconds, at);
        const end = at + periodSeconds * 1000;
        // Whoever is there now was there in the cycle that is not over.
        const there = end > now ? plans : plansBefore(plans, end);
        await this.#cycle(periodSeconds, there, at, signal);
      }
    }
    await this.#noteCycles();
  }

  /** Resolves once what is under way is done. */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #catchUp(now: number, policies: readonly Due[]): Promise<void> {
    this.#isAway = false;
    try {
      if (policies !== this.#forgotten.of || now - this.#forgotten.at >= FORGET_MS) {
        await this.#forget(now);
        this.#forgotten = { of: policies, at: now };
      }
      await this.#readByHand();
      for (const uid of [...this.#owed.keys()]) await this.#writeOwed(uid);
    } catch (error) {
      this.#isAway = isUnavailable(error);
      this.#parts.log.warn({ err: error }, 'SQL does not answer; what is measured is written later');
    }
  }

  /** Whoever comes after a kill asks again for what is owed or under way. */
  async #noteCycles(): Promise<void> {
    if (this.#owed.size > 0 || this.#isAway) return;
    for (const [periodSeconds, at] of this.#measured) {
      await this.#parts.store.noteCycle(periodSeconds, at);
      if (this.#measured.get(periodSeconds) === at) this.#measured.delete(periodSeconds);
    }
  }

  #due(periodSeconds: number, now: number): number[] {
    const period = periodSeconds * 1000;
    const newest = Math.floor(now / period) * period;
    const last = this.#begun.get(periodSeconds) ?? newest - period;
    const first = Math.max(last + period, newest - Math.floor(MOST_CATCH_UP_MS / period) * period);
    const due: number[] = [];
    for (let at = first; at <= newest; at += period) due.push(at);
    return due;
  }

  async #cycle(periodSeconds: number, plans: readonly Plan[], at: number, signal: AbortSignal): Promise<void> {
    const all = plans.map(({ shape, of }) => {
      const work = (shape.own ? this.#ownShape(shape, of, at, signal) : this.#sharedShape(shape, of, at, signal)).catch(
        (error: unknown) =>
          this.#parts.log.warn({ err: error, shape: shape.key.slice(0, 80) }, 'a shape was not evaluated'),
      );
      return { work, isOwn: shape.own !== undefined };
    });
    const before = this.#cycles.get(periodSeconds);
    const whole = Promise.all([before, ...all.map(({ work }) => work)]).then(() => {
      if (!signal.aborted) this.#measured.set(periodSeconds, at);
    });
    this.#cycles.set(periodSeconds, whole);
    this.#track(whole);
    await Promise.all(all.map(({ work, isOwn }) => (isOwn ? undefined : work)));
  }

  #track(work: Promise<unknown>): void {
    this.#running.push(work);
    void work.finally(() => {
      this.#running = this.#running.filter((one) => one !== work);
    });
  }

  /** Waits for its turn. One that still waits when the next cycle comes leaves its own out. */
  #ownShape(shape: Shape, of: readonly Due[], at: number, signal: AbortSignal): Promise<void> {
    const lane = shape.own?.namespace ?? '';
    return this.#own.put({ key: shape.key, lane, run: () => this.#askOwn(shape, of, at, signal) });
  }

  async #askOwn(shape: Shape, of: readonly Due[], at: number, signal: AbortSignal): Promise<void> {
    const { namespace = '', query = '' } = shape.own ?? {};
    const { ask, scope } = this.#parts;
    if (!ask) return this.#say(of, { said: 'NoPrometheus' }, at);
    const scoped = scope(query, namespace);
    if ('refused' in scoped) return this.#say(of, { said: 'QueryRefused', detail: scoped.refused }, at);
    const past = (ago: Ago) =>
      at - (ago === 'week' ? 7 * 86_400_000 : ago === 'period' ? shape.periodSeconds * 1000 : 0);
    await this.#evaluate(of, at, (ago) => ask(scoped.query, past(ago), signal, true), false);
  }

  async #sharedShape(shape: Shape, of: readonly Due[], at: number, signal: AbortSignal): Promise<void> {
    const { ask, platform } = this.#parts;
    const { queryAt, metric } = shape;
    const namespaces = [...new Set(of.map(({ policy }) => policy.metadata.namespace ?? ''))].sort();
    if (!queryAt) {
      const samples = metric ? await platform(metric, namespaces, at) : [];
      return this.#apply(of, at, { samples: { now: samples, period: undefined, week: undefined }, isWhole: true });
    }
    if (!ask) return this.#say(of, { said: 'NoPrometheus' }, at);
    await this.#evaluate(of, at, (ago) => ask(queryAt(namespaces, ago), at, signal, false), true);
  }

  async #evaluate(
    of: readonly Due[],
    at: number,
    ask: (ago: Ago) => Promise<Answered>,
    hasObjects: boolean,
  ): Promise<void> {
    const rules = of.flatMap(({ policy }) => policy.spec.rules);
    const wanted: readonly [Ago, boolean][] = [
      ['now', true],
      ['period', needsBefore(rules)],
      ['week', needsLastWeek(rules)],
    ];
    try {
      const answers = await Promise.all(
        wanted.map(async ([ago, isWanted]) => [ago, isWanted ? await ask(ago) : undefined] as const),
      );
      const samples = Object.fromEntries(
        answers.map(([ago, answer]) => [ago, answer && this.#withObjects(answer, hasObjects)]),
      ) as Values['samples'];
      const isWhole = answers.every(([, answer]) => (answer?.warnings.length ?? 0) === 0);
      await this.#apply(of, at, { samples, isWhole });
    } catch (error) {
      if (error instanceof Error && QUERY_FAULTS.includes(error.name))
        return this.#say(of, { said: 'QueryFails', detail: error.message.slice(0, 256) }, at);
      this.#parts.log.warn({ err: error }, 'Prometheus does not answer; alarms keep their state');
      this.#say(of, { said: 'PrometheusAway' }, at);
    }
  }

  #withObjects({ series }: Answered, hasObjects: boolean): Sample[] {
    if (!hasObjects) return [...series];
    const samples: Sample[] = [];
    for (const { labels, value } of series) {
      const object = this.#parts.objectOf(labels);
      if (object) samples.push({ labels, value, object });
    }
    return samples;
  }

  async #apply(of: readonly Due[], at: number, { samples, isWhole }: Values): Promise<void> {
    const [now, before, week] = [samplesOf(samples.now), samplesOf(samples.period), samplesOf(samples.week)];
    const waiting: Cycle[] = [];
    const planned: Planned[] = [];
    const lateMs = this.#parts.clock.now() - at;
    for (const one of of) {
      const { policy } = one;
      if (this.#isCalm(one, now(policy))) {
        this.#done({ one, at, isWhole }, true);
        continue;
      }
      const isInTime = lateMs < policy.spec.periodSeconds * 1000;
      const measured = { now: seriesOf(policy, now(policy)), before: seriesOf(policy, before(policy)) };
      const cycle = { one, at, isWhole, isInTime, ...measured, week: seriesOf(policy, week(policy)) };
      if ([this.#owed, this.#busy, this.#alone].some((some) => some.has(uidOf(one)))) {
        waiting.push(cycle);
        continue;
      }
      const changes = this.#changesOf(cycle);
      if (changes.length > 0) planned.push({ cycle, of: one, changes });
      else this.#done(cycle, cycle.now.size > 0);
    }
    await this.#writeTogether(planned);
    for (const cycle of waiting) await this.#owe(cycle);
  }

  /**
   * Whether the one series that a policy has is as normal as it was: of most policies, in most cycles. What `#changesOf` says of
   * others nobody needs to make for these.
   */
  #isCalm({ policy }: Due, samples: readonly Sample[]): boolean {
    const [sample] = samples;
    const { metadata, spec } = policy;
    const { uid = '' } = metadata;
    const known = this.#known.get(uid);
    if (!sample || samples.length > 1 || (known && known.size > 1)) return false;
    if (this.#owed.has(uid) || this.#busy.has(uid) || this.#alone.has(uid) || !looksAtNowAlone(spec.rules))
      return false;
    if (judge(spec, { value: sample.value }).seen !== 'unmet') return false;
    const key = keyIn(policy, sample);
    if (key === undefined) return false;
    const { object } = sample;
    if (object && this.#parts.lifeOf(policy, { object: object.name, labels: {} }) === 'gone') return false;
    if (!known || known.size === 0) return true;
    const last = known.get(key);
    return last !== undefined && isQuiet(last.state);
  }

  /** As few transactions as possible; where one fails, each of its policies is written by itself. */
  async #writeTogether(planned: readonly Planned[]): Promise<void> {
    let batch: Planned[] = [];
    let size = 0;
    for (const [at, one] of planned.entries()) {
      batch.push(one);
      size += one.changes.length;
      if (size < MOST_AT_ONCE && at < planned.length - 1) continue;
      await this.#write(batch);
      [batch, size] = [[], 0];
    }
  }

  async #write(batch: readonly Planned[]): Promise<void> {
    const uids = batch.map(({ of }) => uidOf(of));
    for (const uid of uids) this.#busy.add(uid);
    const isWritten = await (this.#isAway ? Promise.resolve(false) : this.#parts.store.write(batch)).catch(
      (error: unknown) => {
        this.#isAway ||= isUnavailable(error);
        this.#parts.log.warn({ err: error, policies: uids.length }, 'policies are written one by one');
        return false;
      },
    );
    for (const uid of uids) this.#busy.delete(uid);
    for (const { cycle, changes } of batch)
      if (isWritten) this.#remember(cycle, changes);
      else await this.#owe(cycle);
  }

  async #owe(cycle: Cycle): Promise<void> {
    const uid = uidOf(cycle.one);
    const owed = this.#owed.get(uid) ?? [];
    this.#owed.set(uid, [...owed, () => this.#advance(cycle)].slice(-MOST_OWED));
    await this.#writeOwed(uid);
  }

  /** Its cycles in their order; those from the first that fails on wait for the next look. */
  async #writeOwed(uid: string): Promise<void> {
    if (this.#busy.has(uid)) return;
    this.#busy.add(uid);
    try {
      for (let next = this.#owed.get(uid)?.[0]; next; next = this.#owed.get(uid)?.[0]) {
        await next().catch((error: unknown) => {
          if (!isRefused(error)) throw error;
          this.#alone.add(uid);
          this.#parts.log.warn({ err: error, policy: uid }, 'a cycle of a policy cannot be stored, and is left out');
        });
        this.#owed.set(
          uid,
          (this.#owed.get(uid) ?? []).filter((one) => one !== next),
        );
      }
      this.#owed.delete(uid);
    } catch (error) {
      // Said once at each look.
      if (!this.#isAway)
        this.#parts.log.warn({ err: error, policy: uid }, 'a policy was not evaluated; it is tried again');
      this.#isAway ||= isUnavailable(error);
    } finally {
      this.#busy.delete(uid);
    }
  }

  async #advance(cycle: Cycle): Promise<void> {
    const changes = this.#changesOf(cycle);
    if (changes.length === 0) return this.#done(cycle, cycle.now.size > 0);
    if (this.#isAway) throw new Error('SQL is away');
    const { store } = this.#parts;
    const uid = uidOf(cycle.one);
    const isWritten = await store.write([{ of: cycle.one, changes }]);
    this.#alone.delete(uid);
    if (isWritten) this.#remember(cycle, changes);
    else this.#known.set(uid, await store.loadPolicy(uid));
  }

  #changesOf(cycle: Cycle): Change[] {
    const { one, now } = cycle;
    const known: Known = this.#known.get(uidOf(one)) ?? NONE_KNOWN;
    const due = this.#dueOf(one.policy, now);
    const keys = known.size + due.size === 0 ? now.keys() : new Set([...now.keys(), ...known.keys(), ...due.keys()]);
    const withValues = countValues(now);
    const changes: Change[] = [];
    for (const key of keys) {
      const series = now.get(key);
      const last = known.get(key) ?? due.get(key) ?? unseen(series?.object, series?.labels ?? {});
      const sight = sightIn(cycle, key, last, withValues);
      const isNews = isNewTo(one.policy, last, sight);
      const outcome = this.#outcomeOf(one.policy, last, sight);
      // Nothing becomes of a series that is as normal as it was: of most series, in most cycles.
      if (!isNews && isQuiet(last.state) && isAsItWas(outcome, sight)) continue;
      const change = this.#changeOf(cycle, { key, last, sight, outcome });
      const isWritten = change.isForgotten ? last.version !== undefined : isNews || isChanged(change);
      if (isWritten) changes.push(change);
      else if (known.has(key)) known.set(key, { ...last, state: change.after.state });
    }
    return changes;
  }

  #changeOf(
    { one: { policy }, at }: Cycle,
    { key, last, sight, outcome }: { key: string; last: KnownSeries; sight: Omit<Sight, 'life'>; outcome: Outcome },
  ): Change {
    const { spec } = policy;
    const { value } = sight.measured;
    const {
      state: after,
      transitions: [transition],
    } = step(spec, last.state, outcome, at);
    const state = { ...after, of: definitionOf(spec), ...(sight.hadData && { hadData: true as const }) };
    const isOver = outcome.seen === 'gone' || transition !== undefined || !watchesNoData(spec.rules);
    const isForgotten = sight.isSure && !hasValue(value) && !sight.hadData && state.phase === 'normal' && isOver;
    return { key, before: last, after: nextOf(last, state), transition, value, ...(isForgotten && { isForgotten }) };
  }

  /** Series that ought to have a value, by their keys, where somebody waits for one that has none. */
  #dueOf(policy: AlertPolicy, now: SeriesByKey): Known {
    const { rules, query } = policy.spec;
    if (!watchesNoData(rules)) return NONE_KNOWN;
    const names = query === undefined ? this.#parts.due(policy) : [undefined];
    return new Map(names.map((name) => [keyOf(name, {}), unseen(name, {})] as const).filter(([key]) => !now.has(key)));
  }

  #outcomeOf(policy: AlertPolicy, last: KnownSeries, sight: Omit<Sight, 'life'>): Outcome {
    const { of } = last.state;
    // A series that the policy measured before it was changed is gone.
    if (sight.isSure && !hasValue(sight.measured.value) && of !== undefined && of !== definitionOf(policy.spec))
      return { seen: 'gone' };
    return outcomeOf(policy.spec, { ...sight, life: this.#parts.lifeOf(policy, last) });
  }

  #remember(cycle: Cycle, changes: readonly Change[]): void {
    const uid = uidOf(cycle.one);
    const known: Known = this.#known.get(uid) ?? new Map();
    for (const { key, after, isForgotten } of changes)
      if (isForgotten) known.delete(key);
      else known.set(key, after);
    this.#known.set(uid, known);
    this.#done(cycle, cycle.now.size > 0);
  }

  #done({ one, at, isWhole }: Pick<Cycle, 'one' | 'at' | 'isWhole'>, hasData: boolean): void {
    const said = !isWhole ? 'Incomplete' : hasData ? 'Evaluated' : 'NoData';
    this.#parts.evaluated(one.policy, { said }, this.#firing(one), at);
  }

  #say(of: readonly Due[], verdict: Verdict, at: number): void {
    for (const one of of) this.#parts.evaluated(one.policy, verdict, this.#firing(one), at);
  }

  #firing(one: Due): number {
    let firing = 0;
    for (const { state } of this.#known.get(uidOf(one))?.values() ?? []) if (state.phase === 'firing') firing++;
    return firing;
  }

  async #readByHand(): Promise<void> {
    const { store } = this.#parts;
    const { seq, policyUids } = await store.changedByHand(this.#seq);
    for (const uid of policyUids) this.#known.set(uid, await store.loadPolicy(uid));
    this.#seq = seq;
  }

  async #forget(now: number): Promise<void> {
    const gone = new Set<string>();
    for (const some of [this.#known, this.#owed])
      for (const uid of some.keys()) if (!this.#parts.exists(uid)) gone.add(uid);
    await this.#parts.store.forget([...gone], now);
    for (const uid of gone) {
      this.#known.delete(uid);
      this.#owed.delete(uid);
      this.#alone.delete(uid);
    }
  }
}

/** No policy hears of the cycles that were over before its own first one. */
function plansBefore(plans: readonly Plan[], end: number): Plan[] {
  const isMade = ({ policy: { metadata } }: Due) => (Date.parse(metadata.creationTimestamp ?? '') || 0) < end;
  return plans.map(({ shape, of }) => ({ shape, of: of.filter(isMade) })).filter(({ of }) => of.length > 0);
}

function plansOf(policies: readonly Due[]): Map<number, Plan[]> {
  const plans = new Map<string, Plan>();
  for (const one of policies) {
    const shape = shapeOf(one.policy);
    const plan = plans.get(shape.key);
    if (plan) plan.of.push(one);
    else plans.set(shape.key, { shape, of: [one] });
  }
  return Map.groupBy(plans.values(), ({ shape }) => shape.periodSeconds);
}

const uidOf = ({ policy }: Due): string => policy.metadata.uid ?? '';

/**
 * A statement that SQL refuses for its data (22) or for its size (54) is refused for ever: one policy's must not hold up everybody's
 * cycles.
 */
const isRefused = (error: unknown): boolean => /^(22|54)/.test(sqlStateOf(error) ?? '');

const unseen = (object: string | undefined, labels: KnownSeries['labels']): KnownSeries => ({
  object,
  labels,
  state: FRESH,
  alarmId: undefined,
  version: undefined,
});

/** The sight of one series in a cycle, without the life of its object. */
function sightIn(
  { one, isWhole, isInTime, now, before, week }: Cycle,
  key: string,
  series: KnownSeries,
  withValues: WithValues,
): Omit<Sight, 'life'> {
  const value = now.get(key)?.value;
  const measured = { value, before: before.get(key)?.value, lastWeek: week.get(key)?.value };
  const sight = sightOf(series, measured, withValues);
  const isQuery = one.policy.spec.query !== undefined && !sight.isPart && !hasValue(value);
  const hadData = isQuery && (series.state.hadData === true || sight.hasOthers);
  return { ...sight, isSure: isWhole && isInTime, hadData };
}

/** Whoever waits for a series to vanish has to know that there was one. Objects are known without it. */
const isNewTo = ({ spec }: AlertPolicy, { version }: KnownSeries, { isPart, hadData }: Omit<Sight, 'life'>): boolean =>
  version === undefined && watchesNoData(spec.rules) && (isPart || hadData);

const isAsItWas = ({ seen }: Outcome, { measured, isSure, hadData }: Omit<Sight, 'life'>): boolean =>
  seen === 'unmet' && (hasValue(measured.value) || !isSure || hadData);

const isChanged = ({ before, after, transition }: Change): boolean =>
  transition !== undefined || !isSame(after.state, before.state);

const NONE_KNOWN: Known = new Map();

/** The part of a spec that decides which series a policy has. */
const DEFINITIONS = new WeakMap<AlertPolicy['spec'], string>();
function definitionOf(spec: AlertPolicy['spec']): string {
  const known = DEFINITIONS.get(spec);
  if (known !== undefined) return known;
  const { metric, query, groupBy, filters, objects } = spec;
  const text = JSON.stringify([metric, query, groupBy, filters, objects.kind]);
  const definition = createHash('sha256').update(text).digest('base64url').slice(0, 12);
  DEFINITIONS.set(spec, definition);
  return definition;
}

/** Apart from the time: a cycle that only repeats what is known need not be written, because counting it twice changes nothing. */
const isSame = (one: KnownSeries['state'], other: KnownSeries['state']): boolean =>
  one.phase === other.phase &&
  one.level === other.level &&
  one.since === other.since &&
  one.missingSince === other.missingSince &&
  one.hadData === other.hadData &&
  (one.of === other.of || other.of === undefined) &&
  (one.cycles === other.cycles || isQuiet(one));

const looksAtNowAlone = (rules: AlertPolicy['spec']['rules']): boolean =>
  rules.every(({ type }) => ruleType(type) === 'Threshold');

/** Normal, and nothing met that could still count. */
const isQuiet = ({ phase, cycles }: KnownSeries['state']): boolean => phase === 'normal' && !cycles.includes('1');
