// What others ask of organisations' data servers: reads what arrived, hands out the parts that it made of it, and answers about tables
// whose parts are in the object store. A server that breaks off, is busy or was replaced is asked again, and goes on with what is there.
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { DATA_REFUSALS } from '@gantry/contract/data-server-refusals.ts';
import { GAP } from '@gantry/contract/define-kind.ts';
import { type Problem, problem } from '@gantry/contract/http/problem.ts';
import { type Args, quoted, said } from '@gantry/contract/said.ts';
import { type Clock, pause, repeatedly } from '@gantry/kube/clock.ts';
import type { Aside } from '../../platform/aside/aside.ts';
import { StoreAway } from '../../platform/object-store/object-store.ts';
import { BadAnswer, Broken, type Way } from '../../platform/pods/call-pod.ts';
import { oneLine } from '../../platform/storable.ts';
import { SourceAway } from '../files/source.ts';
import { Refused } from './call.ts';
import { DataServer, type Progress } from './data-server.ts';
import type { Answer, Cells, Passage, RowDifference, TableFacts, Tuned } from './server-answers.ts';
import { NotPlaced, type ServerCluster, ServerPlace } from './server-place.ts';

export interface DataServersParts {
  cluster: ServerCluster;
  blobs: {
    read(digest: string, range: { from: number; to: number }, signal: AbortSignal): Promise<Readable>;
  };
  aside: Aside;
  clock: Clock;
}

export interface ToRead {
  /** A folder of the server's, such as out/dsv-1: one for each version. */
  out: string;
  inputs: readonly { name: string; digest: string; sizeBytes: number }[];
}

/** A part of a table, as the store has it. */
export interface StoredPart {
  sha256: string;
  bytes: number;
}

/** A knowledge base's files, by what they are. */
export interface StoredBase {
  chunks: readonly StoredPart[];
  vectors?: StoredPart | undefined;
  words?: StoredPart | undefined;
}

/** What turns conversations into tokens, of a model's files. */
export interface TokenizerFiles {
  tokenizer?: StoredPart | undefined;
  config?: StoredPart | undefined;
  template?: StoredPart | undefined;
  special?: StoredPart | undefined;
}

export interface Filter {
  column: string;
  atLeast?: number | string;
  below?: number | string;
  equals?: number | string | boolean;
  lengthAtLeast?: number;
  lengthBelow?: number;
  isNull?: boolean;
}

export type Tell = (progress: Progress) => void;

const SECOND_MS = 1000;
/** Somebody waits for the answer: within the limit of an ordinary call. */
const WAITS_MS = 10 * SECOND_MS;
/** Nobody does: a node may have to fetch the image first. */
const STARTS_WITHIN_MS = 5 * 60 * SECOND_MS;
const KEPT_EVERY_MS = 60 * SECOND_MS;
/** The server keeps parts for a minute after each call that names them. */
const PARTS_KEPT_EVERY_MS = 20 * SECOND_MS;
/** All parts of a question arrive within this time and that of their bytes at the least rate; no correction of the server extends it. */
const SHIPS_WITHIN_MS = 10 * 60 * SECOND_MS;
const LEAST_BYTES_PER_MS = 2 ** 20 / SECOND_MS;
const AGAIN_SECONDS = 3;
const FIRST_PAUSE_MS = 500;
const MOST_PAUSE_MS = 30 * SECOND_MS;
/** In a row, with nothing gained in between. */
const MOST_FAILURES = { inBackground: 10, whileWaited: 3 } as const;
const MOST_WHY = 500;
const TOO_SLOW = 'the data server takes too long to take the parts of a table';
/** A tenth of a GiB. */
const GI10 = 2 ** 30 / 10;
const PARTS = 'in/parts';

