// Payments, refunds of every kind, disputes and use in any order, on both databases and on a model of some lines: the wallet, the
// bills and every refusal are the same, and the books are proved at the end.
import type { BillStatus } from '@gantry/contract/billing/bill.ts';
import { type Micros, micros, parseMoney } from '@gantry/contract/fields/money.ts';
import { Problem } from '@gantry/contract/http/problem.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import { eq, sql } from 'drizzle-orm';
import pino from 'pino';
import { forEachDatabase } from '../../../../../test/support/database.ts';
import { fc, SEED } from '../../../../../test/support/seeded-fast-check.ts';
import { isSoak } from '../../../../../test/support/soak.ts';
import type { Database } from '../../../platform/db/open.ts';
import { creditNotes } from '../../../platform/db/schema/invoices.ts';
import { bills } from '../../../platform/db/schema/ledger.ts';
import { refunds } from '../../../platform/db/schema/payments.ts';
import { organizations } from '../../../platform/db/schema/people.ts';
import { CreditNotes } from '../documents/credit-notes.ts';
import { Ledger } from '../ledger/ledger.ts';
import { verifyBooks } from '../ledger/verify-books.ts';
import { Wallets } from '../ledger/wallets.ts';
import { limitsOf } from './limits.ts';
import { type OpenPayments, openPayments } from './open-payments.ts';
import type { Payment } from './payment-store.ts';
import { ScriptedChannel } from './testing/scripted-channel.ts';
import { STAFF_SAYS } from './testing/staff-says.ts';

const AT = new Date('2026-01-01T00:00:00Z');
const PAYMENTS = 3;

const amount = fc.integer({ min: 1, max: 12 }).map((n) => parseMoney(`${n}`));
const of = fc.nat(PAYMENTS - 1);
const operation = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('pay' as const), of, amount, isTransfer: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('use' as const, 'grant' as const), amount }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('refund' as const), of, amount, isSlow: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('refundEnds' as const),
      of,
      from: fc.constantFrom('processing' as const, 'done' as const),
      hasFailed: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('byHand' as const), of, amount }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('dispute' as const),
      of,
      status: fc.constantFrom(
        'warning_needs_response' as const,
        'needs_response' as const,
        'won' as const,
        'lost' as const,
      ),
      /** An answer requested before the event arrives after all later ones. */
      isOvertaken: fc.boolean(),
    }),
  },
);
type Operation = typeof operation extends fc.Arbitrary<infer Of> ? Of : never;
/** Rare among random sequences: an inquiry becomes a dispute, and an earlier answer says so last. */
const OVERTAKEN: Operation[] = [
  { does: 'pay', of: 0, amount: parseMoney('5'), isTransfer: false },
  { does: 'dispute', of: 0, status: 'warning_needs_response', isOvertaken: false },
  { does: 'dispute', of: 0, status: 'needs_response', isOvertaken: true },
];
type Outcome = 'done' | 'refused' | 'nothing';

type DisputeStatus = Extract<Operation, { does: 'dispute' }>['status'];

interface ModelPayment {
  /** Asked for, and arrived: of a transfer one less than that arrives. */
  total: bigint;
  paid: bigint;
  isTransfer: boolean;
  refunds: { amount: bigint; state: 'processing' | 'done' | 'failed' }[];
  dispute: '' | DisputeStatus;
}

/** The expected result, without keys, rows, statuses of refunds and books. */
class Model {
  cash = 0n;
  credits = 0n;
  debt = 0n;
  readonly payments = new Map<number, ModelPayment>();

  do(op: Operation): Outcome {
    switch (op.does) {
      case 'use':
        this.#out(op.amount, ['credits', 'cash']);
        return 'done';
      case 'grant':
        return this.#in('credits', op.amount);
      case 'pay': {
        if (this.payments.has(op.of)) return 'nothing';
        const paid = op.isTransfer ? arrivedOf(op.amount) : op.amount;
        this.payments.set(op.of, { total: op.amount, paid, isTransfer: op.isTransfer, refunds: [], dispute: '' });
        return this.#in('cash', paid);
      }
      default: {
        const payment = this.payments.get(op.of);
        return payment ? this.#back(payment, op) : 'nothing';
      }
    }
  }

