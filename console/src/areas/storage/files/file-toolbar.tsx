// Commands for a folder as a whole.
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import CreateNewFolder from '@mui/icons-material/CreateNewFolderOutlined';
import DriveFolderUpload from '@mui/icons-material/DriveFolderUploadOutlined';
import FolderZip from '@mui/icons-material/FolderZipOutlined';
import Refresh from '@mui/icons-material/RefreshOutlined';
import UploadFile from '@mui/icons-material/UploadFileOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { type ChangeEvent, type ReactNode, useRef } from 'react';
import { type Picked, pickedBy } from '../../../parts/files/picked-files.ts';
import { useStorageWords } from '../use-storage-words.ts';

interface FileToolbarProps {
  selectedCount: number;
  isBusy: boolean;
  onPicked: (picked: Picked) => void;
  onNewFolder: () => void;
  /** About the selected entries. */
  onAsk: (what: 'move' | 'copy' | 'delete') => void;
  onZip: () => void;
  onRefresh: () => void;
  search: ReactNode;
}

export function FileToolbar({
  selectedCount,
  isBusy,
  onPicked,
  onNewFolder,
  onAsk,
  onZip,
  onRefresh,
  search,
}: FileToolbarProps) {
  const t = useStorageWords();
  const ui = useUiWords();
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const picked = ({ target }: ChangeEvent<HTMLInputElement>) => {
    onPicked(pickedBy(target.files ?? []));
    // Choosing the same file again is also a change.
    target.value = '';
  };
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', mb: 1 }}>
      <input ref={files} type="file" multiple hidden aria-label={t('files.upload')} onChange={picked} />
      <input
        ref={folder}
        type="file"
        multiple
        hidden
        aria-label={t('files.uploadFolder')}
        onChange={picked}
        {...{ webkitdirectory: '' }}
      />
      <Button variant="contained" startIcon={<UploadFile />} loading={isBusy} onClick={() => files.current?.click()}>
        {t('files.upload')}
      </Button>
      {/* It was pressed by whoever is waited for: a disabled button would lose the keyboard. */}
      <Button
        startIcon={<DriveFolderUpload />}
        aria-disabled={isBusy}
        sx={{ '&[aria-disabled=true]': { color: 'action.disabled', bgcolor: 'transparent', cursor: 'default' } }}
        onClick={() => isBusy || folder.current?.click()}
      >
        {t('files.uploadFolder')}
      </Button>
      <Button startIcon={<CreateNewFolder />} onClick={onNewFolder}>
        {t('files.newFolder')}
      </Button>
      {selectedCount > 0 && (
        <>
          <Button onClick={() => onAsk('move')}>{t('actions.moveCount', { count: selectedCount })}</Button>
          <Button onClick={() => onAsk('copy')}>{t('actions.copyCount', { count: selectedCount })}</Button>
          <Button color="error" onClick={() => onAsk('delete')}>
            {t('actions.deleteCount', { count: selectedCount })}
          </Button>
        </>
      )}
      <Box sx={{ display: 'flex', alignItems: 'end', gap: 1, ml: 'auto', minWidth: 0 }}>
        {search}
        <IconButton aria-label={t('files.zipHere')} title={t('files.zipHere')} onClick={onZip}>
          <FolderZip fontSize="small" />
        </IconButton>
        <IconButton aria-label={t('files.refresh')} title={ui('actions.refresh')} onClick={onRefresh}>
          <Refresh fontSize="small" />
        </IconButton>
      </Box>
    </Box>
  );
}
