// A download onto the person's machine, and what is said where it fails. It goes on while somebody looks at another page.
import { sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { bytesText } from '@gantry/ui/format/size.ts';
import { holdReload } from '@gantry/ui/session/hold-reload.ts';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import { useState } from 'react';
import { type Chunk, canDownload, MOST_HELD_BYTES, saveDownload, TooLarge } from './save-download.ts';
import { useFilesWords } from './use-files-words.ts';

export function useSaving() {
  const t = useFilesWords();
  const toast = useToast();
  const [isSaving, setSaving] = useState(false);
  const save = async (
    of: { name: string; size: number | undefined },
    pieces: (most: number) => AsyncIterable<Chunk>,
  ) => {
    const tellTooLarge = () => toast.warning(t('tooLarge', { most: bytesText(MOST_HELD_BYTES) }));
    if (!canDownload(of.size ?? 0)) return tellTooLarge();
    const release = holdReload();
    setSaving(true);
    try {
      await saveDownload(of, pieces);
    } catch (error) {
      if (error instanceof TooLarge) tellTooLarge();
      else if ((error as Error).name !== 'AbortError') toast.error(sentenceOf(error));
    } finally {
      release();
      setSaving(false);
    }
  };
  return { isSaving, save };
}
