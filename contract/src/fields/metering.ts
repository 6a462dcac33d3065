// Metering's fields on every billable kind, and billing's answers (design section 6).
import * as z from 'zod';
import { dateTime } from './date-time.ts';

/** A stretch of metered use; every kind that costs has the same shape (design section 6). `to` is absent while it runs. */
export const intervals = z
  .array(
    z.object({
      seq: z.int().min(1).describe('The number of the interval. Each object counts its own.'),
      subjectUID: z.string().max(64).describe('The UID of what was used, such as a Pod or a volume claim.'),
      run: z.int().min(1).optional().describe('The run that used it, of objects that have several.'),
      parts: z
        .string()
        .max(253)
        .optional()
        .describe('What of the object used it together, such as the workers 0-3, 5 of a job.'),
      from: dateTime.describe('When the use began.'),
      to: dateTime.optional().describe('When the use ended. Absent: it goes on.'),
      uses: z
        .array(
          z.object({
            resource: z.string().max(63).describe('What was used, such as gpu, cpu, memory or disk.'),
            model: z.string().max(63).optional().describe('The GPU model, for resources that have one.'),
            quantity: z
              .number()
              .min(0)
              .describe(
                'How much of it was in use at any one time: a number of GPUs or CPU cores, or GiB, rounded to three decimals.',
              ),
            exact: z
              .object({
                count: z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe('How many of the unit.'),
                unit: z.enum(['Mi', 'B']).describe('Mi, or bytes.'),
              })
              .optional()
              .describe('The exact size, where quantity is rounded: it is what is billed.'),
          }),
        )
        .max(8)
        .meta({ 'x-kubernetes-list-type': 'atomic' })
        .describe('What was in use, all of it for the whole interval.'),
    }),
  )
  .max(256)
  .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['seq'] })
  .describe('Metered use that has not been billed yet, oldest first.');
export type Interval = z.infer<typeof intervals>[number];

/** Billing's answers on billable objects; the operator only reads them. */
export const credit = z
  .object({
    until: dateTime.optional().describe('Until when the use is covered by reserved credit.'),
    postedSeq: z.int().min(0).optional().describe('The number of the last interval that has been billed.'),
    cost: z
      .string()
      .max(64)
      .optional()
      .describe('What has been billed for it so far, with its currency, such as 12.34 USD.'),
  })
  .describe('What billing answered. Only billing writes it.');
