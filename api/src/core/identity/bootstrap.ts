// If no administrator can log in, a start creates one, with a password that was chosen for that or a random one, which is shown
// once. The first login must change it.
import { randomInt } from 'node:crypto';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Database, Sql } from '../../platform/db/open.ts';
import { accounts, organizations, platformGrants } from '../../platform/db/schema/people.ts';
import type { Wakes } from './organizations/organizations.ts';
import { makeAccount } from './people/new-account.ts';
import type { Passwords } from './sessions/passwords.ts';

const NAME = 'admin';
/** Without letters and digits that look alike. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';
const DIGITS = '23456789';
/** Only the gateways' first starts take it: of two that start at once, one makes the administrator. */
const LOCK = 0x67_61_6e_74;

export interface FirstAdministrator {
  name: string;
  password: string;
}

/** Undefined if there is an administrator already. */
export async function bootstrap(parts: {
  db: Database;
  clock: Clock;
  passwords: Passwords;
  currency: string;
  projection: Wakes;
  /** Shows the password, before the account is stored: otherwise nobody could log in, or make another start show it. */
  tell(administrator: FirstAdministrator): Promise<void>;
  /** Instead of a random one. */
  chosen?: string | undefined;
}): Promise<FirstAdministrator | undefined> {
  const { db, clock, passwords, currency, projection, tell, chosen } = parts;
  if (await hasAdministrator(db.sql)) return undefined;
  const password = chosen ?? [8, 8].map((letters) => pick(LETTERS, letters - 3) + pick(DIGITS, 3)).join('');
  const passwordHash = await passwords.hash(password);
  const now = clock.now();
  const made = await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`);
    if (await hasAdministrator(tx)) return undefined;
    const wanted = { passwordHash, mustChangePassword: true, locale: 'en', currency, now } as const;
    const account =
      (await makeAccount(tx, { ...wanted, name: NAME })) ??
      // Somebody has the name already: an administrator of before, who was disabled or has lost the role.
      (await makeAccount(tx, { ...wanted, name: `${NAME}-${pick(LETTERS, 8)}` }));
    if (!account) throw new Error('no name was free for an administrator');
    await tx.insert(platformGrants).values({ accountId: account.id, role: 'administrator', createdAt: new Date(now) });
    await tell({ name: account.name, password });
    return account;
  });
  if (made === undefined) return undefined;
  const [own] = await db.sql.select().from(organizations).where(eq(organizations.personalOf, made.id));
  if (own) projection.wake(own.id);
  return { name: made.name, password };
}

async function hasAdministrator(db: Sql): Promise<boolean> {
  const found = await db
    .select({ id: accounts.id })
    .from(platformGrants)
    .innerJoin(accounts, eq(accounts.id, platformGrants.accountId))
    .where(and(eq(platformGrants.role, 'administrator'), isNull(accounts.disabledAt)))
    .limit(1);
  return found.length > 0;
}

const pick = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
