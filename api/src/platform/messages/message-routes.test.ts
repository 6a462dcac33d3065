// The bell over real sockets: the stream's first page and what follows, pages, reading, and who is disconnected.
import { once } from 'node:events';
import { type ClientRequest, createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MESSAGE_ROUTES, type MessagePage } from '@gantry/contract/areas/messages/messages.ts';
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import type { OrgRole, Right } from '@gantry/contract/roles.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import express from 'express';
import pino from 'pino';
import { eventually } from '../../../../test/support/eventually.ts';
import { frameParts } from '../../../../test/support/frame-parts.ts';
import type { Caller } from '../http/caller.ts';
import { routerOf, runnablesOf } from '../http/routes-of.ts';
import { guardStreams } from '../http/stream-guard.ts';
import { StreamHub } from '../http/stream-hub.ts';
import { MessageFeed } from './message-feed.ts';
import { messageRoutes } from './message-routes.ts';
import { type MessageStore, pageOf, type Reader, type StoredMessage } from './message-store.ts';

const PATH = '/api/account/v1/messages';

/** MessageStore for few messages and without SQL. */
class MemoryMessages implements Partial<MessageStore> {
  readonly all: StoredMessage[] = [];
  isDown = false;
  #sent = () => {};
  onSent = (listener: () => void) => {
    this.#sent = listener;
  };
  add(account: string, title: string, organization: string | null = 'acme') {
    const seq = this.all.length + 1;
    const words = { en: title, zh: `${title} 中文`, ja: title };
    const at = new Date('2026-01-01T00:00:00Z');
    this.all.push({
      seq,
      id: `msg-${seq}`,
      account,
      organization,
      title: words,
      content: words,
      at,
      object: null,
      isRead: false,
    });
    this.#sent();
  }
  newest = async () => {
    if (this.isDown) throw new Error('the database does not answer');
    return this.all.length;
  };
  #of = ({ account, organization }: Reader) =>
    this.all.filter((each) => each.account === account && [null, organization].includes(each.organization)).reverse();
  unread: MessageStore['unread'] = async (readers) =>
    readers.map((reader) => this.#of(reader).filter(({ isRead }) => !isRead).length);
  page: MessageStore['page'] = async (reader, language, { before = 1e9, upTo = 1e9, size }) => {
    const found = this.#of(reader).filter(({ seq }) => seq < before && seq <= upTo);
    const [unread = 0] = await this.unread([reader]);
    return pageOf(found.slice(0, size), found.length > size, unread, language);
  };
  missed: MessageStore['missed'] = async (reader, language, after, upTo) => {
    const found = this.#of(reader).filter(({ seq }) => seq > after && seq <= upTo);
    const [unread = 0] = await this.unread([reader]);
    return pageOf(found, after > 0, unread, language);
  };
  since: MessageStore['since'] = async (after, upTo, accounts) =>
    this.all.filter(({ seq, account }) => seq > after && seq <= upTo && accounts.includes(account)).reverse();
  read: MessageStore['read'] = async (reader, ids) => {
    const found = this.#of(reader).filter(({ id }) => ids.includes(id));
    for (const each of found) each.isRead = true;
    return found;
  };
  /** The title of an announcement that is shown. */
  shown: string | undefined;
  handOutAnnouncements: MessageStore['handOutAnnouncements'] = async (accounts) => {
    const { shown } = this;
    if (shown === undefined) return false;
    const missing = accounts.filter(
      (each) => !this.all.some(({ account, title }) => account === each && title.en === shown),
    );
    for (const account of missing) this.add(account, shown, null);
    return missing.length > 0;
  };
  trim = async () => undefined;
}

const callerOf = (token: string, role: OrgRole = 'owner', scopes?: readonly Right[]): Caller => ({
  account: { id: token.split('-')[0] ?? '', name: token, email: null, locale: 'en', platformRoles: [] },
  organization: { id: 'acme', role, namespace: 'org-acme' },
  session: { id: `ses-${token}`, kind: scopes ? 'apiToken' : 'session', scopes: scopes ?? [], expiresAt: 1e15 },
});

interface Heard {
  id: string;
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever was sent
  data: any;
}

/** One connection, and what it has received. */
class Connection {
  text = '';
  isOver = false;
  readonly answer: IncomingMessage;
  readonly #request: ClientRequest;
  constructor(sent: ClientRequest, answer: IncomingMessage) {
    this.#request = sent;
    this.answer = answer;
    answer.setEncoding('utf8');
    answer.on('data', (chunk: string) => {
      this.text += chunk;
    });
    answer.on('error', () => {});
    answer.on('close', () => {
      this.isOver = true;
    });
  }
  get events(): Heard[] {
    return this.text.split('\n\n').flatMap((block) => {
      const of = (field: string) => new RegExp(`^${field}:(.*)$`, 'm').exec(block)?.[1];
      const data = of('data');
      return data === undefined ? [] : [{ id: of('id') ?? '', name: of('event') ?? '', data: JSON.parse(data) }];
    });
  }
  cut() {
    this.#request.destroy();
  }
}

describe('over HTTP', () => {
  let store: MemoryMessages;
  let hub: StreamHub;
  let server: Server;
  let running: AbortController;
  let callers: Map<string, Caller>;
  let port: number;

  beforeEach(async () => {
    store = new MemoryMessages();
    callers = new Map([
      ['ann', callerOf('ann')],
      ['bob', callerOf('bob')],
      ['ann-script', callerOf('ann-script', 'owner', ['manage'])],
      ['ann-reader', callerOf('ann-reader', 'owner', ['view'])],
    ]);
    running = new AbortController();
    const log = pino({ level: 'silent' });
    hub = new StreamHub({
      clock: systemClock,
      view: (_, object, __, role) => ({ id: object.metadata.name, role, text: 'x'.repeat(1_000) }),
      limits: { ofSession: 2, client: { backlogBytes: 100_000, stuckHeartbeats: 4 } },
    });
    const announcements = { onChange: () => {}, shown: async () => [] };
    const feed = new MessageFeed({
      store: store as unknown as MessageStore,
      announcements: announcements as never,
      listeners: hub,
      clock: systemClock,
      log,
    });
    await feed.start(running.signal);
    const rolesOf = async (ids: readonly string[]) =>
      new Map(
        [...callers.values()]
          .filter(({ session }) => ids.includes(session.id))
          .map((caller) => [caller.session.id, caller.organization.role]),
      );
    void guardStreams({ hub, clock: systemClock, log, sessions: { rolesOf } }, running.signal);
    const app = express();
    const frame = frameParts({ authenticate: async (token) => callers.get(token) });
    const served = messageRoutes({ store: store as unknown as MessageStore, feed, hub });
    app.use(
      '/api',
      routerOf(runnablesOf(frame, Object.values(MESSAGE_ROUTES), served), () => false),
    );
    server = createServer(app);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });

  afterEach(async () => {
    running.abort();
    server.closeAllConnections();
    await once(server.close(), 'close');
  });

  const call = async (method: string, path: string, headers: Record<string, string>, body?: unknown) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: whatever was answered
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any };
  };

