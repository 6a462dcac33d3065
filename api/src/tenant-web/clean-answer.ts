// What of an answer of a tenant's program may reach a browser: only headers that Node can write again, none that belong to the
// connection between the gateway and the Pod, and no cookie for any host but its own.
import { type IncomingHttpHeaders, validateHeaderName, validateHeaderValue } from 'node:http';

/** RFC 9110, 7.6.1. The gateway frames its answer itself: a body whose end two parties see differently is request smuggling. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** `ownCookie` is the gateway's, which no program may set. */
export function cleanHeaders(headers: IncomingHttpHeaders, ownCookie: string): Record<string, string | string[]> {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const dropped = new Set([...HOP_BY_HOP, ...named]);
  const clean: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || dropped.has(name)) continue;
    const kept = name === 'set-cookie' ? cleanCookies([value].flat(), ownCookie) : value;
    if (isWritable(name, kept)) clean[name] = kept;
  }
  return clean;
}

/** Without Domain a browser keeps a cookie for the host that set it. Attributes are read as browsers read them (RFC 6265, 5.2). */
function cleanCookies(cookies: readonly string[], ownCookie: string): string[] {
  return cookies.flatMap((cookie) => {
    const [pair = '', ...attributes] = cookie.split(';').map((part) => part.trim());
    const [name = '', ...value] = pair.split('=').map((part) => part.trim());
    // A browser sends a cookie without a name as its bare value, which may read like one of ours.
    if (name === '' || value.length === 0 || name === ownCookie) return [];
    const kept = attributes.filter((attribute) => attribute.split('=')[0]?.trim().toLowerCase() !== 'domain');
    return [[pair, ...kept].join('; ')];
  });
}

function isWritable(name: string, value: string | string[]): boolean {
  try {
    validateHeaderName(name);
    for (const one of [value].flat()) validateHeaderValue(name, one);
    return true;
  } catch {
    return false;
  }
}
