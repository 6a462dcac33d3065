// An entry of the audit log, as the gateway's parts say it and as it is kept.
import { createHash } from 'node:crypto';
import type { auditLog } from '../db/schema/audit.ts';

export interface AuditEntry {
  readonly requestId: string;
  /** The route's id, or what the gateway did by itself. */
  readonly action: string;
  readonly decision: 'allowed' | 'denied' | 'failed';
  /** HTTP status. */
  readonly status: number;
  /** Who asked, as their token said. */
  readonly caller:
    | {
        readonly account: { readonly id: string; readonly name: string };
        readonly organization: { readonly id: string };
        readonly session: { readonly kind: 'session' | 'apiToken' };
      }
    | undefined;
  /** Whose log has the entry, where that is not the caller's organisation. */
  readonly organizationId?: string | undefined;
  readonly object: string | undefined;
  readonly reason: string | undefined;
  /** '' for what nobody asked for. */
  readonly ip: string;
  readonly userAgent: string | undefined;
}

export type NewRow = typeof auditLog.$inferInsert;
export type Row = typeof auditLog.$inferSelect;

/** What staff do as staff is the platform's, whichever organisation their session is in; so is what nobody signed in did. */
export function rowOf(entry: AuditEntry, at: Date, isStaff: boolean): NewRow {
  const { caller, decision, status } = entry;
  return {
    at,
    actorId: caller?.account.id ?? null,
    actorName: caller ? bounded(caller.account.name, 64) : null,
    actorKind: caller ? (isStaff ? 'staff' : caller.session.kind) : entry.ip === '' ? 'system' : 'anonymous',
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

/** What PostgreSQL takes as text, and not more of it than an entry has room for. */
const bounded = (text: string, length: number): string => text.slice(0, length).toWellFormed().replaceAll('\0', '�');

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

/** Of a block: its place, the hash before it and its entries' hashes. */
export const hashOfBlock = (
  organizationId: string,
  seq: number,
  previousHash: string,
  entries: readonly (readonly [number, string])[],
): string => sha256(JSON.stringify([organizationId, seq, previousHash, entries]));

/** What the first block of an organisation's chain follows. */
export const NOTHING_BEFORE = '0'.repeat(64);

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
