import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import type { words } from '../../words/en/operation.ts';

export const useOperationWords = () => useAreaWords<typeof words>('operation');
