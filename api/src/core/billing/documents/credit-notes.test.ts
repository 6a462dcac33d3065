// Credit notes on both databases, over the real wallets, payments and refunds, with a provider that does what a test says.
import { buffer } from 'node:stream/consumers';
import { LANGUAGES } from '@gantry/contract/fields/language.ts';
import { type Micros, parseMoney } from '@gantry/contract/fields/money.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import PDFDocument from 'pdfkit';
import pino from 'pino';
import { forEachDatabase } from '../../../../../test/support/database.ts';
import { creditNotes } from '../../../platform/db/schema/invoices.ts';
import { refunds } from '../../../platform/db/schema/payments.ts';
import { organizations } from '../../../platform/db/schema/people.ts';
import { Ledger } from '../ledger/ledger.ts';
import { verifyBooks } from '../ledger/verify-books.ts';
import { Wallets } from '../ledger/wallets.ts';
import { limitsOf } from '../payments/limits.ts';
import { type OpenPayments, openPayments } from '../payments/open-payments.ts';
import type { Payment } from '../payments/payment-store.ts';
import { ScriptedChannel } from '../payments/testing/scripted-channel.ts';
import { creditNotePdf } from './credit-note-pdf.ts';
import { type CreditNote, CreditNotes, creditNoteNumber } from './credit-notes.ts';
import { Profiles } from './profiles.ts';

const AT = new Date('2026-01-01T00:00:00Z');
const usd = parseMoney;
const log = pino({ enabled: false });

forEachDatabase((database) => {
  let clock: SteppedClock;
  let provider: ScriptedChannel;
  let open: OpenPayments;
  let notes: CreditNotes;
  let notices: Record<string, string>[];

  beforeEach(async () => {
    clock = new SteppedClock();
    clock.set(AT.getTime());
    notices = [];
    provider = new ScriptedChannel('card');
    const db = database();
    const wallets = new Wallets({ db, clock, ledger: new Ledger({ db, clock }) });
    open = openPayments({
      ...{ db, clock, log, wallets, channels: [provider], limits: limitsOf(['USD:1-1000']) },
      tell: () => undefined,
    });
    notes = new CreditNotes({
      ...{ db, clock, log },
      issuer: { legalName: 'Gantry Cloud Ltd', address: '1 Way', taxId: 'GB 42' },
      async tell({ args }) {
        notices.push(args);
      },
    });
    for (const id of ['acme', 'other']) {
      await db.sql.insert(organizations).values({ id, name: `${id} inc`, currency: 'USD', createdAt: AT });
      await wallets.open(id, 'USD');
    }
  });

  const paid = async (amount: string, organizationId = 'acme'): Promise<Payment> => {
    const wish = { organizationId, accountId: 'acc-1', amount: usd(amount), key: undefined, channel: 'card' as const };
    const { payment } = await open.payments.recharge(wish);
    return (await open.payments.find(payment.id)) as Payment;
  };
  const refund = (payment: Payment, amount: string) =>
    open.refunds.start({ paymentId: payment.id, amount: usd(amount), by: 'acc-staff', reason: 'a secret of staff' });
  /** The provider ends the last refund that is in that state, and tells of it. */
  const ends = async (payment: Payment, from: 'processing' | 'done', hasFailed: boolean): Promise<void> => {
    provider.endRefund(payment.providerId ?? '', from, hasFailed);
    for (const one of await open.refunds.of([payment.id])) await open.refunds.heard(one);
  };
  const all = () => database().sql.select().from(creditNotes).orderBy(creditNotes.number);
  const shown = async () =>
    (await all()).map(({ number, kind, amount, cancels }) => [number, kind, amount, cancels] as const);
  const isProved = async () => expect((await verifyBooks(database(), new Date(clock.now()))).faults).toEqual([]);

  describe('a credit note', () => {
    test('is issued once for each refund, also of one payment, and names what was paid and to whom', async () => {
      await new Profiles({ db: database() }).set('acme', { legalName: 'Acme Ltd', taxId: 'DE 1' });
      const payment = await paid('50');
      clock.set(AT.getTime() + 60_000);
      await refund(payment, '20');
      expect(await notes.issueDue()).toMatchObject([{ number: 1 }]);
      await refund(payment, '5');
      await notes.issueDue();
      expect(await notes.issueDue()).toEqual([]);
      expect(await shown()).toEqual([
        [1, 'refund', usd('20'), null],
        [2, 'refund', usd('5'), null],
      ]);
      expect((await all())[0]).toMatchObject({
        ...{ organizationId: 'acme', billId: payment.billId, paidAt: AT, currency: 'USD' },
        at: new Date(AT.getTime() + 60_000),
        recipient: { name: 'acme inc', legalName: 'Acme Ltd', address: '', taxId: 'DE 1' },
        issuer: { legalName: 'Gantry Cloud Ltd', address: '1 Way', taxId: 'GB 42' },
      });
      expect(notices).toEqual([]);
      await isProved();
    });

    test('is issued when the money is gone, and not before', async () => {
      const payment = await paid('50');
      provider.isSlow = true;
      await refund(payment, '20');
      await notes.issueDue();
      expect(await shown()).toEqual([]);
      await ends(payment, 'processing', false);
      await notes.issueDue();
      expect(await shown()).toEqual([[1, 'refund', usd('20'), null]]);
    });

    test('is never issued for a refund that failed, or that came back before its note', async () => {
      const payment = await paid('50');
      provider.isSlow = true;
      await refund(payment, '20');
      await ends(payment, 'processing', true);
      provider.isSlow = false;
      await refund(payment, '10');
      await ends(payment, 'done', true);
      await notes.issueDue();
      expect(await shown()).toEqual([]);
    });

    test('is cancelled by another, once, when the money comes back, and those who pay are told', async () => {
      const payment = await paid('50');
      await refund(payment, '20');
      await notes.issueDue();
      await ends(payment, 'done', true);
      await notes.issueDue();
      expect(await notes.issueDue()).toEqual([]);
      expect(await shown()).toEqual([
        [1, 'refund', usd('20'), null],
        [2, 'cancellation', usd('-20'), 1],
      ]);
      expect(notices).toEqual([{ number: 'CN-00000002', cancelled: 'CN-00000001', amount: '$20.00' }]);
      await refund(payment, '20');
      await notes.issueDue();
      expect((await shown()).at(-1)).toEqual([3, 'refund', usd('20'), null]);
      await isProved();
    });

    test('is issued for a refund in the dashboard of the provider, and not for a dispute that was lost', async () => {
      const payment = await paid('50');
      provider.refundByHand(payment.providerId ?? '', usd('15'));
      await open.reversals.read(payment);
      const disputed = await paid('30');
      provider.dispute(disputed.providerId ?? '', usd('30'), 'lost');
      await open.reversals.read(disputed);
      await notes.issueDue();
      expect(await shown()).toEqual([[1, 'refund', usd('15'), null]]);
      await isProved();
    });

    test('has a number without a gap, whoever issues at once', async () => {
      for (const organizationId of ['acme', 'other', 'acme']) await refund(await paid('10', organizationId), '4');
      const issued = await Promise.all([1, 2, 3].map(() => notes.issueDue()));
      expect(issued.flat()).toHaveLength(3);
      expect((await all()).map(({ number }) => number)).toEqual([1, 2, 3]);
      await isProved();
    });

    test('is not written, takes no number and holds up no other if the books say another amount', async () => {
      const first = await refund(await paid('10'), '4');
      await database()
        .sql.update(refunds)
        .set({ amount: usd('5') as Micros });
      await refund(await paid('10'), '3');
      expect(await notes.issueDue()).toMatchObject([{ number: 1, amount: usd('3') }]);
      expect((await all()).map(({ refundId }) => refundId)).not.toContain(first.id);
    });

    test('never changes', async () => {
      await refund(await paid('10'), '4');
      await notes.issueDue();
      await expect(
        database()
          .sql.update(creditNotes)
          .set({ amount: usd('1') }),
      ).rejects.toThrow();
      await expect(database().sql.delete(creditNotes)).rejects.toThrow();
    });

    test('that nobody refunded, or beyond a gap of numbers, is a fault of the books', async () => {
      await refund(await paid('10'), '4');
      const [note] = await notes.issueDue();
      const forged = { ...(note as CreditNote), id: 'crn-forged', number: 3, kind: 'cancellation' as const };
      await database()
        .sql.insert(creditNotes)
        .values({ ...forged, cancels: 1, amount: usd('-2') });
      expect((await verifyBooks(database(), new Date(clock.now()))).faults).toEqual([
        'credit note number 2 is missing',
        'credit note crn-forged is of -2000000, and its transfer of 0',
        'credit note crn-forged cancels no note of its refund',
      ]);
    });

    test('belongs to its organisation alone', async () => {
      await refund(await paid('10'), '4');
      const [note] = await notes.issueDue();
      expect((await notes.list('acme', { page: 1, size: 10 })).total).toBe(1);
      expect(await notes.list('other', { page: 1, size: 10 })).toEqual({ items: [], total: 0 });
      await expect(notes.get('other', note?.id ?? '')).rejects.toMatchObject({ problem: 'not_found' });
    });
  });
});

