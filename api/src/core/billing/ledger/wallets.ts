// An organisation's wallet, and every change of it. Each method is one transaction under the lock of the wallet's row, is
// idempotent, and keeps wallet, books and bills consistent. A debtor's incoming money pays the debt first.
import type { PaymentChannel } from '@gantry/contract/billing/bill.ts';
import { least, type Micros, micros, moneyText, ZERO } from '@gantry/contract/fields/money.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Database, Sql } from '../../../platform/db/open.ts';
import { type BillWords, coverBills, growBills, openPaid, readCovers, readDue } from './bill-rows.ts';
import { payBill, type TakenBack, takeFromBill } from './bills.ts';
import { FreeMoney, type ReadUse } from './free-money.ts';
import {
  fitHolds,
  type Hold,
  type HoldRequest,
  readEndedHolds,
  readHeld,
  readHolds,
  releaseHolds,
  useHolds,
} from './hold-rows.ts';
import { type Ledger, postedOf } from './ledger.ts';
import {
  adjustLegs,
  feeLegs,
  grantLegs,
  paidDebt,
  rechargeLegs,
  refundLegs,
  settleLegs,
  takenBack,
  takenLegs,
} from './postings.ts';
import { lockWallets, openWallets, readWallet, writeOverdraft, writeWallets } from './wallet-rows.ts';
import {
  afterCharges,
  type Balances,
  balancesOf,
  booksOf,
  type Charge,
  chargesByKey,
  isTaken,
  usedHolds,
  type Wallet,
  withoutPosted,
} from './wallet-rules.ts';

interface Move {
  readonly key: string;
  readonly organizationId: string;
  readonly amount: Micros;
  readonly at: Date;
  readonly memo?: Readonly<Record<string, string>> | undefined;
}

/** For a bill that was opened before, or one that is created with it. */
export type Deposit = Move & { readonly channel: PaymentChannel } & (
    | { readonly billId: string; readonly bill?: undefined }
    | { readonly bill: BillWords; readonly billId?: undefined }
  );
/**
 * May refuse a new transfer by throwing, under the lock of the wallet's row, so that two at once do not both pass. It sees the
 * transfer that it decides about.
 */
interface Checked {
  readonly check?: ((tx: Sql) => Promise<void>) | undefined;
}
export type Grant = Move & Checked & { readonly bill?: BillWords | undefined };
export type Adjustment = Move &
  Checked & {
    /** Which balance changes. `grant` gives credits: here they are only taken. */
    readonly of?: 'cash' | 'credits' | undefined;
    readonly bill?: BillWords | undefined;
  };
export type Refund = Move & { readonly channel: PaymentChannel; readonly billId: string };
/** Money that has already moved, so that nothing can refuse it. `why`: which amount of the bill it is. */
export type Taking = Refund & { readonly why: 'refund' | 'chargeback' };

export type HoldAnswer =
  | { readonly held: true }
  | { readonly held: false; readonly wanted: Micros; readonly available: Micros };

type Work = (tx: Sql, wallet: Wallet) => Promise<Wallet>;

/** The purchase is not covered; nothing was posted. */
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

