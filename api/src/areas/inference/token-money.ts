// The money of requests to models: prices while the installation bills, and a part of a hold for each request under way.
import { exactMoney } from '@gantry/contract/fields/shown-money.ts';
import type { Tariffs } from '../../core/billing/prices/tariffs.ts';
import { tokenPrices } from '../../core/billing/tokens/token-charges.ts';
import type { TokenHolds } from '../../core/billing/tokens/token-holds.ts';
import type { Config } from '../../platform/config.ts';
import { NOTHING_HELD, type TokenMoney } from './money.ts';
import { Refusal } from './refusals.ts';

export const tokenMoney = (
  { billing }: Pick<Config, 'billing'>,
  tariffs: Pick<Tariffs, 'of'>,
  holds: Pick<TokenHolds, 'keep'>,
): TokenMoney => ({
  priceOf: (organizationId, priced, now) =>
    billing === 'on' ? tokenPrices(tariffs.of(organizationId), priced, now) : undefined,
  async hold({ organization, account }, amount) {
    if (amount <= 0n) return NOTHING_HELD;
    const answer = await holds.keep({ organizationId: organization.id, accountId: account.id }, amount);
    if ('kept' in answer) return answer.kept;
    const { wanted, available, currency } = answer;
    throw new Refusal('credit_needed', {
      detail: `${exactMoney(wanted, currency)}, and ${exactMoney(available, currency)} are free`,
    });
  },
});
