// One call of one route, in the order of decisions: who is calling, how often, may they, with what input, the handler, the
// answer. The body is not read before the caller may send it.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { PAYMENT_ROUTES } from '@gantry/contract/areas/billing/payments.ts';
import { mayView } from '@gantry/contract/areas/identity/view-as-tenant.ts';
import { FEATURES, type Feature } from '@gantry/contract/features.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { type Access, isMutation, type RouteFacts } from '@gantry/contract/http/define-route.ts';
import { Problem, problem, statusOf } from '@gantry/contract/http/problem.ts';
import { mayStaffCall } from '@gantry/contract/roles.ts';
import type { Logger } from 'pino';
import * as z from 'zod';
import { isUnavailable } from '../db/sqlstate.ts';
import { type Caller, hasRight } from './caller.ts';
import { keyOf, type OnceOnly } from './idempotency-key.ts';
import { lacksFactor, type StaffSecondFactor } from './lacks-factor.ts';
import { languageOf } from './language-of.ts';
import type { Metrics } from './metrics.ts';
import { parse } from './parse.ts';
import type { RateLimits } from './rate-limits.ts';
import { discardRest, drainBody, readJsonBody } from './read-body.ts';
import { refuseBadText } from './refuse-bad-text.ts';
import { auditedId, requestIdOf } from './request-id.ts';
import type { Call, Served } from './serve.ts';
import { bodyOf, Prepared, writePrepared, writeProblem, writeText } from './write-answer.ts';

/** One entry of the audit log, as the frame knows it. */
export interface AuditEntry {
  requestId: string;
  /** The route's id. */
  action: string;
  decision: 'allowed' | 'denied' | 'failed';
  /** HTTP status. */
  status: number;
  caller: Caller | undefined;
  /** The organisation whose log gets the entry, if it is not the caller's. */
  organizationId?: string | undefined;
  object: string | undefined;
  reason: string | undefined;
  ip: string;
  userAgent: string | undefined;
}

/** The frame's dependencies. */
export interface FrameParts {
  /** The owner of a token; undefined if it is unknown, ended or expired. Throws if that cannot be determined. */
  authenticate(token: string): Promise<Caller | undefined>;
  /** The problem in what the API server answered, or did not answer; any other error as it is. */
  explain(error: unknown, language: Language): unknown;
  /** Resolves once the entry will outlive a crash of this process. */
  audit(entry: AuditEntry): Promise<void>;
  /** Calls that are repeated under an Idempotency-Key. */
  idempotency: OnceOnly;
  limits: RateLimits;
  metrics: Metrics;
  log: Logger;
  answerLimitMs: number;
  /** Whether staff need a second factor before any call of theirs. */
  staffSecondFactor: StaffSecondFactor;
  /** Staff's note about a closed feature; undefined while it is open. */
  closed?(feature: Feature): { note: Readonly<Record<Language, string>> | null } | undefined;
  /** Once the gateway stops, connections end with their answer. */
  isStopping(): boolean;
}

export interface RawCall {
  req: IncomingMessage;
  res: ServerResponse;
  params: Readonly<Record<string, string | string[] | undefined>>;
  query: Readonly<Record<string, unknown>>;
  ip: string;
}

export type Run = (raw: RawCall) => Promise<void>;

/** Never rejects. */
export function runnerOf(parts: FrameParts, { route, handler }: Served): Run {
  const decide = deciderOf(parts, route, handler);
  return async (raw) => {
    const started = performance.now();
    const { req, res } = raw;
    const call = new OneCall(raw);
    res.setHeader('x-request-id', call.requestId);
    parts.metrics.begin();
    let fault: Problem | undefined;
    try {
      await decide(call, raw);
    } catch (error) {
      fault = problemOf(error, parts, call);
      // While the database is down an entry waits for it; the caller does not.
      void auditFault(parts, route, call, fault);
      if (fault.problem === 'too_large') await drainBody(req);
      writeProblem(res, fault, call.language, call.requestId);
      discardRest(req);
    }
    const ms = performance.now() - started;
    parts.metrics.end(route.id, res.statusCode, ms / 1000);
    logCall(parts.log, route, call, fault, ms);
  };
}

/** A call while it is decided: fields that are not known yet are undefined. */
class OneCall {
  params: unknown;
  query: unknown;
  body: unknown;
  caller: Caller | undefined;
  language: Language;
  idempotencyKey: string | undefined;
  /** Everything that is asked of a call before its handler holds. */
  isUnderstood = false;
  readonly requestId: string;
  readonly ip: string;
  readonly audit: Call['audit'] = {};
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  #aborter: AbortController | undefined;
  #ended: Error | undefined;

  constructor({ req, res, ip }: RawCall) {
    this.req = req;
    this.res = res;
    this.ip = ip;
    this.requestId = requestIdOf(req);
    this.language = languageOf(req.headers['accept-language']);
  }

