// The current and future mounts of a disk.

import type { MountView } from '@gantry/contract/areas/kinds/catalogue-views.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { DiskView } from '@gantry/contract/kinds/data-disk.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { resourcePath } from './disk-path.ts';
import { UnmountDialog } from './unmount-dialog.tsx';
import { useStorageWords } from './use-storage-words.ts';

/** Mounts are part of instances and hosts: no stream tells of them here. */
const EVERY_MS = 5000;

export function DiskMounts({ disk }: { disk: DiskView }) {
  const t = useStorageWords();
  const { data, error } = useCall(CALLS.listMounts, { query: { disk: disk.id, size: 1000 } }, { everyMs: EVERY_MS });
  const [leaving, leave] = useState<MountView>();
  if (error && !data) return <ErrorState error={error} />;
  if (!data) return <LoadingRows rows={2} height={32} />;
  if (data.items.length === 0)
    return (
      <Typography variant="body2" color="text.secondary">
        {t('detail.noMounts')}
      </Typography>
    );
  return (
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {data.items.map((mount) => (
        <Box
          component="li"
          key={mount.id}
          sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', py: 0.5 }}
        >
          <Link component={RouterLink} to={resourcePath({ kind: mount.kind, id: mount.resource })}>
            {mount.resource_name}
          </Link>
          <Typography variant="body2" component="code">
            {mount.mount_path}
          </Typography>
          <Chip
            size="small"
            variant="outlined"
            color={mount.mounted ? 'success' : 'default'}
            label={t(mount.mounted ? 'detail.isMounted' : 'detail.waits')}
          />
          <Guarded node="unmountDisk">
            <Button size="small" sx={{ ml: 'auto' }} onClick={() => leave(mount)}>
              {t('actions.unmount')}
            </Button>
          </Guarded>
        </Box>
      ))}
      {leaving && <UnmountDialog disk={disk} mount={leaving.id} onClose={() => leave(undefined)} />}
    </Box>
  );
}
