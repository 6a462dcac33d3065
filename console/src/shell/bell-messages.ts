// The messages that the bell holds: pages that were read, with what the stream told since. Pure.
import type { MessagePage } from '@gantry/contract/http/messages.ts';
import type { InfiniteData } from '@tanstack/react-query';

export type Messages = InfiniteData<MessagePage, unknown>;

/** From so many on the end of the list is said. */
const END_SAID_FROM = 10;

/**
 * A page that the stream told: new messages go to the top, known ones are as it says, and its count is the newest. Where the
 * list goes on is known from the pages that were read.
 */
export function withTold(messages: Messages, told: MessagePage): Messages {
  const [first, ...others] = messages.pages;
  if (!first) return messages;
  const toldById = new Map(told.data.map((message) => [message.id, message]));
  const known = new Set(messages.pages.flatMap(({ data }) => data.map(({ id }) => id)));
  const renewed = [first, ...others].map((page) => ({
    ...page,
    un_read: told.un_read,
    data: page.data.map((message) => toldById.get(message.id) ?? message),
  }));
  const [top, ...rest] = renewed as [MessagePage, ...MessagePage[]];
  const fresh = told.data.filter(({ id }) => !known.has(id));
  return { ...messages, pages: [{ ...top, data: [...fresh, ...top.data] }, ...rest] };
}

export function withRead(messages: Messages, id: string): Messages {
  const isUnread = messages.pages.some(({ data }) => data.some((message) => message.id === id && !message.is_read));
  if (!isUnread) return messages;
  return {
    ...messages,
    pages: messages.pages.map((page) => ({
      ...page,
      un_read: Math.max(0, page.un_read - 1),
      data: page.data.map((message) => (message.id === id ? { ...message, is_read: true } : message)),
    })),
  };
}

/** One line each, though the place where two pages meet may have moved between them. */
export function listed({ pages }: Messages) {
  const byId = new Map(pages.flatMap(({ data }) => data.map((message) => [message.id, message])));
  return [...byId.values()];
}

export const unreadOf = (messages: Messages | undefined): number => messages?.pages[0]?.un_read ?? 0;

export const saysEnd = (count: number, hasMore: boolean): boolean => count >= END_SAID_FROM && !hasMore;