/** Codes of the server by what becomes of them; data, SQL or a request that is not in order otherwise. */
const BUSY = ['Busy', 'InUse'];
const NOT_THERE = ['NoSuchFile', 'NotAFile'];
const PASSING = [...BUSY, ...NOT_THERE];
const FULL = 'DiskFull';
const TOO_MUCH = ['TooSlow', 'TooMuchMemory', 'AnswerTooLong', 'TooLarge', FULL];
const REFUSALS = [
  ...['ArchiveBroken', 'ArchiveInArchive', 'BadField', 'ColumnNameTooLong', 'DocumentBroken', 'ExpandsTooFar'],
  ...['KeyNotUnique', 'Locked', 'NoRows', 'NotAllowed', 'NotOneSelect', 'NothingInCommon', 'QueryFailed', 'ReaderDied'],
  ...['RowTooLong', 'SeveralKinds', 'TableBroken', 'TooManyColumns', 'TooManyFiles', 'TooManyPages'],
  ...['VectorsBroken', 'WordsBroken'],
  ...['NoSuchColumn', 'TemplateBroken', 'TemplateMissing', 'TokenizerBroken', 'TokenizerMissing'],
];

interface Shipment {
  done: number;
  readonly of: number;
  readonly ended: Promise<unknown>;
}

interface Tries {
  failures: number;
  /** For the server to be there. */
  waitMs: number;
  /** After which nothing is tried again, by the monotonic clock. */
  deadline?: number;
  /** Codes that another try may not meet. */
  passing: readonly string[];
  signal: AbortSignal;
}

/** A server that is there, and what hears of each step forwards. */
type Work<T> = (server: DataServer, moved: () => void, way: Way) => Promise<T>;

export class DataServers {
  readonly #parts: DataServersParts;
  readonly #place: ServerPlace;
  readonly #ender = new AbortController();
  readonly #shipments = new Map<string, Shipment>();

  constructor(parts: DataServersParts) {
    this.#parts = parts;
    this.#place = new ServerPlace(parts.cluster, parts.clock);
  }

