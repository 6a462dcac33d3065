// The message to a model, and the pictures that go with it.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormHelperText from '@mui/material/FormHelperText';
import TextField from '@mui/material/TextField';
import { type ChangeEvent, useRef, useState } from 'react';
import { Pictures } from './pictures.tsx';
import { useChatWords } from './use-chat-words.ts';

const TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
const MOST_PICTURES = 4;
/** A request has at most 10 MB, and a data URL takes a third more than its file. */
const MOST_BYTES = 7 * 1024 * 1024;

interface ComposerProps {
  isAsking: boolean;
  onSend: (text: string, images: readonly string[]) => void;
  onStop: () => void;
}

export function Composer({ isAsking, onSend, onStop }: ComposerProps) {
  const t = useChatWords();
  const [text, setText] = useState('');
  const [images, setImages] = useState<readonly string[]>([]);
  const [isWrong, setWrong] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const canSend = text.trim() !== '' && !isAsking;
  const send = () => {
    if (!canSend) return;
    onSend(text, images);
    setText('');
    setImages([]);
  };
  const add = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const chosen = [...(target.files ?? [])];
    // The same file can be chosen again.
    target.value = '';
    const added = await Promise.all(chosen.map(urlOf));
    const all = [...images, ...added];
    const isGood =
      chosen.every(({ type }) => TYPES.includes(type)) &&
      all.length <= MOST_PICTURES &&
      all.reduce((sum, url) => sum + url.length, 0) <= MOST_BYTES;
    setWrong(!isGood);
    if (isGood) setImages(all);
  };
  return (
    <Box>
      <Box sx={{ display: 'flex', gap: 1, alignItems: 'flex-end', flexWrap: 'wrap' }}>
        <TextField
          label={t('message')}
          value={text}
          multiline
          maxRows={10}
          sx={{ flex: '1 1 16rem' }}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            // A new line with Shift; and while a Chinese or Japanese word is put together, Enter chooses it.
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
        <input ref={file} type="file" hidden multiple accept={TYPES.join(',')} onChange={(event) => void add(event)} />
        <Button disabled={isAsking} onClick={() => file.current?.click()}>
          {t('addPictures')}
        </Button>
        {isAsking ? (
          <Button variant="outlined" color="error" onClick={onStop} aria-label={t('stop')}>
            {t('stop')}
          </Button>
        ) : (
          <Button variant="contained" disabled={!canSend} onClick={send}>
            {t('send')}
          </Button>
        )}
      </Box>
      <Pictures urls={images} onRemove={(at) => setImages(images.filter((_, index) => index !== at))} />
      {isWrong && (
        <FormHelperText error role="alert">
          {t('pictureRule')}
        </FormHelperText>
      )}
      {images.length > 0 && <FormHelperText>{t('picturesHelp')}</FormHelperText>}
    </Box>
  );
}

const urlOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(`${reader.result}`);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
