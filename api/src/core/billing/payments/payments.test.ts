// Paying, over the wire: the channels against the doubles of their providers, on both databases. Whatever is asked twice, comes
// late, twice or in another order leaves one payment and its money once.
import { generateKeyPairSync } from 'node:crypto';
import { type Micros, parseMoney } from '@gantry/contract/fields/money.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eq, sql } from 'drizzle-orm';
import pino from 'pino';
import { CARD_KEYS, type CardDouble, confirmInPage, openCardDouble } from '../../../../../test/support/card-double.ts';
import { forEachDatabase } from '../../../../../test/support/database.ts';
import { eventually } from '../../../../../test/support/eventually.ts';
import { PaymentNetwork } from '../../../../../test/support/payment-network.ts';
import { rowsOf } from '../../../platform/db/rows-of.ts';
import { bills } from '../../../platform/db/schema/ledger.ts';
import {
  billingProfiles,
  paymentMethods,
  payments as paymentRows,
  providerEvents,
} from '../../../platform/db/schema/payments.ts';
import { organizations } from '../../../platform/db/schema/people.ts';
import type { PayersNotice } from '../../identity/organizations/notify-payers.ts';
import { Ledger } from '../ledger/ledger.ts';
import { verifyBooks } from '../ledger/verify-books.ts';
import { Wallets } from '../ledger/wallets.ts';
import type { ChannelName } from './channel.ts';
import { channelsOf } from './channels-of.ts';
import { limitsOf } from './limits.ts';
import { type OpenPayments, openPayments } from './open-payments.ts';
import { keysOf } from './signed-messages.ts';
import { STAFF_SAYS } from './testing/staff-says.ts';

const $ = parseMoney;
const START = Date.parse('2026-03-02T10:00:00Z');
const MINUTE_MS = 60_000;
const SECRET = 'a-secret-of-both-sides';

const pair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
const [ours, theirs] = [pair(), pair()];

