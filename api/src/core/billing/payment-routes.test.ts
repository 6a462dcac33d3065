// Paying over HTTP, by the whole gateway: what a browser, a provider and staff send, against the card provider's double.
import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BILLING_COMMANDS } from '@gantry/contract/areas/billing/admin-billing.ts';
import { PAYMENT_STAFF_ROUTES as A, PAYMENT_ROUTES as R } from '@gantry/contract/areas/billing/payments.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { CARD_KEYS, type CardDouble, confirmInPage, openCardDouble } from '../../../../test/support/card-double.ts';
import { migratedDatabase, resetDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { hireStaff } from '../../../../test/support/hire-staff.ts';
import { type MemoryGateway, startMemoryGateway } from '../../../../test/support/memory-gateway.ts';
import type { Database } from '../../platform/db/open.ts';
import { auditLog } from '../../platform/db/schema/audit.ts';

let folder: string;
let double: CardDouble;
let db: Database;
let gateway: MemoryGateway;
let hired: Record<'first' | 'second', string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-payments-'));
  await writeFile(join(folder, 'key'), `${CARD_KEYS.secretKey}\n`);
  await writeFile(join(folder, 'webhook'), `${CARD_KEYS.webhookSecret}\n`);
  double = await openCardDouble(() => Date.now());
  db = await migratedDatabase();
  await resetDatabase(db);
  const flags = [
    `--stripe-url=${double.url}`,
    `--stripe-key-file=${join(folder, 'key')}`,
    `--stripe-webhook-secret-file=${join(folder, 'webhook')}`,
    `--stripe-publishable-key=${CARD_KEYS.publishableKey}`,
    '--bank-account=Bank of Nowhere',
  ];
  gateway = await startMemoryGateway({ db, flags });
  hired = await hireStaff(db, { first: 'administrator', second: 'finance' });
}, 120_000);
afterAll(async () => {
  await gateway.stop();
  await double.close();
  await rm(folder, { recursive: true });
});

const owner = () => gateway.client(gateway.tokens.owner);
const staff = () => gateway.client(hired.first);
const webhook = (body: string, headers: Record<string, string>) =>
  gateway.client().fetch('/api/paybill/v1/webhook/card', { method: 'POST', headers, body });
/** As the provider signs, at a time of the test's choice. */
const signed = (text: string, at = Date.now()) => {
  const seconds = Math.floor(at / 1000);
  const v1 = createHmac('sha256', CARD_KEYS.webhookSecret).update(`${seconds}.${text}`).digest('hex');
  return { 'stripe-signature': `t=${seconds},v1=${v1}` };
};
const balance = async () =>
  ((await (await owner().fetch('/api/auth/v1/organization/me')).json()) as { result: { balance: string } }).result
    .balance;

test('a channel with keys is offered, and marked as a test', async () => {
  const { channels, least } = await owner().must(R.listPaymentChannels);
  expect(channels).toEqual([
    {
      payment_channel: 'card',
      name: 'Credit card',
      publishable_key: 'pk_test_double',
      script_url: 'https://js.stripe.com/v3/',
      is_test: true,
    },
    {
      payment_channel: 'bank_transfer',
      name: 'Bank transfer',
      publishable_key: null,
      script_url: null,
      is_test: false,
    },
  ]);
  expect(least).toBe('1.00');
  const settings = (await (await gateway.client().fetch('/api/settings')).json()) as {
    result: { payment_channels: string[] };
  };
  expect(settings.result.payment_channels).toEqual(['card', 'bank_transfer']);
});

test('a card is added and pays; the same key gives the same payment; staff pay it back', async () => {
  const { payment_id, next } = await owner().must(R.addPaymentMethod, { body: {} });
  const early = await owner().call(R.updatePaymentMethod, { params: { id: payment_id }, body: {} });
  expect([early.status, early.body.error]).toEqual([402, 'payment_method_failed']);
  await confirmInPage(double.url, 'setup_intents', next.client_secret ?? '', 'pm_card_visa');
  const card = await owner().must(R.updatePaymentMethod, { params: { id: payment_id }, body: {} });
  expect(card).toMatchObject({ last4: '4242', is_default: true });

  const wish = { body: { amount: '20', payment_channel: 'card' as const }, headers: { 'idempotency-key': 'once' } };
  const [first, again] = [await owner().must(R.recharge, wish), await owner().must(R.recharge, wish)];
  expect(first).toMatchObject({ status: 'paid', message: 'Pay successfully', is_test: true, next: null });
  expect([again.id, await balance()]).toEqual([first.id, '20.00']);

  const refund = { params: { id: first.id }, body: { amount: '5', reason: 'asked for' } };
  expect(await staff().must(A.adminRefundPayment, refund)).toMatchObject({ state: 'done', amount: '5.00' });
  expect(await balance()).toBe('15.00');
  expect(await staff().must(A.adminListPaymentRefunds, { params: { id: first.id } })).toHaveLength(1);
  const settled = { params: { id: first.id }, body: { booking: 'by_hand' as const, reason: 'nothing to decide' } };
  expect((await staff().call(A.adminBookDisputes, settled)).status).toBe(404);
});

