// A value as people read it. Pure.

/** JSON and SQL know no infinity: what is stored in its place. */
const INFINITE = Number.MAX_VALUE;

/** Null: there is none. */
export function storedValue(value: number | undefined): number | null {
  if (value === undefined || Number.isNaN(value)) return null;
  return Number.isFinite(value) ? value : Math.sign(value) * INFINITE;
}

/** Two digits behind the point, and of small ones as many as say something. */
export function valueText(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (Math.abs(value) >= INFINITE) return value > 0 ? '+Inf' : '-Inf';
  return String(Math.abs(value) >= 1 ? Math.round(value * 100) / 100 : Number(value.toPrecision(3)));
}