  /**
   * The facts of what is read, whose parts `part` hands out. The same wish goes on where an earlier one ended. Throws
   * dataset_profile_failed, SourceAway.
   */
  async profile(id: string, wish: ToRead, tell: Tell, signal: AbortSignal): Promise<TableFacts> {
    const folder = inputsOf(wish);
    const inputs = wish.inputs.map((input) => ({ ...input, path: `${folder}/${input.digest.slice(0, DIGITS)}` }));
    const files = [...new Map(inputs.map((input) => [input.path, input])).values()];
    const of = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const reading = this.#inBackground(id, signal, async (server, moved) => {
      const sent = new Map<string, number>();
      for (const { path, digest, sizeBytes } of files) {
        await server.put(path, sizeBytes, this.#bytesOf(digest), (bytes) => {
          if (bytes > (sent.get(path) ?? 0)) moved();
          sent.set(path, bytes);
          tell({ step: 'sending', done: sumOf(sent), of });
        });
      }
      const asked = { out: wish.out, inputs: inputs.map(({ path, name }) => ({ path, name })) };
      return server.profile(asked, (progress) => {
        moved();
        tell(progress);
      });
    });
    return reading.catch((error: unknown) => {
      throw signal.aborted ? error : readingFailed(error);
    });
  }

  /** The bytes of a part of its own, from a place on; whoever keeps them checks their digest. Throws SourceAway. */
  async *part(id: string, path: string, from: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    try {
      const way = await this.#place.reach(id, STARTS_WITHIN_MS, signal);
      yield* new DataServer(way, this.#parts.aside, signal).get(path, from);
    } catch (error) {
      throw isOfServer(error) ? new SourceAway(error.message, { cause: error }) : error;
    }
  }

  /** Removes what a wish has left on a server that is there. Never rejects. */
  async forget(id: string, wish: Pick<ToRead, 'out'>): Promise<void> {
    try {
      const way = this.#place.reached(id);
      if (!way) return;
      const server = new DataServer(way, this.#parts.aside, this.#ender.signal);
      await server.remove(wish.out);
      await server.remove(inputsOf(wish));
    } catch {
      // It goes with the server.
    }
  }

  query(
    id: string,
    tables: Readonly<Record<string, readonly StoredPart[]>>,
    sql: string,
    signal: AbortSignal,
  ): Promise<Answer<'query'>> {
    const named = Object.entries(tables).map(([name, parts]) => [name, parts.map(pathOf)]);
    return this.#answered(id, Object.values(tables).flat(), signal, (server) =>
      server.task('query', { sql, tables: Object.fromEntries(named) }),
    );
  }

  find(
    id: string,
    table: readonly StoredPart[],
    asked: { filters: readonly Filter[]; sort?: { column: string; descending: boolean }; from: number; limit: number },
    signal: AbortSignal,
  ): Promise<Answer<'find'>> {
    return this.#answered(id, table, signal, (server) => server.task('find', { table: table.map(pathOf), ...asked }));
  }

  search(
    id: string,
    table: readonly StoredPart[],
    asked: { text: string; columns?: readonly string[]; from: number; limit: number },
    signal: AbortSignal,
  ): Promise<Cells & { numbers: number[]; next: number | null }> {
    return this.#answered(id, table, signal, (server) => server.task('search', { table: table.map(pathOf), ...asked }));
  }

  diff(
    id: string,
    before: readonly StoredPart[],
    after: readonly StoredPart[],
    asked: { key?: readonly string[]; limit: number },
    signal: AbortSignal,
  ): Promise<RowDifference> {
    return this.#answered(id, [...before, ...after], signal, (server) =>
      server.task('diff', { before: before.map(pathOf), after: after.map(pathOf), ...asked }),
    );
  }

  /** Resolves once these are on the server: what is paid for afterwards is not asked in vain. Throws what the others throw. */
  bring(id: string, parts: readonly StoredPart[], signal: AbortSignal): Promise<void> {
    return this.#answered(id, parts, signal, async () => {});
  }

  /**
   * The chunks that are nearest to a vector (or were found to be: chunk and score, best first), those that have the words of a text, or
   * both merged; best first.
   */
  async retrieve(
    id: string,
    { chunks, vectors, words }: StoredBase,
    asked: {
      vector?: readonly number[];
      nearest?: readonly (readonly [chunk: number, score: number])[];
      text?: string;
      k: number;
    },
    signal: AbortSignal,
  ): Promise<Passage[]> {
    const parts = [...chunks, ...(vectors ? [vectors] : []), ...(words ? [words] : [])];
    const wish = {
      chunks: chunks.map(pathOf),
      ...(vectors && { vectors: pathOf(vectors) }),
      ...(words && { words: pathOf(words) }),
      ...asked,
    };
    const { rows } = await this.#answered(id, parts, signal, (server) => server.task('retrieve', wish));
    return rows;
  }

  /** What a task would do with a table: its first rows, and without asking a model. */
  preview(
    id: string,
    parts: readonly StoredPart[],
    recipe: { input: object },
    signal: AbortSignal,
  ): Promise<Answer<'preview'>> {
    const input = { ...recipe.input, parts: parts.map((part) => ({ path: pathOf(part) })) };
    return this.#answered(id, parts, signal, (server) => server.task('preview', { recipe: { ...recipe, input } }));
  }

  /** What fine-tuning would train on: rows of each of these tables as tokens of that base, `wish` as its protocol has it. */
  tune(
    id: string,
    sets: readonly (readonly StoredPart[])[],
    base: TokenizerFiles,
    wish: { objective: string; columns: object; maxLength: number },
    signal: AbortSignal,
  ): Promise<Tuned> {
    const files = Object.entries(base).flatMap(([name, file]) => (file ? [[name, file] as const] : []));
    const paths = Object.fromEntries(files.map(([name, file]) => [name, pathOf(file)]));
    const parts = [...sets.flat(), ...files.map(([, file]) => file)];
    const request = { ...wish, data: sets.map((one) => one.map(pathOf)), base: paths };
    return this.#answered(id, parts, signal, (server) => server.task('tune', request));
  }

  stop(): void {
    this.#ender.abort();
  }

  /**
   * Throws dataset_preparing, dataset_query_refused, dataset_query_too_much, dataset_query_too_large, dataset_server_failed, unavailable,
   * model_store_away.
   */
  async #answered<T>(
    id: string,
    parts: readonly StoredPart[],
    signal: AbortSignal,
    work: (server: DataServer) => Promise<T>,
  ): Promise<T> {
    const deadline = this.#parts.clock.monotonic() + WAITS_MS;
    try {
      const tries = { failures: MOST_FAILURES.whileWaited, waitMs: WAITS_MS, deadline, passing: PASSING, signal };
      return await this.#persist(id, tries, async (server, _moved, way) => {
        await this.#shipped(way, parts, deadline, signal);
        return work(server);
      });
    } catch (error) {
      throw signal.aborted ? error : answerOf(error);
    }
  }

  /** Resolves once all are there. What takes longer than somebody waits goes on by itself, and is asked for again. */
  async #shipped(way: Way, parts: readonly StoredPart[], deadline: number, signal: AbortSignal): Promise<void> {
    const key = createHash('sha256')
      .update(JSON.stringify([way.id, parts.map(pathOf)]))
      .digest('hex');
    const shipment = this.#shipments.get(key) ?? this.#ship(key, way.id, parts);
    const left = Math.max(0, deadline - this.#parts.clock.monotonic());
    const isLate = Symbol('late');
    const over = new AbortController();
    try {
      const late = pause(this.#parts.clock, left, AbortSignal.any([signal, over.signal])).then(() => isLate);
      if ((await Promise.race([shipment.ended, late])) !== isLate) return;
    } finally {
      over.abort();
    }
    signal.throwIfAborted();
    throw preparing(shipment);
  }

  #ship(key: string, id: string, parts: readonly StoredPart[]): Shipment {
    const { clock } = this.#parts;
    const sizes = new Map(parts.map((part) => [pathOf(part), part.bytes]));
    const of = sumOf(sizes);
    const late = new AbortController();
    const cancel = clock.after(SHIPS_WITHIN_MS + of / LEAST_BYTES_PER_MS, () => late.abort(new SourceAway(TOO_SLOW)));
    const signal = AbortSignal.any([this.#ender.signal, late.signal]);
    const sent = new Map<string, number>();
    const send = async (server: DataServer, moved: () => void) => {
      for (const part of parts) {
        await server.put(pathOf(part), part.bytes, this.#bytesOf(part.sha256), (bytes) => {
          if (bytes > (sent.get(pathOf(part)) ?? 0)) moved();
          sent.set(pathOf(part), bytes);
          shipment.done = sumOf(sent);
        });
      }
    };
    const ended = this.#inBackground(id, signal, async (server, moved) => {
      const paths = [...sizes.keys()];
      demandRoom(of, await server.keep(paths));
      const over = new AbortController();
      const each = { clock, ms: PARTS_KEPT_EVERY_MS, signal: AbortSignal.any([signal, over.signal]) };
      void pause(clock, each.ms, each.signal).then(() =>
        repeatedly(
          each,
          () => server.keep(paths),
          () => {},
        ),
      );
      await send(server, moved).finally(() => over.abort());
    })
      .catch((error: unknown) => {
        throw answerOf(error);
      })
      .finally(() => {
        cancel();
        this.#shipments.delete(key);
      });
    const shipment: Shipment = { done: 0, of, ended };
    // Nobody may be waiting for it any more.
    ended.catch(() => {});
    this.#shipments.set(key, shipment);
    return shipment;
  }

  async #inBackground<T>(id: string, signal: AbortSignal, work: Work<T>): Promise<T> {
    const over = new AbortController();
    const kept = repeatedly(
      { clock: this.#parts.clock, ms: KEPT_EVERY_MS, signal: AbortSignal.any([signal, over.signal]) },
      () => this.#place.keep(id),
      () => {},
    );
    try {
      // Tables that others used a minute ago then make room.
      const passing = [...PASSING, FULL];
      const tries = { failures: MOST_FAILURES.inBackground, waitMs: STARTS_WITHIN_MS, passing, signal };
      return await this.#persist(id, tries, work);
    } finally {
      over.abort();
      await kept;
    }
  }

  async #persist<T>(
    id: string,
    { failures: most, waitMs, deadline = Number.POSITIVE_INFINITY, passing, signal }: Tries,
    work: Work<T>,
  ): Promise<T> {
    const { aside, clock } = this.#parts;
    let failures = 0;
    const moved = () => {
      failures = 0;
    };
    for (;;) {
      const way = await this.#place.reach(id, waitMs, signal);
      try {
        return await work(new DataServer(way, aside, signal), moved, way);
      } catch (error) {
        signal.throwIfAborted();
        if (!mayPass(error, passing) || failures >= most || clock.monotonic() >= deadline) throw error;
        await pause(clock, Math.min(MOST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures), signal);
        failures++;
      }
    }
  }

  readonly #bytesOf = (digest: string) => (range: { from: number; to: number }, signal: AbortSignal) =>
    this.#parts.blobs.read(digest, range, signal);
}

