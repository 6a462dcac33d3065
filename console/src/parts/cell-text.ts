// A cell as text. Whatever a tenant's data has, it stays text on the page.

/** The edges of a histogram's bin are numbers, or times as text. */
export type Edge = number | string;

export function cellText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value);
}
