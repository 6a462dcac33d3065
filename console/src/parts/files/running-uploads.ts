// The uploads of this tab, by what they are of: they go on while somebody looks at another page.
import { sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { holdReload } from '@gantry/ui/session/hold-reload.ts';
import { useSyncExternalStore } from 'react';
import { type Mark, marked, rateOf } from './send-rate.ts';

/** Thousands of small files would draw the page as often. */
const TOLD_EACH_MS = 200;

export interface UploadProgress {
  /** Bytes that are there, sent now or before. */
  readonly sent: number;
  /** Bytes whose hash is known; absent where nothing is hashed. */
  readonly hashed?: number;
  /** It waits for the network. */
  readonly isAway: boolean;
}

export interface RunningUpload extends UploadProgress {
  readonly size: number;
  readonly bytesPerSecond?: number | undefined;
  /** Why it ended early; it can be begun again. */
  readonly problem?: string;
}

interface UploadWish {
  /** Bytes of all files. */
  readonly size: number;
  send(how: {
    readonly signal: AbortSignal;
    pause(ms: number): Promise<void>;
    /** `sent` are bytes that have gone from here; what was there already is none. */
    onProgress(progress: UploadProgress & { readonly gone: number }): void;
  }): Promise<void>;
  /** Whether it succeeded or not. */
  over(): Promise<unknown>;
}

const running = new Map<string, RunningUpload & { readonly abort: AbortController }>();
const listeners = new Set<() => void>();

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

function changed(): void {
  for (const listener of listeners) listener();
}

/** Does nothing where it is being sent already. */
export async function startUpload(key: string, { size, send, over }: UploadWish): Promise<void> {
  if (running.has(key) && running.get(key)?.problem === undefined) return;
  const abort = new AbortController();
  const { signal } = abort;
  let now: RunningUpload = { size, sent: 0, isAway: false };
  let marks: readonly Mark[] = [];
  let toldAt = 0;
  const set = (next: RunningUpload) => {
    now = next;
    running.set(key, { ...now, abort });
    changed();
  };
  set(now);
  const release = holdReload();
  try {
    await send({
      signal,
      pause: (ms) => pauseUnless(signal, ms),
      onProgress({ gone, ...progress }) {
        const at = performance.now();
        if (progress.isAway === now.isAway && at - toldAt < TOLD_EACH_MS) return;
        toldAt = at;
        marks = progress.isAway ? [] : marked(marks, at, gone);
        set({ size, ...progress, bytesPerSecond: rateOf(marks) });
      },
    });
    running.delete(key);
  } catch (error) {
    if (signal.aborted) running.delete(key);
    else set({ ...now, isAway: false, bytesPerSecond: undefined, problem: sentenceOf(error) });
  } finally {
    release();
    changed();
    await over();
  }
}

export const stopUpload = (key: string): void => running.get(key)?.abort.abort();

/** Undefined where this tab is not sending it. */
export const useRunningUpload = (key: string): RunningUpload | undefined =>
  useSyncExternalStore(subscribe, () => running.get(key));

/** Resolves earlier where the signal is aborted. */
const pauseUnless = (signal: AbortSignal, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
