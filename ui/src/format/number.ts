// Numbers as people read them: their digits are grouped alike in our three languages, "1,234,567.8".

/** All of its decimals, unless fewer are asked for; "–" for one that nobody knows. */
export function numberText(value: number | null | undefined, mostDecimals?: number): string {
  if (value === null || value === undefined) return '–';
  const format =
    mostDecimals === undefined ? EXACT : new Intl.NumberFormat('en', { maximumFractionDigits: mostDecimals });
  return format.format(value);
}

const EXACT = new Intl.NumberFormat('en', { maximumSignificantDigits: 15 });
