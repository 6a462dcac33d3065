// A "no" of the gate's own, in the words that kubectl shows: Kubernetes' `Status`.
import type { ServerResponse } from 'node:http';
import { Problem } from '@gantry/contract/http/problem.ts';

/** As Kubernetes calls them; kubectl reads these, not the codes. */
const REASON = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  429: 'TooManyRequests',
  502: 'InternalError',
  503: 'ServiceUnavailable',
} as const;

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: keyof typeof REASON;
  readonly retryAfterSeconds: number | undefined;

  /** Clients retry automatically if told when: only if nothing was forwarded. */
  constructor(code: keyof typeof REASON, message: string, retryAfterSeconds?: number) {
    super(message);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export const notLoggedIn = () =>
  new Refusal(401, 'the kubeconfig is unknown, expired or revoked: download another one in the console');

/** Undefined for a fault, which is not a refusal. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  // Rate limits speak as the API does.
  if (error instanceof Problem && error.problem === 'too_many_requests')
    return new Refusal(429, error.message, error.retryAfterSeconds);
  return undefined;
}

/** Nothing must have been sent yet. */
export function answerRefusal(res: ServerResponse, { code, message, retryAfterSeconds }: Refusal): void {
  const body = JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason: REASON[code],
    ...(retryAfterSeconds !== undefined && { details: { retryAfterSeconds } }),
    code,
  });
  res.writeHead(code, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...(retryAfterSeconds !== undefined && { 'retry-after': `${retryAfterSeconds}` }),
    // Nobody reads the rest of a body in flight.
    ...(code !== 429 && { connection: 'close' }),
  });
  res.end(body);
}
