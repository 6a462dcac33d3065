// Which models the library shows, as staff decide. Only models of organisations that staff themselves own: a tenant's weights are
// never shown to others.
import type { AdminQuery, AdminRow } from '@gantry/contract/http/admin.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import { ownedByStaff } from '../../core/identity/owned-by-staff.ts';
import { setShelved } from '../../core/identity/set-shelved.ts';
import { inOrderOf, ofNamed, type Page, pageOfIds } from '../../platform/db/list-pages.ts';
import type { Database } from '../../platform/db/open.ts';
import { models } from '../../platform/db/schema/models.ts';
import { organizations } from '../../platform/db/schema/people.ts';
import { latestOf, stateOf } from './model-views.ts';
import { versionsOf } from './models.ts';

type Row = AdminRow<'models'>;

const LISTED = {
  table: models,
  columns: {
    id: models.id,
    name: models.name,
    organization_id: models.organizationId,
    license: models.license,
    downloads: models.downloads,
    shelved_at: models.shelvedAt,
    created_at: models.createdAt,
    updated_at: models.updatedAt,
  },
  searched: [models.name, models.id],
  found: (text: unknown) => [ofNamed(models.organizationId, text)],
  computed: { shelved: sql`${models.shelvedAt} is not null`, can_shelve: ownedByStaff(models.organizationId) },
};

const { card: _, ...WITHOUT_CARD } = getTableColumns(models);

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
      .select({ ...WITHOUT_CARD, organization: organizations.name, canShelve: ownedByStaff(models.organizationId) })
      .from(models)
      .innerJoin(organizations, eq(organizations.id, models.organizationId))
      .where(inArray(models.id, page.items));
    const { versions, sizes } = await versionsOf(db, page.items);
    const items = inOrderOf(page.items, rows, ({ id }) => id).map((row): Row => {
      const own = versions.get(row.id) ?? [];
      const latest = latestOf(own);
      return {
        id: row.id,
        name: row.name,
        organization_id: row.organizationId,
        organization_name: row.organization,
        state: stateOf(own),
        shelved: row.shelvedAt !== null,
        can_shelve: row.canShelve,
        license: row.license,
        structure: latest?.structure ?? null,
        parameters: latest?.parameters ?? null,
        quantisation: latest?.quantisation ?? null,
        latest_version: latest?.name ?? null,
        version_count: own.length,
        size_bytes: (latest && sizes.get(latest.id)) ?? 0,
        downloads: row.downloads,
        shelved_at: row.shelvedAt?.toISOString() ?? null,
        shelved_by: row.shelvedBy,
        created_at: row.createdAt.toISOString(),
        updated_at: row.updatedAt.toISOString(),
      };
    });
    return { ...page, items };
  }

  /** Throws not_found, model_abnormal, model_of_tenant. What is so already stays as it is. */
  async set(id: string, isShelved: boolean, by: string): Promise<void> {
    const { db, clock } = this.#parts;
    const asked = { id, isShelved, by, at: new Date(clock.now()) };
    await setShelved(db, models, asked, {
      ...{ kind: 'model', abnormal: 'model_abnormal', ofTenant: 'model_of_tenant' },
      isReady: async (tx) => stateOf((await versionsOf(tx, [id])).versions.get(id) ?? []) === 'ready',
    });
  }
}
