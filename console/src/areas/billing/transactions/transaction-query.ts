// The API query for the filters in the address. The export uses the same.

import type { DOCUMENT_ROUTES } from '@gantry/contract/areas/billing/documents.ts';
import type { InputOf } from '@gantry/contract/http/call.ts';
import { isTimeRange, spanOf } from '@gantry/ui/format/time-range.ts';
import type { Sorting } from '@gantry/ui/table/data-table.tsx';

export const FILTER_NAMES = ['range', 'type', 'status', 'payment_channel', 'source_type', 'search'] as const;
export type FilterName = (typeof FILTER_NAMES)[number];

type Query = NonNullable<InputOf<typeof DOCUMENT_ROUTES.exportTransactions>['query']>;

/** `now` is the end of a range; an unknown one is none. `side`: what is asked for where no type is chosen. */
export function transactionQuery(
  { range, ...others }: Readonly<Record<FilterName, string>>,
  { by, type }: Sorting,
  now: Date,
  side?: 'top-up',
): Query {
  const chosen = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== ''));
  const span = isTimeRange(range) ? { start: spanOf(range, now).from.toISOString() } : {};
  return { ...(side && { type: side }), ...chosen, ...span, order_by: by, order_type: type } as Query;
}
