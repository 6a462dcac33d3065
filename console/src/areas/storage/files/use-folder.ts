// One folder of a disk, and what may delay it: at first the disk's file server has to start.

import type { FileEntry } from '@gantry/contract/areas/instances/files.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { DiskView } from '@gantry/contract/kinds/data-disk.ts';
import { type LoadedList, useList } from '@gantry/ui/client/use-api.tsx';
import type { Sorting } from '@gantry/ui/table/data-table.tsx';
import { useEffect, useRef } from 'react';

const PAGE_SIZE = 200;
const AGAIN_MS = 2000;

export interface FolderUsage {
  readonly used: number;
  readonly total: number;
  readonly available: number;
}

export interface Folder {
  readonly list: LoadedList<FileEntry>;
  readonly usage: FolderUsage | undefined;
  readonly isPreparing: boolean;
}

type Opened = Pick<DiskView, 'id' | 'phase' | 'mounted_by' | 'conditions'>;

/** A disk's mounts, and the condition of its file server: they decide whether it can be browsed. */
const stateOf = ({ phase, mounted_by: by, conditions }: Opened): string =>
  JSON.stringify([phase, by, conditions.find(({ type }) => type === 'FilesAvailable')?.reason]);

export function useFolder(disk: Opened, path: string, sorting: Sorting): Folder {
  const list = useList(
    CALLS.listFiles,
    { params: { id: disk.id }, query: { path, sort: sorting.by, order: sorting.type } },
    { size: PAGE_SIZE },
  );
  const isPreparing = list.items.length === 0 && list.error?.error === 'files_preparing';
  const { error, again } = list;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer that says so asks for one more try
  useEffect(() => {
    if (!isPreparing) return;
    const timer = setTimeout(again, error?.retryAfterMs ?? AGAIN_MS);
    return () => clearTimeout(timer);
  }, [isPreparing, error]);
  const state = stateOf(disk);
  const known = useRef(state);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each change of the disk
  useEffect(() => {
    if (known.current === state) return;
    known.current = state;
    again();
  }, [state]);
  return { list, usage: usageOf(list.extra), isPreparing };
}

function usageOf(extra: Readonly<Record<string, unknown>> | undefined): FolderUsage | undefined {
  const { used_bytes: used, total_bytes: total, available_bytes: available } = extra ?? {};
  if (typeof used !== 'number' || typeof total !== 'number' || typeof available !== 'number') return undefined;
  return { used, total, available };
}
