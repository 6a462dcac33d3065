// Serves the built console beside the API, from one origin: existing files, and its page for every other address. It also
// declares what the page may load and who may embed it.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import sirv from 'sirv';

export interface ConsoleParts {
  /** The output of `vite build`. */
  readonly folder: string;
  /** The card provider's script, and the origins it talks to; undefined without cards. */
  readonly cards?: CardOrigins | undefined;
}

export interface CardOrigins {
  readonly scripts: readonly string[];
  readonly frames: readonly string[];
  readonly calls: readonly string[];
}

/** `apiUrl` is that of a double, else ''. */
export function cardOrigins(scriptUrl: string, apiUrl: string): CardOrigins {
  const script = new URL(scriptUrl).origin;
  if (apiUrl !== '')
    return { scripts: [script], frames: [script], calls: [...new Set([script, new URL(apiUrl).origin])] };
  // Required by the provider for sites with a policy: docs.stripe.com/security/guide.
  const scripts = [script, 'https://*.js.stripe.com'];
  return { scripts, frames: [...scripts, 'https://hooks.stripe.com'], calls: ['https://api.stripe.com'] };
}

/** Files with a hash in their names: they never change. */
const HASHED = '/assets/';
/** Answered by others, or by nobody. */
const NOT_OURS = /^\/(api|healthz|readyz|version\.json|metrics)(\/|$)/;

/** Throws if there is no built console. */
export function serveConsole({ folder, cards }: ConsoleParts): RequestHandler {
  const policy = policyFor(readFileSync(join(folder, 'index.html'), 'utf8'), cards);
  const serve = sirv(folder, {
    etag: true,
    single: true,
    ignores: `^${HASHED}`,
    brotli: true,
    gzip: true,
    setHeaders(res, pathname) {
      // The page is revalidated each time, by its ETag: a new build shows with the next load.
      const isHashed = pathname.startsWith(HASHED);
      res.setHeader('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  const router = Router({ caseSensitive: true });
  router.use((req, res, next) => {
    const isOurs = (req.method === 'GET' || req.method === 'HEAD') && !NOT_OURS.test(req.path);
    if (!isOurs) return next();
    // Also with a 304, whose headers replace those that a browser has stored: with the API's policy the page would stay empty.
    res.setHeader('Content-Security-Policy', policy);
    res.setHeader('X-Frame-Options', 'DENY');
    res.setHeader('Referrer-Policy', 'same-origin');
    res.setHeader('Permissions-Policy', PERMISSIONS);
    serve(req, res, next);
  });
  return router;
}

/** Copying a command and pasting into a terminal, and the card's form; nothing else of the machine is asked for. */
const PERMISSIONS = [
  'clipboard-read=(self)',
  'clipboard-write=(self)',
  'fullscreen=(self)',
  'payment=*',
  ...['camera', 'display-capture', 'geolocation', 'microphone', 'midi', 'usb'].map((feature) => `${feature}=()`),
].join(', ');

function policyFor(page: string, cards: CardOrigins = { scripts: [], frames: [], calls: [] }): string {
  const directives: Readonly<Record<string, readonly string[]>> = {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...inlineScripts(page), ...cards.scripts],
    // 2026-11-22: emotion, which MUI styles with, writes <style> elements, and a nonce would need a page per request.
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...cards.calls],
    // The proof of work before a code is sent runs in a worker made of a blob.
    'worker-src': ["'self'", 'blob:'],
    'frame-src': ["'self'", ...cards.frames],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'object-src': ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');
}

/** Inline scripts of the page are allowed by their hash, so that no other can be injected. */
const inlineScripts = (page: string): string[] =>
  [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
