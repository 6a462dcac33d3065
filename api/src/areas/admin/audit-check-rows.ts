// Checks of the audit log's chains as the operators' console lists them.

import type { AuditRow } from '@gantry/contract/areas/audit/admin-audit.ts';
import type { AdminQuery } from '@gantry/contract/http/admin.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { inArray } from 'drizzle-orm';
import { type ListedTable, type Page, pageOfIds } from '../../platform/db/list-pages.ts';
import type { Database } from '../../platform/db/open.ts';
import { auditChecks } from '../../platform/db/schema/staff.ts';
import { inOrder } from './people-rows.ts';

const CHECKS: ListedTable = {
  table: auditChecks,
  columns: {
    id: auditChecks.id,
    organization_id: auditChecks.organizationId,
    started_at: auditChecks.startedAt,
    ended_at: auditChecks.endedAt,
  },
  searched: [],
};

type Row = AuditRow<'audit-checks'>;

export class AuditCheckRows {
  readonly #parts: { db: Database; clock: Clock; deadMs: number };

  constructor(parts: { db: Database; clock: Clock; deadMs: number }) {
    this.#parts = parts;
  }

  async page(query: AdminQuery): Promise<Page<Row>> {
    const { db, clock, deadMs } = this.#parts;
    const { items: ids, ...page } = await pageOfIds(db.sql, CHECKS, query);
    const rows =
      ids.length === 0
        ? []
        : await db.sql
            .select()
            .from(auditChecks)
            .where(inArray(auditChecks.id, ids.map(String)));
    const aliveSince = clock.now() - deadMs;
    const items = inOrder(ids, rows).map((row) => ({
      id: row.id,
      organization_id: row.organizationId,
      state: stateOf(row, aliveSince),
      entries: row.entries,
      unsealed: row.unsealed,
      blocks: row.blocks,
      head_hash: row.headHash,
      fault: row.fault,
      started_at: row.startedAt.toISOString(),
      ended_at: row.endedAt?.toISOString() ?? null,
      started_by: row.accountId,
    }));
    return { ...page, items };
  }
}

function stateOf({ isWhole, endedAt, seenAt }: typeof auditChecks.$inferSelect, aliveSince: number): Row['state'] {
  if (isWhole !== null) return isWhole ? 'whole' : 'broken';
  return endedAt === null && seenAt.getTime() > aliveSince ? 'running' : 'failed';
}
