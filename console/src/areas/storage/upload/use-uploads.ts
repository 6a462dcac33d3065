// The uploads of this tab: one queue for all pages, which goes on when a person looks at another page.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { Api } from '@gantry/ui/client/api.ts';
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { keyOf, useApi } from '@gantry/ui/client/use-api.tsx';
import { holdReload } from '@gantry/ui/session/hold-reload.ts';
import { readAccountId } from '@gantry/ui/session/session.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import type { Picked } from '../../../parts/files/picked-files.ts';
import { joined } from '../files/file-path.ts';
import { UploadMemory } from './upload-memory.ts';
import { UploadQueue, type UploadRow } from './upload-queue.ts';
import { uploadWire } from './upload-wire.ts';

/** Folders are read again so often at most, however many files arrive. */
const REREAD_EVERY_MS = 1000;

const queues = new WeakMap<Api, { readonly account: string; readonly queue: UploadQueue }>();

function queueOf(api: Api, client: QueryClient): UploadQueue {
  const account = readAccountId() ?? '';
  const known = queues.get(api);
  if (known?.account === account) return known.queue;
  // Somebody else has signed in: what the former had on its way is not theirs.
  known?.queue.end();
  const reread = atMostEvery(
    REREAD_EVERY_MS,
    () => void client.invalidateQueries({ queryKey: keyOf(CALLS.listFiles) }),
  );
  const queue = new UploadQueue({
    wireOf: (disk) => uploadWire(api, disk),
    memory: new UploadMemory(localStorage, account, Date.now),
    now: () => performance.now(),
    after: (ms, run) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    hold: holdReload,
    onDone: reread,
  });
  queues.set(api, { account, queue });
  addEventListener('online', () => queue.wake());
  return queue;
}

function atMostEvery(ms: number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    if (timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      run();
    }, ms);
  };
}

export function useUploads(): { queue: UploadQueue; rows: readonly UploadRow[] } {
  const queue = queueOf(useApi(), useQueryClient());
  return { queue, rows: useSyncExternalStore(queue.subscribe, queue.rows) };
}

/** Uploads chosen files to a folder, with their folders. */
export function useSendPicked(disk: string, onError: (error: unknown) => void) {
  const api = useApi();
  const client = useQueryClient();
  const [isMaking, setMaking] = useState(false);
  const send = async (folder: string, picked: Picked) => {
    setMaking(true);
    try {
      for (const name of picked.folders) {
        await api
          .call(CALLS.makeFolder, { params: { id: disk }, body: { path: joined(folder, name) } })
          .catch((error: unknown) => {
            if (!(error instanceof ApiProblem && error.error === 'file_exists')) throw error;
          });
      }
      if (picked.folders.length > 0) await client.invalidateQueries({ queryKey: keyOf(CALLS.listFiles) });
      queueOf(api, client).add(
        disk,
        picked.files.map(({ path, file }) => ({ path: joined(folder, path), file })),
      );
    } catch (error) {
      onError(error);
    } finally {
      setMaking(false);
    }
  };
  return { send, isMaking };
}