/** Enough to tell the files of a version apart: a list of 20,000 has to fit into a request. */
const DIGITS = 24;

const pathOf = ({ sha256 }: StoredPart): string => `${PARTS}/${sha256}`;
const inputsOf = ({ out }: Pick<ToRead, 'out'>): string => `in/${out.slice('out/'.length)}`;
const sumOf = (sent: ReadonlyMap<string, number>): number => [...sent.values()].reduce((a, b) => a + b, 0);

/** The connection broke, others have their turn, or the server is another one, which has nothing yet. */
const mayPass = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof Broken || (error instanceof Refused && codes.includes(error.code));

const isOfServer = (error: unknown): error is Error =>
  error instanceof Broken || error instanceof BadAnswer || error instanceof Refused || error instanceof NotPlaced;

/** Its sentence is a stranger's. */
const whyOf = ({ message }: Error): string => oneLine(message.replace(/\s+/g, ' ')).slice(0, MOST_WHY);

/** Ours where it is one of those that have words, and it says all that stands in them; numbers and names are its own. */
function reasonOf(error: Refused): Args {
  const known = Object.entries(error.values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, `${value}`]],
  );
  const words = Object.hasOwn(DATA_REFUSALS, error.code) && DATA_REFUSALS[error.code as keyof typeof DATA_REFUSALS];
  const told = words && said(words, Object.fromEntries(known));
  return told && !told.message.match(GAP) ? quoted('why', told) : { why: whyOf(error) };
}

