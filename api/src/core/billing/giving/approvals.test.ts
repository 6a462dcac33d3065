// Approvals in SQL: what survives a gateway that ends in between, and two who decide at once.
import { micros, moneyText, parseMoney } from '@gantry/contract/fields/money.ts';
import { Problem } from '@gantry/contract/http/problem.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { migratedDatabase, resetDatabase } from '../../../../../test/support/database.ts';
import type { Database } from '../../../platform/db/open.ts';
import { approvals as table } from '../../../platform/db/schema/approvals.ts';
import { accounts, memberships, organizations } from '../../../platform/db/schema/people.ts';
import { Ledger } from '../ledger/ledger.ts';
import { Proofs } from '../ledger/proofs.ts';
import { Wallets } from '../ledger/wallets.ts';
import { Approvals, approvalAmounts } from './approvals.ts';
import type { Ways } from './gifts.ts';
import type { GiftFacts } from './second-person.ts';
import { requireTransferRule, type StaffTransfer, Transfers } from './transfers.ts';
import { moneyWays, type WaysParts } from './ways.ts';

let db: Database;
let clock: SteppedClock;
let wallets: Wallets;
let transfers: Transfers;
beforeAll(async () => {
  db = await migratedDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  await resetDatabase(db);
  clock = new SteppedClock();
  clock.set(Date.parse('2026-03-01T10:00:00Z'));
  await db.sql
    .insert(organizations)
    .values({ id: 'acme', name: 'acme', currency: 'USD', createdAt: new Date(clock.now()) });
  wallets = new Wallets({ db, clock, ledger: new Ledger({ db, clock }) });
  transfers = new Transfers({ clock, wallets });
});

const waysOf = (make: Transfers['make']): Ways =>
  moneyWays({ db, clock, wallets, transfers: { make } } as unknown as WaysParts) as Ways;

/** For transfers alone. */
function opened(
  make: Transfers['make'] = (wish, check) => transfers.make(wish, check),
  above = ['USD:100', 'JPY:20000'],
) {
  const approvals = new Approvals({ db, clock, ways: waysOf(make), above: approvalAmounts(above) });
  const request = async ({ key, organizationId, kind, amount, of, by: id, reason }: StaffTransfer) =>
    (await approvals.give(kind, { organizationId, amount, of }, { id, reason, key })).approvalId ?? undefined;
  return Object.assign(approvals, { request });
}
const WISH: StaffTransfer = {
  key: undefined,
  organizationId: 'acme',
  kind: 'adjust',
  amount: '150',
  of: 'cash',
  by: 'acc-ann',
  reason: 'a cheque',
};
const cash = async () => (await wallets.balances('acme')).cash;
const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    ({ problem }: Problem) => problem,
  );

test('what was approved when a gateway ended is booked by the next one, once', async () => {
  const dying = opened((wish, check) =>
    wish.approved ? Promise.reject(new Error('the gateway ends')) : transfers.make(wish, check),
  );
  const id = (await dying.request(WISH)) as string;
  await expect(dying.approve(id, 'acc-bob', 'fine')).rejects.toThrow('the gateway ends');
  const next = opened();
  // Whoever approved it may still be at work.
  await next.carryOn();
  expect(await cash()).toBe(0n);
  await clock.step(10_000);
  await next.carryOn();
  await next.carryOn();
  expect(await cash()).toBe(parseMoney('150'));
  const { items } = await next.rows({ sort: ['id', 'ASC'], range: [0, 9], filter: {} });
  expect(items).toMatchObject([{ state: 'approved', transaction_id: `staff/${id}`, decided_by: 'acc-bob' }]);
  expect((await new Proofs({ db, clock }).prove()).faults).toEqual([]);
});

test('of two who decide at once one is refused, and money moves at most once', async () => {
  const approvals = opened();
  const id = (await approvals.request(WISH)) as string;
  const outcomes = await Promise.all([
    problemOf(approvals.approve(id, 'acc-bob', 'yes')),
    problemOf(approvals.reject(id, 'acc-cid', 'no')),
    problemOf(approvals.approve(id, 'acc-dan', 'yes')),
  ]);
  expect(outcomes.toSorted()).toEqual(['approval_decided', 'approval_decided', 'none']);
  expect(await cash()).toBe(outcomes[1] === 'none' ? micros(0) : parseMoney('150'));
});

test('of transfers that one person makes at once only what the limit lets through is made', async () => {
  const approvals = opened();
  const asked = await Promise.all([1, 2, 3, 4].map(() => approvals.request({ ...WISH, amount: '60' })));
  expect(asked.filter((id) => id === undefined)).toHaveLength(1);
  expect(await cash()).toBe(parseMoney('60'));
});

test('a transfer that is repeated under its key is made once, and does not count against itself', async () => {
  const approvals = opened();
  const wish = { ...WISH, key: 'call-2', amount: '60' };
  expect([await approvals.request(wish), await approvals.request(wish)]).toEqual([undefined, undefined]);
  expect(await cash()).toBe(parseMoney('60'));
});

