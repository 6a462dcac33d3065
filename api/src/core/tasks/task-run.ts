// One run of a task, as long as its Pod is there: what it says is taken, what it has made is stored, what it asks of models is asked for
// it. All of it may be done twice, so another gateway goes on where this one ended.
import { createHash } from 'node:crypto';
import { Problem, statusOf } from '@gantry/contract/http/problem.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import { isUnavailable } from '../../platform/db/sqlstate.ts';
import { BadAnswer, Broken } from '../../platform/pods/call-pod.ts';
import type { Checkpoints } from './checkpoints.ts';
import { Refused, Restarted, type TaskDoor } from './task-door.ts';
import { type Answer, type Ask, type Line, MOST_PART_BYTES } from './task-lines.ts';
import { isLogged, pointOf } from './task-logged.ts';
import type { TaskPoints } from './task-points.ts';
import { isOfScores, type TaskScores } from './task-scores.ts';
import type { RunOf, RunRow, TaskStore } from './task-store.ts';

/** What a model says, whatever its status; nothing of its headers is passed on. */
export interface ModelAnswer {
  status: number;
  body: string;
}

export interface TaskRunParts {
  door: TaskDoor;
  store: TaskStore;
  points: Pick<TaskPoints, 'take'>;
  checkpoints: Pick<Checkpoints, 'named' | 'haveSettled' | 'unneeded' | 'told'>;
  scores: Pick<TaskScores, 'take'>;
  clock: Clock;
  /** Asks /v1 as the person who started the run. */
  ask(call: Pick<Ask, 'path' | 'body'>, signal: AbortSignal): Promise<ModelAnswer>;
  /** Its worker has ended: resolves once its outcome is kept, and its Pod may go. Throws a Problem where it cannot be kept. */
  ended(row: RunRow, exitCode: number, signal: AbortSignal): Promise<void>;
  /** Its work cannot be kept: resolves with the exit code that it ends with, once people are told. May be called twice. */
  refused(why: Problem, signal: AbortSignal): Promise<number>;
  isManager: boolean;
  log: { info(facts: object, text: string): void; warn(facts: object, text: string): void };
}

