// The answer of one request, as its client gets it: an engine's bytes as they come, comments while it waits, and an error that
// nobody can overlook where it breaks off. Says at the end how it ended, once.
import type { ServerResponse } from 'node:http';
import type { Engine } from '@gantry/contract/models/engines.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { aside, TooMuchWork, taskIn } from '../../platform/aside/aside.ts';
import { GatheredBlocks } from '../../platform/gathered.ts';
import { JsonSize } from '../../platform/json-size.ts';
import type { AnswerHead } from '../../platform/relay/answer-frame.ts';
import type { Asked } from './asked.ts';
import type { Tokens } from './count-tokens.ts';
import type { EngineCall, Hearer } from './engine-call.ts';
import { clientFault } from './engine-refusals.ts';
import { EventCutter } from './events.ts';
import type { KeptAnswer } from './kept-answer.ts';
import { type readWhole, shaping } from './read-whole.ts';
import { Reading } from './reading.ts';
import { Refusal, unsupportedValue, writeJson } from './refusals.ts';
import { type Shape, type ShapeFacts, shapeOf } from './shapes.ts';
import type { Outcome } from './token-meter.ts';

/** The most bytes of an answer that is no stream. */
const MOST_WHOLE_BYTES = 64 * 1024 * 1024;
/** Generated, where it is written again at the end: more than any model's context. */
const MOST_SAID_BYTES = 6 * 1024 * 1024;
/** Log probabilities that are written again at the end: of an answer in one piece, and of a response, whose stream repeats them. */
const MOST_LIKELY = {
  whole: { letters: 4 * 1024 * 1024, parts: 128 * 1024 },
  repeated: { letters: 1024 * 1024, parts: 32 * 1024 },
} as const;
const MOST_ERROR_BYTES = 64 * 1024;
/** A client that waits hears something this often, so that nothing between us gives up. */
const COMMENT_MS = 5_000;
/** The time limit of a stream that sends nothing new: comments alone do not keep it open. */
const STALLED_MS = 600_000;
/** As nginx has it. */
const CLIENT_LEFT = 499;
const READ_WHOLE = taskIn<typeof readWhole>(new URL('read-whole.ts', import.meta.url), 'readWhole');
/** It has no room. */
const TOO_MANY = 429;
/** Pieces that an engine may send beyond those that were asked for: ends of sequences, an empty piece for each role. */
const MORE_PIECES = 64;
/** The most bytes of a stream for each token that may be generated; and at least so many. */
const MOST_BYTES_OF_A_PIECE = 64 * 1024;

export interface AnsweringParts {
  asked: Asked;
  engine: Engine;
  /** The namespace of the engine's owner. */
  namespace: string;
  res: ServerResponse;
  requestId: string;
  clock: Pick<Clock, 'now' | 'monotonic' | 'after'>;
  /** The most tokens that may be generated; of one choice. */
  most: number;
  mostOfChoice: number;
  /** The tokens that are charged for what was read until now. */
  counted: () => Tokens;
  /** The first event with content is there. */
  begins: () => void;
  over: (outcome: Outcome, status: number, worker: string | undefined) => void;
  /** Puts the answer together, of a request that is collected. */
  kept?: KeptAnswer | undefined;
  /** Asks another model, and says whether there is one. */
  elsewhere: () => boolean;
}

type Form = 'unknown' | 'events' | 'whole' | 'error';

export class Answering implements Hearer {
  reading: Reading;
  /** When the first event with content was there, and of an engine that sends no stream its head; in monotonic milliseconds. */
  firstAt: number | undefined;
  readonly #parts: AnsweringParts;
  #shape: Shape;
  #cutter = new EventCutter();
  #engine: EngineCall | undefined;
  #form: Form = 'unknown';
  #status = 200;
  /** The bytes of an answer that is no stream. */
  #answer = new GatheredBlocks();
  #values = new JsonSize();
  #size = 0;
  #isOver = false;
  #isHeldBack = false;
  /** A worker has, in the midst of an answer that nobody has heard of. */
  #hasDied = false;
  /** The client has gone, and its engine's answer is waited for: only that says what it has cost. */
  #isDeserted = false;
  #stopComments: () => void = () => {};
  #stopStall: () => void = () => {};
  #leaveQueue: () => void = () => {};

