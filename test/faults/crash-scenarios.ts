// Crash before and after every write: a scenario runs once undisturbed, then again for each write with the operator
// killed at it and restarted, and must end in the same state with every invariant intact.
import { isDeepStrictEqual } from 'node:util';
import { kill } from './action.ts';
import type { Call } from './call.ts';
import type { LoggedWrite } from './call-log.ts';
import { type CrashPoint, crashPoints, type Share } from './crash-points.ts';
import type { FaultProxy } from './fault-proxy.ts';
import { differences } from './normal-state.ts';
import type { OperatorProcess } from './operator-process.ts';
import { waitUntil } from './wait-until.ts';

export interface Scenario {
  /** A DNS label of at most 20 letters: part of the name of every run. */
  readonly name: string;
  /**
   * Acts as the tenant, straight at the API server, and resolves when its last wish has come true. `place` is a DNS label
   * of this run's own. Its waits must leave time for a crash and a restart.
   */
  readonly run: (place: string) => Promise<void>;
  /** Whether a write of the operator is about this run. Its leader lease never is. */
  readonly isAbout: (call: Call, place: string) => boolean;
  /** The final state without what differs from run to run; `normalState` helps. */
  readonly read: (place: string) => Promise<unknown>;
  /** Each throws when it does not hold. Keyed by the sentence that then stands in the report. */
  readonly invariants: Readonly<Record<string, (ran: Ran) => void | Promise<void>>>;
  /** Removes what a run leaves on purpose. */
  readonly clear?: (place: string) => Promise<void>;
}

export interface Ran {
  readonly place: string;
  /** The operator's writes in this run, over all its lives, in order. */
  readonly writes: readonly LoggedWrite[];
}

export interface CrashOptions {
  readonly proxy: FaultProxy;
  readonly operator: OperatorProcess;
  readonly share: Share;
  /** The same picks the same crashes. */
  readonly seed: number;
  /** How long a finished run may take to reach the clean run's final state; default 30,000. */
  readonly convergeLimitMs?: number;
  /**
   * A run counts as finished after this long without a write; default 500. Counted from /readyz of the restarted operator: if
   * that does not mean that it leads, add the time that it needs to get its lease back.
   */
  readonly quietMs?: number;
  /** Receives a line at the start and one for each crash; console.log by default. */
  readonly say?: (line: string) => void;
}

export interface CrashReport {
  /** Titles of the undisturbed run's writes. */
  readonly writes: readonly string[];
  readonly tried: readonly CrashPoint[];
  /** Points that a run never came to, because it needed fewer writes than the undisturbed one. */
  readonly missed: readonly string[];
  /** A sentence for each thing that went wrong: empty is success. */
  readonly failures: readonly string[];
}

/** Rejects only when the undisturbed run fails; what a crash breaks is in the report. Leaves the operator running. */
export async function crashEverywhere(scenario: Scenario, options: CrashOptions): Promise<CrashReport> {
  const { share, seed, say = console.log } = options;
  const run = new Run(scenario, options);
  const clean = await run.undisturbed();
  const points = crashPoints(scenario.name, clean.writes.length, share, seed);
  say(
    `${scenario.name}: ${clean.writes.length} writes, ${points.length} of ${clean.writes.length * 2} crashes, seed ${seed}`,
  );

  const missed: string[] = [];
  const failures: string[] = [];
  for (const point of points) {
    const outcome = await run.crashed(point, clean.state);
    if (outcome.at === undefined) missed.push(outcome.sentence);
    failures.push(...outcome.failures.map((failure) => `${outcome.sentence}: ${failure}`));
    // With the reasons at once: a long run may be ended before its report.
    say([`${outcome.failures.length === 0 ? 'ok' : 'FAILED'} ${outcome.sentence}`, ...outcome.failures].join('\n  '));
  }
  return { writes: clean.writes.map(({ call }) => call.title), tried: points, missed, failures };
}

interface Outcome {
  /** Title of the write at which it was killed; undefined when it never came to it. */
  readonly at: string | undefined;
  readonly sentence: string;
  readonly failures: readonly string[];
}

