// Times as people read them here: YYYY-MM-DD HH:mm:ss, local. The wire has RFC 3339 in UTC.
const two = (value: number): string => `${value}`.padStart(2, '0');

/** "2026-11-22 05:04:03"; "–" for nothing. */
export function timeText(time: string | number | Date | null | undefined): string {
  if (time === null || time === undefined) return '–';
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? '–' : `${dateText(at)} ${clockText(at)}`;
}

/** "2026-11-22" */
export function dateText(time: string | number | Date): string {
  const at = new Date(time);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

const clockText = (at: Date): string => `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;

/** "Asia/Tokyo (UTC+09:00)": this browser's time zone, as it is at a moment. */
export function zoneText(at: Date): string {
  const minutes = -at.getTimezoneOffset();
  const size = Math.abs(minutes);
  const offset = `UTC${minutes < 0 ? '-' : '+'}${two(Math.floor(size / MINUTE_S))}:${two(size % MINUTE_S)}`;
  return `${Intl.DateTimeFormat().resolvedOptions().timeZone} (${offset})`;
}

const UTC_MOMENT = /(\d{4}-\d\d-\d\d) (\d\d:\d\d)(:\d\d)? UTC/g;

/** A server's sentence, which has its moments in UTC, with them as they are here: "firing since 2026-11-22 05:04". */
export const localTimes = (sentence: string): string =>
  sentence.replaceAll(UTC_MOMENT, (text, day: string, clock: string, seconds = '') => {
    const shown = timeText(`${day}T${clock}${seconds || ':00'}Z`);
    return shown === '–' ? text : seconds ? shown : shown.slice(0, -':00'.length);
  });

const SECOND_MS = 1000;
const MINUTE_S = 60;
const HOUR_S = 3600;

/** "01:02:03", of at most a day or so; never negative. */
export function countdownText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / SECOND_MS));
  return [Math.floor(seconds / HOUR_S), Math.floor((seconds % HOUR_S) / MINUTE_S), seconds % MINUTE_S]
    .map(two)
    .join(':');
}

/** The units of a duration, largest first. */
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** "3 hours ago", "in 2 days", in the person's language. */
export function relativeText(time: string | number | Date, now: number, locale: string): string {
  const difference = new Date(time).getTime() - now;
  if (Number.isNaN(difference)) return '–';
  const [unit, ms] = UNITS.find(([, each]) => Math.abs(difference) >= each) ?? UNITS[3];
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.round(difference / ms), unit);
}
