// The headers that surround every answer: what browsers may do with it, and which pages may read it.
import cors from 'cors';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { SHOWS_NOTHING } from './own-headers.ts';

const EXPOSED = [
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Files-Bytes',
  'Idempotency-Replayed',
  'Retry-After',
  'X-Gantry-Stale-Since',
  'X-Gantry-Version',
  'X-Request-Id',
  'X-Total-Count',
];

/** `origins` are those of the web apps. */
export const surroundings = (origins: readonly string[]): RequestHandler[] => [
  helmet({ contentSecurityPolicy: { useDefaults: false, directives: SHOWS_NOTHING } }),
  cors({ origin: [...origins], exposedHeaders: EXPOSED, maxAge: 600 }),
];

type Headers = readonly (readonly [name: string, value: string])[];

/** The headers that these handlers set on the answer to a read, computed once per origin and once for all others. */
export function headersOfReads(handlers: readonly RequestHandler[], origins: readonly string[]) {
  const known = new Map(origins.map((origin) => [origin, recorded(handlers, origin)]));
  const others = recorded(handlers, 'https://elsewhere.invalid');
  const none = recorded(handlers, undefined);
  return (origin: string | undefined): Headers => (origin === undefined ? none : (known.get(origin) ?? others));
}

function recorded(handlers: readonly RequestHandler[], origin: string | undefined): Headers {
  const headers = new Map<string, string>();
  const res = {
    setHeader: (name: string, value: string | readonly string[]) => headers.set(name.toLowerCase(), `${value}`),
    getHeader: (name: string) => headers.get(name.toLowerCase()),
    removeHeader: (name: string) => headers.delete(name.toLowerCase()),
  };
  const req = { method: 'GET', headers: origin === undefined ? {} : { origin } };
  for (const handle of handlers) {
    // They write headers and call on; neither asks for more of a request.
    Reflect.apply(handle, undefined, [
      req,
      res,
      (error: unknown) => {
        if (error) throw error;
      },
    ]);
  }
  return [...headers];
}
