// Everything that can have a price: what the platform meters and sells, with its name, unit and present prices. The only place that
// decides whether a SKU stands for something.
import type { PriceItem, PriceItems as View } from '@gantry/contract/areas/billing/admin-prices.ts';
import { PLAN_IDS, PLANS, planSku } from '@gantry/contract/billing/plans.ts';
import { RESOURCES, type Resource, skuOf } from '@gantry/contract/billing/resources.ts';
import { FILE_OWNERS, isStorageSku, storageSku } from '@gantry/contract/billing/storage.ts';
import { TOKEN_PARTS, tokenSku, tokenSkuFacts } from '@gantry/contract/billing/token-prices.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { moneyText } from '@gantry/contract/fields/money.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Database } from '../../../platform/db/open.ts';
import { organizations } from '../../../platform/db/schema/people.ts';
import { skuText } from '../documents/words.ts';
import { PRICED_GPU_MODELS } from './default-prices.ts';
import type { PriceTable } from './price-table.ts';
import { factsOf } from './price-views.ts';

/** What runs, and where: its models can have prices of their own. */
export interface PricedStock {
  regions(): readonly { region: string; name: string }[];
  gpuModels(): readonly string[];
  /** Deployed ones, some of them several times: a SKU of tokens has the id. */
  models(): readonly { id: string; name: string }[];
}

export interface PriceItemsParts {
  db: Database;
  clock: Clock;
  tariffs: { prices: PriceTable };
  /** The installation's. */
  currency: string;
  stock: PricedStock;
}

const ANY = 'any';
/** Of a list to choose from; a model beyond them can have a price all the same. */
const MOST_MODELS = 300;

export class PriceItems {
  readonly #parts: PriceItemsParts;

  constructor(parts: PriceItemsParts) {
    this.#parts = parts;
  }

  /** Throws sku_unknown, also of a model that the platform has neither seen nor priced. */
  require(sku: string, field: string): void {
    if (!this.#isKnown(sku)) throw problem('sku_unknown', { sku }, { field });
  }

  async view(language: Language): Promise<View> {
    const { db, clock, tariffs, currency, stock } = this.#parts;
    const now = clock.now();
    const rows = tariffs.prices.rows;
    const holding = Map.groupBy(
      rows.filter((row) => tariffs.prices.stateOf(row, now) === 'holds'),
      ({ sku }) => sku,
    );
    const held = await db.sql.selectDistinct({ currency: organizations.currency }).from(organizations);
    const names = this.#modelNames();
    const items = this.#skus().map((sku): PriceItem => {
      const { unit, per, group } = shapeOf(sku);
      return {
        sku,
        name: nameOf(sku, names, language),
        group: skuText(group, language),
        unit,
        per,
        prices: (holding.get(sku) ?? []).map(({ region, amount, currency: of, validFrom }) => ({
          region: region === '*' ? null : region,
          currency: of,
          amount: moneyText(amount),
          // The first list has always applied.
          valid_from: validFrom <= 0 ? null : new Date(validFrom).toISOString(),
        })),
      };
    });
    return {
      currency,
      currencies: [...new Set([currency, ...held.map((row) => row.currency), ...rows.map((row) => row.currency)])],
      regions: [...stock.regions()],
      items,
    };
  }

  #skus(): string[] {
    const gpus = [...this.#gpuModels()].sort();
    const ofResources = (Object.keys(RESOURCES) as Resource[]).flatMap((resource) => {
      const any = skuOf({ resource, quantity: 1 });
      if (any === undefined) return [];
      return any.includes('/') ? [any, ...gpus.map((model) => `${resource}/${model}`)] : [any];
    });
    const priced = [...new Set(this.#parts.tariffs.prices.rows.map(({ sku }) => sku))];
    const models = [...this.#modelNames().keys()].slice(0, MOST_MODELS);
    return [
      ...new Set([
        ...ofResources,
        ...PLAN_IDS.filter((plan) => PLANS[plan].price === 'list').map(planSku),
        ...FILE_OWNERS.map(storageSku),
        ...TOKEN_PARTS.map((part) => tokenSku(part, ANY)),
        ...models.flatMap((id) => TOKEN_PARTS.map((part) => tokenSku(part, id))),
        ...priced.filter((sku) => this.#isKnown(sku)),
      ]),
    ];
  }

  #isKnown(sku: string): boolean {
    if (isStorageSku(sku)) return true;
    const tokens = tokenSkuFacts(sku);
    const facts = tokens ? undefined : factsOf(sku);
    if (!tokens && !facts) return false;
    if (facts?.resource === 'plan') return true;
    const model = tokens?.model ?? facts?.model ?? ANY;
    if (model === ANY || this.#parts.tariffs.prices.rows.some((row) => row.sku === sku)) return true;
    return tokens ? this.#modelNames().has(model) : this.#gpuModels().has(model);
  }

  /** Those of the first price list, too: a card can have its price before its first node joins. */
  #gpuModels(): ReadonlySet<string> {
    return new Set([...PRICED_GPU_MODELS, ...this.#parts.stock.gpuModels()]);
  }

  #modelNames(): ReadonlyMap<string, string> {
    return new Map(this.#parts.stock.models().map(({ id, name }) => [id, name]));
  }
}

const nameOf = (sku: string, models: ReadonlyMap<string, string>, language: Language): string => {
  const tokens = tokenSkuFacts(sku);
  const displayName = tokens && models.get(tokens.model);
  return displayName ? skuText(tokenSku(tokens.part, displayName), language) : skuText(sku, language);
};

/** `group`: the SKU without a model, whose name heads those of one kind. */
function shapeOf(sku: string): Pick<PriceItem, 'unit' | 'per' | 'group'> {
  const group = sku.split('/')[0] ?? sku;
  if (tokenSkuFacts(sku)) return { group, unit: 'tokens', per: 'million' };
  if (isStorageSku(sku)) return { group, unit: 'GiB', per: 'month' };
  const { unit = 'card', per = 'hour' } = factsOf(sku) ?? {};
  return { group, unit, per };
}
