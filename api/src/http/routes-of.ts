// The route table as an Express router: every route of the contract, served exactly once.
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { Router } from 'express';
import { type FrameParts, runRoute } from './run-route.ts';
import type { Served } from './serve.ts';

/** Throws when a route is not served, served twice, or not in the table. */
export function routesOf(parts: FrameParts, routes: readonly RouteFacts[], served: readonly Served[]): Router {
  const byId = new Map(served.map((each) => [each.route.id, each]));
  const missing = routes.filter(({ id }) => !byId.has(id)).map(({ id }) => id);
  const known = new Set(routes.map(({ id }) => id));
  const unknown = served.filter(({ route }) => !known.has(route.id)).map(({ route }) => route.id);
  if (missing.length > 0 || unknown.length > 0 || byId.size !== served.length) {
    throw new Error(`routes: not served: ${missing}; not in the contract: ${unknown}; served twice: ${twice(served)}`);
  }
  const router = Router({ caseSensitive: true, strict: true });
  // Fixed words before parameters, so that `data-disk/mount` is not taken for a disk of that name.
  for (const each of [...served].sort((a, b) => (rank(a.route.path) < rank(b.route.path) ? -1 : 1))) {
    const { method, path } = each.route;
    const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    router[verb](path.replaceAll(/\{(\w+)\}/g, ':$1'), (req, res) =>
      runRoute(parts, each, { req, res, params: req.params, query: req.query, ip: req.ip ?? '' }),
    );
  }
  return router;
}

const rank = (path: string): string => path.replaceAll(/\{\w+\}/g, '~');
const twice = (served: readonly Served[]): string[] =>
  served.map(({ route }) => route.id).filter((id, at, all) => all.indexOf(id) !== at);
