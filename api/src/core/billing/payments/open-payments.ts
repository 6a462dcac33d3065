// Joins the parts of payments, and runs their background work.

import type { StaffPayment } from '@gantry/contract/areas/billing/payments.ts';
import type { AdminQuery } from '@gantry/contract/http/admin.ts';
import { Turn } from '../../../platform/db/turn.ts';
import { AutoRecharge } from './auto-recharge.ts';
import type { Limits } from './limits.ts';
import { PaymentMethods } from './payment-methods.ts';
import { chargebackRows, paymentRow, paymentRows, refundRows } from './payment-rows.ts';
import { Payments, type PaymentsParts } from './payments.ts';
import { Refunds } from './refunds.ts';
import { Reversals } from './reversals.ts';
import { sweepPayments } from './sweep-payments.ts';
import { Webhooks } from './webhooks.ts';

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
    staffRow: (id) => paymentRow(parts.db, id),
    webhooks,
    reversals,
    start: () =>
      turn.start((signal) =>
        sweepPayments([payments, refunds, methods, autoRecharge, webhooks, reversals], parts, signal),
      ),
    stop: () => turn.stop(),
  };
}
