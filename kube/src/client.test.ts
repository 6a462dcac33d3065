import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { afterEach, expect, test } from '@jest/globals';
import { KubeConfig } from '@kubernetes/client-node';
import { ApiError, isAmbiguous, NoAnswer } from './api-error.ts';
import { isUnreachable } from './check-cluster.ts';
import { KubeClient, type RequestFacts, ResourceNames, type WatchEvent } from './client.ts';
import { systemClock } from './clock.ts';
import { Credentials } from './credentials.ts';
import { coreResource, type Resource } from './resource.ts';

const POD: Resource = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true };
const WIDGET: Resource = { group: 'gantry.dev', version: 'v1', plural: 'widgets', kind: 'Widget', namespaced: true };
const pod: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: 'x' } };

const endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings.splice(0)) end();
});

/** A client of an API server that answers as the test says. */
async function setUp(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
  options: { labels?: Record<string, string> } = {},
) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    answer(request, response, Buffer.concat(chunks).toString('utf8'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  let token = 'first';
  const credentials = new Credentials(() => {
    const config = new KubeConfig();
    config.loadFromClusterAndUser(
      { name: 'c', server: `http://127.0.0.1:${port}/prefix`, skipTLSVerify: true },
      { name: 'u', token },
    );
    return config;
  }, systemClock);
  endings.push(() => {
    credentials.close();
    server.closeAllConnections();
    server.close();
  });
  const requests: RequestFacts[] = [];
  const client = new KubeClient(credentials, {
    ...options,
    fieldManager: 'gantry-test',
    onRequest: (facts) => requests.push(facts),
  });
  return {
    client,
    requests,
    rotate: (to: string) => {
      token = to;
    },
  };
}
const json = (response: ServerResponse, code: number, body: object, headers = {}) =>
  response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

test('all that is made or applied in its own name has its labels, besides those of the object', async () => {
  const labels: unknown[] = [];
  const keep = (_request: IncomingMessage, response: ServerResponse, body: string) => {
    labels.push(JSON.parse(body).metadata.labels);
    json(response, 200, pod);
  };
  const { client } = await setUp(keep, { labels: { region: 'here' } });
  await client.create(POD, { ...pod, metadata: { ...pod.metadata, labels: { app: 'a' } } });
  await client.apply(POD, pod);
  await client.as('bob').create(POD, pod);
  const target = { apiVersion: 'v1', kind: 'Pod', name: 'a', namespace: 'x', uid: 'u' };
  await client.mergePatch(POD, { ...target, body: { metadata: { labels: { app: 'b' } } } });
  await client.mergePatch(POD, { ...target, body: { spec: {} } });
  const node = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' };
  await client.mergePatch(coreResource('nodes', 'Node', false), {
    ...node,
    body: { metadata: { labels: { app: 'b' } } },
  });
  expect(labels).toEqual([
    { app: 'a', region: 'here' },
    { region: 'here' },
    undefined,
    { app: 'b', region: 'here' },
    undefined,
    { app: 'b' },
  ]);
});

test('each verb is one request of the right shape, and is counted', async () => {
  const seen: string[] = [];
  const { client, requests } = await setUp(({ method, url, headers }, response, body) => {
    seen.push(`${method} ${url} ${headers['content-type'] ?? '-'} ${body}`);
    json(response, 200, pod);
  });
  const target = { apiVersion: 'v1', kind: 'Pod', namespace: 'x', name: 'a', uid: 'u' };
  await client.get(WIDGET, 'x', 'a');
  await client.list(POD, { limit: 5, continue: undefined });
  await client.create(POD, pod);
  await client.createUnder(POD, { namespace: 'x', name: 'a' }, 'binding', pod);
  await client.apply(POD, pod, 'status');
  await client.mergePatch(POD, {
    ...target,
    resourceVersion: '7',
    body: { metadata: { labels: { a: null } }, spec: {} },
  });
  await client.delete(POD, { ...target, gracePeriodSeconds: 1, propagation: 'Background' });
  const text = JSON.stringify(pod);
  const path = '/prefix/api/v1/namespaces/x/pods';
  expect(seen).toEqual([
    'GET /prefix/apis/gantry.dev/v1/namespaces/x/widgets/a - ',
    'GET /prefix/api/v1/pods?limit=5 - ',
    `POST ${path}?fieldManager=gantry-test application/json ${text}`,
    `POST ${path}/a/binding?fieldManager=gantry-test application/json ${text}`,
    `PATCH ${path}/a/status?fieldManager=gantry-test&force=true application/apply-patch+yaml ${text}`,
    `PATCH ${path}/a?fieldManager=gantry-test application/merge-patch+json ` +
      '{"metadata":{"labels":{"a":null},"uid":"u","resourceVersion":"7"},"spec":{}}',
    `DELETE ${path}/a application/json ` +
      '{"preconditions":{"uid":"u"},"gracePeriodSeconds":1,"propagationPolicy":"Background"}',
  ]);
  expect(requests.map(({ verb, kind, subresource, code }) => `${verb} ${kind} ${subresource} ${code}`)).toEqual([
    'get Widget  200',
    'list Pod  200',
    'create Pod  200',
    'create Pod binding 200',
    'apply Pod status 200',
    'patch Pod  200',
    'delete Pod  200',
  ]);
});

test('a write that is only tried, or taken strictly, says so', async () => {
  const seen: string[] = [];
  const { client } = await setUp(({ method, url }, response) => {
    seen.push(`${method} ${url}`);
    json(response, 200, pod);
  });
  const patch = { apiVersion: 'v1', kind: 'Pod', namespace: 'x', name: 'a', uid: 'u', body: {} };
  await client.create(POD, pod, { dryRun: 'All', fieldValidation: 'Strict' });
  await client.create(POD, pod, { fieldValidation: 'Strict' });
  await client.mergePatch(POD, patch, 'status', { dryRun: 'All' });
  await client.mergePatch(POD, patch, undefined, { dryRun: 'All', fieldValidation: 'Strict' });
  const path = '/prefix/api/v1/namespaces/x/pods';
  expect(seen).toEqual([
    `POST ${path}?fieldManager=gantry-test&dryRun=All&fieldValidation=Strict`,
    `POST ${path}?fieldManager=gantry-test&fieldValidation=Strict`,
    `PATCH ${path}/a/status?fieldManager=gantry-test&dryRun=All`,
    `PATCH ${path}/a?fieldManager=gantry-test&dryRun=All&fieldValidation=Strict`,
  ]);
});

test('every request says who asks: a view as another user does, and the client itself goes on as it was', async () => {
  const seen: string[] = [];
  const { client, requests } = await setUp(({ method, headers }, response) => {
    const { authorization, 'impersonate-user': user = 'nobody else', 'user-agent': agent } = headers;
    seen.push(`${method} ${authorization} ${agent} as ${user}`);
    json(response, 200, method === 'GET' ? { metadata: { resourceVersion: '1' }, items: [] } : pod);
  });
  const account = 'system:serviceaccount:org-acme:alice';
  const alice = client.as(account);
  const { signal } = new AbortController();
  await alice.create(POD, pod);
  await client.create(POD, pod);
  await alice.list(POD, {});
  await alice.raw('/version');
  await alice.watch(POD, {}, () => {}, { signal, limitMs: 5000 });
  await alice.as('bob').create(POD, pod);
  const words = 'Bearer first gantry-test as';
  expect(seen).toEqual([
    `POST ${words} ${account}`,
    `POST ${words} nobody else`,
    `GET ${words} ${account}`,
    `GET ${words} ${account}`,
    `GET ${words} ${account}`,
    `POST ${words} bob`,
  ]);
  expect(requests.map(({ verb }) => verb)).toEqual(['create', 'create', 'list', 'watch', 'create']);
});

test('a view as another user stays that when credentials are read again', async () => {
  const seen: unknown[] = [];
  const { client, rotate } = await setUp(({ headers }, response) => {
    seen.push(headers['impersonate-user']);
    if (headers.authorization === 'Bearer second') json(response, 201, pod);
    else json(response, 401, { reason: 'Unauthorized' });
  });
  await client.raw('/version').catch(() => {});
  rotate('second');
  await client.as('bob').create(POD, pod);
  expect(seen.at(-1)).toBe('bob');
});

test.each(['', ' '])('speaking as nobody (%j) would be speaking as ourselves: it is refused', async (nobody) => {
  const { client } = await setUp((_request, response) => json(response, 200, pod));
  expect(() => client.as(nobody)).toThrow('nobody was named');
});

test('a user name that would begin another header goes nowhere', async () => {
  let asked = 0;
  const { client } = await setUp((_request, response) => {
    asked++;
    json(response, 201, pod);
  });
  await expect(client.as('bob\r\nimpersonate-group: system:masters').create(POD, pod)).rejects.toThrow();
  expect(asked).toBe(0);
});

test('credentials that expire are read again and the request is repeated: nobody notices', async () => {
  let good = 'first';
  const { client, rotate } = await setUp(({ headers }, response) => {
    if (headers.authorization === `Bearer ${good}`) json(response, 201, pod);
    else json(response, 401, { reason: 'Unauthorized' });
  });
  await client.create(POD, pod);
  good = 'second';
  rotate('second');
  await expect(Promise.all([client.create(POD, pod), client.create(POD, pod)])).resolves.toHaveLength(2);
});

test('a 401 that stays is an error, not a loop', async () => {
  let asked = 0;
  const { client } = await setUp((_request, response) => {
    asked++;
    json(response, 401, { reason: 'Unauthorized', message: 'who are you?' });
  });
  await expect(client.create(POD, pod)).rejects.toMatchObject({ code: 401, message: 'who are you?' });
  expect(asked).toBe(2);
});

test('a refusal carries its reason, and how long to stay away', async () => {
  const { client, requests } = await setUp((_request, response) =>
    json(response, 429, { reason: 'TooManyRequests', message: 'slow' }, { 'retry-after': '3' }),
  );
  const error = await client.create(POD, pod).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ code: 429, reason: 'TooManyRequests', retryAfterMs: 3000 });
  expect(requests[0]?.code).toBe(429);
});

