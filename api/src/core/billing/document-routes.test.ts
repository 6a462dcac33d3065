// Documents over HTTP, through the whole gateway: each route's input and output, in three languages, and as files.
import { micros } from '@gantry/contract/fields/money.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { desc, eq } from 'drizzle-orm';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { hireStaff } from '../../../../test/support/hire-staff.ts';
import { type MemoryGateway, startMemoryGateway } from '../../../../test/support/memory-gateway.ts';
import type { Database } from '../../platform/db/open.ts';
import { auditLog } from '../../platform/db/schema/audit.ts';
import { bills } from '../../platform/db/schema/ledger.ts';
import { Ledger } from './ledger/ledger.ts';
import { Wallets } from './ledger/wallets.ts';

let db: Database;
let gateway: MemoryGateway;
let staffToken: string;
beforeAll(async () => {
  db = await migratedDatabase();
  gateway = await startMemoryGateway({ db });
  // The administrator of the other tests owns the organisation, and may give it nothing alone.
  staffToken = (await hireStaff(db, { staff: 'administrator' })).staff;
}, 120_000);
afterAll(() => gateway.stop());

interface Asked {
  method?: string;
  body?: unknown;
  as?: keyof MemoryGateway['tokens'] | 'staff';
  language?: string;
  key?: string;
}

