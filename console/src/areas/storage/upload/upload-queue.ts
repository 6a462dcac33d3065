// Files on their way to disks, a few at a time: it survives a change of page, waits for the network, and asks before it replaces.
import { ApiProblem, sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { randomId } from '@gantry/ui/client/chance.ts';
import { type Mark, marked, rateOf } from '../../../parts/files/send-rate.ts';
import { PIECE_BYTES, sendFile } from './send-file.ts';
import type { UploadMemory } from './upload-memory.ts';
import { FileChanged, type UploadWire } from './upload-wire.ts';

const AT_ONCE = 3;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

export type UploadState =
  | 'waiting'
  | 'sending'
  | 'paused'
  /** There is a file of that name: replace it? */
  | 'asks'
  /** The network or the disk's server is unavailable; it continues automatically. */
  | 'retrying'
  | 'failed'
  | 'done';

export interface UploadRow {
  readonly id: string;
  readonly disk: string;
  readonly path: string;
  readonly size: number;
  readonly sent: number;
  readonly bytesPerSecond: number;
  readonly state: UploadState;
  readonly isPreparing: boolean;
  readonly problem?: string;
  /** It failed because the file on this machine has changed, or is gone. */
  readonly isFileChanged?: boolean;
}

export interface UploadQueueParts {
  wireOf: (disk: string) => UploadWire;
  memory: UploadMemory;
  now: () => number;
  /** Gives what calls it off. */
  after: (ms: number, run: () => void) => () => void;
  /** Prevents a reload of the page. Returns a function that permits it again. */
  hold: () => () => void;
  /** A folder has changed. */
  onDone: (disk: string, path: string) => void;
}

interface Job {
  row: UploadRow;
  readonly file: File;
  readonly upload: string;
  isBegun: boolean;
  overwrite: boolean;
  tries: number;
  mayBeThere: boolean;
  abort?: AbortController;
  cancelPause?: () => void;
  marks: readonly Mark[];
}

const UNFINISHED: readonly UploadState[] = ['waiting', 'sending', 'retrying', 'asks', 'paused'];
/** Reasons to retry automatically. */
const PASSING = ['unavailable', 'files_preparing', 'file_busy'];

export class UploadQueue {
  readonly #parts: UploadQueueParts;
  readonly #jobs = new Map<string, Job>();
  readonly #listeners = new Set<() => void>();
  #rows: readonly UploadRow[] = [];
  #count = 0;
  #release: (() => void) | undefined;

  constructor(parts: UploadQueueParts) {
    this.#parts = parts;
  }

  /** For `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly rows = (): readonly UploadRow[] => this.#rows;

  /** A file that is on its way to the same place already is not sent twice. */
  add(disk: string, files: readonly { path: string; file: File }[]): void {
    const busy = new Set(this.#rows.filter(isUnfinished).map((row) => `${row.disk}\n${row.path}`));
    for (const { path, file } of files) {
      if (busy.has(`${disk}\n${path}`)) continue;
      const { upload, isKnown } = isInPieces(file)
        ? this.#parts.memory.begin(keyOf(disk, path, file))
        : { upload: randomId(), isKnown: false };
      const id = `${++this.#count}`;
      const row: UploadRow = {
        id,
        disk,
        path,
        size: file.size,
        sent: 0,
        bytesPerSecond: 0,
        state: 'waiting',
        isPreparing: false,
      };
      this.#jobs.set(id, {
        row,
        file,
        upload,
        isBegun: isKnown,
        overwrite: false,
        tries: 0,
        mayBeThere: false,
        marks: [],
      });
    }
    this.#changed();
    this.#next();
  }

  pause(id: string): void {
    const job = this.#jobs.get(id);
    if (!job || !isUnfinished(job.row)) return;
    this.#stop(job);
    this.#set(job, { state: 'paused', bytesPerSecond: 0 });
    this.#next();
  }

  /** After a pause, a failure, or now instead of later. */
  resume(id: string): void {
    const job = this.#jobs.get(id);
    if (!job || !['paused', 'failed', 'retrying'].includes(job.row.state)) return;
    this.#stop(job);
    job.tries = 0;
    this.#set(job, { state: 'waiting' });
    this.#next();
  }

  /** Its part on the disk is deleted. */
  async cancel(id: string): Promise<void> {
    const job = this.#jobs.get(id);
    if (!job) return;
    this.#stop(job);
    this.#jobs.delete(id);
    this.#changed();
    this.#next();
    if (job.row.state === 'done') return;
    this.#forget(job);
    // If it cannot be removed now, the folder shows it and offers to.
    if (job.isBegun)
      await this.#parts
        .wireOf(job.row.disk)
        .giveUp(job.row.path, job.upload)
        .catch(() => {});
    this.#parts.onDone(job.row.disk, job.row.path);
  }

  /** The answer to whether a file is replaced; for all that ask, where `isForAll`. */
  answer(id: string, isReplaced: boolean, isForAll: boolean): void {
    const asking = [...this.#jobs.values()].filter(({ row }) => row.state === 'asks' && (isForAll || row.id === id));
    for (const job of asking) {
      if (isReplaced) {
        job.overwrite = true;
        this.#set(job, { state: 'waiting' });
      } else {
        void this.cancel(job.row.id);
      }
    }
    this.#next();
  }

  /** The network is back. */
  wake(): void {
    for (const { row } of this.#jobs.values()) if (row.state === 'retrying') this.resume(row.id);
  }

  clearDone(): void {
    for (const [id, { row }] of this.#jobs) if (row.state === 'done') this.#jobs.delete(id);
    this.#changed();
  }

  /** Stops everything and clears the list; uploaded data stay on the disks. */
  end(): void {
    for (const job of this.#jobs.values()) this.#stop(job);
    this.#jobs.clear();
    this.#changed();
  }

  #next(): void {
    const jobs = [...this.#jobs.values()];
    let free = AT_ONCE - jobs.filter(({ row }) => row.state === 'sending').length;
    for (const job of jobs) {
      if (free <= 0) return;
      if (job.row.state !== 'waiting') continue;
      free--;
      void this.#send(job);
    }
  }

  async #send(job: Job): Promise<void> {
    const { file, upload, overwrite, isBegun, mayBeThere } = job;
    const { disk, path } = job.row;
    const abort = new AbortController();
    job.abort = abort;
    job.isBegun = true;
    job.marks = [];
    this.#set(job, { state: 'sending', problem: undefined, isFileChanged: false });
    try {
      await sendFile({
        wire: this.#parts.wireOf(disk),
        file,
        path,
        upload,
        overwrite,
        isResumed: isBegun,
        mayBeThere,
        signal: abort.signal,
        onOffset: (sent) => !abort.signal.aborted && this.#progress(job, sent),
      });
      this.#forget(job);
      this.#set(job, { state: 'done', sent: file.size, bytesPerSecond: 0 });
      this.#parts.onDone(disk, path);
    } catch (error) {
      // The code that stopped it has already set its state.
      if (abort.signal.aborted) return;
      this.#failed(job, error);
    }
    this.#next();
  }

  #failed(job: Job, error: unknown): void {
    const problem = sentenceOf(error);
    if (!(error instanceof ApiProblem)) {
      this.#set(job, { state: 'failed', bytesPerSecond: 0, problem, isFileChanged: error instanceof FileChanged });
      return;
    }
    const state = stateAfter(error);
    // Nothing was stored of an unwanted file, even if bytes were on their way.
    const sent = state === 'asks' ? 0 : job.row.sent;
    this.#set(job, { state, sent, bytesPerSecond: 0, problem, isPreparing: error.error === 'files_preparing' });
    if (error.error === 'upload_gone') job.isBegun = false;
    if (state !== 'retrying') return;
    job.mayBeThere ||= error.isUncertain && job.row.sent >= job.file.size;
    const pause = error.retryAfterMs ?? Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** job.tries);
    job.tries++;
    job.cancelPause = this.#parts.after(pause, () => {
      this.#set(job, { state: 'waiting' });
      this.#next();
    });
  }

  #progress(job: Job, sent: number): void {
    const now = this.#parts.now();
    // Progress shows that the connection works again.
    if (sent > job.row.sent) job.tries = 0;
    job.marks = marked(job.marks, now, sent);
    this.#set(job, { sent, bytesPerSecond: rateOf(job.marks) ?? job.row.bytesPerSecond });
  }

  #forget({ row, file }: Job): void {
    if (isInPieces(file)) this.#parts.memory.forget(keyOf(row.disk, row.path, file));
  }

  #stop(job: Job): void {
    job.cancelPause?.();
    job.abort?.abort();
  }

  #set(job: Job, changed: { [Field in keyof UploadRow]?: UploadRow[Field] | undefined }): void {
    const isPreparing = changed.isPreparing ?? (changed.state === undefined ? job.row.isPreparing : false);
    job.row = { ...job.row, ...changed, isPreparing } as UploadRow;
    this.#changed();
  }

  #changed(): void {
    this.#rows = [...this.#jobs.values()].map(({ row }) => row);
    const isBusy = this.#rows.some(isUnfinished);
    if (isBusy) this.#release ??= this.#parts.hold();
    else {
      this.#release?.();
      this.#release = undefined;
    }
    for (const listener of this.#listeners) listener();
  }
}

function stateAfter({ error, isAway }: ApiProblem): UploadState {
  if (error === 'file_exists') return 'asks';
  return isAway || PASSING.includes(error) ? 'retrying' : 'failed';
}

const isUnfinished = ({ state }: UploadRow): boolean => UNFINISHED.includes(state);

/** Only uploads in pieces can resume. */
const isInPieces = ({ size }: File): boolean => size > PIECE_BYTES;

const keyOf = (disk: string, path: string, file: File) => ({
  disk,
  path,
  size: file.size,
  modifiedAt: file.lastModified,
});
