// The meaning of the API server's "no" for a person: the field at fault, the quota's numbers, the policy's sentence; or that it
// cannot be reached, which says nothing about a write in flight.
import { GAP, sentence } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { Problem, problem } from '@gantry/contract/http/problem.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { REFUSALS } from '@gantry/contract/localized.ts';
import { type Args, quoted, type Said, said } from '@gantry/contract/said.ts';
import { ApiError, isAbsent } from '@gantry/kube/api-error.ts';

/** How long to wait before another attempt, if the server does not say. */
const RETRY_SECONDS = 2;

/**
 * For half a minute after its start the API server may not find the kinds that policies use as parameters, and then refuses
 * (kubernetes/kubernetes#124237): nobody's fault, and soon over.
 */
const UNCONFIGURED = /ValidatingAdmissionPolicy '[^']+' .*failed to configure (?:policy|binding)/s;

interface Asked {
  id: string;
  language: Language;
  /** Why nothing that costs may be begun there, as the organisation has it: the policy that refuses it says that in English. */
  closed?: (() => Said | undefined) | undefined;
}

/** The problem in an error of a write to this object; an error that is not an answer of the API server is returned unchanged. */
export function problemOf(error: unknown, { id, language, closed }: Asked): unknown {
  if (error instanceof Problem) return error;
  if (!(error instanceof ApiError)) {
    return (error as Error).name === 'NoAnswer' ? unavailable(error) : error;
  }
  const { code, message } = error;
  if (code === 401 || code === 429 || code >= 500 || UNCONFIGURED.test(message)) return unavailable(error);
  // Its namespace is not there yet, or not any more.
  if (isAbsent(error)) {
    return error.details.kind === 'namespaces' ? notReady(error) : problem('not_found', { what: id }, { cause: error });
  }
  if (code === 403) return forbidden(error, message, { language, closed });
  if (code === 400 || code === 422) return invalid(error);
  return problem('conflict', {}, { cause: error });
}

/** As `problemOf`, for whatever was asked of the API server: the object is the one that its answer names. */
export function explain(error: unknown, language: Language): unknown {
  const id = error instanceof ApiError ? (error.details.name ?? '') : '';
  return problemOf(error, { id, language });
}

const unavailable = (cause: unknown): Problem => {
  const asked = cause instanceof ApiError ? cause.retryAfterMs : undefined;
  const seconds = Math.max(1, Math.ceil((asked ?? RETRY_SECONDS * 1000) / 1000));
  return problem('unavailable', { seconds }, { retryAfterSeconds: seconds, cause });
};
/** The caller's role has the right: it is the cluster that has not heard of it yet. */
const notReady = (cause: unknown): Problem =>
  problem('organization_not_ready', {}, { retryAfterSeconds: RETRY_SECONDS, cause });

function forbidden(error: ApiError, message: string, { language, closed }: Omit<Asked, 'id'>): Problem {
  const quota = /exceeded quota: [^,]+, requested: (.+), used: (.+), limited: (.+)$/.exec(message);
  if (quota) {
    const [requested, used, limited] = quota.slice(1).map(firstOf);
    const resource = nameOf(requested?.[0] ?? '', language);
    const args = { resource, requested: requested?.[1] ?? '', used: used?.[1] ?? '', limit: limited?.[1] ?? '' };
    return problem('quota_exceeded', args, { cause: error });
  }
  const policy = /ValidatingAdmissionPolicy '([^']+)' with binding '[^']+' denied request: (.+)$/s.exec(message);
  if (policy) {
    const [, name, detail = ''] = policy;
    if (name === 'gantry-release') return problem('instance_not_shut_down', {}, { cause: error });
    const field = /^((?:spec|metadata)[\w.]*)(?:: | )/.exec(detail)?.[1];
    const named = field ? { field: bare(field) } : {};
    return problem('policy_refused', quoted('detail', refusalSaid(detail, named, closed)), { ...named, cause: error });
  }
  return notReady(error);
}

/** `count/gpuinstances.gantry.dev=1,requests.storage=2Gi` → its first name and amount. */
const firstOf = (list: string): [string, string] => {
  const [name = '', amount = ''] = (list.split(',')[0] ?? '').split('=');
  return [name, amount];
};

function nameOf(resource: string, language: Language): string {
  const plural = /^count\/([a-z]+)\.gantry\.dev$/.exec(resource)?.[1];
  return Object.values(KINDS).find((facts) => facts.plural === plural)?.words[language] ?? resource;
}

/**
 * A refusal by a rule or policy of ours, to be told in any language. The API server names no sentence and fills a policy's gap in
 * itself, so one is known by what stands before and after its gap: none leaves more than one to the API server.
 */
function refusalSaid(message: string, known: Args = {}, closed?: Asked['closed']): Said {
  for (const words of REFUSALS) {
    const [before = '', gap = '', after = ''] = sentence(words, 'en', known).split(GAP);
    const value = message.slice(before.length, message.length - after.length);
    const why = gap === 'why' ? closed?.() : undefined;
    const found = said(words, { ...known, ...(gap !== '' && { [gap]: why ? { ...why, message: value } : value }) });
    if (found.message === message) return found;
  }
  return { message, args: {} };
}

/** The first cause that names a field; the path is the body's. */
function invalid(error: ApiError): Problem {
  const cause = error.details.causes?.find(({ field }) => field) ?? error.details.causes?.[0];
  const field = bare(cause?.field ?? '') || 'body';
  const rule = (cause?.message ?? error.message).replace(/^Invalid value: .*?: (?=\S)/s, '');
  return problem('invalid_field', { field, ...quoted('rule', refusalSaid(rule)) }, { field, cause: error });
}

/** As the door writes paths: `spec.env[0].name` is `env.0.name` of the body. */
const bare = (path: string): string => path.replace(/^spec\.?/, '').replaceAll(/\[([^\]]+)\]/g, '.$1');
