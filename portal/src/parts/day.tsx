// The day of a time, and the time itself, in UTC. Server and browser may spell it differently: the server's stays.
import { LOCALES } from '@gantry/ui/i18n/language.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';

/** `at` is RFC 3339. */
export const Day = ({ at }: { at: string }) => <InUtc at={at} dateStyle="long" />;

/** To the minute. */
export const Moment = ({ at }: { at: string }) => (
  <>
    <InUtc at={at} dateStyle="medium" timeStyle="short" /> UTC
  </>
);

function InUtc({ at, ...style }: { at: string } & Pick<Intl.DateTimeFormatOptions, 'dateStyle' | 'timeStyle'>) {
  const format = new Intl.DateTimeFormat(LOCALES[useLanguage()], { ...style, timeZone: 'UTC' });
  return (
    <time dateTime={at} suppressHydrationWarning>
      {format.format(new Date(at))}
    </time>
  );
}
