// A day of finance: a transfer is confirmed, half of it goes back, tomorrow's price is simulated and set, and the books still hold.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migratedDatabase } from '../../test/support/database.ts';
import { eventually } from '../../test/support/eventually.ts';
import { hireStaff } from '../../test/support/hire-staff.ts';
import { type MemoryGateway, startMemoryGateway } from '../../test/support/memory-gateway.ts';
import type { Database } from './platform/db/open.ts';

let db: Database;
let gateway: MemoryGateway;
let tokens: Record<'finance' | 'owner', string>;
beforeAll(async () => {
  db = await migratedDatabase();
  gateway = await startMemoryGateway({ db, flags: ['--bank-account=Bank of Nowhere'] });
  tokens = { ...gateway.tokens, ...(await hireStaff(db, { finance: 'finance' })) };
}, 120_000);
afterAll(() => gateway.stop());

// biome-ignore lint/suspicious/noExplicitAny: answers of any route
async function ask(path: string, body?: unknown, as: 'finance' | 'owner' = 'finance'): Promise<any> {
  const answer = await fetch(`${gateway.url}/api${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-token': tokens[as], ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect([path, answer.status < 300]).toEqual([path, true]);
  return answer.json();
}

/** The gateway of tests begins with documents that have no books behind them: what counts is that no fault is added. */
async function proved(): Promise<string[]> {
  const { id } = await ask('/admin/books/verify', { reason: 'to be sure' });
  const proof = await eventually('the proof is finished', async () => {
    const row = await ask(`/admin/proofs/${id}`);
    return row.finished_at === null ? undefined : row;
  });
  return proof.faults;
}

test('half of a payment goes back, tomorrow’s price is set, and the books verify', async () => {
  const before = await proved();
  const asked = await ask(
    '/paybill/v1/wallet-balances-paydo',
    { amount: '80', payment_channel: 'bank_transfer' },
    'owner',
  );
  const waiting = new URLSearchParams({ filter: '{"waits":true}', sort: '["waits","DESC"]' });
  expect(await ask(`/admin/payments?${waiting}`)).toMatchObject([{ id: asked.result.id, amount: '80.00' }]);
  await ask(`/admin/payments/${asked.result.id}/confirm`, { amount: '80', reason: 'on the statement' });
  await ask(`/admin/payments/${asked.result.id}/refund`, { amount: '40', reason: 'half' });
  expect(await ask('/admin/wallets/acmeorgs')).toMatchObject({ cash: '40.00', currency: 'USD' });
  expect(await ask(`/admin/payments/${asked.result.id}`)).toMatchObject({ refunded: '40.00', paid: '80.00' });

  const price = { sku: 'cpu', amount: '0.02' };
  expect(await ask('/admin/prices/simulate', { prices: [price] })).toMatchObject({ totals: [] });
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  expect(await ask('/admin/prices', { ...price, valid_from: tomorrow, reason: 'simulated' })).toMatchObject({
    state: 'later',
  });
  expect(await proved()).toEqual(before);
});

test('a proof is refused while another runs', async () => {
  const ask2 = () =>
    fetch(`${gateway.url}/api/admin/books/verify`, {
      method: 'POST',
      headers: { 'x-token': tokens.finance, 'content-type': 'application/json' },
      body: '{"reason":"twice"}',
    });
  const answers = await Promise.all([ask2(), ask2(), ask2()]);
  const bodies = await Promise.all(answers.map((answer) => answer.json() as Promise<{ error?: string }>));
  const refused = bodies.filter(({ error }) => error === 'proof_running');
  expect(answers.some(({ status }) => status === 202)).toBe(true);
  // The first may be over before the last one asks.
  expect(answers.filter(({ status }) => status === 202).length + refused.length).toBe(3);
});
