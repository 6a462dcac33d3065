// The log of one run of an object of any kind: while its Pod is there, from the kubelet, through the API server, as the calling
// member; after that what is kept of it.
import type { Readable } from 'node:stream';
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { KindRuns, KnownRun } from '@gantry/contract/kind-api.ts';
import { ApiError } from '@gantry/kube/api-error.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { coreResource } from '@gantry/kube/resource.ts';
import type { Caller } from '../identity/caller.ts';
import { serviceAccountOf } from '../pods/service-account.ts';
import { type KeptLogs, NoKeptLog } from './kept-logs.ts';
import { type Selection, selectLines, tailOf } from './select-lines.ts';

/** A kind whose objects run programs. */
export type RunningKind = KindFacts & { api: { runs: KindRuns } };

export interface LogWanted extends Omit<Selection, 'sinceMs'> {
  follow: boolean;
  tail?: number | undefined;
  /** RFC 3339. */
  since?: string | undefined;
}

export interface RunLogsParts {
  /** The API server as a user sees it. */
  as: (user: string) => Pick<KubeClient, 'stream'>;
  find: (kind: { kind: string }, namespace: string, name: string) => KubeObject | undefined;
  kept: Pick<KeptLogs, 'read'>;
  mostPerAccount?: number;
}

const POD = coreResource('pods', 'Pod');
const MOST_PER_ACCOUNT = 16;
const MOST_IN_ALL = 512;
/** Longer than anybody looks; who still does connects again. */
const FOLLOW_MS = 12 * 3_600_000;
const READ_MS = 10 * 60_000;
const AGAIN_S = 2;

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
    return facts.api.runs.of(this.#find(caller, facts, id));
  }

  /**
   * Calls `write` with the lines as they come, once they begin to. Throws not_found, container_not_running, log_not_kept,
   * too_many_logs.
   */
  async read(
    caller: Caller,
    facts: RunningKind,
    { id, number }: { id: string; number: number },
    wanted: LogWanted,
    callers: AbortSignal,
    write: (lines: AsyncIterable<Buffer>) => Promise<void>,
  ): Promise<void> {
    const object = this.#find(caller, facts, id);
    const run = facts.api.runs.of(object).find(({ seq }) => seq === number);
    if (!run) throw problem('not_found', { what: `${id}/${number}` });
    const signal = AbortSignal.any([callers, this.#stopping.signal]);
    const most = this.#parts.mostPerAccount ?? MOST_PER_ACCOUNT;
    const key = caller.account.id;
    const reading = this.#reading.get(key) ?? 0;
    if (reading >= most) throw problem('too_many_logs', { most });
    if (this.#total >= MOST_IN_ALL) throw problem('unavailable', { seconds: AGAIN_S }, { retryAfterSeconds: AGAIN_S });
    this.#reading.set(key, reading + 1);
    this.#total++;
    try {
      const since = wanted.since === undefined ? undefined : Date.parse(wanted.since);
      const source = await this.#source(caller, facts, object, run, wanted, signal);
      await write(selectLines(source, { ...wanted, sinceMs: since }));
    } finally {
      this.#total--;
      const left = (this.#reading.get(key) ?? 1) - 1;
      if (left > 0) this.#reading.set(key, left);
      else this.#reading.delete(key);
    }
  }

  /** Ends whatever is followed. */
  stop(): void {
    this.#stopping.abort();
  }

  #find({ organization }: Caller, facts: RunningKind, id: string): KubeObject {
    const object = this.#parts.find(facts, organization.namespace, id);
    if (!object) throw problem('not_found', { what: id });
    return object;
  }

  async #source(
    caller: Caller,
    facts: RunningKind,
    object: KubeObject,
    run: KnownRun,
    wanted: LogWanted,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Buffer>> {
    if (run.log) return only(await this.#kept(caller, run.log, wanted, signal));
    const { pod, container } = facts.api.runs.podOf(object, run.seq);
    const { namespace = '' } = object.metadata;
    const query = {
      container,
      timestamps: true,
      follow: wanted.follow,
      ...(wanted.tail !== undefined && { tailLines: wanted.tail }),
      ...(wanted.since !== undefined && { sinceTime: wanted.since }),
    };
    const limitMs = wanted.follow ? FOLLOW_MS : READ_MS;
    try {
      const user = this.#parts.as(serviceAccountOf(caller));
      const answer: Readable = await user.stream(POD, { namespace, name: pod }, 'log', query, { limitMs, signal });
      return answer;
    } catch (error) {
      // No such Pod, or its container has not begun, or the node has given its files up.
      const isAbsent = error instanceof ApiError && (error.code === 404 || error.code === 400);
      if (!isAbsent) throw error;
      throw problem(run.endedAt === undefined ? 'container_not_running' : 'log_not_kept');
    }
  }

  async #kept(caller: Caller, log: NonNullable<KnownRun['log']>, { tail }: LogWanted, signal: AbortSignal) {
    if (log.bytes === 0) return Buffer.alloc(0);
    try {
      const text = await this.#parts.kept.read(caller, log.image, signal);
      return tail === undefined ? text : tailOf(text, tail);
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof NoKeptLog) throw problem('log_not_kept', {}, { cause: error });
      throw problem('unavailable', { seconds: AGAIN_S }, { retryAfterSeconds: AGAIN_S, cause: error });
    }
  }
}

async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
