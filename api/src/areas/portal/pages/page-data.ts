// What a page shows, read by the handlers of the public calls themselves: a page and a call never differ. Nobody is signed in.
import { randomUUID } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { factsOf, type PageAddress, type PageQuery } from '@gantry/contract/areas/portal/pages.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { Problem, statusOf } from '@gantry/contract/http/problem.ts';
import type { Call, Served } from '../../../platform/http/serve.ts';
import { bodyOf, Prepared } from '../../../platform/http/write-answer.ts';

export interface PageReader {
  /** Undefined where the object that the page is about is not there. A call beside it that fails is null. */
  page(address: PageAddress): Promise<Record<string, unknown> | undefined>;
  /** The answer of a public call, or null where it fails. */
  call(id: string, language: Language, query?: PageQuery): Promise<unknown>;
}

/** One read of a page may take as long as this. */
const LIMIT_MS = 10_000;

/** Its page rejects where the page's object cannot be read. A call that is not public is none for it. */
export function pageReader(served: readonly Served[], onFault: (call: string, error: unknown) => void): PageReader {
  const byId = new Map(served.map((one) => [one.route.id, one]));
  const answerOf = async (id: string, { params, language, query = {} }: Asked): Promise<unknown> => {
    const one = byId.get(id);
    if (one?.route.access !== 'public' || one.route.method !== 'GET') throw new Error(`${id} is no public read`);
    const req = new IncomingMessage(new Socket());
    const call = {
      ...{ params: one.route.params?.parse(params) ?? {}, query: one.route.query?.parse(query) ?? {} },
      ...{ body: undefined, caller: undefined, language, requestId: randomUUID(), idempotencyKey: undefined },
      ...{ ip: '', signal: AbortSignal.timeout(LIMIT_MS), audit: {}, req, res: new ServerResponse(req) },
    };
    return unwrapped(one.route, await one.handler(call as unknown as Call));
  };
  const orNull = (id: string, address: Asked) =>
    answerOf(id, address).catch((error: unknown) => {
      if (!isRefused(error)) onFault(id, error);
      return null;
    });
  const page: PageReader['page'] = async (address) => {
    const { about, reads = [], asked } = factsOf(address.name);
    const { params, language, query } = address;
    let subject: unknown;
    try {
      subject = about && (await answerOf(about, { params, language }));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
    const others = reads.map(
      async (id) => [id, await orNull(id, { params, language, ...(id === asked?.call && { query }) })] as const,
    );
    return { ...Object.fromEntries(await Promise.all(others)), ...(about && { [about]: subject }) };
  };
  return { page, call: (id, language, query = {}) => orNull(id, { params: {}, language, query }) };
}

type Asked = Pick<PageAddress, 'params' | 'language'> & Partial<Pick<PageAddress, 'query'>>;

/** The visitor's address is at fault, or there is nothing to show: neither is a fault of ours. */
const isRefused = (error: unknown): boolean =>
  isMissing(error) || (error instanceof Problem && statusOf(error.problem) < 500);

/** Not there, or no address of anything. */
const isMissing = (error: unknown): boolean =>
  (error instanceof Problem && error.problem === 'not_found') || (error instanceof Error && error.name === 'ZodError');

/** As a client has it: through JSON, without the envelope. */
function unwrapped(route: RouteFacts, answer: unknown): unknown {
  const body = JSON.parse(
    answer instanceof Prepared ? answer.bytes.toString() : JSON.stringify(bodyOf(route, answer, {})),
  );
  if ('raw' in route.answer) return body;
  if ('result' in route.answer) return body.result;
  if ('data' in route.answer) return body.data;
  const { paginated, data } = body;
  return {
    items: data,
    page: paginated.page,
    size: paginated.size,
    total: paginated.total_num,
    totalPages: paginated.total_page,
    extra: paginated.extra,
  };
}
