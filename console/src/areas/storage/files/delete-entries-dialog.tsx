// Deletes files and folders, after saying what is lost.

import type { FileEntry } from '@gantry/contract/areas/instances/files.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { keyOf, useApi } from '@gantry/ui/client/use-api.tsx';
import { bytesText } from '@gantry/ui/format/size.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { removeEach } from '../../../parts/each-by-itself.ts';
import { useStorageWords } from '../use-storage-words.ts';
import { joined, shownName } from './file-path.ts';

const MOST_NAMED = 10;

interface DeleteEntriesDialogProps {
  disk: string;
  folder: string;
  entries: readonly FileEntry[];
  onClose: () => void;
}

export function DeleteEntriesDialog({ disk, folder, entries, onClose }: DeleteEntriesDialogProps) {
  const t = useStorageWords();
  const ui = useUiWords();
  const api = useApi();
  const client = useQueryClient();
  const toast = useToast();
  const [removed] = useState(() => new Set<FileEntry>());
  const remove = useMutation({
    mutationFn: () =>
      removeEach(entries, removed, shownName, ({ name, type }) => {
        const input = { params: { id: disk }, query: { path: joined(folder, name) } };
        return type === 'folder' ? api.call(CALLS.removeFolder, input) : api.call(CALLS.removeFile, input);
      }),
    onSuccess: () => {
      toast.success(ui('toasts.done'));
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(CALLS.listFiles) }),
  });
  const lost = entries.slice(0, MOST_NAMED).map((entry) => {
    const path = joined(folder, shownName(entry));
    const size = bytesText(entry.size_bytes);
    if (entry.type === 'folder') return t('ask.lostFolder', { path });
    if (entry.type === 'link') return t('ask.lostLink', { path });
    return entry.type === 'upload' ? t('ask.lostUpload', { size }) : t('ask.lostFile', { path, size });
  });
  const rest = entries.length - lost.length;
  return (
    <ConfirmDialog
      title={titleOf(entries, t)}
      lost={rest > 0 ? [...lost, t('transfer.more', { smart_count: rest })] : lost}
      confirmLabel={entries.every(({ type }) => type === 'upload') ? t('files.giveUp') : ui('actions.delete')}
      isDangerous
      isBulk={entries.length > 1}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}

function titleOf(entries: readonly FileEntry[], t: ReturnType<typeof useStorageWords>): string {
  const [only, second] = entries;
  if (!only || second) return t('ask.deleteMany', { smart_count: entries.length });
  const name = shownName(only);
  if (only.type === 'upload') return t('ask.giveUp', { name });
  return only.type === 'folder' ? t('ask.deleteFolder', { name }) : t('ask.deleteFile', { name });
}
