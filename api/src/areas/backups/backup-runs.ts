// Makes backups when they are due or asked for, one at a time over all gateways, and removes the old. What it knows of the bucket is
// in a table, which lists and the health of the platform read; the bucket has the last word.
import { nextTimes } from '@gantry/contract/fields/schedule.ts';
import type { AdminQuery, AdminRow } from '@gantry/contract/http/admin.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, desc, eq, isNotNull, isNull, lt, notInArray, or } from 'drizzle-orm';
import type { Page } from '../../platform/db/list-pages.ts';
import { pageInMemory } from '../../platform/db/memory-page.ts';
import type { Database } from '../../platform/db/open.ts';
import { backups } from '../../platform/db/schema/operation.ts';
import { Turn } from '../../platform/db/turn.ts';
import { type BackupParts, newId } from './backup.ts';
import type { Manifest } from './manifest.ts';
import type { Vault } from './vault.ts';

type Row = typeof backups.$inferSelect;

const LOOK_MS = 5_000;
/** How long what failed, or was removed, stays in the list. */
const SHOWN_MS = 90 * 24 * 3_600_000;
const CUT_OFF = 'the gateway that made it ended before it was whole';
/** The most letters of a sentence: an error's text may be long. */
const MOST_LETTERS = 500;

export interface BackupRunsParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: { info(facts: object, text: string): void; warn(facts: object, text: string): void };
  /** Absent: no bucket is configured. */
  readonly vault: Pick<Vault, 'make' | 'list' | 'tidy'> | undefined;
  readonly what: () => BackupParts;
  /** Cron's five fields in UTC; '' for none. */
  readonly schedule: string;
  readonly keepDays: number;
}

/** How it is with backups, for the health of the platform. */
export interface BackupStatus {
  readonly isConfigured: boolean;
  /** When the last whole one was begun. */
  readonly lastAt: Date | undefined;
  /** Whether the last one that ended failed. */
  readonly hasFailed: boolean;
  /** The schedule has come round twice since the last whole one. */
  readonly isLate: boolean;
}

export class BackupRuns {
  readonly #parts: BackupRunsParts;
  readonly #turn: Turn;
  /** Before the first backup the schedule counts from here. */
  readonly #since: number;

  constructor(parts: BackupRunsParts) {
    this.#parts = parts;
    this.#turn = new Turn(parts, 'backups');
    this.#since = parts.clock.now();
  }

  start(): void {
    const { vault } = this.#parts;
    if (vault) this.#turn.start((signal) => this.#work(vault, signal));
  }

  async stop(): Promise<void> {
    if (this.#parts.vault) await this.#turn.stop();
  }

  /** One is made within seconds. Throws backup_off, backup_running. */
  async ask(accountId: string): Promise<string> {
    const { db, clock, vault } = this.#parts;
    if (!vault) throw problem('backup_off');
    const now = clock.now();
    return db.transaction(async (tx) => {
      const [open] = await tx.select().from(backups).where(isNull(backups.endedAt)).for('update').limit(1);
      if (open) throw problem('backup_running');
      const id = newId(now);
      await tx.insert(backups).values({ id, askedAt: new Date(now), askedBy: accountId });
      return id;
    });
  }

  async page(query: AdminQuery): Promise<Page<AdminRow<'backups'>>> {
    const rows = (await this.#rows()).map(rowOf);
    const at = this.#nextAt(await this.#lastScheduled());
    const next =
      at === undefined ? [] : [{ ...EMPTY, id: 'next', state: 'planned' as const, asked_at: iso(new Date(at)) }];
    return pageInMemory(
      [...rows, ...next],
      query,
      {
        field: (row, name) => row[name as keyof typeof row],
        isSought: ({ id }, sought) => id.toLowerCase().includes(sought),
      },
      (row) => row,
    );
  }

  async status(): Promise<BackupStatus> {
    const { vault, clock } = this.#parts;
    const ended = (await this.#rows()).filter(({ endedAt }) => endedAt !== null);
    const last = ended.find(({ bytes }) => bytes !== null);
    const due = this.#times(last?.askedAt.getTime() ?? this.#since, 2)?.at(1);
    return {
      isConfigured: vault !== undefined,
      lastAt: last?.askedAt,
      hasFailed: (ended[0]?.failure ?? null) !== null,
      isLate: due !== undefined && due < clock.now(),
    };
  }

  #rows(): Promise<Row[]> {
    return this.#parts.db.sql.select().from(backups).orderBy(desc(backups.askedAt));
  }

  async #work(vault: NonNullable<BackupRunsParts['vault']>, signal: AbortSignal): Promise<void> {
    const { db, clock } = this.#parts;
    const now = new Date(clock.now());
    const wereBegun = and(isNotNull(backups.begunAt), isNull(backups.endedAt));
    await db.sql.update(backups).set({ endedAt: now, failure: CUT_OFF }).where(wereBegun);
    await this.#follow(vault);
    while (!signal.aborted) {
      const waiting = await this.#waiting();
      if (waiting) await this.#make(vault, waiting, signal);
      else await pause(clock, signal);
    }
  }

  /** The one that was asked for, or that is due. */
  async #waiting(): Promise<string | undefined> {
    const { db, clock } = this.#parts;
    const [asked] = await db.sql
      .select()
      .from(backups)
      .where(isNull(backups.endedAt))
      .orderBy(backups.askedAt)
      .limit(1);
    if (asked) return asked.id;
    const now = clock.now();
    const at = this.#nextAt(await this.#lastScheduled());
    if (at === undefined || at > now) return undefined;
    const id = newId(now);
    await db.sql.insert(backups).values({ id, askedAt: new Date(now) });
    return id;
  }

