// Spend caps: at most so much in one UTC month, of the organisation and of each member. What counts is posted, used and not
// posted yet, and held.
import { type Micros, micros, moneyText, parseMoney, ZERO } from '@gantry/contract/fields/money.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { and, eq, inArray, isNotNull, or, sql } from 'drizzle-orm';
import type { Database, Sql } from '../../../platform/db/open.ts';
import { rowsOf } from '../../../platform/db/rows-of.ts';
import { billingProfiles } from '../../../platform/db/schema/payments.ts';
import { memberships, organizations } from '../../../platform/db/schema/people.ts';

export interface Caps {
  organization: Micros | undefined;
  /** By account. */
  members: ReadonlyMap<string, Micros>;
}

const NONE: Caps = { organization: undefined, members: new Map() };

export async function readCaps(connection: Sql, organizationId: string): Promise<Caps> {
  const [row] = await connection
    .select({ cap: billingProfiles.monthlyCap, members: billingProfiles.memberCaps })
    .from(billingProfiles)
    .where(eq(billingProfiles.organizationId, organizationId));
  return row ? capsFrom(row) : NONE;
}

/** The same, and whether the wallet of this name is a deleted organisation's. */
export async function readLimits(connection: Sql, organizationId: string): Promise<{ caps: Caps; isDeleted: boolean }> {
  const [row] = await connection
    .select({
      deletedAt: organizations.deletedAt,
      cap: billingProfiles.monthlyCap,
      members: billingProfiles.memberCaps,
    })
    .from(organizations)
    .leftJoin(billingProfiles, eq(billingProfiles.organizationId, organizations.id))
    .where(eq(organizations.id, organizationId));
  return { caps: row ? capsFrom(row) : NONE, isDeleted: row?.deletedAt != null };
}

/** The caps of all organisations that have one. */
export async function readAllCaps(connection: Sql): Promise<ReadonlyMap<string, Caps>> {
  const rows = await connection
    .select({
      id: billingProfiles.organizationId,
      cap: billingProfiles.monthlyCap,
      members: billingProfiles.memberCaps,
    })
    .from(billingProfiles)
    .where(or(isNotNull(billingProfiles.monthlyCap), sql`${billingProfiles.memberCaps} <> '{}'::jsonb`));
  return new Map(rows.map(({ id, ...row }) => [id, capsFrom(row)]));
}

const capsFrom = ({
  cap,
  members,
}: {
  cap: Micros | null;
  members: Readonly<Record<string, string>> | null;
}): Caps => ({
  organization: cap ?? undefined,
  members: new Map(Object.entries(members ?? {}).map(([account, text]) => [account, parseMoney(text)] as const)),
});

/** Accounts whose caps differ, and '' if the organisation's cap does. */
export function changedCaps(before: Caps = NONE, after: Caps = NONE): ReadonlySet<string> {
  const accounts = new Set([...before.members.keys(), ...after.members.keys()]);
  const changed = [...accounts].filter((account) => before.members.get(account) !== after.members.get(account));
  return new Set(before.organization === after.organization ? changed : [...changed, '']);
}

/** Sets the caps that are given; null removes one, also that of a former member. Throws not_a_member for a cap of anybody else. */
export async function writeCaps(
  db: Database,
  organizationId: string,
  change: { organization?: Micros | null | undefined; members?: Readonly<Record<string, Micros | null>> | undefined },
): Promise<Caps> {
  await db.transaction(async (tx) => {
    await demandMembers(tx, organizationId, change.members ?? {});
    const [row] = await tx
      .select({ members: billingProfiles.memberCaps })
      .from(billingProfiles)
      .where(eq(billingProfiles.organizationId, organizationId))
      .for('update');
    const members = { ...row?.members };
    for (const [account, cap] of Object.entries(change.members ?? {})) {
      if (cap === null) delete members[account];
      else members[account] = moneyText(cap);
    }
    const set = { memberCaps: members, ...(change.organization !== undefined && { monthlyCap: change.organization }) };
    if (row) await tx.update(billingProfiles).set(set).where(eq(billingProfiles.organizationId, organizationId));
    else await tx.insert(billingProfiles).values({ organizationId, ...set });
  });
  return readCaps(db.sql, organizationId);
}

/** Locked until commit: a member who is removed meanwhile is removed after this, together with the cap. */
async function demandMembers(
  tx: Sql,
  organizationId: string,
  caps: Readonly<Record<string, Micros | null>>,
): Promise<void> {
  const wanted = Object.keys(caps).filter((account) => caps[account] !== null);
  if (wanted.length === 0) return;
  const rows = await tx
    .select({ account: memberships.accountId })
    .from(memberships)
    .where(and(eq(memberships.organizationId, organizationId), inArray(memberships.accountId, wanted)))
    .for('share');
  const present = new Set(rows.map(({ account }) => account));
  const stranger = wanted.find((account) => !present.has(account));
  if (stranger !== undefined) throw problem('not_a_member', { account: stranger }, { field: 'members' });
}

/** Charges in the month of `now`, by creator; bills of use are one per object and UTC day. */
export async function spentThisMonth(
  connection: Sql,
  organizationId: string,
  now: number,
): Promise<{ all: Micros; by: ReadonlyMap<string, Micros> }> {
  const from = monthStart(now).toISOString();
  const rows = await rowsOf<{ account: string | null; total: string }>(
    connection,
    sql`select account_id as account, sum(total)::text as total from bills
        where org_id = ${organizationId} and at >= ${from}::timestamptz and type in ('consumption', 'order_consumption')
        group by account_id`,
  );
  const by = new Map(rows.map(({ account, total }) => [account ?? '', micros(BigInt(total))]));
  return { all: [...by.values()].reduce((sum, one) => micros(sum + one), ZERO), by };
}

export function monthStart(now: number): Date {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1));
}
