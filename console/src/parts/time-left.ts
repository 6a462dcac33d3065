// How long the balance lasts. Rounded down: it never ends sooner than stated.
import { usePartsWords } from './use-parts-words.ts';

const HOURS_OF_A_DAY = 24;
const DAYS_FROM_HOURS = 48;
const HOURS_OF_A_YEAR = 365 * HOURS_OF_A_DAY;

export interface TimeLeft {
  unit: 'overAYear' | 'days' | 'hours' | 'underAnHour';
  count: number;
}

/** Undefined if nothing is in use. */
export function timeLeft(hours: number | null): TimeLeft | undefined {
  if (hours === null) return undefined;
  if (hours < 1) return { unit: 'underAnHour', count: 0 };
  if (hours < DAYS_FROM_HOURS) return { unit: 'hours', count: Math.floor(hours) };
  // Nobody counts on the days of a year: prices and use change before.
  if (hours >= HOURS_OF_A_YEAR) return { unit: 'overAYear', count: 0 };
  return { unit: 'days', count: Math.floor(hours / HOURS_OF_A_DAY) };
}

/** In words; "nothing is in use" for null. */
export function useTimeLeft(): (hours: number | null) => string {
  const t = usePartsWords();
  return (hours) => {
    const left = timeLeft(hours);
    return left ? t(`timeLeft.${left.unit}`, { smart_count: left.count }) : t('timeLeft.nothingInUse');
  };
}
