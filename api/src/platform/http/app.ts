// The gateway as one request listener: the frame around every call, and the routes of all areas. Express answers everything,
// except reads that can bypass it.
import type { RequestListener } from 'node:http';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { ROUTES } from '@gantry/contract/http/routes.ts';
import express from 'express';
import type { Trusts } from './address-of.ts';
import { answerErrors, answerNothingHere } from './answer-errors.ts';
import { answerProbes } from './answer-probes.ts';
import { hotReads } from './hot-reads.ts';
import { type PlatformSettings, platformRoutes } from './platform-routes.ts';
import { routerOf, runnablesOf } from './routes-of.ts';
import type { FrameParts } from './run-route.ts';
import type { Served } from './serve.ts';
import { type ConsoleParts, serveConsole } from './serve-console.ts';
import { headersOfReads, surroundings } from './surroundings.ts';

export interface AppParts extends FrameParts {
  settings(): PlatformSettings;
  /** Origins of the web apps: no other page may read answers. */
  origins: readonly string[];
  /** Undefined if the console is served elsewhere. */
  console?: ConsoleParts | undefined;
  /** Proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[];
  /** The parts still missing before calls can be answered; ready when empty. */
  missing(): Promise<readonly string[]>;
}

/** `areas` are the routes of everything but the platform itself. Throws when one of `routes` is not served once. */
export function createApp(
  parts: AppParts,
  areas: readonly Served[],
  routes: readonly RouteFacts[] = Object.values(ROUTES),
): RequestListener {
  const runnables = runnablesOf(parts, routes, [...platformRoutes(() => parts.settings()), ...areas]);
  const around = surroundings(parts.origins);

  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.set('trust proxy', [...parts.trustedProxies]);
  const trusts: Trusts = app.get('trust proxy fn');
  app.use(...around);
  app.use(answerProbes(parts));
  if (parts.console) app.use(serveConsole(parts.console));
  app.use('/api', routerOf(runnables, trusts));
  app.use(answerNothingHere(routes));
  app.use(answerErrors(parts.log));

  const isHot = hotReads({ runnables, headersFor: headersOfReads(around, parts.origins), trusts });
  return (req, res) => {
    // The next request finds somebody who stays.
    if (parts.isStopping()) res.setHeader('connection', 'close');
    if (!isHot(req, res)) app(req, res);
  };
}
