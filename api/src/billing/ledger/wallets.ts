// What an organisation has, and all that changes it. Each method is one transaction under the lock of the wallet's row, is asked
// twice and happens once, and keeps wallet, books and bills together. Who owes pays that first, with whatever comes in.
import { type PaymentChannel, statusByCover } from '@gantry/contract/billing/bill.ts';
import type { SourceType } from '@gantry/contract/billing/resources.ts';
import { least, type Micros, micros, moneyText, sumOf, ZERO } from '@gantry/contract/fields/money.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { eq, lte, sql } from 'drizzle-orm';
import type { Database, Sql } from '../../db/open.ts';
import { rowsOf } from '../../db/rows-of.ts';
import { holds, wallets } from '../../db/schema/ledger.ts';
import { accountOf, ORGANIZATION_ACCOUNTS } from './accounts.ts';
import { openBill, payBill, type TakenBack, takeFromBill } from './bills.ts';
import { anyOf, rowsAs } from './columns.ts';
import { FreeMoney, type ReadUse, releaseHolds, type WishedHold } from './free-money.ts';
import { type Ledger, openAccounts, PostedOtherwise, postedOf, type Transfer } from './ledger.ts';
import {
  adjustLegs,
  type Books,
  type Covered,
  chargeLegs,
  type Due,
  feeLegs,
  givenBack,
  grantLegs,
  type Parts,
  type Purse,
  paidDebt,
  rechargeLegs,
  refundLegs,
  settleLegs,
  spent,
  takenBack,
  takenLegs,
} from './postings.ts';

export interface Balances extends Purse {
  readonly currency: string;
  readonly held: Micros;
  readonly overdraft: Micros;
  /** cash + credits − debt. */
  readonly balance: Micros;
  /** What may still be held: balance − held + overdraft. */
  readonly available: Micros;
}

export interface Charge {
  readonly key: string;
  readonly organizationId: string;
  readonly list: Micros;
  /** After the discount. Below zero: a correction. */
  readonly net: Micros;
  readonly at: Date;
  readonly bill: {
    readonly id: string;
    readonly type: 'consumption' | 'order_consumption';
    readonly source: SourceType;
    readonly accountId?: string | undefined;
    readonly reference: string;
    readonly detail?: string | undefined;
  };
  /** Whose hold was for this: what is charged is held no more. */
  readonly subject?: string | undefined;
  readonly memo?: Readonly<Record<string, string>> | undefined;
}

interface Move {
  readonly key: string;
  readonly organizationId: string;
  readonly amount: Micros;
  readonly at: Date;
  readonly memo?: Readonly<Record<string, string>> | undefined;
}

interface BillWords {
  readonly id: string;
  readonly accountId?: string | undefined;
  readonly reference: string;
  readonly detail?: string | undefined;
}

/** Of a bill that was opened before, or of one that is made with it. */
export type Deposit = Move & { readonly channel: PaymentChannel } & (
    | { readonly billId: string; readonly bill?: undefined }
    | { readonly bill: BillWords; readonly billId?: undefined }
  );
export type Grant = Move & { readonly bill?: BillWords | undefined };
export type Adjustment = Move & {
  /** What is given or taken. Credits are given by `grant`: here they are only taken. */
  readonly of?: 'cash' | 'credits' | undefined;
  readonly bill?: BillWords | undefined;
};
export type Refund = Move & { readonly channel: PaymentChannel; readonly billId: string };
/** Money that has already moved, so that nothing can refuse it. `why`: which amount of the bill it is. */
export type Taking = Refund & { readonly why: 'refund' | 'chargeback' };

export type Hold = typeof holds.$inferSelect;
export type HoldAnswer =
  | { readonly held: true }
  | { readonly held: false; readonly wanted: Micros; readonly available: Micros };

interface Wallet extends Purse {
  readonly organizationId: string;
  readonly currency: string;
  readonly overdraft: Micros;
}

type Work = (tx: Sql, wallet: Wallet) => Promise<Wallet>;

/** By how much a bill changes. */
interface BillChange {
  total: bigint;
  paid: bigint;
  creditUsed: bigint;
  readonly charge: Charge;
  readonly currency: string;
}

/** What was to be bought is not covered; nothing was posted. */
export class NotCovered extends Error {
  override readonly name = 'NotCovered';
  readonly wanted: Micros;
  readonly available: Micros;

