// In whose name an object stands. Without a name it is the organisation's own, for caps, bills, views and notices alike.
import * as z from 'zod';
import { cel } from '../define-kind.ts';
import { RULE_WORDS } from '../rule-words.ts';

export const creator = z
  .string()
  .max(63)
  .optional()
  .meta({
    description:
      'The name of the account that created the object. Absent: it is the organisation’s own, its owners hear of it, and where members have spending caps it gets no credit. It cannot be changed.',
    ...cel(['self == oldSelf', RULE_WORDS.creatorFixed]),
  });