test('what waits still waits when its call is repeated a day later', async () => {
  const approvals = opened();
  await approvals.request({ ...WISH, amount: '60' });
  const wish = { ...WISH, key: 'call-3', amount: '60' };
  const first = await approvals.request(wish);
  clock.set(clock.now() + 2 * 86_400_000);
  expect([first, await approvals.request(wish)]).toEqual([expect.stringMatching(/^apr-/), first]);
  expect(await cash()).toBe(parseMoney('60'));
});

test('what a gateway left behind and the wallet does not cover waits for a decision again', async () => {
  const dying = opened((wish, check) =>
    wish.approved ? Promise.reject(new Error('the gateway ends')) : transfers.make(wish, check),
  );
  const id = (await dying.request({ ...WISH, amount: '-150' })) as string;
  await expect(dying.approve(id, 'acc-bob', 'fine')).rejects.toThrow('the gateway ends');
  await clock.step(10_000);
  const next = opened();
  await next.carryOn();
  const { items } = await next.rows({ sort: ['id', 'ASC'], range: [0, 9], filter: {} });
  expect(items).toMatchObject([{ state: 'pending', decided_by: null }]);
});

test('a call that is repeated under its key makes one request', async () => {
  const approvals = opened();
  const wish = { ...WISH, key: 'call-1' };
  const first = await approvals.request(wish);
  expect(await approvals.request(wish)).toBe(first);
  expect((await approvals.rows({ sort: ['id', 'ASC'], range: [0, 9], filter: {} })).total).toBe(1);
});

test.each<[string, GiftFacts['worth'], object]>([
  ['a confirmed payment', { amount: parseMoney('5000'), currency: 'USD' }, { currency: 'USD', amount: '5000.00' }],
  ['a discount', undefined, { currency: null, amount: null }],
])('%s that waits is none that the version before carries out: it knows transfers alone', async (_, worth, shown) => {
  const facts = async () => ({ organizationId: 'acme', worth, isOther: true, detail: 'pay-1' });
  const ways = { confirm: { facts, carryOut: () => Promise.reject(new Error('never')) } } as unknown as Ways;
  const approvals = new Approvals({ db, clock, ways, above: approvalAmounts(['USD:100']) });
  await approvals.give('confirm', { paymentId: 'pay-1', amount: '5000' }, { id: 'acc-ann', reason: 'x', key: '1' });
  const [row] = await db.sql.select().from(table);
  const { of = 'cash', amount = micros(0) } = row ?? {};
  // It reads each kind but a grant as an adjustment.
  expect(() => requireTransferRule({ kind: 'adjust', amount: moneyText(amount), of })).toThrow(Problem);
  const { items } = await approvals.rows({ sort: ['id', 'ASC'], range: [0, 9], filter: {} });
  expect(items).toMatchObject([{ of: null, ...shown }]);
});

test('amounts are one per currency, and others need no second person', async () => {
  expect(approvalAmounts([]).size).toBe(0);
  expect(() => approvalAmounts(['USD'])).toThrow(RangeError);
  const lenient = opened(undefined, ['EUR:1']);
  expect(await lenient.request(WISH)).toBeUndefined();
});

test('the command’s proof is kept beside those that staff began', async () => {
  const proofs = new Proofs({ db, clock });
  await proofs.prove();
  const first = await proofs.start('acc-ann', 'end of the month');
  await proofs.settled();
  const { items } = await proofs.rows({ sort: ['started_at', 'DESC'], range: [0, 9], filter: {} });
  expect(items.map(({ state, started_by }) => `${state} by ${started_by}`).toSorted()).toEqual([
    'held by acc-ann',
    'held by null',
  ]);
  expect(items.find(({ id }) => id === first)).toMatchObject({ fault_count: 0, transfers: 0 });
});

test('who belongs to an organisation that gains by its plan or code does not approve that', async () => {
  const name = 'acc-bob';
  await db.sql.insert(accounts).values({ id: name, name, createdAt: new Date(clock.now()) });
  await db.sql
    .insert(memberships)
    .values({ organizationId: 'acme', accountId: name, role: 'member', createdAt: new Date(clock.now()) });
  const discount: Ways['discount'] = {
    facts: async () => ({ organizationId: '', worth: undefined, alsoGain: async (ids) => ids, detail: '' }),
    carryOut: async () => undefined as never,
  };
  const ways = { discount } as Ways;
  const approvals = new Approvals({ db, clock, ways, above: approvalAmounts(['USD:100']) });
  const wish = { type: 'plan', plan: 'standard', percent: 100 } as unknown as Parameters<Ways['discount']['facts']>[0];
  const { approvalId } = await approvals.give('discount', wish, { id: 'acc-ann', reason: 'a fair', key: undefined });
  const id = approvalId as string;
  expect(await problemOf(approvals.approve(id, name, 'yes'))).toBe('approval_own_organization');
  expect(await problemOf(approvals.approve(id, 'acc-dan', 'yes'))).toBe('none');
});
