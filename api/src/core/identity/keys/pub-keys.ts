// A person's SSH keys: at most ten, each once. Deleting one removes it from instances; pending removals are rows, so that an
// unreachable cluster only delays them.

import { hash } from 'node:crypto';
import { MOST_PUB_KEYS } from '@gantry/contract/areas/identity/keys.ts';
import { brokenKeyRule, KEY_RULES } from '@gantry/contract/fields/ssh-key.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { organizationNamespace } from '@gantry/contract/names.ts';
import { quoted, said } from '@gantry/contract/said.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, eq, isNull } from 'drizzle-orm';
import sshpk from 'sshpk';
import { type CursorPage, type CursorRows, cursorPage, newestFirst } from '../../../platform/db/key-pages.ts';
import type { Database } from '../../../platform/db/open.ts';
import { keyRemovals, pubKeys } from '../../../platform/db/schema/keys.ts';
import { accounts, memberships, organizations } from '../../../platform/db/schema/people.ts';
import { idOf, newId } from '../../../platform/ids.ts';

export type PubKey = typeof pubKeys.$inferSelect;

const LEAST_RSA_BITS = 2048;

export interface ReadKey {
  /** Kind and base64, as every spelling of the key has them. */
  publicKey: string;
  /** `SHA256:…`, as ssh-keygen shows it. */
  fingerprint: string;
}

/** Throws ssh_key_broken with the reason. */
function readPublicKey(text: string): ReadKey {
  const [kind = '', blob = ''] = text.trim().split(/\s+/);
  const publicKey = `${kind} ${blob}`;
  const broken =
    brokenKeyRule(publicKey) ??
    (text.trim().includes('\n') ? { words: KEY_RULES.lines, args: {} } : weakness(publicKey));
  if (broken)
    throw problem('ssh_key_broken', quoted('detail', said(broken.words, broken.args)), { field: 'public_key' });
  const digest = hash('sha256', Buffer.from(blob, 'base64'), 'base64').replace(/=+$/, '');
  return { publicKey, fingerprint: `SHA256:${digest}` };
}

function weakness(publicKey: string): ReturnType<typeof brokenKeyRule> {
  // The parser does not know hardware keys; their form was checked, and they have no other sizes.
  if (publicKey.startsWith('sk-')) return undefined;
  try {
    const { type, size } = sshpk.parseKey(publicKey, 'ssh');
    return type === 'rsa' && size < LEAST_RSA_BITS
      ? { words: KEY_RULES.bits, args: { bits: `${LEAST_RSA_BITS}` } }
      : undefined;
  } catch {
    return { words: KEY_RULES.numbers, args: {} };
  }
}

export interface PubKeyParts {
  db: Database;
  clock: Clock;
  /** Takes deleted keys off instances, some time after the commit. */
  leftovers: { wake(): void };
}

export class PubKeys {
  readonly #parts: PubKeyParts;

  constructor(parts: PubKeyParts) {
    this.#parts = parts;
  }

  list(accountId: string, asked: CursorPage): Promise<CursorRows<PubKey>> {
    const { sql: db } = this.#parts.db;
    const own = eq(pubKeys.accountId, accountId);
    const list = newestFirst(pubKeys, own);
    return cursorPage(db, list, asked, db.select().from(pubKeys).$dynamic(), ({ id }) => id);
  }

  /** Under the same `idempotencyKey` it is the same one. */
  async add(
    accountId: string,
    wanted: { remark: string; publicKey: string; expiresAt: Date | null },
    idempotencyKey?: string,
  ): Promise<PubKey> {
    const { db, clock } = this.#parts;
    const key = readPublicKey(wanted.publicKey);
    const id = idOf('key', idempotencyKey);
    const now = clock.now();
    if (wanted.expiresAt && wanted.expiresAt.getTime() <= now)
      throw problem('expiry_passed', {}, { field: 'expiration_time' });
    return db.transaction(async (tx) => {
      // The account's row is the queue: else two at once would both be the tenth.
      await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for('update');
      const kept = await tx.select().from(pubKeys).where(eq(pubKeys.accountId, accountId));
      const made = kept.find((one) => one.id === id);
      if (made) return made;
      const same = kept.find(({ publicKey }) => publicKey === key.publicKey);
      if (same) throw problem('pub_key_exists', { remark: same.remark }, { field: 'public_key' });
      if (kept.length >= MOST_PUB_KEYS) throw problem('too_many_pub_keys', { most: MOST_PUB_KEYS });
      const row = {
        id,
        accountId,
        remark: wanted.remark,
        ...key,
        expiresAt: wanted.expiresAt,
        createdAt: new Date(now),
      };
      await tx.insert(pubKeys).values(row);
      return row;
    });
  }

  /** In every organisation of the person. */
  async remove(accountId: string, id: string): Promise<void> {
    const { db, clock, leftovers } = this.#parts;
    await db.transaction(async (tx) => {
      const [gone] = await tx
        .delete(pubKeys)
        .where(and(eq(pubKeys.id, id), eq(pubKeys.accountId, accountId)))
        .returning();
      if (!gone) throw problem('not_found', { what: id });
      const places = await tx
        .select({ organizationId: memberships.organizationId })
        .from(memberships)
        .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
        .where(and(eq(memberships.accountId, accountId), isNull(organizations.deletedAt)));
      if (places.length > 0)
        await tx.insert(keyRemovals).values(
          places.map(({ organizationId }) => ({
            id: newId('rem'),
            namespace: organizationNamespace(organizationId),
            publicKey: gone.publicKey,
            accountId,
            createdAt: new Date(clock.now()),
          })),
        );
    });
    leftovers.wake();
  }
}
