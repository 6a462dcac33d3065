// The second factor: codes of an authenticator, and ten codes for the day it is lost. A code counts once.
import { randomInt } from 'node:crypto';
import { and, eq, isNotNull, isNull, lt } from 'drizzle-orm';
import { generateSecret, generateURI, verify } from 'otplib';
import type { Sql } from '../../../platform/db/open.ts';
import { recoveryCodes, totps } from '../../../platform/db/schema/identity.ts';
import type { Secrets } from '../../../platform/secrets.ts';

const STEP_S = 30;
const RECOVERY_CODES = 10;
/** Without letters and digits that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const ISSUER = 'Gantry';

/** A secret that has no effect before it is confirmed; undefined if one is confirmed already. */
export async function enrolTotp(
  db: Sql,
  secrets: Secrets,
  account: { id: string; name: string },
): Promise<{ secret: string; uri: string } | undefined> {
  const secret = generateSecret();
  const row = { sealedSecret: secrets.seal('totp', secret), confirmedAt: null, lastStep: -1 };
  const written = await db
    .insert(totps)
    .values({ ...row, accountId: account.id })
    .onConflictDoUpdate({ target: totps.accountId, set: row, setWhere: isNull(totps.confirmedAt) })
    .returning({ accountId: totps.accountId });
  if (written.length === 0) return undefined;
  return { secret, uri: generateURI({ issuer: ISSUER, label: account.name, secret }) };
}

/** Returns the recovery codes, this once; undefined for a wrong code or nothing to confirm. */
export async function confirmTotp(
  db: Sql,
  secrets: Secrets,
  accountId: string,
  code: string,
  now: number,
): Promise<string[] | undefined> {
  const [row] = await db
    .select()
    .from(totps)
    .where(and(eq(totps.accountId, accountId), isNull(totps.confirmedAt)));
  if (!row || !(await takeStep(db, secrets, row, code, now))) return undefined;
  await db
    .update(totps)
    .set({ confirmedAt: new Date(now) })
    .where(eq(totps.accountId, accountId));
  const codes = Array.from({ length: RECOVERY_CODES }, recoveryCode);
  await db.delete(recoveryCodes).where(eq(recoveryCodes.accountId, accountId));
  await db
    .insert(recoveryCodes)
    .values(codes.map((each) => ({ accountId, codeHash: recoveryHash(secrets, accountId, each) })));
  return codes;
}

export async function hasTotp(db: Sql, accountId: string): Promise<boolean> {
  const found = await db
    .select({ accountId: totps.accountId })
    .from(totps)
    .where(and(eq(totps.accountId, accountId), isNotNull(totps.confirmedAt)));
  return found.length > 0;
}

/** An authenticator's six digits or a recovery code; whichever it was is used up. */
export async function takeSecondFactor(
  db: Sql,
  secrets: Secrets,
  accountId: string,
  code: string,
  now: number,
): Promise<boolean> {
  if (!/^[0-9]{6}$/.test(code)) {
    const used = await db
      .delete(recoveryCodes)
      .where(
        and(
          eq(recoveryCodes.accountId, accountId),
          eq(recoveryCodes.codeHash, recoveryHash(secrets, accountId, code.trim().toLowerCase())),
        ),
      )
      .returning({ accountId: recoveryCodes.accountId });
    return used.length > 0;
  }
  const [row] = await db
    .select()
    .from(totps)
    .where(and(eq(totps.accountId, accountId), isNotNull(totps.confirmedAt)));
  return row !== undefined && takeStep(db, secrets, row, code, now);
}

export async function dropTotp(db: Sql, accountId: string): Promise<void> {
  await db.delete(totps).where(eq(totps.accountId, accountId));
  await db.delete(recoveryCodes).where(eq(recoveryCodes.accountId, accountId));
}

/** Right for this step or its neighbours, and later than the last one taken: of two with the same code one gets in. */
async function takeStep(
  db: Sql,
  secrets: Secrets,
  row: typeof totps.$inferSelect,
  code: string,
  now: number,
): Promise<boolean> {
  const result = await verify({
    secret: secrets.open('totp', row.sealedSecret),
    token: code,
    epoch: Math.floor(now / 1_000),
    epochTolerance: STEP_S,
  });
  if (!result.valid) return false;
  const step = Math.floor(now / 1_000 / STEP_S) + result.delta;
  const taken = await db
    .update(totps)
    .set({ lastStep: step })
    .where(and(eq(totps.accountId, row.accountId), lt(totps.lastStep, step)))
    .returning({ accountId: totps.accountId });
  return taken.length > 0;
}

const recoveryCode = (): string =>
  [5, 5].map((length) => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')).join('-');

const recoveryHash = (secrets: Secrets, accountId: string, code: string): string =>
  secrets.hmac('recovery', `${accountId} ${code}`);
