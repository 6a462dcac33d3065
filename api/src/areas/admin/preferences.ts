// Preferences that each staff member keeps for themselves: their saved queries. The schema bounds it; nobody else reads it.
import type { Preferences } from '@gantry/contract/areas/admin/admin-home.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { eq } from 'drizzle-orm';
import type { Database } from '../../platform/db/open.ts';
import { staffPreferences } from '../../platform/db/schema/home.ts';

const NONE: Preferences = { saved_queries: {} };

export class StaffPreferences {
  readonly #db: Pick<Database, 'sql'>;
  readonly #clock: Clock;

  constructor({ db, clock }: { db: Pick<Database, 'sql'>; clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  async get(accountId: string): Promise<Preferences> {
    const [row] = await this.#db.sql
      .select({ value: staffPreferences.value })
      .from(staffPreferences)
      .where(eq(staffPreferences.accountId, accountId));
    return row?.value ?? NONE;
  }

  async set(accountId: string, value: Preferences): Promise<Preferences> {
    const changedAt = new Date(this.#clock.now());
    await this.#db.sql
      .insert(staffPreferences)
      .values({ accountId, value, changedAt })
      .onConflictDoUpdate({ target: staffPreferences.accountId, set: { value, changedAt } });
    return value;
  }
}
