// The amounts that one organisation may spend now, for one of its members: the numbers for `may-spend.ts`. One read serves many questions.
import { least, type Micros, micros, ZERO } from '@gantry/contract/fields/money.ts';
import { eq } from 'drizzle-orm';
import type { Sql } from '../../../platform/db/open.ts';
import { organizations } from '../../../platform/db/schema/people.ts';
import type { FreeMoney } from '../ledger/free-money.ts';
import { type Caps, readLimits, spentThisMonth } from './caps.ts';
import type { Cap, SpendableBalance } from './may-spend.ts';

interface Who {
  accountId?: string | undefined;
  /** The object whose own hold would be replaced, and counts as free. */
  subject?: string | undefined;
}

/** The amounts compared with caps. */
interface Spent {
  caps: Caps;
  all: Micros;
  by: ReadonlyMap<string, Micros>;
  /** The organisation was deleted: its name now belongs to another one, which cannot spend its money. */
  isDeleted: boolean;
}

export async function readSpent(connection: Sql, organizationId: string, now: number): Promise<Spent> {
  const { caps, isDeleted } = await readLimits(connection, organizationId);
  if (caps.organization === undefined && caps.members.size === 0) return { caps, all: ZERO, by: new Map(), isDeleted };
  return { caps, isDeleted, ...(await spentThisMonth(connection, organizationId, now)) };
}

/** Whether the wallet of this name is a deleted organisation's. */
export async function isOfDeleted(connection: Sql, organizationId: string): Promise<boolean> {
  const [row] = await connection
    .select({ deletedAt: organizations.deletedAt })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  return row?.deletedAt != null;
}

export function spendableBalanceOf(
  money: FreeMoney,
  { caps, all, by, isDeleted }: Spent,
  { accountId, subject }: Who,
): SpendableBalance {
  const spent = micros(all + money.kept(subject));
  const spentByMember = micros((by.get(accountId ?? '') ?? ZERO) + money.kept(subject, accountId));
  // A cap would be dodged by leaving out one's name.
  const ofMembers =
    accountId === undefined
      ? capOf('nobody', caps.members.size > 0 ? ZERO : undefined, ZERO)
      : capOf('member', caps.members.get(accountId), spentByMember);
  return {
    currency: money.currency,
    available: isDeleted ? least(ZERO, money.free(subject)) : money.free(subject),
    caps: [...capOf('organization', caps.organization, spent), ...ofMembers],
  };
}

const capOf = (whose: Cap['whose'], cap: Micros | undefined, spent: Micros): Cap[] =>
  cap === undefined ? [] : [{ whose, cap, spent }];
