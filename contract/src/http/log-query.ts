// The query parameters of a log, whoever asks.
import * as z from 'zod';
import { dateTime } from '../fields/date-time.ts';

const MOST_LOG_LINES = 1_000_000;
const MOST_NUMBER = 2 ** 31 - 1;

export const workerNumber = z.coerce
  .number()
  .int()
  .min(0)
  .max(MOST_NUMBER)
  .default(0)
  .meta({ description: 'Which of its workers; the first is 0.' });

export const logQuery = z.strictObject({
  follow: z.stringbool().default(false).meta({ description: 'The answer goes on until the program ends.' }),
  timestamps: z.stringbool().default(false).meta({ description: 'Each line begins with its time.' }),
  tail: z.coerce
    .number()
    .int()
    .min(0)
    .max(MOST_LOG_LINES)
    .optional()
    .meta({ description: 'So many lines of its end.' }),
  since: dateTime.optional().meta({ description: 'Lines from this time on.' }),
  search: z.string().max(256).optional().meta({ description: 'Lines that contain this text, in any case.' }),
});
/** For a run of several programs. */
export const workerQuery = logQuery.extend({ worker: workerNumber });
/** For a program that is started again when it ends. */
export const replicaQuery = logQuery.extend({
  previous: z
    .stringbool()
    .default(false)
    .meta({ description: 'Of a program that was started again: what it wrote before that.' }),
});
