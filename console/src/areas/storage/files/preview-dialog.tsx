// A look at a small file: pictures as they are, of texts the beginning.

import type { FileEntry } from '@gantry/contract/areas/instances/files.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { bytesText } from '@gantry/ui/format/size.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { MONO } from '@gantry/ui/theme/theme.ts';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useMemo } from 'react';
import { useStorageWords } from '../use-storage-words.ts';
import { MOST_PICTURE_BYTES, MOST_TEXT_BYTES, pictureType, textOf } from './preview-kind.ts';

interface PreviewDialogProps {
  disk: string;
  path: string;
  entry: FileEntry;
  onDownload: () => void;
  onClose: () => void;
}

export function PreviewDialog({ disk, path, entry, onDownload, onClose }: PreviewDialogProps) {
  const t = useStorageWords();
  const ui = useUiWords();
  const api = useApi();
  const id = useId();
  const picture = pictureType(entry.name);
  // A link's size is its own, not its target's.
  const isTooLarge = picture !== undefined && entry.type === 'file' && entry.size_bytes > MOST_PICTURE_BYTES;
  const most = picture === undefined ? MOST_TEXT_BYTES : MOST_PICTURE_BYTES;
  const { data, error, isPending } = useQuery({
    queryKey: ['preview', disk, path, entry.modified_at],
    queryFn: async ({ signal }) => {
      // An empty file has no range.
      const headers = entry.size_bytes === 0 ? undefined : { Range: `bytes=0-${most - 1}` };
      const input = { params: { id: disk }, query: { path } };
      const answer = await api.send(CALLS.downloadFile, input, { signal, ...(headers && { headers }) });
      return new Uint8Array(await answer.arrayBuffer());
    },
    enabled: !isTooLarge,
    gcTime: 0,
  });
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" aria-labelledby={id}>
      <DialogTitle id={id} sx={{ overflowWrap: 'anywhere' }}>
        {t('preview.title', { name: entry.name })}
      </DialogTitle>
      <DialogContent sx={{ minHeight: '16rem' }}>
        {isTooLarge && <Alert severity="info">{t('preview.tooLarge')}</Alert>}
        {error && <ErrorState error={error} />}
        {isPending && !isTooLarge && <LoadingRows rows={5} height={28} />}
        {data && picture !== undefined && <Picture bytes={data} type={picture} name={entry.name} />}
        {data && picture === undefined && <Text bytes={data} isCut={data.length >= MOST_TEXT_BYTES} />}
      </DialogContent>
      <DialogActions>
        <Button onClick={onDownload}>{ui('actions.download')}</Button>
        <Button onClick={onClose}>{ui('actions.close')}</Button>
      </DialogActions>
    </Dialog>
  );
}

function Picture({ bytes, type, name }: { bytes: Uint8Array<ArrayBuffer>; type: string; name: string }) {
  const url = useMemo(() => URL.createObjectURL(new Blob([bytes], { type })), [bytes, type]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return (
    <Box sx={{ textAlign: 'center' }}>
      <Box component="img" src={url} alt={name} sx={{ maxWidth: '100%', maxHeight: '60vh' }} />
    </Box>
  );
}

function Text({ bytes, isCut }: { bytes: Uint8Array; isCut: boolean }) {
  const t = useStorageWords();
  const text = textOf(bytes);
  if (text === undefined) return <Alert severity="info">{t('preview.binary')}</Alert>;
  return (
    <>
      <Box
        component="pre"
        // Scrollable content must be reachable by keyboard.
        tabIndex={0}
        sx={{
          fontFamily: MONO,
          fontSize: 13,
          m: 0,
          maxHeight: '60vh',
          overflow: 'auto',
          whiteSpace: 'pre-wrap',
          overflowWrap: 'anywhere',
        }}
      >
        {text}
      </Box>
      {isCut && (
        <Alert severity="info" sx={{ mt: 1 }}>
          {t('preview.cut', { size: bytesText(MOST_TEXT_BYTES) })}
        </Alert>
      )}
    </>
  );
}
