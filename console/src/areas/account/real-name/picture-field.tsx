// One picture of a submission: looked at before it is sent, sent with its progress, shown as it is.
import { problemSentence } from '@gantry/contract/http/problem.ts';
import { sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import AddPhoto from '@mui/icons-material/AddPhotoAlternateOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormHelperText from '@mui/material/FormHelperText';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useEffect, useId, useRef, useState } from 'react';
import { useAccountWords } from '../use-account-words.ts';
import { pictureFault } from './check-picture.ts';
import { uploadPicture } from './upload-picture.ts';
import { usePicture } from './use-picture.ts';

interface PictureFieldProps {
  label: string;
  help?: string;
  /** The picture's id on the server; empty while there is none. */
  value: string;
  onChange: (id: string) => void;
  error?: string | undefined;
  /** The element to focus if the picture is at fault. */
  focusRef: (element: HTMLElement | null) => void;
}

export function PictureField({ label, help, value, onChange, error, focusRef }: PictureFieldProps) {
  const t = useAccountWords();
  const api = useApi();
  const language = useLanguage();
  const [chosen, setChosen] = useState<Blob>();
  const [fault, setFault] = useState<string>();
  const [progress, setProgress] = useState<number>();
  const chooser = useRef<HTMLInputElement>(null);
  const under = useRef<AbortController>(undefined);
  const url = usePicture(value, chosen);
  const id = useId();
  useEffect(() => () => under.current?.abort(), []);

  const take = async (file: File | undefined) => {
    if (!file) return;
    under.current?.abort();
    const controller = new AbortController();
    under.current = controller;
    const found = await pictureFault(file);
    if (found) {
      setFault(
        found === 'kind'
          ? problemSentence('picture_kind', language, {})
          : t(found === 'size' ? 'realName.picture.large' : 'realName.picture.empty'),
      );
      return;
    }
    setFault(undefined);
    setProgress(0);
    try {
      const sent = await uploadPicture(api, file, { onProgress: setProgress, signal: controller.signal });
      setChosen(file);
      onChange(sent);
    } catch (thrown) {
      if (!controller.signal.aborted) setFault(sentenceOf(thrown));
    } finally {
      if (under.current === controller) setProgress(undefined);
    }
  };
  const said = fault ?? error;
  const choose = value === '' ? t('realName.picture.choose') : t('realName.picture.replace');
  return (
    <Box role="group" aria-labelledby={id}>
      <Typography id={id} variant="body2" sx={{ fontWeight: 600, mb: 0.5 }}>
        {label} *
      </Typography>
      <Box
        sx={{
          height: 160,
          border: '1px dashed',
          borderColor: said === undefined ? 'divider' : 'error.main',
          borderRadius: 1,
          display: 'grid',
          placeItems: 'center',
          overflow: 'hidden',
          bgcolor: 'action.hover',
        }}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          void take(event.dataTransfer.files[0]);
        }}
      >
        {url === undefined ? (
          <AddPhoto aria-hidden color="action" fontSize="large" />
        ) : (
          <Box component="img" src={url} alt={label} sx={{ maxWidth: '100%', maxHeight: 158, objectFit: 'contain' }} />
        )}
      </Box>
      {/* Its place is kept while nothing is under way. */}
      <LinearProgress
        variant="determinate"
        value={(progress ?? 0) * 100}
        aria-label={t('realName.picture.sending')}
        sx={{ my: 0.5, visibility: progress === undefined ? 'hidden' : 'visible' }}
      />
      <Button
        ref={focusRef}
        size="small"
        variant="outlined"
        disabled={progress !== undefined}
        aria-label={`${choose}: ${label}`}
        aria-describedby={`${id}-help`}
        onClick={() => chooser.current?.click()}
      >
        {choose}
      </Button>
      <input
        ref={chooser}
        type="file"
        accept="image/jpeg,image/png"
        hidden
        onChange={({ target }) => {
          void take(target.files?.[0]);
          target.value = '';
        }}
      />
      <FormHelperText id={`${id}-help`} error={said !== undefined} role={said === undefined ? undefined : 'alert'}>
        {said ?? help ?? t('realName.picture.help')}
      </FormHelperText>
    </Box>
  );
}
