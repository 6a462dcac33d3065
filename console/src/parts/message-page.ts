// Pages of messages, as answers and the stream give them: what has another shape is an error in the log, and never reaches a page.

import type { Message, MessagePage } from '@gantry/contract/areas/messages/messages.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { Api } from '@gantry/ui/client/api.ts';

/** It was answered: asking again would change nothing. */
const OK = 200;

const isMessage = (row: Partial<Message> | null): row is Message =>
  [row?.id, row?.title, row?.content, row?.create_time].every((text) => typeof text === 'string') &&
  typeof row?.is_read === 'boolean' &&
  (row.object === undefined || [row.object?.kind, row.object?.id].every((text) => typeof text === 'string'));

/** The page that an answer or event is; undefined, and an error in the log, for anything of another shape. */
export function messagePageOf(answer: unknown): MessagePage | undefined {
  const page = answer as Partial<MessagePage> | null | undefined;
  const isKnown =
    Array.isArray(page?.data) &&
    page.data.every(isMessage) &&
    Number.isInteger(page.un_read) &&
    typeof page.next_cursor === 'string' &&
    typeof page.has_more === 'boolean';
  if (isKnown) return page as MessagePage;
  console.error('the list of messages has an unknown shape', answer);
  return undefined;
}

export async function readMessagePage(
  api: Api,
  body: { cursor?: string; page_size: number },
  signal: AbortSignal,
): Promise<MessagePage> {
  const page = messagePageOf(await api.call(CALLS.listMessages, { body }, { signal }));
  if (!page) throw api.failure('bad_answer', OK);
  return page;
}
