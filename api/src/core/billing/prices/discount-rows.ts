// Discounts as the operators' console lists and sets them, and codes as organisations redeem them. There are few enough discounts
// for all to be looked at.

import type { DiscountRow } from '@gantry/contract/areas/billing/admin-discount.ts';
import type { RedeemedCode } from '@gantry/contract/areas/billing/prices.ts';
import type { DiscountType } from '@gantry/contract/billing/discounts.ts';
import type { PlanId } from '@gantry/contract/billing/plans.ts';
import type { SourceType } from '@gantry/contract/billing/resources.ts';
import { isTextCode } from '@gantry/contract/fields/codes.ts';
import type { AdminQuery } from '@gantry/contract/http/admin.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { count, desc, eq, inArray } from 'drizzle-orm';
import type { Page } from '../../../platform/db/list-pages.ts';
import type { Database } from '../../../platform/db/open.ts';
import { organizations } from '../../../platform/db/schema/people.ts';
import { discounts, redemptions } from '../../../platform/db/schema/prices.ts';
import { factsOf } from './price-views.ts';
import { rowPage } from './row-page.ts';
import type { Tariffs } from './tariffs.ts';

export interface DiscountRowsParts {
  db: Database;
  clock: Clock;
  tariffs: Pick<Tariffs, 'discounts' | 'setDiscount' | 'redeem'>;
}

export interface SetDiscount {
  type: DiscountType;
  organization_id?: string | undefined;
  plan?: PlanId | undefined;
  sku?: string | undefined;
  code?: string | undefined;
  source?: SourceType | null | undefined;
  percent: number;
  most_uses?: number | undefined;
  valid_from?: string | undefined;
  valid_to?: string | undefined;
  reason: string;
}

const FIELD = { organization: 'organization_id', plan: 'plan', sku: 'sku', code: 'code' } as const satisfies Record<
  DiscountType,
  keyof SetDiscount
>;

export class DiscountRows {
  readonly #parts: DiscountRowsParts;

  constructor(parts: DiscountRowsParts) {
    this.#parts = parts;
  }

  async page(query: AdminQuery): Promise<Page<DiscountRow>> {
    const { db, clock, tariffs } = this.#parts;
    const now = clock.now();
    const uses = await this.#uses();
    const all = await db.sql
      .select({ discount: discounts, name: organizations.name })
      .from(discounts)
      .leftJoin(organizations, eq(organizations.id, discounts.organizationId));
    const rows = all.map(({ discount: row, name }): DiscountRow => {
      const target = row.organizationId ?? row.target ?? '';
      const of = (type: DiscountType) => (row.type === type ? target : null);
      return {
        id: `${row.id}`,
        type: row.type,
        target,
        organization_id: row.organizationId,
        organization_name: name ?? '',
        plan: of('plan') as PlanId | null,
        sku: of('sku'),
        code: of('code'),
        source: row.source,
        percent: row.basisPoints / 100,
        state: tariffs.discounts.stateOf({ ...row, target, source: row.source ?? undefined }, now),
        valid_from: row.validFrom.toISOString(),
        valid_to: row.validTo?.toISOString() ?? null,
        uses: row.type === 'code' ? (uses.get(target) ?? 0) : null,
        most_uses: row.mostUses,
        created_at: row.createdAt.toISOString(),
        created_by: row.createdBy,
        reason: row.reason,
      };
    });
    return rowPage(rows, query, ['target', 'organization_name', 'reason'], {});
  }

  /** Throws discount_target, sku_unknown, discount_times, price_in_past, not_found. `approvedBy`: the second person, where it took one. */
  async set(wish: SetDiscount, by: string, approvedBy: string | null = null): Promise<DiscountRow> {
    const { source, percent, most_uses: mostUses, valid_from, valid_to, reason } = wish;
    const { type, target } = targetOf(wish);
    const id = await this.#parts.tariffs.setDiscount(
      {
        type,
        target,
        source: source ?? undefined,
        basisPoints: Math.round(percent * 100),
        mostUses,
        validFrom: momentOf(valid_from),
        validTo: momentOf(valid_to),
        reason,
      },
      by,
      approvedBy,
    );
    return this.one(`${id}`);
  }

  /** Throws not_found. */
  async one(id: string): Promise<DiscountRow> {
    const { items } = await this.page({ sort: ['id', 'ASC'], range: [0, 0], filter: { id } });
    const [row] = items;
    if (!row) throw problem('not_found', { what: id });
    return row;
  }

  /** Throws discount_code_invalid and discount_code_redeemed. */
  async redeem(typed: string, organizationId: string, accountId: string): Promise<RedeemedCode> {
    const { clock, tariffs } = this.#parts;
    const exact = typed.trim();
    // Older codes are in capitals, and many a person types others so.
    const code = tariffs.discounts.ofCode(exact, clock.now()) ? exact : exact.toUpperCase();
    await tariffs.redeem(code, organizationId, accountId);
    const redeemed = (await this.redeemed(organizationId)).find((one) => one.code === code);
    if (!redeemed) throw new Error('what was redeemed just now is not there');
    return redeemed;
  }

  async redeemed(organizationId: string): Promise<RedeemedCode[]> {
    const { db, clock, tariffs } = this.#parts;
    const rows = await db.sql
      .select()
      .from(redemptions)
      .where(eq(redemptions.organizationId, organizationId))
      .orderBy(desc(redemptions.createdAt), desc(redemptions.code));
    return rows.map(({ code, createdAt }) => {
      const discount = tariffs.discounts.ofCode(code, clock.now());
      return {
        code,
        percent: (discount?.basisPoints ?? 0) / 100,
        source_type: discount?.source ?? null,
        redeemed_at: createdAt.toISOString(),
        valid_to: discount?.validTo === undefined ? null : new Date(discount.validTo).toISOString(),
      };
    });
  }

  async #uses(): Promise<Map<string, number>> {
    const { db } = this.#parts;
    const codes = db.sql.select({ code: discounts.target }).from(discounts).where(eq(discounts.type, 'code'));
    const rows = await db.sql
      .select({ code: redemptions.code, uses: count() })
      .from(redemptions)
      .where(inArray(redemptions.code, codes))
      .groupBy(redemptions.code);
    return new Map(rows.map(({ code, uses }) => [code, uses]));
  }
}

const momentOf = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));

/** Requires exactly one of these fields. Throws discount_target, discount_code_rule and sku_unknown. */
export function targetOf(wish: SetDiscount): { type: DiscountType; target: string } {
  const { type, most_uses: mostUses } = wish;
  const field = FIELD[type];
  const target = wish[field];
  const others = Object.values(FIELD).filter((name) => name !== field && wish[name] !== undefined);
  if (target === undefined || others.length > 0 || (mostUses !== undefined && type !== 'code'))
    throw problem('discount_target', {}, { field: others[0] ?? (target === undefined ? field : 'most_uses') });
  if (type === 'code' && wish.percent > 0 && !isTextCode(target))
    throw problem('discount_code_rule', {}, { field: 'code' });
  // A discount never applies to a plan's price.
  if (type === 'sku' && (!factsOf(target) || target.startsWith('plan/')))
    throw problem('sku_unknown', { sku: target }, { field: 'sku' });
  return { type, target };
}
