// The price list and plans over HTTP. Whose plan it is, the token says.
import { PRICE_ROUTES as R } from '@gantry/contract/http/prices.ts';
import type { ShownPrices } from '../billing/prices/shown-prices.ts';
import { type Served, serve } from './serve.ts';

export function priceRoutes(prices: Pick<ShownPrices, 'config' | 'list' | 'plan' | 'changePlan'>): Served[] {
  return [
    serve(R.billingConfig, ({ query, language, caller }) =>
      prices.config(query.billing_type, language, caller?.organization.id),
    ),
    serve(R.list, ({ query, caller }) => prices.list(query, caller?.organization.id)),
    serve(R.plan, ({ caller, language }) => prices.plan(caller.organization.id, language)),
    serve(R.changePlan, ({ caller, body, language, audit }) => {
      audit.object = `Plan/${caller.organization.id}`;
      return prices.changePlan(caller.organization.id, body.plan, caller.account.id, language);
    }),
  ];
}
