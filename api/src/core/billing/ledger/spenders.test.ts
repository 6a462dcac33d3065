// All spenders against the limit of one wallet, in every order, together with the meter: usage is paid for, whatever the clock
// says and whoever else spends. Objects end with their holds, also when these are cut, like under the gate; the balance then
// never falls below the allowed overdraft by more than what was taken without permission.
import { type Micros, micros, sumOf, ZERO } from '@gantry/contract/fields/money.ts';
import { Problem } from '@gantry/contract/http/problem.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pino from 'pino';
import { migratedDatabase } from '../../../../../test/support/database.ts';
import { fc } from '../../../../../test/support/seeded-fast-check.ts';
import type { Database } from '../../../platform/db/open.ts';
import { organizations } from '../../../platform/db/schema/people.ts';
import { Meter } from '../metering/meter.ts';
import { Discounts, PriceTable } from '../prices/price-table.ts';
import { Ledger } from './ledger.ts';
import { NotCovered, Wallets } from './wallets.ts';

const HOUR = 3_600_000;
/** Shortly before a full hour, when metering posts running objects. */
const AT = new Date(Date.parse('2026-01-01T01:00:00Z') - 20);
const SUBJECTS = 3;
/** A card costs a micro per millisecond. */
const PRICE = { id: 1n, sku: 'gpu/any', region: '*', currency: 'USD', amount: micros(HOUR), validFrom: 0 };

const amount = fc.bigInt({ min: 1n, max: 12n }).map(micros);
const subject = fc.nat({ max: SUBJECTS - 1 });
const operation = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('deposit' as const), amount }) },
  { weight: 5, arbitrary: fc.record({ does: fc.constant('start' as const), subject, amount }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('stop' as const), subject }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('post' as const) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('rest' as const), subject }) },
  { weight: 5, arbitrary: fc.record({ does: fc.constant('wait' as const), ms: fc.constantFrom(1, 3, 20) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constantFrom('plan' as const, 'plan' as const, 'refund' as const, 'take' as const),
      amount,
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('chargeback' as const), amount }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('overdraft' as const), amount }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('beyond' as const), subject, amount }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer One> ? One : never;
/** Rare among random sequences: usage under a hold that a chargeback cuts, and a purchase with the next income. */
const UNDER_A_CUT: Operation[] = [
  { does: 'deposit', amount: micros(10n) },
  { does: 'start', subject: 0, amount: micros(10n) },
  { does: 'wait', ms: 3 },
  { does: 'chargeback', amount: micros(10n) },
  { does: 'deposit', amount: micros(10n) },
  { does: 'plan', amount: micros(8n) },
];

let db: Database;
let runs = 0;
beforeAll(async () => {
  db = await migratedDatabase();
}, 60_000);
afterAll(() => db.close());

test('nobody spends what was used', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.bigInt({ min: 0n, max: 5n }).map(micros),
      fc.array(operation, { minLength: 20, maxLength: 40, size: 'max' }),
      async (overdraft, operations) => {
        const organizationId = `org-${++runs}`;
        await db.sql
          .insert(organizations)
          .values({ id: organizationId, name: organizationId, currency: 'USD', createdAt: AT });
        const play = new Play(organizationId);
        await play.open(overdraft);
        for (const [at, op] of operations.entries()) {
          const isSpent = await play.do(op, `${organizationId}/${at}`);
          const { room, held, used, kept } = await play.stands();
          expect(held).toBeLessThanOrEqual(room > 0n ? room : 0n);
          expect(used).toBeLessThanOrEqual(room + play.forced);
          if (isSpent) expect(kept).toBeLessThanOrEqual(room);
        }
      },
    ),
    { numRuns: 30, examples: [[ZERO, UNDER_A_CUT]] },
  );
}, 120_000);

/** Plays the gate and the operator for three objects. */
class Play {
  /** Money taken without permission. */
  forced = ZERO;
  readonly #clock = new SteppedClock();
  readonly #wallets: Wallets;
  readonly #meter: Meter;
  readonly #organizationId: string;
  /** By subject: its last interval, and whether it is open. */
  readonly #intervals = new Map<string, { seq: number; from: number; isOpen: boolean }>();
  #overdraft = ZERO;
  #topUp = '';

  constructor(organizationId: string) {
    this.#organizationId = organizationId;
    this.#clock.set(AT.getTime());
    const clock = this.#clock;
    this.#wallets = new Wallets({ db, clock, ledger: new Ledger({ db, clock }) });
    const tariff = { prices: new PriceTable([PRICE]), discounts: new Discounts([]), region: 'r1', currency: 'USD' };
    const tariffs = { of: (organization: string) => ({ ...tariff, organizationId: organization }) };
    this.#meter = new Meter({ db, clock, log: pino({ enabled: false }), wallets: this.#wallets, tariffs });
    this.#wallets.countUse(this.#meter.readUse);
  }

  async open(overdraft: Micros): Promise<void> {
    await this.#wallets.open(this.#organizationId, 'USD');
    await this.#lend(overdraft);
  }