  constructor(parts: AnsweringParts) {
    this.#parts = parts;
    [this.#shape, this.reading] = this.#anew();
    parts.res.once('close', this.#closed);
  }

  #anew(): [Shape, Reading] {
    const { asked, kept, counted, mostOfChoice } = this.#parts;
    const shape = shapeOf(asked, this.#facts());
    return [shape, new Reading({ asked, shape, kept, counted, mostOfChoice })];
  }

  #facts(): ShapeFacts {
    const { engine, requestId, clock } = this.#parts;
    return { engine, requestId, now: clock.now() };
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
    else this.#form = this.#parts.asked.isStreamed && media.startsWith('text/event-stream') ? 'events' : 'whole';
    if (this.#form === 'whole') this.firstAt = this.#parts.clock.monotonic();
    if (this.#form !== 'events') return;
    // Engines send the head of a stream at once, and queue the request after that.
    if (this.#parts.asked.isStream) this.#begin();
    this.#watch();
  }

  content(part: Buffer): boolean {
    if (this.#isOver) return true;
    if (this.#form !== 'events') {
      this.#size += part.length;
      const isError = this.#form === 'error';
      const isTooLarge = this.#size > (isError ? MOST_ERROR_BYTES : MOST_WHOLE_BYTES);
      // An answer that was requested as a stream must not be large.
      const { isReadAtOnce, isReadAside } = this.#values.add(part);
      const isHeavy = this.#parts.asked.isStreamed ? !isReadAtOnce : !isReadAside;
      if (isTooLarge || isHeavy) this.#breaks(new Refusal('engine_ran_on'));
      else this.#answer.add(part);
      return true;
    }
    return this.#events(part);
  }

  end(): void {
    if (this.#isOver) return;
    if (this.#form === 'error') return void this.#engineRefused();
    if (this.#form === 'events') {
      // A stream that just stops looks like a whole one.
      if (!this.reading.isWhole || this.#cutter.left > 0) return void this.#died('it stopped in the middle');
      if (this.#parts.asked.isStream) return void this.#done(() => this.#parts.res.end());
    }
    if (this.#form === 'whole' && !this.#values.isReadAtOnce) return void this.#readAside();
    this.#answerWhole(this.#wholeAnswer());
  }

  /** The answer is larger than what is read between other requests. */
  async #readAside(): Promise<void> {
    const { asked, mostOfChoice, namespace: lane } = this.#parts;
    const { blocks } = this.#answer;
    const parts = { asked: shaping(asked), facts: this.#facts(), mostOfChoice };
    try {
      const transfer = blocks.map(({ buffer }) => buffer as ArrayBuffer);
      const read = await aside.run(READ_WHOLE, [blocks, parts], { lane, transfer });
      if (this.#isOver) return;
      if (read) this.reading.take(read);
      this.#answerWhole(read ? Buffer.from(read.bytes.buffer) : notJson());
    } catch (error) {
      const isBusy = error instanceof TooMuchWork && error.why === 'queue';
      if (!this.#isOver)
        this.#breaks(isBusy ? new Refusal('model_overloaded', { model: asked.model }) : new Refusal('engine_ran_on'));
    }
  }

  #answerWhole(answer: string | Buffer | Refusal): void {
    if (answer instanceof Refusal) return void this.#breaks(answer);
    const { res } = this.#parts;
    this.#done(() => {
      // Comments have begun a stream, and its engine answered with something else.
      if (res.headersSent)
        return void res.end(this.#shape.error(new Refusal('engine_failed', { detail: 'it sent no stream' })));
      writeJson(res, this.#status, answer);
    });
  }

  #wholeAnswer(): string | Refusal {
    try {
      const { reading } = this;
      const told = this.#form === 'events' ? reading.gathered() : reading.whole(this.#answer.toString());
      return told ? JSON.stringify(told) : notJson();
    } catch (error) {
      // It is nested too deep, or has too many parts.
      return error instanceof Refusal ? error : notJson();
    }
  }

  failed(why: 'unreachable' | 'silent' | 'died', detail: string): void {
    if (this.#isOver) return;
    if (why === 'died') return void this.#died(detail);
    if (why === 'silent') return void this.#failed(new Refusal('engine_silent'));
    this.#failed(this.#hasDied ? new Refusal('engine_died') : new Refusal('engine_failed', { detail }));
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

  /** A client that has heard nothing is answered by another worker, and pays for that answer alone. */
  #died(detail: string): void {
    const engine = this.#engine;
    const { asked, res, kept } = this.#parts;
    if (asked.isStream || this.#isDeserted || res.headersSent || !engine)
      return void this.#breaks(new Refusal('engine_died'));
    this.#hasDied = true;
    this.#stopStall();
    kept?.forget();
    [this.#shape, this.reading] = this.#anew();
    this.#cutter = new EventCutter();
    this.#answer = new GatheredBlocks();
    this.#values = new JsonSize();
    this.#size = 0;
    engine.again(detail);
  }

  /** Its engine is to blame. Half a stream costs what came; of any other answer its client gets nothing. */
  #breaks(refusal: Refusal): void {
    this.#giveUp(refusal, this.#parts.asked.isStream ? 'broken' : 'failed');
  }

  #events(part: Buffer): boolean {
    const { asked, res } = this.#parts;
    const before = this.reading.pieces;
    const out = this.#read(part);
    // The part before a break is passed on, and paid.
    if (out !== '' && asked.isStream) this.#write(out);
    const { failure, isBeyond, pieces } = this.reading;
    if (failure !== undefined) this.#engineFailed(failure);
    else if (out === undefined || isBeyond || this.#isTooLarge) this.#breaks(new Refusal('engine_ran_on'));
    else if (this.#isTooLikely) this.#breaks(tooLikely(asked));
    if (this.#isOver) return true;
    if (pieces > before) {
      if (this.firstAt === undefined) {
        this.firstAt = this.#parts.clock.monotonic();
        this.#parts.begins();
      }
      this.#watch();
    }
    return !(asked.isStream && res.writableNeedDrain);
  }

  /** The part that its client gets; undefined: it is no stream. */
  #read(part: Buffer): string | undefined {
    this.#size += part.length;
    let out = '';
    try {
      for (const event of this.#cutter.take(part)) {
        out += this.reading.event(event) ?? '';
        if (this.reading.failure !== undefined || this.reading.isBeyond) break;
      }
    } catch {
      return undefined;
    }
    return out;
  }

  get #isTooLarge(): boolean {
    const { most, asked } = this.#parts;
    if (this.#size > (most + MORE_PIECES) * MOST_BYTES_OF_A_PIECE) return true;
    const isWrittenAgain = !asked.isStream || asked.endpoint === '/v1/responses';
    return isWrittenAgain && this.reading.bytes > MOST_SAID_BYTES;
  }

  get #isTooLikely(): boolean {
    const { isStream, endpoint } = this.#parts.asked;
    const isRepeated = endpoint === '/v1/responses';
    if (isStream && !isRepeated) return false;
    const most = MOST_LIKELY[isRepeated ? 'repeated' : 'whole'];
    const { letters, parts } = this.reading.likely;
    return letters > most.letters || parts > most.parts;
  }

  #write(out: string | undefined): void {
    const { res } = this.#parts;
    if (out === undefined || res.write(out) || this.#isHeldBack) return;
    this.#isHeldBack = true;
    res.once('drain', () => {
      this.#isHeldBack = false;
      this.#engine?.resume();
    });
  }

  /** Only what was generated keeps a stream open. */
  #watch(): void {
    this.#stopStall();
    this.#stopStall = this.#parts.clock.after(STALLED_MS, () => {
      if (!this.#isOver) this.#breaks(new Refusal('engine_silent'));
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
    const fault = clientFault(engine, asked, this.#status, this.#answer.toString());
    if (fault) return void this.#giveUp(fault, 'refused');
    if (this.#status === TOO_MANY) return void this.#failed(new Refusal('model_overloaded', { model: asked.model }));
    this.#failed(new Refusal('engine_failed', { detail: `it answered ${this.#status}` }));
  }

  /** In the midst of a stream. */
  #engineFailed(said: string): void {
    const { asked, engine } = this.#parts;
    const fault = clientFault(engine, asked, statusIn(said), said);
    if (fault && this.reading.pieces === 0) return void this.#giveUp(fault, 'refused');
    this.#breaks(fault ?? new Refusal('engine_failed', { detail: 'it said so in its stream' }));
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
    const { over } = this.#parts;
    if (!this.#isDeserted) over(outcome, status, this.#engine?.worker);
    // The tokens of an answer that nobody heard were read all the same.
    else over(outcome === 'answered' ? 'left' : outcome, CLIENT_LEFT, this.#engine?.worker);
    if (!this.#isDeserted) write();
  }

  #settle(): void {
    this.#isOver = true;
    this.#stopComments();
    this.#stopStall();
    this.#leaveQueue();
    this.#parts.res.off('close', this.#closed);
  }

  /** The client has left: its engine need not go on. What embeds or ranks says only at its end how much it has read. */
  readonly #closed = (): void => {
    if (this.#isOver) return;
    if (this.#engine && !this.#parts.asked.isStreamed) {
      this.#isDeserted = true;
      return;
    }
    this.#settle();
    this.#engine?.stop();
    this.#parts.over(this.#engine ? 'left' : 'refused', CLIENT_LEFT, this.#engine?.worker);
  };
}

const tooLikely = ({ endpoint }: Asked) =>
  endpoint === '/v1/responses'
    ? unsupportedValue(
        'top_logprobs',
        'The log probabilities of this response are too many: ask for fewer, or a shorter one.',
      )
    : unsupportedValue(
        'logprobs',
        'The log probabilities of this answer are too many for one piece: ask for a stream.',
      );

const notJson = () => new Refusal('engine_failed', { detail: 'what it answered is no JSON' });

/** The status of an error in a stream: engines write it into the error. */
function statusIn(said: string): number {
  const { error } = JSON.parse(said) as { error?: { code?: unknown } };
  return typeof error?.code === 'number' ? error.code : 500;
}
