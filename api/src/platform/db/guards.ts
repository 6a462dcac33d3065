// Guards that the database enforces beyond the tables: appended to the migration.
import { getTableName } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { auditBlocks, auditLog } from './schema/audit.ts';
import { closedMonths, creditNotes, invoices } from './schema/invoices.ts';
import { ledgerAccounts, ledgerBlocks, postings, transfers } from './schema/ledger.ts';
import { discounts, plansHeld, prices, redemptions } from './schema/prices.ts';
import { slices } from './schema/usage.ts';

/** Neither the gateway nor a person at a prompt changes or removes a row of these. */
const APPEND_ONLY: readonly PgTable[] = [
  auditLog,
  auditBlocks,
  ledgerAccounts,
  transfers,
  postings,
  ledgerBlocks,
  prices,
  discounts,
  plansHeld,
  slices,
  invoices,
  closedMonths,
  creditNotes,
  redemptions,
];

/** Writers into the table hold each of these shared until their transaction ends; the table's sealer takes it exclusively. */
export const AUDIT_WRITERS_LOCK = 7_115_001;
export const LEDGER_WRITERS_LOCK = 7_115_013;

/**
 * Append-only tables have a trigger that refuses everything else, including TRUNCATE; and the gateway's own role gives up the
 * rights, unless it is a superuser, so that the trigger is not the only guard.
 */
const growOnly = (table: string): string[] => [
  `CREATE TRIGGER "${table}_only_grows" BEFORE UPDATE OR DELETE OR TRUNCATE ON "${table}" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();`,
  `REVOKE UPDATE, DELETE, TRUNCATE ON "${table}" FROM PUBLIC, CURRENT_USER;`,
];

const announcesWriters = (table: string, lock: number): string =>
  `CREATE TRIGGER "${table}_writers" BEFORE INSERT ON "${table}" FOR EACH STATEMENT EXECUTE FUNCTION announce_writer('${lock}');`;

export const GUARDS: readonly string[] = [
  `CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% may only grow', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;`,
  ...APPEND_ONLY.map(getTableName).flatMap(growOnly),
  // A sequence hands out ids in another order than that in which they are committed. Before a statement takes its first
  // id it takes the lock; so once the sealer has had the lock alone, no row with a smaller id can still come.
  `CREATE FUNCTION announce_writer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(TG_ARGV[0]::bigint);
  RETURN NULL;
END $$;`,
  announcesWriters('audit_log', AUDIT_WRITERS_LOCK),
  announcesWriters('transfers', LEDGER_WRITERS_LOCK),
];
