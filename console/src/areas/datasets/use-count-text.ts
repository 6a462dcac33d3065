// Counts as the person's language groups their digits; "–" for one that nobody knows.
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { useMemo } from 'react';

export function useCountText(): (count: number | null) => string {
  const language = useLanguage();
  return useMemo(() => {
    const format = new Intl.NumberFormat(language);
    return (count) => (count === null ? '–' : format.format(count));
  }, [language]);
}
