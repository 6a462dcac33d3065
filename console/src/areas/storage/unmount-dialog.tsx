// Unmounts a disk, or cancels its next mount.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { DiskView } from '@gantry/contract/kinds/data-disk.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useStorageWords } from './use-storage-words.ts';

interface UnmountDialogProps {
  disk: Pick<DiskView, 'id' | 'name'>;
  /** The mount to remove; undefined: the person chooses, if there are several. */
  mount?: string;
  onClose: () => void;
}

export function UnmountDialog({ disk, mount, onClose }: UnmountDialogProps) {
  const t = useStorageWords();
  const { data } = useCall(CALLS.listMounts, { query: { disk: disk.id, size: 1000 } });
  const mounts = data?.items ?? [];
  const [chosen, choose] = useState(mount);
  const unmount = useCommand(CALLS.unmountDisk, {
    success: t('unmount.done'),
    isQuiet: true,
    invalidates: [CALLS.listDisks, CALLS.getDisk, CALLS.listMounts],
    onSuccess: onClose,
  });
  const [first] = mounts;
  // Once shown it stays: the list is read again meanwhile, and another disk must not appear under the button.
  if (chosen === undefined && first) choose(first.id);
  const one = mounts.find(({ id }) => id === chosen);
  return (
    <ConfirmDialog
      title={t('unmount.title', { name: disk.name })}
      confirmLabel={t('actions.unmount')}
      isBusy={unmount.isPending || data === undefined}
      error={unmount.error}
      onConfirm={() => (one ? unmount.mutate({ params: { id: one.id } }) : onClose())}
      onClose={onClose}
    >
      {mounts.length > 1 && mount === undefined && (
        <TextField
          select
          label={t('unmount.which')}
          value={one?.id ?? ''}
          onChange={({ target }) => choose(target.value)}
          sx={{ mt: 1, mb: 2 }}
        >
          {mounts.map(({ id, resource_name, resource }) => (
            <MenuItem key={id} value={id}>
              {resource_name} ({resource})
            </MenuItem>
          ))}
        </TextField>
      )}
      <Typography variant="body2" sx={{ minHeight: 40 }}>
        {one ? t('unmount.text', { resource: one.resource_name }) : data && t('unmount.gone')}
      </Typography>
    </ConfirmDialog>
  );
}
