// A login at a provider leaves this page and returns to it in the same tab: its data are kept for that tab alone, so that neither
// another tab nor a reopened browser has its secret.

import type { PLATFORM_ROUTES } from '@gantry/contract/areas/settings/platform.ts';
import type { OutputOf } from '@gantry/contract/http/call.ts';
import { keptInTab } from '../../parts/kept-in-tab.ts';

export type Settings = OutputOf<typeof PLATFORM_ROUTES.getSettings>;

const KEY = 'gantry_provider_login';
/** As long as the API waits for a provider. */
const LIMIT_MS = 5 * 60_000;

export interface ProviderLogin {
  readonly id: string;
  /** Shown to the API to get the token: who only has the id gets nothing. */
  readonly secret: string;
  readonly provider: string;
  readonly next: string | null;
}

export const keepProviderLogin = (login: ProviderLogin, now: number): void =>
  sessionStorage.setItem(KEY, JSON.stringify({ ...login, until: now + LIMIT_MS }));

export const forgetProviderLogin = (): void => sessionStorage.removeItem(KEY);

/** Undefined for one that was begun in another tab or browser, or more than five minutes ago. */
export function keptProviderLogin(id: string, now: number): (ProviderLogin & { readonly until: number }) | undefined {
  const kept = keptInTab<ProviderLogin & { readonly until: number }>(KEY);
  return kept?.id === id && kept.until > now ? kept : undefined;
}
