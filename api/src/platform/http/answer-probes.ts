// Machine-readable answers outside of /api: alive, ready, and which version a page should have.
import { type RequestHandler, Router } from 'express';

export interface ProbeParts {
  settings(): { version: string };
  missing(): Promise<readonly string[]>;
  isStopping(): boolean;
}

export function answerProbes({ settings, missing, isStopping }: ProbeParts): RequestHandler {
  const router = Router({ caseSensitive: true, strict: true });
  const fresh: RequestHandler = (_req, res, next) => {
    res.set('cache-control', 'no-store');
    next();
  };
  router.get('/healthz', fresh, (_req, res) => void res.type('text/plain').send('ok\n'));
  router.get('/readyz', fresh, async (_req, res) => {
    res.type('text/plain');
    if (isStopping()) return void res.status(503).send('stopping\n');
    const lacking = await missing();
    if (lacking.length === 0) return void res.send('ok\n');
    res.status(503).send(`waiting for ${lacking.join(', ')}\n`);
  });
  router.get('/version.json', fresh, (_req, res) => void res.json({ version: settings().version }));
  return router;
}
