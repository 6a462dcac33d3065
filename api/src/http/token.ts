// Which token a request carries. Cookies and URLs are never looked at.
import type { IncomingHttpHeaders } from 'node:http';
import { problem } from '@gantry/contract/http/problem.ts';

/** X-Token, or a bearer token; both only when they are the same. */
export function tokenOf(headers: IncomingHttpHeaders): string | undefined {
  const own = headers['x-token'];
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const token = (typeof own === 'string' && own) || undefined;
  if (token !== undefined && bearer !== undefined && token !== bearer) throw problem('two_tokens');
  return token ?? bearer;
}
