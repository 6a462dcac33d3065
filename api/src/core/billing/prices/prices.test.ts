// Prices, discounts and plans in SQL, with the wallets that pay for them.
import { hostCapOf, namingPlan } from '@gantry/contract/billing/plans.ts';
import { micros, parseMoney, roundedText } from '@gantry/contract/fields/money.ts';
import type { Problem } from '@gantry/contract/http/problem.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eq, sql } from 'drizzle-orm';
import { migratedDatabase, resetDatabase } from '../../../../../test/support/database.ts';
import { eventually } from '../../../../../test/support/eventually.ts';
import type { Database } from '../../../platform/db/open.ts';
import { bills } from '../../../platform/db/schema/ledger.ts';
import { accounts, memberships, organizations } from '../../../platform/db/schema/people.ts';
import { prices } from '../../../platform/db/schema/prices.ts';
import { Ledger } from '../ledger/ledger.ts';
import { Wallets } from '../ledger/wallets.ts';
import { openPrices, type Prices } from './open-prices.ts';
import type { HostCaps } from './plans.ts';
import { ratePerHour } from './rate.ts';
import { Tariffs } from './tariffs.ts';

const NOTICE_MS = 5_000;
const DAY = 24 * 3_600_000;

let db: Database;
let clock: SteppedClock;
let tariffs: Tariffs;
let wallets: Wallets;
let all: Prices;
let hosts: { held: number; cap: number | undefined; isAway: boolean };
let notices: string[];

beforeAll(async () => {
  db = await migratedDatabase();
});
afterAll(() => db.close());

const caps: HostCaps = {
  held: () => hosts.held,
  cap: () => hosts.cap,
  async set(_, cap) {
    if (hosts.isAway) throw new Error('the API server is away');
    hosts.cap = cap;
  },
};

const STOCK = {
  regions: () => [{ region: 'washington', name: 'US East Washington' }],
  gpuModels: () => ['NVIDIA-NEW-9000'],
  models: () => [{ id: 'mod-5cachz95', name: 'House chat' }],
};

const opened = (currency = 'USD') => new Tariffs({ db, clock, region: 'washington', currency });

beforeEach(async () => {
  await resetDatabase(db);
  clock = new SteppedClock();
  clock.set(Date.parse('2026-01-31T10:00:00Z'));
  hosts = { held: 0, cap: hostCapOf('free'), isAway: false };
  notices = [];
  await db.sql
    .insert(organizations)
    .values(['acme', 'other'].map((id) => ({ id, name: id, currency: 'USD', createdAt: new Date(clock.now()) })));
  tariffs = opened();
  await tariffs.seed();
  await tariffs.refresh();
  wallets = new Wallets({ db, clock, ledger: new Ledger({ db, clock }) });
  all = openPrices({
    db,
    clock,
    tariffs,
    currency: 'USD',
    wallets,
    hosts: caps,
    stock: STOCK,
    tell: async ({ key }) => void (notices.includes(key) || notices.push(key)),
  });
});

const give = (amount: string) =>
  wallets.grant({
    key: `gift/${amount}`,
    organizationId: 'acme',
    amount: parseMoney(amount),
    at: new Date(clock.now()),
  });
const balance = async () => roundedText((await wallets.balances('acme')).balance);
const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    ({ problem, args }: Problem) => ({ problem, args }),
  );
const on = (text: string) => clock.set(Date.parse(text));

