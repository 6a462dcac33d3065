// The numbers of the home page: each is the answer of whoever knows it, and none is rounded up.
import type { OverviewView } from '@gantry/contract/areas/portal/portal.ts';
import { shownStock } from '@gantry/contract/areas/portal/stock-steps.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { type Micros, moneyText, parseMoney } from '@gantry/contract/fields/money.ts';
import type { Prices } from '../../core/billing/prices/open-prices.ts';
import type { Announcements } from '../../platform/messages/announcements.ts';
import type { Articles } from './articles.ts';
import type { Market } from './market.ts';

export interface OverviewParts {
  market: Pick<Market, 'counted'>;
  articles: Pick<Articles, 'heads'>;
  announcements: Pick<Announcements, 'holding'>;
  shown: Prices['shown'];
  /** How many models and datasets everybody is shown. */
  shelved(): Promise<{ models: number; datasets: number }>;
  welcomeCredit(): Micros;
}

export class Overview {
  readonly #parts: OverviewParts;

  constructor(parts: OverviewParts) {
    this.#parts = parts;
  }

  async read(language: Language): Promise<OverviewView> {
    const { market, articles, announcements, shown, shelved, welcomeCredit } = this.#parts;
    const { stock, models, regions, freeCards, allCards } = market.counted();
    const { currency, plans } = shown.config('plan', language);
    const priced = models.flatMap(({ price }) => price.hour ?? []);
    return {
      ...{ stock, currency, gpu_models: models.length },
      free: shownStock(freeCards, stock),
      total: shownStock(allCards, stock),
      least_hour: priced.toSorted((a, b) => (parseMoney(a.amount) < parseMoney(b.amount) ? -1 : 1))[0] ?? null,
      regions: regions.map(({ region, name, isReached }) => ({ region, name, is_reached: isReached })),
      ...(await shelved()),
      articles: (await articles.heads(language)).length,
      welcome_credits: moneyText(welcomeCredit()),
      plans,
      announcements: (await announcements.holding()).map(({ id, title, content, startsAt, endsAt }) => ({
        ...{ id, title: title[language], content: content[language] },
        ...{ starts_at: startsAt.toISOString(), ends_at: endsAt.toISOString() },
      })),
    };
  }
}
