// Amounts as Kubernetes writes them: 250m, 2, 1.5Gi, 1e3.

const SUFFIX: Readonly<Record<string, number>> = {
  '': 1,
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

export const GI = 2 ** 30;

export const MI = 2 ** 20;

/** In Kubernetes' milli: cores have three decimals at most. */
export const milli = (amount: number): number => Math.round(amount * 1000) / 1000;
/** For display: metering is exact (`sizeUse`). */
export const gibibytes = (bytes: number): number => milli(bytes / GI);
/** Containers get whole ones. */
export const mebibytesOf = (gi: number): number => Math.round(gi * 1024);

/** As a number of its base unit (cores, bytes, cards); 0 if missing, NaN for a text that is not a quantity. */
export function quantity(text: string | number | undefined): number {
  // "1E" is an exa, "1E3" a thousand: an exponent has digits.
  const match = /^([0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+\.)([A-Za-z]*)$/.exec(String(text ?? 0));
  return Number(match?.[1]) * (SUFFIX[match?.[2] ?? ''] ?? Number.NaN);
}