test('a late webhook is read as bytes and posts; a forged one is refused; no kept answer holds a secret', async () => {
  const slow = await owner().must(R.addPaymentMethod, { body: {} });
  await confirmInPage(double.url, 'setup_intents', slow.next.client_secret ?? '', 'pm_card_processing');
  await owner().must(R.updatePaymentMethod, { params: { id: slow.payment_id }, body: {} });
  const before = Number(await balance());
  const begun = await owner().must(R.recharge, {
    body: { amount: '30', payment_channel: 'card', payment_id: slow.payment_id },
  });
  expect([begun.status, begun.message]).toEqual(['paiding', 'Payment pending: funds will be late, check later']);
  const intent = double.all('payment_intent').find(({ metadata }) => metadata.gantry_payment === begun.id);
  double.finish(intent?.id, true);
  const { body, headers } = double.signed(double.events.at(-1) ?? {});
  expect((await webhook(body.replace('"livemode":false', '"livemode":true'), headers)).status).toBe(400);
  expect((await webhook(body, headers)).status).toBe(200);
  expect((await webhook(body, headers)).status).toBe(200);
  expect(Number(await balance()) - before).toBe(30);
  const mine = await owner().must(R.getRecharge, { params: { id: begun.id } });
  expect(mine).toMatchObject({ status: 'paid', next: null });
});

test('who signs nothing writes nothing into the audit log', async () => {
  const event = (id: string) => double.signed({ id, object: 'event', type: 'x', data: { object: {} } });
  const { body, headers } = event('evt_unsigned');
  expect((await webhook(`${body} `, headers)).status).toBe(400);
  const nonsense = await gateway.client().fetch('/api/paybill/v1/webhook/nonsense', { method: 'POST', headers, body });
  expect(nonsense.status).toBe(404);
  const signed = event('evt_signed');
  expect((await webhook(signed.body, signed.headers)).status).toBe(200);
  const ofWebhooks = () => db.sql.select().from(auditLog).where(eq(auditLog.action, R.takeWebhook.id));
  await eventually('the signed one is audited', async () =>
    (await ofWebhooks()).some(({ object }) => object === 'PaymentEvent/card/evt_signed'),
  );
  expect((await ofWebhooks()).filter(({ decision }) => decision !== 'allowed')).toEqual([]);
});

test('a person confirms with what is asked for anew, and may call it off', async () => {
  const bare = await gateway.client(gateway.tokens.billing).must(R.recharge, {
    body: { amount: '40', payment_channel: 'bank_transfer' },
  });
  expect(bare).toMatchObject({ status: 'paiding', next: { type: 'transfer' } });
  const seen = await owner().must(R.getRecharge, { params: { id: bare.id } });
  expect(seen.next).toMatchObject({ account: 'Bank of Nowhere', reference: expect.stringMatching(/^GT-/) });
  const before = Number(await balance());
  const waiting = await staff().fetch(
    `/api/admin/payments?filter=${encodeURIComponent('{"payment_channel":"bank_transfer"}')}`,
  );
  expect(await waiting.json()).toMatchObject([{ id: bare.id, reference: seen.next?.reference, state: 'open' }]);
  const confirm = { params: { id: bare.id }, body: { amount: '39.50', reason: 'on the statement of today' } };
  // Less than was announced: somebody else has a look.
  const asked = await staff().must(A.adminConfirmTransfer, confirm);
  expect(asked).toMatchObject({ state: 'open', approval_id: expect.stringMatching(/^apr-/) });
  const approval = { params: { id: asked.approval_id ?? '' }, body: { reason: 'seen, too' } };
  await gateway.client(hired.second).must(BILLING_COMMANDS.adminApprove, approval);
  expect(Number(await balance()) - before).toBe(39.5);
  const late = await owner().call(R.giveUpRecharge, { params: { id: bare.id } });
  expect([late.status, late.body.error]).toEqual([409, 'payment_not_open']);
});

test('automatic recharge is set, and an amount outside of the limits is refused with them', async () => {
  const body = { enabled: true, below: '5', amount: '20', daily_limit: '40' };
  expect(await owner().must(R.setAutoRecharge, { body })).toEqual({
    enabled: true,
    below: '5.00',
    amount: '20.00',
    daily_limit: '40.00',
  });
  const refused = await owner().call(R.recharge, { body: { amount: '10001', payment_channel: 'card' } });
  expect([refused.status, refused.body.message]).toEqual([400, 'amount: it must be from $1.00 to $10,000.00.']);
});

test.each([
  ['no JSON', 'nothing'],
  ['null', 'null'],
  ['a number', '7'],
  ['no object', '{"id":"evt_1","object":"event","type":"x"}'],
  ['an object that is null', '{"id":"evt_1","object":"event","type":"x","data":{"object":null}}'],
  ['an id that is none', '{"id":{"a":1},"object":"event","type":"x","data":{"object":{}}}'],
  ['an id with a NUL', '{"id":"evt\\u0000","object":"event","type":"x","data":{"object":{}}}'],
  ['no type', '{"id":"evt_1","object":"event","data":{"object":{}}}'],
  ['ids of no kind', '{"id":"evt_2","object":"event","type":"x","data":{"object":{"object":"setup_intent","id":[1]}}}'],
  ['an id that is too long', `{"id":"${'e'.repeat(5000)}","object":"event","type":"x","data":{"object":{}}}`],
])('a signed webhook that says %s is a 400 with a sentence', async (_name, text) => {
  const answer = await webhook(text, signed(text));
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ error: 'webhook_malformed', message: expect.stringMatching(/\.$/) });
});

test.each([-301, 301, 1e9])('a webhook signed %d seconds from now is refused', async (seconds) => {
  const text = '{"id":"evt_time","object":"event","type":"x","data":{"object":{}}}';
  const answer = await webhook(text, signed(text, Date.now() + seconds * 1000));
  expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'webhook_signature' }]);
});

test('a webhook signed four minutes from now, by a clock that is ahead, is taken', async () => {
  const text = '{"id":"evt_ahead","object":"event","type":"x","data":{"object":{}}}';
  expect((await webhook(text, signed(text, Date.now() + 240_000))).status).toBe(200);
});
