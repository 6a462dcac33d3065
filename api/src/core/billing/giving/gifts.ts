// Staff's gifts by kind: the wish that is kept while it waits, and the result of carrying it out.

import type { DiscountRow } from '@gantry/contract/areas/billing/admin-discount.ts';
import type { PriceRowOf } from '@gantry/contract/areas/billing/admin-prices.ts';
import type { GiftKind } from '@gantry/contract/billing/gifts.ts';
import type { PlanId } from '@gantry/contract/billing/plans.ts';
import type { Sql } from '../../../platform/db/open.ts';
import type { Refund } from '../payments/refunds.ts';
import type { SetDiscount } from '../prices/discount-rows.ts';
import type { SetPrice } from '../prices/price-rows.ts';
import type { GiftFacts } from './second-person.ts';

interface Transfer {
  organizationId: string;
  /** Decimal; below zero takes back. */
  amount: string;
  of: 'cash' | 'credits';
}

export interface Gifts {
  grant: { wish: Transfer; made: undefined };
  adjust: { wish: Transfer; made: undefined };
  confirm: { wish: { paymentId: string; amount: string }; made: undefined };
  refund: { wish: { paymentId: string; amount: string }; made: Refund };
  dispute: { wish: { paymentId: string; booking: 'now' | 'by_hand' }; made: undefined };
  discount: { wish: SetDiscount; made: DiscountRow };
  price: { wish: SetPrice; made: PriceRowOf<'prices'> };
  plan: { wish: { organizationId: string; plan: PlanId }; made: undefined };
  node: { wish: { node: string; organizationId: string }; made: undefined };
  setting: { wish: { id: string; value: string | null }; made: undefined };
}

export interface Giver {
  /** The account of the staff member. */
  id: string;
  reason: string;
  /** The same for a call that is repeated: it happens once. */
  key: string | undefined;
}

/** By whom, of what needed a second person. */
export interface Approved {
  approval: string;
  approvedBy: string;
  approvalReason: string;
}

export interface Carrying extends Giver {
  approved?: Approved | undefined;
  /**
   * Throws if a second person is needed after all; `key` is that of the transfer that it decides about. Runs in the transaction that
   * writes down what is given, for a new one alone, so that of two at once only one passes.
   */
  mayAlone(tx: Sql, key?: string): Promise<void>;
}

/** One way of giving value. */
export interface Way<Kind extends GiftKind> {
  /** Undefined: nothing is given by it, and anybody who may call it decides alone. Throws what a wrong wish is refused with. */
  facts(wish: Gifts[Kind]['wish']): Promise<GiftFacts | undefined>;
  /** Doing it again for the same approval changes nothing. */
  carryOut(wish: Gifts[Kind]['wish'], carrying: Carrying): Promise<Gifts[Kind]['made']>;
}
export type Ways = { readonly [Kind in GiftKind]: Way<Kind> };
