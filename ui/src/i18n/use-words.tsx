// Words for components.
import { createContext, type ReactNode, useContext } from 'react';
import type { words as english } from '../words/en.ts';
import type { Translate, Words } from './words.ts';

const WordsContext = createContext<Words | undefined>(undefined);

export const WordsProvider = ({ words, children }: { words: Words; children: ReactNode }) => (
  <WordsContext value={words}>{children}</WordsContext>
);

export function useAllWords(): Words {
  const words = useContext(WordsContext);
  if (!words) throw new Error('there is no WordsProvider above');
  return words;
}

/** One area's words, typed by its English ones: `useAreaWords<typeof words>('instances')`. */
export const useAreaWords = <W,>(area: string): Translate<W> => useAllWords().of<W>(area);

/** The words that all apps share. */
export const useUiWords = (): Translate<typeof english> => useAllWords().of<typeof english>('ui');

export const useLanguage = () => useAllWords().language;
