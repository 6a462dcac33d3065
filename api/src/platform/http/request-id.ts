// The id by which an answer, the log and the audit log know a request.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The client's own id, if it is safe to log; otherwise a new one. */
export function requestIdOf(req: IncomingMessage): string {
  const said = req.headers['x-request-id'];
  return typeof said === 'string' && /^[\w-]{8,63}$/.test(said) ? said : randomUUID();
}

/** In the audit log a client's own is marked: it may be given to two calls, or be another call's. */
export const auditedId = (req: IncomingMessage, id: string): string =>
  req.headers['x-request-id'] === id ? `~${id}` : id;
