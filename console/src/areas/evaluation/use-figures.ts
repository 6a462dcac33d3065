// Scores, differences and times as the reader's language writes them.
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { useMemo } from 'react';

const THREE = { minimumFractionDigits: 3, maximumFractionDigits: 3 } as const;
const SECOND_MS = 1000;

interface Figures {
  /** A share of 1: "0.625". */
  share(value: number): string;
  /** "+0.050", "−0.050", "0.000". */
  difference(value: number): string;
  /** "0.512 – 0.713". */
  interval(ends: { low: number; high: number }): string;
  /** The same of a difference. */
  differenceInterval(ends: { low: number; high: number }): string;
  /** "120 ms", "1.25 s"; "–" where nobody knows. */
  time(ms: number | null): string;
  /** "12.5"; "–" where nobody knows. */
  rate(value: number | null): string;
}

export function useFigures(): Figures {
  const language = useLanguage();
  return useMemo(() => {
    const plain = new Intl.NumberFormat(language, THREE);
    const signed = new Intl.NumberFormat(language, { ...THREE, signDisplay: 'exceptZero' });
    const short = new Intl.NumberFormat(language, { maximumSignificantDigits: 3 });
    const withMinus = (text: string) => text.replace('-', '−');
    const difference = (value: number) => withMinus(signed.format(value));
    return {
      share: (value) => plain.format(value),
      difference,
      interval: ({ low, high }) => `${plain.format(low)} – ${plain.format(high)}`,
      differenceInterval: ({ low, high }) => `${difference(low)} – ${difference(high)}`,
      time: (ms) => {
        if (ms === null) return '–';
        return ms < SECOND_MS ? `${short.format(ms)} ms` : `${short.format(ms / SECOND_MS)} s`;
      },
      rate: (value) => (value === null ? '–' : short.format(value)),
    };
  }, [language]);
}
