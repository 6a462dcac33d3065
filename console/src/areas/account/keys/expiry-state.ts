// The kinds of expiry: never, expired, within a day, or on a date.
const DAY_MS = 86_400_000;

export type ExpiryState =
  | { readonly kind: 'permanent' | 'expired' }
  | { readonly kind: 'soon'; readonly leftMs: number }
  | { readonly kind: 'date'; readonly at: number };

/** `expiresAt` is RFC 3339; null is permanent. */
export function expiryState(expiresAt: string | null, now: number): ExpiryState {
  if (expiresAt === null) return { kind: 'permanent' };
  const at = Date.parse(expiresAt);
  const leftMs = at - now;
  if (leftMs <= 0) return { kind: 'expired' };
  return leftMs < DAY_MS ? { kind: 'soon', leftMs } : { kind: 'date', at };
}
