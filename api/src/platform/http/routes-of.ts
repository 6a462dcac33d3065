// The route table as an Express router: every route of the contract, served exactly once.
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { Router } from 'express';
import { addressOf, type Trusts } from './address-of.ts';
import { type FrameParts, type Run, runnerOf } from './run-route.ts';
import type { Served } from './serve.ts';

export interface Runnable {
  route: RouteFacts;
  run: Run;
}

/** Throws when a route is not served, served twice, or not in the table. */
export function runnablesOf(
  parts: FrameParts,
  routes: readonly RouteFacts[],
  served: readonly Served[],
): readonly Runnable[] {
  const byId = new Map(served.map((each) => [each.route.id, each]));
  const missing = routes.filter(({ id }) => !byId.has(id)).map(({ id }) => id);
  const known = new Set(routes.map(({ id }) => id));
  const unknown = served.filter(({ route }) => !known.has(route.id)).map(({ route }) => route.id);
  if (missing.length > 0 || unknown.length > 0 || byId.size !== served.length) {
    throw new Error(`routes: not served: ${missing}; not in the contract: ${unknown}; served twice: ${twice(served)}`);
  }
  return served.map((each) => ({ route: each.route, run: runnerOf(parts, each) }));
}

export function routerOf(runnables: readonly Runnable[], trusts: Trusts): Router {
  const router = Router({ caseSensitive: true });
  // Fixed words before parameters, so that `data-disk/mount` is not taken for a disk of that name.
  for (const { route, run } of [...runnables].sort((a, b) => (rank(a.route) < rank(b.route) ? -1 : 1))) {
    const verb = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    router[verb](route.path.replaceAll(/\{(\w+)\}/g, ':$1'), (req, res) =>
      run({ req, res, params: req.params, query: req.query, ip: addressOf(req, trusts) }),
    );
  }
  return router;
}

/** Compared by code points, in no language's order. */
const rank = ({ path }: RouteFacts): string => path.replaceAll(/\{\w+\}/g, '\u{10ffff}');
const twice = (served: readonly Served[]): string[] =>
  served.map(({ route }) => route.id).filter((id, at, all) => all.indexOf(id) !== at);
