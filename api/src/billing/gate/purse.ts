// What one organisation may spend now, for one of its members: the numbers that `may-spend.ts` decides over. One look serves many
// questions.
import { type Micros, micros, ZERO } from '@gantry/contract/fields/money.ts';
import type { Sql } from '../../db/open.ts';
import type { FreeMoney } from '../ledger/free-money.ts';
import { type Caps, readCaps, spentThisMonth } from './caps.ts';
import type { Cap, Purse } from './may-spend.ts';

interface Who {
  accountId?: string | undefined;
  /** Whose own hold would be replaced, and counts as free. */
  subject?: string | undefined;
}

/** What caps are held against. */
interface Spent {
  caps: Caps;
  all: Micros;
  by: ReadonlyMap<string, Micros>;
}

export async function readSpent(connection: Sql, organizationId: string, now: number): Promise<Spent> {
  const caps = await readCaps(connection, organizationId);
  if (caps.organization === undefined && caps.members.size === 0) return { caps, all: ZERO, by: new Map() };
  return { caps, ...(await spentThisMonth(connection, organizationId, now)) };
}

export function purseOf(money: FreeMoney, { caps, all, by }: Spent, { accountId, subject }: Who): Purse {
  const ofMember = accountId === undefined ? undefined : caps.members.get(accountId);
  const spent = micros(all + money.kept(subject));
  const spentByMember = micros((by.get(accountId ?? '') ?? ZERO) + money.kept(subject, accountId));
  return {
    currency: money.currency,
    available: money.free(subject),
    caps: [...capOf('organization', caps.organization, spent), ...capOf('member', ofMember, spentByMember)],
  };
}

const capOf = (whose: Cap['whose'], cap: Micros | undefined, spent: Micros): Cap[] =>
  cap === undefined ? [] : [{ whose, cap, spent }];