  /** Most calls never ask for it. */
  get signal(): AbortSignal {
    if (!this.#aborter) {
      this.#aborter = new AbortController();
      if (this.#ended || this.res.destroyed) this.end(this.#ended ?? GONE);
      else this.res.once('close', () => this.end(GONE));
    }
    return this.#aborter.signal;
  }

  end(reason: Error): void {
    this.#ended = reason;
    this.#aborter?.abort(reason);
  }
}

const GONE = new Error('the caller has gone');

function deciderOf(parts: FrameParts, route: RouteFacts, handler: Served['handler']) {
  // A schema that declares its treatment of unknown names is left unchanged.
  const query = route.query?.def.catchall ? route.query : (route.query ?? z.object({})).strict();
  // Some clients say it with every call; it is compared with the token's, and means nothing else.
  const isOrgIdOfNoMeaning = !('org_id' in query.shape);
  const { attemptsPerMinute } = route;

  return async (call: OneCall, raw: RawCall): Promise<void> => {
    const { req, res, ip } = call;
    const token = tokenOf(req.headers);
    const caller = token === undefined ? undefined : await callerOf(parts, token, ip, res);
    if (caller) {
      call.caller = caller;
      call.language = languageOf(req.headers['accept-language'], caller.account.locale);
      await parts.limits[route.upload ? 'piece' : 'session'](caller.session.id, res);
    } else await parts.limits.address(ip, res);
    if (attemptsPerMinute !== undefined) await parts.limits.attempt(route.id, attemptsPerMinute, ip, res);
    if (!caller && route.access !== 'public') throw problem('unauthenticated');
    if (caller) refuseOthers(caller, req, raw.query);
    demand(route, caller, parts.staffSecondFactor);
    if (route.feature) demandOpen(route.feature, parts.closed?.(route.feature), call.language);
    call.params = route.params ? parse(route.params, textChecked(raw.params), call.language) : {};
    const { org_id, ...others } = textChecked(raw.query);
    // JSON in a query has escapes of its own, so the parsed values are checked again.
    call.query = textChecked(parse(query, isOrgIdOfNoMeaning ? others : raw.query, call.language));
    const answer = answered(parts, route, handler, call);
    const write = await (route.exempt ? answer : inTime(answer, parts.answerLimitMs, call));
    write();
  };
}

/** Tokens that nobody has cost a look into the database each: an address has so many of them and no more. */
async function callerOf(
  { authenticate, limits }: FrameParts,
  token: string,
  ip: string,
  res: ServerResponse,
): Promise<Caller | undefined> {
  await limits.mayTry(token, ip, res);
  const caller = await authenticate(token);
  if (caller) limits.known(token);
  else await limits.inVain(ip);
  return caller;
}

function textChecked<T>(input: T): T {
  refuseBadText(input);
  return input;
}

/** Reads the body, and calls the handler. Resolves with a function that writes the answer. */
async function answered(
  parts: FrameParts,
  route: RouteFacts,
  handler: Served['handler'],
  call: OneCall,
): Promise<() => void> {
  const { req, res } = call;
  const status = route.status ?? 200;
  const key = keyOf(route, req.headers['idempotency-key']);
  if (route.body) call.body = parse(route.body, await readJsonBody(req, route.bodyBytes), call.language);
  if (key !== undefined && call.caller) {
    const { caller, params, query, body } = call;
    const asked = { route: route.id, key, caller, input: { params, query, body } };
    const { version, text, isReplay } = await parts.idempotency.once(asked, call.signal, async (idempotencyKey) => {
      call.idempotencyKey = idempotencyKey;
      call.isUnderstood = true;
      const answer = bodyOf(route, await handler(call as unknown as Call), call.query);
      await audit(parts, route, call, 'allowed', status);
      return { text: JSON.stringify(answer), version: headerText(res, VERSION) };
    });
    return () => {
      if (isReplay) res.setHeader('idempotency-replayed', 'true');
      if (version !== undefined) res.setHeader(VERSION, version);
      writeText(res, status, text);
    };
  }
  call.isUnderstood = true;
  const answer = await handler(call as unknown as Call);
  if (isMutation(route) || call.audit.evenIfRead) await audit(parts, route, call, 'allowed', status);
  if (answer instanceof Prepared) return () => writePrepared(res, status, answer);
  return () => {
    if (res.headersSent) return;
    const body = bodyOf(route, answer, call.query);
    if (body !== undefined) writeText(res, status, JSON.stringify(body));
  };
}

const VERSION = 'x-gantry-version';

const headerText = (res: ServerResponse, name: string): string | undefined => {
  const value = res.getHeader(name);
  return value === undefined ? undefined : `${value}`;
};

/** Rejects when it takes too long. What comes later is not waited for, and answers nobody. */
function inTime<T>(answer: Promise<T>, limitMs: number, call: OneCall): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const seconds = Math.round(limitMs / 1000);
      const over = problem(call.req.complete ? 'timed_out' : 'request_too_slow', { seconds });
      call.end(over);
      reject(over);
    }, limitMs);
    answer.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

/** Claims of the client grant nothing; a claim that contradicts its token is refused. */
function refuseOthers(caller: Caller, req: IncomingMessage, query: RawCall['query']): void {
  const claims = [
    ['UserId', req.headers.userid, caller.account.id],
    ['OrgId', req.headers.orgid, caller.organization.id],
    ['org_id', query.org_id, caller.organization.id],
  ] as const;
  for (const [field, said, is] of claims)
    if (said !== undefined && said !== '' && said !== is) throw problem('org_mismatch', { field }, { field });
}

