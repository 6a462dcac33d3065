// The id by which an answer, the log and the audit log know a request.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The client's own, where it is one that is safe to log; else a new one. */
export function requestIdOf(req: IncomingMessage): string {
  const said = req.headers['x-request-id'];
  return typeof said === 'string' && /^[\w-]{8,64}$/.test(said) ? said : randomUUID();
}
