// Conversations with models: a person's own in one organisation. Whoever manages the organisation does not read them either.
import { type ChatMessage, MOST_CHATS } from '@gantry/contract/areas/inference/chats.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, desc, eq } from 'drizzle-orm';
import type { Database } from '../../platform/db/open.ts';
import { chats } from '../../platform/db/schema/tokens.ts';
import { idOf } from '../../platform/ids.ts';

export type ChatRow = typeof chats.$inferSelect;
interface Owner {
  organizationId: string;
  accountId: string;
}
interface ChatWish {
  title: string;
  model: string;
  system: string;
  messages: ChatMessage[];
}

export class Chats {
  readonly #db: Database;
  readonly #clock: Pick<Clock, 'now'>;

  constructor({ db, clock }: { db: Database; clock: Pick<Clock, 'now'> }) {
    this.#db = db;
    this.#clock = clock;
  }

  /** The newest first. */
  list(owner: Owner): Promise<Omit<ChatRow, 'messages' | 'system'>[]> {
    const { messages: _m, system: _s, ...shown } = COLUMNS;
    return this.#db.sql
      .select(shown)
      .from(chats)
      .where(ofOwner(owner))
      .orderBy(desc(chats.updatedAt))
      .limit(MOST_CHATS);
  }

  /** Throws not_found. */
  async get(owner: Owner, id: string): Promise<ChatRow> {
    const [row] = await this.#db.sql.select().from(chats).where(ofOne(owner, id));
    return found(row, id);
  }

  /** Under the same key it is the same chat. Throws too_many_chats. */
  async create(owner: Owner, wish: ChatWish, key?: string): Promise<ChatRow> {
    const id = idOf('cht', key);
    const [made] = await this.#db.sql.select().from(chats).where(ofOne(owner, id));
    if (made) return made;
    if ((await this.#db.sql.$count(chats, ofOwner(owner))) >= MOST_CHATS)
      throw problem('too_many_chats', { most: MOST_CHATS });
    const now = new Date(this.#clock.now());
    const row = { id, ...owner, ...wish, createdAt: now, updatedAt: now };
    await this.#db.sql.insert(chats).values(row);
    return row;
  }

  /** Throws not_found. */
  async edit(owner: Owner, id: string, wish: ChatWish): Promise<ChatRow> {
    const set = { ...wish, updatedAt: new Date(this.#clock.now()) };
    const [row] = await this.#db.sql.update(chats).set(set).where(ofOne(owner, id)).returning();
    return found(row, id);
  }

  /** Throws not_found. */
  async remove(owner: Owner, id: string): Promise<void> {
    const [row] = await this.#db.sql.delete(chats).where(ofOne(owner, id)).returning();
    found(row, id);
  }

  async removeAll(owner: Owner): Promise<void> {
    await this.#db.sql.delete(chats).where(ofOwner(owner));
  }
}

const COLUMNS = {
  id: chats.id,
  organizationId: chats.organizationId,
  accountId: chats.accountId,
  title: chats.title,
  model: chats.model,
  system: chats.system,
  messages: chats.messages,
  createdAt: chats.createdAt,
  updatedAt: chats.updatedAt,
};

const ofOwner = ({ organizationId, accountId }: Owner) =>
  and(eq(chats.organizationId, organizationId), eq(chats.accountId, accountId));
const ofOne = (owner: Owner, id: string) => and(ofOwner(owner), eq(chats.id, id));

function found<T>(row: T | undefined, id: string): T {
  if (!row) throw problem('not_found', { what: id });
  return row;
}
