// Pages of other origins that may call /v1. They show an API token of their own: no cookie opens anything here.
import type { IncomingMessage, ServerResponse } from 'node:http';

const KNOWN_FOR_S = 600;
const MOST_HEADERS = 1_000;
const EXPOSED = [
  ...['X-Request-Id', 'Retry-After'],
  ...['Limit', 'Remaining', 'Reset'].flatMap((what) => [`X-RateLimit-${what}-Requests`, `X-RateLimit-${what}-Tokens`]),
].join(', ');

/** True: it was a browser's question whether the page may call, and is answered. `origins`: `*` is any. */
export function answerOrigin(req: IncomingMessage, res: ServerResponse, origins: readonly string[]): boolean {
  const { origin, 'access-control-request-method': asked } = req.headers;
  if (origin === undefined || origins.length === 0) return false;
  res.appendHeader('vary', 'Origin');
  const isAllowed = origins.includes('*') || origins.includes(origin);
  if (isAllowed) {
    res.setHeader('access-control-allow-origin', origin);
    res.setHeader('access-control-expose-headers', EXPOSED);
  }
  if (req.method !== 'OPTIONS' || asked === undefined) return false;
  if (isAllowed) {
    res.setHeader('access-control-allow-methods', 'GET, POST');
    // Clients have headers of their own, and none of them reaches an engine.
    res.setHeader(
      'access-control-allow-headers',
      `${req.headers['access-control-request-headers'] ?? 'Authorization, Content-Type'}`.slice(0, MOST_HEADERS),
    );
    res.setHeader('access-control-max-age', `${KNOWN_FOR_S}`);
  }
  res.writeHead(204).end();
  return true;
}
