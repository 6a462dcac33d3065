// The recipient of invoices, and the time zone in which their months begin. The route validates the values.
import { eq } from 'drizzle-orm';
import type { Database, Sql } from '../../../platform/db/open.ts';
import { billingProfiles } from '../../../platform/db/schema/payments.ts';
import { organizations } from '../../../platform/db/schema/people.ts';

export interface Recipient {
  zone: string;
  legalName: string;
  address: string;
  taxId: string;
}

const COLUMNS = {
  zone: billingProfiles.zone,
  legalName: billingProfiles.legalName,
  address: billingProfiles.address,
  taxId: billingProfiles.taxId,
};
const NOTHING_SAID: Recipient = { zone: 'UTC', legalName: '', address: '', taxId: '' };

export class Profiles {
  readonly #db: Database;

  constructor({ db }: { db: Database }) {
    this.#db = db;
  }

  async get(organizationId: string): Promise<Recipient> {
    const [found] = await this.#db.sql
      .select(COLUMNS)
      .from(billingProfiles)
      .where(eq(billingProfiles.organizationId, organizationId));
    return found ?? NOTHING_SAID;
  }

  /** Omitted fields stay. */
  async set(
    organizationId: string,
    wish: { [name in keyof Recipient]?: Recipient[name] | undefined },
  ): Promise<Recipient> {
    const changes = Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined));
    if (Object.keys(changes).length > 0)
      await this.#db.sql
        .insert(billingProfiles)
        .values({ organizationId, ...changes })
        .onConflictDoUpdate({ target: billingProfiles.organizationId, set: changes });
    return this.get(organizationId);
  }
}

/** The recipient as a document prints it: each document stores its own copy. */
export async function recipientOf(tx: Sql, organizationId: string): Promise<Record<string, string>> {
  const [found] = await tx
    .select({ name: organizations.name, ...COLUMNS })
    .from(organizations)
    .leftJoin(billingProfiles, eq(billingProfiles.organizationId, organizations.id))
    .where(eq(organizations.id, organizationId));
  const { name = organizationId, legalName, address, taxId } = found ?? {};
  return { name, legalName: legalName ?? '', address: address ?? '', taxId: taxId ?? '' };
}
