// Which datasets everybody is shown, as staff decide, and what each organisation stores. Only datasets of organisations that staff
// themselves own are shown, and none with collected requests.
import type { AdminQuery, AdminRow } from '@gantry/contract/http/admin.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm';
import { ownedByStaff } from '../../core/identity/owned-by-staff.ts';
import { setShelved } from '../../core/identity/set-shelved.ts';
import { inOrderOf, ofNamed, type Page, pageOfIds } from '../../platform/db/list-pages.ts';
import type { Database } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import { datasets, datasetVersions } from '../../platform/db/schema/datasets.ts';
import { files } from '../../platform/db/schema/files.ts';
import { organizations } from '../../platform/db/schema/people.ts';
import { NO_VERSIONS, sumsOf, versionsOf } from './dataset-rows.ts';

type Row = AdminRow<'datasets'>;
type UsageRow = AdminRow<'dataset-usage'>;

const canShelve = (): SQL<boolean> =>
  sql<boolean>`(not ${datasets.managersOnly} and ${ownedByStaff(datasets.organizationId)})`;

const LISTED = {
  table: datasets,
  columns: {
    id: datasets.id,
    name: datasets.name,
    organization_id: datasets.organizationId,
    type: datasets.type,
    license: datasets.license,
    downloads: datasets.downloads,
    shelved_at: datasets.shelvedAt,
    created_at: datasets.createdAt,
    updated_at: datasets.updatedAt,
  },
  searched: [datasets.name, datasets.id],
  found: (text: unknown) => [ofNamed(datasets.organizationId, text)],
  computed: { shelved: sql`${datasets.shelvedAt} is not null`, can_shelve: canShelve() },
};

const USERS = {
  table: organizations,
  columns: { id: organizations.id, organization_name: organizations.name },
  searched: [organizations.name, organizations.id],
};

const { card: _, ...WITHOUT_CARD } = getTableColumns(datasets);

export class Shelf {
  readonly #parts: { db: Database; clock: Clock };

  constructor(parts: { db: Database; clock: Clock }) {
    this.#parts = parts;
  }

  async page(query: AdminQuery): Promise<Page<Row>> {
    const { sql: db } = this.#parts.db;
    const page = await pageOfIds(db, LISTED, query);
    if (page.items.length === 0) return { ...page, items: [] };
    const rows = await db
      .select({ ...WITHOUT_CARD, organization: organizations.name, canShelve: canShelve() })
      .from(datasets)
      .innerJoin(organizations, eq(organizations.id, datasets.organizationId))
      .where(inArray(datasets.id, page.items));
    const versions = await versionsOf(db, page.items);
    const sums = await sumsOf(
      db,
      [...versions.values()].flatMap(({ latest }) => latest ?? []),
    );
    const items = inOrderOf(page.items, rows, ({ id }) => id).map((row): Row => {
      const { state, count, latest } = versions.get(row.id) ?? NO_VERSIONS;
      return {
        ...{ id: row.id, name: row.name, type: row.type, state },
        organization_id: row.organizationId,
        organization_name: row.organization,
        shelved: row.shelvedAt !== null,
        can_shelve: row.canShelve,
        license: row.license,
        ...{ format: latest?.format ?? null, rows: latest?.rows ?? null },
        ...{ latest_version: latest?.number ?? null, version_count: count },
        size_bytes: (latest && sums.get(latest.id)?.sizeBytes) ?? 0,
        downloads: row.downloads,
        shelved_at: row.shelvedAt?.toISOString() ?? null,
        shelved_by: row.shelvedBy,
        created_at: row.createdAt.toISOString(),
        updated_at: row.updatedAt.toISOString(),
      };
    });
    return { ...page, items };
  }

  /** Organisations that have datasets. */
  async usage(query: AdminQuery): Promise<Page<UsageRow>> {
    const { sql: db } = this.#parts.db;
    const hasAny = sql`exists (select from ${datasets} where ${datasets.organizationId} = ${organizations.id})`;
    const page = await pageOfIds(db, USERS, query, hasAny);
    if (page.items.length === 0) return { ...page, items: [] };
    const ids = sql`(select jsonb_array_elements_text(${JSON.stringify(page.items)}::jsonb))`;
    const rows = await rowsOf<Record<'id' | 'organization_name' | 'datasets' | 'versions' | 'size_bytes', string>>(
      db,
      sql`select ${organizations.id} as id, ${organizations.name} as organization_name,
          (select count(*) from ${datasets} where ${datasets.organizationId} = ${organizations.id}) as datasets,
          (select count(*) from ${datasetVersions} join ${datasets} on ${datasets.id} = ${datasetVersions.datasetId}
            where ${datasets.organizationId} = ${organizations.id} and ${datasetVersions.state} = 'ready') as versions,
          (select coalesce(sum(size), 0) from (select distinct ${files.digest}, ${files.sizeBytes} as size from ${files}
            where ${files.organizationId} = ${organizations.id} and ${files.ownerKind} = 'dataset'
              and ${files.state} = 'ready') as each) as size_bytes
        from ${organizations} where ${organizations.id} in ${ids}`,
    );
    const items = inOrderOf(page.items, rows, ({ id }) => id).map(
      (row): UsageRow => ({
        ...{ id: row.id, organization_name: row.organization_name },
        ...{ datasets: Number(row.datasets), versions: Number(row.versions), size_bytes: Number(row.size_bytes) },
      }),
    );
    return { ...page, items };
  }

  /** Throws not_found, dataset_abnormal, dataset_of_tenant, dataset_of_collected. What is so already stays as it is. */
  async set(id: string, isShelved: boolean, by: string): Promise<void> {
    const { db, clock } = this.#parts;
    const asked = { id, isShelved, by, at: new Date(clock.now()) };
    await setShelved(db, datasets, asked, {
      ...{ kind: 'dataset', abnormal: 'dataset_abnormal', ofTenant: 'dataset_of_tenant' },
      isReady: async (tx) => (await versionsOf(tx, [id])).get(id)?.state === 'ready',
      async whyNever(tx) {
        const [row] = await tx.select({ of: datasets.managersOnly }).from(datasets).where(eq(datasets.id, id));
        return row?.of ? 'dataset_of_collected' : undefined;
      },
    });
  }
}
