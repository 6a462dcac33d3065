// Which parts of a program's answer may reach a browser: no header about the connection between the gateway and the Pod, and no
// cookie for any host but its own.
import type { IncomingHttpHeaders } from 'node:http';
import { endToEnd, type Headers } from './relay.ts';

/** The headers of an answer that switches protocols. `ownCookie` is the gateway's, which no program may set. */
export function cleanHeaders(headers: IncomingHttpHeaders, ownCookie: string): Headers {
  const cookies = headers['set-cookie'];
  return endToEnd({ ...headers, ...(cookies && { 'set-cookie': cleanCookies(cookies, ownCookie) }) }, 101);
}

const cleanCookies = (cookies: readonly string[], ownCookie: string): string[] =>
  cookies.flatMap((cookie) => cleanCookie(cookie, ownCookie) ?? []);

/** Without Domain a browser keeps a cookie for the host that set it. Attributes are read as browsers read them (RFC 6265, 5.2). */
export function cleanCookie(cookie: string, ownCookie: string): string | undefined {
  const [pair = '', ...attributes] = cookie.split(';').map((part) => part.trim());
  const [name = '', ...value] = pair.split('=').map((part) => part.trim());
  // A browser sends a cookie without a name as its bare value, which may read like one of ours.
  if (name === '' || value.length === 0 || name === ownCookie) return undefined;
  const kept = attributes.filter((attribute) => attribute.split('=')[0]?.trim().toLowerCase() !== 'domain');
  return [pair, ...kept].join('; ');
}