const AGAIN_MS = 2_000;
/** The agent has started anew, and counts from the beginning. */
export const RESTARTED = Symbol('restarted');
const MOST_STRANGE = 5;
const ASKS_AT_ONCE = 16;
const OK = 200;
const SERVER_ERROR = 500;
const UNAVAILABLE = 503;
const UNIT = /^([0-9a-f]{64})\/\d{1,9}$/;
/** Where a body begins with it, as our workers' do. */
const MODEL = /^\s*\{\s*"model"\s*:\s*"([A-Za-z0-9._:/-]{1,256})"/;
const NOT_UNDERSTOOD: ModelAnswer = {
  status: 400,
  body: JSON.stringify({
    error: { message: 'The header Gantry-Unit, where it is there, names a unit and the number of its call.' },
  }),
};

/** Until its outcome is kept, or the signal. */
export async function followRun(of: RunOf, parts: TaskRunParts, signal: AbortSignal): Promise<void> {
  for (let isOver = false; !isOver && !signal.aborted; ) {
    const ended = new AbortController();
    const asking = answerAsks(of, parts, AbortSignal.any([signal, ended.signal]));
    try {
      isOver = await takeJournal(of, parts, signal);
    } catch (error) {
      if (!isLasting(error)) throw error;
      await refuse(of, parts, error, signal);
      isOver = true;
    } finally {
      ended.abort();
      await asking;
    }
  }
}

/** What a worker says for whom another one speaks is passed over. Until it has ended and was let go, or the signal. */
export async function followPeer(
  of: RunOf,
  parts: Pick<TaskRunParts, 'door' | 'clock' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  const { door } = parts;
  for (let after = 0; !signal.aborted; ) {
    const from = after;
    const said = await patiently(parts, of, signal, () => door.journal(from, signal));
    if (said === undefined) return;
    if (said === RESTARTED) {
      [door.boot, after] = ['', 0];
      continue;
    }
    after = said.lines.at(-1)?.seq ?? after;
    if (!said.over || after !== from) continue;
    await patiently(parts, of, signal, () => door.over(signal));
    return;
  }
}

/** Problems of the store and of others pass: what they keep from being kept is tried again. */
const PASSING: readonly string[] = ['conflict', 'organization_not_ready', 'too_many_requests'];
const isLasting = (error: unknown): error is Problem =>
  error instanceof Problem && statusOf(error.problem) < SERVER_ERROR && !PASSING.includes(error.problem);

/** Its Pod costs money, and nothing that it does can be kept. */
async function refuse(of: RunOf, parts: TaskRunParts, why: Problem, signal: AbortSignal): Promise<void> {
  parts.log.info({ task: of.taskUid, run: of.run, problem: why.problem }, 'the work of a task cannot be kept');
  await patiently(parts, of, signal, async () => parts.door.refuse(await parts.refused(why, signal), signal));
}

/** False: its agent has started anew, and counts lines and calls from the beginning. */
async function takeJournal(of: RunOf, parts: TaskRunParts, signal: AbortSignal): Promise<boolean> {
  const { door, store } = parts;
  while (!signal.aborted) {
    const row = await store.open(of);
    // What an earlier gateway has taken may be taken again: the agent only has what nobody has said to have.
    const from = door.boot === '' ? 0 : row.taken;
    const said = await patiently(parts, of, signal, () => door.journal(from, signal));
    if (said === undefined) return true;
    if (said === RESTARTED) {
      door.boot = '';
      return false;
    }
    if (said.boot !== row.boot) await store.begin(of, said.boot);
    const taken = await takeLines(of, parts, { lines: said.lines, from }, signal);
    await tellUnneeded(of, parts, signal);
    if (said.over && taken === from && !signal.aborted) {
      await endRun(of, parts, { row, exitCode: said.over.code }, signal);
      return true;
    }
  }
  return true;
}

/** Resolves with the number of the last line that is taken. */
async function takeLines(
  of: RunOf,
  parts: TaskRunParts,
  { lines, from }: { lines: Answer<'journal'>['lines']; from: number },
  signal: AbortSignal,
): Promise<number> {
  let taken = from;
  const fresh = lines.filter(({ seq }) => seq > from);
  // There are many, and none depends on another line.
  const logged = fresh.flatMap(({ line }) => (line && isLogged(line) ? [line] : []));
  await parts.store.log(of, logged);
  await parts.points.take(of, [
    ...fresh.flatMap(({ line }) => (line?.type === 'point' ? [line] : [])),
    ...logged.flatMap((line) => pointOf(line) ?? []),
  ]);
  for (const { seq, line } of fresh) {
    if (line) await takeLine(of, parts, line, signal);
    if (signal.aborted) return taken;
    taken = seq;
    if (line?.type === 'part') await parts.store.taken(of, taken);
  }
  if (taken !== from) await parts.store.taken(of, taken);
  return taken;
}

/** What is stored, its Pod need not keep: a checkpoint takes as much room there as the model. */
async function tellUnneeded(of: RunOf, parts: TaskRunParts, signal: AbortSignal): Promise<void> {
  const { checkpoints, door, log } = parts;
  for (const { id, paths } of await checkpoints.unneeded(of)) {
    try {
      for (const path of paths) await door.kept(path, signal);
      // At the end of a run nobody comes by again, and one too many would be stored for as long as the task is there.
      await onceThere(parts, signal, () => checkpoints.told(id));
    } catch (error) {
      if (error instanceof Restarted) throw error;
      log.warn({ err: error, task: of.taskUid, checkpoint: id }, 'the Pod of a task was not told what is stored');
    }
  }
}

async function endRun(
  of: RunOf,
  parts: TaskRunParts,
  { row, exitCode }: { row: RunRow; exitCode: number },
  signal: AbortSignal,
): Promise<void> {
  // Whatever it ended with, the next run goes on from there.
  while (!(await parts.checkpoints.haveSettled(of))) {
    await pause(parts.clock, AGAIN_MS, signal);
    // A gateway that leaves has no pauses: it would ask the database without end, and the next one would wait for it.
    signal.throwIfAborted();
  }
  await tellUnneeded(of, parts, signal);
  await parts.ended(row, exitCode, signal);
  if (exitCode === 0) await parts.store.forgetAnswers(of);
  await patiently(parts, of, signal, () => parts.door.over(signal));
}

/** A part that its Pod does not give as it was named is passed over: its units are not kept, and the next run does them again. */
async function takeLine(of: RunOf, parts: TaskRunParts, line: Line, signal: AbortSignal): Promise<void> {
  const { door, store, checkpoints, scores, isManager, log } = parts;
  if (line.type === 'point' || isLogged(line)) return;
  if (line.type === 'checkpoint') return checkpoints.named(of, line);
  if (isOfScores(line)) return scores.take(of, line);
  if (line.type !== 'part') return store.take(of, line);
  let strange = 0;
  await patiently(parts, of, signal, async () => {
    try {
      await store.keep(of, line.units, await wholePart(door, line, signal), isManager);
      await door.kept(line.path, signal);
    } catch (error) {
      if (!isStrange(error) || ++strange < MOST_STRANGE) throw error;
      log.warn({ err: error, task: of.taskUid, path: line.path }, 'a part of a task is passed over');
    }
  });
}

const isStrange = (error: unknown): boolean => error instanceof BadAnswer || error instanceof Refused;

async function wholePart(
  door: TaskDoor,
  { path, bytes, sha256 }: Extract<Line, { type: 'part' }>,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of door.file(path, 0, signal)) {
    length += piece.length;
    if (length > Math.min(bytes, MOST_PART_BYTES)) break;
    pieces.push(piece);
  }
  const whole = Buffer.concat(pieces);
  const isIt = whole.length === bytes && createHash('sha256').update(whole).digest('hex') === sha256;
  if (!isIt) throw new BadAnswer(`${path} is not what the journal named`);
  return whole;
}

