// Ways in which staff give an organisation value, and why one of them waits for a second person.

/** `confirm`: a transfer that came in. `dispute`: a bank's taking is not booked. `node`: an organisation has it for itself. */
export const GIFT_KINDS = [
  'grant',
  'adjust',
  'confirm',
  'refund',
  'dispute',
  'discount',
  'price',
  'plan',
  'node',
  'setting',
] as const;
export type GiftKind = (typeof GIFT_KINDS)[number];

/**
 * `own`: whoever asks belongs to the organisation. `differs`: another amount than the announced one is confirmed. `above`: with what the
 * same person gave within a day it is more than the installation's amount. `unbounded`: nobody can say what it comes to, and the
 * installation sets an amount.
 */
export const GIFT_CAUSES = ['own', 'differs', 'above', 'unbounded'] as const;
export type GiftCause = (typeof GIFT_CAUSES)[number];
