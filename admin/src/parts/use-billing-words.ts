import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import type { words as english } from '../words/en/billing.ts';

export const useBillingWords = () => useAreaWords<typeof english>('billing');
