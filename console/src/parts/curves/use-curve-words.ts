import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import type { words } from './words/en.ts';

export const useCurveWords = () => useAreaWords<typeof words>('curves');
