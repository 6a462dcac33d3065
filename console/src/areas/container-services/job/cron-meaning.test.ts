// The text of a schedule must match its behaviour: what is uncertain is not said.
import { expect, test } from '@jest/globals';
import { type CronMeaning, cronMeaning } from './cron-meaning.ts';

test.each<[string, string, CronMeaning | undefined]>([
  ['every minute', '* * * * *', { every: 'minute' }],
  ['a step of minutes', '*/15 * * * *', { every: 'minutes', count: 15 }],
  ['once an hour', '5 * * * *', { every: 'hour', minute: '05' }],
  ['a step of hours', '0 */6 * * *', { every: 'hours', count: 6, minute: '00' }],
  ['a step that does not divide the day', '0 */5 * * *', undefined],
  ['daily', '0 3 * * *', { every: 'day', time: '03:00' }],
  ['on working days', '30 9 * * 1-5', { every: 'weekday', time: '09:30' }],
  ['on working days, by name', '30 9 * * mon-fri', { every: 'weekday', time: '09:30' }],
  ['weekly', '0 0 * * 1', { every: 'week', time: '00:00', day: 1 }],
  ['Sunday has two numbers', '0 0 * * 7', { every: 'week', time: '00:00', day: 0 }],
  ['monthly', '0 12 31 * *', { every: 'month', time: '12:00', date: 31 }],
  ['a day of the month or of the week', '0 12 1 * 1', undefined],
  ['some months', '0 12 1 6 *', undefined],
  ['several hours', '0 3,15 * * *', undefined],
  ['an hour that no clock has', '0 24 * * *', undefined],
  ['a day that no week has', '0 0 * * 8', undefined],
  ['a minute of every hour of a day', '* 3 * * *', undefined],
  ['too few fields', '0 3 * *', undefined],
  ['nothing', '', undefined],
  ['no number', 'a b c d e', undefined],
])('%s: %s', (_, cron, meaning) => {
  expect(cronMeaning(cron)).toEqual(meaning);
});
