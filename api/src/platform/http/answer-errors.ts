// Requests that no route answers: unknown paths, wrong methods, and Express's own refusals.
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { Problem, problem } from '@gantry/contract/http/problem.ts';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { languageOf } from './language-of.ts';
import { requestIdOf } from './request-id.ts';
import { writeProblem } from './write-answer.ts';

/** 405 where the path has other methods, else 404. */
export function answerNothingHere(routes: readonly RouteFacts[]): RequestHandler {
  const paths = routes.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^/api${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
  }));
  return (req) => {
    const allowed = paths.filter(({ pattern }) => pattern.test(req.path)).map(({ method }) => method);
    if (allowed.length === 0) throw problem('no_such_route');
    req.res?.setHeader('allow', allowed.join(', '));
    throw problem('method_not_allowed', { allowed: allowed.join(', ') });
  };
}

export function answerErrors(log: Logger): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const requestId = requestIdOf(req);
    res.setHeader('x-request-id', requestId);
    writeProblem(res, problemOf(error, log, requestId), languageOf(req.headers['accept-language']), requestId);
  };
}

/** Express names a bad path or a bad escape in it by its status. */
function problemOf(error: unknown, log: Logger, requestId: string): Problem {
  if (error instanceof Problem) return error;
  const { status } = error as { status?: number };
  if (status !== undefined && status >= 400 && status < 500) return problem('no_such_route', {}, { cause: error });
  log.error({ err: error, requestId }, 'a call failed');
  return problem('internal', {}, { cause: error });
}