async function ask(path: string, { method = 'GET', body, as = 'administrator', language = 'en', key }: Asked = {}) {
  const answer = await fetch(`${gateway.url}/api${path}`, {
    method,
    headers: {
      'x-token': as === 'staff' ? staffToken : gateway.tokens[as],
      'accept-language': language,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key && { 'idempotency-key': key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
  return { status: answer.status, headers: answer.headers, bytes, body: isJson ? JSON.parse(`${bytes}`) : undefined };
}

const transfer = (body: object, key?: string) =>
  ask('/admin/wallets/acmeorgs/transfer', {
    method: 'POST',
    body: { reason: 'because', ...body },
    as: 'staff',
    ...(key && { key }),
  });

describe('staff', () => {
  test('give credits once for a call that is repeated, with the reason in the audit log and not on the bill, which the organisation reads', async () => {
    const first = await transfer({ kind: 'grant', amount: '25.50' }, 'a-key');
    expect([first.status, first.body]).toMatchObject([201, { id: 'acmeorgs', credits: '25.50', balance: '25.50' }]);
    expect((await transfer({ kind: 'grant', amount: '25.50' }, 'a-key')).body.credits).toBe('25.50');
    const [entry] = await db.sql
      .select()
      .from(auditLog)
      .where(eq(auditLog.action, 'adminTransfer'))
      .orderBy(desc(auditLog.id));
    expect(entry).toMatchObject({
      object: 'Wallet/acmeorgs',
      reason: 'grant 25.50 (credits): because',
      decision: 'allowed',
    });
    const [bill] = await db.sql.select().from(bills).where(eq(bills.organizationId, 'acmeorgs'));
    expect(bill).toMatchObject({
      type: 'wallet_recharge',
      total: 25_500_000n,
      accountId: null,
      detail: 'Staff',
    });
  });

  test.each([
    ['without a reason', { kind: 'grant', amount: '1', reason: '' }, 400],
    ['more than is there', { kind: 'adjust', amount: '-1' }, 409],
    ['nothing', { kind: 'adjust', amount: '0' }, 422],
    ['a third decimal', { kind: 'grant', amount: '1.001' }, 422],
  ])('may not move %s', async (_title, body, status) => {
    expect((await transfer(body)).status).toBe(status);
  });

  test('who are of finance alone move money; support does not', async () => {
    expect((await ask('/admin/wallets', { as: 'owner' })).status).toBe(403);
    expect(
      (
        await ask('/admin/wallets/nobody/transfer', {
          method: 'POST',
          body: { kind: 'grant', amount: '1', reason: 'x' },
        })
      ).status,
    ).toBe(404);
  });

  test.each(['transactions', 'invoices', 'credit-notes', 'wallets', 'books'])('list %s, and see one', async (name) => {
    const { status, body, headers } = await ask(`/admin/${name}`);
    expect([status, headers.get('content-range')?.startsWith(`${name} 0-`)]).toEqual([200, true]);
    expect((await ask(`/admin/${name}/${encodeURIComponent(body[0].id)}`)).body).toEqual(body[0]);
  });
});

describe('transactions', () => {
  test('have the fields of the specification', async () => {
    const { body } = await ask('/paybill/v1/payment-transactions?type=top-up&search=Staff');
    expect(body.paginated).toMatchObject({ page: 1, size: 10, total_num: 1 });
    expect(body.data[0]).toEqual({
      transaction_id: expect.stringMatching(/^staff\//),
      date: expect.any(String),
      type: 'wallet_recharge',
      total_amount: '25.50',
      pay_amount: '25.50',
      credit_used: '0.00',
      refunded_amount: '0.00',
      charged_back_amount: '0.00',
      currency: 'USD',
      payment_channel: 'balance',
      status: 'paid',
      operator: '',
      operator_id: null,
      source_type: null,
      reference: 'Organization/acmeorgs',
      detail: 'Staff',
    });
  });

  test('are those of one channel where one is named', async () => {
    const of = async (channel: string) =>
      (await ask(`/paybill/v1/payment-transactions?search=Staff&payment_channel=${channel}`)).body.paginated.total_num;
    expect([await of('balance'), await of('card')]).toEqual([1, 0]);
  });

  test('are a file with a name, in the caller’s language', async () => {
    const { status, headers, bytes } = await ask('/paybill/v1/export-payment-transactions', { language: 'ja' });
    expect([status, headers.get('content-disposition')]).toEqual([200, 'attachment; filename="transactions.csv"']);
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(`${bytes}`).toContain('取引 ID');
    expect(`${bytes}`).toContain('ウォレットチャージ');
  });

  test.each([
    ['/paybill/v1/payment-transactions?start=2026-02-01T00:00:00Z&end=2026-01-01T00:00:00Z', 'range_order'],
    ['/paybill/v1/usage?start=2024-01-01T00:00:00Z&end=2026-01-01T00:00:00Z', 'range_rule'],
    ['/paybill/v1/payment-summary?by=nothing', 'invalid_field'],
    // The database has no year 0, and a billing day before 2000 is nobody's.
    ['/paybill/v1/payment-transactions?start=0000-01-01T00:00:00Z', 'invalid_field'],
    ['/paybill/v1/usage?start=0000-02-29T00:00:00Z', 'invalid_field'],
    ['/paybill/v1/export-payment-transactions?end=0000-01-01T00:00:00Z', 'invalid_field'],
    ['/paybill/v1/payment-summary?end=1999-12-31T23:59:59Z', 'invalid_field'],
    ['/paybill/v1/payment-summary?start=2026-01-01T00:00:00.1234567890Z', 'invalid_field'],
  ])('%s is refused', async (path, error) => {
    expect((await ask(path)).body).toMatchObject({ error });
  });
});

test('sums and usage of what was used answer when nothing was', async () => {
  const none = { list: '0.00', discount: '0.00', total: '0.00' };
  expect((await ask('/paybill/v1/payment-summary?by=day')).body).toMatchObject({
    data: [],
    paginated: { extra: none },
  });
  const { body } = await ask('/paybill/v1/usage?by=member', { as: 'viewer' });
  expect(body.paginated.extra).toMatchObject({ gpu_hours: '0', ...none });
});

describe('an invoice', () => {
  test('is listed, shown, and a file of each kind', async () => {
    const { body } = await ask('/paybill/v1/invoices');
    expect(body.data).toMatchObject([
      { id: 'inv-own', number: '00000002', month: '2026-01', total: '0.00', owed: '0.00' },
    ]);
    expect((await ask('/paybill/v1/invoices/inv-own')).body.result).toMatchObject({ id: 'inv-own', lines: [] });
    const csv = await ask('/paybill/v1/invoices/inv-own/csv', { language: 'zh' });
    expect(`${csv.bytes}`).toContain('计费项');
    const pdf = await ask('/paybill/v1/invoices/inv-own/pdf', { language: 'zh' });
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    expect(pdf.headers.get('content-disposition')).toBe('attachment; filename="invoice-00000002-2026-01.pdf"');
    expect([`${pdf.bytes.subarray(0, 5)}`, `${pdf.bytes.subarray(-6)}`.trim()]).toEqual(['%PDF-', '%%EOF']);
  });
});

describe('a credit note', () => {
  test('is listed, shown, and a file', async () => {
    const { body } = await ask('/paybill/v1/credit-notes');
    const own = { id: 'crn-own', number: 'CN-00000002', kind: 'refund', cancels: null, amount: '20.00' };
    expect([body.data, body.paginated.total_num]).toMatchObject([[{ ...own, transaction_id: 'pay-own' }], 1]);
    expect((await ask('/paybill/v1/credit-notes/crn-own')).body.result).toMatchObject({ ...own, issuer: {} });
    const pdf = await ask('/paybill/v1/credit-notes/crn-own/pdf', { language: 'ja' });
    expect(pdf.headers.get('content-disposition')).toBe('attachment; filename="credit-note-CN-00000002.pdf"');
    expect([`${pdf.bytes.subarray(0, 5)}`, `${pdf.bytes.subarray(-6)}`.trim()]).toEqual(['%PDF-', '%%EOF']);
  });

  test.each(['', '/pdf'])('of another organisation is not found: %s', async (what) => {
    expect((await ask(`/paybill/v1/credit-notes/crn-stranger${what}`)).status).toBe(404);
  });
});

describe('the billing profile', () => {
  const set = (body: object) => ask('/paybill/v1/billing-profile', { method: 'PUT', body });

  test('keeps what is left out', async () => {
    expect((await set({ zone: 'Asia/Kolkata', legal_name: 'Acme Pvt', tax_id: '29ABCDE1234F1Z5' })).status).toBe(200);
    await set({ address: 'Main Road 1\nBengaluru' });
    expect((await ask('/paybill/v1/billing-profile')).body.result).toEqual({
      zone: 'Asia/Kolkata',
      legal_name: 'Acme Pvt',
      address: 'Main Road 1\nBengaluru',
      tax_id: '29ABCDE1234F1Z5',
    });
  });

  test.each([
    [{ zone: 'Mars/Olympus' }, 'zone_rule'],
    [{ zone: '+05:30' }, 'zone_rule'],
    [{ tax_id: '=1+1' }, 'tax_id_rule'],
    [{ legal_name: 'a\u202eb' }, 'bad_text'],
    [{ customer_id: 'cus_1' }, 'invalid_field'],
  ])('refuses %j', async (body, error) => {
    expect((await set(body)).body).toMatchObject({ error });
  });
});

describe('things of another organisation', () => {
  const OWN = 'acmeorgs';
  const RENTED = { [OWN]: 'uid-1', otherorg: 'uid-10' } as const;

  beforeAll(async () => {
    const wallets = new Wallets({ db, clock: systemClock, ledger: new Ledger({ db, clock: systemClock }) });
    await wallets.open('otherorg', 'USD');
    for (const [organizationId, uid] of Object.entries(RENTED)) {
      const isOwn = organizationId === OWN;
      const amount = micros(isOwn ? 1_000_000 : 70_000_000);
      await wallets.charge([
        {
          key: `order/${uid}/0/1`,
          ...{ organizationId, list: amount, net: amount, at: new Date(), subject: uid },
          bill: {
            id: `order/${uid}/0/1`,
            ...{ type: 'order_consumption', source: 'host_rent', reference: 'GpuHost/hst-1' },
            detail: `${isOwn ? 'farm' : 'secret'}: 1 × host`,
            accountId: isOwn ? 'acc-owner' : 'acc-stranger',
          },
        },
      ]);
    }
  });

  const PATHS = [
    'payment-transactions?',
    'export-payment-transactions?',
    ...['resource', 'member', 'day', 'source'].map((by) => `payment-summary?by=${by}&`),
    ...['resource', 'object', 'member', 'day'].map((by) => `usage?by=${by}&`),
    'invoices?',
  ];
  const THEIRS = /secret|stranger|otherorg|uid-10|70\.00/;
  const REFUSED = ['org_id=otherorg', 'organization_id=otherorg', 'account_id=acc-stranger', 'reference=GpuHost/hst-1'];
  test.each(PATHS)('is in no answer of %s, and may not be asked for', async (path) => {
    const { status, bytes } = await ask(`/paybill/v1/${path}`);
    expect([status, THEIRS.test(`${bytes}`)]).toEqual([200, false]);
    const answers = await Promise.all(REFUSED.map((filter) => ask(`/paybill/v1/${path}${filter}`)));
    expect(answers.map(({ body }) => body.error)).toEqual([
      'org_mismatch',
      'invalid_field',
      'invalid_field',
      'invalid_field',
    ]);
  });

  test('is found by none of its ids', async () => {
    const found = async (search: string) =>
      (await ask(`/paybill/v1/payment-transactions?search=${encodeURIComponent(search)}`)).body.data.map(
        ({ transaction_id: id }: { transaction_id: string }) => id,
      );
    // The same name and the beginning of their id: ours alone.
    expect([await found('hst-1'), await found('order/uid-1')]).toEqual([['order/uid-1/0/1'], ['order/uid-1/0/1']]);
    for (const theirs of ['order/uid-10/0/1', 'secret', 'stranger']) expect(await found(theirs)).toEqual([]);
    for (const file of ['', '/csv', '/pdf'])
      expect((await ask(`/paybill/v1/invoices/inv-stranger${file}`)).status).toBe(404);
  });

  test('is not counted: usage and the sums are of what is ours', async () => {
    const { body } = await ask('/paybill/v1/usage?by=object');
    expect(body.data).toMatchObject([{ key: 'GpuHost/hst-1', name: 'farm: 1 × host', total: '1.00' }]);
    expect(body.paginated.extra).toMatchObject({ total: '1.00' });
  });
});
