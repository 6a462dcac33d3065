import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import type { words as english } from '../words/en/home.ts';

export const useHomeWords = () => useAreaWords<typeof english>('home');
