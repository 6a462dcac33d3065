// Sizes by steps of 1024 up to PiB, with two decimals.
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;
const STEP = 1024;

/** "1.50 GiB"; whole bytes have no decimals; "–" for an unknown size. */
export function bytesText(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined || !Number.isFinite(bytes)) return '–';
  let value = Math.abs(bytes);
  let unit = 0;
  // A value that would round to 1024.00 is one of the next unit.
  while (unit < UNITS.length - 1 && Number(value.toFixed(2)) >= STEP) {
    value /= STEP;
    unit++;
  }
  return `${bytes < 0 ? '-' : ''}${unit === 0 ? value : value.toFixed(2)} ${UNITS[unit]}`;
}

/** From GiB: "20 GiB", "1.5 TiB". */
export const gibibytesText = (gi: number): string =>
  gi >= STEP ? `${Number((gi / STEP).toFixed(2))} TiB` : `${Number(gi.toFixed(2))} GiB`;
