// A data server that is there, as one object: each row of its protocol (data-worker/README.md) is a method.

import type { Readable } from 'node:stream';
import { PROFILE_STEPS, type ProfileStep } from '@gantry/contract/areas/datasets/tables.ts';
import * as z from 'zod';
import type { Aside } from '../../platform/aside/aside.ts';
import { parseJson } from '../../platform/json-size.ts';
import { BadAnswer, Broken, brokenBy, type Call, paced, type Way } from '../../platform/pods/call-pod.ts';
import { ask, begin, checked, Refused } from './call.ts';
import { isShort, LastLine, TooManyBytes } from './last-line.ts';
import type { Answer, TableFacts } from './server-answers.ts';

const MIB = 1024 * 1024;
/** The most that the server takes at once. */
const PIECE_BYTES = 64 * MIB;
/** More than all rows of an answer have. */
const MOST_ANSWER_BYTES = 8 * MIB;
const MOST_LINES = { lineBytes: 4 * MIB, allBytes: 64 * MIB };
/** A part has 512 MB, and its last row group. */
const MOST_PART_BYTES = 2048 * MIB;
const SECOND_MS = 1000;
const IDLE_MS = 60 * SECOND_MS;
/** As long as its tasks take at the most, and wait for their turn. */
const DEADLINES_SECONDS = { query: 25, find: 40, search: 30, retrieve: 40, preview: 60, tune: 60, diff: 630 } as const;
type TaskName = keyof typeof DEADLINES_SECONDS;
/** Once an hour is over, it has ended the task. */
const PROFILE_MS = 3_700 * SECOND_MS;
/** How often a server may correct where a file goes on, without anything more of it being there. */
const MOST_CORRECTIONS = 5;

export interface Progress {
  step: ProfileStep;
  done?: number;
  of?: number;
}
const PROGRESS = z.object({
  progress: z.object({
    step: z.enum(PROFILE_STEPS),
    done: z.number().min(0).optional(),
    of: z.number().min(0).optional(),
  }),
});

/** Where a file's bytes come from: those from one place to another, both included. */
export type ReadRange = (range: { from: number; to: number }, signal: AbortSignal) => Promise<Readable>;

export interface ProfileRequest {
  out: string;
  inputs: readonly { path: string; name: string }[];
}

export class DataServer {
  readonly #way: Way;
  readonly #aside: Aside;
  readonly #signal: AbortSignal;

  constructor(way: Way, aside: Aside, signal: AbortSignal) {
    this.#way = way;
    this.#aside = aside;
    this.#signal = signal;
  }

  /** A file below in/, from where it broke off. `moved` hears how much of it is there. */
  async put(path: string, size: number, read: ReadRange, moved: (bytes: number) => void): Promise<void> {
    // An empty piece at its end says how much is there.
    let at = await this.#piece(path, size, size, 0);
    moved(Math.min(at, size));
    for (let corrections = 0; at !== size; ) {
      if (at > size) {
        await this.remove(path);
        at = 0;
      }
      const length = Math.min(PIECE_BYTES, size - at);
      const body = await read({ from: at, to: at + length - 1 }, this.#signal);
      const there = await this.#piece(path, size, at, length, body).finally(() => body.destroy());
      corrections = there > at ? 0 : corrections + 1;
      if (corrections > MOST_CORRECTIONS) throw new BadAnswer('it takes nothing of a file');
      at = there;
      moved(Math.min(at, size));
    }
  }

  /** How much is there afterwards, whether it took the piece or not. */
  async #piece(path: string, size: number, offset: number, length: number, bytes?: Readable): Promise<number> {
    const body = { bytes: bytes ?? '', length };
    try {
      const call = this.#call('PUT', '/file', { path, offset: `${offset}` }, body);
      const answer = await this.#ask(call, 'put');
      if (answer.bytes !== offset + length) throw new BadAnswer(`it says ${answer.bytes} bytes of ${size} are there`);
      return answer.bytes;
    } catch (error) {
      if (error instanceof Refused && error.code === 'WrongOffset' && error.values.bytes !== undefined)
        return error.values.bytes;
      throw error;
    }
  }

