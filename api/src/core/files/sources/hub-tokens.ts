// An organisation's token of the hub: written, used for its imports, and never shown again.
import type { Clock } from '@gantry/kube/clock.ts';
import { eq } from 'drizzle-orm';
import type { Database } from '../../../platform/db/open.ts';
import { hubTokens } from '../../../platform/db/schema/models.ts';
import type { Caller } from '../../../platform/http/caller.ts';

const PURPOSE = 'hub-token';

export interface HubTokensParts {
  db: Database;
  clock: Clock;
  secrets: { seal(purpose: string, text: string): string; open(purpose: string, sealed: string): string };
}

export class HubTokens {
  readonly #parts: HubTokensParts;

  constructor(parts: HubTokensParts) {
    this.#parts = parts;
  }

  async about(organizationId: string): Promise<{ creatorId: string; createdAt: Date } | undefined> {
    const [row] = await this.#rows(organizationId);
    return row;
  }

  async set({ account, organization }: Caller, token: string): Promise<void> {
    const { db, clock, secrets } = this.#parts;
    const row = { sealed: secrets.seal(PURPOSE, token), creatorId: account.id, createdAt: new Date(clock.now()) };
    await db.sql
      .insert(hubTokens)
      .values({ organizationId: organization.id, ...row })
      .onConflictDoUpdate({ target: hubTokens.organizationId, set: row });
  }

  async remove(organizationId: string): Promise<void> {
    await this.#parts.db.sql.delete(hubTokens).where(eq(hubTokens.organizationId, organizationId));
  }

  /** For imports alone. */
  async tokenOf(organizationId: string): Promise<string | undefined> {
    const [row] = await this.#rows(organizationId);
    return row && this.#parts.secrets.open(PURPOSE, row.sealed);
  }

  #rows(organizationId: string) {
    return this.#parts.db.sql.select().from(hubTokens).where(eq(hubTokens.organizationId, organizationId));
  }
}
