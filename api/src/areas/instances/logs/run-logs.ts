// The log of one run of an object of any kind, or of a replica of it: while its Pod is there, from the kubelet, through the API server, as the calling
// member; after that what is kept of it.
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { KindReplicas, KindRuns, KnownRun } from '@gantry/contract/kind-api.ts';
import { ApiError } from '@gantry/kube/api-error.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { MOST_SOCKETS } from '@gantry/kube/credentials.ts';
import { coreResource } from '@gantry/kube/resource.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { serviceAccountOf } from '../../../platform/pods/service-account.ts';
import { type KeptLogs, NoKeptLog } from './kept-logs.ts';
import { type Selection, selectLines, tailOf } from './select-lines.ts';

/** A kind whose objects run programs. */
export type RunningKind = KindFacts & { api: { runs: KindRuns } };

/** A kind whose objects have replicas. */
export type ReplicatedKind = KindFacts & { api: { replicas: KindReplicas } };

export interface LogWanted extends Omit<Selection, 'sinceMs'> {
  follow: boolean;
  tail?: number | undefined;
  /** RFC 3339. */
  since?: string | undefined;
  /** For a container that was started again: the log of the one before. */
  previous?: boolean | undefined;
}

type Write = (lines: AsyncIterable<Buffer>, signal: AbortSignal) => Promise<void>;
interface Limits {
  limitMs: number;
  signal: AbortSignal;
}

/** An object, and the API server of the cluster that has it, as a user sees it. */
export interface Logged {
  object: KubeObject;
  as: (user: string) => Pick<KubeClient, 'stream'>;
  /** The name of its data centre, if that is not ours. */
  elsewhere?: string | undefined;
}

export interface RunLogsParts {
  find: (kind: { kind: string }, namespace: string, name: string) => Logged | undefined;
  kept: Pick<KeptLogs, 'read'>;
  mostPerAccount?: number;
  /** The longest time to read a log that is not followed. */
  readMs?: number;
}

const POD = coreResource('pods', 'Pod');
const MOST_PER_ACCOUNT = 16;
const MOST_PER_ORGANIZATION = 64;
/** A log that is followed holds a connection to the API server: half of them are for everything else. */
const MOST_IN_ALL = MOST_SOCKETS / 2;
/** Longer than anybody looks; who still does connects again. */
const FOLLOW_MS = 12 * 3_600_000;
const READ_MS = 10 * 60_000;
const AGAIN_S = 2;
/** The bytes whose lines are searched without a pause. */
const SLICE_BYTES = 8 * 1024;

export class RunLogs {
  readonly #parts: RunLogsParts;
  readonly #reading = new Map<string, number>();
  #total = 0;
  readonly #stopping = new AbortController();

  constructor(parts: RunLogsParts) {
    this.#parts = parts;
  }

  /** Throws not_found. */
  runs(caller: Caller, facts: RunningKind, id: string): readonly KnownRun[] {
    return facts.api.runs.of(this.#find(caller, facts, id).object);
  }

  /**
   * Calls `write` with the lines as they come, once they begin to; it ends by the signal it gets. `part`: 0 is the first, and the
   * only one of most kinds. Throws not_found, container_not_running, log_not_kept, placed_elsewhere, too_many_logs, unavailable.
   */
  async read(
    caller: Caller,
    facts: RunningKind,
    { id, number, part = 0 }: { id: string; number: number; part?: number | undefined },
    wanted: LogWanted,
    callers: AbortSignal,
    write: Write,
  ): Promise<void> {
    const found = this.#find(caller, facts, id);
    const run = facts.api.runs.of(found.object).find((one) => one.seq === number && (one.part ?? 0) === part);
    if (!run)
      throw problem('not_found', { what: facts.api.runs.hasParts ? `${id}/${number}/${part}` : `${id}/${number}` });
    const goesOn = wanted.follow && !run.log;
    await this.#send(caller, { ...wanted, follow: goesOn }, callers, write, (limits) =>
      this.#source(caller, facts, found, run, wanted, limits),
    );
  }

