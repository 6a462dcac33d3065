// The answer of one request, as its client gets it: an engine's bytes as they come, comments while it waits, and an error that
// nobody can overlook where it breaks off. Says at the end how it ended, once.
import type { ServerResponse } from 'node:http';
import type { Engine } from '@gantry/contract/models/engines.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { Gathered } from '../gathered.ts';
import type { AnswerHead } from '../published/answer-frame.ts';
import type { Asked } from './asked.ts';
import type { EngineCall, Hearer } from './engine-call.ts';
import { clientFault } from './engine-refusals.ts';
import { EventCutter } from './events.ts';
import type { KeptAnswer } from './kept-answer.ts';
import { Reading } from './reading.ts';
import { Refusal, writeJson } from './refusals.ts';
import { type Shape, shapeOf } from './shapes.ts';
import type { Outcome } from './usage-writer.ts';

/** Of an answer that is no stream. */
const MOST_WHOLE_BYTES = 64 * 1024 * 1024;
const MOST_ERROR_BYTES = 64 * 1024;
/** A client that waits hears something this often, so that nothing between us gives up. */
const COMMENT_MS = 5_000;
/** Of a stream that says nothing new: comments alone do not keep it open. */
const STALLED_MS = 600_000;
/** It has no room. */
const TOO_MANY = 429;
/** What an engine may send beyond what was asked for: ends of sequences, an empty piece for each role. */
const MORE_DELTAS = 64;
/** Of a stream, for each token that may be generated; and at least so many. */
const MOST_BYTES_OF_A_DELTA = 64 * 1024;

export interface AnsweringParts {
  asked: Asked;
  engine: Engine;
  res: ServerResponse;
  requestId: string;
  clock: Pick<Clock, 'now' | 'monotonic' | 'after'>;
  /** The most tokens that may be generated. */
  most: number;
  /** A stream has its first event with content. */
  begins: () => void;
  over: (outcome: Outcome, status: number, worker: string | undefined) => void;
  /** Puts the answer together, of a request that is collected. */
  kept?: KeptAnswer | undefined;
  /** Asks another model, and says whether there is one. */
  elsewhere: () => boolean;
}

type Form = 'unknown' | 'events' | 'whole' | 'error';

export class Answering implements Hearer {
  readonly reading: Reading;
  /** When a stream had its first event with content, and any other answer its head; in monotonic milliseconds. */
  firstAt: number | undefined;
  readonly #parts: AnsweringParts;
  readonly #shape: Shape;
  readonly #cutter = new EventCutter();
  #engine: EngineCall | undefined;
  #form: Form = 'unknown';
  #status = 200;
  /** Of an answer that is no stream. */
  readonly #answer = new Gathered();
  #size = 0;
  #isOver = false;
  #isHeldBack = false;
  #stopComments: () => void = () => {};
  #stopStall: () => void = () => {};
  #leaveQueue: () => void = () => {};

