// Payments over HTTP. Providers' calls are read as bytes, because their signature covers the bytes; their content is never
// logged.

import {
  PAYMENT_STAFF_ROUTES as A,
  PAYMENT_ROUTES as R,
  type StaffPayment,
} from '@gantry/contract/areas/billing/payments.ts';
import { type BillStatus, PAYMENT_CHANNELS } from '@gantry/contract/billing/bill.ts';
import { isPaymentFailure, PAYMENT_FAILURES, PAYMENT_TEXTS } from '@gantry/contract/billing/payments.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { type Micros, moneyText, parseMoney } from '@gantry/contract/fields/money.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { readBytes } from '../../platform/http/read-body.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import { asked, giverOf, noteAsked } from './giver-of.ts';
import type { Approvals } from './giving/approvals.ts';
import type { AutoRechargeSettings } from './payments/auto-recharge.ts';
import type { ChannelName, NextStep } from './payments/channel.ts';
import type { Limits } from './payments/limits.ts';
import type { OpenPayments } from './payments/open-payments.ts';
import type { PaymentMethod } from './payments/payment-methods.ts';
import type { SeenPayment } from './payments/payments.ts';
import type { Refund } from './payments/refunds.ts';

export interface PaymentRouteParts
  extends Pick<OpenPayments, 'payments' | 'refunds' | 'methods' | 'autoRecharge' | 'webhooks'> {
  approvals: Pick<Approvals, 'give'>;
  limits: Limits;
  /** As the operators' console lists it. */
  staffRow(id: string): Promise<StaffPayment>;
}

const MOST_WEBHOOK_BYTES = 256 * 1024;

export function paymentRoutes({
  payments,
  refunds,
  methods,
  autoRecharge,
  webhooks,
  approvals,
  limits,
  staffRow,
}: PaymentRouteParts): Served[] {
  return [
    serve(R.listPaymentChannels, async ({ caller, language }) => {
      const { currency } = await autoRecharge.get(caller.organization.id);
      const range = limits.get(currency);
      return {
        currency,
        least: range ? moneyText(range.least) : null,
        most: range ? moneyText(range.most) : null,
        channels: payments.channels.map(({ name, publishableKey = null, scriptUrl = null, isTest }) => ({
          payment_channel: name,
          name: PAYMENT_CHANNELS[name][language],
          publishable_key: publishableKey,
          script_url: scriptUrl,
          is_test: isTest,
        })),
      };
    }),
    serve(R.listPaymentMethods, async ({ caller }) => (await methods.list(caller.organization.id)).map(methodRow)),
    serve(R.addPaymentMethod, async ({ caller, body, audit }) => {
      const { method, next } = await methods.begin(caller.organization.id, body.payment_channel);
      audit.object = `PaymentMethod/${method.id}`;
      return { payment_id: method.id, next };
    }),
    serve(R.updatePaymentMethod, async ({ caller, params: { id }, body, language, audit }) => {
      audit.object = `PaymentMethod/${id}`;
      const wish = { isDefault: body.is_default ?? false };
      return methodRow(await methods.update(caller.organization.id, id, wish, language));
    }),
    serve(R.removePaymentMethod, async ({ caller, params: { id }, audit }) => {
      audit.object = `PaymentMethod/${id}`;
      await methods.remove(caller.organization.id, id);
    }),
    serve(R.recharge, async ({ caller, body, language, idempotencyKey, audit }) => {
      const seen = await payments.recharge({
        organizationId: caller.organization.id,
        accountId: caller.account.id,
        channel: body.payment_channel as ChannelName,
        amount: parseMoney(body.amount),
        methodId: body.payment_id,
        key: idempotencyKey,
      });
      audit.object = `Payment/${seen.payment.id}`;
      return { ...paymentRow(seen, language), next: seen.next ? { type: seen.next.type } : null };
    }),
    serve(R.getRecharge, async ({ caller, params, language }) => {
      const seen = await payments.see(caller.organization.id, params.id);
      return { ...paymentRow(seen, language), next: seen.next ?? null };
    }),
    serve(R.giveUpRecharge, async ({ caller, params: { id }, language, audit }) => {
      audit.object = `Payment/${id}`;
      return paymentRow(await payments.giveUp(caller.organization.id, id), language);
    }),
    serve(R.getAutoRecharge, async ({ caller }) => autoRow(await autoRecharge.get(caller.organization.id))),
    serve(R.setAutoRecharge, async ({ caller, body, audit }) => {
      const { id } = caller.organization;
      audit.object = `Organization/${id}`;
      const [below, amount, dailyLimit] = [body.below, body.amount, body.daily_limit].map(parseMoney) as [
        Micros,
        Micros,
        Micros,
      ];
      await autoRecharge.set(id, { isOn: body.enabled, below, amount, dailyLimit });
      return autoRow(await autoRecharge.get(id));
    }),
    serve(R.takeWebhook, async ({ params, req, audit }) => {
      if (Number(req.headers['content-length'] ?? 0) > MOST_WEBHOOK_BYTES)
        throw problem('too_large', { most: MOST_WEBHOOK_BYTES });
      const body = await readBytes(req, MOST_WEBHOOK_BYTES);
      const path = R.takeWebhook.path.replace('{channel}', params.channel);
      const raw = { headers: req.headers, method: 'POST', path: `/api${path}`, body };
      audit.object = `PaymentEvent/${(await webhooks.take(params.channel, raw)).event}`.slice(0, 200);
    }),

    serve(A.adminConfirmTransfer, async (call) => {
      const { params, body, audit } = call;
      Object.assign(audit, { object: `Payment/${params.id}`, reason: `confirm ${body.amount}: ${body.reason}` });
      const wish = { paymentId: params.id, amount: body.amount };
      const { approvalId } = await approvals.give('confirm', wish, giverOf(call, body.reason));
      if (approvalId !== null) noteAsked(audit, approvalId);
      return { ...(await staffRow(params.id)), approval_id: approvalId };
    }),
    serve(A.adminRefundPayment, async (call) => {
      const { params, body, audit } = call;
      Object.assign(audit, { object: `Payment/${params.id}`, reason: `refund ${body.amount}: ${body.reason}` });
      const wish = { paymentId: params.id, amount: body.amount };
      const { approvalId, made } = await approvals.give('refund', wish, giverOf(call, body.reason));
      return approvalId === null ? { ...refundRow(made), approval_id: null } : asked(audit, approvalId);
    }),
    serve(A.adminBookDisputes, async (call) => {
      const { params, body, audit } = call;
      Object.assign(audit, { object: `Payment/${params.id}`, reason: body.reason });
      const wish = { paymentId: params.id, booking: body.booking };
      const { approvalId } = await approvals.give('dispute', wish, giverOf(call, body.reason));
      if (approvalId !== null) noteAsked(audit, approvalId);
      return { ...(await staffRow(params.id)), approval_id: approvalId };
    }),
    serve(A.adminListPaymentRefunds, async ({ params: { id } }) => {
      if (!(await payments.find(id))) throw problem('not_found', { what: id });
      return (await refunds.of([id])).map(refundRow);
    }),
  ];
}

