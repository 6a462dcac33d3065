// An entry of the audit log, as callers write it and as it is stored.
import { createHash } from 'node:crypto';
import type { auditLog } from '../db/schema/audit.ts';
import { storable } from '../storable.ts';

export interface AuditEntry {
  readonly requestId: string;
  /** The route's id, or the name of the gateway's own action. */
  readonly action: string;
  readonly decision: 'allowed' | 'denied' | 'failed';
  /** HTTP status. */
  readonly status: number;
  /** The caller, from their token. */
  readonly caller:
    | {
        readonly account: { readonly id: string; readonly name: string };
        readonly organization: { readonly id: string };
        readonly session: { readonly kind: 'session' | 'apiToken' | 'view' };
      }
    | undefined;
  /** The organisation whose log gets the entry, if it is not the caller's. */
  readonly organizationId?: string | undefined;
  readonly object: string | undefined;
  readonly reason: string | undefined;
  /** '' for the gateway's own actions. */
  readonly ip: string;
  readonly userAgent: string | undefined;
}

export type NewRow = typeof auditLog.$inferInsert;
export type Row = typeof auditLog.$inferSelect;

/**
 * Actions of staff as staff belong to the platform, whichever organisation their session is in or they look at; so do actions of
 * nobody signed in.
 */
export function rowOf(entry: AuditEntry, at: Date, isStaffAction: boolean): NewRow {
  const { caller, decision, status } = entry;
  const kind = caller?.session.kind === 'view' ? 'staff' : caller?.session.kind;
  const isStaff = isStaffAction || kind === 'staff';
  return {
    at,
    actorId: caller?.account.id ?? null,
    actorName: caller ? bounded(caller.account.name, 64) : null,
    actorKind: kind ? (isStaff ? 'staff' : kind) : entry.ip === '' ? 'system' : 'anonymous',
    organizationId: isStaff ? '' : (entry.organizationId ?? caller?.organization.id ?? ''),
    requestId: bounded(entry.requestId, 64),
    action: bounded(entry.action, 64),
    object: entry.object === undefined ? null : bounded(entry.object, 512),
    decision,
    status,
    reason: entry.reason === undefined ? null : bounded(entry.reason, 1024),
    ip: bounded(entry.ip, 64),
    userAgent: entry.userAgent === undefined ? null : bounded(entry.userAgent, 256),
  };
}

/** Removes characters that PostgreSQL does not accept as text, and truncates to the column's length. */
const bounded = (text: string, length: number): string => storable(text.slice(0, length));

/** SHA-256, hexadecimal, of every column in the order written here. */
export const hashOfEntry = (row: Row): string =>
  sha256(
    JSON.stringify([
      row.id,
      row.at.toISOString(),
      row.actorId,
      row.actorName,
      row.actorKind,
      row.organizationId,
      row.requestId,
      row.action,
      row.object,
      row.decision,
      row.status,
      row.reason,
      row.ip,
      row.userAgent,
    ]),
  );

/** A block's hash covers its number, the previous hash and its entries' hashes. */
export const hashOfBlock = (
  organizationId: string,
  seq: number,
  previousHash: string,
  entries: readonly (readonly [number, string])[],
): string => sha256(JSON.stringify([organizationId, seq, previousHash, entries]));

/** The previous hash of the first block in an organisation's chain. */
export const NOTHING_BEFORE = '0'.repeat(64);

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
