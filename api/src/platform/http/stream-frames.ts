// Server-sent events as text. An event's id says how far the stream has got: messages by their number in SQL, which every gateway
// knows, and changes by their number in this process, which its epoch names.
import { createEventBuffer } from 'better-sse';

export interface Position {
  /** The newest message sent, by `messages.seq`. */
  messages: number;
  /** The process whose changes are counted. */
  epoch: string;
  /** The newest change sent. */
  changes: number;
}

export const idOf = ({ messages, epoch, changes }: Position): string => `${messages}.${epoch}.${changes}`;

/** Undefined for an id that is not ours. */
export function positionOf(id: string): Position | undefined {
  const [, messages, epoch, changes] = /^(\d{1,15})\.([0-9a-z]{1,16})\.(\d{1,15})$/.exec(id) ?? [];
  return epoch === undefined ? undefined : { messages: Number(messages), epoch, changes: Number(changes) };
}

/** All but the id: it is the same for every reader of one language and role, and made once. */
export function bodyOf(data: unknown, name?: string): string {
  const event = createEventBuffer();
  if (name !== undefined) event.event(name);
  return event.data(data).dispatch().read();
}

export const frame = (id: string, body: string): string => `id:${id}\n${body}`;

/** A comment, which keeps proxies from closing a silent stream; the id moves the client's on without an event. */
export const heartbeat = (id: string): string => `:\nid:${id}\n\n`;

/** How long the client waits before it comes back, so that not all come at once. */
export const retryAfter = (ms: number): string => `retry:${Math.round(ms)}\n\n`;
