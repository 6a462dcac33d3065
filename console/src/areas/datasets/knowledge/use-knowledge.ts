// One question to a knowledge base at a time: a new one takes the place of the one before.
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { useEffect, useRef, useState } from 'react';
import { type Found, searchKnowledge, type Wish } from '../../../parts/knowledge/search-knowledge.ts';
import { useDatasetWords } from '../use-dataset-words.ts';

export function useKnowledge() {
  const api = useApi();
  const t = useDatasetWords();
  const [state, setState] = useState<'idle' | 'asking' | 'preparing'>('idle');
  const stopping = useRef<AbortController>(undefined);
  useEffect(() => () => stopping.current?.abort(), []);
  return {
    state,
    /** Rejects where another question has taken its place, or the page is left. */
    async search(wish: Wish): Promise<Found> {
      stopping.current?.abort();
      const stop = new AbortController();
      stopping.current = stop;
      setState('asking');
      const asking = { headers: api.headers(), signal: stop.signal, waits: () => setState('preparing') };
      const found = await searchKnowledge(wish, asking);
      setState('idle');
      return found;
    },
    stop: () => stopping.current?.abort(),
    failureText: (message: string | null): string =>
      message === null ? t('ask.unanswered') : t('ask.failed', { message }),
  };
}
