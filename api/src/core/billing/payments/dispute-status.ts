// The meaning of a dispute's status, in the card provider's words. Pure.

/** `warning_…`: the bank asks, and no money has moved. */
const isInquiry = (status: string): boolean => status.startsWith('warning_');

export const DECIDED: readonly string[] = ['won', 'lost', 'warning_closed', 'prevented'];
export const isDecided = (status: string): boolean => DECIDED.includes(status);

/** The bank has the money, or may take it: a refund would pay it twice. During an inquiry a refund is how it ends. */
export const isAtBank = (status: string): boolean => status === 'lost' || (!isDecided(status) && !isInquiry(status));

/** The decisive one of a payment's disputes; among equals the last. */
export function gravestOf(statuses: readonly string[]): string | undefined {
  const rank = (status: string): number => (isAtBank(status) ? 2 : 0) + (isDecided(status) ? 0 : 1);
  return statuses
    .toReversed()
    .reduce<string | undefined>(
      (gravest, status) => (gravest === undefined || rank(status) > rank(gravest) ? status : gravest),
      undefined,
    );
}
