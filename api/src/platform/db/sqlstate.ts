// Why a statement failed. Both drivers carry PostgreSQL's SQLSTATE; drizzle wraps them as the cause.

/** The five characters, or undefined when the failure is not the database's. */
export function sqlStateOf(error: unknown): string | undefined {
  return causes(error)
    .map(({ code }) => code)
    .find((code): code is string => typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code));
}

/** `constraint` as the schema names it, for example `accounts_email`; absent: any. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (sqlStateOf(error) !== '23505') return false;
  return constraint === undefined || causes(error).some((cause) => cause.constraint === constraint);
}

/** Serialization failure or deadlock: nothing was written, and the same transaction may succeed now. */
export const isWorthRepeating = (error: unknown): boolean => ['40001', '40P01'].includes(sqlStateOf(error) ?? '');

const CONNECTION_LOST = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND'];

/** The database is unreachable at the moment: the caller should try again. It is unknown whether a lost commit happened. */
export function isUnavailable(error: unknown): boolean {
  // Class 08: connection exceptions; 57P: shutting down or starting; 53: out of connections, disk or memory.
  if (/^(08|57P|53)/.test(sqlStateOf(error) ?? '')) return true;
  return causes(error).some(
    ({ code, message }) =>
      CONNECTION_LOST.includes(String(code)) ||
      /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client (has encountered|was closed))/.test(
        message ?? '',
      ),
  );
}

interface Failure {
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly message?: string;
  readonly cause?: unknown;
}

function causes(error: unknown): Failure[] {
  const found: Failure[] = [];
  for (let at: unknown = error; typeof at === 'object' && at !== null && found.length < 5; at = (at as Failure).cause) {
    found.push(at as Failure);
  }
  return found;
}
