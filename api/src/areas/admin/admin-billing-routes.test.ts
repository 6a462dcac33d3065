// Money in the operators' console, by the whole gateway: two people of finance, and one of support who may see none of it.
import { DOCUMENT_OF, ENTRY_ACCOUNTS, TRANSFER_TYPES } from '@gantry/contract/billing/ledger-entries.ts';
import { micros, parseMoney } from '@gantry/contract/fields/money.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { desc, eq } from 'drizzle-orm';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { hireStaff } from '../../../../test/support/hire-staff.ts';
import { type MemoryGateway, startMemoryGateway } from '../../../../test/support/memory-gateway.ts';
import { ORGANIZATION_ACCOUNTS, PLATFORM_ACCOUNTS } from '../../core/billing/ledger/accounts.ts';
import { PAIRS } from '../../core/billing/ledger/pairs.ts';
import type { Database } from '../../platform/db/open.ts';
import { auditLog } from '../../platform/db/schema/audit.ts';
import { bills, transfers } from '../../platform/db/schema/ledger.ts';
import { disputes, payments, refunds } from '../../platform/db/schema/payments.ts';
import { platformGrants } from '../../platform/db/schema/people.ts';
import { meters, slices } from '../../platform/db/schema/usage.ts';

let db: Database;
let gateway: MemoryGateway;
let tokens: Record<Who, string>;
beforeAll(async () => {
  db = await migratedDatabase();
  gateway = await startMemoryGateway({ db, flags: ['--approval-above=USD:100', '--bank-account=Bank of Nowhere'] });
  const hired = await hireStaff(db, {
    ...{ first: 'finance', second: 'finance', third: 'administrator', fourth: 'finance', fifth: 'finance' },
  } as const);
  tokens = { ...gateway.tokens, ...hired };
  await db.sql.insert(platformGrants).values([
    { createdAt: new Date(), accountId: 'acc-member', role: 'finance' },
    { createdAt: new Date(), accountId: 'acc-viewer', role: 'support' },
  ]);
}, 120_000);
afterAll(() => gateway.stop());

// biome-ignore lint/suspicious/noExplicitAny: rows of any resource
type Answer = any;
type Who = keyof MemoryGateway['tokens'] | 'first' | 'second' | 'third' | 'fourth' | 'fifth';