/** News for a wallet's listeners. A hold that only takes money is not announced. `cut`: holds keep less than requested. */
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

  /** Reports every wallet that this process changed, after the commit. Returns how to unsubscribe. */
  on(listener: (organizationId: string, news: WalletNews) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Its wallet, empty, and its billing profile; once. The organisation's row is there already. */
  async open(organizationId: string, currency: string): Promise<void> {
    await this.#db.transaction((tx) => openWallets(tx, [{ organizationId, currency }]));
  }

  async balances(organizationId: string): Promise<Balances> {
    const wallet = await this.#read(organizationId);
    return balancesOf(wallet, await readHeld(this.#db.sql, organizationId));
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

  /**
   * A purchase that only free money pays for, plus whatever was held for its subject. Throws NotCovered. False: it was bought
   * before.
   */
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
      const byKey = chargesByKey(charges);
      const fresh = withoutPosted(byKey, await postedOf(tx, [...byKey.keys()]));
      for (const { organizationId, net, subject } of onlyIfFree ? fresh : []) {
        const free = (await this.#free(tx, before.get(organizationId) as Wallet, subject)).free(subject);
        if (net > free) throw new NotCovered(net, free);
      }
      const corrections = fresh.filter(({ net }) => net < 0n);
      const covers = await readCovers(
        tx,
        corrections.map(({ bill }) => bill.id),
      );
      const { wallets, transfers, bills } = afterCharges(before, fresh, covers);
      await this.#ledger.write(tx, transfers);
      await growBills(tx, bills, this.#clock.now());
      for (const { organizationId, key, at } of corrections) {
        const wallet = wallets.get(organizationId) as Wallet;
        wallets.set(organizationId, await this.#settle(tx, wallet, key, at));
      }
      const changed = [...wallets.values()].filter((wallet) => wallet !== before.get(wallet.organizationId));
      await writeWallets(tx, changed);
      await useHolds(tx, usedHolds(fresh), this.#clock.now());
      const spenders = new Set(fresh.map(({ organizationId }) => organizationId));
      const cut = await fitHolds(tx, [...spenders], this.#clock.now());
      const posted = new Set(fresh.map(({ key }) => key));
      await also?.(tx, posted);
      return { posted, changed, cut };
    });
    for (const { organizationId } of changed) this.#tell(organizationId, 'posted');
    for (const organizationId of cut) this.#tell(organizationId, 'cut');
    return posted;
  }

  /** Money arrived from outside. */
  async deposit(deposit: Deposit): Promise<void> {
    const { key, organizationId, amount, at, channel, memo } = deposit;
    await this.#change(organizationId, async (tx, wallet) => {
      const billId = deposit.billId ?? deposit.bill.id;
      const legs = rechargeLegs(wallet, channel, amount);
      const transfer = { key, type: 'recharge' as const, ...booksOf(wallet), at, legs, billId, memo };
      if ((await this.#ledger.post(tx, [transfer])).size === 0) return wallet;
      if (deposit.bill) await openPaid(tx, wallet, deposit.bill, { type: 'recharge', amount, at, channel });
      else await payBill(tx, billId, amount, at);
      return this.#settle(tx, { ...wallet, cash: micros(wallet.cash + amount) }, key, at);
    });
  }

  /** Credits are given. */
  async grant({ key, organizationId, amount, at, bill, memo, check }: Grant): Promise<void> {
    await this.#change(organizationId, async (tx, wallet) => {
      const words = bill ?? { id: key, reference: key };
      const legs = grantLegs(wallet, amount);
      const transfer = { key, type: 'grant' as const, ...booksOf(wallet), at, legs, billId: words.id, memo };
      if ((await this.#ledger.post(tx, [transfer])).size === 0) return wallet;
      await check?.(tx);
      await openPaid(tx, wallet, words, { type: 'wallet_recharge', amount, at, channel: 'balance' });
      return this.#settle(tx, { ...wallet, credits: micros(wallet.credits + amount) }, key, at);
    });
  }

  /** Staff give, or take: never below zero, and nothing that is held. Throws the problem `wallet_short`. */
  async adjust({ key, organizationId, amount, at, memo, of = 'cash', bill, check }: Adjustment): Promise<void> {
    if (of === 'credits' && amount > 0n) throw new RangeError('credits are given by a grant');
    await this.#change(organizationId, async (tx, wallet) => {
      const words = bill ?? { id: key, reference: key };
      const legs = adjustLegs(wallet, of, amount);
      const transfer = { key, type: 'adjust' as const, ...booksOf(wallet), at, legs, billId: words.id, memo };
      if ((await this.#ledger.post(tx, [transfer])).size === 0) return wallet;
      await check?.(tx);
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
      const posted = (await postedOf(tx, [key])).get(key);
      if (isTaken(posted, { type: why, organizationId, billId, amount })) return wallet;
      const { balance, parts } = takenBack(wallet, amount);
      const legs = takenLegs(wallet, channel, parts);
      await this.#ledger.write(tx, [{ key, type: why, ...booksOf(wallet), at, legs, billId, memo }]);
      const now = this.#clock.now();
      await takeFromBill(tx, billId, { ...AMOUNT_OF[why](amount), owed: parts.debt }, { at: new Date(now) });
      return this.#settle(tx, { ...wallet, ...balance }, key, at);
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

  /** The provider's fee for a dispute, or its return (negative). It is the platform's: no wallet changes. */
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
      await writeOverdraft(tx, organizationId, overdraft);
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
    return this.#freeOf(this.#db.sql, organizationId, subjects, () => this.#read(organizationId));
  }

  /** Keeps money in place of what the subject held before; or says what is free. Holding nothing is always granted. */
  hold({ organizationId, ...request }: HoldRequest & { organizationId: string }): Promise<HoldAnswer> {
    return this.spend(organizationId, [request.subject], (money) => {
      const available = money.free(request.subject);
      if (request.amount > 0n && request.amount > available) return { held: false, wanted: request.amount, available };
      money.hold(request);
      return { held: true };
    });
  }

  async release(...subjects: readonly string[]): Promise<void> {
    for (const organizationId of await releaseHolds(this.#db.sql, subjects)) this.#tell(organizationId, 'freed');
  }

  /** In the order of their end. That time only says what the money is for: a hold ends by being posted, replaced or released. */
  holdsOf(organizationId: string): Promise<Hold[]> {
    return readHolds(this.#db.sql, organizationId);
  }

  /** Those of all organisations whose time is over, or that were cut. */
  endedHolds(): Promise<Hold[]> {
    return readEndedHolds(this.#db.sql, this.#clock.now());
  }

  async #change(organizationId: string, work: Work, cutHolds?: typeof fitHolds): Promise<void> {
    const { isChanged, cut } = await this.#db.transaction(async (tx) => {
      const wallet = (await lockWallets(tx, [organizationId])).get(organizationId) as Wallet;
      const after = await work(tx, wallet);
      if (after === wallet) return { isChanged: false, cut: [] };
      await writeWallets(tx, [after]);
      return { isChanged: true, cut: (await cutHolds?.(tx, [organizationId], this.#clock.now())) ?? [] };
    });
    if (isChanged) this.#tell(organizationId, 'posted');
    for (const one of cut) this.#tell(one, 'cut');
  }

  /** For changes after which less may be there than is held. */
  #changeAndFit(organizationId: string, work: Work): Promise<void> {
    return this.#change(organizationId, work, fitHolds);
  }

  #tell(organizationId: string, news: WalletNews): void {
    for (const listener of this.#listeners) listener(organizationId, news);
  }

  /** Without a lock. One that is missing is opened. */
  async #read(organizationId: string): Promise<Wallet> {
    const wallet =
      (await readWallet(this.#db.sql, organizationId)) ??
      (await this.#db.transaction((tx) => lockWallets(tx, [organizationId]))).get(organizationId);
    if (!wallet) throw problem('not_found', { what: organizationId });
    return wallet;
  }

  #free(tx: Sql, wallet: Wallet, ...subjects: readonly (string | undefined)[]): Promise<FreeMoney> {
    const own = subjects.filter((subject) => subject !== undefined);
    return this.#freeOf(tx, wallet.organizationId, own, () => wallet);
  }

  #freeOf(
    connection: Sql,
    organizationId: string,
    subjects: readonly string[],
    readWallet: () => Wallet | Promise<Wallet>,
  ): Promise<FreeMoney> {
    const reading = { connection, organizationId, subjects, readUse: this.#readUse, now: this.#clock.now() };
    return FreeMoney.read(reading, async () => {
      const wallet = await readWallet();
      const { balance, overdraft } = balancesOf(wallet, ZERO);
      return { organizationId, currency: wallet.currency, room: micros(balance + overdraft) };
    });
  }

  /** `cause`: the key of what brought the money. */
  async #settle(tx: Sql, wallet: Wallet, cause: string, at: Date): Promise<Wallet> {
    if (wallet.debt <= 0n || wallet.cash + wallet.credits <= 0n) return wallet;
    const { balance, settlements } = paidDebt(wallet, await readDue(tx, wallet.organizationId));
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
    return { ...wallet, ...balance };
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
