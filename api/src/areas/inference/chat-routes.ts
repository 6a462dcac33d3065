// Conversations with models, and what one request has cost, over HTTP.

import { CHAT_ROUTES as R } from '@gantry/contract/areas/inference/chats.ts';
import { moneyText } from '@gantry/contract/fields/money.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import type { ChatRow, Chats } from './chats.ts';
import type { RequestRow } from './usage-reads.ts';

export interface ChatRouteParts {
  chats: Pick<Chats, 'list' | 'get' | 'create' | 'edit' | 'remove' | 'removeAll'>;
  request: (who: { organizationId: string; accountId: string }, id: string) => Promise<RequestRow>;
  currencyOf: (organizationId: string) => string;
}

export const chatRoutes = ({ chats, request, currencyOf }: ChatRouteParts): Served[] => [
  serve(R.listChats, async ({ caller }) => ({ chats: (await chats.list(ownerOf(caller))).map(rowView) })),
  serve(R.createChat, async ({ caller, body, audit, idempotencyKey }) => {
    const made = await chats.create(ownerOf(caller), body, idempotencyKey);
    audit.object = objectOf(made.id);
    return chatView(made);
  }),
  serve(R.deleteChats, ({ caller }) => chats.removeAll(ownerOf(caller))),
  serve(R.getChat, async ({ caller, params }) => chatView(await chats.get(ownerOf(caller), params.id))),
  serve(R.editChat, async ({ caller, params, body, audit }) => {
    audit.object = objectOf(params.id);
    return chatView(await chats.edit(ownerOf(caller), params.id, body));
  }),
  serve(R.deleteChat, ({ caller, params, audit }) => {
    audit.object = objectOf(params.id);
    return chats.remove(ownerOf(caller), params.id);
  }),
  serve(R.getModelRequest, async ({ caller, params }) =>
    requestView(await request(ownerOf(caller), params.id), currencyOf(caller.organization.id)),
  ),
];

const objectOf = (id: string): string => `Chat/${id}`;
const ownerOf = ({ account, organization }: Caller) => ({ organizationId: organization.id, accountId: account.id });

const rowView = ({ id, title, model, createdAt, updatedAt }: Omit<ChatRow, 'messages' | 'system'>) => ({
  id,
  title,
  model,
  create_time: createdAt.toISOString(),
  update_time: updatedAt.toISOString(),
});
const chatView = (row: ChatRow) => ({ ...rowView(row), system: row.system, messages: row.messages });

const requestView = (row: RequestRow, currency: string) => ({
  id: row.id,
  model: row.model,
  prompt_tokens: row.prompt,
  cached_tokens: row.cached,
  completion_tokens: row.completion,
  is_estimate: row.doubt !== null,
  outcome: row.outcome,
  ms: row.ms,
  first_ms: row.firstMs,
  currency,
  amount: moneyText(row.net),
});
