// Credentials of an organisation's imports: written, used for its imports, and never shown again.
import type { Clock } from '@gantry/kube/clock.ts';
import { and, asc, eq, type SQL } from 'drizzle-orm';
import type { Database } from '../../../platform/db/open.ts';
import { sealedCredentials } from '../../../platform/db/schema/credentials.ts';
import type { Caller } from '../../../platform/http/caller.ts';

type Kind = (typeof sealedCredentials.$inferSelect)['kind'];

interface Which {
  kind: Kind;
  name: string;
}

/** An organisation has one token of the hub. */
export const HUB_TOKEN: Which = { kind: 'hub', name: 'hub' };

/** What seals one kind opens no other. */
const PURPOSES: Readonly<Record<Kind, string>> = { hub: 'hub-token', s3: 's3-credentials' };

export interface CredentialsParts {
  db: Database;
  clock: Clock;
  secrets: { seal(purpose: string, text: string): string; open(purpose: string, sealed: string): string };
}

/** The facts of one that may be shown. */
export interface AboutCredentials {
  name: string;
  creatorId: string;
  createdAt: Date;
}

export class SealedCredentials {
  readonly #parts: CredentialsParts;

  constructor(parts: CredentialsParts) {
    this.#parts = parts;
  }

  /** By their names. */
  list(organizationId: string, kind: Kind): Promise<AboutCredentials[]> {
    const { name, creatorId, createdAt } = sealedCredentials;
    return this.#parts.db.sql
      .select({ name, creatorId, createdAt })
      .from(sealedCredentials)
      .where(and(eq(sealedCredentials.organizationId, organizationId), eq(sealedCredentials.kind, kind)))
      .orderBy(asc(name));
  }

  async set({ account, organization }: Caller, { kind, name }: Which, text: string): Promise<void> {
    const { db, clock, secrets } = this.#parts;
    const sealed = secrets.seal(PURPOSES[kind], text);
    const row = { sealed, creatorId: account.id, createdAt: new Date(clock.now()) };
    const { organizationId: org, kind: ofKind, name: called } = sealedCredentials;
    await db.sql
      .insert(sealedCredentials)
      .values({ organizationId: organization.id, kind, name, ...row })
      .onConflictDoUpdate({ target: [org, ofKind, called], set: row });
  }

  /** False if there were none. */
  async remove(organizationId: string, which: Which): Promise<boolean> {
    const removed = await this.#parts.db.sql
      .delete(sealedCredentials)
      .where(called(organizationId, which))
      .returning({ name: sealedCredentials.name });
    return removed.length > 0;
  }

  /** For imports alone. */
  async read(organizationId: string, which: Which): Promise<string | undefined> {
    const [row] = await this.#parts.db.sql
      .select({ sealed: sealedCredentials.sealed })
      .from(sealedCredentials)
      .where(called(organizationId, which));
    return row && this.#parts.secrets.open(PURPOSES[which.kind], row.sealed);
  }
}

const called = (organizationId: string, { kind, name }: Which): SQL =>
  and(
    eq(sealedCredentials.organizationId, organizationId),
    eq(sealedCredentials.kind, kind),
    eq(sealedCredentials.name, name),
  ) as SQL;
