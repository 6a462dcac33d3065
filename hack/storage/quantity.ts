// A Kubernetes quantity of bytes as a number, rounded up to whole bytes.

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
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

export function parseQuantity(text: string): number {
  const match = /^([0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?)([A-Za-z]*)$/.exec(text);
  const unit = UNITS[match?.[2] ?? ''];
  if (match?.[1] === undefined || unit === undefined) throw new Error(`"${text}" is no quantity of bytes`);
  return Math.ceil(Number(match[1]) * unit);
}