  constructor(parts: AnsweringParts) {
    this.#parts = parts;
    const { asked, engine, requestId, clock, kept } = parts;
    this.#shape = shapeOf(asked, { engine, requestId, now: clock.now() });
    this.reading = new Reading(asked, this.#shape, kept);
    parts.res.once('close', this.#closed);
  }

  follow(engine: EngineCall): void {
    this.#leaveQueue = () => {};
    if (this.#isOver) return void engine.stop();
    this.#engine = engine;
  }

  /** For a worker. Streams hear from us meanwhile. `leave`: takes it out of the queue. */
  wait(leave: () => void): void {
    this.#leaveQueue = leave;
    const { asked, clock, res } = this.#parts;
    if (!asked.isStream) return;
    const comment = () => {
      if (this.#isOver) return;
      this.#begin();
      res.write(': the model is starting\n\n');
      this.#stopComments = clock.after(COMMENT_MS, comment);
    };
    this.#stopComments = clock.after(COMMENT_MS, comment);
  }

  head({ status, names, headers }: AnswerHead): void {
    this.#stopComments();
    this.#status = status;
    const media = headers[2 * names.indexOf('content-type') + 1] ?? '';
    if (status >= 300) this.#form = 'error';
    else this.#form = this.#parts.asked.isStream && media.startsWith('text/event-stream') ? 'events' : 'whole';
    if (this.#form === 'whole') this.firstAt = this.#parts.clock.monotonic();
    if (this.#form !== 'events') return;
    // Engines send the head of a stream at once, and queue the request after that.
    this.#begin();
    this.#watch();
  }

  content(part: Buffer): boolean {
    if (this.#isOver) return true;
    if (this.#form !== 'events') {
      this.#size += part.length;
      const isError = this.#form === 'error';
      if (this.#size > (isError ? MOST_ERROR_BYTES : MOST_WHOLE_BYTES))
        this.#giveUp(new Refusal('engine_ran_on'), 'broken');
      else this.#answer.add(part);
      return true;
    }
    return this.#events(part);
  }

  end(): void {
    if (this.#isOver) return;
    if (this.#form === 'error') return void this.#engineRefused();
    if (this.#form === 'events') {
      const { isWhole } = this.reading;
      if (isWhole && this.#cutter.left === 0) return void this.#done(() => this.#parts.res.end());
      // A stream that just stops looks like a whole one.
      return void this.#giveUp(new Refusal('engine_died'), 'broken');
    }
    const answer = this.#wholeAnswer();
    if (answer === undefined)
      return void this.#giveUp(new Refusal('engine_failed', { detail: 'what it answered is no JSON' }), 'broken');
    const { res } = this.#parts;
    this.#done(() => {
      // Comments have begun a stream, and its engine answered with something else.
      if (res.headersSent)
        return void res.end(this.#shape.error(new Refusal('engine_failed', { detail: 'it sent no stream' })));
      writeJson(res, this.#status, answer);
    });
  }

  #wholeAnswer(): string | undefined {
    try {
      return JSON.stringify(this.reading.whole(this.#answer.bytes.toString('utf8')));
    } catch {
      // It is nested too deep, or has too many parts.
      return undefined;
    }
  }

  failed(why: 'unreachable' | 'silent' | 'died', detail: string): void {
    if (this.#isOver) return;
    if (why === 'died') return void this.#giveUp(new Refusal('engine_died'), 'broken');
    this.#failed(why === 'silent' ? new Refusal('engine_silent') : new Refusal('engine_failed', { detail }));
  }

  /** Nothing of it was generated. */
  refuse(refusal: Refusal): void {
    if (!this.#isOver) this.#giveUp(refusal, 'refused');
  }

  /** Whoever asked may not hear the rest. What an engine has done by then is paid, as it is of a client that leaves. */
  cutOff(refusal: Refusal): void {
    if (!this.#isOver) this.#giveUp(refusal, this.#engine ? 'broken' : 'refused');
  }

  /** The model cannot take it: another one may. */
  turnAway(refusal: Refusal): void {
    if (!this.#isOver) this.#failed(refusal);
  }

  /** Nothing has come of it: somebody else may answer, as long as the client has heard nothing. */
  #failed(refusal: Refusal): void {
    const isUntouched = !this.#parts.res.headersSent;
    this.#settle();
    if (isUntouched && this.#parts.elsewhere()) return;
    this.#isOver = false;
    this.#giveUp(refusal, 'failed');
  }

  #events(part: Buffer): boolean {
    const { res, most, asked } = this.#parts;
    const { seen } = this.reading;
    const before = seen.deltas;
    let out = '';
    try {
      for (const event of this.#cutter.take(part)) {
        out += this.reading.event(event) ?? '';
        if (this.reading.failure !== undefined) break;
      }
    } catch {
      this.#giveUp(new Refusal('engine_ran_on'), 'broken');
      return true;
    }
    if (this.reading.failure !== undefined) {
      if (out !== '') res.write(out);
      this.#engineFailed(this.reading.failure);
      return true;
    }
    this.#size += part.length;
    if (seen.deltas > before) {
      if (this.firstAt === undefined) {
        this.firstAt = this.#parts.clock.monotonic();
        this.#parts.begins();
      }
      this.#watch();
    }
    const isTooMuch =
      seen.deltas > most + MORE_DELTAS * asked.choices || this.#size > (most + MORE_DELTAS) * MOST_BYTES_OF_A_DELTA;
    if (isTooMuch) {
      this.#giveUp(new Refusal('engine_ran_on'), 'broken');
      return true;
    }
    if (out === '' || res.write(out)) return true;
    if (!this.#isHeldBack) {
      this.#isHeldBack = true;
      res.once('drain', () => {
        this.#isHeldBack = false;
        this.#engine?.resume();
      });
    }
    return false;
  }

  /** Only what was generated keeps a stream open. */
  #watch(): void {
    this.#stopStall();
    this.#stopStall = this.#parts.clock.after(STALLED_MS, () => {
      if (!this.#isOver) this.#giveUp(new Refusal('engine_silent'), 'broken');
    });
  }

  #begin(): void {
    const { res } = this.#parts;
    if (res.headersSent) return;
    res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
    // An engine often sends its first event along with its head: both leave in one write.
    const { socket } = res;
    socket?.cork();
    res.flushHeaders();
    process.nextTick(() => socket?.uncork());
  }

  /** Its engine would not have it: whoever is to blame for that is told so in our words. */
  #engineRefused(): void {
    const { asked, engine } = this.#parts;
    const fault = clientFault(engine, asked, this.#status, this.#answer.bytes.toString('utf8'));
    if (fault) return void this.#giveUp(fault, 'refused');
    if (this.#status === TOO_MANY) return void this.#failed(new Refusal('model_overloaded', { model: asked.model }));
    this.#failed(new Refusal('engine_failed', { detail: `it answered ${this.#status}` }));
  }

  /** In the midst of a stream. */
  #engineFailed(said: string): void {
    const { asked, engine } = this.#parts;
    const fault = clientFault(engine, asked, statusIn(said), said);
    if (fault && this.reading.seen.deltas === 0) return void this.#giveUp(fault, 'refused');
    this.#giveUp(fault ?? new Refusal('engine_failed', { detail: 'it said so in its stream' }), 'broken');
  }

  #giveUp(refusal: Refusal, outcome: Outcome): void {
    const { res } = this.#parts;
    this.#engine?.stop();
    this.#done(
      () => {
        if (res.headersSent) {
          res.end(this.#shape.error(refusal));
          return;
        }
        writeJson(res, refusal.status, refusal.body, refusal.headers);
      },
      outcome,
      refusal.status,
    );
  }

  /** Counted first: whoever has the whole answer can rely on that. */
  #done(write: () => void, outcome: Outcome = 'answered', status = this.#status): void {
    this.#settle();
    this.#parts.over(outcome, status, this.#engine?.worker);
    write();
  }

  #settle(): void {
    this.#isOver = true;
    this.#stopComments();
    this.#stopStall();
    this.#leaveQueue();
    this.#parts.res.off('close', this.#closed);
  }

  /** The client has left: its engine need not go on. */
  readonly #closed = (): void => {
    if (this.#isOver) return;
    this.#settle();
    this.#engine?.stop();
    this.#parts.over(this.#engine ? 'left' : 'refused', 499, this.#engine?.worker);
  };
}

/** Of an error in a stream: engines write the status into it. */
function statusIn(said: string): number {
  const { error } = JSON.parse(said) as { error?: { code?: unknown } };
  return typeof error?.code === 'number' ? error.code : 500;
}