  /** Resolves with the facts. Progress that nobody understands is not passed on. */
  async profile(wish: ProfileRequest, tell: (progress: Progress) => void): Promise<TableFacts> {
    const call = this.#call('POST', '/profile', {}, json(wish), PROFILE_MS);
    const answer = await begin(this.#way, call, this.#aside);
    const lines = new LastLine(MOST_LINES);
    try {
      for await (const piece of paced(answer)) {
        const progress = progressIn(lines.add(piece));
        if (progress) tell(progress);
      }
    } catch (error) {
      throw error instanceof TooManyBytes ? new BadAnswer(error.message) : brokenBy(error);
    }
    const { last } = lines;
    if (!last || (isShort(last) && progressIn(last))) throw new Broken('the data server broke off its report');
    const said = await checked(this.#way, last, 'profile', this.#aside);
    if ('problem' in said) throw new Refused(said.problem);
    const strange = said.done.parts.find(({ path }) => !isBelow(path, wish.out));
    if (strange) throw new BadAnswer(`it made a part in another place: ${strange.path.slice(0, 100)}`);
    return said.done;
  }

  /** The bytes of a file below out/, from a place on: no more than the answer declares. */
  async *get(path: string, from: number): AsyncGenerator<Uint8Array> {
    const answer = await begin(this.#way, this.#call('GET', '/file', { path, offset: `${from}` }), this.#aside);
    try {
      const length = Number(answer.headers['content-length']);
      if (!(length <= MOST_PART_BYTES)) throw new BadAnswer('it sends a part without a length, or a huge one');
      yield* paced(answer);
    } catch (error) {
      throw brokenBy(error);
    } finally {
      answer.destroy();
    }
  }

  /** A file or a folder; one that is gone is no error. */
  async remove(path: string): Promise<void> {
    await this.#ask(this.#call('DELETE', '/file', { path }), 'removed');
  }

  /** They make no room for a minute, those that are still to come included. Resolves with what the disk holds at most, in bytes. */
  async keep(paths: readonly string[]): Promise<number> {
    return (await this.#ask(this.#call('POST', '/keep', {}, json({ paths })), 'kept')).bytesMost;
  }

  /** The other tasks, by their names. */
  task<Name extends TaskName>(name: Name, request: object): Promise<Answer<Name>> {
    const deadlineMs = DEADLINES_SECONDS[name] * SECOND_MS;
    return this.#ask({ ...this.#call('POST', `/${name}`, {}, json(request), deadlineMs), idleMs: deadlineMs }, name);
  }

  #call(
    method: Call['method'],
    path: string,
    query: Call['query'] & object,
    body?: Call['body'],
    deadlineMs?: number,
  ): Call {
    const signal =
      deadlineMs === undefined ? this.#signal : AbortSignal.any([this.#signal, AbortSignal.timeout(deadlineMs)]);
    return { method, path, query, ...(body && { body }), idleMs: IDLE_MS, signal };
  }

  #ask<Name extends 'put' | 'removed' | 'kept' | TaskName>(call: Call, shape: Name): Promise<Answer<Name>> {
    return ask(this.#way, call, { shape, mostBytes: MOST_ANSWER_BYTES }, this.#aside);
  }
}

function json(request: object): NonNullable<Call['body']> {
  const bytes = JSON.stringify(request);
  return { bytes, length: Buffer.byteLength(bytes) };
}

function progressIn(line: Uint8Array | undefined): Progress | undefined {
  if (!line) return undefined;
  try {
    const { step, done, of } = PROGRESS.parse(parseJson(Buffer.from(line).toString(), 10)).progress;
    return { step, ...(done !== undefined && { done }), ...(of !== undefined && { of }) };
  } catch {
    return undefined;
  }
}

/** One file right in the folder. */
const isBelow = (path: string, folder: string): boolean =>
  path.startsWith(`${folder}/`) && /^[A-Za-z0-9_][A-Za-z0-9._=@+-]{0,127}$/.test(path.slice(folder.length + 1));
