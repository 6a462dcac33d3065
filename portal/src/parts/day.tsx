// The day of a time, in UTC. Server and browser may spell it differently: the server's stays.
import { LOCALES } from '@gantry/ui/i18n/language.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';

/** `at` is RFC 3339. */
export function Day({ at }: { at: string }) {
  const format = new Intl.DateTimeFormat(LOCALES[useLanguage()], { dateStyle: 'long', timeZone: 'UTC' });
  return (
    <time dateTime={at} suppressHydrationWarning>
      {format.format(new Date(at))}
    </time>
  );
}