describe('the price list', () => {
  test('is there from the first moment on, for every resource, model and plan, and has held since ever', async () => {
    for (const product of ['NVIDIA-H100-80GB-HBM3', 'NVIDIA-A100-SXM4-40GB', 'NVIDIA-L40S', 'Tesla-T4', 'Unheard-of'])
      for (const sku of [`gpu/${product}`, `host/${product}`])
        expect([sku, tariffs.prices.at(sku, tariffs.of('acme'), 1)?.amount]).toEqual([sku, expect.any(BigInt)]);
    expect(all.shown.list({}).map(({ sku }) => sku)).toEqual(
      expect.arrayContaining(['cpu', 'disk', 'gpu/any', 'host/any', 'memory', 'plan/standard', 'snapshot']),
    );
  });

  test('says what keeping files costs where staff have set it, and nothing where it is free', async () => {
    await tariffs.setPrice({ sku: 'dataset-storage', amount: parseMoney('0.05') }, 'acc-finance');
    clock.set(clock.now() + NOTICE_MS);
    expect(all.shown.config(undefined, 'en').stored).toEqual({ model: null, dataset: '0.05', task: null });
  });

  test('is made once, and never beside prices that staff set', async () => {
    const before = (await db.sql.select().from(prices)).length;
    await opened().seed();
    await opened('CNY').seed();
    expect((await db.sql.select().from(prices)).length).toBe(before);
  });

  test('begins empty in a currency without a default list: what has no price is refused, not free', async () => {
    await resetDatabase(db);
    const swiss = opened('CHF');
    await swiss.seed();
    await swiss.refresh();
    const uses = [{ resource: 'cpu', quantity: 1 }];
    expect(ratePerHour(uses, 'container_rent', swiss.of('acme'), clock.now())).toMatchObject({ unpriced: ['cpu'] });
  });

  test('a price holds a few seconds after it was set at the earliest, and others know it by then', async () => {
    const other = opened();
    await other.refresh();
    const now = clock.now();
    await tariffs.setPrice({ sku: 'cpu', amount: parseMoney('1.00') }, 'acc-finance');
    await other.refresh();
    for (const one of [tariffs, other]) {
      const at = (t: number) => one.prices.at('cpu', one.of('acme'), t)?.amount;
      expect([at(now + NOTICE_MS - 1), at(now + NOTICE_MS)]).toEqual([12_000n, 1_000_000n]);
      expect(one.knownTo()).toBeLessThan(now + NOTICE_MS);
    }
    const tooSoon = tariffs.setPrice({ sku: 'cpu', amount: micros(1), validFrom: now + NOTICE_MS - 1 }, 'acc-finance');
    expect(await problemOf(tooSoon)).toMatchObject({
      problem: 'price_in_past',
      args: { soonest: new Date(now + NOTICE_MS).toISOString() },
    });
  });

  test('tells when a change is known, and again when it begins', async () => {
    let times = 0;
    tariffs.on(() => {
      times += 1;
    });
    await tariffs.refresh();
    expect(times).toBe(0);
    await tariffs.setPrice({ sku: 'cpu', amount: micros(1) }, 'acc-finance');
    expect(times).toBe(1);
    await clock.step(NOTICE_MS);
    await tariffs.refresh();
    expect(times).toBe(2);
    expect(all.shown.list({ resource: 'cpu' })).toMatchObject([{ sku: 'cpu', amount: '0.000001', next: null }]);
  });

  test('follows the database by itself', async () => {
    const following = opened();
    await following.start();
    await tariffs.setPrice({ sku: 'cpu', amount: micros(7) }, 'acc-finance');
    const known = () => following.prices.at('cpu', following.of('acme'), clock.now() + NOTICE_MS)?.amount;
    expect(known()).toBe(12_000n);
    await clock.step(1_000);
    await eventually('the new price is known', () => known() === 7n);
    following.stop();
  });

  test('shows what changes later beside what holds', async () => {
    await tariffs.setPrice({ sku: 'cpu', amount: parseMoney('1.00') }, 'acc-finance');
    expect(all.shown.list({ resource: 'cpu' })).toMatchObject([{ amount: '0.012', next: { amount: '1.00' } }]);
  });

  test('no row is ever changed or removed', async () => {
    await expect(db.sql.update(prices).set({ amount: micros(1) })).rejects.toThrow();
    await expect(db.sql.delete(prices)).rejects.toThrow();
  });

  test('only what there is can have a price, and each says its name, unit and present price', async () => {
    const soon = { amount: '1', valid_from: new Date(clock.now() + NOTICE_MS).toISOString() };
    const refusal = (sku: string) => problemOf(all.rows.setPrice({ sku, ...soon }, 'acc-finance'));
    const unknown = [
      'gpu/NVIDIA-L4O',
      'host/NVIDIA-L4O',
      'gpu',
      'hosted-gpu/NVIDIA-L4',
      'prompt-tokens/mod-nobody',
      'water',
    ];
    for (const sku of unknown) {
      expect(await refusal(sku)).toEqual({ problem: 'sku_unknown', args: { sku } });
      expect(await problemOf(all.simulate([{ sku, amount: '1' }]))).toEqual({ problem: 'sku_unknown', args: { sku } });
    }
    // A card of a node that just joined, a deployed model, and what is kept.
    const known = [
      'gpu/NVIDIA-NEW-9000',
      'host/any',
      'prompt-tokens/mod-5cachz95',
      'completion-tokens/any',
      'model-storage',
    ];
    expect(await Promise.all(known.map(refusal))).toEqual(known.map(() => 'none'));
    const { items, currency, regions } = await all.items.view('en');
    expect([currency, regions]).toEqual(['USD', STOCK.regions()]);
    const of = (sku: string) => items.find((item) => item.sku === sku);
    expect(of('gpu/NVIDIA-L4')).toEqual({
      ...{ sku: 'gpu/NVIDIA-L4', name: 'GPU NVIDIA L4', group: 'GPU', unit: 'card', per: 'hour' },
      prices: [{ region: null, currency: 'USD', amount: '0.43', valid_from: null }],
    });
    expect(of('gpu/NVIDIA-NEW-9000')).toMatchObject({ name: 'GPU NVIDIA NEW 9000', prices: [] });
    expect(of('prompt-tokens/mod-5cachz95')).toMatchObject({
      ...{ name: 'Prompt tokens House chat', unit: 'tokens', per: 'million' },
    });
    expect(new Set(items.map(({ sku }) => sku)).size).toBe(items.length);
  });

  test('a price set by staff is a row that names its author, and the replaced price ends', async () => {
    const row = await all.rows.setPrice({ sku: 'gpu/NVIDIA-L4', region: 'washington', amount: '0.5' }, 'acc-finance');
    expect(row).toMatchObject({ state: 'later', amount: '0.50', currency: 'USD', created_by: 'acc-finance' });
    expect(await problemOf(all.rows.setPrice({ sku: 'gpu', amount: '1' }, 'x'))).toMatchObject({
      problem: 'sku_unknown',
    });
    expect(await problemOf(all.rows.setPrice({ sku: 'plan/free', amount: '1' }, 'x'))).toMatchObject({
      problem: 'sku_unknown',
    });
    await all.rows.setPrice({ sku: 'cpu', amount: '1' }, 'acc-finance');
    await clock.step(NOTICE_MS);
    await tariffs.refresh();
    const query = { sort: ['amount', 'DESC'], range: [0, 9], filter: { sku: 'cpu' } } as const;
    const { items, total } = await all.rows.prices({ ...query, sort: ['amount', 'DESC'], range: [0, 9] });
    expect(items.map(({ amount, state }) => [amount, state])).toEqual([
      ['1.00', 'holds'],
      ['0.012', 'over'],
    ]);
    expect(total).toBe(2);
  });

  test('a discount is one organisation and one source', async () => {
    const wish = { type: 'organization', organization_id: 'acme', source: 'container_rent', percent: 12.5 } as const;
    expect(await all.discounts.set({ ...wish, reason: 'a friend' }, 'acc-finance')).toMatchObject({
      percent: 12.5,
      state: 'later',
      target: 'acme',
    });
    await clock.step(NOTICE_MS);
    const at = (organizationId: string, source: 'container_rent' | 'host_rent') =>
      tariffs.of(organizationId).discounts.at({ organizationId, source, sku: 'cpu' }, clock.now())?.basisPoints ?? 0;
    expect([at('acme', 'container_rent'), at('acme', 'host_rent'), at('other', 'container_rent')]).toEqual([
      1250, 0, 0,
    ]);
    const nobody = all.discounts.set({ ...wish, organization_id: 'nobody', reason: 'x' }, 'acc-finance');
    expect(await problemOf(nobody)).toMatchObject({ problem: 'not_found' });
  });

  test('a code is redeemed once per organisation, while it is valid and not used up', async () => {
    const code = { type: 'code', code: 'SUMMER26', percent: 20, most_uses: 1, reason: 'fair' } as const;
    const ends = new Date(clock.now() + DAY).toISOString();
    expect(await problemOf(all.discounts.redeem('SUMMER26', 'acme', 'acc-1'))).toMatchObject({
      problem: 'discount_code_invalid',
    });
    await all.discounts.set({ ...code, valid_to: ends }, 'acc-finance');
    // It does not apply yet.
    expect(await problemOf(all.discounts.redeem('SUMMER26', 'acme', 'acc-1'))).toMatchObject({
      problem: 'discount_code_invalid',
    });
    await clock.step(NOTICE_MS);
    expect(await all.discounts.redeem(' summer26 ', 'acme', 'acc-1')).toMatchObject({
      code: 'SUMMER26',
      percent: 20,
      valid_to: ends,
    });
    const points = (organizationId: string) =>
      tariffs.of(organizationId).discounts.at({ organizationId, source: 'host_rent', sku: 'cpu' }, clock.now())
        ?.basisPoints ?? 0;
    expect(points('acme')).toBe(0);
    await clock.step(NOTICE_MS);
    expect([points('acme'), points('other')]).toEqual([2_000, 0]);
    expect(await problemOf(all.discounts.redeem('SUMMER26', 'acme', 'acc-2'))).toMatchObject({
      problem: 'discount_code_redeemed',
    });
    expect(await problemOf(all.discounts.redeem('SUMMER26', 'other', 'acc-3'))).toMatchObject({
      problem: 'discount_code_invalid',
    });
    const { items } = await all.discounts.page({ sort: ['id', 'ASC'], range: [0, 9], filter: { type: 'code' } });
    expect(items).toMatchObject([{ target: 'SUMMER26', uses: 1, most_uses: 1, state: 'holds' }]);
    await clock.step(DAY);
    expect(points('acme')).toBe(0);
    expect(await all.discounts.redeemed('acme')).toMatchObject([{ code: 'SUMMER26', percent: 0 }]);
  });

  test('a new code is of the base-62 alphabet; an older one with a hyphen is redeemed and ended', async () => {
    const wish = { type: 'code', code: 'OLD-2026', percent: 20, reason: 'fair' } as const;
    expect(await problemOf(all.discounts.set(wish, 'acc-finance'))).toMatchObject({ problem: 'discount_code_rule' });
    await tariffs.setDiscount(
      {
        ...{ type: 'code', target: 'OLD-2026', source: undefined, basisPoints: 2_000, mostUses: undefined },
        reason: 'x',
      },
      'acc-finance',
    );
    await clock.step(NOTICE_MS);
    expect(await all.discounts.redeem('old-2026', 'acme', 'acc-1')).toMatchObject({ code: 'OLD-2026', percent: 20 });
    await all.discounts.set({ ...wish, percent: 0 }, 'acc-finance');
    await clock.step(NOTICE_MS);
    expect(await problemOf(all.discounts.redeem('OLD-2026', 'other', 'acc-3'))).toMatchObject({
      problem: 'discount_code_invalid',
    });
  });

  test('capitals and small letters are other codes', async () => {
    const code = { type: 'code', percent: 20, reason: 'fair' } as const;
    await all.discounts.set({ ...code, code: 'aB3x' }, 'acc-finance');
    await clock.step(NOTICE_MS);
    for (const typed of ['AB3X', 'ab3x'])
      expect(await problemOf(all.discounts.redeem(typed, 'acme', 'acc-1'))).toMatchObject({
        problem: 'discount_code_invalid',
      });
    expect(await all.discounts.redeem('aB3x', 'acme', 'acc-1')).toMatchObject({ code: 'aB3x' });
  });

  test.each([
    ['made alone', 'acc-own', undefined],
    ['made, and somebody else approved', 'acc-own', 'acc-second'],
    ['approved', 'acc-second', 'acc-own'],
  ])('a code that a person %s is not for an organisation of theirs', async (_, by, approvedBy) => {
    const code = { type: 'code', code: 'Mine2026', percent: 100, reason: 'fair' } as const;
    const createdAt = new Date(clock.now());
    await db.sql.insert(accounts).values({ id: 'acc-own', name: 'own', createdAt });
    await db.sql
      .insert(memberships)
      .values({ organizationId: 'acme', accountId: 'acc-own', role: 'viewer', createdAt });
    await all.discounts.set(code, by, approvedBy);
    await clock.step(NOTICE_MS);
    // A colleague is no way round.
    expect(await problemOf(all.discounts.redeem('Mine2026', 'acme', 'acc-1'))).toMatchObject({
      problem: 'discount_code_own',
    });
    expect(await all.discounts.redeem('Mine2026', 'other', 'acc-1')).toMatchObject({ percent: 100 });
  });

  test('a plan or a code is news for its organisation alone, once it is known and once it begins', async () => {
    await all.discounts.set({ type: 'plan', plan: 'enterprise', percent: 30, reason: 'x' }, 'acc-finance');
    await all.discounts.set({ type: 'code', code: 'SUMMER26', percent: 20, reason: 'x' }, 'acc-finance');
    await clock.step(NOTICE_MS);
    await tariffs.refresh();
    const news: string[] = [];
    tariffs.on((concerned) => void news.push(concerned ? [...concerned].join() : 'all'));
    await all.discounts.redeem('SUMMER26', 'other', 'acc-1');
    expect(news.splice(0)).toEqual(['other']);
    await clock.step(NOTICE_MS);
    await tariffs.refresh();
    expect(news.splice(0)).toEqual(['other']);
    await all.rows.givePlan('acme', 'enterprise', 'acc-finance');
    await tariffs.refresh();
    expect(news.splice(0)).toEqual(['acme']);
    // A row whose number was taken earlier, and that was committed later.
    await db.sql.execute(sql`insert into plans_held (id, org_id, plan, valid_from, created_at, created_by)
      overriding system value values (-1, 'other', 'enterprise', now(), ${new Date(clock.now()).toISOString()}, 'acc-finance')`);
    await tariffs.refresh();
    expect(news.splice(0)).toEqual(['other']);
    await all.rows.setPrice({ sku: 'cpu', amount: '1' }, 'acc-finance');
    expect(news).toEqual(['all']);
  });

  test('a discount by plan begins some seconds after the plan, so that every gateway knows it by then', async () => {
    await all.discounts.set({ type: 'plan', plan: 'enterprise', percent: 30, reason: 'all of them' }, 'acc-finance');
    await clock.step(NOTICE_MS);
    await all.rows.givePlan('acme', 'enterprise', 'acc-finance');
    await tariffs.refresh();
    const points = (t: number) =>
      tariffs.of('acme').discounts.at({ organizationId: 'acme', source: 'container_rent', sku: 'cpu' }, t)?.basisPoints;
    const now = clock.now();
    expect([points(now), points(now + NOTICE_MS - 1), points(now + NOTICE_MS)]).toEqual([undefined, undefined, 3_000]);
    const { items } = await all.rows.plans({ sort: ['id', 'ASC'], range: [0, 9], filter: { plan: 'enterprise' } });
    expect(items.map(({ id, plan }) => [id, plan])).toEqual([['acme', 'enterprise']]);
  });

  test('a discount names exactly what its type is for', async () => {
    const wish = { percent: 5, reason: 'x' };
    const refused = [
      { type: 'plan' },
      { type: 'plan', plan: 'free', sku: 'cpu' },
      { type: 'sku', sku: 'nothing' },
      { type: 'sku', sku: 'plan/standard' },
      { type: 'organization', organization_id: 'acme', most_uses: 3 },
      { type: 'sku', sku: 'cpu', valid_to: new Date(clock.now()).toISOString() },
    ] as const;
    const problems: unknown[] = [];
    for (const one of refused)
      problems.push(
        ((await problemOf(all.discounts.set({ ...wish, ...one }, 'acc-finance'))) as { problem: string }).problem,
      );
    expect(problems).toEqual([
      'discount_target',
      'discount_target',
      'sku_unknown',
      'sku_unknown',
      'discount_target',
      'discount_times',
    ]);
  });
});

