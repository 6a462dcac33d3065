// The uploads of this tab, by version: they go on while somebody looks at another page.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { Api } from '@gantry/ui/client/api.ts';
import { sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { keyOf, useApi } from '@gantry/ui/client/use-api.tsx';
import { holdReload } from '@gantry/ui/session/hold-reload.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { type FileToSend, sendVersion } from './send-version.ts';

export interface RunningUpload {
  readonly sent: number;
  readonly size: number;
  readonly isAway: boolean;
  /** Why it ended early; it can be begun again. */
  readonly problem?: string;
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

const keyFor = (id: string, version: string): string => `${id} ${version}`;

async function start(
  api: Api,
  client: QueryClient,
  id: string,
  version: string,
  files: readonly FileToSend[],
): Promise<void> {
  const key = keyFor(id, version);
  if (running.get(key)?.problem === undefined && running.has(key)) return;
  const abort = new AbortController();
  const size = files.reduce((all, { file }) => all + file.size, 0);
  const set = (more: Partial<RunningUpload>) => {
    running.set(key, { size, sent: 0, isAway: false, ...running.get(key), abort, ...more });
    changed();
  };
  running.delete(key);
  set({});
  const release = holdReload();
  try {
    await sendVersion({
      ...{ api, id, version, files, signal: abort.signal },
      onProgress: (sent, isAway) => set({ sent, isAway }),
      pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    });
    running.delete(key);
  } catch (error) {
    if (abort.signal.aborted) running.delete(key);
    else set({ problem: sentenceOf(error), isAway: false });
  } finally {
    release();
    changed();
    await client.invalidateQueries({ queryKey: keyOf(CALLS.getModel) });
  }
}

export function useVersionUploads() {
  const api = useApi();
  const client = useQueryClient();
  return useMemo(
    () => ({
      start: (id: string, version: string, files: readonly FileToSend[]) => void start(api, client, id, version, files),
      stop: (id: string, version: string) => running.get(keyFor(id, version))?.abort.abort(),
    }),
    [api, client],
  );
}

/** Undefined where this tab is not sending it. */
export const useRunningUpload = (id: string, version: string): RunningUpload | undefined =>
  useSyncExternalStore(subscribe, () => running.get(keyFor(id, version)));
