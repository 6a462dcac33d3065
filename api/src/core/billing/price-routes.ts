// The price list, plans and discount codes over HTTP. Whose they are, the token says.

import { PRICE_ROUTES as R } from '@gantry/contract/areas/billing/prices.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import type { Prices } from './prices/open-prices.ts';

export function priceRoutes({ shown: prices, discounts }: Pick<Prices, 'shown' | 'discounts'>): Served[] {
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
    serve(R.listDiscountCodes, ({ caller }) => discounts.redeemed(caller.organization.id)),
    serve(R.redeemDiscountCode, async ({ caller, body, audit }) => {
      const redeemed = await discounts.redeem(body.code, caller.organization.id, caller.account.id);
      audit.object = `DiscountCode/${redeemed.code}`;
      return redeemed;
    }),
  ];
}