describe('the PDF of a credit note', () => {
  const note: CreditNote = {
    ...{ id: 'crn-1', number: 7, kind: 'refund', cancels: null, organizationId: 'acme', refundId: 'rfd-1' },
    ...{ billId: 'pay-1', paidAt: AT, currency: 'USD', amount: usd('20'), at: AT, issuedAt: AT },
    recipient: { name: 'acme', legalName: '株式会社アクメ', address: '東京都千代田区', taxId: 'T123' },
    issuer: { legalName: 'Gantry Cloud Ltd', address: '1 Way', taxId: 'GB 42' },
  };

  test.each(LANGUAGES)('is one page in %s, of both kinds', async (language) => {
    for (const one of [note, { ...note, kind: 'cancellation' as const, cancels: 6, amount: usd('-20') }]) {
      const file = (await buffer(creditNotePdf(one, language))).toString('latin1');
      expect(file.match(/\/Type \/Page\b/g)).toHaveLength(1);
    }
  });

  test('says which note it cancels, of which payment, and the amount', async () => {
    const drawn = jest.spyOn(PDFDocument.prototype, 'text');
    try {
      await buffer(creditNotePdf({ ...note, kind: 'cancellation', cancels: 6, amount: usd('-20') }, 'en'));
      const texts = drawn.mock.calls.map(([text]) => text);
      expect(texts).toEqual(
        expect.arrayContaining([
          ...['Cancellation of a credit note', 'CN-00000007', 'Cancels', 'CN-00000006'],
          ...['pay-1', '株式会社アクメ', 'Gantry Cloud Ltd', '-20.00 USD'],
        ]),
      );
    } finally {
      drawn.mockRestore();
    }
  });

  test('has a number that no invoice has', () => {
    expect(creditNoteNumber(7)).toBe('CN-00000007');
  });
});
