// The uploads of this tab, by version.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { keyOf, useApi } from '@gantry/ui/client/use-api.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { startUpload, stopUpload } from '../../../parts/files/running-uploads.ts';
import { bytesIn, type FileToSend } from '../../../parts/files/send-pieces.ts';
import { sendVersion } from './send-version.ts';

export const uploadKey = (id: string, version: string): string => `model ${id} ${version}`;

export function useVersionUploads() {
  const api = useApi();
  const client = useQueryClient();
  return useMemo(
    () => ({
      start: (id: string, version: string, files: readonly FileToSend[]) =>
        void startUpload(uploadKey(id, version), {
          size: bytesIn(files),
          send: ({ onProgress, ...how }) =>
            sendVersion({
              ...{ api, id, version, files, ...how },
              onProgress: (sent, isAway) => onProgress({ sent, gone: sent, isAway }),
            }),
          over: () => client.invalidateQueries({ queryKey: keyOf(CALLS.getModel) }),
        }),
      stop: (id: string, version: string) => stopUpload(uploadKey(id, version)),
    }),
    [api, client],
  );
}