  constructor(wanted: Micros, available: Micros) {
    super(`${moneyText(wanted)} are wanted, and ${moneyText(available)} free`);
    this.wanted = wanted;
    this.available = available;
  }
}

/** What a wallet's listener hears. A hold that only takes money is not announced. `cut`: holds keep less than was asked for. */
export type WalletNews = 'posted' | 'freed' | 'cut';

export class Wallets {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #ledger: Ledger;
  readonly #listeners = new Set<(organizationId: string, news: WalletNews) => void>();
  #readUse: ReadUse = async () => [];

  constructor({ db, clock, ledger }: { db: Database; clock: Clock; ledger: Ledger }) {
    this.#db = db;
    this.#clock = clock;
    this.#ledger = ledger;
  }

  /** From now on what was used and is not posted is not free. */
  countUse(readUse: ReadUse): void {
    this.#readUse = readUse;
  }

  /** Tells of every wallet that this process changed, once that is committed; gives the way to stop it. */
  on(listener: (organizationId: string, news: WalletNews) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Its wallet, empty, and its billing profile; once. The organisation's row is there already. */
  async open(organizationId: string, currency: string): Promise<void> {
    await this.#db.transaction((tx) => openWallets(tx, [{ organizationId, currency }]));
  }

  async balances(organizationId: string): Promise<Balances> {
    const read = async (connection: Sql) => {
      const [row] = await connection.select().from(wallets).where(eq(wallets.organizationId, organizationId));
      return row && { row, held: await heldIn(connection, organizationId) };
    };
    const found =
      (await read(this.#db.sql)) ??
      (await this.#db.transaction(async (tx) => {
        await lockWallets(tx, [organizationId]);
        return read(tx);
      }));
    if (!found) throw problem('not_found', { what: organizationId });
    return balancesOf(found.row, found.held);
  }

  /**
   * Usage, of many organisations at once. What is short is owed: this never refuses. Resolves with the keys that were new.
   * `also` runs within the transaction, knowing these; after a serialization failure it is run again.
   */
  charge(
    charges: readonly Charge[],
    also?: (tx: Sql, posted: ReadonlySet<string>) => Promise<void>,
  ): Promise<Set<string>> {
    return this.#charge(charges, also);
  }

  /** What is only sold for money that is free; what was held for its subject is. Throws NotCovered. False: it was bought before. */
  async buy(charge: Charge, also: (tx: Sql, posted: ReadonlySet<string>) => Promise<void>): Promise<boolean> {
    return (await this.#charge([charge], also, true)).has(charge.key);
  }

  async #charge(
    charges: readonly Charge[],
    also?: (tx: Sql, posted: ReadonlySet<string>) => Promise<void>,
    onlyIfFree = false,
  ): Promise<Set<string>> {
    const { posted, changed, cut } = await this.#db.transaction(async (tx) => {
      const before = await lockWallets(
        tx,
        charges.map(({ organizationId }) => organizationId),
      );
      const fresh = await withoutPosted(tx, charges);
      for (const { organizationId, net, subject } of onlyIfFree ? fresh : []) {
        const free = (await this.#free(tx, before.get(organizationId) as Wallet, subject)).free(subject);
        if (net > free) throw new NotCovered(net, free);
      }
      const covered = await coverOf(tx, fresh);
      const purses = new Map(before);
      const transfers: Transfer[] = [];
      const changes = new Map<string, BillChange>();
      for (const charge of fresh) {
        const wallet = purses.get(charge.organizationId) as Wallet;
        const cover = coverAfter(covered.get(charge.bill.id), changes.get(charge.bill.id));
        const { purse, parts } =
          charge.net < 0n ? givenBack(wallet, micros(-charge.net), cover) : spent(wallet, charge.net);
        purses.set(charge.organizationId, { ...wallet, ...purse });
        transfers.push(transferOf(wallet, charge, parts));
        addChange(changes, charge, wallet.currency, parts);
      }
      await this.#ledger.write(tx, transfers);
      await growBills(tx, changes, this.#clock.now());
      for (const { organizationId, key, at } of fresh.filter(({ net }) => net < 0n)) {
        const wallet = purses.get(organizationId) as Wallet;
        purses.set(organizationId, await this.#settle(tx, wallet, key, at));
      }
      const changed = [...purses.values()].filter((wallet) => wallet !== before.get(wallet.organizationId));
      await saveWallets(tx, changed);
      const cut = await useHolds(tx, fresh, this.#clock.now());
      const posted = new Set(fresh.map(({ key }) => key));
      await also?.(tx, posted);
      return { posted, changed, cut };
    });
    for (const { organizationId } of changed) this.#tell(organizationId, 'posted');
    for (const organizationId of cut) this.#tell(organizationId, 'cut');
    return posted;
  }

  /** Money arrived from outside. */
  async deposit(given: Deposit): Promise<void> {
    const { key, organizationId, amount, at, channel, memo } = given;
    await this.#change(organizationId, async (tx, wallet) => {
      const billId = given.billId ?? given.bill.id;
      const legs = rechargeLegs(wallet, channel, amount);
      const transfer = { key, type: 'recharge' as const, ...booksOf(wallet), at, legs, billId, memo };
      if ((await this.#ledger.post(tx, [transfer])).size === 0) return wallet;
      if (given.bill) await openPaid(tx, wallet, given.bill, { type: 'recharge', amount, at, channel });
      else await payBill(tx, billId, amount, at);
      return this.#settle(tx, { ...wallet, cash: micros(wallet.cash + amount) }, key, at);
    });
  }

  /** Credits are given. */
  async grant({ key, organizationId, amount, at, bill, memo }: Grant): Promise<void> {
    await this.#change(organizationId, async (tx, wallet) => {
      const words = bill ?? { id: key, reference: key };
      const legs = grantLegs(wallet, amount);
      const transfer = { key, type: 'grant' as const, ...booksOf(wallet), at, legs, billId: words.id, memo };
      if ((await this.#ledger.post(tx, [transfer])).size === 0) return wallet;
      await openPaid(tx, wallet, words, { type: 'wallet_recharge', amount, at, channel: 'balance' });
      return this.#settle(tx, { ...wallet, credits: micros(wallet.credits + amount) }, key, at);
    });
  }

  /** Staff give, or take: never below zero, and nothing that is held. Throws the problem `wallet_short`. */
  async adjust({ key, organizationId, amount, at, memo, of = 'cash', bill }: Adjustment): Promise<void> {
    if (of === 'credits' && amount > 0n) throw new RangeError('credits are given by a grant');
    await this.#change(organizationId, async (tx, wallet) => {
      const words = bill ?? { id: key, reference: key };
      const legs = adjustLegs(wallet, of, amount);
      const transfer = { key, type: 'adjust' as const, ...booksOf(wallet), at, legs, billId: words.id, memo };
      if ((await this.#ledger.post(tx, [transfer])).size === 0) return wallet;
      if (amount < 0n) await this.#requireFree(tx, wallet, of, micros(-amount));
      await openPaid(tx, wallet, words, { type: 'wallet_recharge', amount, at, channel: 'balance' });
      return this.#settle(tx, { ...wallet, [of]: micros(wallet[of] + amount) }, key, at);
    });
  }

  /** Money is to go back outside: cash that nothing holds. Throws the problem `wallet_short`. The bill is `refunding` from then on. */
  async refund({ key, organizationId, amount, at, channel, billId, memo }: Refund): Promise<void> {
    await this.#change(organizationId, async (tx, wallet) => {
      const legs = refundLegs(wallet, channel, amount);
      const transfer = { key, type: 'refund' as const, ...booksOf(wallet), at, legs, billId, memo };
      if ((await this.#ledger.post(tx, [transfer])).size === 0) return wallet;
      await this.#requireFree(tx, wallet, 'cash', amount);
      await takeFromBill(tx, billId, { refunded: amount }, { at: new Date(this.#clock.now()), begins: true });
      return { ...wallet, cash: micros(wallet.cash - amount) };
    });
  }

  /** Money went back without us: cash first, and the shortfall is owed. Never refuses. */
  async takeBack({ key, organizationId, amount, at, channel, billId, memo, why }: Taking): Promise<void> {
    await this.#changeAndFit(organizationId, async (tx, wallet) => {
      // The legs go by what there was then: asked again, only the rest is compared.
      if (await isTaken(tx, { key, type: why, organizationId, billId, amount })) return wallet;
      const { purse, parts } = takenBack(wallet, amount);
      const legs = takenLegs(wallet, channel, parts);
      await this.#ledger.write(tx, [{ key, type: why, ...booksOf(wallet), at, legs, billId, memo }]);
      const now = this.#clock.now();
      await takeFromBill(tx, billId, { ...AMOUNT_OF[why](amount), owed: parts.debt }, { at: new Date(now) });
      return this.#settle(tx, { ...wallet, ...purse }, key, at);
    });
  }

  /** Money that had gone out came back: a refund failed or a dispute was won. Like all money that comes in, it pays debt first. */
  async giveBack({ key, organizationId, amount, at, channel, billId, memo, why }: Taking): Promise<void> {
    await this.#change(organizationId, async (tx, wallet) => {
      const legs = rechargeLegs(wallet, channel, amount);
      const transfer = { key, type: `${why}_return` as const, ...booksOf(wallet), at, legs, billId, memo };
      // Before there was a type for it, what came back was a recharge of the same key.
      const posted = (await postedOf(tx, [key])).get(key);
      if (posted?.type === 'recharge') return wallet;
      if ((await this.#ledger.post(tx, [transfer])).size === 0) return wallet;
      await takeFromBill(tx, billId, AMOUNT_OF[why](micros(-amount)), { at: new Date(this.#clock.now()) });
      return this.#settle(tx, { ...wallet, cash: micros(wallet.cash + amount) }, key, at);
    });
  }

  /** What the provider takes for a dispute, or gives back (below zero). It is the platform's: no wallet changes. */
  async payFee({
    currency,
    ...fee
  }: Omit<Move, 'memo'> & { channel: PaymentChannel; currency: string }): Promise<void> {
    const { key, organizationId, amount, at, channel } = fee;
    await this.#change(organizationId, async (tx, wallet) => {
      const books = { organizationId, currency };
      const type = amount < 0n ? ('dispute_fee_return' as const) : ('dispute_fee' as const);
      await this.#ledger.post(tx, [{ key, type, ...books, at, legs: feeLegs(books, channel, amount) }]);
      return wallet;
    });
  }

  /** How far below zero an organisation may go before anything is refused. */
  async setOverdraft(organizationId: string, overdraft: Micros): Promise<void> {
    await this.#changeAndFit(organizationId, async (tx, wallet) => {
      await tx.update(wallets).set({ overdraft }).where(eq(wallets.organizationId, organizationId));
      return { ...wallet, overdraft };
    });
  }

  /**
   * Many decisions over one look: `work` decides under the lock of the wallet, and what it holds and releases is written with it.
   * `subjects`: those whose own hold may be replaced. After a serialization failure it is run again.
   */
  async spend<T>(
    organizationId: string,
    subjects: readonly string[],
    work: (money: FreeMoney, tx: Sql) => Promise<T> | T,
  ): Promise<T> {
    const { result, isFreed } = await this.#db.transaction(async (tx) => {
      const wallet = (await lockWallets(tx, [organizationId])).get(organizationId) as Wallet;
      const money = await this.#free(tx, wallet, ...subjects);
      const result = await work(money, tx);
      return { result, isFreed: await money.save(tx) };
    });
    if (isFreed) this.#tell(organizationId, 'freed');
    return result;
  }

  /** The same look without the lock: for answers that nothing is held by. */
  async look(organizationId: string, subjects: readonly string[]): Promise<FreeMoney> {
    const balances = await this.balances(organizationId);
    const { currency, balance, overdraft } = balances;
    const place = { organizationId, currency, room: micros(balance + overdraft) };
    return FreeMoney.read(this.#db.sql, place, subjects, this.#readUse, this.#clock.now());
  }

  /** Keeps money in place of what the subject held before; or says what is free. Holding nothing is always granted. */
  hold({ organizationId, ...wished }: WishedHold & { organizationId: string }): Promise<HoldAnswer> {
    return this.spend(organizationId, [wished.subject], (money) => {
      const available = money.free(wished.subject);
      if (wished.amount > 0n && wished.amount > available) return { held: false, wanted: wished.amount, available };
      money.hold(wished);
      return { held: true };
    });
  }

  async release(...subjects: readonly string[]): Promise<void> {
    for (const organizationId of await releaseHolds(this.#db.sql, subjects)) this.#tell(organizationId, 'freed');
  }

  /** In the order of their end. That time only says what the money is for: a hold ends by being posted, replaced or released. */
  holdsOf(organizationId: string): Promise<Hold[]> {
    return this.#db.sql
      .select()
      .from(holds)
      .where(eq(holds.organizationId, organizationId))
      .orderBy(holds.until, holds.subject);
  }

  /** Those of all organisations whose time is over, or that were cut. */
  endedHolds(): Promise<Hold[]> {
    return this.#db.sql
      .select()
      .from(holds)
      .where(lte(holds.until, new Date(this.#clock.now())));
  }

  async #change(organizationId: string, work: Work, cutHolds?: typeof fitHolds): Promise<void> {
    const { isChanged, cut } = await this.#db.transaction(async (tx) => {
      const wallet = (await lockWallets(tx, [organizationId])).get(organizationId) as Wallet;
      const after = await work(tx, wallet);
      if (after === wallet) return { isChanged: false, cut: [] };
      await saveWallets(tx, [after]);
      return { isChanged: true, cut: (await cutHolds?.(tx, [organizationId], this.#clock.now())) ?? [] };
    });
    if (isChanged) this.#tell(organizationId, 'posted');
    for (const one of cut) this.#tell(one, 'cut');
  }

  /** Where less may be there than is held. */
  #changeAndFit(organizationId: string, work: Work): Promise<void> {
    return this.#change(organizationId, work, fitHolds);
  }

  #tell(organizationId: string, news: WalletNews): void {
    for (const listener of this.#listeners) listener(organizationId, news);
  }

  #free(tx: Sql, wallet: Wallet, ...subjects: readonly (string | undefined)[]): Promise<FreeMoney> {
    const { organizationId, currency } = wallet;
    const { balance, overdraft } = balancesOf(wallet, ZERO);
    const place = { organizationId, currency, room: micros(balance + overdraft) };
    const own = subjects.filter((subject) => subject !== undefined);
    return FreeMoney.read(tx, place, own, this.#readUse, this.#clock.now());
  }

  /** `cause`: the key of what brought the money. */
  async #settle(tx: Sql, wallet: Wallet, cause: string, at: Date): Promise<Wallet> {
    if (wallet.debt <= 0n || wallet.cash + wallet.credits <= 0n) return wallet;
    const { purse, settlements } = paidDebt(wallet, await dueOf(tx, wallet.organizationId));
    await this.#ledger.write(
      tx,
      settlements.map((settlement) => ({
        key: `${cause}/settle/${settlement.billId}`,
        type: 'settle',
        ...booksOf(wallet),
        at,
        legs: settleLegs(wallet, settlement),
        billId: settlement.billId,
      })),
    );
    await coverBills(tx, settlements, this.#clock.now());
    return { ...wallet, ...purse };
  }

  async #requireFree(tx: Sql, wallet: Wallet, of: 'cash' | 'credits', wanted: Micros): Promise<void> {
    const free = least(wallet[of], (await this.#free(tx, wallet)).free());
    if (wanted > free)
      throw problem('wallet_short', {
        available: moneyText(free < 0n ? ZERO : free),
        wanted: moneyText(wanted),
        currency: wallet.currency,
      });
  }
}

const AMOUNT_OF: Record<Taking['why'], (amount: Micros) => TakenBack> = {
  refund: (refunded) => ({ refunded }),
  chargeback: (chargedBack) => ({ chargedBack }),
};

/** Throws PostedOtherwise where the key is of something else. */
async function isTaken(
  tx: Sql,
  { key, ...wanted }: Pick<Taking, 'key' | 'organizationId' | 'billId' | 'amount'> & { type: Transfer['type'] },
): Promise<boolean> {
  const posted = (await postedOf(tx, [key])).get(key);
  if (!posted) return false;
  const { type, organizationId, billId } = posted;
  const isSame =
    type === wanted.type &&
    organizationId === wanted.organizationId &&
    billId === wanted.billId &&
    sumOf(posted.legs.map(({ amount }) => amount)) === wanted.amount;
  if (!isSame) throw new PostedOtherwise(key);
  return true;
}

const booksOf = ({ organizationId, currency }: Wallet): Books => ({ organizationId, currency });

const IS_USE = sql.raw(`type in ('consumption', 'order_consumption')`);

const instant = (now: number) => sql`${new Date(now).toISOString()}::timestamptz`;

function balancesOf(
  { currency, cash, credits, debt, overdraft }: Omit<Wallet, 'organizationId'>,
  held: Micros,
): Balances {
  const balance = micros(cash + credits - debt);
  return { currency, cash, credits, debt, held, overdraft, balance, available: micros(balance - held + overdraft) };
}

async function openWallets(tx: Sql, wanted: readonly { organizationId: string; currency: string }[]): Promise<void> {
  const given = rowsAs('given', wanted, {
    org: ['text', ({ organizationId }) => organizationId],
    currency: ['text', ({ currency }) => currency],
  });
  await tx.execute(
    sql`insert into wallets (org_id, currency, cash, credits, debt, overdraft)
      select org, currency, 0, 0, 0, 0 from ${given} order by org on conflict (org_id) do nothing`,
  );
  await tx.execute(
    sql`insert into billing_profiles (org_id) select org from ${given} order by org on conflict (org_id) do nothing`,
  );
  await openAccounts(
    tx,
    wanted.flatMap((books) => ORGANIZATION_ACCOUNTS.map((type) => accountOf(books, type, books.currency))),
  );
}

interface WalletRow {
  org: string;
  currency: string;
  cash: string;
  credits: string;
  debt: string;
  overdraft: string;
}

/** By organisation, locked in their order: so that no two transactions wait for each other. One that is missing is opened. */
async function lockWallets(tx: Sql, wanted: readonly string[]): Promise<Map<string, Wallet>> {
  const ids = [...new Set(wanted)];
  const lock = async () => {
    const rows = await rowsOf<WalletRow>(
      tx,
      sql`select org_id as org, currency, cash::text, credits::text, debt::text, overdraft::text from wallets
        where org_id = ${anyOf(ids)} order by org_id for update`,
    );
    return new Map(rows.map((row) => [row.org, walletOf(row)]));
  };
  const found = await lock();
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length === 0) return found;
  const organizations = await rowsOf<{ organizationId: string; currency: string }>(
    tx,
    sql`select id as "organizationId", currency from organizations where id = ${anyOf(missing)}`,
  );
  await openWallets(tx, organizations);
  const all = await lock();
  const unknown = ids.find((id) => !all.has(id));
  if (unknown !== undefined) throw problem('not_found', { what: unknown });
  return all;
}

const walletOf = ({ org, currency, cash, credits, debt, overdraft }: WalletRow): Wallet => ({
  organizationId: org,
  currency,
  cash: micros(BigInt(cash)),
  credits: micros(BigInt(credits)),
  debt: micros(BigInt(debt)),
  overdraft: micros(BigInt(overdraft)),
});

async function saveWallets(tx: Sql, changed: readonly Wallet[]): Promise<void> {
  if (changed.length === 0) return;
  const given = rowsAs('given', changed, {
    org: ['text', ({ organizationId }) => organizationId],
    cash: ['bigint', ({ cash }) => cash],
    credits: ['bigint', ({ credits }) => credits],
    debt: ['bigint', ({ debt }) => debt],
  });
  await tx.execute(
    sql`update wallets set cash = given.cash, credits = given.credits, debt = given.debt from ${given} where org_id = given.org`,
  );
}

async function heldIn(connection: Sql, organizationId: string): Promise<Micros> {
  const [row] = await rowsOf<{ held: string }>(
    connection,
    sql`select coalesce(sum(amount), 0)::text as held from holds where org_id = ${organizationId}`,
  );
  return micros(BigInt(row?.held ?? 0));
}

/** Those not posted yet. Throws PostedOtherwise for a known key with another price, organisation or bill. */
async function withoutPosted(tx: Sql, charges: readonly Charge[]): Promise<Charge[]> {
  const byKey = new Map<string, Charge>();
  for (const charge of charges) {
    const other = byKey.get(charge.key);
    if (other && !isCharge(charge, other.organizationId, other.bill.id, other)) throw new PostedOtherwise(charge.key);
    byKey.set(charge.key, other ?? charge);
  }
  const posted = await postedOf(tx, [...byKey.keys()]);
  for (const [key, transfer] of posted) {
    const charge = byKey.get(key) as Charge;
    if (!isCharge(charge, transfer.organizationId, transfer.billId, priceOf(transfer))) throw new PostedOtherwise(key);
  }
  return [...byKey.values()].filter(({ key }) => !posted.has(key));
}

const isCharge = (
  { organizationId, bill, list, net }: Charge,
  organization: string,
  billId: string | undefined,
  price: { list: bigint; net: bigint },
): boolean => organizationId === organization && bill.id === billId && list === price.list && net === price.net;

/** Read back from its legs: revenue has the list price, the discount is not the organisation's. */
function priceOf({ legs }: Transfer): { list: bigint; net: bigint } {
  let [list, discount] = [0n, 0n];
  const isOf = (account: string, type: string) => account.startsWith(`platform/${type}/`);
  for (const { debit, credit, amount } of legs) {
    if (isOf(credit, 'revenue')) list += amount;
    if (isOf(debit, 'revenue')) list -= amount;
    if (isOf(debit, 'discounts')) discount += amount;
    if (isOf(credit, 'discounts')) discount -= amount;
  }
  return { list, net: list - discount };
}

/** Of the bills that a correction is for: how they are covered now. */
async function coverOf(tx: Sql, charges: readonly Charge[]): Promise<Map<string, Covered>> {
  const ids = charges.filter(({ net }) => net < 0n).map(({ bill }) => bill.id);
  if (ids.length === 0) return new Map();
  const rows = await rowsOf<{ id: string; total: string; paid: string; used: string }>(
    tx,
    sql`select id, total::text, paid::text, credit_used::text as used from bills
      where id = ${anyOf(ids)}`,
  );
  return new Map(
    rows.map(({ id, total, paid, used }) => [
      id,
      {
        paid: micros(BigInt(paid)),
        creditUsed: micros(BigInt(used)),
        short: micros(BigInt(total) - BigInt(paid) - BigInt(used)),
      },
    ]),
  );
}

const NOT_COVERED: Covered = { paid: ZERO, creditUsed: ZERO, short: ZERO };

function coverAfter(before: Covered = NOT_COVERED, change: BillChange | undefined): Covered {
  if (!change) return before;
  return {
    paid: micros(before.paid + change.paid),
    creditUsed: micros(before.creditUsed + change.creditUsed),
    short: micros(before.short + change.total - change.paid - change.creditUsed),
  };
}

function transferOf(wallet: Wallet, charge: Charge, parts: Parts): Transfer {
  const { key, at, bill, memo, net } = charge;
  const legs = chargeLegs(wallet, charge, parts);
  return { key, type: net < 0n ? 'correction' : 'charge', ...booksOf(wallet), at, legs, billId: bill.id, memo };
}

function addChange(changes: Map<string, BillChange>, charge: Charge, currency: string, parts: Parts): void {
  const change = changes.get(charge.bill.id) ?? { total: 0n, paid: 0n, creditUsed: 0n, charge, currency };
  const sign = charge.net < 0n ? -1n : 1n;
  change.total += charge.net;
  change.paid += sign * parts.cash;
  change.creditUsed += sign * parts.credits;
  changes.set(charge.bill.id, change);
}

/** What the amounts of a bill of use say: `statusByCover` in SQL. */
const STATUS_BY_COVER = (total: string, paid: string, used: string) =>
  sql.raw(
    `case when ${paid} + ${used} >= ${total} then 'paid' when ${paid} + ${used} > 0 then 'partially_paid' else 'unpaid' end`,
  );

/** An order's bill says its price while its money is held: its charge is that price, and not more of it. */
async function growBills(tx: Sql, changes: ReadonlyMap<string, BillChange>, now: number): Promise<void> {
  if (changes.size === 0) return;
  const given = rowsAs('given', [...changes.values()], {
    id: ['text', ({ charge }) => charge.bill.id],
    org: ['text', ({ charge }) => charge.organizationId],
    currency: ['text', ({ currency }) => currency],
    type: ['text', ({ charge }) => charge.bill.type],
    status: ['text', statusByCover],
    at: ['timestamptz', ({ charge }) => charge.at],
    total: ['bigint', ({ total }) => total],
    paid: ['bigint', ({ paid }) => paid],
    used: ['bigint', ({ creditUsed }) => creditUsed],
    source: ['text', ({ charge }) => charge.bill.source],
    account: ['text', ({ charge }) => charge.bill.accountId],
    reference: ['text', ({ charge }) => charge.bill.reference],
    detail: ['text', ({ charge }) => charge.bill.detail],
  });
  const total = `(case when b.status = 'prepaying' then excluded.total else b.total + excluded.total end)`;
  const paid = '(b.paid + excluded.paid)';
  const used = '(b.credit_used + excluded.credit_used)';
  await tx.execute(
    sql`insert into bills as b (id, org_id, currency, type, status, at, changed_at, total, paid, credit_used, channel, source, account_id, reference, detail)
      select id, org, currency, type, status, at, ${instant(now)}, total, paid, used, 'balance', source, account, reference,
        coalesce(detail, '')
      from ${given}
      on conflict (id) do update set changed_at = excluded.changed_at, total = ${sql.raw(total)}, paid = ${sql.raw(paid)},
        credit_used = ${sql.raw(used)}, status = ${STATUS_BY_COVER(total, paid, used)},
        detail = coalesce(nullif(excluded.detail, ''), b.detail)`,
  );
}

/** What the organisation owes: what its bills of use lack, and what went back of top-ups beyond what there was; the oldest first. */
async function dueOf(tx: Sql, organizationId: string): Promise<Due[]> {
  const rows = await rowsOf<{ id: string; short: string }>(
    tx,
    sql`select id, short::text from (
        select id, at, total - paid - credit_used as short from bills
        where org_id = ${organizationId} and ${IS_USE} and status in ('unpaid', 'partially_paid') and total > paid + credit_used
        union all select id, at, owed from bills where org_id = ${organizationId} and owed > 0
      ) due order by at, id`,
  );
  return rows.map(({ id, short }) => ({ billId: id, short: micros(BigInt(short)) }));
}

async function coverBills(
  tx: Sql,
  settlements: readonly { billId: string; cash: Micros; credits: Micros }[],
  now: number,
): Promise<void> {
  const given = rowsAs('given', settlements, {
    id: ['text', ({ billId }) => billId],
    cash: ['bigint', ({ cash }) => cash],
    credits: ['bigint', ({ credits }) => credits],
  });
  const [paid, used] = ['(b.paid + given.cash)', '(b.credit_used + given.credits)'];
  await tx.execute(
    sql`update bills b set changed_at = ${instant(now)}, paid = ${sql.raw(paid)}, credit_used = ${sql.raw(used)},
        status = ${STATUS_BY_COVER('b.total', paid, used)}
      from ${given} where b.id = given.id and b.${IS_USE}`,
  );
  // Of a top-up the amounts stay what they are: only what is owed of it falls.
  await tx.execute(
    sql`update bills b set changed_at = ${instant(now)}, owed = b.owed - given.cash - given.credits
      from ${given} where b.id = given.id and b.owed > 0`,
  );
}

/** What is charged is held no more. Resolves with the organisations of which holds were cut. */
async function useHolds(tx: Sql, charges: readonly Charge[], now: number): Promise<string[]> {
  const used = Map.groupBy(
    charges.filter(({ subject, net }) => subject !== undefined && net > 0n),
    ({ subject }) => subject as string,
  );
  if (used.size > 0) {
    const given = rowsAs('given', [...used], {
      subject: ['text', ([subject]) => subject],
      amount: ['bigint', ([, those]) => sumOf(those.map(({ net }) => net))],
    });
    // A hold that is used up covers nothing later.
    await tx.execute(
      sql`update holds h set amount = greatest(0, h.amount - given.amount),
          until = case when h.amount > given.amount then h.until else least(h.until, ${instant(now)}) end
        from ${given} where h.subject = given.subject`,
    );
  }
  return fitHolds(tx, [...new Set(charges.map(({ organizationId }) => organizationId))], now);
}

/**
 * No hold lasts beyond what is there: those that end last are cut first. What is cut covers nothing from now on: what its
 * subject uses counts by itself. Resolves with the organisations of those.
 */
async function fitHolds(tx: Sql, organizations: readonly string[], now: number): Promise<string[]> {
  if (organizations.length === 0) return [];
  const rows = await rowsOf<{ org: string }>(
    tx,
    sql`update holds h set amount = fit.amount, until = least(h.until, ${instant(now)}) from (
        select subject, greatest(0, least(amount, room - before)) as amount from (
          select h.subject, h.amount, greatest(0, w.cash + w.credits - w.debt + w.overdraft) as room,
            coalesce(sum(h.amount) over (partition by h.org_id order by h.until, h.subject
              rows between unbounded preceding and 1 preceding), 0) as before
          from holds h join wallets w on w.org_id = h.org_id
          where h.org_id = ${anyOf(organizations)}
        ) placed
      ) fit where h.subject = fit.subject and h.amount > fit.amount returning h.org_id as org`,
  );
  return [...new Set(rows.map(({ org }) => org))];
}

async function openPaid(
  tx: Sql,
  { organizationId, currency }: Wallet,
  bill: BillWords,
  {
    type,
    amount,
    at,
    channel,
  }: { type: 'recharge' | 'wallet_recharge'; amount: Micros; at: Date; channel: PaymentChannel },
): Promise<void> {
  const isNew = await openBill(tx, {
    ...bill,
    organizationId,
    currency,
    type,
    status: 'paid',
    at,
    total: amount,
    channel,
  });
  if (!isNew) throw new Error(`bill ${bill.id} is there already, and not of this transfer`);
  await tx.execute(sql`update bills set paid = ${`${amount}`}::bigint where id = ${bill.id}`);
}
