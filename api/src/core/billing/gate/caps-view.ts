// Caps of an organisation and its members, with what each has spent this month.
import type { CapsView } from '@gantry/contract/areas/billing/wallet.ts';
import { type Micros, moneyText, ZERO } from '@gantry/contract/fields/money.ts';
import { monthStart, readCaps, spentThisMonth } from './caps.ts';
import type { GateParts } from './parts.ts';

export async function readCapsView(
  { db, clock, wallets }: Pick<GateParts, 'db' | 'clock' | 'wallets'>,
  organizationId: string,
): Promise<CapsView> {
  const now = clock.now();
  const [known, spent, { currency }] = [
    await readCaps(db.sql, organizationId),
    await spentThisMonth(db.sql, organizationId, now),
    await wallets.balances(organizationId),
  ];
  const accounts = new Set([...known.members.keys(), ...spent.by.keys()].filter((account) => account !== ''));
  const textOf = (amount: Micros | undefined) => (amount === undefined ? null : moneyText(amount));
  return {
    currency,
    month: monthStart(now).toISOString().slice(0, 7),
    organization: { cap: textOf(known.organization), spent: moneyText(spent.all) },
    members: [...accounts].sort().map((account) => ({
      account_id: account,
      cap: textOf(known.members.get(account)),
      spent: moneyText(spent.by.get(account) ?? ZERO),
    })),
  };
}
