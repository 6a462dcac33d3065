import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import type { words as english } from '../../words/en/computing.ts';

export const useComputingWords = () => useAreaWords<typeof english>('computing');
