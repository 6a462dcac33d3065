// The bell: pages of messages, and the stream that tells new ones and, if asked, the changes of resources.
import {
  MESSAGE_ROUTES,
  MESSAGES_PER_PAGE,
  type MessagePage,
  sequenceOf,
  WATCHABLE,
} from '@gantry/contract/areas/messages/messages.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Caller } from '../http/caller.ts';
import { demandSession } from '../http/caller.ts';
import { mayCall } from '../http/run-route.ts';
import { type Call, type Served, serve } from '../http/serve.ts';
import { shownRole } from '../http/shown-role.ts';
import { positionOf, retryAfter } from '../http/stream-frames.ts';
import type { Listener, StreamHub } from '../http/stream-hub.ts';
import { ResponseSink } from '../http/stream-sink.ts';
import type { MessageFeed } from './message-feed.ts';
import type { MessageStore, Reader } from './message-store.ts';

export interface MessageParts {
  store: MessageStore;
  feed: MessageFeed;
  hub: StreamHub;
}

/** The client waits three seconds before it comes back; a crowd of them comes over as long again. */
const RETRY_MS = 3_000;
const TRY_LATER_S = 30;

export const messageRoutes = (parts: MessageParts): Served[] => [
  serve(MESSAGE_ROUTES.streamMessages, (call) => stream(parts, call)),
  serve(MESSAGE_ROUTES.listMessages, async ({ caller, language, body: { cursor, page_size } }) => {
    demandSession(caller);
    await parts.feed.handOut([caller.account.id]);
    return parts.store.page(readerOf(caller), language, { before: sequenceOf(cursor), size: page_size });
  }),
  serve(MESSAGE_ROUTES.readMessage, async ({ caller, params: { id }, res }) => {
    demandSession(caller);
    res.setHeader('cache-control', 'no-store');
    const reader = readerOf(caller);
    const found = await parts.store.read(reader, [id]);
    if (found.length === 0) throw problem('not_found', { what: id });
    await parts.feed.wasRead(reader, found);
  }),
  serve(MESSAGE_ROUTES.readMessages, async ({ caller, body: { ids } }) => {
    demandSession(caller);
    const reader = readerOf(caller);
    const found = await parts.store.read(reader, ids);
    if (found.length === 0) throw problem('not_found', { what: ids[0] ?? '' });
    await parts.feed.wasRead(reader, found);
  }),
  serve(MESSAGE_ROUTES.readAllMessages, async ({ caller }) => {
    demandSession(caller);
    const reader = readerOf(caller);
    await parts.store.readAll(reader);
    await parts.feed.wasAllRead(reader);
  }),
];

async function stream(
  { store, feed, hub }: MessageParts,
  call: Call<typeof MESSAGE_ROUTES.streamMessages>,
): Promise<void> {
  const { caller, language, query, req, res, signal } = call;
  const watches =
    query.watch === undefined ? [] : query.watch === '*' ? WATCHABLE : [...new Set(query.watch.split(','))];
  const isPerson = caller.session.kind === 'session';
  if (watches.length === 0) demandSession(caller);
  if (watches.length > 0 && !mayCall({ right: 'view' }, caller)) throw problem('permission_missing');
  const listener: Listener = {
    session: caller.session.id,
    account: caller.account.id,
    organization: caller.organization.id,
    role: shownRole(caller),
    membership: caller.organization.role,
    language,
    watches,
    isPerson,
  };
  const lastId = req.headers['last-event-id'];
  const seen = typeof lastId === 'string' ? positionOf(lastId) : undefined;
  await feed.handOut([caller.account.id]);
  const { client, position } = await feed.between(seen?.messages ?? 0, () => {
    if (hub.refusal(listener))
      throw problem('too_many_streams', { seconds: TRY_LATER_S }, { retryAfterSeconds: TRY_LATER_S });
    return hub.join(listener, new ResponseSink(res));
  });
  signal.addEventListener('abort', () => client.closed());
  if (signal.aborted) return client.closed();
  try {
    // Again: what began to be shown while it joined was handed to those who listened by then.
    await feed.handOut([caller.account.id]);
    const reader = readerOf(caller);
    const page = !isPerson
      ? NOBODYS
      : seen
        ? await store.missed(reader, language, Math.min(seen.messages, position.messages), position.messages)
        : await store.page(reader, language, {
            before: sequenceOf(query.cursor),
            upTo: position.messages,
            size: MESSAGES_PER_PAGE,
          });
    client.begin(Buffer.from(retryAfter(jittered(RETRY_MS)) + hub.beginning(listener, seen, position, page)));
  } catch (error) {
    client.closed();
    throw error;
  }
}

/** An API token's messages: none, in the shape that every stream begins with. */
const NOBODYS: MessagePage = { data: [], un_read: 0, next_cursor: '0', has_more: false };

const readerOf = ({ account, organization }: Caller): Reader => ({
  account: account.id,
  organization: organization.id,
});

const jittered = (ms: number): number => ms * (1 + Math.random());
