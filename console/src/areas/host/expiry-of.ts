// How near a host's end is: what the list and the detail warn of.
const DAY_MS = 86_400_000;
/** Mails and the host's own reason also warn from here on. */
const SOON_MS = 3 * DAY_MS;

export type Expiry = 'none' | 'later' | 'soon' | 'today' | 'over';

/** `none`: an organisation's own nodes never expire, and months count from the first active day. */
export function expiryOf(expireTime: string | null, now: number): Expiry {
  if (expireTime === null) return 'none';
  const left = Date.parse(expireTime) - now;
  if (left <= 0) return 'over';
  if (left < DAY_MS) return 'today';
  return left < SOON_MS ? 'soon' : 'later';
}

/** An expiring host without automatic renewal needs attention. */
export const isToWarn = (expiry: Expiry, isRenewed: boolean): boolean =>
  expiry === 'over' || ((expiry === 'soon' || expiry === 'today') && !isRenewed);
