// When a login is refused without a check. Three windows of failures: from one address at one account, from one address, and at
// one account from everywhere. The last one spares addresses that have logged in before, and a password reset lifts it: strangers
// cannot lock somebody out of their own account.
import { problem } from '@gantry/contract/http/problem.ts';
import { and, eq, gt, or, type SQL, sql } from 'drizzle-orm';
import { count, forgetCount, type Limit, takeBack } from '../../../platform/db/counters.ts';
import type { Sql } from '../../../platform/db/open.ts';
import { counters, knownAddresses } from '../../../platform/db/schema/identity.ts';

const MINUTE_MS = 60_000;
const HERE: Limit = { most: 5, windowMs: 15 * MINUTE_MS };
const ADDRESS: Limit = { most: 50, windowMs: 15 * MINUTE_MS };
const EVERYWHERE: Limit = { most: 30, windowMs: 60 * MINUTE_MS };
const KNOWN_FOR_MS = 90 * 24 * 60 * MINUTE_MS;

/** `who` is the account's id, or the typed name if there is no such account: both look alike from outside. */
const keysOf = (who: string, network: string) => ({
  here: `login:${who}@${network}`,
  address: `login@${network}`,
  everywhere: `login:${who}`,
});

/**
 * Makes a try that may fail, or throws too_many_attempts while one of the windows is shut. It is counted before it is made, so
 * that guessing in parallel gains nothing; only one that was made and was wrong stays counted.
 */
export async function guarded(
  db: Sql,
  { who, network, now }: { who: string; network: string; now: number },
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  const keys = keysOf(who, network);
  let isWrong = false;
  const here = await count(db, keys.here, HERE, now);
  const address = await count(db, keys.address, ADDRESS, now);
  const everywhere = await count(db, keys.everywhere, EVERYWHERE, now);
  try {
    let seconds = Math.max(here, address);
    if (everywhere > seconds && !(await isKnown(db, who, network, now))) seconds = everywhere;
    if (seconds > 0) throw problem('too_many_attempts', { seconds }, { retryAfterSeconds: seconds });
    const right = await isRight();
    isWrong = !right;
    return right;
  } finally {
    if (!isWrong) for (const key of Object.values(keys)) await takeBack(db, key);
  }
}

/** The address's own count stays: else one's own account would be a way to go on guessing at others. */
export async function noteSuccess(db: Sql, accountId: string, network: string, now: number): Promise<void> {
  const lastAt = new Date(now);
  await forgetCount(db, keysOf(accountId, network).here);
  await db
    .insert(knownAddresses)
    .values({ accountId, ip: network, lastAt })
    .onConflictDoUpdate({ target: [knownAddresses.accountId, knownAddresses.ip], set: { lastAt } });
}

/** Somebody has proven by a code that the account is theirs. */
export async function reopen(db: Sql, accountId: string, network: string, now: number): Promise<void> {
  await noteSuccess(db, accountId, network, now);
  await forgetCount(db, keysOf(accountId, network).everywhere);
}

/** Whether the account was logged in to from there before. */
export async function isKnown(db: Sql, accountId: string, network: string, now: number): Promise<boolean> {
  const found = await db
    .select({ ip: knownAddresses.ip })
    .from(knownAddresses)
    .where(
      and(
        eq(knownAddresses.accountId, accountId),
        eq(knownAddresses.ip, network),
        gt(knownAddresses.lastAt, new Date(now - KNOWN_FOR_MS)),
      ),
    );
  return found.length > 0;
}

export interface ShutWindow {
  /** Undefined: from everywhere, except addresses that have logged in before. */
  readonly network: string | undefined;
  readonly failures: number;
  readonly until: Date;
}

/** The windows of an account that refuse logins now. Those of an address alone are nobody's. */
export async function shutWindows(db: Sql, accountId: string, now: number): Promise<ShutWindow[]> {
  const rows = await db
    .select()
    .from(counters)
    .where(and(ofAccount(accountId), gt(counters.endsAt, new Date(now))));
  const { everywhere } = keysOf(accountId, '');
  return rows.flatMap(({ key, count: failures, endsAt: until }) => {
    const isEverywhere = key === everywhere;
    if (failures < (isEverywhere ? EVERYWHERE : HERE).most) return [];
    return [{ network: isEverywhere ? undefined : key.slice(everywhere.length + 1), failures, until }];
  });
}

/** Somebody of the staff has made sure who it is. */
export const openWindows = (db: Sql, accountId: string) => db.delete(counters).where(ofAccount(accountId));

const ofAccount = (accountId: string): SQL | undefined => {
  const { everywhere } = keysOf(accountId, '');
  return or(eq(counters.key, everywhere), sql`starts_with(${counters.key}, ${`${everywhere}@`})`);
};
