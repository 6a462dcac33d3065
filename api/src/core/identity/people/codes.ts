// Six digits that prove an address: ten minutes, five tries, and not another one within a minute.
import { randomInt } from 'node:crypto';
import { and, eq, gt, lte, sql } from 'drizzle-orm';
import type { Sql } from '../../../platform/db/open.ts';
import { codes } from '../../../platform/db/schema/identity.ts';
import { type Secrets, sameText } from '../../../platform/secrets.ts';

export type CodePurpose = (typeof codes.$inferSelect)['purpose'];

export const CODE_LIFE_MS = 10 * 60_000;
export const RESEND_AFTER_MS = 60_000;
const TRIES = 5;

const hashOf = (secrets: Secrets, purpose: CodePurpose, address: string, code: string): string =>
  secrets.hmac('code', `${purpose} ${address} ${code}`);

/** A new code, in the place of an older one; or how many seconds to wait for it. */
export async function newCode(
  db: Sql,
  secrets: Secrets,
  purpose: CodePurpose,
  address: string,
  now: number,
): Promise<{ code: string } | { waitSeconds: number }> {
  const code = `${randomInt(1_000_000)}`.padStart(6, '0');
  const row = {
    purpose,
    address,
    codeHash: hashOf(secrets, purpose, address, code),
    triesLeft: TRIES,
    sentAt: new Date(now),
    expiresAt: new Date(now + CODE_LIFE_MS),
  };
  const written = await db
    .insert(codes)
    .values(row)
    .onConflictDoUpdate({
      target: [codes.purpose, codes.address],
      set: row,
      setWhere: lte(codes.sentAt, new Date(now - RESEND_AFTER_MS)),
    })
    .returning({ sentAt: codes.sentAt });
  if (written.length > 0) return { code };
  const [kept] = await db
    .select({ sentAt: codes.sentAt })
    .from(codes)
    .where(and(eq(codes.purpose, purpose), eq(codes.address, address)));
  const waitMs = (kept?.sentAt.getTime() ?? now) + RESEND_AFTER_MS - now;
  return { waitSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
}

/** Uses a try before it looks, so that guessing in parallel gains nothing; the right code is used up. */
export async function proveAddress(
  db: Sql,
  secrets: Secrets,
  purpose: CodePurpose,
  address: string,
  code: string,
  now: number,
): Promise<boolean> {
  const theCode = and(eq(codes.purpose, purpose), eq(codes.address, address));
  const [row] = await db
    .update(codes)
    .set({ triesLeft: sql`${codes.triesLeft} - 1` })
    .where(and(theCode, gt(codes.triesLeft, 0), gt(codes.expiresAt, new Date(now))))
    .returning({ codeHash: codes.codeHash });
  if (!row || !sameText(row.codeHash, hashOf(secrets, purpose, address, code))) return false;
  // It stays as a row without tries, so that the minute until the next one still holds.
  const used = await db
    .update(codes)
    .set({ triesLeft: 0, codeHash: '' })
    .where(and(theCode, eq(codes.codeHash, row.codeHash)))
    .returning({ purpose: codes.purpose });
  return used.length > 0;
}
