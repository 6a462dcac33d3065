// The gateway as an Express application: what surrounds every call, and the routes of all areas.
import { ROUTES } from '@gantry/contract/http/routes.ts';
import cors from 'cors';
import express, { type Express } from 'express';
import helmet from 'helmet';
import { answerErrors, answerNothingHere } from './http/answer-errors.ts';
import type { PlatformSettings } from './http/platform-routes.ts';
import { platformRoutes } from './http/platform-routes.ts';
import { routesOf } from './http/routes-of.ts';
import type { FrameParts } from './http/run-route.ts';
import type { Served } from './http/serve.ts';

export interface AppParts extends FrameParts {
  settings: PlatformSettings;
  /** Origins of the web apps: no other page may read answers. */
  origins: readonly string[];
  /** Proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[];
}

/** `areas` are the routes of everything but the platform itself. Throws when a route of the contract is not served once. */
export function createApp(parts: AppParts, areas: readonly Served[]): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.set('trust proxy', [...parts.trustedProxies]);
  app.use(helmet({ contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"] } } }));
  app.use(cors({ origin: [...parts.origins], exposedHeaders: EXPOSED, maxAge: 600 }));
  app.get('/version.json', (_req, res) => {
    res.set('cache-control', 'no-store').json({ version: parts.settings.version });
  });
  const served = [...platformRoutes(parts.settings), ...areas];
  app.use('/api', routesOf(parts, Object.values(ROUTES), served));
  app.use(answerNothingHere(Object.values(ROUTES)));
  app.use(answerErrors(parts.log));
  return app;
}

const EXPOSED = ['ETag', 'Content-Range', 'Content-Disposition', 'Retry-After', 'X-Request-Id', 'X-Gantry-Version'];
