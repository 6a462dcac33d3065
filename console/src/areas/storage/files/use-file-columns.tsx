// The columns of a folder.
import type { FileEntry } from '@gantry/contract/areas/instances/files.ts';
import { bytesText } from '@gantry/ui/format/size.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import type { Column } from '@gantry/ui/table/data-table.tsx';
import FolderIcon from '@mui/icons-material/FolderOutlined';
import FileIcon from '@mui/icons-material/InsertDriveFileOutlined';
import BrokenLink from '@mui/icons-material/LinkOffOutlined';
import LinkIcon from '@mui/icons-material/LinkOutlined';
import UploadIcon from '@mui/icons-material/UploadFileOutlined';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { type ReactElement, useMemo } from 'react';
import { useStorageWords } from '../use-storage-words.ts';
import { EntryActions, type EntryCommand } from './entry-actions.tsx';
import { isOpened, isRead, shownName } from './file-path.ts';

export function useFileColumns(command: (command: EntryCommand) => void): readonly Column<FileEntry>[] {
  const t = useStorageWords();
  const ui = useUiWords();
  return useMemo(
    (): readonly Column<FileEntry>[] => [
      {
        id: 'name',
        label: t('files.name'),
        sort: 'name',
        width: 'minmax(12rem, 3fr)',
        cell: (entry) => <EntryName entry={entry} command={command} />,
      },
      {
        id: 'type',
        label: t('files.type'),
        sort: 'type',
        width: 'minmax(8rem, 1fr)',
        cell: (entry) => kindOf(entry, t),
      },
      {
        id: 'size',
        label: t('files.size'),
        sort: 'size',
        width: 'minmax(6rem, 0.7fr)',
        cell: ({ type, size_bytes }) => (type === 'file' || type === 'upload' ? bytesText(size_bytes) : '–'),
      },
      {
        id: 'time',
        label: t('files.time'),
        sort: 'time',
        width: '11rem',
        cell: ({ modified_at }) => timeText(modified_at),
      },
      {
        id: 'actions',
        label: ui('fields.actions'),
        width: '6rem',
        align: 'end',
        cell: (entry) => <EntryActions entry={entry} command={command} />,
      },
    ],
    [t, ui, command],
  );
}

function EntryName({ entry, command }: { entry: FileEntry; command: (command: EntryCommand) => void }) {
  const t = useStorageWords();
  const name = shownName(entry);
  const note =
    entry.type === 'upload'
      ? t('files.unfinishedHint')
      : entry.target !== undefined
        ? t('files.leadsTo', { target: entry.target })
        : undefined;
  const open = isOpened(entry) ? 'open' : isRead(entry) ? 'preview' : undefined;
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minWidth: 0 }} title={name}>
      {iconOf(entry)}
      <Box sx={{ minWidth: 0 }}>
        {open ? (
          <Link
            component="button"
            type="button"
            variant="body2"
            onClick={() => command({ what: open, entry })}
            sx={{
              display: 'block',
              maxWidth: '100%',
              textAlign: 'start',
              textOverflow: 'ellipsis',
              overflow: 'hidden',
            }}
          >
            {name}
          </Link>
        ) : (
          <Typography variant="body2" noWrap>
            {name}
          </Typography>
        )}
        {note !== undefined && (
          <Typography variant="caption" component="div" color="text.secondary" noWrap title={note}>
            {note}
          </Typography>
        )}
      </Box>
    </Box>
  );
}

function iconOf({ type, leads_to }: FileEntry): ReactElement {
  const look = { fontSize: 'small', color: 'action' } as const;
  if (type === 'link') return leads_to === 'nothing' ? <BrokenLink {...look} /> : <LinkIcon {...look} />;
  if (type === 'folder') return <FolderIcon {...look} />;
  return type === 'upload' ? <UploadIcon {...look} /> : <FileIcon {...look} />;
}

function kindOf({ type, leads_to }: FileEntry, t: ReturnType<typeof useStorageWords>): string {
  if (type === 'upload') return t('files.unfinished');
  if (type !== 'link') return t(`files.${type}`);
  if (leads_to === 'nothing') return t('files.broken');
  return leads_to === 'outside' ? t('files.outside') : t('files.link');
}
