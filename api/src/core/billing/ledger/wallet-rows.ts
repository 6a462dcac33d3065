// The rows of wallets: what is written to `wallets`. Several rows are locked in the order of their ids, and each is the lock of
// whatever its organisation spends.
import { type Micros, micros } from '@gantry/contract/fields/money.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { eq, sql } from 'drizzle-orm';
import type { Sql } from '../../../platform/db/open.ts';
import { rowsOf } from '../../../platform/db/rows-of.ts';
import { wallets } from '../../../platform/db/schema/ledger.ts';
import { accountOf, ORGANIZATION_ACCOUNTS } from './accounts.ts';
import { anyOf, rowsAs } from './columns.ts';
import { openAccounts } from './ledger.ts';
import type { Wallet } from './wallet-rules.ts';

/** Empty wallets with their accounts and billing profiles; what is there already stays. */
export async function openWallets(
  tx: Sql,
  wanted: readonly { organizationId: string; currency: string }[],
): Promise<void> {
  const input = rowsAs('input', wanted, {
    org: ['text', ({ organizationId }) => organizationId],
    currency: ['text', ({ currency }) => currency],
  });
  await tx.execute(
    sql`insert into wallets (org_id, currency, cash, credits, debt, overdraft)
      select org, currency, 0, 0, 0, 0 from ${input} order by org on conflict (org_id) do nothing`,
  );
  await tx.execute(
    sql`insert into billing_profiles (org_id) select org from ${input} order by org on conflict (org_id) do nothing`,
  );
  await openAccounts(
    tx,
    wanted.flatMap((books) => ORGANIZATION_ACCOUNTS.map((type) => accountOf(books, type, books.currency))),
  );
}

interface WalletRow {
  org: string;
  currency: string;
  cash: string;
  credits: string;
  debt: string;
  overdraft: string;
}

/** By organisation, locked in their order: so that no two transactions wait for each other. One that is missing is opened. */
export async function lockWallets(tx: Sql, wanted: readonly string[]): Promise<Map<string, Wallet>> {
  const ids = [...new Set(wanted)];
  const lock = async () => {
    const rows = await rowsOf<WalletRow>(
      tx,
      sql`select org_id as org, currency, cash::text, credits::text, debt::text, overdraft::text from wallets
        where org_id = ${anyOf(ids)} order by org_id for update`,
    );
    return new Map(rows.map((row) => [row.org, walletOf(row)]));
  };
  const found = await lock();
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length === 0) return found;
  const organizations = await rowsOf<{ organizationId: string; currency: string }>(
    tx,
    sql`select id as "organizationId", currency from organizations where id = ${anyOf(missing)}`,
  );
  await openWallets(tx, organizations);
  const all = await lock();
  const unknown = ids.find((id) => !all.has(id));
  if (unknown !== undefined) throw problem('not_found', { what: unknown });
  return all;
}

const walletOf = ({ org, currency, cash, credits, debt, overdraft }: WalletRow): Wallet => ({
  organizationId: org,
  currency,
  cash: micros(BigInt(cash)),
  credits: micros(BigInt(credits)),
  debt: micros(BigInt(debt)),
  overdraft: micros(BigInt(overdraft)),
});

/** Without the overdraft. */
export async function writeWallets(tx: Sql, changed: readonly Wallet[]): Promise<void> {
  if (changed.length === 0) return;
  const input = rowsAs('input', changed, {
    org: ['text', ({ organizationId }) => organizationId],
    cash: ['bigint', ({ cash }) => cash],
    credits: ['bigint', ({ credits }) => credits],
    debt: ['bigint', ({ debt }) => debt],
  });
  await tx.execute(
    sql`update wallets set cash = input.cash, credits = input.credits, debt = input.debt from ${input} where org_id = input.org`,
  );
}

/** Without a lock. */
export const readWallet = async (connection: Sql, organizationId: string): Promise<Wallet | undefined> =>
  (await connection.select().from(wallets).where(eq(wallets.organizationId, organizationId)))[0];

export async function writeOverdraft(tx: Sql, organizationId: string, overdraft: Micros): Promise<void> {
  await tx.update(wallets).set({ overdraft }).where(eq(wallets.organizationId, organizationId));
}