  #back(payment: ModelPayment, op: Exclude<Operation, { does: 'pay' | 'use' | 'grant' }>): Outcome {
    const { refunds } = payment;
    const left = payment.paid - goneOf(payment);
    switch (op.does) {
      case 'refund':
        if (chargedBackOf(payment) > 0n || isUnderWay(payment) || op.amount > left || op.amount > this.cash)
          return 'refused';
        this.cash -= op.amount;
        refunds.push({ amount: op.amount, state: op.isSlow ? 'processing' : 'done' });
        return 'done';
      case 'refundEnds': {
        const found = refunds.findLast(({ state }) => state === op.from);
        if (!found || (op.from === 'done' && !op.hasFailed)) return 'nothing';
        found.state = op.hasFailed ? 'failed' : 'done';
        return op.hasFailed ? this.#in('cash', found.amount) : 'done';
      }
      case 'byHand':
        if (op.amount > left) return 'nothing';
        refunds.push({ amount: op.amount, state: 'done' });
        return this.#taken(op.amount);
      case 'dispute':
        return this.#disputed(payment, op.status);
    }
  }

  /** Banks decide once. */
  #disputed(payment: ModelPayment, status: DisputeStatus): Outcome {
    if (['won', 'lost', status].includes(payment.dispute)) return 'nothing';
    const was = chargedBackOf(payment);
    payment.dispute = status;
    const more = chargedBackOf(payment) - was;
    return more < 0n ? this.#in('cash', -more) : this.#taken(more);
  }

  #in(kind: 'cash' | 'credits', by: bigint): Outcome {
    this[kind] += by;
    return this.#settle();
  }

  #taken(by: bigint): Outcome {
    this.#out(by, ['cash']);
    return this.#settle();
  }

  #out(by: bigint, from: ('cash' | 'credits')[]): void {
    let missing = by;
    for (const kind of from) {
      const part = this[kind] < missing ? this[kind] : missing;
      this[kind] -= part;
      missing -= part;
    }
    this.debt += missing;
  }

  #settle(): Outcome {
    const due = this.debt < this.cash + this.credits ? this.debt : this.cash + this.credits;
    this.debt -= due;
    this.#out(due, ['credits', 'cash']);
    return 'done';
  }
}

const arrivedOf = (asked: Micros): Micros => (asked > 1_000_000n ? micros(asked - 1_000_000n) : asked);
const goneOf = ({ refunds }: ModelPayment): bigint =>
  refunds.reduce((sum, { amount, state }) => (state === 'failed' ? sum : sum + amount), 0n);

const chargedBackOf = ({ dispute, paid }: ModelPayment): bigint =>
  dispute === 'needs_response' || dispute === 'lost' ? paid : 0n;
const isUnderWay = ({ refunds }: ModelPayment): boolean => refunds.some(({ state }) => state === 'processing');

function statusOf(payment: ModelPayment): BillStatus {
  if (isUnderWay(payment)) return 'refunding';
  if (goneOf(payment) >= payment.paid) return 'refunded';
  return payment.paid >= payment.total ? 'paid' : 'partially_paid';
}

interface Parts {
  database: Database;
  wallets: Wallets;
  open: OpenPayments;
}
type Channels = Record<'card' | 'bank_transfer', ScriptedChannel>;
/** An event of one payment. */
type Step = Exclude<Operation, { does: 'pay' | 'use' | 'grant' }>;

class Player {
  readonly #on: Parts;
  readonly #organizationId: string;
  readonly #channels: Channels;
  readonly #payments = new Map<number, Payment>();
  #count = 0;

  constructor(on: Parts, organizationId: string, channels: Channels) {
    this.#on = on;
    this.#organizationId = organizationId;
    this.#channels = channels;
  }

  async do(op: Operation): Promise<Outcome> {
    const { wallets } = this.#on;
    const organizationId = this.#organizationId;
    const key = `${organizationId}/${this.#count++}`;
    switch (op.does) {
      case 'use': {
        const price = { list: op.amount, net: op.amount };
        const bill = { id: key, type: 'consumption', source: 'container_rent', reference: 'GpuInstance/a' } as const;
        await wallets.charge([{ key, organizationId, ...price, at: AT, bill }]);
        return 'done';
      }
      case 'grant':
        await wallets.grant({ key, organizationId, amount: op.amount, at: AT });
        return 'done';
      case 'pay':
        return this.#pay(op);
      default: {
        const payment = this.#payments.get(op.of);
        return payment ? this.#back(payment, op) : 'nothing';
      }
    }
  }

  async #pay(op: Extract<Operation, { does: 'pay' }>): Promise<Outcome> {
    if (this.#payments.has(op.of)) return 'nothing';
    const { payments } = this.#on.open;
    const channel = op.isTransfer ? 'bank_transfer' : 'card';
    const wish = { organizationId: this.#organizationId, accountId: 'acc-1', amount: op.amount, key: undefined };
    const { payment } = await payments.recharge({ ...wish, channel });
    if (op.isTransfer) await payments.confirmTransfer(payment.id, arrivedOf(op.amount), STAFF_SAYS);
    this.#payments.set(op.of, (await payments.find(payment.id)) as Payment);
    return 'done';
  }

  async #back(before: Payment, op: Step): Promise<Outcome> {
    const { payments, refunds, reversals } = this.#on.open;
    const payment = (await payments.find(before.id)) as Payment;
    const provider = this.#channels[payment.channel as keyof Channels];
    if (op.does === 'refund') {
      provider.isSlow = op.isSlow;
      const wish = { paymentId: payment.id, amount: op.amount, by: 'acc-staff', reason: 'asked for' };
      return refunds.start(wish).then(
        () => 'done',
        (error: unknown) => {
          if (error instanceof Problem) return 'refused';
          throw error;
        },
      );
    }
    const late = Promise.withResolvers<void>();
    const isOvertaken = op.does === 'dispute' && op.isOvertaken;
    if (isOvertaken) provider.late = late.promise;
    let isRead = false;
    const overtaken = isOvertaken ? reversals.read(payment).finally(() => (isRead = true)) : undefined;
    // It has its answer, which is on its way.
    while (provider.late && !isRead) await new Promise((resolve) => setTimeout(resolve, 1));
    provider.late = undefined;
    const hasHappened = happens(op, provider, payment);
    if (!hasHappened) {
      late.resolve();
      await overtaken;
      return 'nothing';
    }
    // News of everything, twice and the newest first: those of refunds of ours name the refund, all others the payment.
    for (const refund of [...(await refunds.of([payment.id])), ...(await refunds.of([payment.id]))].reverse())
      await refunds.heard(refund);
    await Promise.all([reversals.read(payment), reversals.read(payment)]);
    late.resolve();
    await overtaken;
    return 'done';
  }