test('an error page that is not JSON is an error of that code', async () => {
  const { client } = await setUp((_request, response) => response.writeHead(502).end('<html>'));
  await expect(client.create(POD, pod)).rejects.toMatchObject({ code: 502 });
});

test('a reply that is cut off is no answer', async () => {
  const { client } = await setUp((_request, response) => {
    response.writeHead(201, { 'content-length': '100' });
    response.write('{"kind":');
    setImmediate(() => response.destroy());
  });
  const error = await client.create(POD, pod).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ message: 'aborted' });
  expect(error).toBeInstanceOf(NoAnswer);
  expect(isAmbiguous(error)).toBe(true);
});

test('a connection that is hung up counts as a server that is not there yet', async () => {
  const { client } = await setUp((request) => request.socket.destroy());
  const error = await client.raw('/version').catch((caught: unknown) => caught);
  expect(error).toMatchObject({ message: 'socket hang up' });
  expect(isUnreachable(error)).toBe(true);
});

test('a stream gives bytes as they come, as the user that it is for, until its signal', async () => {
  let asked: string[] = [];
  const { client } = await setUp((request, response) => {
    asked = [request.url ?? '', `${request.headers['impersonate-user']}`];
    response.write('a line\n');
  });
  const stop = new AbortController();
  const key = { namespace: 'org-acme', name: 'dev-1' };
  const limits = { limitMs: 5000, signal: stop.signal };
  const answer = await client.as('ann').stream(POD, key, 'log', { follow: true, tailLines: undefined }, limits);
  const [chunk] = await once(answer, 'data');
  expect(`${chunk}`).toBe('a line\n');
  expect(asked).toEqual(['/prefix/api/v1/namespaces/org-acme/pods/dev-1/log?follow=true', 'ann']);
  stop.abort();
  await expect(once(answer, 'end')).rejects.toThrow();
});

