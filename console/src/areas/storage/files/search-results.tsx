// Names below a folder that contain a text, with the folder that each is in.

import type { FoundEntry } from '@gantry/contract/areas/instances/files.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { bytesText } from '@gantry/ui/format/size.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { type Column, DataTable } from '@gantry/ui/table/data-table.tsx';
import { EmptyState } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Link from '@mui/material/Link';
import { useMemo } from 'react';
import { useStorageWords } from '../use-storage-words.ts';
import { isOpened, joined } from './file-path.ts';

interface SearchResultsProps {
  disk: string;
  path: string;
  text: string;
  onOpen: (folder: string) => void;
}

const NONE: readonly FoundEntry[] = [];
const wayTo = ({ folder, name }: FoundEntry) => joined(folder, name);

export function SearchResults({ disk, path, text, onOpen }: SearchResultsProps) {
  const t = useStorageWords();
  const found = useCall(CALLS.searchFiles, { params: { id: disk }, query: { path, text } }, { keepsPrevious: true });
  const columns = useMemo(
    (): readonly Column<FoundEntry>[] => [
      {
        id: 'name',
        label: t('files.name'),
        width: 'minmax(12rem, 3fr)',
        cell: (entry) => (
          <Found entry={entry} text={entry.name} to={isOpened(entry) ? wayTo(entry) : entry.folder} onOpen={onOpen} />
        ),
      },
      {
        id: 'folder',
        label: t('files.folder'),
        width: 'minmax(10rem, 3fr)',
        cell: (entry) => <Found entry={entry} text={entry.folder} to={entry.folder} onOpen={onOpen} />,
      },
      {
        id: 'size',
        label: t('files.size'),
        width: '7rem',
        cell: ({ type, size_bytes }) => (type === 'file' ? bytesText(size_bytes) : '–'),
      },
      { id: 'time', label: t('files.time'), width: '11rem', cell: ({ modified_at }) => timeText(modified_at) },
    ],
    [t, onOpen],
  );
  const items = found.data?.items ?? NONE;
  return (
    <>
      {found.data?.complete === false && (
        <Alert severity="info" sx={{ mb: 1 }}>
          {t('files.searchCut', { count: items.length })}
        </Alert>
      )}
      <DataTable
        label={t('files.searchLabel', { text, path })}
        columns={columns}
        list={{
          items,
          total: items.length,
          isLoading: found.isPending,
          isLoadingMore: false,
          hasMore: false,
          error: found.error,
          more: () => {},
          again: () => void found.refetch(),
        }}
        idOf={wayTo}
        nameOf={({ name }) => name}
        empty={<EmptyState title={t('files.searchNone', { text })} hint={t('files.searchHint')} />}
      />
    </>
  );
}

/** A name that is not UTF-8 can be shown, but its folder may be one too: it leads nowhere. */
function Found({
  entry,
  text,
  to,
  onOpen,
}: {
  entry: FoundEntry;
  text: string;
  to: string;
  onOpen: (folder: string) => void;
}) {
  if (entry.encoded !== undefined) return <span title={text}>{text}</span>;
  return (
    <Link
      component="button"
      type="button"
      variant="body2"
      title={text}
      onClick={() => onOpen(to)}
      sx={{
        display: 'block',
        maxWidth: '100%',
        textAlign: 'start',
        textOverflow: 'ellipsis',
        overflow: 'hidden',
        whiteSpace: 'nowrap',
      }}
    >
      {text}
    </Link>
  );
}
