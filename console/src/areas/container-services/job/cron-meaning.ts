// The meaning of a schedule's five fields, if it can be said in few words. Other schedules are explained by their next runs.

export type CronMeaning =
  | { every: 'minute' }
  | { every: 'minutes'; count: number }
  | { every: 'hour'; minute: string }
  | { every: 'hours'; count: number; minute: string }
  | { every: 'day'; time: string }
  | { every: 'weekday'; time: string }
  | { every: 'week'; time: string; day: number }
  | { every: 'month'; time: string; date: number };

const NUMBER = /^\d{1,2}$/;
const STEP = /^\*\/(\d{1,2})$/;
const WEEKDAYS = new Set(['1-5', 'MON-FRI']);
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** Undefined for what has no short meaning. Sunday is day 0. */
export function cronMeaning(cron: string): CronMeaning | undefined {
  const fields = cron.trim().toUpperCase().split(/\s+/);
  if (fields.length !== 5) return undefined;
  const [minute, hour, date, month, day] = fields as [string, string, string, string, string];
  if (month !== '*') return undefined;
  const isAnyDay = date === '*' && day === '*';
  if (minute === '*') return isAnyDay && hour === '*' ? { every: 'minute' } : undefined;
  const minutes = within(STEP.exec(minute)?.[1], 1, 59);
  if (minutes !== undefined) return isAnyDay && hour === '*' ? { every: 'minutes', count: minutes } : undefined;
  const at = within(minute, 0, 59);
  if (at === undefined) return undefined;
  const two = `${at}`.padStart(2, '0');
  if (hour === '*') return isAnyDay ? { every: 'hour', minute: two } : undefined;
  const hours = within(STEP.exec(hour)?.[1], 1, 23);
  // From midnight on: where the day cannot be divided so, the last step of it is a shorter one.
  if (hours !== undefined)
    return isAnyDay && 24 % hours === 0 ? { every: 'hours', count: hours, minute: two } : undefined;
  const clock = within(hour, 0, 23);
  if (clock === undefined) return undefined;
  return ofDays([clock, at].map((part) => `${part}`.padStart(2, '0')).join(':'), date, day);
}

function ofDays(time: string, date: string, day: string): CronMeaning | undefined {
  if (date === '*' && day === '*') return { every: 'day', time };
  if (date === '*' && WEEKDAYS.has(day)) return { every: 'weekday', time };
  if (date === '*') {
    const named = DAYS.indexOf(day);
    const number = named >= 0 ? named : within(day, 0, 7);
    return number === undefined ? undefined : { every: 'week', time, day: number % 7 };
  }
  const number = within(date, 1, 31);
  return day === '*' && number !== undefined ? { every: 'month', time, date: number } : undefined;
}

function within(text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined || !NUMBER.test(text)) return undefined;
  const number = Number(text);
  return number >= least && number <= most ? number : undefined;
}
