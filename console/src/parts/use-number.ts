// Numbers as the reader's language writes them.
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { useMemo } from 'react';

/** "–" for an unknown one. All of its digits, as sums are checked by hand. */
export function useNumber(): (value: number | null | undefined) => string {
  const language = useLanguage();
  return useMemo(() => {
    const format = new Intl.NumberFormat(language, { maximumSignificantDigits: 15 });
    return (value) => (value === null || value === undefined ? '–' : format.format(value));
  }, [language]);
}