  /** The same of a replica that there is now. */
  async readReplica(
    caller: Caller,
    facts: ReplicatedKind,
    { id, pod }: { id: string; pod?: string | undefined },
    wanted: LogWanted,
    callers: AbortSignal,
    write: Write,
  ): Promise<void> {
    const found = this.#find(caller, facts, id);
    const place = facts.api.replicas.podsOf(found.object).find((one) => pod === undefined || one.pod === pod);
    if (!place)
      throw pod === undefined ? problem('container_not_running') : problem('not_found', { what: `${id}/${pod}` });
    const absent = wanted.previous ? 'log_not_kept' : 'container_not_running';
    await this.#send(caller, wanted, callers, write, (limits) =>
      this.#live(caller, found, place, wanted, limits, absent),
    );
  }

  async #send(
    caller: Caller,
    wanted: LogWanted,
    callers: AbortSignal,
    write: Write,
    sourceOf: (limits: Limits) => Promise<AsyncIterable<Buffer>>,
  ): Promise<void> {
    const leave = this.#enter(caller);
    const over = new AbortController();
    const limitMs = wanted.follow ? FOLLOW_MS : (this.#parts.readMs ?? READ_MS);
    const timer = setTimeout(() => over.abort(), limitMs);
    const signal = AbortSignal.any([callers, this.#stopping.signal, over.signal]);
    try {
      const since = wanted.since === undefined ? undefined : Date.parse(wanted.since);
      const source = await sourceOf({ limitMs, signal });
      await write(selectLines(slicesOf(source), { ...wanted, sinceMs: since }), signal);
    } finally {
      clearTimeout(timer);
      leave();
    }
  }

  /** Ends whatever is followed. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Counts one more log that is read, until the function that it returns is called. Throws too_many_logs, unavailable. */
  #enter({ account, organization }: Caller): () => void {
    const most = this.#parts.mostPerAccount ?? MOST_PER_ACCOUNT;
    const shares = [
      { of: `person ${account.id}`, most },
      { of: `organization ${organization.id}`, most: MOST_PER_ORGANIZATION },
    ];
    if (shares.some((share) => (this.#reading.get(share.of) ?? 0) >= share.most))
      throw problem('too_many_logs', { most, all: MOST_PER_ORGANIZATION });
    if (this.#total >= MOST_IN_ALL) throw problem('unavailable', { seconds: AGAIN_S }, { retryAfterSeconds: AGAIN_S });
    const count = (by: number) => {
      this.#total += by;
      for (const { of } of shares) {
        const reading = (this.#reading.get(of) ?? 0) + by;
        if (reading > 0) this.#reading.set(of, reading);
        else this.#reading.delete(of);
      }
    };
    count(1);
    return () => count(-1);
  }

  #find({ organization }: Caller, facts: KindFacts, id: string): Logged {
    const found = this.#parts.find(facts, organization.namespace, id);
    if (!found) throw problem('not_found', { what: id });
    return found;
  }

  async #source(
    caller: Caller,
    facts: RunningKind,
    found: Logged,
    run: KnownRun,
    wanted: LogWanted,
    limits: Limits,
  ): Promise<AsyncIterable<Buffer>> {
    const { object, elsewhere } = found;
    // The registry there is not within our reach.
    if (run.log && elsewhere !== undefined)
      throw problem('placed_elsewhere', { what: object.metadata.name, region: elsewhere });
    if (run.log) return Readable.from([await this.#kept(caller, run.log, wanted, limits.signal)]);
    const place = facts.api.runs.podOf(object, run.seq, run.part);
    if (!place) throw problem('container_not_running');
    const absent = run.endedAt === undefined ? 'container_not_running' : 'log_not_kept';
    return this.#live(caller, found, place, wanted, limits, absent);
  }

  /** The live log of a Pod. `absent`: the meaning of a missing log. */
  async #live(
    caller: Caller,
    { object, as }: Logged,
    { pod, container }: { pod: string; container: string },
    wanted: LogWanted,
    limits: Limits,
    absent: 'container_not_running' | 'log_not_kept',
  ): Promise<AsyncIterable<Buffer>> {
    const { namespace = '' } = object.metadata;
    const query = {
      container,
      timestamps: true,
      follow: wanted.follow,
      ...(wanted.tail !== undefined && { tailLines: wanted.tail }),
      ...(wanted.since !== undefined && { sinceTime: wanted.since }),
      ...(wanted.previous && { previous: true }),
    };
    try {
      const user = as(serviceAccountOf(caller));
      const answer: Readable = await user.stream(POD, { namespace, name: pod }, 'log', query, limits);
      return answer;
    } catch (error) {
      // No such Pod, or its container has not begun, or the node has given its files up.
      const isAbsent = error instanceof ApiError && (error.code === 404 || error.code === 400);
      if (!isAbsent) throw error;
      throw problem(absent);
    }
  }

  async #kept(caller: Caller, log: NonNullable<KnownRun['log']>, { tail }: LogWanted, signal: AbortSignal) {
    if (log.bytes === 0) return Buffer.alloc(0);
    try {
      const text = await this.#parts.kept.read(caller, log, signal);
      return tail === undefined ? text : tailOf(text, tail);
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof NoKeptLog) throw problem('log_not_kept', {}, { cause: error });
      throw problem('unavailable', { seconds: AGAIN_S }, { retryAfterSeconds: AGAIN_S, cause: error });
    }
  }
}

/** A slice may be 8,192 lines: others have their turn after each. What a connection has is read without one, up to two megabytes. */
async function* slicesOf(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const bytes of source)
    for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
      yield bytes.subarray(from, from + SLICE_BYTES);
      await setImmediate();
    }
}
