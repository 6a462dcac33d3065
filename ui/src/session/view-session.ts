// A tenant's console opened by the platform's staff: its session is this tab's alone, so that the person's own session on this machine
// stays as it is. Once it is over the tab stays without a session, instead of going on as somebody else.
const KEY = 'gantry_view';
const OVER = 'over';

export interface ViewSession {
  readonly token: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly reason: string;
  /** RFC 3339. */
  readonly expiresAt: string;
}

/** `over`: there was one in this tab. */
export function readView(): ViewSession | 'over' | undefined {
  const kept = sessionStorage.getItem(KEY);
  if (kept === null) return undefined;
  if (kept === OVER) return OVER;
  try {
    return JSON.parse(kept) as ViewSession;
  } catch {
    return OVER;
  }
}

export const isViewing = (): boolean => sessionStorage.getItem(KEY) !== null;

export const storeView = (view: ViewSession): void => sessionStorage.setItem(KEY, JSON.stringify(view));

export const endView = (): void => sessionStorage.setItem(KEY, OVER);

/** Another ticket is about to be used in this tab. */
export const forgetView = (): void => sessionStorage.removeItem(KEY);