  /** Reads independently of the spenders' code. `kept`: per subject the larger of what is held and used. */
  async stands() {
    const { balance, overdraft, held } = await this.#wallets.balances(this.#organizationId);
    const { lines, net } = await this.#meter.accrual({ organizationId: this.#organizationId }, this.#clock.now());
    const kept = new Map((await this.#wallets.holdsOf(this.#organizationId)).map((one) => [one.subject, one.amount]));
    for (const { uid, net: used } of lines) if (used > (kept.get(uid) ?? 0n)) kept.set(uid, used);
    return { room: micros(balance + overdraft), held, used: net, kept: sumOf([...kept.values()]) };
  }

  /** Resolves with whether somebody spent something. */
  async do(op: Operation, key: string): Promise<boolean> {
    const isSpent = await this.#do(op, key);
    await this.#endUncovered();
    return isSpent;
  }

  async #do(op: Operation, key: string): Promise<boolean> {
    const move = { key, organizationId: this.#organizationId, at: AT };
    const uid = 'subject' in op ? `${this.#organizationId}/${op.subject}` : '';
    switch (op.does) {
      case 'deposit':
        this.#topUp = key;
        await this.#wallets.deposit({ ...move, amount: op.amount, channel: 'card', bill: { id: key, reference: key } });
        return false;
      case 'start':
        return this.#start(uid, op.amount);
      case 'stop':
        await this.#stop(uid);
        return false;
      case 'post':
        await this.#meter.settle(this.#clock.now(), { organizationId: this.#organizationId });
        return false;
      case 'rest':
        // A hold is released only after posting.
        if (!this.#intervals.get(uid)?.isOpen && (await this.#meter.isAllPosted(uid))) await this.#wallets.release(uid);
        return false;
      case 'wait':
        for (let left = op.ms; left > 0; left--) {
          await this.#clock.step(1);
          await this.#endUncovered();
        }
        return false;
      case 'plan': {
        const bill = { id: key, type: 'order_consumption' as const, source: 'host_rent' as const, reference: 'plan' };
        const wish = { ...move, list: op.amount, net: op.amount, bill };
        return isCovered(this.#wallets.buy(wish, async () => undefined));
      }
      case 'refund':
        if (this.#topUp === '') return false;
        return isCovered(this.#wallets.refund({ ...move, amount: op.amount, channel: 'card', billId: this.#topUp }));
      case 'take':
        return isCovered(this.#wallets.adjust({ ...move, amount: micros(-op.amount) }));
      case 'chargeback':
        if (this.#topUp === '') return false;
        this.forced = micros(this.forced + op.amount);
        await this.#wallets.takeBack({
          ...move,
          amount: op.amount,
          channel: 'card',
          billId: this.#topUp,
          why: 'chargeback',
        });
        return false;
      case 'overdraft':
        await this.#lend(micros(op.amount % 6n));
        return false;
      case 'beyond': {
        this.forced = micros(this.forced + op.amount);
        const bill = { id: key, type: 'consumption' as const, source: 'container_rent' as const, reference: 'x' };
        await this.#wallets.charge([{ ...move, list: op.amount, net: op.amount, subject: uid, bill }]);
        return false;
      }
    }
  }

  async #lend(overdraft: Micros): Promise<void> {
    if (overdraft < this.#overdraft) this.forced = micros(this.forced + this.#overdraft - overdraft);
    this.#overdraft = overdraft;
    await this.#wallets.setOverdraft(this.#organizationId, overdraft);
  }

  /** Or continues, for as long as is paid for. */
  async #start(uid: string, wished: Micros): Promise<boolean> {
    const now = this.#clock.now();
    const isHeld = await this.#wallets.spend(this.#organizationId, [uid], (money) => {
      const amount = micros(money.usedBy(uid) + wished);
      if (amount > money.free(uid)) return false;
      money.hold({ subject: uid, amount, until: new Date(now + Number(wished)) });
      return true;
    });
    const last = this.#intervals.get(uid);
    if (isHeld && !last?.isOpen) {
      const next = { seq: (last?.seq ?? 0) + 1, from: now, isOpen: true };
      this.#intervals.set(uid, next);
      await this.#meter.record([this.#seen(uid, next)]);
    }
    return isHeld;
  }

  async #stop(uid: string): Promise<void> {
    const last = this.#intervals.get(uid);
    if (!last?.isOpen) return;
    this.#intervals.set(uid, { ...last, isOpen: false });
    await this.#meter.record([{ ...this.#seen(uid, last), to: this.#clock.now() }]);
  }

  async #endUncovered(): Promise<void> {
    const holds = await this.#wallets.holdsOf(this.#organizationId);
    const covered = new Set(holds.flatMap(({ subject, until }) => (+until > this.#clock.now() ? [subject] : [])));
    for (const uid of this.#intervals.keys()) if (!covered.has(uid)) await this.#stop(uid);
  }

  #seen(uid: string, { seq, from }: { seq: number; from: number }) {
    const uses = [{ resource: 'gpu' as const, model: 'H200', quantity: 1 }];
    const place = { organizationId: this.#organizationId, region: 'r1', accountId: 'ann' };
    return { ...place, uid, seq, kind: 'GpuInstance', name: 'x', subjectUid: `pod-${seq}`, uses, from };
  }
}

async function isCovered(asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked;
    return true;
  } catch (error) {
    const isShort = error instanceof NotCovered || (error instanceof Problem && error.problem === 'wallet_short');
    if (!isShort) throw error;
    return false;
  }
}
