// Every way in which finance gives value: what it comes to and who gains, and how it is carried out.
import { PLANS } from '@gantry/contract/billing/plans.ts';
import { moneyText, parseMoney } from '@gantry/contract/fields/money.ts';
import { exactMoney, shownMoney } from '@gantry/contract/fields/shown-money.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, eq, inArray } from 'drizzle-orm';
import type { Database } from '../../../platform/db/open.ts';
import { redemptions } from '../../../platform/db/schema/prices.ts';
import type { Wallets } from '../ledger/wallets.ts';
import type { OpenPayments } from '../payments/open-payments.ts';
import { type SetDiscount, targetOf } from '../prices/discount-rows.ts';
import type { Prices } from '../prices/open-prices.ts';
import type { Tariffs } from '../prices/tariffs.ts';
import type { Ways } from './gifts.ts';
import { requireTransferRule, type Transfers } from './transfers.ts';

export interface WaysParts {
  db: Database;
  clock: Clock;
  wallets: Pick<Wallets, 'balances'>;
  transfers: Pick<Transfers, 'make'>;
  payments: Pick<OpenPayments, 'payments' | 'refunds' | 'reversals'>;
  prices: Pick<Prices, 'plans' | 'rows' | 'discounts' | 'items'>;
  tariffs: Pick<Tariffs, 'of' | 'prices'>;
  /** The installation's. */
  currency: string;
}
type TransferWay = Ways['grant'] & Ways['adjust'];
type MoneyWays = Omit<Ways, 'node' | 'setting'>;

export const moneyWays = (parts: WaysParts): MoneyWays => ({
  grant: transferWay('grant', parts),
  adjust: transferWay('adjust', parts),
  confirm: {
    async facts({ paymentId, amount: text }) {
      const amount = parseMoney(text);
      const payment = await parts.payments.payments.confirmable(paymentId, amount);
      // Said once more, it gives nothing more.
      if (payment.state === 'paid') return undefined;
      const { organizationId, currency } = payment;
      const detail = [
        paymentId,
        shownMoney(moneyText(amount), currency),
        shownMoney(moneyText(payment.amount), currency),
      ].join(' · ');
      return { organizationId, worth: { amount, currency }, isOther: amount !== payment.amount, detail };
    },
    async carryOut({ paymentId, amount }, { id: by, reason, approved, mayAlone }) {
      await parts.payments.payments.confirmTransfer(paymentId, parseMoney(amount), { by, reason, approved, mayAlone });
      return undefined;
    },
  },
  refund: {
    async facts({ paymentId, amount }) {
      const payment = await mustFind(parts, paymentId);
      const { organizationId, currency } = payment;
      return { organizationId, worth: { amount: parseMoney(amount), currency }, detail: paymentId };
    },
    carryOut({ paymentId, amount: text }, { id: by, reason, approved, mayAlone }) {
      const wish = { paymentId, amount: parseMoney(text), by, reason, mayAlone };
      return parts.payments.refunds.start({ ...wish, approval: approved?.approval });
    },
  },
  dispute: {
    async facts({ paymentId, booking }) {
      const payment = await mustFind(parts, paymentId);
      if (booking === 'now' || payment.disputeBooking !== 'undecided') return undefined;
      return { organizationId: payment.organizationId, worth: undefined, detail: paymentId };
    },
    async carryOut({ paymentId, booking }) {
      await parts.payments.reversals.decide(paymentId, booking);
      return undefined;
    },
  },
  discount: {
    async facts(wish) {
      const { type, target } = targetOf(wish);
      if (type === 'sku') parts.prices.items.require(target, 'sku');
      if (wish.percent === 0) return undefined;
      return {
        organizationId: type === 'organization' ? target : '',
        worth: undefined,
        alsoGain: (ids) => gainersOf(parts, { type, target }, ids),
        detail: [`${wish.percent} %`, type, target, wish.source, wish.valid_from, wish.valid_to]
          .filter((part) => part !== undefined && part !== null)
          .join(' · '),
      };
    },
    carryOut: (wish, { id, approved }) => parts.prices.discounts.set(wish, id, approved?.approvedBy),
  },
  price: {
    async facts({ sku, region, currency = parts.currency, amount: text, valid_from }) {
      parts.prices.items.require(sku, 'sku');
      const { prices } = parts.tariffs;
      const at = valid_from === undefined ? parts.clock.now() : Date.parse(valid_from);
      const before = prices.at(sku, { region: region ?? '*', currency }, at);
      const amount = parseMoney(text);
      // A price that rises, or a first price for something that could not be used, gives nobody anything.
      if (before === undefined || before.amount <= amount) return undefined;
      const detail = `${sku} · ${region ?? '*'} · ${exactMoney(moneyText(before.amount), currency)} → ${exactMoney(text, currency)}`;
      return { organizationId: '', worth: undefined, detail };
    },
    carryOut: (wish, { id }) => parts.prices.rows.setPrice(wish, id),
  },
  plan: {
    async facts({ organizationId, plan }) {
      const { plan: before } = await parts.prices.plans.of(organizationId);
      if (PLANS[plan].rank <= PLANS[before].rank) return undefined;
      return { organizationId, worth: undefined, detail: `${before} → ${plan}` };
    },
    async carryOut({ organizationId, plan }, { id }) {
      await parts.prices.rows.givePlan(organizationId, plan, id);
      return undefined;
    },
  },
});

function transferWay(kind: 'grant' | 'adjust', { wallets, transfers }: WaysParts): TransferWay {
  return {
    async facts({ organizationId, amount: text, of }) {
      const amount = requireTransferRule({ kind, amount: text, of });
      // Its wallet may come with this.
      const { currency } = await wallets.balances(organizationId);
      return { organizationId, worth: { amount, currency }, detail: '' };
    },
    async carryOut({ organizationId, amount, of }, { id: by, reason, key, approved, mayAlone }) {
      await transfers.make({ key, organizationId, kind, amount, of, by, reason, approved }, mayAlone);
      return undefined;
    },
  };
}

async function mustFind({ payments }: WaysParts, id: string) {
  const payment = await payments.payments.find(id);
  if (!payment) throw problem('not_found', { what: id });
  return payment;
}

/** Those of these organisations that have the plan now or have redeemed the code. */
async function gainersOf(
  { db, prices }: WaysParts,
  { type, target }: Pick<SetDiscount, 'type'> & { target: string },
  ids: readonly string[],
): Promise<string[]> {
  if (type === 'plan') {
    const states = await prices.plans.ofMany(ids);
    return ids.filter((id) => states.get(id)?.plan === target);
  }
  if (type !== 'code' || ids.length === 0) return [];
  const redeemed = await db.sql
    .select({ id: redemptions.organizationId })
    .from(redemptions)
    .where(and(eq(redemptions.code, target), inArray(redemptions.organizationId, [...ids])));
  return redeemed.map(({ id }) => id);
}
