// The agent in a task's Pod (agent/task), as one object: each row of its protocol is a method.
import type { IncomingMessage } from 'node:http';
import { type Aside, taskIn } from '../../platform/aside/aside.ts';
import { brokenBy, type Call, paced, readWhole, send, type Way } from '../../platform/pods/call-pod.ts';
import { readAside } from '../../platform/pods/read-aside.ts';
import type { Answer, AnswerName, readAnswer } from './task-lines.ts';

const READ_ANSWER = taskIn<typeof readAnswer>(new URL('task-lines.ts', import.meta.url), 'readAnswer');
const MIB = 1024 * 1024;
const MOST_JOURNAL_BYTES = 2 * MIB;
const MOST_ASKS_BYTES = 8 * MIB;
const MOST_WORD_BYTES = 4096;
/** Longer than the agent waits for something to say. */
const IDLE_MS = 40_000;
const OK = 200;
const NO_CONTENT = 204;
const NOT_FOUND = 404;
const CONFLICT = 409;

/** The agent says no: it has no such file or call, or what is asked for is not due. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;

  constructor(status: number, sentence: string) {
    super(sentence);
    this.status = status;
  }
}

/** The agent counts lines and calls from the beginning. */
export class Restarted extends Error {
  override readonly name = 'Restarted';
}

export class TaskDoor {
  readonly #way: Way;
  readonly #aside: Aside;
  /** What numbers of lines and calls belong to: a start of the agent. Empty before its first answer. */
  boot = '';

  constructor(way: Way, aside: Aside) {
    this.#way = way;
    this.#aside = aside;
  }

  /**
   * Lines after this number, as soon as there are any; those up to it are forgotten there. Throws Restarted, as every call does, where the
   * agent has started anew.
   */
  async journal(after: number, signal: AbortSignal): Promise<Answer<'journal'>> {
    const said = await this.#read('/journal', { after: `${after}` }, 'journal', MOST_JOURNAL_BYTES, signal);
    this.boot = said.boot;
    return said;
  }

  /** Calls that nobody has answered, with numbers above this one, as soon as there are any. */
  async asks(after: number, signal: AbortSignal): Promise<Answer<'asks'>['asks']> {
    return (await this.#read('/ask', { after: `${after}` }, 'asks', MOST_ASKS_BYTES, signal)).asks;
  }

  /** The bytes of a file from a place on. Throws Refused where it is not there. */
  async *file(path: string, from: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const answer = await this.#begin(this.#call('GET', '/file', { path, offset: `${from}` }, signal));
    try {
      yield* paced(answer);
    } catch (error) {
      throw brokenBy(error);
    } finally {
      answer.destroy();
    }
  }

  /** It is stored here: the Pod needs it no more. */
  kept(path: string, signal: AbortSignal): Promise<void> {
    return this.#tell(this.#call('POST', '/kept', { path }, signal));
  }

  /** Nothing happens where nobody waits for it any more. */
  async answer(id: number, status: number, body: string, signal: AbortSignal): Promise<void> {
    const call = this.#call('PUT', '/answer', { id: `${id}`, status: `${status}` }, signal, body);
    await this.#tell(call).catch((error: unknown) => {
      if (!(error instanceof Refused && error.status === NOT_FOUND)) throw error;
    });
  }

  /** Everything in it ends now, with this exit code. */
  refuse(code: number, signal: AbortSignal): Promise<void> {
    return this.#tell(this.#call('POST', '/refuse', { code: `${code}` }, signal));
  }

  /** Its container may end. */
  over(signal: AbortSignal): Promise<void> {
    return this.#tell(this.#call('POST', '/over', {}, signal));
  }

  async #read<Name extends AnswerName>(
    path: string,
    query: Record<string, string>,
    shape: Name,
    most: number,
    signal: AbortSignal,
  ): Promise<Answer<Name>> {
    const bytes = await readWhole(await this.#begin(this.#call('GET', path, query, signal)), most);
    const read = await readAside(this.#aside, READ_ANSWER, { bytes, shape, lane: this.#way.id });
    return read as Answer<Name>;
  }

  async #tell(call: Call): Promise<void> {
    await readWhole(await this.#begin(call), MOST_WORD_BYTES);
  }

  async #begin(call: Call): Promise<IncomingMessage> {
    const answer = await send(this.#way, call);
    const status = answer.statusCode ?? 0;
    if (status === OK || status === NO_CONTENT) return answer;
    const said = await readWhole(answer, MOST_WORD_BYTES);
    // A call that went out before the journal said which start this is tells nothing of another one.
    if (status === CONFLICT && this.boot !== '' && call.query?.boot === this.boot) throw new Restarted();
    throw new Refused(status, `the agent answers ${status}: ${Buffer.from(said).toString().slice(0, 300)}`);
  }

  #call(
    method: Call['method'],
    path: string,
    query: Record<string, string>,
    signal: AbortSignal,
    bytes?: string,
  ): Call {
    const body = bytes === undefined ? undefined : { bytes, length: Buffer.byteLength(bytes) };
    return {
      method,
      path,
      query: { ...query, ...(this.boot && { boot: this.boot }) },
      ...(body && { body }),
      idleMs: IDLE_MS,
      signal,
    };
  }
}
