// The message to a model, with what goes with it: pictures, text files, and a knowledge base that answers are found in.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import FormHelperText from '@mui/material/FormHelperText';
import TextField from '@mui/material/TextField';
import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { BaseChoice } from './base-choice.tsx';
import { Pictures } from './pictures.tsx';
import { useChatWords } from './use-chat-words.ts';

const TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
const MOST_PICTURES = 4;
/** A request has at most 10 MB, and a data URL takes a third more than its file. */
const MOST_BYTES = 7 * 1024 * 1024;

/** Of text files: they count as what is typed. */
const MOST_FILE_BYTES = 100_000;
/** No text has them. */
const NO_TEXT = /\p{Cc}/gu;
const OF_TEXT = new Set(['\t', '\n', '\r', '\f']);

interface ComposerProps {
  text: string;
  onText: (text: string) => void;
  isAsking: boolean;
  /** The id of a knowledge base; empty: none. */
  base: string;
  onBase: (id: string) => void;
  onSend: (text: string, images: readonly string[]) => void;
  onStop: () => void;
}

export function Composer({ text, onText, isAsking, base, onBase, onSend, onStop }: ComposerProps) {
  const t = useChatWords();
  const field = useRef<HTMLInputElement>(null);
  const [images, setImages] = useState<readonly string[]>([]);
  const [wrong, setWrong] = useState<'pictureRule' | 'fileRule'>();
  const [files, setFiles] = useState<readonly TextFile[]>([]);
  const file = useRef<HTMLInputElement>(null);
  const textFile = useRef<HTMLInputElement>(null);
  // What was chosen to begin with is gone on with.
  // biome-ignore lint/correctness/useExhaustiveDependencies: not while somebody types
  useEffect(() => {
    if (text !== '' && document.activeElement !== field.current) field.current?.focus();
  }, [text === '']);
  const canSend = text.trim() !== '' && !isAsking;
  const send = () => {
    if (!canSend) return;
    onSend([text, ...files.map(quoted)].join('\n\n'), images);
    onText('');
    setImages([]);
    setFiles([]);
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
    setWrong(isGood ? undefined : 'pictureRule');
    if (isGood) setImages(all);
  };
  const addFiles = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const chosen = [...(target.files ?? [])];
    target.value = '';
    const had = files.reduce((sum, { content }) => sum + content.length, 0);
    const isSmall = chosen.reduce((sum, { size }) => sum + size, had) <= MOST_FILE_BYTES;
    const read = isSmall ? await Promise.all(chosen.map(readText)) : [];
    const isGood = isSmall && read.every(isText);
    setWrong(isGood ? undefined : 'fileRule');
    if (isGood) setFiles([...files, ...read]);
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
          inputRef={field}
          onChange={({ target }) => onText(target.value)}
          onKeyDown={(event) => {
            // A new line with Shift; and while a Chinese or Japanese word is put together, Enter chooses it.
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
        <input ref={file} type="file" hidden multiple accept={TYPES.join(',')} onChange={(event) => void add(event)} />
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
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', mt: 0.5 }}>
        <Button size="small" disabled={isAsking} onClick={() => file.current?.click()}>
          {t('addPictures')}
        </Button>
        <input
          ref={textFile}
          type="file"
          hidden
          multiple
          data-testid="text-files"
          onChange={(event) => void addFiles(event)}
        />
        <Button size="small" disabled={isAsking} onClick={() => textFile.current?.click()}>
          {t('addFiles')}
        </Button>
        <BaseChoice base={base} isBusy={isAsking} onChoose={onBase} />
        {files.map(({ name }, at) => (
          <Chip
            // biome-ignore lint/suspicious/noArrayIndexKey: two of them may have one name
            key={at}
            size="small"
            label={name}
            onDelete={() => setFiles(files.filter((_, index) => index !== at))}
          />
        ))}
      </Box>
      <Pictures urls={images} onRemove={(at) => setImages(images.filter((_, index) => index !== at))} />
      {wrong !== undefined && (
        <FormHelperText error role="alert">
          {t(wrong)}
        </FormHelperText>
      )}
      {images.length > 0 && <FormHelperText>{t('picturesHelp')}</FormHelperText>}
    </Box>
  );
}

interface TextFile {
  name: string;
  content: string;
}

const readText = async (file: File): Promise<TextFile> => ({
  name: file.name,
  content: await readAs('readAsText', file),
});

const isText = ({ content }: TextFile): boolean =>
  [...content.matchAll(NO_TEXT)].every(([control]) => OF_TEXT.has(control));

/** As a block of code, whose fence is longer than any within it. */
function quoted({ name, content }: TextFile): string {
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${name}\n\n${fence}\n${content.trimEnd()}\n${fence}`;
}

const urlOf = (file: File): Promise<string> => readAs('readAsDataURL', file);

const readAs = (how: 'readAsText' | 'readAsDataURL', file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(`${reader.result}`);
    reader.onerror = () => reject(reader.error);
    reader[how](file);
  });
