// Cards that are kept: for a visitor who pressed "Start", for the organisation that the visitor turned out to be, and for each new instance
// until a node has it. SQL decides, one call at a time over all gateways; what is shown as free follows a copy.
import { randomUUID } from 'node:crypto';
import { CLAIMED_HOLD_SECONDS, HOLD_SECONDS, type HoldView } from '@gantry/contract/areas/portal/holds.ts';
import { type Micros, moneyText } from '@gantry/contract/fields/money.ts';
import { exactMoney } from '@gantry/contract/fields/shown-money.ts';
import { gpuName } from '@gantry/contract/gpu-name.ts';
import { type Problem, problem } from '@gantry/contract/http/problem.ts';
import { type Clock, repeatedly } from '@gantry/kube/clock.ts';
import { and, eq, gt, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Database, Sql } from '../../platform/db/open.ts';
import { cardHolds } from '../../platform/db/schema/portal.ts';
import { addressKey } from '../../platform/http/rate-limits.ts';
import { newToken, sha256 } from '../../platform/secrets.ts';
import { type CardKeeping, type CardWish, type HeldCards, roomOf, type TakenCards } from './held-rooms.ts';
import type { KindStore } from './kind-store.ts';

type Row = typeof cardHolds.$inferSelect;

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
/** How old the copy is at most, where another gateway may have changed the rows. */
const LOOK_MS = 1_000;
/** How long a new instance has to get to its node before its cards count as anybody's. */
const ON_THE_WAY_MS = 60_000;
/** Of visitors, altogether; of one address at once, and in an hour. */
const MOST_OPEN = 500;
const MOST_OF_ADDRESS = 3;
const MOST_AN_HOUR = 30;
/** So often in an hour a claim lengthens a hold of one organisation. */
const MOST_LENGTHENED = 6;
/** Visitors who wait for their turn here: beyond that they would hold up whoever makes an instance. */
const MOST_WAITING = 200;
/** "hold" as a number among the advisory locks. */
const LOCK = 0x68_6f_6c_64;

interface Parts {
  db: Database;
  clock: Clock;
  log: { warn(facts: object, text: string): void };
  kinds: Pick<KindStore, 'region' | 'regions' | 'at'>;
  /** For hashes of addresses. */
  key: string;
  /** The installation's. */
  currency: string;
}

export interface WishedHold {
  model: string;
  gpus: number;
  /** Where it may be, the best first. */
  regions: readonly string[];
  /** One that this takes the place of. */
  instead?: string | undefined;
}

