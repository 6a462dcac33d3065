// Chooses files, or a folder with its paths; or takes what is dropped. Empty files are left out: they say nothing. Hidden ones too.

import { sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { bytesText } from '@gantry/ui/format/size.ts';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ChangeEvent } from 'react';
import { DropZone } from './drop-zone.tsx';
import { type PickedFile, pickedBy } from './picked-files.ts';
import { bytesIn, type FileToSend } from './send-pieces.ts';
import { useFilesWords } from './use-files-words.ts';

export interface Chosen {
  readonly files: readonly FileToSend[];
  /** How many were left out. */
  readonly leftOut: number;
}

export function PickFiles({ chosen, onPicked }: { chosen?: Chosen | undefined; onPicked(chosen: Chosen): void }) {
  const t = useFilesWords();
  const toast = useToast();
  const pick = ({ target }: ChangeEvent<HTMLInputElement>) => {
    onPicked(sendable(pickedBy(target.files ?? []).files));
    // Choosing the same file again is also a change.
    target.value = '';
  };
  return (
    <DropZone
      hint={t('drop')}
      onDrop={({ files }) => onPicked(sendable(files))}
      onError={(error) => toast.error(sentenceOf(error))}
    >
      <Box
        sx={{
          ...{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' },
          ...{ p: 1.5, border: '1px dashed', borderColor: 'divider', borderRadius: 1 },
        }}
      >
        <Button component="label" variant="outlined">
          {t('files')}
          <input type="file" multiple hidden aria-label={t('files')} onChange={pick} />
        </Button>
        <Button component="label" variant="outlined">
          {t('folder')}
          <input type="file" hidden aria-label={t('folder')} onChange={pick} {...{ webkitdirectory: '' }} />
        </Button>
        <Typography variant="body2" color="text.secondary" role="status">
          {chosen && chosen.files.length > 0
            ? t('chosen', { smart_count: chosen.files.length, size: bytesText(bytesIn(chosen.files)) })
            : t('dropHint')}
          {chosen && chosen.leftOut > 0 && ` ${t('leftOut', { smart_count: chosen.leftOut })}`}
        </Typography>
      </Box>
    </DropZone>
  );
}

/** By path. The name of the one folder that they are all in is no part of their paths. */
export function sendable(picked: readonly PickedFile[]): Chosen {
  const roots = new Set(picked.map(({ path }) => path.slice(0, path.indexOf('/') + 1)));
  const [root = ''] = roots.size === 1 ? roots : [];
  const files = picked
    // macOS takes letters and their accents apart, the server puts them together.
    .map(({ path, file }) => ({ path: path.slice(root.length).normalize('NFC'), file }))
    .filter(({ path, file }) => file.size > 0 && !path.split('/').some((part) => part.startsWith('.')))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, leftOut: picked.length - files.length };
}
