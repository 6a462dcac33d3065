// The API server's failures, and what each of them means.

export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

/** Kubernetes' `Status`, as far as it matters here. */
export interface StatusBody {
  kind?: string;
  message?: string;
  reason?: string;
  code?: number;
  details?: { name?: string; kind?: string; uid?: string; causes?: StatusCause[]; retryAfterSeconds?: number };
}

/** An answer other than success. `code` is HTTP's, or the one inside an ERROR event of a watch. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: number;
  readonly reason: string;
  readonly details: NonNullable<StatusBody['details']>;
  /** How long the server asked to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(code: number, body: StatusBody, retryAfterSeconds?: number) {
    super(body.message || `the API server answered ${code}`);
    this.code = code;
    this.reason = body.reason ?? '';
    this.details = body.details ?? {};
    const seconds = retryAfterSeconds ?? body.details?.retryAfterSeconds;
    this.retryAfterMs = seconds === undefined ? undefined : seconds * 1000;
  }
}

/** No answer, or not all of one: refused, cut off, too late. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

const codeOf = (error: unknown): number | undefined => (error instanceof ApiError ? error.code : undefined);

export const isAbsent = (error: unknown): boolean => codeOf(error) === 404;
export const isForbidden = (error: unknown): boolean => codeOf(error) === 403;
/** Not now: the server has too much to do, or a PodDisruptionBudget does not let a Pod go. */
export const isBusy = (error: unknown): boolean => codeOf(error) === 429;
export const isExpired = (error: unknown): boolean => codeOf(error) === 410;

/** Somebody else was faster: a stale resourceVersion, or a uid that is no more. Look again, then decide again. */
export const isConflict = (error: unknown): boolean =>
  error instanceof ApiError &&
  ((error.code === 409 && error.reason !== 'AlreadyExists') ||
    // A merge patch that names another uid is answered as an attempt to change the uid.
    (error.code === 422 && (error.details.causes ?? []).some(({ field }) => field === 'metadata.uid')));

/** A precondition of a JSON patch does not hold. */
export const isUntrue = (error: unknown): boolean => codeOf(error) === 422;

export const isTaken = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 409 && error.reason === 'AlreadyExists';

/** The write may have been carried out: no answer came, or one from in front of the store. */
export const isAmbiguous = (error: unknown): boolean => !(error instanceof ApiError) || error.code >= 500;

const REFUSING_CODES = new Set([400, 403, 409, 422]);

/**
 * A write that the API server refused for its content (403, 409 because of another owner, 422), not because of a transient fault.
 */
export interface Refusal {
  kind: string;
  name: string;
  /** Kubernetes' reason, such as Forbidden, Invalid, AlreadyExists. */
  reason: string;
  message: string;
}

/** The refusal in an error, if the server refused the write for its content. Conflicts and transient faults are not refusals. */
export function refusalOf(error: unknown, kind: string, name: string): Refusal | undefined {
  if (!(error instanceof ApiError) || !REFUSING_CODES.has(error.code) || isConflict(error)) return undefined;
  // A quota that its controller has not counted yet refuses everything for a moment.
  if (error.message.includes('status unknown for quota')) return undefined;
  return { kind, name, reason: error.reason || `${error.code}`, message: error.message };
}
