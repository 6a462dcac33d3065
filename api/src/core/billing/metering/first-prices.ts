// Prices for posting usage: usage from before its SKU had a price waits, and is posted with the first price that the SKU gets.
// That alters nothing, because nothing was posted before.
import { type Price, type PricePlace, PriceTable } from '../prices/price-table.ts';

export class FirstPrices extends PriceTable {
  readonly #prices: PriceTable;
  readonly #until: number;

  /** A price that begins after `until` does not count yet. */
  constructor(prices: PriceTable, until: number) {
    super([]);
    this.#prices = prices;
    this.#until = until;
  }

  override at(sku: string, place: PricePlace, t: number): Price | undefined {
    const found = this.#prices.at(sku, place, t);
    if (found) return found;
    const [first] = this.#prices.changes(sku, place, t, this.#until + 1);
    return first === undefined ? undefined : this.#prices.at(sku, place, first);
  }

  override changes(sku: string, place: PricePlace, from: number, to: number): number[] {
    return this.#prices.changes(sku, place, from, to);
  }
}
