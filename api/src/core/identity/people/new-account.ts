// An account comes with its personal organisation, all in the caller's transaction: nobody is ever without one.

import type { Language } from '@gantry/contract/fields/language.ts';
import type { Sql } from '../../../platform/db/open.ts';
import { accounts } from '../../../platform/db/schema/people.ts';
import { newId } from '../../../platform/ids.ts';
import { makeOrganization } from '../organizations/organizations.ts';

export type Account = typeof accounts.$inferSelect;

export interface NewAccount {
  name: string;
  email?: string | null;
  phone?: string | null;
  passwordHash?: string;
  mustChangePassword?: boolean;
  locale: Language;
  termsVersion?: string;
  /** ISO 4217, of the personal organisation. */
  currency: string;
  now: number;
}

/** Undefined where name or address is taken; nothing is written then. */
export async function makeAccount(tx: Sql, wanted: NewAccount): Promise<Account | undefined> {
  const { currency, now, ...fields } = wanted;
  const [account] = await tx
    .insert(accounts)
    .values({
      ...fields,
      id: newId('acc'),
      termsAcceptedAt: fields.termsVersion === undefined ? null : new Date(now),
      createdAt: new Date(now),
    })
    .onConflictDoNothing()
    .returning();
  if (!account) return undefined;
  await makeOrganization(tx, { name: account.name, owner: account.id, isPersonal: true, currency, now });
  return account;
}
