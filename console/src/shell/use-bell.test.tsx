// Message events while the bell is read for the first time.

import type { MessagePage } from '@gantry/contract/areas/messages/messages.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { newQueryClient, useCall } from '@gantry/ui/client/use-api.tsx';
import { answerOf, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import type { QueryClient } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { listed, unreadOf } from './bell-messages.ts';
import { missMessages, takeMessages, useMessages } from './use-bell.ts';

const fetched = playNetwork();

const page = (...ids: string[]): MessagePage => ({
  data: ids.map((id) => ({ id, title: id, content: '', create_time: '2026-01-01T00:00:00Z', is_read: false })),
  un_read: ids.length,
  next_cursor: 'c1',
  has_more: false,
});

let client: QueryClient;
let messages: ReturnType<typeof useMessages>;
/** The answers of the reads, in order. */
let answers: ((page: MessagePage) => void)[];

function Bell() {
  messages = useMessages();
  return null;
}
const ids = () => messages.data && listed(messages.data).map(({ id }) => id);
const give = (read: number, answer: MessagePage) => act(async () => answers[read]?.(answer));

beforeEach(() => {
  client = newQueryClient();
  answers = [];
  fetched.mockImplementation(() => new Promise((resolve) => answers.push((answer) => resolve(answerOf(answer)))));
  render(<Bell />, { wrapper: appAround({}, client) });
});

test('messages that arrive before the answer are on top of it, without another read', async () => {
  act(() => takeMessages(client, { ...page('b'), un_read: 2 }));
  act(() => takeMessages(client, { ...page('c'), un_read: 3 }));
  await give(0, page('a'));
  await waitFor(() => expect(ids()).toEqual(['c', 'b', 'a']));
  expect(unreadOf(messages.data)).toBe(3);
  expect(answers).toHaveLength(1);
});

test('where some may have been missed, the first read is begun anew', async () => {
  act(() => missMessages(client));
  await waitFor(() => expect(answers).toHaveLength(2));
  await give(0, page('a'));
  await give(1, page('b', 'a'));
  await waitFor(() => expect(ids()).toEqual(['b', 'a']));
  expect(messages.error).toBeNull();
});

test('a message has what became of a real name read again: a page that shows it changes by itself', async () => {
  cleanup();
  client = newQueryClient();
  const states = ['pending', 'approved'];
  let reads = 0;
  fetched.mockImplementation(async () => answerOf({ state: states[Math.min(reads++, 1)] }));
  const Page = () => <p>{(useCall(CALLS.getOwnRealAuth, {}).data as unknown as { state?: string })?.state}</p>;
  render(<Page />, { wrapper: appAround({}, client) });
  await screen.findByText('pending');
  act(() => takeMessages(client, page('approved')));
  await screen.findByText('approved');
});
