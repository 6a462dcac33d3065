// Message lists of an unknown shape: an error in the log, and the page stays.
import type { MessagePage } from '@gantry/contract/areas/messages/messages.ts';
import { newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { answerOf, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { messagePageOf } from '../parts/message-page.ts';
import { unreadOf } from './bell-messages.ts';
import { takeMessages, useMessages } from './use-bell.ts';

const fetched = playNetwork();
const logged = jest.spyOn(console, 'error');
beforeEach(() => {
  logged.mockReset().mockImplementation(() => {});
});
afterEach(() => void logged.mockReset());

const MESSAGE = { id: 'a', title: 'Title', content: '', create_time: '2026-01-01T00:00:00Z', is_read: false };
const PAGE: MessagePage = { data: [MESSAGE], un_read: 1, next_cursor: 'c1', has_more: false };

test('a page of messages is taken as it is', () => {
  expect(messagePageOf(PAGE)).toBe(PAGE);
  expect(messagePageOf({ ...PAGE, data: [{ ...MESSAGE, object: { kind: 'gpuhosts', id: 'h' } }] })).toBeDefined();
  expect(logged).not.toHaveBeenCalled();
});

const UNKNOWN = {
  nothing: undefined,
  null: null,
  'a text': 'messages',
  'a bare list': [MESSAGE],
  'no list': { un_read: 1 },
  'a list that is an object': { ...PAGE, data: { a: MESSAGE } },
  'an item that is null': { ...PAGE, data: [null] },
  'an item of another shape': { ...PAGE, data: [{ id: 1, subject: 'x' }] },
  'an item whose object is a text': { ...PAGE, data: [{ ...MESSAGE, object: 'gpuhosts/h' }] },
  'a count that is a text': { ...PAGE, un_read: '1' },
  'no cursor': { ...PAGE, next_cursor: undefined },
};

test.each(Object.entries(UNKNOWN))('%s is an error in the log', (_, answer) => {
  expect(messagePageOf(answer)).toBeUndefined();
  expect(logged).toHaveBeenCalledTimes(1);
});

/** Shows what the bell shows of its messages. */
function Reader() {
  const { data, error } = useMessages();
  return <p>{error ? error.message : `${unreadOf(data)} unread`}</p>;
}

test.each(Object.entries(UNKNOWN))('%s leaves the bell standing, also from the stream', async (_, answer) => {
  fetched.mockImplementation(async () => answerOf(answer));
  const client = newQueryClient();
  render(<Reader />, { wrapper: appAround({}, client) });
  expect(await screen.findByText('No answer of ours.')).toBeTruthy();
  expect(fetched).toHaveBeenCalledTimes(1);
  act(() => takeMessages(client, answer));
  expect(screen.getByText('No answer of ours.')).toBeTruthy();
  expect(logged.mock.calls.map(([text]) => text)).toEqual(Array(2).fill('the list of messages has an unknown shape'));
});
