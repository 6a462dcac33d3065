import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import type { words } from './words/en.ts';

export const useAccountWords = () => useAreaWords<typeof words>('account');
export type AccountWords = ReturnType<typeof useAccountWords>;
