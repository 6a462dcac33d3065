import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { KubeConfig } from '@kubernetes/client-node';
import { cut, delay, delayEvent, dropEvent, expire, hold, kill, refuse, serve, stall } from './action.ts';
import { type FakeApiServer, startFakeApiServer } from './fake-api-server.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import type { WatchEvent } from './live-watch.ts';

const PODS = '/api/v1/namespaces/a/pods';
const LIMIT_MS = 5_000;

let api: FakeApiServer;
let proxy: FaultProxy;

beforeEach(async () => {
  api = await startFakeApiServer();
  proxy = await startFaultProxy({ upstream: api });
});

afterEach(async () => {
  await proxy.close();
  await api.close();
});

const pod = (name: string) => ({ metadata: { name } });
const create = (name: string) =>
  fetch(`${proxy.url}${PODS}`, {
    method: 'POST',
    body: JSON.stringify(pod(name)),
    headers: { authorization: 'Bearer t' },
  });
const namesIn = async (reply: Response) =>
  ((await reply.json()) as { items: { metadata: { name: string } }[] }).items.map((item) => item.metadata.name);

/** A watch whose events gather in `events`; `ended` says how it ended. */
async function openWatch() {
  const abort = new AbortController();
  const reply = await fetch(`${proxy.url}${PODS}?watch=true`, { signal: abort.signal });
  const events: WatchEvent[] = [];
  async function gather(): Promise<'ended' | 'cut'> {
    let rest = '';
    try {
      for await (const chunk of reply.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const lines = `${rest}${chunk}`.split('\n');
        rest = lines.pop() ?? '';
        events.push(...lines.map((line) => JSON.parse(line)));
      }
      return 'ended';
    } catch {
      return 'cut';
    }
  }
  return {
    events,
    ended: gather(),
    close: () => abort.abort(),
    said: () => events.map(({ type, object }) => `${type} ${object.metadata?.name}`),
  };
}

/** Looks again at each event that passes, and once after the last has been read. */
const eventually = async (isTrue: () => boolean) => {
  const deadline = AbortSignal.timeout(LIMIT_MS);
  while (!isTrue()) {
    deadline.throwIfAborted();
    await new Promise((resolve) => setImmediate(resolve));
  }
};

test('passes requests and the bearer token on over TLS, counts them by title, logs the writes', async () => {
  expect((await create('x')).status).toBe(201);
  expect((await create('x')).status).toBe(409);
  expect(await namesIn(await fetch(`${proxy.url}${PODS}`))).toEqual(['x']);
  await fetch(`${proxy.url}${PODS}/x/status?fieldManager=gantry`, {
    method: 'PATCH',
    body: '{}',
    headers: { 'content-type': 'application/apply-patch+yaml' },
  });

  expect(proxy.counts()).toEqual({ 'apply pods/status': 1, 'create pods': 2, 'list pods': 1 });
  expect(proxy.writes().map(({ call, status }) => [call.title, call.name, call.fieldManager, status])).toEqual([
    ['create pods', 'x', '', 201],
    ['create pods', 'x', '', 409],
    ['apply pods/status', 'x', 'gantry', 200],
  ]);
  expect((await create('y')).status).toBe(201);
  expect(api.authorization()).toBe('Bearer t');
});

test('its kubeconfig suits the Kubernetes client', () => {
  const config = new KubeConfig();
  config.loadFromString(proxy.kubeconfig({ token: 'secret' }));
  expect(config.getCurrentCluster()?.server).toBe(proxy.url);
  expect(config.getCurrentUser()?.token).toBe('secret');
});

test('reads address and CA, and no user, from a kubeconfig', async () => {
  const text = JSON.stringify({
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'admin' } }],
    clusters: [
      { name: 'k', cluster: { server: api.url, 'certificate-authority-data': Buffer.from(api.ca).toString('base64') } },
    ],
    users: [{ name: 'admin', user: { token: 'admin' } }],
  });
  const other = await startFaultProxy({ upstream: { kubeconfig: text } });
  expect((await fetch(`${other.url}${PODS}`)).status).toBe(200);
  expect(api.authorization()).toBeUndefined();
  await other.close();
});

test('an unknown CA is refused: the caller sees a broken connection', async () => {
  const other = await startFaultProxy({ upstream: { url: api.url } });
  await expect(fetch(`${other.url}${PODS}`)).rejects.toThrow('fetch failed');
  expect(api.arrived).toEqual([]);
  await other.close();
});

test('kills the caller before its 2nd create: the API server never hears of it', async () => {
  const killed: string[] = [];
  const rule = proxy.rules.add({
    match: { title: 'create pods' },
    nth: 2,
    do: kill('before', ({ name }) => killed.push(name)),
  });
  await create('x');
  await expect(create('y')).rejects.toThrow('fetch failed');
  await create('z');

  expect(killed).toEqual(['y']);
  expect([...api.objects.keys()]).toEqual([`${PODS}/x`, `${PODS}/z`]);
  expect(proxy.writes()[1]).toMatchObject({ status: undefined, faults: ['kill before'] });
  expect([rule.matched(), rule.hits()]).toEqual([3, 1]);
});