/** Tried again until it works or the signal; undefined after the signal. */
export async function patiently<Found>(
  { clock, log }: Pick<TaskRunParts, 'clock' | 'log'>,
  { taskUid, run }: Pick<RunOf, 'taskUid' | 'run'>,
  signal: AbortSignal,
  work: () => Promise<Found>,
): Promise<Found | typeof RESTARTED | undefined> {
  while (!signal.aborted) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) break;
      if (error instanceof Restarted) return RESTARTED;
      if (isLasting(error)) throw error;
      log.warn({ err: error, task: taskUid, run }, 'a task is asked again');
      await pause(clock, AGAIN_MS, signal);
    }
  }
  return undefined;
}

async function answerAsks(of: RunOf, parts: TaskRunParts, signal: AbortSignal): Promise<void> {
  const { door } = parts;
  const going = new Set<Promise<void>>();
  for (let after = 0; !signal.aborted; ) {
    const asks = await patiently(parts, of, signal, () => door.asks(after, signal));
    // Whoever reads the journal learns of it, too, and begins anew.
    if (asks === RESTARTED) break;
    for (const ask of asks ?? []) {
      after = Math.max(after, ask.id);
      while (going.size >= ASKS_AT_ONCE) await Promise.race(going);
      const one = answerAsk(of, parts, ask, signal)
        .catch(async (error: unknown) => {
          if (signal.aborted) return;
          parts.log.warn({ err: error, task: of.taskUid }, 'a call of a task was not answered');
          // Without a word its worker would wait for minutes.
          if (!(error instanceof Restarted)) await door.answer(ask.id, AWAY.status, AWAY.body, signal).catch(() => {});
        })
        .finally(() => going.delete(one));
      going.add(one);
    }
  }
  await Promise.allSettled(going);
}

/** What was answered once is not asked again: it was paid for. */
async function answerAsk(of: RunOf, parts: TaskRunParts, ask: Ask, signal: AbortSignal): Promise<void> {
  const { door, store } = parts;
  // A measurement, which is made anew each time.
  if (ask.key === '') return passOn(parts, ask, signal);
  const unit = UNIT.exec(ask.key)?.[1];
  if (unit === undefined) return door.answer(ask.id, NOT_UNDERSTOOD.status, NOT_UNDERSTOOD.body, signal);
  const key = createHash('sha256')
    .update(JSON.stringify([ask.key, ask.path, ask.body]))
    .digest('hex');
  const known = await onceThere(parts, signal, () => store.answered(of, key));
  if (known !== undefined) return onceThere(parts, signal, () => door.answer(ask.id, OK, known, signal));
  // Before it is passed on: a gateway that dies in between has it for the next.
  const model = MODEL.exec(ask.body)?.[1] ?? null;
  await passOn(parts, ask, signal, (body) => store.answer(of, { key, unit, model, body }));
}

async function passOn(
  parts: TaskRunParts,
  ask: Ask,
  signal: AbortSignal,
  keep?: (body: string) => Promise<void>,
): Promise<void> {
  const { status, body } = await parts.ask(ask, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    parts.log.warn({ err: error, ask: ask.id }, 'a call of a task came to nothing');
    return AWAY;
  });
  if (status === OK && keep)
    await onceThere(parts, signal, () => keep(body)).catch((error: unknown) => {
      signal.throwIfAborted();
      // Such as text that SQL does not have: this worker can use it all the same.
      parts.log.warn({ err: error, ask: ask.id }, 'an answer to a task is not kept for its next run');
    });
  await onceThere(parts, signal, () => parts.door.answer(ask.id, status, body, signal));
}

/** What was asked for is paid, and its worker is told by nobody else: it waits until the database, or the Pod, is there again. */
async function onceThere<Found>(
  { clock, log }: Pick<TaskRunParts, 'clock' | 'log'>,
  signal: AbortSignal,
  work: () => Promise<Found>,
): Promise<Found> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Broken || isUnavailable(error))) throw error;
      log.warn({ err: error }, 'a task waits for the database, or for its Pod');
      await pause(clock, AGAIN_MS, signal);
      signal.throwIfAborted();
    }
  }
}

const AWAY: ModelAnswer = {
  status: UNAVAILABLE,
  body: JSON.stringify({ error: { message: 'The model was not reached. Ask again.' } }),
};
