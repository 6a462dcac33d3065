// One call of one route, in the order in which it is decided: who asks, may they, what do they say, the handler, the answer.
// Nothing of the body is read before the caller may send it.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Language } from '@gantry/contract/fields/language.ts';
import { type Access, isMutation, type RouteFacts } from '@gantry/contract/http/define-route.ts';
import { Problem, problem } from '@gantry/contract/http/problem.ts';
import { mayRole, mayStaff } from '@gantry/contract/roles.ts';
import type { Logger } from 'pino';
import type { Caller } from '../identity/caller.ts';
import { languageOf } from './language-of.ts';
import { parse } from './parse.ts';
import { readJsonBody } from './read-body.ts';
import type { Call, Served } from './serve.ts';
import { tokenOf } from './token.ts';
import { bodyOf, writeJson, writeProblem } from './write-answer.ts';

/** One entry of the audit log, as the frame knows it. */
export interface AuditEntry {
  requestId: string;
  /** The route's id. */
  action: string;
  decision: 'allowed' | 'denied' | 'failed';
  /** HTTP status. */
  status: number;
  caller: Caller | undefined;
  object: string | undefined;
  reason: string | undefined;
  ip: string;
  userAgent: string | undefined;
}

/** What the frame needs of the rest of the gateway. */
export interface FrameParts {
  /** Who a token belongs to; undefined for one that is unknown, ended or expired. Throws when that can not be known. */
  authenticate(token: string): Promise<Caller | undefined>;
  /** Resolves once the entry will outlive a crash of this process. */
  audit(entry: AuditEntry): Promise<void>;
  log: Logger;
  answerLimitMs: number;
}

export interface RawCall {
  req: IncomingMessage;
  res: ServerResponse;
  params: Readonly<Record<string, string | string[] | undefined>>;
  query: Readonly<Record<string, unknown>>;
  ip: string;
}

export async function runRoute(parts: FrameParts, served: Served, raw: RawCall): Promise<void> {
  const { route } = served;
  const { req, res, ip } = raw;
  const requestId = requestIdOf(req);
  res.setHeader('x-request-id', requestId);
  const aborter = new AbortController();
  const call = { audit: {}, requestId, ip, req, res, signal: aborter.signal } as Partial<Call> & Pick<Call, 'audit'>;
  res.once('close', () => aborter.abort(new Error('the caller has gone')));
  let language: Language = languageOf(req.headers['accept-language']);
  try {
    const caller = await whoCalls(parts, route.access, req);
    language = languageOf(req.headers['accept-language'], caller?.account.locale);
    Object.assign(call, { caller, language });
    if (caller) refuseOthers(caller, req, raw.query);
    demand(route.access, caller);
    call.params = route.params ? parse(route.params, raw.params, language) : {};
    call.query = route.query ? parse(route.query, raw.query, language) : {};
    (call as { body?: unknown }).body = route.body
      ? parse(route.body, await readJsonBody(req, route.bodyBytes), language)
      : undefined;
    const answer = await limited(parts, route, aborter, served.handler(call as Call));
    if (isMutation(route)) await audit(parts, route, call, 'allowed', route.status ?? 200);
    const body = bodyOf(route, answer, call.query);
    if (body !== undefined && !res.headersSent) writeJson(res, route.status ?? 200, body);
  } catch (error) {
    const fault = problemOf(error, parts.log, requestId);
    const isDenial = fault.problem === 'permission_missing' || fault.problem === 'not_found';
    if (isMutation(route) || isDenial) {
      const decision = isDenial || fault.problem === 'unauthenticated' ? 'denied' : 'failed';
      await audit(parts, route, call, decision, 0, fault).catch((cause: unknown) =>
        parts.log.error({ err: cause, requestId }, 'an entry of the audit log was lost'),
      );
    }
    writeProblem(res, fault, language, requestId);
    // What is left of a body nobody wants is not waited for.
    if (!req.complete) req.resume();
  }
}

async function whoCalls(parts: FrameParts, access: Access, req: IncomingMessage): Promise<Caller | undefined> {
  const token = tokenOf(req.headers);
  const caller = token === undefined ? undefined : await parts.authenticate(token);
  if (!caller && access !== 'public') throw problem('unauthenticated');
  return caller;
}

/** What a client says of itself grants nothing, and what is not true of its token is refused. */
function refuseOthers(caller: Caller, req: IncomingMessage, query: RawCall['query']): void {
  const claims = [
    ['UserId', req.headers.userid, caller.account.id],
    ['OrgId', req.headers.orgid, caller.organization.id],
    ['org_id', query.org_id, caller.organization.id],
  ] as const;
  for (const [field, said, is] of claims)
    if (said !== undefined && said !== '' && said !== is) throw problem('org_mismatch', { field }, { field });
}

function demand(access: Access, caller: Caller | undefined): void {
  if (access === 'public' || access === 'account' || !caller) return;
  if (!mayCall(access, caller)) throw problem('permission_missing');
}

export function mayCall(access: Exclude<Access, string>, { account, organization, session }: Caller): boolean {
  if ('platform' in access) return session.kind === 'session' && mayStaff(account.platformRoles, access.platform);
  if (session.kind === 'apiToken' && !session.scopes.includes(access.right)) return false;
  return mayRole(organization.role, access.right);
}

async function limited(
  { answerLimitMs }: FrameParts,
  route: RouteFacts,
  aborter: AbortController,
  answer: Promise<unknown>,
): Promise<unknown> {
  if (route.exempt) return answer;
  const over = problem('timed_out', { seconds: Math.round(answerLimitMs / 1000) });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      aborter.abort(over);
      reject(over);
    }, answerLimitMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

function audit(
  parts: FrameParts,
  { id }: RouteFacts,
  call: Partial<Call> & Pick<Call, 'audit'>,
  decision: AuditEntry['decision'],
  status: number,
  fault?: Problem,
): Promise<void> {
  return parts.audit({
    requestId: call.requestId ?? '',
    action: id,
    decision,
    status: fault ? Math.floor(fault.code / 100) : status,
    caller: call.caller as Caller | undefined,
    object: call.audit.object,
    reason: call.audit.reason ?? fault?.problem,
    ip: call.ip ?? '',
    userAgent: call.req?.headers['user-agent']?.slice(0, 256),
  });
}

/** Anything but a problem is ours to mend: it is logged, and the caller hears no more than that. */
function problemOf(error: unknown, log: Logger, requestId: string): Problem {
  if (error instanceof Problem) return error;
  log.error({ err: error, requestId }, 'a call failed');
  return problem('internal', {}, { cause: error });
}

/** The client's own, where it is one that is safe to log; else a new one. */
function requestIdOf(req: IncomingMessage): string {
  const said = req.headers['x-request-id'];
  return typeof said === 'string' && /^[\w-]{8,64}$/.test(said) ? said : randomUUID();
}
