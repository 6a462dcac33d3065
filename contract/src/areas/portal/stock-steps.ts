// How exactly the market says what is free: as counted, or in steps where the installation does not want its stock read off.

export const MARKET_STOCK = ['exact', 'steps'] as const;
export type MarketStock = (typeof MARKET_STOCK)[number];

export const STOCK_STEPS = ['none', 'few', 'some', 'many'] as const;
export type StockStep = (typeof STOCK_STEPS)[number];

/** The least count of each step. */
const LEAST: Readonly<Record<StockStep, number>> = { none: 0, few: 1, some: 4, many: 16 };

export const stepOfStock = (count: number): StockStep => STOCK_STEPS.findLast((step) => count >= LEAST[step]) ?? 'none';

/** As a visitor is told: the step always, the count where it is told exactly. */
export const shownStock = (count: number, how: MarketStock): { step: StockStep; count: number | null } => ({
  step: stepOfStock(count),
  count: how === 'exact' ? count : null,
});

/** A count where only numbers fit: in steps the least of its step, which is never more than there is. */
export const statedStock = (count: number, how: MarketStock): number =>
  how === 'exact' ? count : LEAST[stepOfStock(count)];
