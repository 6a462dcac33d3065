// The bell: a reader's messages, page by page and live, and the live changes of the organisation's resources.
import * as z from 'zod';
import type { KindFacts } from '../../define-kind.ts';
import { defineRoute } from '../../http/define-route.ts';
import { KINDS } from '../../kinds.ts';

export const MESSAGES_PER_PAGE = 10;
const MOST_PER_PAGE = 100;

export const message = z.object({
  id: z.string(),
  title: z.string(),
  content: z.string(),
  create_time: z.iso.datetime(),
  is_read: z.boolean(),
  object: z
    .object({ kind: z.string(), id: z.string() })
    .optional()
    .meta({ description: 'What it is about: the plural name of its kind, and its id in the organisation.' }),
});
export type Message = z.infer<typeof message>;

export const messagePage = z.object({
  data: z.array(message).meta({ description: 'Newest first.' }),
  un_read: z.int().min(0).meta({ description: 'Of all messages of the reader, not of this page alone.' }),
  next_cursor: z.string().meta({ description: 'Where the messages begin that are older than these.' }),
  has_more: z.boolean().meta({ description: 'There are older ones.' }),
});
export type MessagePage = z.infer<typeof messagePage>;

/** A place between two messages; nobody but the gateway reads it. "0": before the newest. */
const cursor = z
  .string()
  .regex(/^(0|c[0-9a-z]{1,12})$/, 'cursor_rule')
  .default('0');

export const cursorOf = (sequence: number): string => `c${sequence.toString(36)}`;
/** The messages asked for have smaller numbers than this. */
export const sequenceOf = (text: string): number =>
  text === '0' ? Number.MAX_SAFE_INTEGER : Math.min(Number.parseInt(text.slice(1), 36), Number.MAX_SAFE_INTEGER);

/** The kinds whose changes a stream can send: all, by their plural names. */
export const WATCHABLE: readonly string[] = Object.values<KindFacts>(KINDS).map(({ plural }) => plural);
const anyOf = `(${WATCHABLE.join('|')})`;

/** The content of `event: resource`: the object as its collection shows it to this reader, and its version. */
export const resourceEvent = z.object({
  kind: z.string(),
  id: z.string(),
  type: z.enum(['put', 'delete']),
  view: z.record(z.string(), z.unknown()).optional().meta({ description: 'Absent for what was deleted.' }),
  version: z.string().meta({
    description: 'Compares with others of the same kind: the larger is the newer, and of two alike the later to come.',
  }),
});
export type ResourceEvent = z.infer<typeof resourceEvent>;

/** The content of `event: reset`: changes of these kinds (or `messages`) may have been missed, so read their lists again. */
export const resetEvent = z.object({ kinds: z.array(z.string()) });

export const MESSAGE_ROUTES = {
  streamMessages: defineRoute({
    id: 'streamMessages',
    method: 'GET',
    path: '/account/v1/messages',
    tag: 'messages',
    summary:
      'The first page of messages and then every new one, as unnamed events; with `watch` also the changes of resources, as events named `resource`. An API token has no messages, and must watch.',
    access: 'account',
    query: z.strictObject({
      cursor,
      watch: z
        .string()
        .regex(new RegExp(`^([*]|${anyOf}(,${anyOf})*)$`), 'watch_rule')
        .optional()
        .meta({ description: 'Plural names of kinds, separated by commas, or `*`.' }),
    }),
    answer: { stream: 'text/event-stream' },
    problems: ['permission_missing', 'session_needed', 'too_many_streams'],
    exempt: true,
  }),
  listMessages: defineRoute({
    id: 'listMessages',
    method: 'POST',
    path: '/account/v1/messages',
    tag: 'messages',
    summary: 'A page of messages, newest first.',
    access: 'account',
    body: z.strictObject({
      cursor,
      page_size: z.int().min(1).max(MOST_PER_PAGE).default(MESSAGES_PER_PAGE),
    }),
    answer: { result: messagePage },
    problems: ['session_needed'],
  }),
  readMessage: defineRoute({
    id: 'readMessage',
    method: 'GET',
    path: '/account/v1/messages/{id}/read',
    tag: 'messages',
    summary: 'Marks a message as read.',
    access: 'account',
    params: z.object({ id: z.string().max(64) }),
    answer: { text: 'ok' },
    problems: ['session_needed'],
  }),
  readMessages: defineRoute({
    id: 'readMessages',
    method: 'POST',
    path: '/account/v1/messages/read',
    tag: 'messages',
    summary: 'Marks these messages as read; those of others count as not there.',
    access: 'account',
    body: z.strictObject({ ids: z.array(z.string().min(1).max(64)).min(1).max(MOST_PER_PAGE) }),
    answer: { text: 'ok' },
    problems: ['session_needed', 'not_found'],
  }),
  readAllMessages: defineRoute({
    id: 'readAllMessages',
    method: 'PUT',
    path: '/account/v1/messages/read',
    tag: 'messages',
    summary: 'Marks all messages as read.',
    access: 'account',
    answer: { text: 'ok' },
    problems: ['session_needed'],
  }),
};
