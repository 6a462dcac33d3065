// A schedule in plain words: "Every day at 03:00 (Europe/Berlin)".
import { LOCALES } from '@gantry/ui/i18n/language.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { useDeployWords } from '../use-deploy-words.ts';
import { cronMeaning } from './cron-meaning.ts';

/** A Sunday. */
const SUNDAY = Date.UTC(2023, 0, 1);
const DAY_MS = 86_400_000;

/** Undefined where it has no short meaning. */
export function useScheduleText(): (schedule: { cron: string; timeZone?: string | undefined }) => string | undefined {
  const t = useDeployWords();
  const language = useLanguage();
  return ({ cron, timeZone = 'UTC' }) => {
    const meaning = cronMeaning(cron);
    if (!meaning) return undefined;
    const args: Record<string, string | number> = { zone: timeZone };
    if ('time' in meaning) args.time = meaning.time;
    if ('minute' in meaning) args.minute = meaning.minute;
    if ('count' in meaning) args.smart_count = meaning.count;
    if ('date' in meaning) args.date = meaning.date;
    if ('day' in meaning) {
      args.day = new Intl.DateTimeFormat(LOCALES[language], { weekday: 'long', timeZone: 'UTC' }).format(
        SUNDAY + meaning.day * DAY_MS,
      );
    }
    return t(`schedule.every.${meaning.every}`, args);
  };
}
