// The portal's words in components.
import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import type { words } from '../words/en.ts';

export const usePortalWords = () => useAreaWords<typeof words>('portal');
