// Aliases of deployments, and tokens used, over HTTP.

import {
  type DeploymentTrafficView,
  MOST_USAGE_DAYS,
  MOST_USAGE_ROWS,
  COMPLETION_ROUTES as R,
  type TokenUsageRow,
  type UsageGroup,
} from '@gantry/contract/areas/inference/completions.ts';
import { moneyText, sumOf } from '@gantry/contract/fields/money.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { type Caller, hasRight } from '../../platform/http/caller.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import type { AliasRow, AliasRows } from './alias-rows.ts';
import type { TotalRow, UsageRange, UsageSum } from './usage-reads.ts';

export interface CompletionRouteParts {
  /** Throws not_found. */
  traffic: (caller: Caller, id: string) => Promise<DeploymentTrafficView>;
  aliases: Pick<AliasRows, 'list' | 'create' | 'edit' | 'remove'>;
  totals: (range: UsageRange, most: number) => Promise<TotalRow[]>;
  sums: (range: UsageRange, by: UsageGroup) => Promise<UsageSum[]>;
  currencyOf: (organizationId: string) => string;
  clock: Pick<Clock, 'now'>;
}

const DAY_MS = 86_400_000;
const USUAL_DAYS = 30;

export const completionRoutes = ({
  traffic,
  aliases,
  totals,
  sums,
  currencyOf,
  clock,
}: CompletionRouteParts): Served[] => [
  serve(R.getDeploymentTraffic, ({ caller, params }) => traffic(caller, params.id)),
  serve(R.listModelAliases, async ({ caller }) => ({
    aliases: (await aliases.list(caller.organization.id)).map(aliasView),
  })),
  serve(R.createModelAlias, async ({ caller, body, audit, idempotencyKey }) => {
    const { organization, account } = caller;
    const who = { organizationId: organization.id, accountId: account.id };
    const made = await aliases.create(who, body, idempotencyKey);
    audit.object = `ModelAlias/${made.id}`;
    return aliasView(made);
  }),
  serve(R.editModelAlias, async ({ caller, params, body, audit }) => {
    audit.object = `ModelAlias/${params.id}`;
    return aliasView(await aliases.edit(caller.organization.id, params.id, body));
  }),
  serve(R.deleteModelAlias, async ({ caller, params, audit }) => {
    audit.object = `ModelAlias/${params.id}`;
    await aliases.remove(caller.organization.id, params.id);
  }),
  serve(R.getTokenUsage, async ({ caller, query }) => {
    const to = query.to ?? dayOf(clock.now());
    const daysBefore = (days: number) => dayOf(Date.parse(to) - days * DAY_MS);
    const [wanted, earliest] = [query.from ?? daysBefore(USUAL_DAYS), daysBefore(MOST_USAGE_DAYS)];
    const from = wanted < earliest ? earliest : wanted;
    const range = { organizationId: caller.organization.id, accountId: ownOf(caller), from, to };
    // One more than is shown tells that there are more.
    const [all, summed] = await Promise.all([totals(range, MOST_USAGE_ROWS + 1), sums(range, query.by)]);
    const rows = all.slice(0, MOST_USAGE_ROWS);
    return {
      from,
      to,
      currency: currencyOf(caller.organization.id),
      rows: rows.map(
        (row): TokenUsageRow => ({
          day: row.day,
          model: row.model,
          account_id: row.accountId,
          token_id: row.tokenId === '' ? null : row.tokenId,
          ...countsOf([row]),
        }),
      ),
      complete: all.length === rows.length,
      sums: summed.map((row) => ({ key: row.key, ...countsOf([row]) })),
      total: countsOf(summed),
    };
  }),
];

/** Whoever manages sees everybody's. */
const ownOf = (caller: Caller): string | undefined => (hasRight(caller, 'manage') ? undefined : caller.account.id);

const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

const aliasView = ({ id, name, targets, creatorId, createdAt, updatedAt }: AliasRow) => ({
  id,
  name,
  targets,
  creator_id: creatorId,
  create_time: createdAt.toISOString(),
  update_time: updatedAt.toISOString(),
});

function countsOf(rows: readonly Omit<UsageSum, 'key'>[]) {
  const sum = (of: 'requests' | 'prompt' | 'cached' | 'completion' | 'doubtful') =>
    rows.reduce((all, row) => all + row[of], 0);
  return {
    requests: sum('requests'),
    prompt_tokens: sum('prompt'),
    cached_tokens: sum('cached'),
    completion_tokens: sum('completion'),
    estimated_requests: sum('doubtful'),
    amount: moneyText(sumOf(rows.map(({ net }) => net))),
  };
}
