// Refusals as the API server words them: a `Status` object, and Retry-After in header and details alike.
import type { Reply } from './upstream.ts';

// 410 is `Expired` for a resourceVersion that was compacted away; `Gone` is no longer sent.
const REASON = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
} as const;

export type RefusalCode = keyof typeof REASON;

export interface RefusalDetails {
  /** Overrides the code's usual reason, e.g. `AlreadyExists` for a 409. */
  readonly reason?: string;
  /** Whole seconds, as the header has it. */
  readonly retryAfterSeconds?: number;
}

export interface StatusObject {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: Record<string, never>;
  readonly status: 'Failure';
  readonly message: string;
  readonly reason: string;
  readonly details?: { readonly retryAfterSeconds: number };
  readonly code: number;
}

export function statusObject(code: RefusalCode, { reason = REASON[code], ...rest }: RefusalDetails = {}): StatusObject {
  const { retryAfterSeconds } = rest;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `the fault proxy answers ${code} ${reason}`,
    reason,
    ...(retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } }),
    code,
  };
}

export function statusReply(code: RefusalCode, details: RefusalDetails = {}): Reply {
  const { retryAfterSeconds } = details;
  return {
    status: code,
    headers: {
      'content-type': 'application/json',
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    },
    body: Buffer.from(JSON.stringify(statusObject(code, details))),
  };
}
