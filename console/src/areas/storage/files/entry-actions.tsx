// Commands for one entry of a folder.
import type { FileEntry } from '@gantry/contract/areas/instances/files.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Download from '@mui/icons-material/DownloadOutlined';
import MoreVert from '@mui/icons-material/MoreVertOutlined';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { useStorageWords } from '../use-storage-words.ts';
import { isRead, shownName } from './file-path.ts';

export type EntryCommand =
  | { readonly what: 'open' | 'preview' | 'download' | 'rename'; readonly entry: FileEntry }
  | { readonly what: 'delete' | 'move' | 'copy'; readonly entries: readonly FileEntry[] };

interface EntryActionsProps {
  entry: FileEntry;
  command: (command: EntryCommand) => void;
}

export function EntryActions({ entry, command }: EntryActionsProps) {
  const t = useStorageWords();
  const ui = useUiWords();
  const [menuAt, setMenuAt] = useState<HTMLElement>();
  const name = shownName(entry);
  // A name that is not UTF-8 can be shown, but not sent over HTTP.
  if (entry.encoded !== undefined) return null;
  const choose = (chosen: EntryCommand) => () => {
    setMenuAt(undefined);
    command(chosen);
  };
  const isUpload = entry.type === 'upload';
  return (
    <Box sx={{ display: 'flex', justifyContent: 'flex-end' }}>
      {(isRead(entry) || entry.type === 'folder') && (
        <IconButton
          size="small"
          aria-label={`${isRead(entry) ? ui('actions.download') : t('files.zip')}: ${name}`}
          onClick={choose({ what: 'download', entry })}
        >
          <Download fontSize="small" />
        </IconButton>
      )}
      <IconButton
        size="small"
        aria-label={t('files.more', { name })}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => setMenuAt(currentTarget)}
      >
        <MoreVert fontSize="small" />
      </IconButton>
      <Menu open={menuAt !== undefined} anchorEl={menuAt ?? null} onClose={() => setMenuAt(undefined)}>
        {isRead(entry) && <MenuItem onClick={choose({ what: 'preview', entry })}>{t('files.preview')}</MenuItem>}
        {!isUpload && <MenuItem onClick={choose({ what: 'rename', entry })}>{ui('actions.rename')}</MenuItem>}
        {!isUpload && <MenuItem onClick={choose({ what: 'move', entries: [entry] })}>{t('files.move')}</MenuItem>}
        {!isUpload && <MenuItem onClick={choose({ what: 'copy', entries: [entry] })}>{t('files.copy')}</MenuItem>}
        <MenuItem sx={{ color: 'error.main' }} onClick={choose({ what: 'delete', entries: [entry] })}>
          {isUpload ? t('files.giveUp') : ui('actions.delete')}
        </MenuItem>
      </Menu>
    </Box>
  );
}