const isOfData = (error: unknown): error is Refused =>
  error instanceof Refused && [...REFUSALS, ...TOO_MUCH].includes(error.code);

function readingFailed(error: unknown): unknown {
  if (isOfData(error)) return problem('dataset_profile_failed', reasonOf(error));
  return isOfServer(error) ? new SourceAway(whyOf(error), { cause: error }) : error;
}

/** Without this, parts would make room for each other for ever. */
function demandRoom(bytes: number, most: number): void {
  if (bytes <= most) return;
  throw problem('dataset_query_too_large', { size: Math.ceil(bytes / GI10) / 10, most: Math.floor(most / GI10) / 10 });
}

function answerOf(error: unknown): unknown {
  const later = { retryAfterSeconds: AGAIN_SECONDS, cause: error };
  if (error instanceof NotPlaced) {
    const { detail } = error;
    return detail === undefined ? preparing() : problem('dataset_server_failed', { detail }, later);
  }
  if (error instanceof Refused && TOO_MUCH.includes(error.code)) return problem('dataset_query_too_much');
  if (isOfData(error)) return problem('dataset_query_refused', reasonOf(error));
  if (error instanceof StoreAway) return problem('model_store_away', {}, later);
  return isOfServer(error) || error instanceof SourceAway
    ? problem('unavailable', { seconds: AGAIN_SECONDS }, later)
    : error;
}

function preparing({ done, of }: Pick<Shipment, 'done' | 'of'> = { done: 0, of: 0 }): Problem {
  const percent = of > 0 ? Math.min(99, Math.floor((done / of) * 100)) : 0;
  return problem('dataset_preparing', { percent }, { retryAfterSeconds: AGAIN_SECONDS });
}
