// Quantities of use as people read them: hours come with up to six decimals, and are shown with two.
const HUNDREDTHS = 2;

/** "1,234.50"; less than a hundredth, but not zero, is marked as such. */
export function hoursText(hours: string | undefined): string {
  if (hours === undefined || !/^-?\d+(\.\d+)?$/.test(hours)) return '–';
  const value = Number(hours);
  if (value > 0 && value < 0.01) return '< 0.01';
  const [whole = '0', part = ''] = value.toFixed(HUNDREDTHS).split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${part}`;
}
