// Suggested amounts: common ones within the limits per payment.
const AMOUNTS = ['10', '20', '50', '100', '200', '500', '1000', '2000', '5000', '10000'] as const;
const AT_MOST = 5;

export function presetsWithin({ least, most }: { least: string; most: string }): readonly string[] {
  return AMOUNTS.filter((amount) => Number(amount) >= Number(least) && Number(amount) <= Number(most)).slice(
    0,
    AT_MOST,
  );
}