describe('plans', () => {
  const change = (plan: 'free' | 'standard' | 'enterprise', isStaff = false) =>
    all.plans.change({ organizationId: 'acme', plan, by: 'acc-owner', isStaff });

  test('an upgrade holds at once, allows more hosts and is paid for a month', async () => {
    await give('100.00');
    const state = await change('standard');
    expect(state).toMatchObject({ plan: 'standard', paidTo: Date.parse('2026-02-28T10:00:00Z') });
    expect([await balance(), hosts.cap]).toEqual(['51.00', 20]);
    expect(await db.sql.select().from(bills).where(eq(bills.type, 'order_consumption'))).toMatchObject([
      { status: 'paid', total: 49_000_000n, creditUsed: 49_000_000n, accountId: 'acc-owner', detail: 'Standard' },
    ]);
    expect(await wallets.holdsOf('acme')).toEqual([]);
  });

  test('asked for again, or twice at once, it is paid once', async () => {
    await give('200.00');
    const both = await Promise.allSettled([change('standard'), change('standard')]);
    expect(both.map(({ status }) => status)).toContain('fulfilled');
    await change('standard');
    expect(await balance()).toBe('151.00');
  });

  test('without the money it is refused with the numbers, and nothing changes', async () => {
    await give('20.00');
    expect(await problemOf(change('standard'))).toEqual({
      problem: 'plan_not_covered',
      args: { ...namingPlan('standard'), wanted: '49.00', available: '20.00', currency: 'USD' },
    });
    expect([(await all.plans.of('acme')).plan, await balance(), hosts.cap]).toEqual(['free', '20.00', 2]);
  });

  test('holds for running instances buy no plan', async () => {
    await give('60.00');
    const until = new Date(clock.now() + DAY);
    await wallets.hold({ organizationId: 'acme', subject: 'uid', amount: parseMoney('30.00'), until });
    expect(await problemOf(change('standard'))).toMatchObject({ problem: 'plan_not_covered' });
  });

  test('unposted usage buys no plan, whether its hold ran out or none ever covered it', async () => {
    await give('60.00');
    const until = new Date(clock.now() + 60_000);
    await wallets.hold({ organizationId: 'acme', subject: 'uid', amount: parseMoney('30.00'), until });
    await clock.step(61_000);
    expect(await problemOf(change('standard'))).toMatchObject({
      problem: 'plan_not_covered',
      args: { available: '30.00' },
    });
    await wallets.release('uid');
    wallets.countUse(async () => [{ uid: 'disk', accountId: null, net: parseMoney('20.00') }]);
    expect(await problemOf(change('standard'))).toMatchObject({
      problem: 'plan_not_covered',
      args: { available: '40.00' },
    });
  });

  test('a downgrade waits for the end of what is paid, and can be called off until then', async () => {
    await give('100.00');
    await change('standard');
    expect(await change('free')).toMatchObject({
      plan: 'standard',
      next: { plan: 'free', at: Date.parse('2026-02-28T10:00:00Z') },
    });
    expect(await change('standard')).not.toHaveProperty('next');
    await change('free');
    on('2026-02-28T10:00:00Z');
    await all.plans.renewDue(clock.now());
    expect([(await all.plans.of('acme')).plan, await balance(), hosts.cap]).toEqual(['free', '51.00', 2]);
  });

  test('a lower plan is refused, with the numbers, while more hosts are held than it allows', async () => {
    await give('100.00');
    await change('standard');
    hosts.held = 5;
    expect(await problemOf(change('free'))).toEqual({
      problem: 'plan_hosts',
      args: { ...namingPlan('free'), cap: 2, held: 5, over: 3 },
    });
  });

  test('every month is charged once, at its price then, on the day of the first; a gateway that was away catches up', async () => {
    await give('300.00');
    await change('standard');
    await tariffs.setPrice(
      { sku: 'plan/standard', amount: parseMoney('60'), validFrom: Date.parse('2026-03-15') },
      'x',
    );
    on('2026-04-30T09:59:59Z');
    await all.plans.renewDue(clock.now());
    await Promise.all([all.plans.renewDue(clock.now()), all.plans.renewDue(clock.now())]);
    // January, 28 February at 49, 31 March at 60.
    expect(await balance()).toBe(roundedText(parseMoney('142.00')));
    expect(await all.plans.of('acme')).toMatchObject({ paidTo: Date.parse('2026-04-30T10:00:00Z'), months: 3 });
  });

  test('what comes next is known: the day, and the price then; nothing follows a downgrade', async () => {
    expect(await all.plans.nextCharge('acme')).toBeUndefined();
    await give('100.00');
    await change('standard');
    const start = Date.parse('2026-02-28T10:00:00Z');
    expect(await all.plans.nextCharge('acme')).toEqual({ start, month: 0, amount: parseMoney('49.00') });
    const validFrom = Date.parse('2026-02-15');
    await tariffs.setPrice({ sku: 'plan/standard', amount: parseMoney('60'), validFrom }, 'x');
    expect(await all.plans.nextCharge('acme')).toMatchObject({ start, amount: parseMoney('60.00') });
    await change('free');
    expect(await all.plans.nextCharge('acme')).toBeUndefined();
  });

  test('a deleted organisation is charged no month more', async () => {
    await give('100.00');
    await change('standard');
    on('2026-02-28T10:00:00Z');
    await db.sql
      .update(organizations)
      .set({ deletedAt: new Date(clock.now()) })
      .where(eq(organizations.id, 'acme'));
    await all.plans.renewDue(clock.now());
    expect([await balance(), notices]).toEqual(['51.00', []]);
  });

  test('a month that is not covered is told once, tried again, and ends the plan after three days', async () => {
    await give('60.00');
    await change('standard');
    on('2026-02-28T10:00:00Z');
    for (let round = 0; round < 3; round++) await all.plans.renewDue(clock.now());
    expect([await all.plans.of('acme'), notices]).toMatchObject([{ plan: 'standard' }, ['plan/acme/1/unpaid']]);
    on('2026-03-03T10:00:00Z');
    await all.plans.renewDue(clock.now());
    expect([(await all.plans.of('acme')).plan, await balance(), hosts.cap]).toEqual(['free', '11.00', 2]);
    expect(notices).toEqual(['plan/acme/1/unpaid', 'plan/acme/1/ended']);
  });

  test('money that comes within the three days keeps the plan, from the day on which the month began', async () => {
    await give('60.00');
    await change('standard');
    on('2026-03-02T00:00:00Z');
    await all.plans.renewDue(clock.now());
    await give('40.00');
    await all.plans.renewDue(clock.now());
    expect(await all.plans.of('acme')).toMatchObject({ paidTo: Date.parse('2026-03-31T10:00:00Z') });
    expect(await balance()).toBe('2.00');
  });

  test('Enterprise is given and taken by staff alone, without a cap on hosts and without a charge', async () => {
    expect(await problemOf(change('enterprise'))).toEqual({ problem: 'plan_by_staff', args: namingPlan('enterprise') });
    await change('enterprise', true);
    expect([await balance(), hosts.cap]).toEqual(['0.00', 100_000]);
    expect(await all.shown.plan('acme', 'zh')).toMatchObject({ plan: 'enterprise', name: '企业版', hosts_cap: null });
    expect(await problemOf(change('free'))).toMatchObject({ problem: 'plan_by_staff' });
    hosts.held = 50;
    await change('free', true);
    expect(hosts.cap).toBe(2);
  });

  test('a payment stands while the cluster is away; the hosts follow', async () => {
    await give('100.00');
    hosts.isAway = true;
    await change('standard');
    expect(hosts.cap).toBe(2);
    hosts.isAway = false;
    await all.plans.renewDue(clock.now());
    expect(hosts.cap).toBe(20);
  });

  test('a number of hosts that staff set, and no plan has, stays', async () => {
    await give('100.00');
    await change('standard');
    hosts.cap = 33;
    await all.plans.renewDue(clock.now());
    expect(hosts.cap).toBe(33);
  });

  test('a host without a price is not charged, and does not end', async () => {
    const row = { id: 'swiss', name: 'swiss', currency: 'CHF', createdAt: new Date(clock.now()) };
    await db.sql.insert(organizations).values(row);
    const own = opened();
    await own.refresh();
    const { plans } = openPrices({
      db,
      clock,
      tariffs: own,
      wallets,
      currency: 'USD',
      hosts: caps,
      stock: STOCK,
      tell: async () => undefined,
    });
    const wish = { organizationId: 'swiss', by: 'acc-owner', plan: 'standard' } as const;
    expect(await problemOf(plans.change(wish))).toEqual({ problem: 'plan_unpriced', args: namingPlan('standard') });
    await plans.change({ ...wish, isStaff: true });
    clock.set(clock.now() + 30 * DAY);
    await plans.renewDue(clock.now());
    expect(await plans.of('swiss')).toMatchObject({ plan: 'standard', months: 0 });
  });

  test('staff see every organisation with its plan', async () => {
    await all.rows.givePlan('other', 'enterprise', 'acc-finance');
    const { items, total } = await all.rows.plans({ sort: ['name', 'DESC'], range: [0, 9], filter: { q: 'o' } });
    expect(items.map(({ id, plan }) => [id, plan])).toEqual([['other', 'enterprise']]);
    expect(total).toBe(1);
    expect(await problemOf(all.rows.givePlan('nobody', 'free', 'x'))).toMatchObject({ problem: 'not_found' });
  });
});
