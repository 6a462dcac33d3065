// What can be done with one disk. Whether it may be edited or deleted now comes with its view.
import type { DiskView } from '@gantry/contract/kinds/data-disk.ts';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import MoreVert from '@mui/icons-material/MoreVertOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { DiskQuestion } from './disk-dialogs.tsx';
import { filesPath } from './disk-path.ts';
import { useStorageWords } from './use-storage-words.ts';

interface DiskActionsProps {
  disk: DiskView;
  ask: (question: DiskQuestion) => void;
  /** On the page that shows them. */
  hasFiles?: boolean;
  size?: 'small' | 'medium';
}

export function DiskActions({ disk, ask, hasFiles, size = 'small' }: DiskActionsProps) {
  const t = useStorageWords();
  const navigate = useNavigate();
  const [menuAt, setMenuAt] = useState<HTMLElement>();
  const isEditable = disk.actions.some(({ action }) => action === 'edit');
  const isMounted = disk.mounted_by.length > 0;
  const choose = (go: () => void) => () => {
    setMenuAt(undefined);
    go();
  };
  return (
    <Box sx={{ display: 'flex', gap: 0.5, justifyContent: 'flex-end', alignItems: 'center' }}>
      <Guarded node={isMounted ? 'unmountDisk' : 'mountDisk'}>
        <Button
          size={size}
          variant="outlined"
          disabled={!isEditable}
          onClick={() => ask(isMounted ? { what: 'unmount', disk } : { what: 'mount', disk })}
        >
          {isMounted ? t('actions.unmount') : t('actions.mount')}
        </Button>
      </Guarded>
      <IconButton
        size={size}
        aria-label={t('actions.more', { name: disk.name })}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => setMenuAt(currentTarget)}
      >
        <MoreVert fontSize="small" />
      </IconButton>
      <Menu open={menuAt !== undefined} anchorEl={menuAt ?? null} onClose={() => setMenuAt(undefined)}>
        {!hasFiles && (
          <MenuItem onClick={choose(() => void navigate(filesPath(disk.id)))}>{t('actions.files')}</MenuItem>
        )}
        {isMounted && (
          <Guarded node="mountDisk">
            <MenuItem disabled={!isEditable} onClick={choose(() => ask({ what: 'mount', disk }))}>
              {t('actions.mount')}
            </MenuItem>
          </Guarded>
        )}
        {(['grow', 'rename'] as const).map((what) => (
          <Guarded key={what} node="updateDisk">
            <MenuItem disabled={!isEditable} onClick={choose(() => ask({ what, disk }))}>
              {t(`actions.${what}`)}
            </MenuItem>
          </Guarded>
        ))}
        <Guarded node="dataDisk.release">
          <MenuItem sx={{ color: 'error.main' }} onClick={choose(() => ask({ what: 'delete', disks: [disk] }))}>
            {t('actions.delete')}
          </MenuItem>
        </Guarded>
      </Menu>
    </Box>
  );
}
