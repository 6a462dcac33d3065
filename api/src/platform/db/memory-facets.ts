// Items in memory narrowed by facets, and how many there are of each value that they can be narrowed to.

const MOST_VALUES = 50;

export type FacetValues<Item, Facet extends string> = Readonly<
  Record<Facet, (item: Item) => readonly (string | null)[]>
>;
type Chosen<Facet extends string> = Partial<Record<Facet, string | undefined>>;

/** A facet that is chosen keeps its other values: they can be chosen instead. */
export function narrowed<Item, Facet extends string>(
  items: readonly Item[],
  values: FacetValues<Item, Facet>,
  chosen: Chosen<Facet>,
): { items: Item[]; facets: Record<Facet, { value: string; count: number }[]> } {
  const names = Object.keys(values) as Facet[];
  const isChosen = (item: Item, facet: Facet) => {
    const wanted = chosen[facet];
    return wanted === undefined || values[facet](item).includes(wanted);
  };
  const counts = new Map(names.map((facet) => [facet, new Map<string, number>()]));
  const found: Item[] = [];
  for (const item of items) {
    const failed = names.filter((facet) => !isChosen(item, facet));
    if (failed.length === 0) found.push(item);
    if (failed.length > 1) continue;
    for (const facet of failed.length === 1 ? failed : names) count(counts.get(facet), values[facet](item));
  }
  return {
    items: found,
    facets: Object.fromEntries(
      [...counts].map(([facet, own]) => [
        facet,
        [...own]
          .map(([value, count]) => ({ value, count }))
          .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
          .slice(0, MOST_VALUES),
      ]),
    ) as Record<Facet, { value: string; count: number }[]>,
  };
}

function count(counts: Map<string, number> | undefined, values: readonly (string | null)[]): void {
  for (const value of values) if (value !== null) counts?.set(value, (counts.get(value) ?? 0) + 1);
}
