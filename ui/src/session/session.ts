// The login on this machine: the token in a cookie on the parent domain, so that our apps share it, and the ids of account and organisation
// in local storage. The API accepts the token only in a header.
import { endView, isViewing, readView } from './view-session.ts';

let tokenKey = 'gantry_token';
let organizationKey = 'gantry_org_id';
let accountKey = 'gantry_account_id';
let isApart = false;

/**
 * Called first by an app whose session the others must not see, such as the operators' console: under names of its own, and in a
 * cookie of its own host.
 */
export function keepSessionApart(app: string): void {
  tokenKey = `gantry_${app}_token`;
  organizationKey = `gantry_${app}_org_id`;
  accountKey = `gantry_${app}_account_id`;
  isApart = true;
}

/**
 * Over TLS with the prefix by which a browser takes it from secure pages alone, and that of one host's own from no neighbour. There
 * are none without TLS.
 */
const cookieName = (): string =>
  location.protocol === 'https:' ? `${isApart ? '__Host-' : '__Secure-'}${tokenKey}` : tokenKey;

export interface Session {
  readonly token: string;
  readonly accountId: string;
  readonly organizationId: string;
}

/** `console.example.com` → `example.com`; undefined if there is none, as for localhost and IP addresses. */
export function parentDomain(hostname: string): string | undefined {
  const labels = hostname.split('.');
  if (labels.length < 3 || /^[\d.]+$/.test(hostname) || hostname.includes(':')) return undefined;
  return labels.slice(1).join('.');
}

export function readToken(): string | undefined {
  const view = readView();
  if (view) return view === 'over' ? undefined : view.token;
  const pair = document.cookie.split('; ').find((part) => part.startsWith(`${cookieName()}=`));
  return pair?.slice(cookieName().length + 1) || undefined;
}

export const readOrganizationId = (): string | undefined =>
  ofView()?.organizationId ?? localStorage.getItem(organizationKey) ?? undefined;
export const readAccountId = (): string | undefined =>
  ofView()?.accountId ?? localStorage.getItem(accountKey) ?? undefined;

const ofView = () => {
  const view = readView();
  return view === 'over' ? undefined : view;
};

/** `expiresAt` is RFC 3339. */
export function storeSession({ token, accountId, organizationId }: Session, expiresAt?: string): void {
  writeCookie(token, expiresAt);
  localStorage.setItem(accountKey, accountId);
  localStorage.setItem(organizationKey, organizationId);
}

/** For an answer that brings a new token and leaves the rest, such as that to a changed password. */
export const storeToken = (token: string): void => writeCookie(token);

export function forgetSession(): void {
  if (isViewing()) {
    endView();
    return;
  }
  writeCookie('', new Date(0).toUTCString());
  localStorage.removeItem(accountKey);
  localStorage.removeItem(organizationKey);
}

function writeCookie(token: string, expiresAt?: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  const ends = expiresAt === undefined ? '' : `; Expires=${new Date(expiresAt).toUTCString()}`;
  const cookie = `${cookieName()}=${token}; Path=/; SameSite=Lax${secure}${ends}`;
  const domain = isApart ? undefined : parentDomain(location.hostname);
  if (domain !== undefined) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API cannot be read synchronously, and a call needs its token now
    document.cookie = `${cookie}; Domain=${domain}`;
    // A public suffix is refused: then it is this host's alone.
    if ((readToken() ?? '') === token) return;
  }
  // biome-ignore lint/suspicious/noDocumentCookie: as above
  document.cookie = cookie;
}

/** Calls `told` when another tab logs out, logs in, or changes the organisation. Returns a function that stops it. */
export function onSessionElsewhere(listener: () => void): () => void {
  const listen = ({ key }: StorageEvent) => {
    // A view is nobody's session but this tab's.
    if (isViewing()) return;
    if (key === organizationKey || key === accountKey || key === null) listener();
  };
  addEventListener('storage', listen);
  return () => removeEventListener('storage', listen);
}
