// The notice after a call that gives value: it is done, or it waits for a second person.
import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import { useNotify } from 'react-admin';
import type { words as english } from '../words/en/shell.ts';

/** As the gateway answers it. */
export interface GivenAnswer {
  approval_id?: string | null;
}

/** Resolves with whether it is done. */
export function useGiven(): (answer: GivenAnswer, done: string) => boolean {
  const t = useAreaWords<typeof english>('shell');
  const notify = useNotify();
  return ({ approval_id = null }, done) => {
    if (approval_id === null) notify(done, { type: 'success' });
    else notify(t('waitsForSecond'), { type: 'info' });
    return approval_id === null;
  };
}