test('kills the caller after its create: committed, and the reply is not delivered', async () => {
  let committed = false;
  proxy.rules.add({
    match: { verb: 'create', name: 'x' },
    do: kill('after', () => {
      committed = api.objects.has(`${PODS}/x`);
    }),
  });
  await expect(create('x')).rejects.toThrow('fetch failed');
  expect(committed).toBe(true);
  expect(proxy.writes()[0]).toMatchObject({ status: 201, faults: ['kill after'] });
});

test('cuts the reply after the commit; a retry finds the object there', async () => {
  proxy.rules.add({ match: (call) => call.isWrite, nth: 1, do: cut('after') });
  await expect(create('x')).rejects.toThrow('fetch failed');
  expect((await create('x')).status).toBe(409);
});

test.each([
  [409, 'Conflict'],
  [410, 'Expired'],
  [500, 'InternalError'],
  [503, 'ServiceUnavailable'],
  [504, 'Timeout'],
] as const)('answers %i as a Status with reason %s and forwards nothing', async (code, reason) => {
  proxy.rules.add({ match: { resource: 'pods' }, do: refuse('before', code) });
  const reply = await create('x');
  expect(reply.status).toBe(code);
  expect(await reply.json()).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, code });
  expect(api.arrived).toEqual([]);
});

test('answers 429 with Retry-After in header and details', async () => {
  proxy.rules.add({ match: { isWrite: true }, do: refuse('before', 429, { retryAfterSeconds: 2 }) });
  const reply = await create('x');
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '2']);
  expect(await reply.json()).toMatchObject({ reason: 'TooManyRequests', details: { retryAfterSeconds: 2 } });
});

test('answers 504 after the commit', async () => {
  proxy.rules.add({ match: { isWrite: true }, do: refuse('after', 504) });
  expect((await create('x')).status).toBe(504);
  expect(api.objects.has(`${PODS}/x`)).toBe(true);
});

test('a rule leaves alone what differs in one field', async () => {
  const rule = proxy.rules.add({ match: { verb: 'create', name: 'y' }, do: refuse('before', 500) });
  expect((await create('x')).status).toBe(201);
  expect(rule.matched()).toBe(0);
  expect((await create('y')).status).toBe(500);
});

test('the first of two matching rules that answers decides', async () => {
  proxy.rules.add({ match: { isWrite: true }, do: delay('before', 1) });
  proxy.rules.add({ match: { isWrite: true }, do: refuse('before', 503) });
  const killed: string[] = [];
  proxy.rules.add({ match: { isWrite: true }, do: kill('before', ({ name }) => killed.push(name)) });
  expect((await create('x')).status).toBe(503);
  expect(killed).toEqual([]);
  expect(proxy.writes()[0]?.faults).toEqual(['delay before', 'refuse 503 before', 'kill before']);
});

test('every second write conflicts', async () => {
  proxy.rules.add({ match: { isWrite: true }, nth: (n) => n % 2 === 0, do: refuse('before', 409) });
  const replies = [await create('w'), await create('x'), await create('y'), await create('z')];
  expect(replies.map((reply) => reply.status)).toEqual([201, 409, 201, 409]);
});

test('serves an older list with its old resourceVersion', async () => {
  api.put(`${PODS}/x`, pod('x'));
  await fetch(`${proxy.url}${PODS}`);
  api.put(`${PODS}/y`, pod('y'));
  const [older] = proxy.lists({ resource: 'pods', namespace: 'a' });
  if (!older) throw new Error('no list was recorded');
  const rule = proxy.rules.add({ match: { title: 'list pods' }, do: serve(older) });

  const stale = (await (await fetch(`${proxy.url}${PODS}`)).json()) as { metadata: unknown; items: unknown[] };
  expect([stale.metadata, stale.items.length]).toEqual([{ resourceVersion: '1' }, 1]);
  rule.remove();
  expect(await namesIn(await fetch(`${proxy.url}${PODS}`))).toEqual(['x', 'y']);
});

test('keeps the first list and the latest, no more than told', async () => {
  for (const name of ['u', 'v', 'w', 'x', 'y', 'z']) {
    await fetch(`${proxy.url}${PODS}`);
    api.put(`${PODS}/${name}`, pod(name));
  }
  const versions = proxy
    .lists({ resource: 'pods' })
    .map(({ body }) => JSON.parse(String(body)).metadata.resourceVersion);
  expect(versions).toEqual(['0', '3', '4', '5']);
});

test('holds a request until told', async () => {
  const release = Promise.withResolvers<void>();
  proxy.rules.add({ match: { verb: 'create' }, do: hold('before', release.promise) });
  const reply = create('x');
  await expect(proxy.waitFor(({ writes }) => writes()[0]?.status !== undefined, 200)).rejects.toThrow('not seen');
  expect(api.arrived).toEqual([]);
  release.resolve();
  expect((await reply).status).toBe(201);
});

test('delays a reply', async () => {
  proxy.rules.add({ match: { verb: 'create' }, do: delay('after', 60) });
  const begin = performance.now();
  await create('x');
  expect(performance.now() - begin).toBeGreaterThanOrEqual(59);
});

