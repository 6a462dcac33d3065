// Joins the parts of payments, and runs their background work.

import type { StaffPayment } from '@gantry/contract/areas/billing/payments.ts';
import type { AdminQuery } from '@gantry/contract/http/admin.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import { Turn } from '../../../platform/db/turn.ts';
import { AutoRecharge } from './auto-recharge.ts';
import { CardChannel } from './card-channel.ts';
import type { Channel } from './channel.ts';
import type { Limits } from './limits.ts';
import { NetworkChannel, type NetworkSettings } from './network-channel.ts';
import { PaymentMethods } from './payment-methods.ts';
import { chargebackRows, paymentRows, refundRows } from './payment-rows.ts';
import { faultOf, Payments, type PaymentsParts } from './payments.ts';
import { Refunds } from './refunds.ts';
import { Reversals } from './reversals.ts';
import { keysOf } from './signed-messages.ts';
import { TransferChannel } from './transfer-channel.ts';
import { Webhooks } from './webhooks.ts';

/** An installation's settings for its ways to pay; an empty one is not offered. Keys are the contents of their files. */
export interface PaymentSettings {
  /** Which of the configured channels are offered. */
  paymentChannels: readonly string[];
  publicUrl: string;
  stripeKey: string;
  stripeWebhookSecret: string;
  stripePublishableKey: string;
  stripeJsUrl: string;
  stripeUrl: string;
  networks: Readonly<Record<NetworkSettings['name'], { url: string; merchant: string; key: string }>>;
  bankAccount: string;
}

export interface OpenPayments {
  payments: Payments;
  refunds: Refunds;
  methods: PaymentMethods;
  autoRecharge: AutoRecharge;
  webhooks: Webhooks;
  reversals: Reversals;
  limits: Limits;
  rows(query: AdminQuery): ReturnType<typeof paymentRows>;
  refundRows(query: AdminQuery): ReturnType<typeof refundRows>;
  chargebackRows(query: AdminQuery): ReturnType<typeof chargebackRows>;
  staffRow(id: string): Promise<StaffPayment>;
  /** Polls open payments, in the one process whose turn it is. */
  start(): void;
  stop(): Promise<void>;
}

const EVERY_MS = 5_000;

/** Throws a RangeError for a key that is none. */
export function channelsOf(settings: PaymentSettings, parts: Pick<PaymentsParts, 'clock' | 'log'>): Channel[] {
  const { publicUrl, stripeKey, stripeWebhookSecret, stripeUrl, networks, bankAccount } = settings;
  const root = publicUrl.replace(/\/$/, '');
  const returnUrl = `${root}/manage/billing?payment=`;
  const all: Channel[] = [];
  if (stripeKey !== '' && stripeWebhookSecret.trim() === '')
    parts.log.warn(
      'without a secret of webhooks those of the card provider are refused: payments are asked about alone',
    );
  if (stripeKey !== '')
    all.push(
      new CardChannel(
        {
          secretKey: stripeKey,
          webhookSecrets: stripeWebhookSecret.split(/\s+/).filter((line) => line !== ''),
          publishableKey: settings.stripePublishableKey,
          scriptUrl: settings.stripeJsUrl,
          url: stripeUrl === '' ? undefined : stripeUrl,
          returnUrl,
        },
        parts,
      ),
    );
  for (const [name, { url, merchant, key }] of Object.entries(networks) as [
    NetworkSettings['name'],
    PaymentSettings['networks'][NetworkSettings['name']],
  ][])
    if (url !== '' && key !== '') {
      const notifyUrl = `${root}/api/paybill/v1/webhook/${name}`;
      all.push(new NetworkChannel({ name, url, merchant, keys: keysOf(key), notifyUrl, returnUrl }, parts));
    }
  if (bankAccount !== '') all.push(new TransferChannel(bankAccount));
  return all.filter(({ name }) => settings.paymentChannels.includes(name));
}

export function openPayments(parts: PaymentsParts): OpenPayments {
  const payments = new Payments(parts);
  const refunds = new Refunds(parts, payments);
  const methods = new PaymentMethods(parts, payments);
  const autoRecharge = new AutoRecharge(parts, payments);
  const reversals = new Reversals(parts, payments, refunds);
  const webhooks = new Webhooks(parts, { payments, refunds, methods, reversals });
  const turn = new Turn(parts, 'payments');
  return {
    payments,
    refunds,
    methods,
    autoRecharge,
    limits: parts.limits,
    rows: (query) => paymentRows(parts.db, query),
    refundRows: (query) => refundRows(parts.db, query),
    chargebackRows: (query) => chargebackRows(parts.db, query),
    async staffRow(id) {
      const query: AdminQuery = { sort: ['id', 'ASC'], range: [0, 0], filter: { id } };
      const [row] = (await paymentRows(parts.db, query)).items;
      if (!row) throw problem('not_found', { what: id });
      return row;
    },
    webhooks,
    reversals,
    start: () =>
      turn.start((signal) => sweeping([payments, refunds, methods, autoRecharge, webhooks, reversals], parts, signal)),
    stop: () => turn.stop(),
  };
}

async function sweeping(
  sweepers: readonly { sweep(signal: AbortSignal): Promise<void> }[],
  { clock, log }: { clock: Clock; log: PaymentsParts['log'] },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    for (const sweeper of sweepers)
      await sweeper.sweep(signal).catch((error: unknown) => {
        log.warn({ err: faultOf(error) }, 'open payments could not be looked through');
      });
    await pause(clock, EVERY_MS, signal);
  }
}
