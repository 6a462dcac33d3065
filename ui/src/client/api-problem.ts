// Why a call failed, in words a person can read.
import type { ProblemCode } from '@gantry/contract/http/problem.ts';

/** Failures without a server's answer: none came, or it was not understood. */
export type ClientFailure = 'network' | 'timed_out' | 'bad_answer';

export interface ProblemDetail {
  status: number;
  code: number;
  error: ProblemCode | ClientFailure;
  message: string;
  field?: string;
  args?: Readonly<Record<string, string | number>>;
  requestId?: string;
  retryAfterMs?: number;
}

/** `message` is a sentence in the person's language; `field` is the member of the input at fault, as a dotted path. */
export class ApiProblem extends Error implements ProblemDetail {
  readonly status: number;
  readonly code: number;
  readonly error: ProblemCode | ClientFailure;
  readonly field?: string;
  readonly args: Readonly<Record<string, string | number>>;
  readonly requestId?: string;
  readonly retryAfterMs?: number;

  constructor({ status, code, error, message, field, args = {}, requestId, retryAfterMs }: ProblemDetail) {
    super(message);
    this.name = 'ApiProblem';
    this.status = status;
    this.code = code;
    this.error = error;
    this.args = args;
    if (field !== undefined) this.field = field;
    if (requestId !== undefined) this.requestId = requestId;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }

  /** Nobody answered. */
  get isUnanswered(): boolean {
    return this.status === 0;
  }

  /** Nobody is there: no answer, or that of a proxy whose server is gone. */
  get isAway(): boolean {
    return this.isUnanswered || (this.error === 'bad_answer' && this.status >= 500);
  }

  /** Nothing says whether it was done: nobody answered, or what answered had failed, as a proxy does for a server that died. */
  get isUncertain(): boolean {
    return this.isUnanswered || this.status >= 500;
  }
}

/** The server's sentence, or ours about the network; of a fault of the program, `otherwise`: its message is for developers. */
export const sentenceOr = (error: unknown, otherwise: string): string =>
  error instanceof ApiProblem ? error.message : otherwise;

/** The sentence of whatever was thrown. */
export const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
