// Rows of usage, summed by what one asks for. Pure.
import { moneyText, parseMoney, sumOf } from '@gantry/contract/fields/money.ts';
import type { TokenUsageRow } from '@gantry/contract/http/completions.ts';

export const GROUPS = ['model', 'token', 'person', 'day'] as const;
export type Group = (typeof GROUPS)[number];

const KEY: Record<Group, (row: TokenUsageRow) => string> = {
  model: ({ model }) => model,
  token: ({ token_id }) => token_id ?? '',
  person: ({ account_id }) => account_id,
  day: ({ day }) => day,
};

/** Of one model, token (`''`: none), account or day. */
export interface UsageSum extends Omit<TokenUsageRow, 'day' | 'model' | 'account_id' | 'token_id'> {
  key: string;
}

/** Days with the newest first; others by what they have used. */
export function usageBy(rows: readonly TokenUsageRow[], group: Group): UsageSum[] {
  const sums = [...Map.groupBy(rows, KEY[group])].map(([key, some]) => ({ key, ...sumUsage(some) }));
  return group === 'day'
    ? sums.sort((a, b) => (a.key < b.key ? 1 : -1))
    : sums.sort((a, b) => tokensOf(b) - tokensOf(a) || (a.key < b.key ? -1 : 1));
}

const tokensOf = ({ prompt_tokens, completion_tokens }: UsageSum): number => prompt_tokens + completion_tokens;

function sumUsage(rows: readonly TokenUsageRow[]): Omit<UsageSum, 'key'> {
  const sum = (of: 'requests' | 'prompt_tokens' | 'cached_tokens' | 'completion_tokens' | 'estimated_requests') =>
    rows.reduce((all, row) => all + row[of], 0);
  return {
    requests: sum('requests'),
    prompt_tokens: sum('prompt_tokens'),
    cached_tokens: sum('cached_tokens'),
    completion_tokens: sum('completion_tokens'),
    estimated_requests: sum('estimated_requests'),
    amount: moneyText(sumOf(rows.map(({ amount }) => parseMoney(amount)))),
  };
}
