// The bell's messages: read page by page, updated by the stream, marked as they are opened.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { readAgain } from '@gantry/ui/client/read-again.ts';
import { keyOf, useApi } from '@gantry/ui/client/use-api.tsx';
import { type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { messagePageOf, readMessagePage } from '../parts/message-page.ts';
import { type Messages, withAllRead, withPushed, withRead } from './bell-messages.ts';

const KEY = keyOf(CALLS.listMessages, {});
const PAGE_SIZE = 10;
const MOST_PER_CALL = 100;

/** Newest first; `cursor` "0" is before the newest. */
export function useMessages() {
  const api = useApi();
  return useInfiniteQuery({
    queryKey: KEY,
    queryFn: ({ pageParam, signal }) => readMessagePage(api, { cursor: pageParam, page_size: PAGE_SIZE }, signal),
    initialPageParam: '0',
    getNextPageParam: ({ has_more, next_cursor }) => (has_more ? next_cursor : undefined),
    // The stream updates it; it is read again when the stream has lost its place.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** One call for up to a hundred. */
export function useReadMessages(): (ids: readonly string[]) => void {
  const api = useApi();
  const client = useQueryClient();
  return useCallback(
    (ids) => {
      client.setQueryData<Messages>(KEY, (messages) => messages && withRead(messages, ids));
      for (let at = 0; at < ids.length; at += MOST_PER_CALL) {
        const some = ids.slice(at, at + MOST_PER_CALL);
        // After a failure, the list says again what the server knows.
        api.call(CALLS.readMessages, { body: { ids: some } }).catch(() => missMessages(client));
      }
    },
    [api, client],
  );
}

export function useReadAllMessages(): () => void {
  const api = useApi();
  const client = useQueryClient();
  return () => {
    client.setQueryData<Messages>(KEY, (messages) => messages && withAllRead(messages));
    api.call(CALLS.readAllMessages, {}).catch(() => missMessages(client));
  };
}

export function takeMessages(client: QueryClient, event: unknown): void {
  const pushed = messagePageOf(event);
  if (!pushed) return;
  // One of them may be an invitation, or say what became of a real name.
  for (const call of [CALLS.listMyInvitations, CALLS.getOwnRealAuth]) void readAgain(client, keyOf(call));
  const query = client.getQueryCache().find({ queryKey: KEY });
  const take = () => takeMessages(client, pushed);
  // An answer in flight may be older: events are applied on top of it.
  if (query?.promise) query.promise.then(take, take);
  else if (query?.state.data)
    client.setQueryData<Messages>(KEY, (messages) => messages && withPushed(messages, pushed));
  else missMessages(client);
}

export const missMessages = (client: QueryClient): void => void readAgain(client, KEY);
