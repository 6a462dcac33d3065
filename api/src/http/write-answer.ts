// Answers onto the wire: the envelope of a success, the body of a problem.
import type { ServerResponse } from 'node:http';
import type { Language } from '@gantry/contract/fields/language.ts';
import type { Page, RouteFacts } from '@gantry/contract/http/define-route.ts';
import { type Problem, problemSentence, statusOf } from '@gantry/contract/http/problem.ts';

/** The body of a success; undefined where the handler has written its answer itself. */
export function bodyOf(route: RouteFacts, answer: unknown, asked: unknown): unknown {
  const { answer: facts } = route;
  if ('raw' in facts) return answer;
  if ('result' in facts) return { code: 0, message: 'ok', result: answer };
  if ('data' in facts) return { code: 0, message: 'ok', data: answer };
  if ('text' in facts) return { code: 0, message: facts.text };
  if ('list' in facts) return listBody(answer as Page<unknown>, asked as { page?: number; size?: number });
  return undefined;
}

function listBody({ items, total, extra = {} }: Page<unknown>, asked: { page?: number; size?: number }) {
  const { page = 1, size = Math.max(1, items.length) } = asked;
  const paginated = { page, size, total_num: total, total_page: Math.ceil(total / size), num: items.length, extra };
  return { code: 0, message: 'ok', data: items, paginated };
}

export function writeJson(res: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  res.statusCode = status;
  res.setHeader('content-type', 'application/json; charset=utf-8');
  res.setHeader('content-length', Buffer.byteLength(text));
  if (!res.hasHeader('cache-control')) res.setHeader('cache-control', 'no-store');
  res.end(text);
}

/** Nothing where the answer has begun already: then only cutting it off tells that it failed. */
export function writeProblem(res: ServerResponse, fault: Problem, language: Language, requestId: string): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  for (const name of ['etag', 'content-disposition', 'cache-control']) res.removeHeader(name);
  if (fault.retryAfterSeconds !== undefined) res.setHeader('retry-after', Math.ceil(fault.retryAfterSeconds));
  writeJson(res, statusOf(fault.problem), {
    code: fault.code,
    error: fault.problem,
    message: problemSentence(fault.problem, language, fault.args),
    ...(fault.field !== undefined && { field: fault.field }),
    ...(Object.keys(fault.args).length > 0 && { args: fault.args }),
    request_id: requestId,
  });
}
