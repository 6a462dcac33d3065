// The computing market for visitors: the stock that everybody could have, at the prices of a new customer. Counted once a second, however
// many ask. It has no rule of its own: what is free is the stock's, what it costs the bill's, what is shown the operators'.

import type { GpuSpecView } from '@gantry/contract/areas/kinds/catalogue-views.ts';
import { gpuFacts, vendorOf } from '@gantry/contract/areas/portal/gpu-facts.ts';
import type { MarketDetailView, MarketModelView, MarketView } from '@gantry/contract/areas/portal/market.ts';
import { type MarketStock, shownStock } from '@gantry/contract/areas/portal/stock-steps.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { dividedRounded, micros, moneyText, parseMoney } from '@gantry/contract/fields/money.ts';
import { gpuName } from '@gantry/contract/gpu-name.ts';
import { Problem, problem } from '@gantry/contract/http/problem.ts';
import type { PriceView } from '@gantry/contract/kind-api.ts';
import { type GpuInstance, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { ViewPrices } from '../../core/billing/prices/view-prices.ts';
import type { KindStore } from '../../core/kinds/kind-store.ts';
import { onMarket } from '../../core/settings/market-models.ts';
import type { MarketModel, Texts } from '../../core/settings/run-time-state.ts';
import type { Looked, MarketLooks } from './market-looks.ts';
import { NEVER_LOOKED } from './market-looks.ts';

export interface MarketParts {
  clock: Clock;
  stock: Pick<KindStore, 'regions' | 'stockIn'>;
  prices: Pick<ViewPrices, 'offer' | 'version'>;
  looks: Pick<MarketLooks, 'byModel'>;
  /** The operators' decisions; another map after each change. */
  models(): ReadonlyMap<string, MarketModel>;
  how(): MarketStock;
  /** The installation's. */
  currency: string;
}

type Region = ReturnType<KindStore['regions']>[number];
type Spec = GpuSpecView & { note: Texts | null };
type Shown = Omit<MarketModelView, 'note' | 'availability'> & { note: Texts | null };
/** Everything but words and what was counted before. */
interface Counted {
  at: number;
  key: readonly unknown[];
  stock: MarketStock;
  models: readonly Shown[];
  stopped: MarketView['stopped'];
  away: string[];
  regions: readonly Region[];
  freeCards: number;
  allCards: number;
}

/** For so long a count is shown. */
const KEPT_MS = 1_000;
const { cost: INSTANCE_COST } = gpuInstance as typeof gpuInstance & Required<Pick<typeof gpuInstance, 'cost'>>;
const HOME_GI = gpuInstance.spec.shape.homeDisk.parse(undefined).sizeGi;

export class Market {
  readonly #parts: MarketParts;
  #counted: Counted | undefined;

  constructor(parts: MarketParts) {
    this.#parts = parts;
  }

  async list(language: Language): Promise<MarketView> {
    const { models, stock, stopped, away } = this.counted();
    const days = await this.#parts.looks.byModel();
    return {
      ...{ stock, currency: this.#parts.currency },
      models: models.map((model) => ({
        ...model,
        note: noteIn(model, language),
        availability: (days.get(model.id) ?? NEVER_LOOKED).all,
      })),
      ...{ stopped, away },
    };
  }

  /** Throws not_found for one that the market does not show. */
  async read(id: string, language: Language): Promise<MarketDetailView> {
    const { models, stock, stopped } = this.counted();
    const model = models.find((one) => one.id === id);
    if (!model) throw problem('not_found', { what: id });
    const { all, days } = (await this.#parts.looks.byModel()).get(id) ?? NEVER_LOOKED;
    const note = noteIn(model, language);
    return { ...model, note, availability: all, stock, currency: this.#parts.currency, stopped, days };
  }

  /**
   * Where an instance with this model can be made, the cheapest card first; of equal ones our own region. Throws not_found for a model that is
   * not shown, region_closed for a region that is not one of them.
   */
  placesOf(id: string, region?: string): string[] {
    const model = this.counted().models.find((one) => one.id === id);
    if (!model) throw problem('not_found', { what: id });
    const places = model.regions
      .filter((one) => one.takes_instances && (region ?? one.region) === one.region)
      .toSorted((a, b) => compared(a.card.hour, b.card.hour))
      .map((one) => one.region);
    if (region !== undefined && places.length === 0) throw problem('region_closed', { region }, { field: 'region' });
    return places;
  }

  /** What could be started at this moment, hidden models too. */
  look(): Looked[] {
    const specs = this.#reached().flatMap(({ specs: found }) => found ?? []);
    return [...Map.groupBy(specs, ({ gpu_type }) => gpu_type)].map(([model, own]) => ({
      model,
      isAvailable: own.some(({ starts }) => starts.some(({ count, free }) => count === 1 && free > 0)),
    }));
  }

  counted(): Counted {
    const { clock, prices, models, how } = this.#parts;
    const now = clock.now();
    const key = [models(), prices.version(), how()];
    const known = this.#counted;
    if (known && now >= known.at && now - known.at < KEPT_MS && known.key.every((part, at) => part === key[at]))
      return known;
    this.#counted = { ...this.#count(), at: now, key };
    return this.#counted;
  }

  #count(): Omit<Counted, 'at' | 'key'> {
    const { models, how, prices } = this.#parts;
    const stock = how();
    const found = this.#reached();
    const shown = found.map((one) => ({ ...one, specs: one.specs && onMarket(one.specs, models()) }));
    const all = shown.flatMap(({ specs }) => specs ?? []);
    // In the market's order: of several regions, whose models differ, the order of all together.
    const order = [...new Set(onMarket(all, models()).map(({ gpu_type }) => gpu_type))];
    return {
      stock,
      models: order.map((id) => this.#model(id, shown, stock)),
      stopped: {
        keeps: ['home', 'system', 'ports', 'mounts'],
        home_gi_month: prices.offer([{ resource: 'disk', quantity: 1 }], 'container_rent').month,
        saved_gi_month: prices.offer([{ resource: 'snapshot', quantity: 1 }], 'container_rent').month,
        frees_gpu: true,
      },
      away: found.flatMap(({ region, specs }) => (specs ? [] : [region.region])),
      regions: found.map(({ region }) => region),
      freeCards: sum(all, ({ free }) => free),
      allCards: sum(all, ({ total }) => total),
    };
  }

  #model(id: string, shown: readonly { region: Region; specs: Spec[] | undefined }[], how: MarketStock): Shown {
    const own = shown.flatMap(({ region, specs = [] }) => {
      const here = specs.filter(({ gpu_type }) => gpu_type === id);
      return here.length > 0 ? [{ region, specs: here }] : [];
    });
    const specs = own.flatMap((one) => one.specs);
    const regions = own.map((one) => this.#region(id, one.region, one.specs, how));
    const memories = specs.flatMap(({ gpu_memory_gi }) => gpu_memory_gi ?? []);
    const memory_gi = memories.length > 0 ? Math.min(...memories) : null;
    const [cheapest] = regions.toSorted((a, b) => compared(a.card.hour, b.card.hour));
    const price = cheapest?.card ?? { hour: null, month: null };
    const facts = gpuFacts(id);
    return {
      ...{ id, name: gpuName(id), vendor: vendorOf(id), memory_gi },
      most_gpus: Math.max(0, ...specs.map(({ gpu_count }) => gpu_count)),
      note: specs[0]?.note ?? null,
      shared: true,
      host: regions.some(({ host_month }) => host_month !== null),
      free: shownStock(
        sum(specs, ({ free }) => free),
        how,
      ),
      total: shownStock(
        sum(specs, ({ total }) => total),
        how,
      ),
      price,
      facts: facts
        ? {
            tflops: facts.tflops,
            memory_gb_per_second: facts.memoryGbPerSecond,
            source: facts.source,
            hour_per_tflop: shareOf(price.hour, facts.tflops),
          }
        : null,
      hour_per_gi: memory_gi === null ? null : shareOf(price.hour, memory_gi),
      regions,
    };
  }

  #region(model: string, { region, name, takes_instances }: Region, specs: readonly Spec[], how: MarketStock) {
    const { prices } = this.#parts;
    const size = {
      gpus: 1,
      cores: Math.min(...specs.map(({ card_cores }) => card_cores)),
      memory_gi: Math.min(...specs.map(({ card_memory_gi }) => card_memory_gi)),
      disk_gi: HOME_GI,
    };
    const stock = (of: (spec: Spec) => number) => shownStock(sum(specs, of), how);
    const counts = [...new Set(specs.flatMap(({ starts }) => starts.map(({ count }) => count)))].toSorted(
      (a, b) => a - b,
    );
    return {
      ...{ region, name, takes_instances },
      free: stock(({ free }) => free),
      total: stock(({ total }) => total),
      free_hosts: stock(({ free_nodes }) => free_nodes),
      starts: counts.map((gpus) => ({
        gpus,
        free: stock(({ starts }) => starts.find(({ count }) => count === gpus)?.free ?? 0),
      })),
      card: prices.offer([{ resource: 'gpu', model, quantity: 1 }], 'container_rent', region),
      instance: { ...prices.offer(usesOf(model, size), 'container_rent', region), size },
      host_month: specs[0]?.host_price ?? null,
    };
  }

  /** Every region, with what it has; undefined for one out of reach. */
  #reached(): { region: Region; specs: GpuSpecView[] | undefined }[] {
    const { stock } = this.#parts;
    return stock.regions().map((region) => ({ region, specs: region.isReached ? this.#stockIn(region) : undefined }));
  }

  #stockIn({ region }: Region): GpuSpecView[] | undefined {
    try {
      return this.#parts.stock.stockIn(region);
    } catch (error) {
      if (error instanceof Problem) return undefined;
      throw error;
    }
  }
}

/** What an instance of this size is billed for while it runs. */
const usesOf = (model: string, size: { gpus: number; cores: number; memory_gi: number; disk_gi: number }) =>
  INSTANCE_COST.desired({
    spec: {
      ...{ power: 'Running', gpu: { model, count: size.gpus }, cores: size.cores },
      ...{ memoryGi: size.memory_gi, homeDisk: { sizeGi: size.disk_gi } },
    },
  } as unknown as GpuInstance);

const noteIn = ({ note }: Pick<Shown, 'note'>, language: Language): string | null => note?.[language] || null;

/** What has no price comes last. */
function compared(a: PriceView | null, b: PriceView | null): number {
  if (!a || !b) return Number(a === null) - Number(b === null);
  const [first, second] = [parseMoney(a.amount), parseMoney(b.amount)];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** An amount divided by a number with one decimal at most. */
function shareOf(price: PriceView | null, by: number): string | null {
  const tenths = BigInt(Math.round(by * 10));
  if (!price || tenths <= 0n) return null;
  return moneyText(micros(dividedRounded(parseMoney(price.amount) * 10n, tenths)));
}

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);
