// Fields that the kinds whose workers the gateway fills and follows have alike (`data-task.ts`).
import * as z from 'zod';
import { type CelRule, cel } from '../define-kind.ts';

export const MOST_COLUMN_LETTERS = 256;

export const whole = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** The id of a dataset. `refusal`: what the kind says of any other text. */
export const datasetId = (refusal: CelRule['words']) =>
  z
    .string()
    .max(63)
    .meta(cel(["self.matches('^dst-[a-z0-9-]{1,59}$')", refusal]));

/** The number of a version of a dataset. */
export const datasetVersion = z.int().min(1).max(999_999);

export const columnName = z.string().min(1).max(MOST_COLUMN_LETTERS);

export const digest = z.string().max(64);

/** Of a status: the number of the run that something is of. */
export const ofRun = (what: string) => z.int().min(1).describe(what);

/** Of an outcome: why the worker gave up. */
export const workerProblem = z
  .object({
    code: z.string().max(64).describe('Which, as one CamelCase word.'),
    sentence: z.string().max(1024).describe('The same in the words of the worker.'),
    args: z
      .record(z.string(), z.string().max(256))
      .meta({ maxProperties: 16 })
      .optional()
      .describe('Values for a sentence, by name.'),
  })
  .optional()
  .describe('Why the worker gave up.');
export type WorkerProblem = NonNullable<z.output<typeof workerProblem>>;