test('passes watch events in order, whole, whatever their characters', async () => {
  const watch = await openWatch();
  api.put(`${PODS}/x`, { ...pod('x'), note: 'a\u2028b – 漢\u{1F680}' });
  api.put(`${PODS}/y`, pod('y'));
  await eventually(() => watch.events.length === 2);
  expect(watch.said()).toEqual(['ADDED x', 'ADDED y']);
  expect(watch.events[0]?.object).toMatchObject({ note: 'a\u2028b – 漢\u{1F680}' });
  api.endWatches();
  expect(await watch.ended).toBe('ended');
});

test('a caller who leaves closes the watch at the API server too', async () => {
  const watch = await openWatch();
  expect(proxy.watches({ resource: 'pods' })).toHaveLength(1);
  watch.close();
  await proxy.waitFor(({ watches }) => watches({}).length === 0, LIMIT_MS);
  await eventually(() => api.openWatches() === 0);
});

test('drops the first DELETED, also of a watch that was open before the rule', async () => {
  const watch = await openWatch();
  api.put(`${PODS}/x`, pod('x'));
  const rule = proxy.rules.add({
    match: { title: 'watch pods' },
    event: ({ type }) => type === 'DELETED',
    nth: 1,
    do: dropEvent(),
  });
  await fetch(`${proxy.url}${PODS}/x`, { method: 'DELETE' });
  api.put(`${PODS}/y`, pod('y'));
  await eventually(() => watch.events.length === 2);
  expect(watch.said()).toEqual(['ADDED x', 'ADDED y']);
  expect(rule.hits()).toBe(1);
});

test('delays an event and all behind it', async () => {
  const watch = await openWatch();
  proxy.rules.add({
    match: { verb: 'watch' },
    event: ({ object }) => object.metadata?.name === 'x',
    do: delayEvent(60),
  });
  const begin = performance.now();
  api.put(`${PODS}/x`, pod('x'));
  api.put(`${PODS}/y`, pod('y'));
  await eventually(() => watch.events.length === 2);
  expect(watch.said()).toEqual(['ADDED x', 'ADDED y']);
  expect(performance.now() - begin).toBeGreaterThanOrEqual(59);
});

test('a stalled watch says nothing, even when upstream ends it; the next one speaks', async () => {
  proxy.rules.add({ match: { verb: 'watch' }, nth: 1, do: stall() });
  const silent = await openWatch();
  const open = await openWatch();
  api.put(`${PODS}/x`, pod('x'));
  await eventually(() => open.events.length === 1);
  api.endWatches();
  expect(await open.ended).toBe('ended');
  expect(silent.events).toEqual([]);
  expect(proxy.watches({ verb: 'watch' })).toHaveLength(1);
  silent.close();
  expect(await silent.ended).toBe('cut');
});

test('stalls a watch that is already open', async () => {
  const watch = await openWatch();
  api.put(`${PODS}/x`, pod('x'));
  await eventually(() => watch.events.length === 1);
  for (const one of proxy.watches({ resource: 'pods' })) {
    one.stall();
    one.send({ type: 'BOOKMARK', object: {} });
  }
  const rule = proxy.rules.add({ match: { verb: 'watch' }, event: () => true, nth: 0, do: dropEvent() });
  const other = await openWatch();
  api.put(`${PODS}/y`, pod('y'));
  await eventually(() => other.events.length === 1);
  expect(watch.said()).toEqual(['ADDED x']);
  // A rule does not count events that nobody could have seen.
  expect(rule.matched()).toBe(1);
});

test('says 410 inside a watch, then ends it', async () => {
  proxy.rules.add({ match: { verb: 'watch' }, nth: 1, do: expire() });
  const watch = await openWatch();
  expect(await watch.ended).toBe('ended');
  expect(watch.events).toEqual([
    { type: 'ERROR', object: expect.objectContaining({ kind: 'Status', code: 410, reason: 'Expired' }) },
  ]);
});

test('down resets open connections and refuses new ones; up answers at the same address', async () => {
  const watch = await openWatch();
  await proxy.down();
  expect(await watch.ended).toBe('cut');
  await expect(create('x')).rejects.toThrow('fetch failed');
  await proxy.up();
  expect((await create('x')).status).toBe(201);
});

test('pause holds requests and events; resume lets them go', async () => {
  const watch = await openWatch();
  proxy.pause();
  api.put(`${PODS}/x`, pod('x'));
  const reply = create('y');
  await expect(proxy.waitFor(({ writes }) => writes()[0]?.status !== undefined, 200)).rejects.toThrow('not seen');
  expect([watch.events.length, api.arrived]).toEqual([0, [`GET ${PODS}`]]);
  proxy.resume();
  expect((await reply).status).toBe(201);
  await eventually(() => watch.events.length === 2);
});

test('waitFor gives up at its limit and says what it saw', async () => {
  await create('x');
  await expect(proxy.waitFor(() => false, 10)).rejects.toThrow(
    'not seen within 10 ms; counts so far: {"create pods":1}',
  );
});
