// All spenders against the edge of one wallet, in every order: what was used is always paid for, whatever the clock says and
// whoever else spends. Use stays within its hold, as the gate sees to; then nothing ever falls below the allowed overdraft.
import { type Micros, micros, sumOf, ZERO } from '@gantry/contract/fields/money.ts';
import { Problem } from '@gantry/contract/http/problem.ts';
import { SteppedClock } from '@gantry/kube/stepped-clock.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { memoryDatabase } from '../../../../test/support/database.ts';
import { fc } from '../../../../test/support/seeded-fast-check.ts';
import type { Database } from '../../db/open.ts';
import { organizations } from '../../db/schema/people.ts';
import { Ledger } from './ledger.ts';
import { NotCovered, Wallets } from './wallets.ts';

const AT = new Date('2026-01-01T00:00:00Z');
const SUBJECTS = 3;

const amount = fc.bigInt({ min: 1n, max: 12n }).map(micros);
const subject = fc.nat({ max: SUBJECTS - 1 });
const operation = fc.oneof(
  { weight: 2, arbitrary: fc.record({ does: fc.constant('deposit' as const), amount }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('start' as const), subject, amount }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('use' as const), subject, share: fc.nat({ max: 100 }) }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('post' as const), subject }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('rest' as const), subject }) },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('wait' as const), ms: fc.constantFrom(1, 30_000, 3_600_000) }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('plan' as const), amount }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('refund' as const), amount }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('take' as const), amount }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer One> ? One : never;

let db: Database;
let runs = 0;
beforeAll(async () => {
  db = await memoryDatabase();
}, 60_000);
afterAll(() => db.close());

test('nobody spends what was used', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.bigInt({ min: 0n, max: 5n }).map(micros),
      fc.array(operation, { minLength: 5, maxLength: 40 }),
      async (overdraft, operations) => {
        const organizationId = `org-${++runs}`;
        const clock = new SteppedClock();
        await db.sql
          .insert(organizations)
          .values({ id: organizationId, name: organizationId, currency: 'USD', createdAt: AT });
        const wallets = new Wallets({ db, clock, ledger: new Ledger({ db, clock }) });
        await wallets.open(organizationId, 'USD');
        await wallets.setOverdraft(organizationId, overdraft);
        const play = new Play(wallets, clock, organizationId);
        wallets.countUse(async (_tx, _organization, uids, now) => play.counted(uids, now));
        for (const [at, op] of operations.entries()) {
          await play.do(op, `${organizationId}/${at}`);
          const { balance, overdraft: lent, held } = await wallets.balances(organizationId);
          expect(balance + lent).toBeGreaterThanOrEqual(held);
          expect(balance + lent).toBeGreaterThanOrEqual(play.owed());
        }
      },
    ),
    { numRuns: 60 },
  );
}, 120_000);

/** What the gate and metering do about three objects. */
class Play {
  readonly #wallets: Wallets;
  readonly #clock: SteppedClock;
  readonly #organizationId: string;
  /** By subject: held and not posted, of it used, and to when it is held. */
  readonly #runs = new Map<string, { held: Micros; used: Micros; until: number }>();
  #topUp = '';

  constructor(wallets: Wallets, clock: SteppedClock, organizationId: string) {
    this.#wallets = wallets;
    this.#clock = clock;
    this.#organizationId = organizationId;
  }

  /** Used and not posted. */
  owed(): Micros {
    return sumOf([...this.#runs.values()].map(({ used }) => used));
  }

  /** As metering gives it: of what no hold covers to this moment, and of those that are asked about. */
  counted(uids: readonly string[], now: number) {
    return [...this.#runs]
      .filter(([uid, { until, held }]) => uids.includes(uid) || held === 0n || until <= now)
      .map(([uid, { used }]) => ({ uid, accountId: null, net: used }));
  }

  async do(op: Operation, key: string): Promise<void> {
    const move = { key, organizationId: this.#organizationId, at: AT };
    const uid = 'subject' in op ? `${this.#organizationId}/${op.subject}` : '';
    const run = this.#runs.get(uid);
    switch (op.does) {
      case 'deposit':
        this.#topUp = key;
        return this.#wallets.deposit({
          ...move,
          amount: op.amount,
          channel: 'card',
          bill: { id: key, reference: key },
        });
      case 'start': {
        const until = this.#clock.now() + 60_000;
        const used = run?.used ?? ZERO;
        const held = micros(used + op.amount);
        const wished = { ...move, subject: uid, amount: held, until: new Date(until) };
        if ((await this.#wallets.hold(wished)).held) this.#runs.set(uid, { held, used, until });
        return;
      }
      case 'use':
        if (run) run.used = micros(run.used + ((run.held - run.used) * BigInt(op.share)) / 100n);
        return;
      case 'post': {
        if (!run || run.used === 0n) return;
        const net = run.used;
        const bill = { id: key, type: 'consumption' as const, source: 'container_rent' as const, reference: 'x' };
        await this.#wallets.charge([{ ...move, list: net, net, subject: uid, bill }]);
        this.#runs.set(uid, { ...run, held: micros(run.held - net), used: ZERO });
        return;
      }
      case 'rest':
        // Only what is posted is let go.
        if (!run || run.used > 0n) return;
        await this.#wallets.release(uid);
        this.#runs.delete(uid);
        return;
      case 'wait':
        return this.#clock.step(op.ms);
      case 'plan': {
        const bill = { id: key, type: 'order_consumption' as const, source: 'host_rent' as const, reference: 'plan' };
        const wish = { ...move, list: op.amount, net: op.amount, bill };
        return this.#unlessShort(this.#wallets.buy(wish, async () => undefined));
      }
      case 'refund':
        if (this.#topUp === '') return;
        return this.#unlessShort(
          this.#wallets.refund({ ...move, amount: op.amount, channel: 'card', billId: this.#topUp }),
        );
      case 'take':
        return this.#unlessShort(this.#wallets.adjust({ ...move, amount: micros(-op.amount) }));
    }
  }

  async #unlessShort(asked: Promise<unknown>): Promise<void> {
    await asked.catch((error: unknown) => {
      const isShort = error instanceof NotCovered || (error instanceof Problem && error.problem === 'wallet_short');
      if (!isShort) throw error;
    });
  }
}