forEachDatabase((database) => {
  let clock: SteppedClock;
  let double: CardDouble;
  let walletA: PaymentNetwork;
  let cardNetwork: PaymentNetwork;
  beforeAll(async () => {
    const now = () => clock.now();
    double = await openCardDouble(now);
    walletA = await new PaymentNetwork(keysOf(SECRET), now).listen();
    cardNetwork = await new PaymentNetwork(keysOf(theirs.privateKey + ours.publicKey), now).listen();
  });
  afterAll(() => Promise.all([double, walletA, cardNetwork].map((one) => one.close())));

  let wallets: Wallets;
  let notices: PayersNotice[];
  let logged: string[];
  let open: OpenPayments;
  /** Another process over the same database. */
  const gateway = (
    paymentChannels = ['card', 'wallet_a', 'wallet_b', 'domestic_card', 'bank_transfer'],
  ): OpenPayments => {
    const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
    const channels = channelsOf(
      {
        paymentChannels,
        publicUrl: 'https://console.example/',
        stripeKey: CARD_KEYS.secretKey,
        stripeWebhookSecret: `whsec_of_before\n${CARD_KEYS.webhookSecret}`,
        stripePublishableKey: CARD_KEYS.publishableKey,
        stripeJsUrl: 'https://js.example/v3/',
        stripeUrl: double.url,
        networks: {
          wallet_a: { url: walletA.url, merchant: 'm-1', key: SECRET },
          wallet_b: { url: '', merchant: '', key: '' },
          domestic_card: { url: cardNetwork.url, merchant: 'm-2', key: ours.privateKey + theirs.publicKey },
        },
        bankAccount: 'Bank of Nowhere, 1234',
      },
      { clock, log },
    );
    const limits = limitsOf(['USD:1-10000', 'JPY:100-1000000']);
    return openPayments({
      db: database(),
      clock,
      log,
      wallets,
      channels,
      limits,
      tell: (one) => void notices.push(one),
    });
  };
  beforeEach(async () => {
    clock = new SteppedClock();
    clock.set(START);
    wallets = new Wallets({ db: database(), clock, ledger: new Ledger({ db: database(), clock }) });
    for (const [id, currency] of [
      ['acme', 'USD'],
      ['other', 'USD'],
      ['tokyo', 'JPY'],
    ] as const) {
      const createdAt = new Date(START);
      await database().sql.insert(organizations).values({ id, name: id, currency, createdAt });
      await wallets.open(id, currency);
    }
    notices = [];
    logged = [];
    double.breaks = undefined;
    double.takes = undefined;
    double.calls.length = 0;
    double.events.length = 0;
    open = gateway();
  });
  afterEach(async () => {
    // Whatever a test does, the books can be proved afterwards.
    expect((await verifyBooks(database(), new Date(clock.now()))).faults).toEqual([]);
  });

  const organizationId = 'acme';
  const cash = async (id = organizationId) => (await wallets.balances(id)).cash;
  const posted = async (type: string) =>
    Number(
      (
        await rowsOf<{ n: string }>(database().sql, sql`select count(*)::text as n from transfers where type = ${type}`)
      )[0]?.n,
    );
  const billOf = async (id: string) => {
    const [bill] = await database().sql.select().from(bills).where(eq(bills.id, id));
    return { status: bill?.status, paid: bill?.paid, refunded: bill?.refunded };
  };
  const chargedBack = async (id: string) =>
    (await database().sql.select().from(bills).where(eq(bills.id, id)))[0]?.chargedBack;
  const use = (key: string, amount: string) =>
    wallets.charge([
      {
        ...{ key, organizationId, list: $(amount), net: $(amount), at: new Date(START) },
        bill: { id: key, type: 'consumption', source: 'container_rent', reference: 'GpuInstance/a' },
      },
    ]);
  const balanceOf = async (account: string) => {
    const [row] = await rowsOf<{ balance: string }>(
      database().sql,
      sql`select coalesce(sum(case when credit = ${account} then amount else -amount end), 0)::text as balance
        from postings where ${account} in (debit, credit)`,
    );
    return BigInt(row?.balance ?? 0);
  };
  const addCard = async (card = 'pm_card_visa') => {
    const { method, next } = await open.methods.begin(organizationId, 'card');
    await confirmInPage(double.url, 'setup_intents', next.client_secret ?? '', card);
    return open.methods.update(organizationId, method.id, {}, 'en');
  };
  const recharge = (amount = '50', more: { channel?: ChannelName; methodId?: string; key?: string } = {}) =>
    open.payments.recharge({
      organizationId,
      accountId: 'acc-1',
      channel: 'card',
      amount: $(amount),
      key: undefined,
      ...more,
    });
  const hear = (event: Record<string, unknown>, at?: number, by = open) => {
    const { body, headers } = double.signed(event, at ?? Math.floor(clock.now() / 1000));
    return by.webhooks.take('card', { headers, method: 'POST', path: '/api/x', body: Buffer.from(body) });
  };
  const eventOf = (type: string) => {
    const found = double.events.findLast((event) => event.type === type);
    if (!found) throw new Error(`no ${type} among ${double.events.map((event) => event.type)}`);
    return found;
  };
  const paymentOf = async (id: string) =>
    (await open.payments.find(id)) as NonNullable<Awaited<ReturnType<typeof open.payments.find>>>;

  describe('a recharge by card', () => {
    test('succeeds at once, and webhook, poll and return post nothing more', async () => {
      await addCard();
      const { payment, status, isTest } = await recharge();
      expect([payment.state, status, isTest, await cash()]).toEqual(['paid', 'paid', true, $('50')]);
      await hear(eventOf('payment_intent.succeeded'));
      await open.payments.see(organizationId, payment.id);
      await open.payments.sweep();
      expect([await cash(), await posted('recharge'), await billOf(payment.id)]).toEqual([
        $('50'),
        1,
        { status: 'paid', paid: $('50'), refunded: 0n },
      ]);
      expect(notices).toEqual([]);
    });

    test('called again under its key it is the same payment, also at once from several gateways', async () => {
      await addCard();
      const others = [gateway(), gateway()].map(({ payments }) =>
        payments.recharge({ organizationId, accountId: 'acc-1', channel: 'card', amount: $('50'), key: 'one' }),
      );
      const all = await Promise.all([recharge('50', { key: 'one' }), ...others]);
      expect(new Set(all.map(({ payment }) => payment.id)).size).toBe(1);
      expect([await cash(), await posted('recharge')]).toEqual([$('50'), 1]);
      expect(
        double.all('payment_intent').filter(({ metadata }) => metadata.gantry_payment === all[0]?.payment.id),
      ).toHaveLength(1);
    });

    test('declined: paid_failed with the reason, nothing posted, and the intent cannot be confirmed any more', async () => {
      await addCard();
      const bad = await addCard('pm_card_mastercard');
      double.get(bad.providerId ?? '').preset = 'pm_card_chargeDeclinedInsufficientFunds';
      const { payment, status } = await recharge('50', { methodId: bad.id });
      expect([payment.state, payment.failure, status]).toEqual(['failed', 'insufficient_funds', 'paid_failed']);
      expect(double.get(payment.providerId ?? '').status).toBe('canceled');
      // The news of before comes late.
      await hear(eventOf('payment_intent.payment_failed'));
      await hear(eventOf('payment_intent.created'));
      expect([await cash(), (await billOf(payment.id)).status]).toEqual([0n, 'paid_failed']);
    });

    test.each([
      ['confirmed at the bank', true, 'paid', null, '50'],
      ['not confirmed at the bank', false, 'failed', 'authentication_failed', '0'],
    ] as const)('3-D Secure, %s', async (_, isRight, state, failure, has) => {
      const { method, next } = await open.methods.begin(organizationId, 'card');
      await confirmInPage(double.url, 'setup_intents', next.client_secret ?? '', 'pm_card_authenticationRequired');
      double.authenticate((next.client_secret ?? '').split('_secret_')[0] ?? '', true);
      await open.methods.update(organizationId, method.id, {}, 'en');
      const begun = await recharge();
      expect([begun.payment.state, begun.status, begun.next?.type]).toEqual(['open', 'paiding', 'card']);
      expect(begun.next?.client_secret).toContain('_secret_');
      double.authenticate(begun.payment.providerId ?? '', isRight);
      const { payment } = await open.payments.see(organizationId, begun.payment.id);
      expect([payment.state, payment.failure, await cash()]).toEqual([state, failure, $(has)]);
    });

    test('without a card the page asks for one', async () => {
      const begun = await recharge();
      expect([begun.status, begun.next?.type]).toEqual(['paiding', 'card']);
      const { status } = await confirmInPage(
        double.url,
        'payment_intents',
        begun.next?.client_secret ?? '',
        'pm_card_visa',
      );
      expect(status).toBe(200);
      expect((await open.payments.see(organizationId, begun.payment.id)).status).toBe('paid');
    });

    test('that takes its time is pending, and the late webhook posts it and tells the people', async () => {
      await addCard();
      const slow = await addCard('pm_card_processing');
      const begun = await recharge('50', { methodId: slow.id });
      expect([begun.payment.state, begun.status, begun.next]).toEqual(['open', 'paiding', undefined]);
      clock.set(clock.now() + 5 * 3_600_000);
      double.finish(begun.payment.providerId ?? '', true);
      await hear(eventOf('payment_intent.succeeded'));
      expect([await cash(), (await billOf(begun.payment.id)).status]).toEqual([$('50'), 'paid']);
      expect(notices).toMatchObject([{ organizationId, args: { amount: '50.00', currency: 'USD' } }]);
    });

    test('news in any order, each of it five times at once, post it once', async () => {
      await addCard();
      const slow = await addCard('pm_card_processing');
      const begun = await recharge('50', { methodId: slow.id });
      double.finish(begun.payment.providerId ?? '', true);
      const events = double.events.filter(({ type }) => type.startsWith('payment_intent.')).reverse();
      expect(events.length).toBeGreaterThan(2);
      await Promise.all(events.flatMap((event) => Array.from({ length: 5 }, () => hear(event))));
      expect([await cash(), await posted('recharge')]).toEqual([$('50'), 1]);
      expect(await database().sql.select().from(providerEvents)).toHaveLength(events.length);
    });

    test.each(['before', 'after'] as const)(
      'the provider breaks off %s it did it: the payment is open, and found again by asking',
      async (when) => {
        await addCard();
        double.breaks = when;
        const begun = await recharge();
        expect([begun.payment.state, begun.status]).toEqual(['open', 'prepaying']);
        double.breaks = undefined;
        clock.set(clock.now() + MINUTE_MS);
        await gateway().payments.sweep();
        clock.set(clock.now() + 15 * MINUTE_MS);
        await gateway().payments.sweep();
        const { state, failure } = await paymentOf(begun.payment.id);
        const isThere = when === 'after';
        expect([state, failure, await cash()]).toEqual(
          isThere ? ['paid', null, $('50')] : ['failed', 'never_reached', 0n],
        );
      },
    );

    test('the gateway is killed between the provider and the commit: asking posts it, once (fault 20)', async () => {
      await addCard();
      const killed = new Error('killed');
      const real = wallets.deposit.bind(wallets);
      let isDead = true;
      wallets.deposit = (deposit) => (isDead ? Promise.reject(killed) : real(deposit));
      await expect(recharge('50', { key: 'k' })).rejects.toBe(killed);
      expect(await cash()).toBe(0n);
      isDead = false;
      clock.set(clock.now() + MINUTE_MS);
      await gateway().payments.sweep();
      const again = await recharge('50', { key: 'k' });
      expect([again.status, await cash(), await posted('recharge')]).toEqual(['paid', $('50'), 1]);
    });

    test('killed after the money was posted, before it was written that it was: nothing is posted again', async () => {
      await addCard();
      const real = wallets.deposit.bind(wallets);
      wallets.deposit = async (deposit) => {
        await real(deposit);
        wallets.deposit = real;
        throw new Error('killed');
      };
      await expect(recharge()).rejects.toThrow('killed');
      expect(await cash()).toBe($('50'));
      clock.set(clock.now() + MINUTE_MS);
      await gateway().payments.sweep();
      const [row] = await database().sql.select().from(paymentRows);
      expect([row?.state, await cash(), await posted('recharge')]).toEqual(['paid', $('50'), 1]);
    });

    test('given up while the bank asks, it is cancelled there; afterwards there is nothing to give up', async () => {
      const begun = await recharge();
      const { payment } = await open.payments.giveUp(organizationId, begun.payment.id);
      expect([payment.failure, double.get(payment.providerId ?? '').status]).toEqual(['given_up', 'canceled']);
      await expect(open.payments.giveUp(organizationId, payment.id)).rejects.toMatchObject({
        problem: 'payment_not_open',
      });
      await expect(open.payments.see('other', payment.id)).rejects.toMatchObject({ problem: 'not_found' });
    });

    test('nobody confirms it for a day: it is called off, and said to be late, not cancelled', async () => {
      const begun = await recharge();
      clock.set(clock.now() + 25 * 60 * MINUTE_MS);
      await open.payments.sweep();
      expect(await paymentOf(begun.payment.id)).toMatchObject({ state: 'failed', failure: 'timed_out' });
    });

    test('another amount than was asked for is not posted, and staff see it', async () => {
      const begun = await recharge();
      const intent = double.get(begun.payment.providerId ?? '');
      Object.assign(intent, { status: 'succeeded', amount_received: 1 });
      const { payment } = await open.payments.see(organizationId, begun.payment.id);
      expect([payment.state, payment.failure, await cash()]).toEqual(['open', 'amount_differs', 0n]);
      await open.payments.confirmTransfer(payment.id, $('0.01'), STAFF_SAYS);
      await hear(eventOf('payment_intent.created'));
      const { state, failure } = await paymentOf(payment.id);
      expect([state, failure, await cash(), await billOf(payment.id)]).toEqual([
        'paid',
        null,
        $('0.01'),
        { status: 'partially_paid', paid: $('0.01'), refunded: 0n },
      ]);
    });

    test.each([
      ['less than the least', '0.5', 'amount_outside'],
      ['more than the most', '10000.01', 'amount_outside'],
    ])('%s is refused', async (_, amount, problem) => {
      await expect(recharge(amount)).rejects.toMatchObject({ problem });
    });

    test('yen have no hundredths, and are charged as whole ones', async () => {
      const wish = { organizationId: 'tokyo', accountId: 'acc-1', channel: 'card' as const, key: undefined };
      await expect(open.payments.recharge({ ...wish, amount: $('500.50') })).rejects.toMatchObject({
        problem: 'amount_unit',
      });
      const { payment } = await open.payments.recharge({ ...wish, amount: $('500') });
      expect(double.get(payment.providerId ?? '')).toMatchObject({ amount: 500, currency: 'jpy' });
    });
  });

  describe('cards', () => {
    test('one is added by the page alone, and the first becomes the default; another can; a removed one is gone there, too', async () => {
      const first = await addCard();
      expect(first).toMatchObject({ last4: '4242', brand: 'visa', expires: '12/2029', isDefault: true });
      const second = await addCard('pm_card_mastercard');
      expect(second.isDefault).toBe(false);
      await open.methods.update(organizationId, second.id, { isDefault: true }, 'en');
      expect((await open.methods.list(organizationId)).map(({ last4, isDefault }) => [last4, isDefault])).toEqual([
        ['4444', true],
        ['4242', false],
      ]);
      const customer = double.all('customer').find(({ metadata }) => metadata.gantry_organization === organizationId);
      expect(customer?.invoice_settings).toEqual({ default_payment_method: second.providerId });
      await open.methods.remove(organizationId, second.id);
      expect(double.get(second.providerId ?? '').customer).toBeNull();
      expect(await open.methods.list(organizationId)).toHaveLength(1);
      await expect(open.methods.update('other', first.id, {}, 'en')).rejects.toMatchObject({ problem: 'not_found' });
    });

    test('a card whose 3-D Secure is open says what is missing', async () => {
      const { method, next } = await open.methods.begin(organizationId, 'card');
      await confirmInPage(double.url, 'setup_intents', next.client_secret ?? '', 'pm_card_authenticationRequired');
      await expect(open.methods.update(organizationId, method.id, {}, 'en')).rejects.toMatchObject({
        problem: 'payment_method_failed',
        args: { why: 'The cardholder must first confirm the payment with the bank (3-D Secure).' },
      });
    });

    test('a card that is refused says so: Add or Update Payment Method Failed', async () => {
      await expect(addCard('pm_card_chargeDeclinedExpiredCard')).rejects.toMatchObject({
        problem: 'payment_method_failed',
        message: 'Add or Update Payment Method Failed. The card has expired.',
      });
      expect(await open.methods.list(organizationId)).toEqual([]);
    });

    test('an organisation without a profile yet is one customer, also after the provider forgot the call', async () => {
      await database().sql.delete(billingProfiles).where(eq(billingProfiles.organizationId, organizationId));
      await open.methods.begin(organizationId, 'card');
      double.forgetKeys();
      const before = double.all('customer').length;
      await open.methods.begin(organizationId, 'card');
      expect(double.all('customer')).toHaveLength(before);
    });

    test('a webhook finishes what a closed page did not', async () => {
      const { next } = await open.methods.begin(organizationId, 'card');
      await confirmInPage(double.url, 'setup_intents', next.client_secret ?? '', 'pm_card_visa');
      await hear(eventOf('setup_intent.succeeded'));
      expect(await open.methods.list(organizationId)).toMatchObject([{ last4: '4242', isDefault: true }]);
      const [card] = await open.methods.list(organizationId);
      const detached = double.get(card?.providerId ?? '');
      detached.customer = null;
      await hear({ id: 'evt_detached', object: 'event', type: 'payment_method.detached', data: { object: detached } });
      expect(await open.methods.list(organizationId)).toEqual([]);
    });

    test('every create has an idempotency key, and every call the pinned version', async () => {
      await addCard();
      await recharge();
      const creates = double.calls.filter(({ method, path }) => method === 'POST' && /s$/.test(path));
      expect(creates.map(({ path }) => path)).toEqual(['/v1/customers', '/v1/setup_intents', '/v1/payment_intents']);
      expect(creates.map(({ key }) => key)).toEqual(creates.map(() => expect.stringMatching(/^gantry-/)));
      const ofOurs = double.calls.filter(({ path }) => !path.endsWith('/confirm'));
      expect(new Set(ofOurs.map(({ version }) => version))).toEqual(new Set(['2026-10-28.endive']));
    });
  });

  describe('webhooks', () => {
    test.each([
      ['another secret', (body: string) => ({ body, signature: 't=1,v1=00' })],
      ['another body', (body: string, signature: string) => ({ body: body.replace('evt_', 'evt-'), signature })],
      ['no signature', (body: string) => ({ body, signature: '' })],
    ])('%s is refused', async (_, change) => {
      const { body, headers } = double.signed({ id: 'evt_1', object: 'event', type: 'x', data: { object: {} } });
      const forged = change(body, headers['stripe-signature'] ?? '');
      const raw = {
        headers: { 'stripe-signature': forged.signature },
        method: 'POST',
        path: '/',
        body: Buffer.from(forged.body),
      };
      await expect(open.webhooks.take('card', raw)).rejects.toMatchObject({ problem: 'webhook_signature' });
    });

    test('one that was signed more than five minutes ago is refused', async () => {
      const event = { id: 'evt_old', object: 'event', type: 'x', data: { object: {} } };
      const now = clock.now() / 1000;
      await expect(hear(event, now - 301)).rejects.toMatchObject({ problem: 'webhook_signature' });
      expect(await hear(event, now - 299)).toMatchObject({ outcome: 'not ours' });
    });

    test('while the provider does not answer, its call is not taken: it comes again', async () => {
      const begun = await recharge();
      await confirmInPage(double.url, 'payment_intents', begun.next?.client_secret ?? '', 'pm_card_visa');
      double.breaks = 'before';
      await expect(hear(eventOf('payment_intent.succeeded'))).rejects.toMatchObject({ problem: 'provider_away' });
      double.breaks = undefined;
      expect(await hear(eventOf('payment_intent.succeeded'))).toMatchObject({ outcome: 'payment' });
      expect(await cash()).toBe($('50'));
    });

    test('a dispute is noted, whatever comes first, and a disputed payment is not refunded', async () => {
      await addCard();
      const { payment } = await recharge();
      double.dispute(payment.providerId ?? '', 'needs_response');
      double.dispute(payment.providerId ?? '', 'lost');
      await hear(eventOf('charge.dispute.updated'));
      await hear(eventOf('charge.dispute.created'));
      expect((await paymentOf(payment.id)).dispute).toBe('lost');
      expect([await cash(), await chargedBack(payment.id)]).toEqual([0n, $('50')]);
      const wish = { paymentId: payment.id, amount: $('1'), by: 'acc-staff', reason: 'asked for' };
      await expect(open.refunds.start(wish)).rejects.toMatchObject({ problem: 'payment_disputed' });
    });

    test('a channel that nobody calls is not there', async () => {
      const raw = { headers: {}, method: 'POST', path: '/', body: Buffer.from('{}') };
      for (const name of ['bank_transfer', 'wallet_b', 'nonsense'])
        await expect(open.webhooks.take(name, raw)).rejects.toMatchObject({ problem: 'not_found' });
    });
  });

  describe('money that goes back without us', () => {
    const paid = async (amount = '50') => {
      await addCard();
      return (await recharge(amount)).payment;
    };
    const wallet = async () => {
      const { cash, credits, debt } = await wallets.balances(organizationId);
      return { cash, credits, debt };
    };
    const all = async () => {
      for (const event of double.events) await hear(event);
    };

    test('a dispute takes the money at once, beyond what is there as a debt, and the people are told', async () => {
      const { id, providerId } = await paid();
      await use('use', '45');
      double.dispute(providerId ?? '', 'needs_response');
      await all();
      expect(await wallet()).toEqual({ cash: 0n, credits: 0n, debt: $('45') });
      expect([await chargedBack(id), (await billOf(id)).status]).toEqual([$('50'), 'paid']);
      // One message: its key is the same each time.
      expect(new Set(notices.map(({ key }) => key)).size).toBe(1);
      expect(notices[0]).toMatchObject({ title: { en: 'A payment is disputed' }, args: { amount: '50.00' } });
      expect(await balanceOf('platform/fees/USD')).toBe(-$('15'));
      await wallets.deposit({
        ...{ key: 'more', organizationId, amount: $('60'), at: new Date(START), channel: 'bank_transfer' },
        bill: { id: 'more', reference: 'more' },
      });
      expect(await wallet()).toEqual({ cash: $('15'), credits: 0n, debt: 0n });
    });

    test.each([
      ['won', '50', 'disputeWon', '50.00'],
      ['lost', '0', 'disputeLost', '50.00'],
    ] as const)(
      'a dispute that is %s leaves %s, whatever is heard first and how often',
      async (end, left, notice, amount) => {
        const { id, providerId } = await paid();
        double.dispute(providerId ?? '', 'needs_response');
        await all();
        double.dispute(providerId ?? '', end);
        for (const event of [...double.events].reverse()) await hear(event);
        await all();
        expect(await wallet()).toEqual({ cash: $(left), credits: 0n, debt: 0n });
        expect([await chargedBack(id), (await paymentOf(id)).dispute]).toEqual([$(end === 'won' ? '0' : '50'), end]);
        expect(notices.at(-1)).toMatchObject({ key: expect.stringMatching(`${notice}$`), args: { amount } });
        expect(await posted('chargeback')).toBe(1);
      },
    );

    test('five gateways that hear of a dispute at once book it once', async () => {
      const { providerId } = await paid();
      double.dispute(providerId ?? '', 'needs_response');
      const event = eventOf('charge.dispute.created');
      await Promise.all(Array.from({ length: 5 }, () => hear(event, undefined, gateway())));
      expect([await cash(), await posted('chargeback'), await posted('dispute_fee')]).toEqual([0n, 1, 1]);
    });

    test('an inquiry moves no money', async () => {
      const { id, providerId } = await paid();
      double.dispute(providerId ?? '', 'warning_needs_response');
      await all();
      expect([await cash(), await chargedBack(id), (await paymentOf(id)).dispute]).toEqual([
        $('50'),
        0n,
        'warning_needs_response',
      ]);
    });

    test('a refund made at the provider is booked once, is owed where it was spent, and comes back when it fails', async () => {
      const { id, providerId } = await paid();
      await use('use', '40');
      const made = double.refundByHand(providerId ?? '', 3000);
      for (const event of [...double.events].reverse()) await hear(event);
      await all();
      expect(await wallet()).toEqual({ cash: 0n, credits: 0n, debt: $('20') });
      expect(await billOf(id)).toEqual({ status: 'paid', paid: $('50'), refunded: $('30') });
      expect(await open.refunds.of([id])).toMatchObject([{ state: 'done', by: 'provider', amount: $('30') }]);
      double.endRefund(made.id, 'failed');
      await all();
      expect(await wallet()).toEqual({ cash: $('10'), credits: 0n, debt: 0n });
      expect([await billOf(id), (await paymentOf(id)).refunded]).toEqual([
        { status: 'paid', paid: $('50'), refunded: 0n },
        0n,
      ]);
    });

    test('a payment that the provider refunds in full is refunded, and nothing more of it goes back', async () => {
      const { id, providerId } = await paid();
      double.refundByHand(providerId ?? '');
      await all();
      expect((await billOf(id)).status).toBe('refunded');
      const wish = { paymentId: id, amount: $('1'), by: 'acc-staff', reason: 'asked for' };
      await expect(open.refunds.start(wish)).rejects.toMatchObject({ problem: 'refund_too_large' });
    });

    test('a result that no webhook delivered is found by polling, and counted once', async () => {
      const { id, providerId } = await paid();
      double.refundByHand(providerId ?? '', 1000);
      double.dispute(providerId ?? '', 'needs_response');
      await open.webhooks.sweep();
      expect([await posted('refund'), await posted('chargeback')]).toEqual([1, 1]);
      double.dispute(providerId ?? '', 'won');
      await open.webhooks.sweep();
      expect((await paymentOf(id)).dispute).toBe('needs_response');
      clock.set(clock.now() + 11 * MINUTE_MS);
      await open.webhooks.sweep();
      await gateway().webhooks.sweep();
      expect([(await paymentOf(id)).dispute, await cash(), await posted('chargeback_return')]).toEqual([
        'won',
        $('40'),
        1,
      ]);
    });

    /** As an earlier version left it: heard of, and nothing booked. */
    const noted = async () => {
      const { id, providerId } = await paid();
      double.dispute(providerId ?? '', 'needs_response');
      const changes = { dispute: 'needs_response', disputeBooking: 'undecided' as const };
      await database().sql.update(paymentRows).set(changes).where(eq(paymentRows.id, id));
      return { id, intent: providerId ?? '' };
    };
    const hearAgain = async () => {
      await open.reversals.sweep();
      await gateway().webhooks.sweep();
      await all();
    };

    test('a dispute that an earlier version only noted is not booked until staff say so', async () => {
      const { id, intent } = await noted();
      await hearAgain();
      double.dispute(intent, 'lost');
      await hearAgain();
      expect([await cash(), await posted('chargeback')]).toEqual([$('50'), 0]);
      expect((await open.staffRow(id)).dispute_booking).toBe('undecided');
      expect((await paymentOf(id)).dispute).toBe('lost');
      double.breaks = 'before';
      await expect(open.reversals.decide(id, 'now')).rejects.toMatchObject({ problem: 'provider_away' });
      double.breaks = undefined;
      await open.reversals.sweep();
      await open.reversals.sweep();
      expect([await cash(), await posted('chargeback')]).toEqual([0n, 1]);
      await expect(open.reversals.decide(id, 'by_hand')).rejects.toMatchObject({ problem: 'not_found' });
    });

    test('a dispute that staff adjusted by hand is never booked, also when it ends', async () => {
      const { id, intent } = await noted();
      await open.reversals.decide(id, 'by_hand');
      double.dispute(intent, 'won');
      await hearAgain();
      const { dispute, dispute_booking } = await open.staffRow(id);
      expect([dispute, dispute_booking, await cash(), await posted('chargeback')]).toEqual([
        'won',
        'by_hand',
        $('50'),
        0,
      ]);
      await expect(open.reversals.decide(id, 'now')).rejects.toMatchObject({ problem: 'not_found' });
      await hearAgain();
      expect(await posted('chargeback')).toBe(0);
    });

    test('the graver of two disputes decides whether a refund is possible, and the part that a bank keeps is not refunded', async () => {
      const { id, providerId } = await paid();
      const wish = (amount: string) => ({ paymentId: id, amount: $(amount), by: 'acc-staff', reason: 'asked for' });
      double.dispute(providerId ?? '', 'needs_response', { amount: 2000 });
      double.dispute(providerId ?? '', 'lost');
      double.dispute(providerId ?? '', 'needs_response', { amount: 1000 });
      await all();
      expect([await cash(), await chargedBack(id), (await paymentOf(id)).dispute]).toEqual([
        $('20'),
        $('30'),
        'needs_response',
      ]);
      double.dispute(providerId ?? '', 'won');
      await all();
      expect([await cash(), await chargedBack(id), (await paymentOf(id)).dispute]).toEqual([$('30'), $('20'), 'lost']);
      await expect(open.refunds.start(wish('1'))).rejects.toMatchObject({ problem: 'payment_disputed' });
    });

    test('the bank may keep a part after a dispute that was won, and that part is not refunded', async () => {
      const { id, providerId } = await paid();
      const wish = (amount: string) => ({ paymentId: id, amount: $(amount), by: 'acc-staff', reason: 'asked for' });
      double.dispute(providerId ?? '', 'needs_response');
      double.dispute(providerId ?? '', 'won');
      const [dispute] = double.all('dispute').filter(({ payment_intent }) => payment_intent === providerId);
      dispute?.balance_transactions.splice(1, 1, { amount: 4500, fee: 0, net: 4500, currency: 'usd' });
      await all();
      await wallets.grant({ key: 'gift', organizationId, amount: $('20'), at: new Date(START) });
      await recharge('20');
      expect(await chargedBack(id)).toBe($('5'));
      await expect(open.refunds.start(wish('45.01'))).rejects.toMatchObject({
        problem: 'refund_too_large',
        args: { most: '45.00' },
      });
      expect((await open.refunds.start(wish('45'))).state).toBe('done');
    });

    test.each(['warning_needs_response', 'warning_under_review'])(
      'during an inquiry (%s) a refund is possible: that is how it ends without a dispute',
      async (status) => {
        const { id, providerId } = await paid();
        double.dispute(providerId ?? '', status);
        await all();
        const wish = { paymentId: id, amount: $('50'), by: 'acc-staff', reason: 'asked for' };
        expect((await open.refunds.start(wish)).state).toBe('done');
        double.dispute(providerId ?? '', 'warning_closed');
        await all();
        expect([await cash(), await posted('chargeback'), (await billOf(id)).status]).toEqual([0n, 0, 'refunded']);
      },
    );

    test('a dispute ends automatic recharge; won, it leaves that as people decided; a second one ends it again', async () => {
      const { providerId } = await paid();
      const settings = { below: $('5'), amount: $('20'), dailyLimit: $('40') };
      const isOn = async () => (await open.autoRecharge.get(organizationId)).isOn;
      await open.autoRecharge.set(organizationId, { ...settings, isOn: true });
      double.dispute(providerId ?? '', 'needs_response', { amount: 2000 });
      await all();
      expect(await isOn()).toBe(false);
      double.dispute(providerId ?? '', 'won');
      await all();
      expect(await isOn()).toBe(false);
      await open.autoRecharge.set(organizationId, { ...settings, isOn: true });
      await all();
      expect(await isOn()).toBe(true);
      double.dispute(providerId ?? '', 'needs_response', { amount: 1000 });
      await all();
      expect([await isOn(), await cash(), await posted('chargeback')]).toEqual([false, $('40'), 2]);
      await open.autoRecharge.set(organizationId, { ...settings, isOn: true });
      double.dispute(providerId ?? '', 'won');
      await all();
      expect([await isOn(), await cash()]).toEqual([true, $('50')]);
      expect(notices.filter(({ key }) => key.endsWith('autoRechargeEnded'))).toHaveLength(2);
    });

    test('news that cannot be followed keep none of the others back, and are asked for again', async () => {
      const { id, providerId } = await paid();
      double.refundByHand(providerId ?? '', 1000);
      double.refundByHand(providerId ?? '', 500);
      double.dispute(providerId ?? '', 'needs_response', { amount: 1000 });
      const bad = { object: 'refund', id: 're_bad', payment_intent: '\u0000' };
      const event = { ...eventOf('charge.refunded'), data: { object: bad } };
      double.events.unshift({ ...event, id: 'evt_first' });
      double.events.push({ ...event, id: 'evt_last' });
      await open.webhooks.sweep();
      expect([await posted('refund'), await posted('chargeback'), (await billOf(id)).refunded]).toEqual([
        2,
        1,
        $('15'),
      ]);
    });
  });

  describe('a refund', () => {
    const paid = async (amount = '50') => {
      await addCard();
      return (await recharge(amount)).payment;
    };
    const refund = (paymentId: string, amount: string) =>
      open.refunds.start({ paymentId, amount: $(amount), by: 'acc-staff', reason: 'asked for' });

    test('in parts and then the rest: the bill is refunded at the end, and no more than was paid goes back', async () => {
      const { id } = await paid();
      expect((await refund(id, '20')).state).toBe('done');
      expect([await cash(), await billOf(id)]).toEqual([$('30'), { status: 'paid', paid: $('50'), refunded: $('20') }]);
      await expect(refund(id, '30.01')).rejects.toMatchObject({ problem: 'refund_too_large', args: { most: '30.00' } });
      await refund(id, '30');
      expect([await cash(), (await billOf(id)).status, await posted('refund')]).toEqual([0n, 'refunded', 2]);
      await hear(eventOf('refund.created'));
      expect(await cash()).toBe(0n);
    });

    test('only of what is still there: what was spent is not paid back', async () => {
      const { id } = await paid();
      await wallets.charge([
        {
          key: 'use',
          organizationId,
          list: $('45'),
          net: $('45'),
          at: new Date(START),
          bill: { id: 'use', type: 'consumption', source: 'container_rent', reference: 'GpuInstance/a' },
        },
      ]);
      await expect(refund(id, '10')).rejects.toMatchObject({ problem: 'wallet_short' });
      expect([await cash(), (await paymentOf(id)).refunded, (await billOf(id)).status]).toEqual([$('5'), 0n, 'paid']);
      expect((await refund(id, '5')).state).toBe('done');
    });

    test('two at once: one is taken, the other refused', async () => {
      const { id } = await paid();
      const both = await Promise.allSettled([refund(id, '50'), refund(id, '50')]);
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect([await cash(), await posted('refund')]).toEqual([0n, 1]);
    });

    test('refused by the provider in the end, the money comes back into the wallet, once', async () => {
      await addCard();
      const card = await addCard('pm_card_refundFail');
      const { payment } = await recharge('50', { methodId: card.id });
      const begun = await refund(payment.id, '50');
      expect([begun.state, await cash(), (await billOf(payment.id)).status]).toEqual(['sent', 0n, 'refunding']);
      await expect(refund(payment.id, '1')).rejects.toMatchObject({ problem: 'refund_under_way' });
      double.endRefund(begun.providerId ?? '', 'failed');
      await Promise.all([hear(eventOf('refund.failed')), open.refunds.heard(begun), open.refunds.heard(begun)]);
      expect([await cash(), (await paymentOf(payment.id)).refunded, await billOf(payment.id)]).toEqual([
        $('50'),
        0n,
        { status: 'paid', paid: $('50'), refunded: 0n },
      ]);
    });

    test.each(['before', 'after'] as const)(
      'the provider breaks off %s it did it: it is asked again, and the money goes back once',
      async (when) => {
        const { id } = await paid();
        double.breaks = when;
        const begun = await refund(id, '50');
        expect([begun.state, await cash()]).toEqual(['taken', 0n]);
        double.breaks = undefined;
        clock.set(clock.now() + MINUTE_MS);
        await gateway().refunds.sweep();
        await gateway().refunds.sweep();
        expect([
          (await billOf(id)).status,
          await posted('refund'),
          double.all('refund').filter((one) => one.metadata.gantry_refund === begun.id).length,
        ]).toEqual(['refunded', 1, 1]);
      },
    );

    test('asked for again while the first call is still answered, it goes back once, and not into the wallet', async () => {
      const { id } = await paid();
      const { promise, resolve } = Promise.withResolvers<void>();
      double.takes = promise;
      const first = refund(id, '50');
      await eventually('the provider has the call', () => double.calls.some(({ path }) => path === '/v1/refunds'));
      clock.set(clock.now() + MINUTE_MS);
      await gateway().refunds.sweep();
      expect((await open.refunds.of([id])).map(({ state }) => state)).toEqual(['taken']);
      resolve();
      double.takes = undefined;
      expect([(await first).state, await cash(), await posted('refund')]).toEqual(['done', 0n, 1]);
    });

    test('the answer is lost and the provider has forgotten the key: it is found there, and not sent again', async () => {
      const { id } = await paid();
      double.breaks = 'after';
      const begun = await refund(id, '20');
      expect(begun.state).toBe('taken');
      double.breaks = undefined;
      double.forgetKeys();
      clock.set(clock.now() + 25 * 60 * MINUTE_MS);
      await gateway().refunds.sweep();
      const sent = double.all('refund').filter((one) => one.metadata.gantry_refund === begun.id);
      expect([(await open.refunds.find(begun.id))?.state, sent.length]).toEqual(['done', 1]);
    });

    test('half a yen is refused before it leaves the wallet', async () => {
      const wish = { organizationId: 'tokyo', accountId: 'acc-1', channel: 'card' as const, key: undefined };
      const { payment, next } = await open.payments.recharge({ ...wish, amount: $('500') });
      await confirmInPage(double.url, 'payment_intents', next?.client_secret ?? '', 'pm_card_visa');
      await open.payments.see('tokyo', payment.id);
      await expect(refund(payment.id, '100.5')).rejects.toMatchObject({ problem: 'amount_unit' });
      expect([await cash('tokyo'), await open.refunds.of([payment.id])]).toEqual([$('500'), []]);
    });

    test('a channel that is no longer offered takes nothing from the wallet; earlier refunds are polled ever more rarely', async () => {
      const { payment } = await recharge('50', { channel: 'wallet_a' });
      Object.assign(walletA.orders.get(payment.id) ?? {}, { state: 'paid' });
      await open.payments.see(organizationId, payment.id);
      const without = gateway(['card']);
      const wish = { paymentId: payment.id, amount: $('50'), by: 'acc-staff', reason: 'asked for' };
      await expect(without.refunds.start(wish)).rejects.toMatchObject({ problem: 'payment_channel_missing' });
      expect([await cash(), await open.refunds.of([payment.id])]).toEqual([$('50'), []]);
      walletA.isForged = true;
      const { id } = await open.refunds.start(wish).finally(() => {
        walletA.isForged = false;
      });
      clock.set(clock.now() + MINUTE_MS);
      await without.refunds.sweep();
      expect((await open.refunds.find(id))?.askAt?.getTime()).toBeGreaterThan(clock.now());
      expect(logged.join('')).toContain('a refund could not be asked about');
    });

    test('one that was done and comes back later is in the wallet again', async () => {
      const { id } = await paid();
      const { providerId } = await refund(id, '50');
      double.endRefund(providerId ?? '', 'failed');
      await hear(eventOf('refund.failed'));
      expect([await cash(), (await paymentOf(id)).refunded, await billOf(id)]).toEqual([
        $('50'),
        0n,
        { status: 'paid', paid: $('50'), refunded: 0n },
      ]);
      expect([(await refund(id, '50')).state, await cash(), (await billOf(id)).status]).toEqual([
        'done',
        0n,
        'refunded',
      ]);
    });
  });

  describe('wallets, the domestic card network, bank transfer', () => {
    const networks = () => ({ wallet_a: walletA, domestic_card: cardNetwork });

    test.each(['wallet_a', 'domestic_card'] as const)(
      '%s: pays by its page; its signed callback posts it, once',
      async (name) => {
        const network = networks()[name];
        const begun = await recharge('50', { channel: name });
        expect([begun.status, begun.next?.url]).toEqual([
          'paiding',
          expect.stringContaining('https://network.invalid/pay/'),
        ]);
        const order = network.orders.get(begun.payment.id);
        if (!order) throw new Error('the network has no order');
        order.state = 'paid';
        const path = `/api/paybill/v1/webhook/${name}`;
        const { body, headers } = network.callback(path, { type: 'order', order: order.order });
        const raw = { headers, method: 'POST', path, body };
        await Promise.all([1, 2, 3].map(() => open.webhooks.take(name, raw)));
        expect([await cash(), await posted('recharge')]).toEqual([$('50'), 1]);
        const back = await open.refunds.start({
          paymentId: order.order,
          amount: $('50'),
          by: 'acc-staff',
          reason: 'asked for',
        });
        expect([back.state, await cash()]).toEqual(['done', 0n]);
      },
    );

    test.each(['wallet_a', 'domestic_card'] as const)(
      '%s: what a stranger signs is refused, as callback and as answer',
      async (name) => {
        const network = networks()[name];
        const begun = await recharge('50', { channel: name });
        const order = network.orders.get(begun.payment.id);
        if (order) order.state = 'paid';
        const path = `/api/paybill/v1/webhook/${name}`;
        const { body, headers } = network.callback(path, { type: 'order', order: begun.payment.id });
        const take = (changes: object) => open.webhooks.take(name, { headers, method: 'POST', path, body, ...changes });
        const refused = { problem: 'webhook_signature' };
        await expect(take({ body: Buffer.from(`${body} `) })).rejects.toMatchObject(refused);
        await expect(take({ path: '/api/paybill/v1/webhook/wallet_b' })).rejects.toMatchObject(refused);
        const old = network.callback(path, { type: 'order', order: begun.payment.id }, clock.now() - 301_000);
        await expect(take(old)).rejects.toMatchObject(refused);
        network.isForged = true;
        try {
          expect((await open.payments.see(organizationId, begun.payment.id)).payment.state).toBe('open');
        } finally {
          network.isForged = false;
        }
        expect(await cash()).toBe(0n);
      },
    );

    test('two networks that number alike have a payment and a refund each', async () => {
      const paidBy = async (name: keyof ReturnType<typeof networks>) => {
        const network = networks()[name];
        const { names } = network;
        network.names = () => '1001';
        try {
          const { payment } = await recharge('50', { channel: name });
          Object.assign(network.orders.get(payment.id) ?? {}, { state: 'paid' });
          await open.payments.see(organizationId, payment.id);
          const wish = { paymentId: payment.id, amount: $('20'), by: 'acc-staff', reason: 'asked for' };
          return (await open.refunds.start(wish)).state;
        } finally {
          network.names = names;
        }
      };
      expect([await paidBy('wallet_a'), await paidBy('domestic_card'), await cash()]).toEqual([
        'done',
        'done',
        $('60'),
      ]);
    });

    test('one that does not answer is asked once in a round, and keeps the other channels from nothing', async () => {
      await recharge('50', { channel: 'wallet_a' });
      await recharge('20', { channel: 'wallet_a' });
      const { payment } = await recharge('30', { channel: 'domestic_card' });
      Object.assign(cardNetwork.orders.get(payment.id) ?? {}, { state: 'paid' });
      clock.set(clock.now() + MINUTE_MS);
      walletA.isForged = true;
      await open.payments.sweep().finally(() => {
        walletA.isForged = false;
      });
      expect([
        await cash(),
        logged.filter((line) => line.includes('a payment could not be asked about')).length,
      ]).toEqual([$('30'), 1]);
    });

    test('a page to pay on that is no web page is no answer', async () => {
      const { page } = walletA;
      walletA.page = 'javascript:';
      try {
        expect((await recharge('50', { channel: 'wallet_a' })).next).toBeUndefined();
      } finally {
        walletA.page = page;
      }
    });

    test('a network that never calls is asked; one that was closed has failed', async () => {
      const [one, two] = [await recharge('50', { channel: 'wallet_a' }), await recharge('20', { channel: 'wallet_a' })];
      const order = walletA.orders.get(one.payment.id);
      if (order) order.state = 'paid';
      await open.payments.giveUp(organizationId, two.payment.id);
      clock.set(clock.now() + MINUTE_MS);
      await open.payments.sweep();
      expect([await cash(), (await paymentOf(two.payment.id)).failure]).toEqual([$('50'), 'given_up']);
    });

    test('a bank transfer has a reference, and the staff say how much of it came', async () => {
      const { payment, next, status } = await recharge('100', { channel: 'bank_transfer' });
      expect([status, next]).toEqual([
        'paiding',
        {
          type: 'transfer',
          reference: expect.stringMatching(/^GT(-[2-9A-Z]{4}){3}$/),
          account: 'Bank of Nowhere, 1234',
        },
      ]);
      clock.set(clock.now() + 9 * 24 * 60 * MINUTE_MS);
      await open.payments.sweep();
      const both = await Promise.all(
        [$('90'), $('90')].map((amount: Micros) => open.payments.confirmTransfer(payment.id, amount, STAFF_SAYS)),
      );
      expect(both.map((one) => one.payment.state)).toEqual(['paid', 'paid']);
      await expect(open.payments.confirmTransfer(payment.id, $('100'), STAFF_SAYS)).rejects.toMatchObject({
        problem: 'payment_not_open',
      });
      expect([await cash(), await posted('recharge'), await billOf(payment.id)]).toEqual([
        $('90'),
        1,
        { status: 'partially_paid', paid: $('90'), refunded: 0n },
      ]);
    });

    test.each([
      ['short', '90', 'partially_paid'],
      ['more than may be paid at once', '10000.01', 'paid'],
      ['less than may be paid at once', '0.99', 'partially_paid'],
    ])('a bank transfer that was called off arrives all the same, %s', async (_, came, status) => {
      const { payment } = await recharge('100', { channel: 'bank_transfer' });
      await open.payments.giveUp(organizationId, payment.id);
      const confirmed = await open.payments.confirmTransfer(payment.id, $(came), STAFF_SAYS);
      expect([confirmed.payment.state, confirmed.status, await cash()]).toEqual(['paid', status, $(came)]);
      await expect(open.payments.confirmTransfer('pay-none', $('1'), STAFF_SAYS)).rejects.toMatchObject({
        problem: 'not_found',
      });
    });

    test('a channel without a key is not offered', async () => {
      expect(open.payments.channels.map(({ name }) => name)).toEqual([
        'card',
        'wallet_a',
        'domestic_card',
        'bank_transfer',
      ]);
      await expect(recharge('50', { channel: 'wallet_b' })).rejects.toMatchObject({
        problem: 'payment_channel_missing',
      });
    });
  });

  describe('automatic recharge', () => {
    const turnOn = (changes: Partial<Record<'below' | 'amount' | 'dailyLimit', string>> = {}) => {
      const { below = '10', amount = '50', dailyLimit = '120' } = changes;
      return open.autoRecharge.set(organizationId, {
        isOn: true,
        below: $(below),
        amount: $(amount),
        dailyLimit: $(dailyLimit),
      });
    };
    const spend = (amount: string) =>
      wallets.charge([
        {
          key: `use-${amount}-${clock.now()}`,
          organizationId,
          list: $(amount),
          net: $(amount),
          at: new Date(clock.now()),
          bill: { id: `use-${clock.now()}`, type: 'consumption', source: 'container_rent', reference: 'GpuInstance/a' },
        },
      ]);

    test('below the balance, ten looks at once from two gateways charge once; up to the limit of the day', async () => {
      await addCard();
      await turnOn();
      const other = gateway();
      await Promise.all(
        Array.from({ length: 5 }, () => [
          open.autoRecharge.check(organizationId),
          other.autoRecharge.check(organizationId),
        ]).flat(),
      );
      expect([await cash(), await posted('recharge')]).toEqual([$('50'), 1]);
      await open.autoRecharge.sweep();
      expect(await posted('recharge')).toBe(1);
      await spend('45');
      await open.autoRecharge.sweep();
      expect([await cash(), await posted('recharge')]).toEqual([$('55'), 2]);
      await spend('50');
      await open.autoRecharge.sweep();
      expect([await cash(), await posted('recharge')]).toEqual([$('5'), 2]);
      await open.autoRecharge.sweep();
      expect(notices.filter(({ key }) => key === 'auto-recharge/acme/2026-03-02/limit')).toHaveLength(1);
      clock.set(clock.now() + 24 * 60 * MINUTE_MS);
      await open.autoRecharge.sweep();
      expect(await cash()).toBe($('55'));
    });

    test('a card that fails stops it, and the people are told', async () => {
      const card = await addCard();
      await turnOn();
      double.get(card.providerId ?? '').preset = 'pm_card_chargeDeclined';
      const tried = await open.autoRecharge.check(organizationId);
      expect(tried).toMatchObject({ state: 'failed', failure: 'card_declined', initiator: 'auto' });
      expect((await open.autoRecharge.get(organizationId)).isOn).toBe(false);
      expect(notices).toMatchObject([{ content: { en: expect.stringContaining('The card was declined.') } }]);
      await open.autoRecharge.sweep();
      expect(await database().sql.select().from(paymentRows)).toHaveLength(1);
    });

    test('a bank that wants to ask somebody who is not there stops it, too', async () => {
      const card = await addCard();
      await turnOn();
      double.get(card.providerId ?? '').preset = 'pm_card_authenticationRequired';
      expect(await open.autoRecharge.check(organizationId)).toMatchObject({
        state: 'failed',
        failure: 'authentication_needed',
      });
      expect((await open.autoRecharge.get(organizationId)).isOn).toBe(false);
    });

    test('one that the provider did not answer is open: no second one starts beside it', async () => {
      await addCard();
      await turnOn();
      double.breaks = 'after';
      await open.autoRecharge.check(organizationId);
      double.breaks = undefined;
      expect(await open.autoRecharge.check(organizationId)).toBeUndefined();
      clock.set(clock.now() + MINUTE_MS);
      await open.payments.sweep();
      await open.autoRecharge.sweep();
      expect([await cash(), await posted('recharge')]).toEqual([$('50'), 1]);
    });

    test('a refund does not trigger another charge to the card; a refused refund changes nothing', async () => {
      await addCard();
      const { payment } = await recharge('50');
      await turnOn();
      const refund = (amount: string) =>
        open.refunds.start({ paymentId: payment.id, amount: $(amount), by: 'acc-staff', reason: 'asked for' });
      await spend('20');
      await expect(refund('50')).rejects.toMatchObject({ problem: 'wallet_short' });
      expect((await open.autoRecharge.get(organizationId)).isOn).toBe(true);
      await refund('30');
      await open.autoRecharge.sweep();
      expect([await cash(), (await open.autoRecharge.get(organizationId)).isOn]).toEqual([0n, false]);
      expect(notices.map(({ key }) => key)).toContainEqual(expect.stringMatching(/^refund\/.*\/auto-recharge$/));
    });

    test.each(['a dispute', 'another amount than was asked for'])(
      '%s ends it, and the people are told',
      async (what) => {
        const card = await addCard();
        await turnOn();
        double.get(card.providerId ?? '').preset = 'pm_card_processing';
        const begun = await open.autoRecharge.check(organizationId);
        const intent = begun?.providerId ?? '';
        double.finish(intent, true);
        if (what === 'a dispute') double.dispute(intent, 'needs_response');
        else double.get(intent).amount_received = 1;
        clock.set(clock.now() + MINUTE_MS);
        await open.payments.sweep();
        await open.webhooks.sweep();
        expect((await open.autoRecharge.get(organizationId)).isOn).toBe(false);
        expect(notices.map(({ title }) => title.en)).toContain('Automatic top-up stopped');
      },
    );

    test('a deleted organisation is never charged, and its cards are removed', async () => {
      const card = await addCard();
      await turnOn();
      const deletedAt = new Date(clock.now());
      await database().sql.update(organizations).set({ deletedAt }).where(eq(organizations.id, organizationId));
      await open.autoRecharge.sweep();
      expect([await open.autoRecharge.check(organizationId), await cash()]).toEqual([undefined, 0n]);
      await open.methods.sweep();
      expect([double.get(card.providerId ?? '').customer, await open.methods.list(organizationId)]).toEqual([null, []]);
      expect((await open.autoRecharge.get(organizationId)).isOn).toBe(false);
    });

    test('a card that is removed here alone is taken away at the provider, too', async () => {
      const card = await addCard();
      await database()
        .sql.update(paymentMethods)
        .set({ removedAt: new Date(clock.now()), isDefault: false });
      await Promise.all([open.methods.sweep(), gateway().methods.sweep()]);
      expect(double.get(card.providerId ?? '').customer).toBeNull();
      double.calls.length = 0;
      await open.methods.sweep();
      expect(double.calls).toEqual([]);
    });

    test('it needs a default card and a limit of one recharge at least, and ends with its card', async () => {
      await expect(turnOn()).rejects.toMatchObject({ problem: 'auto_recharge_card' });
      const card = await addCard();
      await expect(turnOn({ dailyLimit: '49.99' })).rejects.toMatchObject({ problem: 'auto_recharge_limit' });
      await turnOn();
      await open.methods.remove(organizationId, card.id);
      const [profile] = await database()
        .sql.select()
        .from(billingProfiles)
        .where(eq(billingProfiles.organizationId, organizationId));
      expect(profile?.autoRecharge).toBe(false);
    });
  });

  test('no secret, of ours or of a client, is in the log or in SQL', async () => {
    const card = await addCard();
    const begun = await recharge('50', { methodId: card.id });
    double.get(card.providerId ?? '').preset = 'pm_card_chargeDeclined';
    await recharge('51', { methodId: card.id });
    double.get(card.providerId ?? '').preset = 'pm_card_authenticationRequired';
    const { next } = await recharge('52', { methodId: card.id });
    await hear(eventOf('payment_intent.requires_action'));
    double.breaks = 'before';
    await open.payments.see(organizationId, begun.payment.id);
    await recharge('53', { methodId: card.id });
    double.breaks = undefined;
    expect(next?.client_secret).toMatch(/_secret_/);
    const tables = [
      'payments',
      'payment_methods',
      'provider_events',
      'refunds',
      'bills',
      'transfers',
      'billing_profiles',
    ];
    const rows = await Promise.all(tables.map((table) => rowsOf(database().sql, sql.raw(`select * from ${table}`))));
    const everything = `${logged.join('')}${JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? `${value}` : value))}`;
    expect(everything).toContain('pay-');
    expect(everything).not.toMatch(/_secret_|canary|whsec_|sk_test|4242424242424242/);
  });
});
