// Chooses files, or a folder with its paths. Empty files are left out: they say nothing.
import Button from '@mui/material/Button';
import type { ChangeEvent } from 'react';
import { useModelWords } from '../use-model-words.ts';
import type { FileToSend } from './send-version.ts';

export function PickFiles({ onPicked }: { onPicked(files: readonly FileToSend[]): void }) {
  const t = useModelWords();
  const pick = ({ target }: ChangeEvent<HTMLInputElement>) => {
    onPicked(picked([...(target.files ?? [])]));
    target.value = '';
  };
  return (
    <>
      <Button component="label" variant="outlined">
        {t('form.files')}
        <input type="file" multiple hidden aria-label={t('form.files')} onChange={pick} />
      </Button>
      <Button component="label" variant="outlined">
        {t('form.folder')}
        <input
          type="file"
          hidden
          aria-label={t('form.folder')}
          onChange={pick}
          // React knows no such attribute of its own.
          ref={(input) => input?.setAttribute('webkitdirectory', '')}
        />
      </Button>
    </>
  );
}

/** Below the chosen folder: its own name is no part of a model's paths. */
const picked = (files: readonly File[]): FileToSend[] =>
  files
    .filter(({ size }) => size > 0)
    .map((file) => ({ path: (file.webkitRelativePath || file.name).replace(/^[^/]*\//, ''), file }))
    .filter(({ path }) => !path.split('/').some((part) => part.startsWith('.')));
