// The envelope of every answer: `code` 0 is a success, and any other number a problem.
import * as z from 'zod';
import type { RouteFacts } from './define-route.ts';

export const paginated = z.object({
  page: z.int().min(1),
  size: z.int().min(1),
  total_num: z.int().min(0),
  total_page: z.int().min(0),
  /** How many are on this page. */
  num: z.int().min(0),
  extra: z.record(z.string(), z.unknown()),
});

export const problemBody = z.object({
  code: z.int().min(40000).max(59999),
  error: z.string(),
  message: z.string(),
  field: z.string().optional(),
  args: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  request_id: z.string(),
});

/** A list that is answered as one page: it says so as every other list does. */
export const isWholeList = ({ answer }: Pick<RouteFacts, 'answer'>): boolean =>
  'data' in answer && answer.data instanceof z.ZodArray;

const success = { code: z.literal(0), message: z.string() };

/** The whole body of a success as JSON; undefined for a stream or a file. */
export function envelopeOf({ answer }: Pick<RouteFacts, 'answer'>): z.ZodType | undefined {
  if ('raw' in answer) return answer.raw;
  if ('result' in answer) return z.object({ ...success, result: answer.result });
  if ('data' in answer)
    return z.object({ ...success, data: answer.data, ...(isWholeList({ answer }) && { paginated }) });
  if ('list' in answer) return z.object({ ...success, data: z.array(answer.list), paginated });
  if ('text' in answer) return z.object(success);
  return undefined;
}
