// A folder's dialogs: a new folder, and renaming an entry.

import type { FileEntry } from '@gantry/contract/areas/instances/files.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { FormDialog } from '../../../parts/form-dialog.tsx';
import { useStorageWords } from '../use-storage-words.ts';
import { isName, joined } from './file-path.ts';

interface PlaceDialogProps {
  disk: string;
  folder: string;
  onClose: () => void;
}

export function NewFolderDialog({ disk, folder, onClose }: PlaceDialogProps) {
  const t = useStorageWords();
  const ui = useUiWords();
  const [name, setName] = useState('');
  const make = useCommand(CALLS.makeFolder, { isQuiet: true, invalidates: [CALLS.listFiles], onSuccess: onClose });
  return (
    <FormDialog
      title={t('files.newFolder')}
      submitLabel={ui('actions.create')}
      isBusy={make.isPending}
      isDisabled={!isName(name)}
      error={make.error?.message}
      onSubmit={(event) => {
        event.preventDefault();
        if (isName(name)) make.mutate({ params: { id: disk }, body: { path: joined(folder, name) } });
      }}
      onClose={onClose}
    >
      <NameField label={t('files.folderName')} value={name} onChange={setName} />
    </FormDialog>
  );
}

export function RenameEntryDialog({ disk, folder, entry, onClose }: PlaceDialogProps & { entry: FileEntry }) {
  const t = useStorageWords();
  const ui = useUiWords();
  const [name, setName] = useState(entry.name);
  const rename = useMoving(onClose);
  const go = () =>
    rename.send(disk, joined(folder, entry.name), joined(folder, name), entry.type !== 'folder' && rename.isTaken);
  return (
    <FormDialog
      title={t('ask.rename', { name: entry.name })}
      submitLabel={rename.isTaken && entry.type !== 'folder' ? t('ask.replace') : ui('actions.rename')}
      isBusy={rename.isPending}
      isDisabled={!isName(name) || name === entry.name}
      error={rename.isTaken && entry.type !== 'folder' ? t('ask.exists') : rename.error}
      onSubmit={(event) => {
        event.preventDefault();
        if (isName(name) && name !== entry.name) go();
      }}
      onClose={onClose}
    >
      <NameField
        label={t('ask.newName')}
        value={name}
        onChange={(value) => {
          rename.reset();
          setName(value);
        }}
      />
    </FormDialog>
  );
}

function useMoving(onSuccess: () => void) {
  const rename = useCommand(CALLS.renameFile, { isQuiet: true, invalidates: [CALLS.listFiles], onSuccess });
  const { error, isPending, reset } = rename;
  return {
    isPending,
    reset,
    error: error?.message,
    /** There is something of that name: it is replaced when it is sent again. */
    isTaken: error instanceof ApiProblem && error.error === 'file_exists',
    send: (disk: string, path: string, to: string, overwrite: boolean) =>
      rename.mutate({ params: { id: disk }, body: { path, to, overwrite } }),
  };
}

function NameField({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  const t = useStorageWords();
  const isWrong = value !== '' && !isName(value);
  return (
    <TextField
      label={label}
      value={value}
      autoFocus
      required
      autoComplete="off"
      error={isWrong}
      helperText={isWrong ? t('ask.nameRule') : ' '}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
