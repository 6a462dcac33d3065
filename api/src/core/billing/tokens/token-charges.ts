// The cost of tokens, and its postings: one line for each person, model and day.

import { tokenSku } from '@gantry/contract/billing/token-prices.ts';
import type { Micros } from '@gantry/contract/fields/money.ts';
import type { Sql } from '../../../platform/db/open.ts';
import type { Charge } from '../ledger/wallet-rules.ts';
import type { Wallets } from '../ledger/wallets.ts';
import { shareLeft } from '../prices/price-table.ts';
import type { Tariff } from '../prices/rate.ts';

/** The price of a million tokens. */
interface Rate {
  amount: Micros;
  /** The part of it left after a discount, in ten-thousandths. */
  left: bigint;
}

export interface TokenPrices {
  prompt: Rate;
  cached: Rate;
  completion: Rate;
}

const SOURCE = 'container_rent';

/**
 * Undefined where staff have set none: whoever runs a model pays for its cards, and its tokens are free. Tokens from a cache cost as
 * much as others, unless they have a price of their own.
 */
export function tokenPrices(tariff: Tariff, model: string, at: number): TokenPrices | undefined {
  const rateOf = (part: 'prompt' | 'cached' | 'completion'): Rate | undefined => {
    const sku = tokenSku(part, model);
    const price = tariff.prices.at(sku, tariff, at);
    if (!price) return undefined;
    const discount = tariff.discounts.at({ organizationId: tariff.organizationId, source: SOURCE, sku }, at);
    return { amount: price.amount, left: shareLeft(discount?.basisPoints ?? 0) };
  };
  const [prompt, cached, completion] = [rateOf('prompt'), rateOf('cached'), rateOf('completion')];
  if (!prompt && !cached && !completion) return undefined;
  const free = { amount: 0n as Micros, left: shareLeft(0) };
  return { prompt: prompt ?? free, cached: cached ?? prompt ?? free, completion: completion ?? free };
}

/** The cost of many requests of one person to one model on one day. */
export interface TokenCost {
  readonly key: string;
  readonly organizationId: string;
  readonly accountId: string;
  readonly modelUid: string;
  readonly model: string;
  readonly at: Date;
  readonly list: Micros;
  readonly net: Micros;
  /** The subject whose hold it uses up. */
  readonly subject: string | undefined;
}

/** Each once, by its key; `also` runs in the same transaction. */
export const chargeTokens = (
  wallets: Pick<Wallets, 'charge'>,
  costs: readonly TokenCost[],
  also: (tx: Sql) => Promise<void>,
): Promise<Set<string>> => wallets.charge(costs.map(chargeOf), also);

const chargeOf = ({ key, organizationId, accountId, modelUid, model, at, list, net, subject }: TokenCost): Charge => ({
  key,
  organizationId,
  list,
  net,
  at,
  bill: {
    id: `tokens/${modelUid}/${at.toISOString().slice(0, 10)}/${accountId}`,
    type: 'consumption',
    source: SOURCE,
    accountId,
    reference: `ModelDeployment/${model}`,
    detail: model,
  },
  subject,
});
