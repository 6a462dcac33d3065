// Appends to the audit log. Entries that come while others are being written go together with the next statement, so that a
// burst costs one commit and a single call waits for nobody.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Logger } from 'pino';
import type { Database } from '../db/open.ts';
import { auditLog } from '../db/schema/audit.ts';
import { isUnavailable } from '../db/sqlstate.ts';
import { type AuditEntry, type NewRow, rowOf } from './entry.ts';

const MOST_AT_ONCE = 100;
const MOST_WAITING = 10_000;
const AGAIN_IN_MS = 200;
const STOP_LIMIT_MS = 5_000;

interface Waiting {
  readonly row: NewRow;
  readonly written: () => void;
  readonly failed: (error: unknown) => void;
}

export interface AuditLogParts {
  db: Database;
  clock: Clock;
  log: Logger;
  /** Whether only the platform's staff may do an action, by its route's id. */
  isStaffAction: (action: string) => boolean;
  /** Whether each entry is a line of the process's log, too: whoever collects that has a copy that no database can change. */
  hasLines?: boolean;
}

export class AuditLog {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #isStaffAction: (action: string) => boolean;
  readonly #hasLines: boolean;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #stopBy = Number.POSITIVE_INFINITY;

  constructor(parts: AuditLogParts) {
    this.#db = parts.db;
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#isStaffAction = parts.isStaffAction;
    this.#hasLines = parts.hasLines ?? false;
  }

  /**
   * Resolves once the entry is committed. While the database is away entries wait for it; rejects when too many do, and
   * for an entry that the database does not take. Such entries are in the process's log.
   */
  write(entry: AuditEntry): Promise<void> {
    const row = rowOf(entry, new Date(this.#clock.now()), this.#isStaffAction(entry.action));
    return new Promise((written, failed) => {
      if (this.#waiting.length >= MOST_WAITING || this.#stopBy === 0)
        this.#lose({ row, written, failed }, new Error('too many entries wait for the audit log'));
      else {
        this.#waiting.push({ row, written, failed });
        this.#writing ??= this.#writeAll();
      }
    });
  }

  /** Resolves once nothing waits any more; what the database does not take in five seconds is in the process's log. */
  async stop(): Promise<void> {
    this.#stopBy = performance.now() + STOP_LIMIT_MS;
    await this.#writing;
    this.#stopBy = 0;
  }

  async #writeAll(): Promise<void> {
    // All that one turn of the event loop brings goes together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MOST_AT_ONCE);
      try {
        await this.#insert(batch);
      } catch (error) {
        if (!isUnavailable(error)) await this.#writeSingly(batch);
        else if (performance.now() > this.#stopBy) for (const one of batch) this.#lose(one, error);
        else {
          this.#waiting.unshift(...batch);
          await sleep(AGAIN_IN_MS);
        }
      }
    }
    this.#writing = undefined;
  }

  async #insert(batch: readonly Waiting[]): Promise<void> {
    await this.#db.sql.insert(auditLog).values(batch.map(({ row }) => row));
    if (this.#hasLines) for (const { row } of batch) this.#log.info({ entry: row }, 'an entry of the audit log');
    for (const { written } of batch) written();
  }

  /** One that the database refuses does not take the others with it. */
  async #writeSingly(batch: readonly Waiting[]): Promise<void> {
    for (const one of batch) await this.#insert([one]).catch((error) => this.#lose(one, error));
  }

  #lose({ row, failed }: Waiting, error: unknown): void {
    this.#log.error({ err: error, entry: row }, 'an entry is not in the audit log');
    failed(error);
  }
}
