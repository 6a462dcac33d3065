// Checks of one chain of the audit log, asked for by staff: they run in the background, however long the chain, and their results stay
// as rows. One check of a chain at a time, on whichever gateway.
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, count, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { Database, Sql } from '../db/open.ts';
import { auditLog } from '../db/schema/audit.ts';
import { organizations } from '../db/schema/people.ts';
import { auditChecks } from '../db/schema/staff.ts';
import { newId } from '../ids.ts';
import { followChain, newestSealed } from './verify.ts';

/** A running check says so this often; one that has not for three times as long has died with its gateway. */
const SAY_MS = 2_000;
export const CHECK_DEAD_MS = 30_000;
const KEPT_OF_CHAIN = 50;
const LOCK = 7_115_021;

export class AuditChecks {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #end = new AbortController();
  readonly #running = new Set<Promise<void>>();

  constructor(parts: { db: Database; clock: Clock; log: Logger }) {
    this.#db = parts.db;
    this.#clock = parts.clock;
    this.#log = parts.log;
  }

  /** Returns the check's id; it has begun. Throws not_found, or audit_check_running. */
  async begin(organizationId: string, by: string): Promise<string> {
    const now = new Date(this.#clock.now());
    const id = newId('chk');
    await this.#db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`);
      if (!(await hasChain(tx, organizationId))) throw problem('not_found', { what: organizationId });
      const [running] = await tx
        .select({ id: auditChecks.id })
        .from(auditChecks)
        .where(
          and(
            eq(auditChecks.organizationId, organizationId),
            isNull(auditChecks.endedAt),
            gt(auditChecks.seenAt, new Date(now.getTime() - CHECK_DEAD_MS)),
          ),
        );
      if (running) throw problem('audit_check_running');
      await tx.insert(auditChecks).values({ id, organizationId, accountId: by, startedAt: now, seenAt: now });
      await tx.execute(sql`delete from ${auditChecks} where ${auditChecks.organizationId} = ${organizationId} and ${auditChecks.id} not in (
        select kept.id from ${auditChecks} as kept where kept.organization_id = ${organizationId}
        order by kept.started_at desc limit ${KEPT_OF_CHAIN})`);
    });
    const running = this.#run(id, organizationId).finally(() => this.#running.delete(running));
    this.#running.add(running);
    return id;
  }

  /** Resolves once no check runs. For tests, and for whoever stops. */
  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await this.idle();
  }

  /** Never rejects. */
  async #run(id: string, organizationId: string): Promise<void> {
    const { sql: connection } = this.#db;
    const say = (row: Partial<typeof auditChecks.$inferInsert>) =>
      connection
        .update(auditChecks)
        .set({ seenAt: new Date(this.#clock.now()), ...row })
        .where(eq(auditChecks.id, id));
    let saidAt = this.#clock.monotonic();
    let seen = { entries: 0, blocks: 0 };
    try {
      const upTo = await newestSealed(connection);
      const end = await followChain(connection, organizationId, upTo, async (entries, blocks) => {
        this.#end.signal.throwIfAborted();
        seen = { entries, blocks };
        if (this.#clock.monotonic() - saidAt < SAY_MS) return;
        saidAt = this.#clock.monotonic();
        await say(seen);
      });
      const isWhole = !('fault' in end);
      const [newer] = await connection
        .select({ many: count() })
        .from(auditLog)
        .where(and(eq(auditLog.organizationId, organizationId), gt(auditLog.id, upTo)));
      if (!isWhole)
        this.#log.error({ organization: organizationId, fault: end.fault }, 'the audit log is not what was sealed');
      await say({
        ...seen,
        endedAt: new Date(this.#clock.now()),
        unsealed: newer?.many ?? 0,
        isWhole,
        ...(isWhole ? { headHash: end.seq === 0 ? null : end.hash } : { fault: end.fault }),
      });
    } catch (error) {
      const isEnding = this.#end.signal.aborted;
      if (!isEnding) this.#log.warn({ err: error, check: id }, 'a check of the audit log was not finished');
      await say({
        ...seen,
        endedAt: new Date(this.#clock.now()),
        fault: isEnding ? 'the gateway stopped' : 'see the log',
      })
        // Its row is not heard of any more, which says the same.
        .catch(() => undefined);
    }
  }
}

async function hasChain(tx: Sql, organizationId: string): Promise<boolean> {
  if (organizationId === '') return true;
  const known = await tx
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
    .limit(1);
  if (known.length > 0) return true;
  // An entry outlives its organisation, and one that was made by kubectl may have entries before its row.
  const written = await tx
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(eq(auditLog.organizationId, organizationId))
    .orderBy(desc(auditLog.id))
    .limit(1);
  return written.length > 0;
}
