// Payment settings that belong to an organisation's people, and end with them. Money, bills and months stay with its id.
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Sql } from '../../../platform/db/open.ts';
import { billingProfiles, paymentMethods } from '../../../platform/db/schema/payments.ts';
import { plansHeld } from '../../../platform/db/schema/prices.ts';

/**
 * Nobody is left who could switch it off. Payments removes the cards, at their provider too; the recipient of the last invoice is
 * kept until then.
 */
export async function endPaying(tx: Sql, organizationId: string): Promise<void> {
  await tx
    .update(billingProfiles)
    .set({ autoRecharge: false })
    .where(eq(billingProfiles.organizationId, organizationId));
}

/** A cap belongs to a membership: a member who comes back starts without one. */
export async function forgetCap(tx: Sql, organizationId: string, accountId: string): Promise<void> {
  await tx
    .update(billingProfiles)
    .set({ memberCaps: sql`${billingProfiles.memberCaps} - ${accountId}::text` })
    .where(and(eq(billingProfiles.organizationId, organizationId), sql`${billingProfiles.memberCaps} ? ${accountId}`));
}

/** Others have the name now: they begin without earlier settings, notices and promises. */
export async function forgetPayers(tx: Sql, organizationId: string, now: number): Promise<void> {
  const isTheirs = and(eq(paymentMethods.organizationId, organizationId), isNull(paymentMethods.removedAt));
  await tx
    .update(paymentMethods)
    .set({ removedAt: new Date(now), isDefault: false })
    .where(isTheirs);
  await tx
    .update(billingProfiles)
    .set({
      autoRecharge: false,
      customerId: null,
      legalName: '',
      address: '',
      taxId: '',
      rechargeBelow: null,
      rechargeAmount: null,
      rechargeDailyLimit: null,
      monthlyCap: null,
      memberCaps: {},
      warned: '',
      warnings: 0,
      outOfCreditSince: null,
    })
    .where(eq(billingProfiles.organizationId, organizationId));
  const held = await tx.select().from(plansHeld).where(eq(plansHeld.organizationId, organizationId));
  if (held.length === 0) return;
  // Also plans that were to follow.
  const later = held.map(({ validFrom }) => validFrom.getTime()).filter((at) => at > now);
  const row = { organizationId, plan: 'free', createdAt: new Date(now), createdBy: 'adoption' };
  await tx.insert(plansHeld).values([...new Set([now, ...later])].map((at) => ({ ...row, validFrom: new Date(at) })));
}