export class CardHolds implements CardKeeping {
  readonly #parts: Parts;
  #open: readonly Row[] = [];
  #reading: Promise<unknown> = Promise.resolve();
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Follows the rows until the signal. A PGlite folder has one process: nobody else changes them. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, db, log } = this.#parts;
    const failed = (error: unknown) => log.warn({ err: error }, 'holds of GPUs were not read');
    if (db.kind === 'pglite') await this.#read().catch(failed);
    else await repeatedly({ clock, ms: LOOK_MS, signal }, () => this.#read(), failed);
  }

  /** What is kept in a region for others than this organisation, the oldest first. */
  heldIn(region: string, organization?: string): HeldCards[] {
    const now = this.#parts.clock.now();
    return this.#open
      .filter((row) => row.region === region && row.until.getTime() > now)
      .filter(({ organizationId }) => organization === undefined || organizationId !== organization)
      .map(heldOf);
  }

  /** Throws card_held, cards_taken, too_many_holds. */
  async hold({ model, gpus, regions, instead }: WishedHold, ip: string): Promise<HoldView> {
    const { kinds, key } = this.#parts;
    const address = sha256(`${key} ${addressKey(ip)}`);
    const id = `hld-${newToken()}`;
    if (this.#waiting >= MOST_WAITING) throw tooMany();
    const row = await this.#alone(async (tx, now) => {
      if (instead !== undefined)
        await end(tx, now, and(eq(cardHolds.idHash, sha256(instead)), isNull(cardHolds.claimedAt)));
      const lately = and(eq(cardHolds.address, address), gt(cardHolds.createdAt, new Date(now - HOUR_MS)));
      const rows = await openRows(tx, now, lately);
      mayHold(rows, address, now);
      const open = rows.filter(({ until }) => until.getTime() > now);
      const rowsOf = (region: string) => open.filter((one) => one.region === region && one.model === model);
      const isFree = (region: string, rows: readonly Row[]) => {
        const store = kinds.at(region);
        if (!store) return false;
        const wish = { model, gpus, organization: undefined };
        return roomOf(store.roomsWithout(rows.map(heldOf)), wish, store.pool) !== undefined;
      };
      const region = regions.find((one) => isFree(one, rowsOf(one)));
      if (region === undefined) {
        const kept = regions.filter((one) => isFree(one, [])).flatMap(rowsOf);
        throw kept.length > 0 ? heldProblem(kept, now) : problem('cards_taken', { gpus, model: gpuName(model) });
      }
      return added(tx, {
        ...{ idHash: sha256(id), region, model, gpus, address, createdAt: new Date(now) },
        ...{ price: kinds.at(region)?.cardPrice(model) ?? null, until: new Date(now + HOLD_SECONDS * SECOND_MS) },
      });
    });
    return this.#viewOf(row, id);
  }

  /** For visitors. Throws not_found for one that has ended, and for one that an organisation has claimed. */
  async read(id: string): Promise<HoldView> {
    const row = await openRow(this.#parts.db.sql, id, this.#parts.clock.now());
    if (!row || row.organizationId !== null) throw problem('not_found', { what: id });
    return this.#viewOf(row, id);
  }

  /** Makes it the organisation's, and its only one. Throws not_found for one that has ended, and for another's. */
  async claim(id: string, organization: string): Promise<HoldView> {
    const isOwn = eq(cardHolds.organizationId, organization);
    const row = await this.#alone(async (tx, now) => {
      const found = await openRow(tx, id, now);
      if (!found || found.usedBy !== null || (found.organizationId ?? organization) !== organization)
        throw problem('not_found', { what: id });
      await end(tx, now, and(isOwn, ne(cardHolds.idHash, found.idHash)));
      if (found.organizationId !== null) return found;
      const claims = await tx.$count(cardHolds, and(isOwn, gt(cardHolds.claimedAt, new Date(now - HOUR_MS))));
      const longest = new Date(found.createdAt.getTime() + CLAIMED_HOLD_SECONDS * SECOND_MS);
      const until = claims < MOST_LENGTHENED ? longest : found.until;
      return changed(tx, found, { organizationId: organization, claimedAt: new Date(now), until });
    });
    return this.#viewOf(row, id);
  }

  /**
   * Before an instance is made: with its hold, or without one where cards are free that nobody else holds. Undefined where none are free at
   * all: then it waits its turn. Throws card_held, hold_gone, hold_differs, price_changed.
   */
  async take(wish: CardWish): Promise<TakenCards | undefined> {
    const { clock, db } = this.#parts;
    const by = wish.by ?? randomUUID();
    const { hold } = wish;
    const row = await this.#alone((tx, now) =>
      hold === undefined ? takeFree(tx, wish, by, now) : this.#takeHeld(tx, wish, hold, by, now),
    );
    if (!row) return undefined;
    const isIt = and(eq(cardHolds.idHash, row.idHash), eq(cardHolds.usedBy, by));
    return {
      made: async (instance) => {
        const until = new Date(clock.now() + ON_THE_WAY_MS);
        await db.sql.update(cardHolds).set({ instance, until }).where(isIt);
        await this.#read();
      },
      giveBack: async () => {
        if (hold === undefined) await db.sql.delete(cardHolds).where(isIt);
        else await db.sql.update(cardHolds).set({ usedBy: null }).where(isIt);
        await this.#read();
      },
    };
  }

  /** Throws hold_gone, hold_differs, price_changed. */
  async #takeHeld(tx: Sql, wish: CardWish, id: string, by: string, now: number): Promise<Row> {
    const { kinds, currency } = this.#parts;
    const { region, organization, model, gpus } = wish;
    const field = { field: 'hold' };
    const row = await openRow(tx, id, now);
    if (!row || (row.organizationId ?? organization) !== organization || (row.usedBy ?? by) !== by)
      throw problem('hold_gone', {}, field);
    const name = gpuName(row.model);
    if (row.region !== region || row.model !== model || row.gpus < gpus)
      throw problem('hold_differs', { gpus: row.gpus, model: name, region: this.#nameOf(row.region) }, field);
    const price = kinds.at(region)?.cardPrice(model) ?? null;
    if (price !== row.price) {
      const said = (one: Micros | null) => (one === null ? '–' : exactMoney(moneyText(one), currency));
      throw problem('price_changed', { model: name, held: said(row.price), now: said(price) }, field);
    }
    const until = new Date(Math.max(row.until.getTime(), now + ON_THE_WAY_MS));
    return changed(tx, row, { usedBy: by, organizationId: organization, until });
  }

  #viewOf({ model, gpus, region, price, until, organizationId }: Row, id: string): HoldView {
    const { clock, currency, kinds } = this.#parts;
    const query = new URLSearchParams({
      ...{ gpu: model, count: `${gpus}` },
      // The form begins with our own.
      ...(region !== kinds.region.id && { region }),
      hold: id,
    });
    return {
      ...{ id, model, name: gpuName(model), gpus, region, region_name: this.#nameOf(region) },
      ...{ hour: price === null ? null : moneyText(price), currency, until: until.toISOString() },
      seconds: Math.max(0, Math.ceil((until.getTime() - clock.now()) / SECOND_MS)),
      is_claimed: organizationId !== null,
      path: `/develop/instance/create?${query}`,
    };
  }

  #nameOf(id: string): string {
    return this.#parts.kinds.regions().find(({ region }) => region === id)?.name ?? id;
  }

  /** One at a time, of all gateways: what one finds free, no other takes meanwhile. */
  async #alone<T>(work: (tx: Sql, now: number) => Promise<T>): Promise<T> {
    const { db, clock } = this.#parts;
    // First among ourselves: whoever waits for the lock has a connection, and there are few.
    const turn = this.#turn.then(() =>
      db.transaction(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`);
        const now = clock.now();
        await tx.delete(cardHolds).where(lt(cardHolds.until, new Date(now - HOUR_MS)));
        return await work(tx, now);
      }),
    );
    this.#turn = turn.catch(() => undefined);
    this.#waiting += 1;
    const done = await turn.finally(() => {
      this.#waiting -= 1;
    });
    await this.#read();
    return done;
  }

  /** Reads follow each other: an older one that ends later would undo what a newer one found. */
  #read(): Promise<void> {
    const read = this.#reading.then(async () => {
      this.#open = await openRows(this.#parts.db.sql, this.#parts.clock.now());
    });
    this.#reading = read.catch(() => undefined);
    return read;
  }
}

/** Cards that are free even without those that others keep. Undefined where they would not be in any case. Throws card_held. */
async function takeFree(tx: Sql, wish: CardWish, by: string, now: number): Promise<Row | undefined> {
  const { region, organization, model, gpus, fits } = wish;
  const [before] = await tx.select().from(cardHolds).where(eq(cardHolds.usedBy, by));
  if (before) return before;
  const open = await openRows(tx, now);
  const others = open.filter((row) => row.region === region && row.organizationId !== organization);
  if (!fits(others.filter(({ usedBy }) => usedBy !== null).map(heldOf))) return undefined;
  if (!fits(others.map(heldOf)))
    throw heldProblem(
      others.filter((row) => row.model === model && !row.usedBy),
      now,
    );
  return added(tx, {
    // Nobody has its id.
    ...{ idHash: sha256(randomUUID()), region, model, gpus, organizationId: organization, usedBy: by },
    ...{ createdAt: new Date(now), until: new Date(now + ON_THE_WAY_MS) },
  });
}

/** Throws too_many_holds. `rows`: those that are open, and those of the address in the last hour. */
function mayHold(rows: readonly Row[], address: string, now: number): void {
  const visitors = rows.filter(({ claimedAt, usedBy }) => claimedAt === null && usedBy === null);
  const own = visitors.filter((row) => row.address === address);
  const openOf = (some: readonly Row[]) => some.filter(({ until }) => until.getTime() > now).length;
  if (openOf(visitors) >= MOST_OPEN || openOf(own) >= MOST_OF_ADDRESS || own.length >= MOST_AN_HOUR) throw tooMany();
}

const tooMany = (): Problem =>
  problem('too_many_holds', { seconds: HOLD_SECONDS }, { retryAfterSeconds: HOLD_SECONDS });

/** Ends those of them that nothing is made with. They stay counted. */
const end = (tx: Sql, now: number, which: SQL | undefined) =>
  tx
    .update(cardHolds)
    .set({ until: new Date(now) })
    .where(and(which, isNull(cardHolds.usedBy), gt(cardHolds.until, new Date(now))));

async function added(tx: Sql, row: typeof cardHolds.$inferInsert): Promise<Row> {
  const [inserted] = await tx.insert(cardHolds).values(row).returning();
  return inserted as Row;
}

async function changed(tx: Sql, row: Row, change: Partial<Row>): Promise<Row> {
  await tx.update(cardHolds).set(change).where(eq(cardHolds.idHash, row.idHash));
  return { ...row, ...change };
}

/** `also` names others. */
const openRows = (tx: Sql, now: number, also?: SQL): Promise<Row[]> =>
  tx
    .select()
    .from(cardHolds)
    .where(or(gt(cardHolds.until, new Date(now)), also))
    .orderBy(cardHolds.createdAt, cardHolds.idHash);

async function openRow(tx: Sql, id: string, now: number): Promise<Row | undefined> {
  const isIt = eq(cardHolds.idHash, sha256(id));
  const [row] = await tx
    .select()
    .from(cardHolds)
    .where(and(isIt, gt(cardHolds.until, new Date(now))));
  return row;
}

/** Says when the next of them ends, if its holder does nothing. */
function heldProblem(rows: readonly Row[], now: number): Problem {
  const next = Math.min(now + CLAIMED_HOLD_SECONDS * SECOND_MS, ...rows.map(({ until }) => until.getTime()));
  const seconds = Math.max(1, Math.ceil((next - now) / SECOND_MS));
  return problem('card_held', { model: gpuName(rows[0]?.model ?? ''), seconds });
}

const heldOf = ({ idHash, region, model, gpus, organizationId, instance }: Row): HeldCards => ({
  ...{ id: idHash, region, model, gpus },
  ...{ organization: organizationId ?? undefined, instance: instance ?? undefined },
});