  async #make(vault: NonNullable<BackupRunsParts['vault']>, id: string, signal: AbortSignal): Promise<void> {
    const { db, clock, log, what, keepDays } = this.#parts;
    const write = (facts: Partial<Row>) => db.sql.update(backups).set(facts).where(eq(backups.id, id));
    await write({ begunAt: new Date(clock.now()) });
    try {
      const made = await unlessAborted(vault.make(what(), id), signal);
      // The next turn says that it was cut off.
      if (!made) return;
      await write({ ...sizesOf(made), endedAt: new Date(clock.now()) });
      log.info({ backup: id, bytes: made.bytes }, 'a backup was made');
    } catch (error) {
      // After its first line, the message of a failed statement has its values.
      const failure = ((error as Error).message.split('\n')[0] ?? '').slice(0, MOST_LETTERS);
      await write({ endedAt: new Date(clock.now()), failure });
      log.warn({ backup: id, failure }, 'a backup failed');
      return;
    }
    await vault
      .tidy(keepDays)
      .then(() => this.#follow(vault))
      .catch((error: unknown) => log.warn({ err: error }, 'old backups were not removed'));
  }

  /** Brings the table to what the bucket holds: other installations, restored databases and people change that too. */
  async #follow(vault: NonNullable<BackupRunsParts['vault']>): Promise<void> {
    const { db, clock, log } = this.#parts;
    const held = await vault.list().catch((error: unknown) => {
      log.warn({ failure: (error as Error).message }, 'the bucket of backups cannot be read');
      return undefined;
    });
    if (!held) return;
    await db.transaction(async (tx) => {
      for (const one of held) {
        const at = new Date(one.at);
        const row = { id: one.id, askedAt: at, begunAt: at, endedAt: at, ...sizesOf(one) };
        await tx.insert(backups).values(row).onConflictDoNothing();
      }
      const now = new Date(clock.now());
      const ids = held.map(({ id }) => id);
      const isGone = and(
        isNotNull(backups.bytes),
        isNull(backups.removedAt),
        ids.length > 0 ? notInArray(backups.id, ids) : undefined,
      );
      await tx.update(backups).set({ removedAt: now }).where(isGone);
      const isOver = or(isNotNull(backups.failure), isNotNull(backups.removedAt));
      await tx.delete(backups).where(and(isOver, lt(backups.askedAt, new Date(clock.now() - SHOWN_MS))));
    });
  }

  async #lastScheduled(): Promise<number | undefined> {
    const { db } = this.#parts;
    const [last] = await db.sql
      .select()
      .from(backups)
      .where(isNull(backups.askedBy))
      .orderBy(desc(backups.askedAt))
      .limit(1);
    return last?.askedAt.getTime();
  }

  /** A time that passed while no gateway ran is made up for. */
  #nextAt(last: number | undefined): number | undefined {
    return this.#parts.vault && this.#times(last ?? this.#since, 1)?.[0];
  }

  #times(from: number, count: number): number[] | undefined {
    const { schedule } = this.#parts;
    return schedule === '' ? undefined : nextTimes({ cron: schedule, timeZone: 'UTC' }, from, count);
  }
}

const sizesOf = ({ bytes, counts }: Manifest) => ({ bytes, rows: counts.rows, objects: counts.objects });

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

const EMPTY = {
  ...{ asked_by: null, begun_at: null, ended_at: null },
  ...{ bytes: null, rows: null, objects: null, failure: null },
};

const rowOf = (row: Row): AdminRow<'backups'> => ({
  id: row.id,
  state: stateOf(row),
  asked_at: iso(row.askedAt),
  asked_by: row.askedBy,
  begun_at: iso(row.begunAt),
  ended_at: iso(row.endedAt),
  bytes: row.bytes,
  rows: row.rows,
  objects: row.objects,
  failure: row.failure,
});

function stateOf({ begunAt, endedAt, failure, removedAt }: Row): AdminRow<'backups'>['state'] {
  if (removedAt) return 'removed';
  if (failure !== null) return 'failed';
  if (endedAt) return 'whole';
  return begunAt ? 'running' : 'waiting';
}

/** Undefined once the signal came: the rest goes on by itself, and nobody waits for it. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  work.catch(() => undefined);
  return Promise.race([work, new Promise<undefined>((resolve) => onAbort(signal, () => resolve(undefined)))]);
}

function onAbort(signal: AbortSignal, run: () => void): void {
  if (signal.aborted) run();
  else signal.addEventListener('abort', run, { once: true });
}

function pause(clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const callOff = clock.after(LOOK_MS, resolve);
    onAbort(signal, () => {
      callOff();
      resolve();
    });
  });
}
