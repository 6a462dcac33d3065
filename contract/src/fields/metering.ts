// What metering leaves on every kind that costs, and what billing answers (design section 6).
import * as z from 'zod';
import { dateTime } from './date-time.ts';

/** A stretch of metered use; every kind that costs has the same shape (design section 6). `to` is absent while it runs. */
export const intervals = z
  .array(
    z.object({
      seq: z.int().min(1),
      subjectUID: z.string().max(64),
      from: dateTime,
      to: dateTime.optional(),
      uses: z
        .array(
          z.object({
            resource: z.string().max(63),
            model: z.string().max(63).optional(),
            quantity: z.number().min(0),
          }),
        )
        .max(8)
        .meta({ 'x-kubernetes-list-type': 'atomic' }),
    }),
  )
  .max(256)
  .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['seq'] });
export type Interval = z.infer<typeof intervals>[number];

/** What billing writes back on whatever costs; the operator only reads it. */
export const credit = z.object({
  until: dateTime.optional(),
  postedSeq: z.int().min(0).optional(),
});
