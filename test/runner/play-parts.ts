// The order of events of a test run: two lanes side by side, then one by one what needs the machine for itself; after each step a
// second try for files that failed where a busy machine may be the reason. Decides what counts as failed; how a part is played is given.
import { type Counts, type FileOutcome, NOTHING, type Outcome, sum } from './outcome.ts';

/**
 * `busy` parts use the processor, `waiting` ones mostly wait for a cluster, and both lanes take the busy ones that are left when
 * those are over; `alone` is nothing else of ours on the machine.
 */
export type Lane = 'busy' | 'waiting' | 'alone';

export interface Played {
  readonly name: string;
  readonly lane: Lane;
  /** A file of it that failed is played once more, alone. */
  readonly repeats?: boolean;
}

export interface Stage<P extends Played> {
  /** A part, or one file of it. May throw: that is one failure. */
  play(part: P, file?: string): Promise<Outcome>;
  /** Resolves once the part can be played; throws why it never can. */
  ready(part: P): Promise<void>;
  /** Before a repeat: resolves once its cluster is new; throws the reason if that fails. */
  renew(part: P): Promise<void>;
  /** With the outputs of both tries. */
  repeated(part: P, tries: readonly [first: FileOutcome, second: FileOutcome]): void;
  /** A part has come to its end. */
  ended(row: Row): void;
  say(text: string): void;
  readonly signal: AbortSignal;
}

export interface Row extends Counts {
  readonly name: string;
  readonly seconds: number;
  readonly files: readonly FileOutcome[];
  /** Files that failed, and passed when they were repeated. */
  readonly flaky: readonly string[];
}

/** More of them fail the run: they tell of a fault of the product more often than of the machine. */
const MOST_FLAKY = 2;

export const flakyOf = (rows: readonly Row[]): readonly string[] => rows.flatMap(({ flaky }) => flaky);

/** Over the whole run: each flaky file beyond the limit is a failure. */
export function totalOf(rows: readonly Row[]): Counts {
  const total = sum(rows);
  const { length } = flakyOf(rows);
  return length > MOST_FLAKY ? { ...total, failed: total.failed + length } : total;
}

/** Rows in the order of the parts, of those that were begun. */
export async function playParts<P extends Played>(parts: readonly P[], stage: Stage<P>): Promise<readonly Row[]> {
  const rows = new Map<P, Row>();
  const inLane = (lane: Lane) => parts.filter((part) => part.lane === lane);
  const busy = inLane('busy');
  const waiting = inLane('waiting');
  const left = [...busy];
  await Promise.all([
    playOut(left, rows, stage),
    playOut([...waiting], rows, stage).then(() => playOut(left, rows, stage)),
  ]);
  await repeatFailed([...busy, ...waiting], rows, stage);
  for (const part of inLane('alone')) {
    await playOut([part], rows, stage);
    await repeatFailed([part], rows, stage);
  }
  return parts.flatMap((part) => rows.get(part) ?? []);
}

/** One after the other, each taken off the list as it begins: two lanes may share one. */
async function playOut<P extends Played>(left: P[], rows: Map<P, Row>, stage: Stage<P>): Promise<void> {
  for (let part = left.shift(); part && !stage.signal.aborted; part = left.shift())
    rows.set(part, await played(part, stage));
}

async function played<P extends Played>(part: P, stage: Stage<P>): Promise<Row> {
  // Waiting for a cluster is nobody's time.
  let started = performance.now();
  const outcome = await attempt(stage, async () => {
    await stage.ready(part);
    started = performance.now();
    return stage.play(part);
  });
  const seconds = (performance.now() - started) / 1000;
  const row = { ...outcome.counts, name: part.name, seconds, files: outcome.files, flaky: [] };
  stage.ended(row);
  return row;
}

/** Until the outcome is certain: after a file that failed twice, or one flaky file too many, no other matters. */
async function repeatFailed<P extends Played>(parts: readonly P[], rows: Map<P, Row>, stage: Stage<P>): Promise<void> {
  const failed = parts
    .filter(({ repeats }) => repeats)
    .flatMap((part) => (rows.get(part)?.files ?? []).map((first) => ({ part, first })))
    .filter(({ first }) => first.counts.failed > 0);
  for (const { part, first } of failed) {
    if (stage.signal.aborted || flakyOf([...rows.values()]).length > MOST_FLAKY) return;
    stage.say(`repeated, alone: ${first.name} of ${part.name}`);
    const { counts, files } = await attempt(stage, async () => {
      await stage.renew(part);
      return stage.play(part, first.name);
    });
    const second = files.find(({ name }) => name === first.name) ?? { ...first, counts, output: '' };
    stage.repeated(part, [first, second]);
    const row = rows.get(part);
    if (!row || counts.failed > 0 || counts.passed === 0) return stage.say(`failed twice: ${first.name}`);
    rows.set(part, { ...row, ...corrected(row, first.counts, counts), flaky: [...row.flaky, first.name] });
  }
}

const corrected = (row: Counts, first: Counts, second: Counts): Counts => ({
  passed: row.passed - first.passed + second.passed,
  failed: row.failed - first.failed,
  skipped: row.skipped - first.skipped + second.skipped,
});

async function attempt<P extends Played>(stage: Stage<P>, play: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await play();
  } catch (error) {
    stage.say(String(error));
    return { counts: { ...NOTHING, failed: 1 }, files: [] };
  }
}
