// Downloads that a person has begun on this page.
import type { FileEntry } from '@gantry/contract/areas/instances/files.ts';
import { sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { bytesText } from '@gantry/ui/format/size.ts';
import { holdReload } from '@gantry/ui/session/hold-reload.ts';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import { useCallback, useEffect, useRef, useState } from 'react';
import { canDownload, MOST_HELD_BYTES, TooLarge } from '../../../parts/files/save-download.ts';
import { useStorageWords } from '../use-storage-words.ts';
import { download } from './download.ts';
import { joined } from './file-path.ts';

export interface Download {
  readonly number: number;
  readonly name: string;
  readonly size: number;
  readonly received: number;
  cancel(): void;
}

export function useDownloads(disk: string, folder: string) {
  const t = useStorageWords();
  const api = useApi();
  const toast = useToast();
  const [running, setRunning] = useState<readonly Download[]>([]);
  const count = useRef(0);
  const all = useRef(new Set<AbortController>());
  // Leaving the page cancels them.
  useEffect(() => {
    const open = all.current;
    return () => {
      for (const abort of open) abort.abort();
    };
  }, []);
  const start = useCallback(
    async (entry: Pick<FileEntry, 'name' | 'type' | 'size_bytes'>, path = joined(folder, entry.name)) => {
      const isFolder = entry.type === 'folder';
      const name = isFolder ? `${entry.name}.zip` : entry.name;
      const size = isFolder ? 0 : entry.size_bytes;
      const tellTooLarge = () => toast.warning(t('transfer.tooLarge', { most: bytesText(MOST_HELD_BYTES) }));
      if (!canDownload(size)) return tellTooLarge();
      const abort = new AbortController();
      all.current.add(abort);
      const number = ++count.current;
      const letGo = holdReload();
      setRunning((former) => [...former, { number, name, size, received: 0, cancel: () => abort.abort() }]);
      const change = (changed: Partial<Download>) =>
        setRunning((former) => former.map((one) => (one.number === number ? { ...one, ...changed } : one)));
      const onProgress = (received: number) => change({ received });
      const onSize = (size: number) => change({ size });
      try {
        await download(api, { disk, path, name, size, isFolder, signal: abort.signal, onProgress, onSize });
        toast.success(t('transfer.saved', { name }));
      } catch (error) {
        if (error instanceof TooLarge) tellTooLarge();
        else if ((error as Error).name !== 'AbortError') toast.error(sentenceOf(error));
      } finally {
        letGo();
        all.current.delete(abort);
        setRunning((former) => former.filter((one) => one.number !== number));
      }
    },
    [api, disk, folder, t, toast],
  );
  return { running, start };
}
