// Plays one sequence on a database and on the model, each operation that has a key asked twice.
import { micros, moneyText } from '@gantry/contract/fields/money.ts';
import { Problem } from '@gantry/contract/http/problem.ts';
import type { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { eq } from 'drizzle-orm';
import type { Database } from '../../../../platform/db/open.ts';
import { bills } from '../../../../platform/db/schema/ledger.ts';
import type { Charge } from '../wallet-rules.ts';
import type { Wallets } from '../wallets.ts';
import { ModelWallet, type Operation, type Outcome, priceOf, summary } from './model.ts';

interface Played {
  /** The database's contents, and how each operation ended there. */
  readonly came: readonly unknown[];
  readonly said: readonly unknown[];
}

/** All bills are of one moment: the smaller id is paid first. */
const AT = new Date('2026-01-01T00:00:00Z');

export async function playOn(
  on: { database: Database; wallets: Wallets; clock: SteppedClock },
  organizationId: string,
  operations: readonly Operation[],
): Promise<Played> {
  const model = new ModelWallet({ organizationId, currency: 'USD' });
  const came: unknown[] = [];
  const said: unknown[] = [];
  let topUp = '';
  for (const [index, op] of operations.entries()) {
    const correction = op.does === 'correct' ? model.correction(op) : micros(0);
    said.push(model.do(op));
    const key = `${organizationId}/${index}`;
    // A refund needs an earlier top-up.
    if (op.does === 'deposit' || (op.does === 'adjust' && op.amount > 0n)) topUp = key;
    came.push(await ask(on, { key, topUp }, organizationId, op, correction));
  }
  return { came: [...came, await summaryOf(on, organizationId)], said: [...said, summary(model)] };
}

async function ask(
  { wallets, clock }: { wallets: Wallets; clock: SteppedClock },
  { key, topUp }: { key: string; topUp: string },
  organizationId: string,
  op: Operation,
  correction: bigint,
): Promise<Outcome> {
  const move = { key, organizationId, at: AT };
  const subject = 'subject' in op ? `${organizationId}/subject-${op.subject}` : '';
  const charge = (bill: number, price: Pick<Charge, 'list' | 'net'>, of?: string): Charge => ({
    ...move,
    ...price,
    bill: { id: `${organizationId}/bill-${bill}`, type: 'consumption', source: 'container_rent', reference: 'x' },
    subject: of,
  });
  const twice = async (work: () => Promise<unknown>): Promise<Outcome> => {
    try {
      await work();
    } catch (error) {
      if (error instanceof Problem && error.problem === 'wallet_short') return 'refused';
      throw error;
    }
    await work();
    return 'done';
  };
  switch (op.does) {
    case 'deposit':
      return twice(() =>
        wallets.deposit({ ...move, amount: op.amount, channel: 'card', bill: { id: key, reference: key } }),
      );
    case 'grant':
      return twice(() => wallets.grant({ ...move, amount: op.amount }));
    case 'refund':
      return twice(() => wallets.refund({ ...move, amount: op.amount, channel: 'card', billId: topUp }));
    case 'adjust':
      return twice(() => wallets.adjust({ ...move, amount: op.amount, of: op.of }));
    case 'charge':
      return twice(() => wallets.charge([charge(op.bill, priceOf(op), subject)]));
    case 'correct': {
      if (correction === 0n) return 'nothing';
      const back = micros(correction);
      return twice(() => wallets.charge([charge(op.bill, { list: back, net: back })]));
    }
    case 'hold': {
      const until = new Date(clock.now() + op.forMs);
      const { held } = await wallets.hold({ organizationId, subject, amount: op.amount, until });
      return held ? 'done' : 'refused';
    }
    case 'release': {
      let isAnnounced = false;
      const stop = wallets.on(() => {
        isAnnounced = true;
      });
      await wallets.release(subject);
      stop();
      return isAnnounced ? 'done' : 'nothing';
    }
    case 'overdraft':
      await wallets.setOverdraft(organizationId, op.amount);
      return 'done';
    case 'wait':
      await clock.step(op.ms);
      return 'done';
  }
}

async function summaryOf(
  { database, wallets }: { database: Database; wallets: Wallets },
  organizationId: string,
): Promise<Record<string, string>> {
  const { cash, credits, debt } = await wallets.balances(organizationId);
  const held = await wallets.holdsOf(organizationId);
  const own = await database.sql.select().from(bills).where(eq(bills.organizationId, organizationId));
  const within = (id: string) => id.slice(organizationId.length + 1);
  return {
    cash: moneyText(cash),
    credits: moneyText(credits),
    debt: moneyText(debt),
    holds: held.map(({ subject, amount }) => `${within(subject)} ${amount}`).join(),
    bills: own
      .filter(({ type }) => type === 'consumption')
      .map(({ id, paid, creditUsed, total, status }) => `${within(id)} ${paid}+${creditUsed}/${total} ${status}`)
      .sort()
      .join(),
  };
}
