// The bars of a column's distribution, each with the filter that leaves its rows.
import type { DatasetColumnStatistics } from '@gantry/contract/areas/datasets/tables.ts';
import type { Edge } from '../../../parts/cell-text.ts';
import type { Bar } from './bars.tsx';
import type { RowFilter } from './filters.ts';

/** The most frequent values, the first one first. */
export const valueBarsOf = ({ name, type, values }: DatasetColumnStatistics): readonly Bar[] =>
  (values ?? []).map(({ value, count }) => ({
    label: value,
    count,
    filter: { column: name, equals: typedOf(type, value) },
  }));

/** A value is told as text, and compared as what its column has. */
function typedOf(type: string, value: string): string | number | boolean {
  if (type === 'BOOLEAN') return value === 'true';
  const isNumber = /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*)$/.test(type);
  // One that a double would round stays text.
  return isNumber && `${Number(value)}` === value ? Number(value) : value;
}

/** Of numbers and times. */
export const barsOf = ({ name, histogram }: DatasetColumnStatistics): readonly Bar[] =>
  binsOf(histogram, (from, to) => ({
    label: to === undefined ? `≥ ${textOf(from)}` : `${textOf(from)} – ${textOf(to)}`,
    filter: { column: name, at_least: from, ...(to !== undefined && { below: to }) },
  }));

/** Of texts with many different values, and of lists. Lengths are whole: a bin between two of them has none. */
export const lengthBarsOf = ({ name, lengths }: DatasetColumnStatistics): readonly Bar[] =>
  binsOf(lengths, (from, to) => {
    const least = Math.ceil(Number(from));
    if (to === undefined) return { label: `≥ ${least}`, filter: { column: name, length_at_least: least } };
    const below = Math.ceil(Number(to));
    if (below <= least) return undefined;
    return {
      label: below - least === 1 ? `${least}` : `${least} – ${below - 1}`,
      filter: { column: name, length_at_least: least, length_below: below },
    };
  });

/** The last bin has its upper edge in it. */
const binsOf = (
  bins: { edges: Edge[]; counts: number[] } | null,
  barOf: (from: Edge, to: Edge | undefined) => { label: string; filter: RowFilter } | undefined,
): readonly Bar[] =>
  (bins?.counts ?? []).flatMap((count, at, all) => {
    const [from, to] = [bins?.edges[at], bins?.edges[at + 1]];
    if (from === undefined || to === undefined) return [];
    const bar = barOf(from, at === all.length - 1 ? undefined : to);
    return bar ? [{ count, ...bar }] : [];
  });

const textOf = (edge: Edge): string => (typeof edge === 'number' ? `${Number(edge.toPrecision(4))}` : edge);
