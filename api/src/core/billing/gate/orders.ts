// Orders in SQL: what a rented host's months were charged, each once for each number of nodes.

import { isResource, RESOURCES, skuOf } from '@gantry/contract/billing/resources.ts';
import { ZERO } from '@gantry/contract/fields/money.ts';
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { eq } from 'drizzle-orm';
import type { Database } from '../../../platform/db/open.ts';
import { orders } from '../../../platform/db/schema/payments.ts';
import type { Billed, GateParts } from './parts.ts';
import { type Order, type Paid, planRental } from './rental.ts';

/** Ordered and paid ahead by the month. */
export const isRental = ({ facts, object }: Pick<Billed, 'facts' | 'object'>): boolean =>
  facts.cost.desired(object).some(({ resource }) => isResource(resource) && RESOURCES[resource].per === 'rental');

/** Whether every month that counts is charged, whatever it costs. Always true for hosts that are not rented. */
export async function isCharged({ db, clock }: Pick<GateParts, 'db' | 'clock'>, billed: Billed): Promise<boolean> {
  if (!isRental(billed)) return true;
  const host = billed.object as unknown as GpuHost;
  const paid = await paidMonths(db, billed.uid);
  return planRental(host, paid, { list: ZERO, net: ZERO }, clock.now()).orders.length === 0;
}

export async function paidMonths(db: Database, uid: string): Promise<Paid[]> {
  const rows = await db.sql.select({ id: orders.id }).from(orders).where(eq(orders.subject, uid));
  return rows.map(({ id }) => {
    const [, month = '0', nodes = '0'] = id.split('/');
    return { month: Number(month), nodes: Number(nodes) };
  });
}

/** One bill each; order, bill and charge are one transaction, and known ones are left as they are. */
export async function chargeOrders(
  { wallets, clock }: Pick<GateParts, 'wallets' | 'clock'>,
  billed: Billed,
  wanted: readonly Order[],
  { priceId, discountId }: { priceId: bigint; discountId?: bigint | undefined },
): Promise<void> {
  const { object, organizationId, uid, facts } = billed;
  const { spec } = object as unknown as GpuHost;
  const at = new Date(clock.now());
  const sku = skuOf({ resource: 'host', model: spec.gpu.model, quantity: 1 }) ?? 'host/any';
  const charges = wanted.map((order) => ({
    key: `order/${order.id}`,
    organizationId,
    list: order.list,
    net: order.net,
    at,
    subject: uid,
    bill: {
      id: `order/${order.id}`,
      type: 'order_consumption' as const,
      source: facts.cost.source,
      ...(spec.creator !== undefined && { accountId: spec.creator }),
      reference: `${facts.kind}/${object.metadata.name}`,
      detail: `${spec.displayName ? `${spec.displayName}: ` : ''}${order.quantity} × ${sku}, ${dayOf(order.from)} – ${dayOf(order.to)}`,
    },
  }));
  await wallets.charge(charges, async (tx, posted) => {
    const fresh = wanted.filter(({ id }) => posted.has(`order/${id}`));
    if (fresh.length === 0) return;
    await tx
      .insert(orders)
      .values(
        fresh.map(({ id, quantity, from, to, list, net }) => ({
          id,
          organizationId,
          billId: `order/${id}`,
          subject: uid,
          sku,
          priceId: `${priceId}`,
          discountId: discountId === undefined ? null : `${discountId}`,
          quantity,
          from: new Date(from),
          to: new Date(to),
          list,
          net,
          createdAt: at,
        })),
      )
      .onConflictDoNothing();
  });
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
