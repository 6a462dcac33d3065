// Points in time of our kinds. JavaScript and Go each read texts that the other refuses, and the API server's own format
// `date-time` takes more than both (+99:99, anything after a "ZT"), so one shape is admitted, which both read alike.
import * as z from 'zod';

// Only years from 2000 to 2999: Go's zero time (the year 1) and the epoch read as "never" somewhere, and an offset carries the
// year 9999 into one with five digits.
const LEAP_DAY = '2(?:[0-9](?:0[48]|[2468][048]|[13579][26])|[048]00)-02-29';
const OTHER_DAY =
  '2[0-9]{3}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))';
const TIME = '(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:[.][0-9]{1,9})?';
const OFFSET = '(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])';
/** RFC 3339 with capital letters, valid days and times, and an offset below 24 hours. RE2 reads it too. */
export const DATE_TIME = new RegExp(`^(?:${LEAP_DAY}|${OTHER_DAY})T${TIME}${OFFSET}$`);

/** For a status. A spec's is in wished-date-time.ts, whose refusal somebody reads. */
export const dateTime = z.stringFormat('datetime', DATE_TIME).max(35);

/**
 * Milliseconds since the epoch; undefined for anything that is not such a time. For all stored values: the schema may have been
 * different then.
 */
export const instantOf = (value: unknown): number | undefined =>
  typeof value === 'string' && DATE_TIME.test(value) ? Date.parse(value) : undefined;
