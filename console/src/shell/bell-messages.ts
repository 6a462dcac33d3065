// The bell's messages: pages that were read, plus the stream's updates. Pure.
import type { Message, MessagePage } from '@gantry/contract/areas/messages/messages.ts';
import type { InfiniteData } from '@tanstack/react-query';

export type Messages = InfiniteData<MessagePage, unknown>;

/** From this many on, the end of the list is marked. */
const END_SAID_FROM = 10;

const asRead = (message: Message, isRead: boolean): Message => (isRead ? { ...message, is_read: true } : message);

/**
 * A page from the stream: new messages go to the top, known ones are replaced, and its count is the newest. The pages that were
 * read say where the list continues.
 */
export function withPushed(messages: Messages, pushed: MessagePage): Messages {
  const [first, ...others] = messages.pages;
  if (!first) return messages;
  const pushedById = new Map(pushed.data.map((message) => [message.id, message]));
  const known = new Set(messages.pages.flatMap(({ data }) => data.map(({ id }) => id)));
  const renewed = [first, ...others].map((page) => ({
    ...page,
    un_read: pushed.un_read,
    data: page.data.map((message) => pushedById.get(message.id) ?? asRead(message, pushed.un_read === 0)),
  }));
  const [top, ...rest] = renewed as [MessagePage, ...MessagePage[]];
  const fresh = pushed.data.filter(({ id }) => !known.has(id));
  return { ...messages, pages: [{ ...top, data: [...fresh, ...top.data] }, ...rest] };
}

export function withRead(messages: Messages, ids: readonly string[]): Messages {
  const unread = new Set(
    messages.pages.flatMap(({ data }) => data.flatMap(({ id, is_read }) => (!is_read && ids.includes(id) ? [id] : []))),
  );
  if (unread.size === 0) return messages;
  return {
    ...messages,
    pages: messages.pages.map((page) => ({
      ...page,
      un_read: Math.max(0, page.un_read - unread.size),
      data: page.data.map((message) => asRead(message, unread.has(message.id))),
    })),
  };
}

export const withAllRead = (messages: Messages): Messages => ({
  ...messages,
  pages: messages.pages.map((page) => ({
    ...page,
    un_read: 0,
    data: page.data.map((message) => asRead(message, true)),
  })),
});

/** Messages about the same thing that follow one another, such as a host that is ready and then not, in turns: the newest first. */
export function joined(messages: readonly Message[]): [Message, ...Message[]][] {
  const groups: [Message, ...Message[]][] = [];
  for (const message of messages) {
    const last = groups.at(-1);
    const { kind, id } = message.object ?? {};
    if (last && id !== undefined && last[0].object?.kind === kind && last[0].object?.id === id) last.push(message);
    else groups.push([message]);
  }
  return groups;
}

/** One line each, though the place where two pages meet may have moved between them. */
export function listed({ pages }: Messages) {
  const byId = new Map(pages.flatMap(({ data }) => data.map((message) => [message.id, message])));
  return [...byId.values()];
}

export const unreadOf = (messages: Messages | undefined): number => messages?.pages[0]?.un_read ?? 0;

export const saysEnd = (count: number, hasMore: boolean): boolean => count >= END_SAID_FROM && !hasMore;