function demand(
  route: RouteFacts,
  caller: Caller | undefined,
  staffSecondFactor: FrameParts['staffSecondFactor'],
): void {
  // Before anything else that would let it through: whoever looks at a tenant's console changes nothing, by no route.
  if (caller?.session.kind === 'view' && !mayView(route)) throw problem('view_only');
  const { access } = route;
  if (access === 'public' || access === 'account' || !caller) return;
  if (!mayCall(access, caller)) throw problem('permission_missing');
  if ('platform' in access && lacksFactor(caller, staffSecondFactor)) throw problem('second_factor_needed');
}

export function mayCall(access: Exclude<Access, string>, caller: Caller): boolean {
  const { account, session } = caller;
  if ('platform' in access) return session.kind === 'session' && mayStaffCall(account.platformRoles, access);
  return hasRight(caller, access.right);
}

/** Throws the feature's problem, with the sentence that staff left. */
export function demandOpen(
  feature: Feature,
  closed: { note: Readonly<Record<Language, string>> | null } | undefined,
  language: Language,
): void {
  if (!closed) return;
  const note = closed.note?.[language].trim() ?? '';
  throw problem(FEATURES[feature], { note: note === '' ? '' : `${language === 'en' ? ' ' : ''}${note}` });
}

const DENIALS: ReadonlySet<string> = new Set(['permission_missing', 'view_only', 'not_found']);

/**
 * Audits failed mutations, reads that a handler wants recorded, and all denials. For calls that never reached their handler, only denials of authenticated callers
 * count: the log keeps everything forever, and nobody may fill it with junk calls. Never rejects.
 */
async function auditFault(parts: FrameParts, route: RouteFacts, call: OneCall, fault: Problem): Promise<void> {
  const isDenial = DENIALS.has(fault.problem);
  const isOfOthers = fault.problem === 'org_mismatch';
  // The handler authenticates the caller by a signature: a refused call may come from anybody.
  if (route.id === PAYMENT_ROUTES.takeWebhook.id) return;
  if (!call.isUnderstood && !(call.caller && (isDenial || isOfOthers))) return;
  const isRecorded = isMutation(route) || (call.caller !== undefined && call.audit.evenIfRead === true);
  if (!isRecorded && !isDenial) return;
  const decision = isDenial || fault.problem === 'unauthenticated' ? 'denied' : 'failed';
  await audit(parts, route, call, decision, statusOf(fault.problem), fault).catch((cause: unknown) =>
    parts.log.error({ err: cause, requestId: call.requestId }, 'an entry of the audit log was lost'),
  );
}

function audit(
  parts: FrameParts,
  { id }: RouteFacts,
  call: OneCall,
  decision: AuditEntry['decision'],
  status: number,
  fault?: Problem,
): Promise<void> {
  return parts.audit({
    requestId: auditedId(call.req, call.requestId),
    action: id,
    decision,
    status,
    caller: call.audit.actor ?? call.caller,
    organizationId: call.audit.organizationId,
    object: call.audit.object,
    reason: call.audit.reason ?? fault?.problem,
    ip: call.ip,
    userAgent: call.req.headers['user-agent']?.slice(0, 256),
  });
}

/** Never a token, a body or what stood in the query. Reads that succeed would drown the rest: metrics count them. */
function logCall(log: Logger, route: RouteFacts, call: OneCall, fault: Problem | undefined, ms: number): void {
  const isQuiet = !fault && !isMutation(route);
  if (isQuiet && !log.isLevelEnabled('debug')) return;
  const line = {
    route: route.id,
    method: route.method,
    status: call.res.statusCode,
    ms: Math.round(ms * 10) / 10,
    requestId: call.requestId,
    account: call.caller?.account.id,
    problem: fault?.problem,
  };
  if (isQuiet) log.debug(line, 'call');
  else log.info(line, 'call');
}

/** Logs anything but a problem. The caller learns only what the API server refuses and what is unavailable. */
function problemOf(error: unknown, { log, explain }: FrameParts, { requestId, language }: OneCall): Problem {
  if (error instanceof Problem) return error;
  log.error({ err: error, requestId }, 'a call failed');
  const explained = explain(error, language);
  if (explained instanceof Problem) return explained;
  if (!isUnavailable(error)) return problem('internal', {}, { cause: error });
  return problem('unavailable', { seconds: TRY_LATER_S }, { cause: error, retryAfterSeconds: TRY_LATER_S });
}

const TRY_LATER_S = 5;

/** X-Token, or a bearer token; both only when they are the same. Cookies and URLs are never looked at. */
function tokenOf(headers: IncomingHttpHeaders): string | undefined {
  const own = headers['x-token'];
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const token = (typeof own === 'string' && own) || undefined;
  if (token !== undefined && bearer !== undefined && token !== bearer) throw problem('two_tokens');
  return token ?? bearer;
}