  const stream = (token: string, more: { query?: string; lastId?: string } = {}): Promise<Connection> =>
    new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(more.lastId !== undefined && { 'last-event-id': more.lastId }),
      };
      const sent = request({ port, path: `${PATH}?cursor=0${more.query ?? ''}`, headers }, (answer) =>
        resolve(new Connection(sent, answer)),
      );
      sent.on('error', reject);
      sent.end();
    });

  const heard = (connection: Connection, count: number) =>
    eventually(`${count} events come`, () => (connection.events.length >= count ? connection.events : undefined));

  const changed = (name: string, version: number) => {
    const after = { metadata: { name, namespace: 'org-acme', resourceVersion: `${version}` } } as KubeObject;
    hub.change({ kind: gpuInstance, namespace: 'org-acme', name, after });
  };

  test('the first page, then what is new, as unnamed events in the shape of a page', async () => {
    for (let count = 1; count <= 11; count++) store.add('ann', `m${count}`);
    store.add('bob', 'not for ann');
    const connection = await stream('ann');
    expect(connection.answer.statusCode).toBe(200);
    expect(connection.answer.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
    });
    const [first] = await heard(connection, 1);
    expect(connection.text).toMatch(/^retry:[345]\d{3}\n/);
    expect(Object.keys(first?.data)).toEqual(['data', 'un_read', 'next_cursor', 'has_more']);
    expect(first?.data.data.map(({ title }: { title: string }) => title)).toEqual([
      'm11',
      'm10',
      'm9',
      'm8',
      'm7',
      'm6',
      'm5',
      'm4',
      'm3',
      'm2',
    ]);
    expect(first).toMatchObject({ name: '', data: { un_read: 11, has_more: true } });
    store.add('ann', 'new');
    const [, second] = await heard(connection, 2);
    expect(second).toMatchObject({ name: '', data: { data: [{ title: 'new', is_read: false }], un_read: 12 } });
    const rest = await call('POST', PATH, { 'x-token': 'ann' }, { cursor: first?.data.next_cursor, page_size: 10 });
    expect(rest.body).toMatchObject({ code: 0, result: { data: [{ title: 'm1' }], un_read: 12, has_more: false } });
  });

  test('reading says ok, is not cached, and is told to the reader’s other streams; another’s message is a 404', async () => {
    store.add('ann', 'a');
    const connection = await stream('ann');
    await heard(connection, 1);
    const answer = await call('GET', `${PATH}/msg-1/read`, { 'x-token': 'ann' });
    expect([answer.status, answer.body.message, answer.headers.get('cache-control')]).toEqual([200, 'ok', 'no-store']);
    const [, marked] = await heard(connection, 2);
    expect(marked?.data).toMatchObject({ data: [{ id: 'msg-1', is_read: true }], un_read: 0 });
    expect((await call('GET', `${PATH}/msg-1/read`, { 'x-token': 'bob' })).status).toBe(404);
    expect((await call('GET', `${PATH}/msg-9/read`, { 'x-token': 'ann' })).status).toBe(404);
  });

  test('several are read in one call, told in one event, and another’s messages count as not there', async () => {
    for (const title of ['a', 'b', 'c']) store.add('ann', title);
    const connection = await stream('ann');
    await heard(connection, 1);
    const read = (token: string, ids: string[]) => call('POST', `${PATH}/read`, { 'x-token': token }, { ids });
    expect((await read('ann', ['msg-1', 'msg-3', 'msg-9'])).status).toBe(200);
    const [, marked] = await heard(connection, 2);
    expect(marked?.data).toMatchObject({ data: [{ id: 'msg-3', is_read: true }, { id: 'msg-1' }], un_read: 1 });
    expect((await read('bob', ['msg-2'])).status).toBe(404);
    expect((await read('ann', [])).status).toBe(400);
  });

  test('who comes back with the last id gets what was missed, and that alone', async () => {
    store.add('ann', 'a');
    const connection = await stream('ann', { query: '&watch=gpuinstances,gpuhosts' });
    await heard(connection, 1);
    changed('one', 1);
    const lastId = (await heard(connection, 2)).at(-1)?.id ?? '';
    connection.cut();
    store.add('ann', 'b');
    changed('two', 2);
    const back = await stream('ann', { query: '&watch=gpuinstances', lastId });
    const events = await heard(back, 2);
    expect(events[0]?.data).toMatchObject({ data: [{ title: 'b' }], un_read: 2 });
    expect(events[1]).toMatchObject({
      name: 'resource',
      data: { kind: 'GpuInstance', id: 'two', type: 'put', version: '2' },
    });
    changed('three', 3);
    expect((await heard(back, 3)).map(({ data }) => data.id)).toEqual([undefined, 'two', 'three']);
    const elsewhere = await stream('bob', { query: '&watch=*', lastId: '1.0123456789.5' });
    expect((await heard(elsewhere, 2))[1]).toMatchObject({ name: 'reset' });
  });

  test('an API token that was narrowed to reading is shown what a viewer is, and listens on', async () => {
    const connection = await stream('ann-reader', { query: '&watch=*' });
    const ended = await stream('bob');
    await Promise.all([heard(connection, 1), heard(ended, 1)]);
    callers.delete('bob');
    await eventually('whoever may listen was looked at', () => ended.isOver);
    changed('one', 1);
    expect((await heard(connection, 2))[1]?.data.view).toMatchObject({ id: 'one', role: 'viewer' });
  });

  test("an API token sees nothing of the person's messages", async () => {
    store.add('ann', 'before');
    expect((await stream('ann-reader')).answer.statusCode).toBe(403);
    const [token, person] = await Promise.all([stream('ann-reader', { query: '&watch=*' }), stream('ann')]);
    const [first] = await heard(token, 1);
    expect(first?.data).toMatchObject({ data: [], un_read: 0 });
    store.add('ann', 'after');
    await heard(person, 2);
    changed('one', 1);
    expect((await heard(token, 2))[1]).toMatchObject({ name: 'resource', data: { id: 'one' } });
  });

  test('an announcement is in the first page, and follows it where it begins while the stream joins', async () => {
    store.shown = 'before';
    const [early] = await heard(await stream('ann'), 1);
    expect(early?.data).toMatchObject({ data: [{ title: 'before' }] });
    const join = hub.join.bind(hub);
    hub.join = (...args) => {
      store.shown = 'meanwhile';
      return join(...args);
    };
    const [first, second] = await heard(await stream('bob'), 2);
    expect(first?.data).toMatchObject({ data: [{ title: 'before' }] });
    expect(second?.data).toMatchObject({ data: [{ title: 'meanwhile' }], un_read: 2 });
  });

  test('without watch nothing but messages is told', async () => {
    const connection = await stream('ann');
    await heard(connection, 1);
    changed('one', 1);
    store.add('ann', 'a');
    expect((await heard(connection, 2)).map(({ name }) => name)).toEqual(['', '']);
  });

  test('whose session ends, or whose role changes, is told nothing a second later', async () => {
    const [ended, other, stays] = await Promise.all([
      stream('ann'),
      stream('ann-reader', { query: '&watch=*' }),
      stream('bob'),
    ]);
    await Promise.all([heard(ended, 1), heard(other, 1), heard(stays, 1)]);
    callers.delete('ann');
    await eventually('the ended session’s stream is over', () => ended.isOver);
    expect([other.isOver, stays.isOver]).toEqual([false, false]);
    callers.set('bob', callerOf('bob', 'viewer'));
    await eventually('the stream of the changed role is over', () => stays.isOver);
    expect(other.isOver).toBe(false);
  });

  test('a reader who takes nothing is cut off; the others hear everything', async () => {
    const slow = await stream('ann', { query: '&watch=*' });
    const quick = await stream('bob', { query: '&watch=*' });
    await Promise.all([heard(slow, 1), heard(quick, 1)]);
    slow.answer.pause();
    let version = 0;
    // Until the kernel's buffers for that connection are full, and ours too.
    await eventually('the slow one is cut off', async () => {
      for (let more = 0; more < 200; more++) changed('one', ++version);
      hub.flush();
      return hub.size === 1;
    });
    await heard(quick, version + 1);
    expect(quick.events.slice(1).map(({ data }) => Number(data.version))).toEqual(
      Array.from({ length: version }, (_, at) => at + 1),
    );
  });

  test('a stream too many is refused', async () => {
    const [first] = await Promise.all([stream('ann'), stream('ann')]);
    await eventually('both are open', () => hub.size === 2);
    const third = await call('GET', PATH, { authorization: 'Bearer ann' });
    expect(third).toMatchObject({ status: 429, body: { error: 'too_many_streams' } });
    expect(third.headers.get('retry-after')).toBe('30');
    first?.cut();
    await eventually('one is closed', () => hub.size === 1);
    expect((await stream('ann')).answer.statusCode).toBe(200);
  });

  test('a database that does not answer is an error and no stream', async () => {
    store.isDown = true;
    expect((await call('GET', PATH, { authorization: 'Bearer ann', 'last-event-id': '7.abc.1' })).status).toBe(500);
    expect(hub.size).toBe(0);
  });

  test.each([
    ['no token', 401, 'unauthenticated', {}, ''],
    [
      'an API token without the right to view',
      403,
      'permission_missing',
      { authorization: 'Bearer ann-script' },
      '&watch=*',
    ],
    ['a kind that is none', 400, 'watch_rule', { authorization: 'Bearer ann' }, '&watch=gpuinstances,nothing'],
    ['another parameter', 400, 'invalid_field', { authorization: 'Bearer ann' }, '&since=1'],
  ])('%s: %i', async (_, status, error, headers, query) => {
    const answer = await call('GET', `${PATH}?cursor=0${query}`, headers as Record<string, string>);
    expect(answer).toMatchObject({ status, body: { error } });
  });

  test.each([
    ['a cursor that is none', { cursor: "0' or 1=1" }, 'cursor_rule'],
    ['a page of nothing', { page_size: 0 }, 'invalid_field'],
    ['a field that is none', { cursor: '0', size: 10 }, 'invalid_field'],
  ])('%s is refused', async (_, body, error) => {
    expect(await call('POST', PATH, { 'x-token': 'ann' }, body)).toMatchObject({ status: 400, body: { error } });
  });

  test('a page without a wish begins with the newest', async () => {
    store.add('ann', 'a');
    const { body } = await call('POST', PATH, { 'x-token': 'ann', 'accept-language': 'zh-CN' }, {});
    const page: MessagePage = body.result;
    expect(page).toMatchObject({ data: [{ title: 'a 中文' }], un_read: 1, has_more: false });
  });
});
