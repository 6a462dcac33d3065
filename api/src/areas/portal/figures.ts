// What stands in the text of an article in place of an address or an amount: it is filled in whenever somebody reads, so that a price is
// today's. `{{console}}` is the console's origin, `{{gpu}}` a GPU model of the market, `{{image}}` an image that instances can have, and
// `{{cost gpu=1 cpu=8 hours=6 + disk=100 hours=24}}` what that costs a new customer, by the rates of the bill. A placeholder that is none of
// these stays as it was written.
import { RESOURCES, type Resource, type Use } from '@gantry/contract/billing/resources.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { moneyText, parseMoney } from '@gantry/contract/fields/money.ts';
import { exactMoney } from '@gantry/contract/fields/shown-money.ts';
import type { ViewPrices } from '../../core/billing/prices/view-prices.ts';

export interface FigureParts {
  prices: Pick<ViewPrices, 'offer'>;
  /** Of the console and the API, without a slash at the end. */
  console: string;
  /** The sources of official images. */
  images(): readonly string[];
  /** GPU models that the market shows, in its order, with the price of one by the hour. */
  market(): readonly { id: string; hour: string | null }[];
}

const NO_PRICE: Readonly<Record<Language, string>> = { en: '(no price set)', zh: '（未定价）', ja: '（料金未設定）' };
/** Where there is no official one. */
const ANY_IMAGE = 'library/ubuntu:24.04';
/** Where the market shows none. */
const ANY_GPU = 'NVIDIA-H100-80GB-HBM3';
/** Operators write articles: a slip makes no endless number. */
const MOST = 1_000_000;
/** An amount that changes is nothing to search for. */
const UNSTATED = '…';

export class Figures {
  readonly #parts: FigureParts;

  constructor(parts: FigureParts) {
    this.#parts = parts;
  }

  /** For readers. */
  filled(text: string, language: Language): string {
    return this.#filled(text, (uses) => this.#cost(uses) ?? NO_PRICE[language]);
  }

  /** For a search: the same without amounts. */
  searchable(text: string): string {
    return this.#filled(text, () => UNSTATED);
  }

  #filled(text: string, costOf: (uses: readonly Use[]) => string): string {
    const gpu = onceOnly(() => this.#gpu());
    return text.replace(PLACEHOLDER, (whole, name: string, rest: string) => {
      if (name === 'cost') {
        const uses = usesIn(rest, gpu);
        return uses ? costOf(uses) : whole;
      }
      if (rest !== '') return whole;
      if (name === 'console') return this.#parts.console;
      if (name === 'image') return this.#parts.images().toSorted()[0] ?? ANY_IMAGE;
      return name === 'gpu' ? gpu() : whole;
    });
  }

  /** The cheapest that has a price: the one of the examples. */
  #gpu(): string {
    const market = this.#parts.market();
    const priced = market.flatMap(({ id, hour }) => (hour === null ? [] : [{ id, hour: parseMoney(hour) }]));
    const [cheapest] = priced.toSorted((a, b) => (a.hour < b.hour ? -1 : a.hour > b.hour ? 1 : 0));
    return cheapest?.id ?? market[0]?.id ?? ANY_GPU;
  }

  /** Undefined where something has no price. All its decimals: the rows of a table add up to its last. */
  #cost(uses: readonly Use[]): string | undefined {
    const cost = this.#parts.prices.offer(uses, 'container_rent').hour;
    return cost ? exactMoney(moneyText(parseMoney(cost.amount)), cost.currency) : undefined;
  }
}

const PLACEHOLDER = /\{\{(\w+)((?: [\w=.+-]+)*)\}\}/g;

/** `gpu=1 model=NVIDIA-L4 hours=6 + disk=100 hours=24`; undefined for what has no meaning. */
function usesIn(rest: string, gpu: () => string): Use[] | undefined {
  const groups = rest.split(' + ').map((group) => usesOf(group.trim(), gpu));
  return groups.every((uses) => uses !== undefined) ? groups.flat() : undefined;
}

/** An hour of n cores is n hours of one: the bill's own hourly rate of so many times the use. */
function usesOf(group: string, gpu: () => string): Use[] | undefined {
  const given = new Map(group.split(' ').map((pair) => pair.split('=') as [string, string]));
  const { model = gpu(), hours = '1' } = Object.fromEntries(given);
  for (const name of ['model', 'hours']) given.delete(name);
  const uses = [...given].map(([resource, count]) => ({
    resource,
    ...(isMetered(resource) && 'byModel' in RESOURCES[resource] && { model }),
    quantity: Number(count) * Number(hours),
  }));
  const isMeant = uses.every(({ resource, quantity }) => isMetered(resource) && quantity > 0 && quantity <= MOST);
  return isMeant && uses.length > 0 ? uses : undefined;
}

/** Billed by what is used: rents are paid ahead. */
const isMetered = (resource: string): resource is Resource =>
  Object.hasOwn(RESOURCES, resource) && RESOURCES[resource as Resource].per !== 'rental';

function onceOnly<T>(read: () => T): () => T {
  let known: { value: T } | undefined;
  return () => {
    known ??= { value: read() };
    return known.value;
  };
}