async function ask(
  path: string,
  { method = 'GET', body, as = 'first' }: { method?: string; body?: unknown; as?: Who } = {},
) {
  const answer = await fetch(`${gateway.url}/api${path}`, {
    method,
    headers: { 'x-token': tokens[as], ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json');
  return { status: answer.status, body: (isJson ? JSON.parse(text) : text) as Answer, headers: answer.headers };
}
const post = (path: string, body: unknown, as: Who = 'first') => ask(`/admin/${path}`, { method: 'POST', body, as });
const list = (resource: string, filter: object = {}, as: Who = 'first') =>
  ask(`/admin/${resource}?${new URLSearchParams({ filter: JSON.stringify(filter) })}`, { as });
/** Asked for by the first, and approved by the second. */
async function given(path: string, body: object) {
  const { approval_id: id } = (await post(path, body)).body;
  return post(`approvals/${id}/approve`, { reason: 'looked at' }, 'second');
}
const lastEntry = async () => (await db.sql.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1))[0];
const cash = async (id = 'acmeorgs') => (await ask(`/admin/wallets/${id}`)).body.cash as string;

test('the ledger’s own tables are what the contract names', () => {
  expect(TRANSFER_TYPES.toSorted()).toEqual(Object.keys(PAIRS).sort());
  expect(Object.keys(DOCUMENT_OF).sort()).toEqual(Object.keys(PAIRS).sort());
  expect(ENTRY_ACCOUNTS).toEqual([...ORGANIZATION_ACCOUNTS, ...PLATFORM_ACCOUNTS]);
});

describe('staff’s transfers', () => {
  test('up to the set amount a transfer is made at once, and above it waits for a second person', async () => {
    const small = await post('wallets/acmeorgs/transfer', { kind: 'adjust', amount: '100', reason: 'a cheque' });
    expect([small.status, small.body.cash, small.body.approval_id]).toEqual([201, '100.00', null]);
    const large = await post(
      'wallets/acmeorgs/transfer',
      { kind: 'adjust', amount: '100.01', reason: 'a large cheque' },
      'second',
    );
    const { approval_id: id, cash: before } = large.body;
    expect([large.status, before, id]).toEqual([201, '100.00', expect.stringMatching(/^apr-/)]);
    expect(await lastEntry()).toMatchObject({ object: `Approval/${id}`, actorId: 'acc-second' });

    const own = await post(`approvals/${id}/approve`, { reason: 'mine' }, 'second');
    expect([own.status, own.body.error]).toEqual([409, 'approval_own']);
    expect((await post(`approvals/${id}/approve`, { reason: 'x' }, 'viewer')).status).toBe(403);
    expect((await post('approvals/apr-nobody/approve', { reason: 'x' })).status).toBe(404);
    expect(await cash()).toBe('100.00');

    const approved = await post(`approvals/${id}/approve`, { reason: 'seen the cheque' });
    expect(approved.body).toMatchObject({
      state: 'approved',
      decided_by_name: 'first',
      amount: '100.01',
      currency: 'USD',
    });
    expect(await cash()).toBe('200.01');
    expect(await lastEntry()).toMatchObject({
      object: `Approval/${id}`,
      reason: 'approved adjust 100.01 USD of acmeorgs: seen the cheque',
    });
    const [posted] = await db.sql
      .select()
      .from(transfers)
      .where(eq(transfers.key, `staff/${id}`));
    expect(posted?.memo).toMatchObject({ by: 'acc-second', approvedBy: 'acc-first', approval: id });
    const again = await post(`approvals/${id}/approve`, { reason: 'twice' });
    expect([again.status, again.body.error]).toEqual([409, 'approval_decided']);
    expect(await cash()).toBe('200.01');
  });

  test('an amount cannot be split: what one person moved within a day counts together', async () => {
    const wish = { kind: 'grant', amount: '60', reason: 'sorry' };
    expect((await post('wallets/otherorg/transfer', wish)).body.approval_id).toBeNull();
    const { approval_id: id } = (await post('wallets/otherorg/transfer', wish)).body;
    expect(id).not.toBeNull();
    // Another person has moved nothing for it.
    expect((await post('wallets/otherorg/transfer', wish, 'second')).body.approval_id).toBeNull();
    const rejected = await post(`approvals/${id}/reject`, { reason: 'enough' }, 'second');
    expect(rejected.body).toMatchObject({ state: 'rejected', decision_reason: 'enough', transaction_id: null });
    expect((await ask('/admin/wallets/otherorg')).body.credits).toBe('120.00');
  });

  test('the wallet is looked at again when a transfer is approved: what it lacks then leaves the request waiting', async () => {
    const { approval_id: id } = (
      await post('wallets/acmeorgs/transfer', { kind: 'adjust', amount: '-200', reason: 'by mistake' }, 'second')
    ).body;
    await post('wallets/acmeorgs/transfer', { kind: 'adjust', amount: '-100', reason: 'less' }, 'third');
    const short = await post(`approvals/${id}/approve`, { reason: 'yes' });
    expect(short.body).toMatchObject({ error: 'wallet_short' });
    expect((await ask(`/admin/approvals/${id}`)).body).toMatchObject({ state: 'pending', decided_by: null });
    await post('wallets/acmeorgs/transfer', { kind: 'adjust', amount: '100', reason: 'back' }, 'second');
    expect((await post(`approvals/${id}/approve`, { reason: 'yes' })).body.state).toBe('approved');
    expect(await cash()).toBe('0.01');
  });

  test('requests are listed by state, and not for other staff', async () => {
    const found = await list('approvals', { state: ['approved'], organization_id: 'acmeorgs' });
    expect(found.body.map(({ amount }: Answer) => amount).sort()).toEqual(['-200.00', '100.01']);
    expect((await list('approvals', {}, 'viewer')).status).toBe(403);
  });
});

describe('every way of giving value', () => {
  const plan = () => ask('/admin/plans/acmeorgs');
  const giving = (path: string, body: object, as: Who, method = 'POST') =>
    ask(`/admin/${path}`, { method, body: { ...body, reason: 'a friend' }, as });
  const SKU = { sku: 'memory', amount: '0.001' };
  /** Gifts to an organisation that the giver belongs to, each below the amount that needs a second person. */
  const WAYS: Record<string, [path: string, body: object, method?: string]> = {
    credits: ['wallets/acmeorgs/transfer', { kind: 'grant', amount: '1' }],
    cash: ['wallets/acmeorgs/transfer', { kind: 'adjust', amount: '1' }],
    'a discount of one’s own': ['discounts', { type: 'organization', organization_id: 'acmeorgs', percent: 100 }],
    'a plan': ['plans/acmeorgs', { plan: 'enterprise' }, 'PUT'],
  };
  test.each(Object.entries(WAYS))(
    '%s for an organisation that one belongs to waits, whatever it comes to',
    async (_what, [path, body, method]) => {
      const asked = await giving(path, body, 'member', method);
      expect(asked.body.approval_id).toMatch(/^apr-/);
      const { approval_id: id } = asked.body;
      expect((await ask(`/admin/approvals/${id}`)).body).toMatchObject({ cause: 'own', state: 'pending' });
      // Nor may one who belongs to it approve what somebody else asked for.
      const others = await giving(path, body, 'first', method);
      if (others.body.approval_id !== null) {
        const refused = await post(`approvals/${others.body.approval_id}/approve`, { reason: 'mine' }, 'member');
        expect([refused.status, refused.body.error]).toEqual([422, 'approval_own_organization']);
        await post(`approvals/${others.body.approval_id}/reject`, { reason: 'no' }, 'second');
      }
      await post(`approvals/${id}/reject`, { reason: 'no' }, 'first');
    },
  );

  test.each([
    [
      'a discount for one organisation',
      'discounts',
      { type: 'organization', organization_id: 'otherorg', percent: 100 },
    ],
    ['a discount by plan', 'discounts', { type: 'plan', plan: 'standard', percent: 100 }],
    ['a discount by SKU', 'discounts', { type: 'sku', sku: 'disk', percent: 100 }],
    ['a code', 'discounts', { type: 'code', code: 'FRIENDS1', percent: 100 }],
    ['a lower price', 'prices', SKU],
  ])('where an amount is set, %s waits: nobody can say what it comes to', async (_what, path, body) => {
    const { approval_id: id } = (await giving(path, body, 'first')).body;
    expect((await ask(`/admin/approvals/${id}`)).body).toMatchObject({ cause: 'unbounded', amount: null });
    expect((await post(`approvals/${id}/approve`, { reason: 'mine' }, 'first')).body.error).toBe('approval_own');
    await post(`approvals/${id}/reject`, { reason: 'no' }, 'second');
    expect((await list('discounts')).body).toEqual([]);
  });

  test('what takes instead of giving needs nobody: an end of a discount, a higher price, a lower plan', async () => {
    const ended = await giving('discounts', { type: 'sku', sku: 'disk', percent: 0 }, 'first');
    expect([ended.status, ended.body.approval_id]).toEqual([201, null]);
    const higher = await giving('prices', { sku: 'memory', amount: '99' }, 'first');
    expect([higher.status, higher.body.approval_id]).toEqual([201, null]);
    expect((await giving('plans/otherorg', { plan: 'free' }, 'first', 'PUT')).body.approval_id).toBeNull();
  });

  test('an approved plan is given, and the request says so', async () => {
    const { approval_id: id, plan: before } = (await giving('plans/otherorg', { plan: 'enterprise' }, 'first', 'PUT'))
      .body;
    expect(before).toBe('free');
    const approved = await post(`approvals/${id}/approve`, { reason: 'agreed' }, 'second');
    expect(approved.body).toMatchObject({ state: 'approved', kind: 'plan', detail: 'free → enterprise' });
    expect((await ask('/admin/plans/otherorg')).body.plan).toBe('enterprise');
    expect((await plan()).body.plan).toBe('free');
  });

  test('more credits for whoever is new wait', async () => {
    const raised = await ask('/admin/settings/welcome-credit', {
      method: 'PUT',
      body: { value: '5000', reason: 'spring' },
      as: 'third',
    });
    expect(raised.body).toMatchObject({ approval_id: expect.stringMatching(/^apr-/), value: '100.00' });
    const lowered = await ask('/admin/settings/welcome-credit', {
      method: 'PUT',
      body: { value: '50', reason: 'winter' },
      as: 'third',
    });
    expect(lowered.body).toMatchObject({ approval_id: null, value: '50' });
    const back = await fetch(`${gateway.url}/api/admin/settings/welcome-credit`, {
      method: 'DELETE',
      headers: { 'x-token': tokens.third, 'x-reason': 'spring' },
    });
    expect(await back.json()).toMatchObject({ approval_id: expect.stringMatching(/^apr-/), value: '50' });
  });
});

describe('the ledger', () => {
  test('an entry has both sides, its document, and who moved it and why', async () => {
    const { body } = await list('ledger-entries', { organization_id: 'acmeorgs', type: 'adjust' });
    const entry = body.find(({ amount }: Answer) => amount === '100.01');
    expect(entry).toMatchObject({
      debit: 'platform/adjustments/USD',
      credit: 'acmeorgs/cash/USD',
      document: 'adjustment',
      transaction_id: expect.stringMatching(/^staff\/apr-/),
      approval_id: expect.stringMatching(/^apr-/),
      bill_id: null,
      by: 'second',
      reason: 'a large cheque',
    });
    const [same] = (await list('ledger-entries', { id: [entry.id] })).body;
    expect(same.transfer).toBe(entry.transfer);
    expect((await ask('/admin/ledger-entries/no-number')).status).toBe(404);
    const ids = body.map(({ id }: Answer) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('entries are found by account, document, time and organisation', async () => {
    const count = async (filter: object) => (await list('ledger-entries', filter)).body.length;
    expect(await count({ account: 'credits', organization_id: 'acmeorgs' })).toBe(0);
    expect(await count({ account: ['credits'], organization_id: 'otherorg' })).toBe(2);
    expect(await count({ document: 'payment' })).toBe(0);
    expect(await count({ to: '2020-01-01T00:00:00Z' })).toBe(0);
    expect(await count({ from: '2020-01-01T00:00:00Z', organization_id: 'otherorg' })).toBe(2);
    expect((await list('ledger-entries', { from: 'yesterday' })).status).toBe(400);
    expect((await list('ledger-entries', {}, 'viewer')).status).toBe(403);
  });

  test('a list as a file goes on where a page ended, and leaves no entry out', async () => {
    const query = new URLSearchParams({ filter: '{"organization_id":"acmeorgs"}', sort: '["id","DESC"]' });
    const { body } = await ask(`/admin/ledger-entries/export?${query}`);
    const rows = (await list('ledger-entries', { organization_id: 'acmeorgs' })).body;
    expect(body.trim().split('\n')).toHaveLength(rows.length + 1);
  });
});

describe('payments, refunds and chargebacks', () => {
  const at = new Date('2026-02-01T00:00:00Z');
  beforeAll(async () => {
    const paying = {
      organizationId: 'acmeorgs',
      currency: 'USD',
      initiator: 'person',
      next: {},
      createdAt: at,
      changedAt: at,
    } as const;
    const rows = [
      { id: 'pay-wire', channel: 'bank_transfer', state: 'open', amount: '40', paid: '0', providerId: 'REF 1' },
      { id: 'pay-card', channel: 'card', state: 'paid', amount: '50', paid: '50', providerId: 'pi_1' },
    ] as const;
    await db.sql.insert(payments).values(
      rows.map(({ amount, paid, ...row }) => ({
        ...paying,
        ...row,
        billId: row.id,
        amount: parseMoney(amount),
        paid: parseMoney(paid),
        refunded: micros(0),
      })),
    );
    await db.sql.insert(bills).values(
      rows.map(({ id, channel, state, amount, paid }) => ({
        ...{ id, organizationId: 'acmeorgs', currency: 'USD', type: 'recharge' as const, channel },
        status: state === 'open' ? ('prepaying' as const) : ('paid' as const),
        ...{ at, changedAt: at, reference: id, creditUsed: micros(0) },
        total: parseMoney(amount),
        paid: parseMoney(paid),
      })),
    );
    const back = { paymentId: 'pay-card', organizationId: 'acmeorgs', createdAt: at, changedAt: at };
    await db.sql.insert(refunds).values({
      ...back,
      id: 'rfd-1',
      amount: parseMoney('5'),
      state: 'failed',
      by: 'acc-first',
      reason: '<b>sorry</b>',
    });
    await db.sql.insert(disputes).values({
      ...back,
      id: 'card/dp_1',
      status: 'needs_response',
      moves: [
        { of: 'payment', amount: '50000000', currency: 'USD', at: at.toISOString() },
        { of: 'fee', amount: '15000000', currency: 'USD', at: at.toISOString() },
      ],
    });
  });

  test('what waits for staff comes first, and says what can be refunded', async () => {
    const { body } = await ask(
      `/admin/payments?${new URLSearchParams({ sort: '["waits","DESC"]', filter: '{"organization_id":"acmeorgs"}' })}`,
    );
    expect(body.map(({ id, waits, refundable }: Answer) => [id, waits, refundable])).toEqual([
      ['pay-wire', true, '0.00'],
      // Not more than the wallet has in cash.
      ['pay-card', false, '0.01'],
    ]);
    expect((await list('payments', { waits: true })).body.map(({ id }: Answer) => id)).toEqual(['pay-wire']);
  });

  test('refunds and chargebacks have lists and pages of their own', async () => {
    expect((await list('refunds', { payment_id: 'pay-card' })).body).toMatchObject([
      { id: 'rfd-1', amount: '5.00', currency: 'USD', state: 'failed', by_name: 'first', reason: '<b>sorry</b>' },
    ]);
    expect((await ask(`/admin/chargebacks/${encodeURIComponent('card/dp_1')}`)).body).toMatchObject({
      taken: '50.00',
      most_taken: '50.00',
      fee: '15.00',
      is_decided: false,
      organization_name: 'acmeorgs',
    });
    expect((await list('chargebacks', { is_decided: true })).body).toEqual([]);
    for (const name of ['refunds', 'chargebacks', 'bills']) expect((await list(name, {}, 'viewer')).status).toBe(403);
  });

  test('a transfer that staff confirm no longer waits, and half of it goes back', async () => {
    const confirmed = await post('payments/pay-wire/confirm', { amount: '40', reason: 'arrived' }, 'fourth');
    expect(confirmed.body).toMatchObject({ waits: false, state: 'paid', refundable: '40.00' });
    const refund = await post('payments/pay-wire/refund', { amount: '20', reason: 'half' }, 'fourth');
    expect(refund.body.approval_id).toBeNull();
    expect(refund.status).toBe(201);
    const [entry] = (await list('ledger-entries', { refund_id: refund.body.id })).body;
    expect(entry).toMatchObject({
      debit: 'acmeorgs/cash/USD',
      credit: 'platform/clearing.bank_transfer/USD',
      amount: '20.00',
      document: 'refund',
      refund_id: refund.body.id,
      reason: 'half',
    });
    const too = await post('payments/pay-wire/refund', { amount: '20.01', reason: 'more' }, 'fourth');
    expect(['refund_too_large', 'refund_under_way']).toContain(too.body.error);
  });
});

describe('a bank transfer', () => {
  const wire = async (amount: string) => {
    const body = { amount, payment_channel: 'bank_transfer' };
    const { result } = (await ask('/paybill/v1/wallet-balances-paydo', { method: 'POST', body, as: 'owner' })).body;
    return result.id as string;
  };
  const confirm = (id: string, amount: string, as: Who = 'fifth') =>
    post(`payments/${id}/confirm`, { amount, reason: 'on the statement' }, as);
  const causeOf = async (id: string) => (await ask(`/admin/approvals/${id}`)).body.cause;

  test('of another amount than the announced one waits for a second person, who sees both', async () => {
    const id = await wire('10');
    const before = await cash();
    const { approval_id, state } = (await confirm(id, '5000')).body;
    expect([await causeOf(approval_id), state, await cash()]).toEqual(['differs', 'open', before]);
    expect((await ask(`/admin/approvals/${approval_id}`)).body.detail).toBe(`${id} · $5,000.00 · $10.00`);
    expect((await post(`approvals/${approval_id}/approve`, { reason: 'seen' }, 'second')).body.state).toBe('approved');
    expect(Number(await cash()) - Number(before)).toBe(5000);
    const [entry] = (await list('ledger-entries', { payment_id: id })).body;
    expect(entry).toMatchObject({ by: 'fifth', reason: 'on the statement', approval_id });
  });

  test('above the amount waits, and several by one person within a day count together', async () => {
    const large = (await confirm(await wire('100.01'), '100.01')).body;
    expect([await causeOf(large.approval_id), large.state]).toEqual(['above', 'open']);
    const [one, two] = [await wire('60'), await wire('60')];
    expect((await confirm(one, '60')).body).toMatchObject({ approval_id: null, state: 'paid' });
    expect((await confirm(one, '60')).body).toMatchObject({ approval_id: null, state: 'paid' });
    expect(await causeOf((await confirm(two, '60')).body.approval_id)).toBe('above');
    const gift = { kind: 'grant', amount: '60', reason: 'the rest' };
    expect(await causeOf((await post('wallets/acmeorgs/transfer', gift, 'fifth')).body.approval_id)).toBe('above');
    // A refund counts as well.
    const refund = (await post(`payments/${one}/refund`, { amount: '60', reason: 'back' }, 'fifth')).body;
    expect(await causeOf(refund.approval_id)).toBe('above');
    const approved = await post(`approvals/${refund.approval_id}/approve`, { reason: 'yes' }, 'second');
    expect(approved.body.state).toBe('approved');
    expect((await list('refunds', { payment_id: one })).body).toMatchObject([{ amount: '60.00', by_name: 'fifth' }]);
  });

  test('in one’s own organisation is confirmed by somebody else alone', async () => {
    const { approval_id: id } = (await confirm(await wire('10'), '10', 'member')).body;
    expect(await causeOf(id)).toBe('own');
    const refused = await post(`approvals/${id}/approve`, { reason: 'mine, too' }, 'administrator');
    expect(refused.body.error).toBe('approval_own_organization');
  });
});

describe('documents', () => {
  test('staff read any organisation’s invoice and credit note as PDF', async () => {
    for (const path of ['invoices/inv-stranger', 'credit-notes/crn-stranger']) {
      const { status, headers, body } = await ask(`/admin/${path}/pdf`);
      expect([status, headers.get('content-type'), body.slice(0, 5)]).toEqual([200, 'application/pdf', '%PDF-']);
      expect((await ask(`/admin/${path}/pdf`, { as: 'viewer' })).status).toBe(403);
    }
    expect((await ask('/admin/invoices/inv-nobody/pdf')).status).toBe(404);
  });
});

describe('prices', () => {
  beforeAll(async () => {
    const now = new Date();
    const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 3));
    const to = new Date(from.getTime() + 3_600_000);
    const used = (organizationId: string, uid: string, basisPoints: number) => ({
      meter: {
        ...{ uid, seq: 1, organizationId, region: 'us-east', kind: 'GpuInstance', name: 'one', subjectUid: uid },
        uses: [{ resource: 'cpu', quantity: 10 }],
        ...{ from, to, settledTo: to, cost: [] },
      },
      slice: {
        ...{ uid, seq: 1, use: 0, from, to, isCorrection: false, organizationId, sku: 'cpu' },
        quantityMilli: 10_000n,
        discountBasisPoints: basisPoints,
        list: parseMoney('1'),
        net: micros(100n * BigInt(10_000 - basisPoints)),
      },
    });
    const all = [used('acmeorgs', 'uid-a', 0), used('otherorg', 'uid-b', 5_000)];
    await db.sql.insert(meters).values(all.map(({ meter }) => meter));
    await db.sql.insert(slices).values(all.map(({ slice }) => slice));
  });

  test('a simulation says what last month would have cost, by SKU and organisation, and changes nothing', async () => {
    const before = (await list('prices')).body.length;
    const { status, body } = await post('prices/simulate', {
      prices: [
        { sku: 'cpu', amount: '0.024' },
        { sku: 'host/any', amount: '1' },
      ],
    });
    expect(status).toBe(200);
    // Ten cores for an hour each, at 0.012 now, one with half off.
    const sums = { currency: 'USD', billed: '1.50', now: '0.18', proposed: '0.36', difference: '0.18' };
    expect(body.totals).toEqual([sums]);
    expect(body.skus).toMatchObject([
      { sku: 'cpu', quantity: '20', unit: 'core', per: 'hour', price_now: '0.012', price_proposed: '0.024', ...sums },
    ]);
    expect(body.organizations).toMatchObject([
      { organization_id: 'acmeorgs', now: '0.12', proposed: '0.24', difference: '0.12' },
      { organization_id: 'otherorg', now: '0.06', proposed: '0.12', difference: '0.06' },
    ]);
    expect([body.organization_count, body.not_metered]).toEqual([2, ['host/any']]);
    expect((await list('prices')).body.length).toBe(before);
  });

  test('what is no price is refused, and nobody else simulates', async () => {
    const wrong = await post('prices/simulate', { prices: [{ sku: 'water', amount: '1' }] });
    expect([wrong.status, wrong.body.error]).toEqual([400, 'sku_unknown']);
    const many = Array.from({ length: 51 }, () => ({ sku: 'cpu', amount: '1' }));
    expect((await post('prices/simulate', { prices: many })).status).toBe(400);
    expect((await post('prices/simulate', { prices: [{ sku: 'cpu', amount: '1' }] }, 'viewer')).status).toBe(403);
  });

  test('tomorrow’s price is set from a moment ahead', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const made = await post('prices', { sku: 'cpu', amount: '0.024', valid_from: tomorrow, reason: 'simulated' });
    expect([made.status, made.body.state]).toEqual([201, 'later']);
    expect((await list('prices', { state: 'later', sku: 'cpu' })).body).toMatchObject([
      { sku: 'cpu', amount: '0.024' },
    ]);
  });

  test('a discount tells who had it, what it saved, and its effect on last month', async () => {
    await given('discounts', { type: 'sku', sku: 'cpu', percent: 10, reason: 'autumn' });
    const { id } = (await list('discounts', { sku: 'cpu' })).body[0];
    const from = new Date(Date.now() - 60_000);
    await db.sql.insert(slices).values({
      ...{ uid: 'uid-a', seq: 1, use: 0, from, to: new Date(), isCorrection: false, organizationId: 'acmeorgs' },
      ...{ sku: 'cpu', quantityMilli: 10_000n, discountBasisPoints: 1_000, discountId: BigInt(id) },
      ...{ list: parseMoney('2'), net: parseMoney('1.8') },
    });
    const { body } = await ask(`/admin/discounts/${id}/use`);
    expect(body.totals).toEqual([{ currency: 'USD', list: '2.00', saved: '0.20', organizations: 1 }]);
    expect(body.organizations).toMatchObject([{ organization_id: 'acmeorgs', saved: '0.20' }]);
    expect(body.last_month.posted).toEqual([]);
    expect(body.last_month.alone).toEqual([{ currency: 'USD', list: '2.00', saved: '0.20' }]);
    expect((await ask('/admin/discounts/999/use')).status).toBe(404);
    expect((await ask(`/admin/discounts/${id}/use`, { as: 'viewer' })).status).toBe(403);
  });

  test('a tenant redeems a code, once, and does not learn which codes there are', async () => {
    await given('discounts', { type: 'code', code: 'Hello2026', percent: 15, most_uses: 1, reason: 'fair' });
    const redeem = (code: string, as: Who = 'owner') =>
      ask('/paybill/v1/discount-code', { method: 'POST', body: { code }, as });
    expect((await redeem('nothing')).body.error).toBe('discount_code_invalid');
    // Attempts are few: codes can be guessed.
    await eventually(
      'the code is valid',
      async () => (await list('discounts', { code: 'Hello2026' })).body[0].state === 'holds',
    );
    expect((await redeem(' Hello2026 ')).status).toBe(201);
    expect((await redeem('Hello2026')).body.error).toBe('discount_code_redeemed');
    expect((await redeem('Hello2026', 'viewer')).status).toBe(403);
    const { body } = await ask('/paybill/v1/discount-code', { as: 'owner' });
    expect(body.data).toMatchObject([{ code: 'Hello2026', percent: 15 }]);
    const [row] = (await list('discounts', { code: 'Hello2026' })).body;
    expect(row).toMatchObject({ type: 'code', target: 'Hello2026', uses: 1, most_uses: 1 });
    const use = (await ask(`/admin/discounts/${row.id}/use`)).body;
    expect(use.redemptions).toMatchObject([{ organization_id: 'acmeorgs', account_name: 'owner' }]);
  }, 30_000);
});

describe('the proof of the books', () => {
  test('runs in the background and is kept, with who began it and what it found', async () => {
    expect((await post('books/verify', { reason: 'x' }, 'viewer')).status).toBe(403);
    const begun = await post('books/verify', { reason: 'end of the month' });
    expect([begun.status, begun.body.started_by]).toEqual([202, 'acc-first']);
    expect(await lastEntry()).toMatchObject({ object: `Proof/${begun.body.id}`, reason: 'end of the month' });
    const proof = await eventually('the proof is finished', async () => {
      const { body } = await ask(`/admin/proofs/${begun.body.id}`);
      return body.finished_at === null ? undefined : body;
    });
    // The slices above were never charged, and this test wrote the bills of payments by itself.
    expect(proof).toMatchObject({ state: 'faulty', started_by_name: 'first', done: proof.total });
    expect(proof.faults.length).toBe(Math.min(200, proof.fault_count));
    expect(proof.transfers).toBeGreaterThan(4);
  }, 60_000);
});