test('bytes of a path are taken up to so many, within so long, and until a signal', async () => {
  const { client } = await setUp((request, response) => {
    if (request.url?.endsWith('/endless')) return void response.write('x'.repeat(100));
    if (request.url?.endsWith('/refused')) return void response.writeHead(500).end('y'.repeat(2 * 1024 * 1024));
    response.end('x'.repeat(100));
  });
  const limits = { limitMs: 5000, mostBytes: 100 };
  expect((await client.rawBytes('/whole', limits)).length).toBe(100);
  await expect(client.rawBytes('/whole', { ...limits, mostBytes: 99 })).rejects.toThrow('longer than 99 bytes');
  await expect(client.rawBytes('/endless', { ...limits, limitMs: 50 })).rejects.toThrow(NoAnswer);
  const stop = new AbortController();
  const waiting = client.rawBytes('/endless', { ...limits, signal: stop.signal });
  stop.abort();
  await expect(waiting).rejects.toThrow();
  await expect(client.rawBytes('/refused', limits)).rejects.toThrow('the API server answered 500');
});

test('a watch tells events as they come and resolves when the server ends it', async () => {
  const { client } = await setUp((_request, response) => {
    response.write(`${JSON.stringify({ type: 'ADDED', object: pod })}\n{"type":"MODI`);
    setImmediate(() => response.end(`FIED","object":${JSON.stringify(pod)}}\n`));
  });
  const events: WatchEvent[] = [];
  const signal = new AbortController().signal;
  await client.watch(POD, {}, (event) => events.push(event), { signal, limitMs: 5000 });
  expect(events.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED']);
});

test('a watch that falls silent is given up at its limit', async () => {
  const { client } = await setUp((_request, response) => response.writeHead(200).flushHeaders());
  const signal = new AbortController().signal;
  await expect(client.watch(POD, {}, () => {}, { signal, limitMs: 50 })).rejects.toThrow();
});

test('a watch ends with its signal, and with a listener that throws', async () => {
  const { client } = await setUp((_request, response) => {
    response.write(`${JSON.stringify({ type: 'ERROR', object: {} })}\n`);
  });
  const stop = new AbortController();
  const watching = client.watch(POD, {}, () => stop.abort(), { signal: stop.signal, limitMs: 5000 });
  await expect(watching).rejects.toThrow();
  const failing = client.watch(
    POD,
    {},
    () => {
      throw new ApiError(410, {});
    },
    { signal: new AbortController().signal, limitMs: 5000 },
  );
  await expect(failing).rejects.toMatchObject({ code: 410 });
});

test('a kind that no cache follows is asked of the server, once', async () => {
  let asked = 0;
  const { client } = await setUp((_request, response) => {
    asked++;
    json(response, 200, {
      resources: [
        { name: 'pods', kind: 'Pod', namespaced: true },
        { name: 'pods/status', kind: 'Pod', namespaced: true },
      ],
    });
  });
  const names = new ResourceNames(client, [WIDGET]);
  expect(await names.of({ apiVersion: 'gantry.dev/v1', kind: 'Widget' })).toBe(WIDGET);
  expect(await names.of(pod)).toEqual(POD);
  await names.of(pod);
  expect(asked).toBe(1);
  await expect(names.of({ apiVersion: 'v1', kind: 'Nothing' })).rejects.toThrow('no kind Nothing in v1');
});
