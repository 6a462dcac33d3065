// Accounts by what people type. A proven address goes before a name: one that reads like another's address is that
// other's.
import { phone } from '@gantry/contract/fields/person.ts';
import { desc, eq, or, sql } from 'drizzle-orm';
import type { Sql } from '../../../platform/db/open.ts';
import { accounts } from '../../../platform/db/schema/people.ts';
import type { Account } from './new-account.ts';

/** By name, e-mail or phone. */
export async function findAccount(db: Sql, typed: string): Promise<Account | undefined> {
  const lower = typed.trim().toLowerCase();
  const asPhone = phone.safeParse(lower).data;
  const byAddress = or(sql`lower(${accounts.email}) = ${lower}`, asPhone ? eq(accounts.phone, asPhone) : undefined);
  const [account] = await db
    .select()
    .from(accounts)
    .where(or(byAddress, sql`lower(${accounts.name}) = ${lower}`))
    .orderBy(desc(sql`(${byAddress}) is true`))
    .limit(1);
  return account;
}

/** By a proven address. */
export async function accountAt(db: Sql, address: string): Promise<Account | undefined> {
  const [account] = await db
    .select()
    .from(accounts)
    .where(isEmail(address) ? sql`lower(${accounts.email}) = ${address}` : eq(accounts.phone, address));
  return account;
}

export async function accountOf(db: Sql, id: string): Promise<Account | undefined> {
  const [account] = await db.select().from(accounts).where(eq(accounts.id, id));
  return account;
}

/** Addresses are e-mail addresses or phone numbers with their +. */
export const isEmail = (address: string): boolean => address.includes('@');