  async summary() {
    const { cash, credits, debt } = await this.#on.wallets.balances(this.#organizationId);
    const topUps = await Promise.all(
      [...this.#payments].map(async ([index, { billId, id }]) => {
        const [bill] = await this.#on.database.sql.select().from(bills).where(eq(bills.id, billId));
        const now = await this.#on.open.payments.find(id);
        return [index, bill?.status, bill?.paid, bill?.refunded, bill?.chargedBack, now?.refunded];
      }),
    );
    return { cash, credits, debt, topUps };
  }
}

/** Happens at the provider; false if it is impossible. */
function happens(op: Exclude<Step, { does: 'refund' }>, provider: ScriptedChannel, payment: Payment): boolean {
  const intent = payment.providerId ?? '';
  switch (op.does) {
    case 'refundEnds':
      return (op.from === 'processing' || op.hasFailed) && provider.endRefund(intent, op.from, op.hasFailed);
    case 'byHand':
      return op.amount <= provider.leftOf(intent, payment.paid) && provider.refundByHand(intent, op.amount);
    case 'dispute':
      return provider.dispute(intent, payment.paid, op.status);
  }
}

const summaryOf = ({ cash, credits, debt, payments }: Model) => ({
  ...{ cash, credits, debt },
  topUps: [...payments].map(([index, one]) => [
    ...[index, statusOf(one), one.paid, goneOf(one)],
    chargedBackOf(one),
    goneOf(one),
  ]),
});

const issuer = { legalName: '', address: '', taxId: '' };

/** The amounts of credit notes, by refund, unless cancelled. */
const noted = async ({ sql: connection }: Database) =>
  connection
    .select({ refund: creditNotes.refundId, amount: sql<string>`sum(${creditNotes.amount})::text` })
    .from(creditNotes)
    .groupBy(creditNotes.refundId)
    .having(sql`sum(${creditNotes.amount}) <> 0`)
    .orderBy(creditNotes.refundId);
const refundedOf = async ({ sql: connection }: Database) =>
  connection
    .select({ refund: refunds.id, amount: sql<string>`${refunds.amount}::text` })
    .from(refunds)
    .where(eq(refunds.state, 'done'))
    .orderBy(refunds.id);

forEachDatabase((database, name) => {
  test(`payments, refunds, disputes and use in any order come to what the model says, and the books are proved, GANTRY_SEED=${SEED}`, async () => {
    const clock = new SteppedClock();
    clock.set(AT.getTime());
    const log = pino({ level: 'silent' });
    const wallets = new Wallets({ db: database(), clock, ledger: new Ledger({ db: database(), clock }) });
    const channels = { card: new ScriptedChannel('card'), bank_transfer: new ScriptedChannel('bank_transfer') };
    const open = openPayments({
      ...{ db: database(), clock, log, wallets, channels: Object.values(channels), limits: limitsOf(['USD:1-1000']) },
      tell: () => undefined,
    });
    const notes = new CreditNotes({ db: database(), clock, log, issuer, tell: async () => undefined });
    const runs = name === 'pglite' ? 4 : 20;
    const sequences = [
      OVERTAKEN,
      ...fc.sample(fc.array(operation, { minLength: 4, maxLength: 16 }), isSoak ? 20 * runs : runs),
    ];
    for (const [index, sequence] of sequences.entries()) {
      const organizationId = `org-${index}`;
      await database()
        .sql.insert(organizations)
        .values({ id: organizationId, name: organizationId, currency: 'USD', createdAt: AT });
      const model = new Model();
      const player = new Player({ database: database(), wallets, open }, organizationId, channels);
      for (const [step, op] of sequence.entries()) {
        const [said, came] = [model.do(op), await player.do(op)];
        expect({ sequence, step, came, ...(await player.summary()) }).toEqual({
          ...{ sequence, step, came: said },
          ...summaryOf(model),
        });
        if (step % 3 === 0) await notes.issueDue();
      }
    }
    await notes.issueDue();
    expect(await noted(database())).toEqual(await refundedOf(database()));
    expect((await verifyBooks(database(), new Date(clock.now()))).faults).toEqual([]);
  }, 120_000);
});