const methodRow = (one: PaymentMethod) => ({
  payment_id: one.id,
  payment_channel: one.channel,
  brand: one.brand,
  last4: one.last4,
  exp_time: one.expires,
  is_default: one.isDefault,
  create_time: one.createdAt.toISOString(),
});

const autoRow = ({ isOn, below, amount, dailyLimit }: AutoRechargeSettings) => ({
  enabled: isOn,
  below: below === null ? null : moneyText(below),
  amount: amount === null ? null : moneyText(amount),
  daily_limit: dailyLimit === null ? null : moneyText(dailyLimit),
});

const failureOf = ({ failure }: { failure: string | null }) =>
  failure !== null && isPaymentFailure(failure) ? failure : null;

const paymentRow = (seen: SeenPayment, language: Language) => {
  const { payment, status, isTest } = seen;
  return {
    id: payment.id,
    amount: moneyText(payment.amount),
    currency: payment.currency,
    payment_channel: payment.channel,
    status,
    message: messageOf(seen, language),
    failure: failureOf(payment),
    is_test: isTest,
    create_time: payment.createdAt.toISOString(),
  };
};

/** The message that a person sees. */
function messageOf({ payment, status, next }: SeenPayment, language: Language): string {
  const failure = failureOf(payment);
  if (payment.state === 'failed') return PAYMENT_FAILURES[failure ?? 'provider_refused'][language];
  if (payment.state === 'paid') return PAYMENT_TEXTS[TEXT_OF_PAID[status] ?? 'paid'][language];
  if (failure !== null) return PAYMENT_FAILURES[failure][language];
  if (payment.channel === 'bank_transfer') return PAYMENT_TEXTS.transfer[language];
  return PAYMENT_TEXTS[next ? NEEDS[next.type] : 'pending'][language];
}

const TEXT_OF_PAID: Partial<Record<BillStatus, 'refunding' | 'refunded'>> = {
  refunding: 'refunding',
  refunded: 'refunded',
};
const NEEDS: Record<NextStep['type'], keyof typeof PAYMENT_TEXTS> = {
  card: 'confirm',
  redirect: 'confirm',
  transfer: 'transfer',
};

const refundRow = (one: Refund) => ({
  id: one.id,
  amount: moneyText(one.amount),
  state: one.state,
  failure: failureOf(one),
  by: one.by,
  reason: one.reason,
  create_time: one.createdAt.toISOString(),
});
