// What machines ask, outside of /api: alive, ready, and which version a page should be of.
import { type RequestHandler, Router } from 'express';

export interface ProbeParts {
  settings: { version: string };
  missing(): Promise<readonly string[]>;
}

export function answerProbes({ settings, missing }: ProbeParts): RequestHandler {
  const router = Router({ caseSensitive: true, strict: true });
  const fresh: RequestHandler = (_req, res, next) => {
    res.set('cache-control', 'no-store');
    next();
  };
  router.get('/healthz', fresh, (_req, res) => void res.type('text/plain').send('ok\n'));
  router.get('/readyz', fresh, async (_req, res) => {
    const lacking = await missing();
    const isReady = lacking.length === 0;
    res.status(isReady ? 200 : 503).type('text/plain');
    res.send(isReady ? 'ok\n' : `waiting for ${lacking.join(', ')}\n`);
  });
  router.get('/version.json', fresh, (_req, res) => void res.json({ version: settings.version }));
  return router;
}
