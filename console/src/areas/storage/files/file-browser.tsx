// The files on a disk: browse, upload and download. Requires the right to use disks.
import type { FileEntry } from '@gantry/contract/areas/instances/files.ts';
import type { DiskView } from '@gantry/contract/kinds/data-disk.ts';
import { sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { bytesText } from '@gantry/ui/format/size.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useMay } from '@gantry/ui/session/permission.tsx';
import { DataTable, type Sorting } from '@gantry/ui/table/data-table.tsx';
import { EmptyState } from '@gantry/ui/widgets/states.tsx';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useCallback, useRef, useState } from 'react';
import { DropZone } from '../../../parts/files/drop-zone.tsx';
import { SearchField } from '../../../parts/search-field.tsx';
import { UploadPanel } from '../upload/upload-panel.tsx';
import { useSendPicked } from '../upload/use-uploads.ts';
import { useStorageWords } from '../use-storage-words.ts';
import { DownloadList } from './download-list.tsx';
import type { EntryCommand } from './entry-actions.tsx';
import { joined, nameIn } from './file-path.ts';
import { type FileQuestion, FileQuestions } from './file-questions.tsx';
import { FileToolbar } from './file-toolbar.tsx';
import { FolderCrumbs } from './folder-crumbs.tsx';
import { PreparingNotice } from './preparing-notice.tsx';
import { SearchResults } from './search-results.tsx';
import { useDownloads } from './use-downloads.ts';
import { useFileColumns } from './use-file-columns.tsx';
import { useFolder } from './use-folder.ts';

interface FileBrowserProps {
  disk: Pick<DiskView, 'id' | 'name' | 'phase' | 'mounted_by' | 'conditions'>;
  path: string;
  onOpen: (path: string) => void;
}

export function FileBrowser(props: FileBrowserProps) {
  const entered = useRef<string>(undefined);
  const enter = (path: string) => {
    entered.current = path;
    props.onOpen(path);
  };
  const ui = useUiWords();
  const may = useMay();
  // Reading has no node of its own: everything requires the right to use.
  if (!may('makeFolder')) return <Alert severity="info">{ui('permission.none')}</Alert>;
  return (
    <>
      <UploadPanel />
      {/* Selection and rows are one folder's. */}
      <FolderView
        key={`${props.disk.id} ${props.path}`}
        {...props}
        isEntered={entered.current === props.path}
        onOpen={enter}
      />
    </>
  );
}

const NONE: ReadonlySet<string> = new Set();
const idOf = ({ name, encoded }: FileEntry) => encoded ?? name;

function FolderView({ disk, path, isEntered, onOpen }: FileBrowserProps & { isEntered: boolean }) {
  const t = useStorageWords();
  const toast = useToast();
  const [sorting, setSorting] = useState<Sorting>({ by: 'type', type: 'asc' });
  const [selected, select] = useState(NONE);
  const [question, ask] = useState<FileQuestion>();
  const [text, search] = useState('');
  const { list, usage, isPreparing } = useFolder(disk, path, sorting);
  const isBarred = list.error !== null && list.items.length === 0;
  const downloads = useDownloads(disk.id, path);
  const { start } = downloads;
  const tell = (error: unknown) => toast.error(sentenceOf(error));
  const { send, isMaking } = useSendPicked(disk.id, tell);
  const command = useCallback(
    (command: EntryCommand) => {
      switch (command.what) {
        case 'open':
          return onOpen(joined(path, command.entry.name));
        case 'download':
          return void start(command.entry);
        case 'delete':
        case 'move':
        case 'copy':
          return ask(command);
        default:
          return ask({ what: command.what, entry: command.entry });
      }
    },
    [path, onOpen, start],
  );
  const openFound = useCallback(
    (folder: string) => {
      search('');
      onOpen(folder);
    },
    [onOpen],
  );
  const columns = useFileColumns(command);
  const chosen = list.items.filter((entry) => selected.has(idOf(entry)) && entry.encoded === undefined);
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, justifyContent: 'space-between', mb: 1, minHeight: 28 }}>
        <FolderCrumbs name={disk.name} path={path} isEntered={isEntered} onOpen={onOpen} />
        <Typography variant="body2" color="text.secondary">
          {usage &&
            t('files.used', {
              used: bytesText(usage.used),
              total: bytesText(usage.total),
              available: bytesText(usage.available),
            })}
        </Typography>
      </Box>
      {isPreparing ? (
        <PreparingNotice />
      ) : (
        <>
          {/* Where the files cannot be reached, nothing can be done with them either: the sentence below says why. */}
          {!isBarred && (
            <FileToolbar
              selectedCount={chosen.length}
              isBusy={isMaking}
              onPicked={(picked) => void send(path, picked)}
              onNewFolder={() => ask({ what: 'newFolder' })}
              onAsk={(what) => ask({ what, entries: chosen })}
              onZip={() => void start({ name: nameIn(path) || disk.name, type: 'folder', size_bytes: 0 }, path)}
              onRefresh={list.again}
              search={<SearchField label={t('files.search')} value={text} onSearch={search} />}
            />
          )}
          <DownloadList downloads={downloads.running} />
          {text !== '' && <SearchResults disk={disk.id} path={path} text={text} onOpen={openFound} />}
          {text === '' && (
            <DropZone hint={t('files.drop', { path })} onDrop={(picked) => void send(path, picked)} onError={tell}>
              <DataTable
                label={t('files.label', { path })}
                columns={columns}
                list={list}
                idOf={idOf}
                nameOf={({ name }) => name}
                sorting={sorting}
                onSort={setSorting}
                selected={selected}
                onSelect={select}
                empty={<EmptyState title={t('files.empty')} hint={t('files.emptyHint')} />}
              />
            </DropZone>
          )}
        </>
      )}
      {question && (
        <FileQuestions
          disk={disk.id}
          folder={path}
          question={question}
          onDownload={(entry) => void start(entry)}
          onClose={() => ask(undefined)}
        />
      )}
    </>
  );
}
