// What one organisation may spend now, for one of its members: the numbers that `may-spend.ts` decides over.
import { type Micros, micros, most, sumOf, ZERO } from '@gantry/contract/fields/money.ts';
import { readCaps, spentThisMonth } from './caps.ts';
import type { Cap, Purse } from './may-spend.ts';
import type { Accrual, GateParts } from './parts.ts';

interface Who {
  accountId?: string | undefined;
  /** Whose own hold would be replaced, and counts as free. */
  subject?: string | undefined;
}

/** What one object keeps others from spending: held for it, and used by it and not posted yet. */
interface Kept {
  accountId: string | null;
  held: Micros;
  accrued: Micros;
}

export async function purseOf(
  { db, clock, wallets }: Pick<GateParts, 'db' | 'clock' | 'wallets'>,
  organizationId: string,
  { lines }: Accrual,
  { accountId, subject }: Who,
): Promise<Purse> {
  const balances = await wallets.balances(organizationId);
  const kept = new Map<string, Kept>(
    lines.map((line) => [line.uid, { accountId: line.accountId, held: ZERO, accrued: line.net }]),
  );
  for (const hold of await wallets.holdsOf(organizationId)) {
    const accrued = kept.get(hold.subject)?.accrued ?? ZERO;
    kept.set(hold.subject, { accountId: hold.accountId, held: hold.amount, accrued });
  }
  const own = kept.get(subject ?? '')?.held ?? ZERO;
  kept.delete(subject ?? '');
  const others = [...kept.values()];
  // A hold is for what was used and not posted, too: what goes beyond it, such as disks', is as good as spent.
  const uncovered = sumOf(others.map(({ held, accrued }) => most(ZERO, micros(accrued - held))));
  const available = micros(balances.available + own - uncovered);
  return { currency: balances.currency, available, caps: await capsOf() };

  async function capsOf(): Promise<Cap[]> {
    const caps = await readCaps(db, organizationId);
    const ofMember = accountId === undefined ? undefined : caps.members.get(accountId);
    if (caps.organization === undefined && ofMember === undefined) return [];
    const { all, by } = await spentThisMonth(db.sql, organizationId, clock.now());
    const committed = (those: readonly Kept[]) => sumOf(those.map(({ held, accrued }) => most(held, accrued)));
    const theirs = others.filter((one) => one.accountId === accountId);
    const spentByMember = micros((by.get(accountId ?? '') ?? ZERO) + committed(theirs));
    return [
      ...capOf('organization', caps.organization, micros(all + committed(others))),
      ...capOf('member', ofMember, spentByMember),
    ];
  }
}

const capOf = (whose: Cap['whose'], cap: Micros | undefined, spent: Micros): Cap[] =>
  cap === undefined ? [] : [{ whose, cap, spent }];
