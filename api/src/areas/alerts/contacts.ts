// Contact points of an organisation besides its people. An address holds the right to post there, so it is sealed and never shown again.
import { randomBytes } from 'node:crypto';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, asc, count, eq, ne } from 'drizzle-orm';
import type { Database } from '../../platform/db/open.ts';
import { alertContacts } from '../../platform/db/schema/alerts.ts';
import { isInnerHost } from '../../platform/public-address.ts';
import type { Contact } from './formats.ts';

const PURPOSE = 'alert-contact';
const MOST_CONTACTS = 50;

export interface ContactParts {
  db: Database;
  clock: Pick<Clock, 'now'>;
  secrets: { seal(purpose: string, text: string): string; open(purpose: string, sealed: string): string };
  /** For receivers inside the network, of an installation that has some. */
  allowInner: boolean;
}

export type ContactRow = Pick<typeof alertContacts.$inferSelect, 'name' | 'type' | 'host' | 'createdAt'>;

const shown = {
  name: alertContacts.name,
  type: alertContacts.type,
  host: alertContacts.host,
  createdAt: alertContacts.createdAt,
};

export class Contacts {
  readonly #parts: ContactParts;

  constructor(parts: ContactParts) {
    this.#parts = parts;
  }

  list(organizationId: string): Promise<ContactRow[]> {
    return this.#parts.db.sql
      .select(shown)
      .from(alertContacts)
      .where(eq(alertContacts.organizationId, organizationId))
      .orderBy(asc(alertContacts.name));
  }

  /** Throws inner_address, too_many_contacts. What a name resolves to is checked again at each call. */
  async set(
    { organizationId, creatorId }: { organizationId: string; creatorId: string },
    name: string,
    { type, url, key }: Contact,
  ): Promise<ContactRow> {
    const { db, clock, secrets, allowInner } = this.#parts;
    const { hostname, host } = new URL(url);
    if (!allowInner && isInnerHost(hostname)) throw problem('inner_address', { host: hostname }, { field: 'url' });
    const [others] = await db.sql
      .select({ count: count() })
      .from(alertContacts)
      .where(and(eq(alertContacts.organizationId, organizationId), ne(alertContacts.name, name)));
    if ((others?.count ?? 0) >= MOST_CONTACTS) throw problem('too_many_contacts', { most: MOST_CONTACTS });
    // A webhook is always signed; a robot of DingTalk's may have no secret.
    const signedWith = key === '' && type === 'Webhook' ? randomBytes(24).toString('base64url') : key;
    const sealed = secrets.seal(PURPOSE, JSON.stringify({ url, key: signedWith }));
    const set = { type, sealed, host, creatorId, createdAt: new Date(clock.now()) };
    const [row] = await db.sql
      .insert(alertContacts)
      .values({ organizationId, name, ...set })
      .onConflictDoUpdate({ target: [alertContacts.organizationId, alertContacts.name], set })
      .returning(shown);
    return row as ContactRow;
  }

  /** Throws not_found. */
  async remove(organizationId: string, name: string): Promise<void> {
    const gone = await this.#parts.db.sql
      .delete(alertContacts)
      .where(rowOf(organizationId, name))
      .returning({ name: alertContacts.name });
    if (gone.length === 0) throw problem('not_found', { what: name });
  }

  /** For notifications alone. */
  async read(organizationId: string, name: string): Promise<Contact | undefined> {
    const [row] = await this.#parts.db.sql.select().from(alertContacts).where(rowOf(organizationId, name));
    if (!row) return undefined;
    const { url, key } = JSON.parse(this.#parts.secrets.open(PURPOSE, row.sealed)) as { url: string; key: string };
    return { type: row.type, url, key };
  }
}

const rowOf = (organizationId: string, name: string) =>
  and(eq(alertContacts.organizationId, organizationId), eq(alertContacts.name, name));
