// Deletes disks, after it has said what is lost: of one the id is typed, of several how many they are. Mounted ones are not deleted.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { DiskView } from '@gantry/contract/kinds/data-disk.ts';
import { keyOf, useApi } from '@gantry/ui/client/use-api.tsx';
import { bytesText } from '@gantry/ui/format/size.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { removeEach } from '../../parts/each-by-itself.ts';
import { useStorageWords } from './use-storage-words.ts';

interface DeleteDisksDialogProps {
  disks: readonly DiskView[];
  onDone(): void;
  onClose(): void;
}

export function DeleteDisksDialog({ disks, onDone, onClose }: DeleteDisksDialogProps) {
  const t = useStorageWords();
  const ui = useUiWords();
  const api = useApi();
  const client = useQueryClient();
  const toast = useToast();
  const titleId = useId();
  const [removed] = useState(() => new Set<DiskView>());
  const mounted = disks.filter(({ mounted_by }) => mounted_by.length > 0);
  const free = disks.filter(({ mounted_by }) => mounted_by.length === 0);
  const remove = useMutation({
    mutationFn: () =>
      removeEach(
        free,
        removed,
        ({ name }) => name,
        ({ id }) => api.call(CALLS.actDisk, { params: { id }, body: { action: 'release', confirm: id } }),
      ),
    onSuccess: () => {
      toast.success(t('delete.done', { smart_count: free.length }));
      onDone();
    },
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(CALLS.listDisks) }),
  });
  const [first] = free;
  const title =
    disks.length === 1
      ? t('delete.title', { name: disks[0]?.name ?? '' })
      : t('delete.titleMany', { smart_count: disks.length });
  const refusals = mounted.map(({ id, name, mounted_by }) => (
    <Alert key={id} severity="info">
      {t('delete.mounted', { name, by: mounted_by.map((one) => one.name).join(', ') })}
    </Alert>
  ));
  if (!first)
    return (
      <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby={titleId}>
        <DialogTitle id={titleId}>{title}</DialogTitle>
        <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 1 }}>{refusals}</DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{ui('actions.close')}</Button>
        </DialogActions>
      </Dialog>
    );
  return (
    <ConfirmDialog
      title={title}
      lost={free.map(({ id, name, used_bytes }) =>
        t('delete.lost', {
          id,
          name,
          used: used_bytes === null ? '' : t('delete.used', { used: bytesText(used_bytes) }),
        }),
      )}
      typed={free.length === 1 ? first.id : `${free.length}`}
      confirmLabel={t('actions.delete')}
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {refusals.length > 0 && <Box sx={{ display: 'grid', gap: 1 }}>{refusals}</Box>}
    </ConfirmDialog>
  );
}
