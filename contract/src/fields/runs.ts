// The runs of an object, of any kind: when each ran, how it ended, and where its log is kept.
import * as z from 'zod';
import { dateTime } from './date-time.ts';

/** How many ended runs an object remembers. */
export const MOST_RUNS = 20;
/** Letters of the last lines of a failed run. */
export const MOST_LAST_LINES = 500;

export const keptLog = z
  .object({
    image: z.string().max(512).describe('Where it is in the registry.'),
    bytes: z.int().min(0).describe('How many bytes of it are kept.'),
    isCut: z.boolean().describe('Whether its beginning is not kept, because it was longer.'),
  })
  .optional()
  .describe('What its program wrote, as far as that is kept.');

const runRecord = z.object({
  seq: z.int().min(1).describe('The number of the run.'),
  cause: z.string().max(32).describe('Why it was begun.'),
  startedAt: dateTime.optional().describe('When its container started. Absent: it never did.'),
  endedAt: dateTime.describe('When it ended.'),
  exit: z.string().max(64).describe('How it ended, such as OOMKilled; Stopped where that was requested.'),
  exitCode: z.int().optional().describe('The exit code of its program, if that is known.'),
  log: keptLog,
});
export type RunRecord = z.output<typeof runRecord>;

/** For a status. */
export const runRecords = z
  .array(runRecord)
  .max(MOST_RUNS)
  .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['seq'] })
  .describe('The ended runs, newest first. Older ones are dropped.');
