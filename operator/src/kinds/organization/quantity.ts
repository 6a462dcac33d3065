// Quantities as the API server writes them back: it turns 1000 into 1k and 1024Gi into 1Ti, and comparisons must agree.

const scaled = (amount: number, base: number, suffixes: readonly string[]): string => {
  let [value, power] = [amount, 0];
  while (value !== 0 && value % base === 0 && power < suffixes.length - 1) {
    value /= base;
    power += 1;
  }
  return `${value}${value === 0 ? '' : suffixes[power]}`;
};

/** A whole number, such as 128 or 2k. */
export const count = (amount: number): string => scaled(amount, 1000, ['', 'k', 'M', 'G']);

/** GiB, such as 20Gi or 5Ti. */
export const gibibytes = (amount: number): string => scaled(amount, 1024, ['Gi', 'Ti', 'Pi']);
