// Conversations with models, as the console keeps them: each person's own, in one organisation. Nobody else sees them.
import * as z from 'zod';
import { currencyCode, money } from '../../fields/amounts.ts';
import { plainText } from '../../fields/plain-text.ts';
import { defineRoute } from '../../http/define-route.ts';

const tag = 'models';
export const MOST_CHATS = 200;
const MOST_MESSAGES = 400;
const MOST_LETTERS = 200_000;
const MOST_PICTURES = 4;
/** The most letters of a picture as a data URL. */
export const MOST_PICTURE_LETTERS = 200_000;
/** Three languages' letters take three bytes each, and what escaping adds; and pictures. */
const MOST_BODY_BYTES = 4 * 1024 * 1024;

const count = z.int().min(0);
const id = z.string().regex(/^[a-z0-9-]{1,63}$/);
const text = z.string().max(MOST_LETTERS);

export const chatMessage = z.strictObject({
  role: z.enum(['user', 'assistant']),
  content: text,
  images: z
    .array(
      z
        .string()
        .max(MOST_PICTURE_LETTERS)
        .regex(/^data:image\/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+={0,2}$/),
    )
    .max(MOST_PICTURES)
    .optional()
    .meta({ description: 'Pictures of the message, as data URLs.' }),
  /** Set for an answer. */
  request_id: z.string().max(63).nullable().default(null),
  completion_tokens: count.nullable().default(null),
  ms: count.nullable().default(null).meta({ description: 'How long it took.' }),
});
export type ChatMessage = z.output<typeof chatMessage>;

const chatBody = z.strictObject({
  title: plainText(100),
  model: z.string().max(200),
  system: text.default(''),
  messages: z.array(chatMessage).max(MOST_MESSAGES),
});
const chat = chatBody.extend({ id, create_time: z.iso.datetime(), update_time: z.iso.datetime() });
export type ChatView = z.output<typeof chat>;
const row = chat.omit({ messages: true, system: true });
export type ChatRowView = z.output<typeof row>;

const request = z.object({
  id: z.string(),
  model: z.string(),
  prompt_tokens: count,
  cached_tokens: count,
  completion_tokens: count,
  is_estimate: z.boolean().meta({ description: 'The engine said nothing, or nothing that could be.' }),
  outcome: z.enum(['answered', 'left', 'broken', 'failed', 'refused']),
  ms: count,
  first_ms: count.nullable(),
  currency: currencyCode,
  amount: money,
});
export type ModelRequestView = z.output<typeof request>;

export const CHAT_ROUTES = {
  listChats: defineRoute({
    id: 'listChats',
    method: 'GET',
    path: '/model/v1/chat',
    tag,
    summary: 'The own conversations, the newest first, without what was said.',
    access: { right: 'use' },
    answer: { result: z.object({ chats: z.array(row) }) },
    problems: [],
  }),
  createChat: defineRoute({
    id: 'createChat',
    method: 'POST',
    path: '/model/v1/chat',
    tag,
    summary: 'Keeps a conversation.',
    access: { right: 'use' },
    body: chatBody,
    answer: { result: chat },
    status: 201,
    problems: ['too_many_chats'],
    bodyBytes: MOST_BODY_BYTES,
  }),
  deleteChats: defineRoute({
    id: 'deleteChats',
    method: 'DELETE',
    path: '/model/v1/chat',
    tag,
    summary: 'Forgets all of the own conversations.',
    access: { right: 'use' },
    answer: { text: 'ok' },
    problems: [],
  }),
  getChat: defineRoute({
    id: 'getChat',
    method: 'GET',
    path: '/model/v1/chat/{id}',
    tag,
    summary: 'One of the own conversations.',
    access: { right: 'use' },
    params: z.object({ id }),
    answer: { result: chat },
    problems: [],
  }),
  editChat: defineRoute({
    id: 'editChat',
    method: 'PUT',
    path: '/model/v1/chat/{id}',
    tag,
    summary: 'Keeps a conversation as it is now.',
    access: { right: 'use' },
    params: z.object({ id }),
    body: chatBody,
    answer: { result: chat },
    problems: [],
    bodyBytes: MOST_BODY_BYTES,
  }),
  deleteChat: defineRoute({
    id: 'deleteChat',
    method: 'DELETE',
    path: '/model/v1/chat/{id}',
    tag,
    summary: 'Forgets a conversation.',
    access: { right: 'use' },
    params: z.object({ id }),
    answer: { text: 'ok' },
    problems: [],
  }),
  getModelRequest: defineRoute({
    id: 'getModelRequest',
    method: 'GET',
    path: '/model/v1/request/{id}',
    tag,
    summary:
      'What one of the own requests to /v1 has used and cost, by the X-Request-Id of its answer; a moment after its end.',
    access: { right: 'view' },
    params: z.object({ id }),
    answer: { result: request },
    problems: [],
  }),
};
