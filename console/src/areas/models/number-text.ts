// Numbers of parameters as people say them: 8.03B, 494M.
const UNITS = ['', 'K', 'M', 'B', 'T'] as const;
const STEP = 1000;

/** Three digits at least; "–" for an unknown number. */
export function countText(count: number | null): string {
  if (count === null) return '–';
  let value = count;
  let unit = 0;
  while (unit < UNITS.length - 1 && value >= STEP) {
    value /= STEP;
    unit++;
  }
  return `${unit === 0 ? value : Number(value.toPrecision(3))}${UNITS[unit]}`;
}
