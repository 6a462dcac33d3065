// One request on its way to a worker: sent over a kept connection, its answer handed on as it comes. It is sent to another worker
// only while nobody has answered: before the first byte.
import type { Clock } from '@gantry/kube/clock.ts';
import type { AnswerHead } from '../../platform/relay/answer-frame.ts';
import type { Replica } from '../../platform/relay/upstream.ts';
import type { Asker, Wire } from '../../platform/relay/wires.ts';
import type { Model } from './serving.ts';

/** Whoever asked. After `end` or `failed` nothing more comes. */
export interface Hearer {
  head(head: AnswerHead): void;
  /** False: no more until `resume`. The bytes are there during the call alone. */
  content(part: Buffer): boolean;
  end(): void;
  /** `why`: nobody could be reached, nobody answered in time, or the answer broke off. */
  failed(why: 'unreachable' | 'silent' | 'died', detail: string): void;
}

const MOST_TRIES = 3;
/** The statuses of an engine that has no room, or is not there yet: another one may have. */
const ELSEWHERE = new Set([429, 502, 503, 504]);

export interface EngineCallParts {
  model: Model;
  beginning: string;
  path: string;
  requestId: string;
  /** The body that this worker gets; undefined: it cannot answer this. */
  bodyFor: (pod: string) => string | undefined;
  isStreamed: boolean;
  clock: Pick<Clock, 'monotonic' | 'after'>;
  firstByteMs: number;
}

export class EngineCall {
  readonly #parts: EngineCallParts;
  readonly #hearer: Hearer;
  readonly #tried = new Set<Replica>();
  /** They have not what is asked for. */
  readonly #unable = new Set<Replica>();
  #attempt: Attempt | undefined;
  #cancelWait: () => void = () => {};

  constructor(parts: EngineCallParts, hearer: Hearer) {
    this.#parts = parts;
    this.#hearer = hearer;
    this.#wait();
    this.#go('no worker is ready');
  }

  /** Its worker broke off, and nobody has heard any of what it said: another one answers anew. */
  again(detail: string): void {
    const { model, clock } = this.#parts;
    const worker = [...this.#tried].at(-1);
    if (worker) model.upstream.avoid(worker, clock.monotonic());
    this.#attempt?.stop();
    this.#wait();
    this.#go(detail);
  }

  #wait(): void {
    const { clock, firstByteMs } = this.#parts;
    this.#cancelWait();
    this.#cancelWait = clock.after(firstByteMs, () => {
      this.stop();
      this.#hearer.failed('silent', 'no answer');
    });
  }

  /** The worker that has it, or had it last. */
  get worker(): string | undefined {
    return [...this.#tried].at(-1)?.pod;
  }

  /** Nobody wants the answer any more: the engine notices that its connection is closed. */
  stop(): void {
    this.#cancelWait();
    this.#attempt?.stop();
    this.#attempt = undefined;
  }

  resume(): void {
    this.#attempt?.resume();
  }

  /** `detail`: what came of the try before. */
  #go(detail: string): void {
    const { model, beginning, clock } = this.#parts;
    const { upstream, beginnings } = model;
    const worker =
      this.#tried.size < MOST_TRIES
        ? beginnings.pick(beginning, upstream.replicas, clock.monotonic(), this.#tried.union(this.#unable))
        : undefined;
    if (!worker) {
      this.#cancelWait();
      this.#hearer.failed('unreachable', detail);
      return;
    }
    const body = this.#parts.bodyFor(worker.pod);
    if (body === undefined) {
      this.#unable.add(worker);
      return void this.#go('no worker has this adapter yet');
    }
    this.#tried.add(worker);
    this.#ask(worker, body, false);
  }

  #ask(worker: Replica, body: string, isFresh: boolean): void {
    const { model, clock } = this.#parts;
    const attempt = new Attempt(worker, this.#request(worker, body), isFresh, {
      head: (head) => {
        const isElsewhere =
          ELSEWHERE.has(head.status) &&
          this.#tried.size < MOST_TRIES &&
          this.#tried.size + this.#unable.size < model.upstream.replicas.length;
        if (isElsewhere) {
          attempt.stop();
          model.upstream.avoid(worker, clock.monotonic());
          this.#go(`it answered ${head.status}`);
          return;
        }
        this.#cancelWait();
        this.#hearer.head(head);
      },
      content: (part) => this.#hearer.content(part),
      end: () => this.#hearer.end(),
      failed: (error, wasKept) => {
        if (attempt.isAnswered) {
          this.#hearer.failed('died', error.message);
          return;
        }
        // A connection that its engine had closed, as servers do with those that nobody uses.
        if (wasKept) return void this.#ask(worker, body, true);
        model.upstream.avoid(worker, clock.monotonic());
        this.#go(error.message);
      },
    });
    this.#attempt = attempt;
    attempt.begin();
  }

  /** Nothing of the client's own headers reaches an engine: its token is for us. */
  #request({ ip, port }: Replica, body: string): string {
    const { path, requestId, isStreamed } = this.#parts;
    const bytes = Buffer.from(body);
    return (
      `POST ${path} HTTP/1.1\r\nhost: ${ip.includes(':') ? `[${ip}]` : ip}:${port}\r\ncontent-type: application/json\r\n` +
      `accept: ${isStreamed ? 'text/event-stream' : 'application/json'}\r\nx-request-id: ${requestId}\r\n` +
      `content-length: ${bytes.length}\r\n\r\n${bytes.toString('latin1')}`
    );
  }
}

interface Heard {
  head(head: AnswerHead): void;
  content(part: Buffer): boolean;
  end(): void;
  failed(error: Error, wasKept: boolean): void;
}

/** One try at one worker. */
class Attempt implements Asker {
  isAnswered = false;
  readonly #worker: Replica;
  readonly #request: string;
  readonly #isFresh: boolean;
  readonly #heard: Heard;
  #wire: Wire | undefined;
  #isOver = false;
  /** All of the answer is there, and its connection is about to be kept for the next one. */
  #isWhole = false;

  constructor(worker: Replica, request: string, isFresh: boolean, heard: Heard) {
    this.#worker = worker;
    this.#request = request;
    this.#isFresh = isFresh;
    this.#heard = heard;
  }

  begin(): void {
    this.#worker.inFlight++;
    const wire = this.#worker.wires.ask(this, this.#request, { isFresh: this.#isFresh });
    if (this.#isOver) wire.destroy();
    else this.#wire = wire;
  }

  stop(): void {
    if (this.#isOver) return;
    this.#over();
    if (!this.#isWhole) this.#wire?.destroy();
  }

  resume(): void {
    if (!this.#isOver) this.#wire?.resume();
  }

  sent(): void {}

  head(head: AnswerHead, whole: string | undefined): void {
    if (this.#isOver) return;
    this.isAnswered = true;
    this.#isWhole = whole !== undefined;
    this.#heard.head(head);
    if (whole !== undefined && whole !== '' && !this.#isOver) this.#heard.content(Buffer.from(whole, 'latin1'));
  }

  content(part: Buffer): boolean {
    return this.#isOver || this.#heard.content(part);
  }

  end(): void {
    if (this.#isOver) return;
    this.#over();
    this.#heard.end();
  }

  failed(error: Error, wasKept: boolean): void {
    if (this.#isOver) return;
    this.#over();
    this.#heard.failed(error, wasKept);
  }

  #over(): void {
    this.#isOver = true;
    this.#worker.inFlight--;
  }
}