class Run {
  readonly #scenario: Scenario;
  readonly #options: CrashOptions;
  // Names must also be fresh over repeated test runs against one cluster.
  readonly #prefix = Date.now().toString(36);

  constructor(scenario: Scenario, options: CrashOptions) {
    this.#scenario = scenario;
    this.#options = options;
  }

  async undisturbed(): Promise<{ readonly writes: readonly LoggedWrite[]; readonly state: unknown }> {
    const place = this.#placeOf('clean');
    await this.#scenario.run(place);
    await this.#quiet(place);
    const writes = this.#writesAbout(place);
    const state = await this.#scenario.read(place);
    const broken = await this.#brokenInvariants(place);
    await this.#scenario.clear?.(place);
    if (broken.length > 0) throw new Error(`${this.#scenario.name} fails undisturbed: ${broken.join('; ')}`);
    return { writes, state };
  }

  async crashed(point: CrashPoint, cleanState: unknown): Promise<Outcome> {
    const { proxy, operator } = this.#options;
    const place = this.#placeOf(`${point.write}${point.moment[0]}`);
    const failures: string[] = [];
    const attempt = async (what: string, act: () => void | Promise<void>) => {
      try {
        await act();
      } catch (error) {
        failures.push(`${what}: ${sentenceOf(error)}`);
      }
    };

    let at: string | undefined;
    let restarted: Promise<void> | undefined;
    const rule = proxy.rules.add({
      match: (call) => call.isWrite && this.#scenario.isAbout(call, place),
      nth: point.write,
      do: kill(point.moment, (call) => {
        operator.kill();
        at = call.title;
        restarted = attempt('restart', () => operator.restart());
      }),
    });
    await attempt('run', () => this.#scenario.run(place));
    await attempt('quiet', () => this.#quiet(place));
    rule.remove();
    if (restarted !== undefined) {
      // Damage is done by the life after the crash: it must have had its time before the state is compared.
      await restarted;
      await attempt('quiet', () => this.#quiet(place));
    }
    await attempt('final state', () => this.#reaches(place, cleanState));
    failures.push(...(await this.#brokenInvariants(place)));
    await attempt('clear', () => this.#scenario.clear?.(place));
    const sentence = `${this.#scenario.name} killed ${point.moment} write ${point.write} (${at ?? 'not reached'})`;
    return { at, sentence, failures };
  }

  #placeOf(run: string): string {
    return `${this.#scenario.name}-${this.#prefix}-${run}`;
  }

  #writesAbout(place: string): readonly LoggedWrite[] {
    return this.#options.proxy.writes().filter(({ call }) => this.#scenario.isAbout(call, place));
  }

  /** A write may trail the last wish (a status, an event): it belongs to the scenario, and may be the one to crash at. */
  async #quiet(place: string): Promise<void> {
    const { quietMs = 500, convergeLimitMs = 30_000 } = this.#options;
    let count = -1;
    let since = 0;
    await waitUntil(
      `${quietMs} ms without a write`,
      () => {
        const now = this.#writesAbout(place).length;
        if (now !== count) since = performance.now();
        count = now;
        return performance.now() - since >= quietMs;
      },
      { limitMs: convergeLimitMs + quietMs },
    );
  }

  async #reaches(place: string, cleanState: unknown): Promise<void> {
    let state: unknown;
    await waitUntil(
      'the final state of the undisturbed run',
      async () => {
        state = await this.#scenario.read(place);
        return isDeepStrictEqual(state, cleanState);
      },
      {
        limitMs: this.#options.convergeLimitMs ?? 30_000,
        everyMs: 200,
        context: () => differences(state, cleanState).join('\n'),
      },
    );
  }

  async #brokenInvariants(place: string): Promise<readonly string[]> {
    const ran: Ran = { place, writes: this.#writesAbout(place) };
    const broken: string[] = [];
    for (const [sentence, check] of Object.entries(this.#scenario.invariants)) {
      try {
        await check(ran);
      } catch (error) {
        broken.push(`"${sentence}" does not hold: ${sentenceOf(error)}`);
      }
    }
    return broken;
  }
}

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
