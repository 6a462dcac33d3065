// The uploads of this tab, by version: begun, resumed with the same files, and stopped.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { keyOf, useApi } from '@gantry/ui/client/use-api.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { startUpload, stopUpload } from '../../../parts/files/running-uploads.ts';
import { bytesIn, type FileToSend } from '../../../parts/files/send-pieces.ts';
import { useDatasetWords } from '../use-dataset-words.ts';
import { openHasher, Unreadable } from './hash-files.ts';
import { sendFiles } from './send-files.ts';

export const uploadKey = (id: string, version: number): string => `dataset ${id} ${version}`;

/** What an upload changes on the page. */
const CHANGED = [CALLS.getDataset, CALLS.getDatasetVersion, CALLS.listDatasetVersions, CALLS.listDatasetFiles] as const;

export function useDatasetUploads() {
  const api = useApi();
  const client = useQueryClient();
  const t = useDatasetWords();
  return useMemo(
    () => ({
      start: (id: string, version: number, files: readonly FileToSend[]) =>
        void startUpload(uploadKey(id, version), {
          size: bytesIn(files),
          async send(how) {
            const hasher = openHasher();
            const hash = ({ path, file }: FileToSend) =>
              hasher.hash(file).catch((error: unknown) => {
                throw error instanceof Unreadable ? new Error(t('unreadable', { path })) : error;
              });
            try {
              await sendFiles({ ...how, api, id, version, files, hash });
            } finally {
              hasher.close();
            }
          },
          over: () => Promise.all(CHANGED.map((call) => client.invalidateQueries({ queryKey: keyOf(call) }))),
        }),
      stop: (id: string, version: number) => stopUpload(uploadKey(id, version)),
    }),
    [api, client, t],
  );
}
