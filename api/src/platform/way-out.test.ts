// Calls that leave the installation go through the proxy of the environment, and no others do.
import { once } from 'node:events';
import http, { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { type ForwardProxy, startForwardProxy } from '../../../test/support/forward-proxy.ts';
import { Bucket } from '../areas/backups/store.ts';
import { MODEL_TAKING } from '../areas/models/model-taking.ts';
import { CardChannel } from '../core/billing/payments/card-channel.ts';
import { deliver } from '../core/files/deliver.ts';
import { Hub } from '../core/files/sources/hub.ts';
import { signedPost } from './mail/signed-post.ts';
import { ObjectStore } from './object-store/object-store.ts';
import { Prometheus } from './prometheus/prometheus.ts';
import { outwardAgents, proxyHosts } from './way-out.ts';

const log = pino({ level: 'silent' });
const HUB = { sha: 'a'.repeat(40), siblings: [{ rfilename: 'model.gguf', size: 9 }] };
const ANSWERS: Readonly<Record<string, object>> = {
  '/api/models/acme/tiny/revision/main?blobs=true': HUB,
  '/api/v1/query': { status: 'success', data: { resultType: 'scalar', result: [0, '7'] } },
  '/list': { hasList: true, files: [] },
};

let upstream: Server;
let port: number;
let proxy: ForwardProxy;
let heard: string[];
let restore: () => void;
const before = { ...process.env };

beforeAll(async () => {
  upstream = createServer((req, res) => {
    heard.push(req.headers.host ?? '');
    res.end(JSON.stringify(ANSWERS[req.url ?? ''] ?? {}));
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  ({ port } = upstream.address() as AddressInfo);
  const outside = ['hub.example:80', 'hooks.example:80', 's3.example:80', 'stripe.example:80'];
  proxy = await startForwardProxy(Object.fromEntries(outside.map((place) => [place, port])));
  // One by its name, which resolves inside, one by its address.
  const byName = proxy.url.replace('127.0.0.1', 'localhost');
  const variables = { HTTP_PROXY: byName, HTTPS_PROXY: proxy.url, NO_PROXY: '.svc', NODE_USE_ENV_PROXY: '1' };
  for (const name of Object.keys(variables)) delete process.env[name.toLowerCase()];
  Object.assign(process.env, variables);
  // Node does the same by itself if the variables are there when it starts.
  restore = http.setGlobalProxyFromEnv(process.env as Record<string, string>);
});
afterAll(async () => {
  restore();
  process.env = before;
  upstream.closeAllConnections();
  upstream.close();
  await proxy.end();
});
beforeEach(() => {
  proxy.asked.length = 0;
  heard = [];
});

const signal = AbortSignal.timeout(60_000);
const post = (url: string, allowInner = false) => signedPost({ url, key: 'k', allowInner }, { a: 1 }, 0);
const s3 = { region: 'us-east-1', bucket: 'models' };

const OUTSIDE: Readonly<Record<string, readonly [host: string, call: () => Promise<unknown>]>> = {
  'a hub of models': [
    'hub.example',
    () =>
      new Hub('http://hub.example').plan({
        of: 'models',
        repository: 'acme/tiny',
        revision: 'main',
        include: [],
        taking: MODEL_TAKING,
        token: undefined,
        signal,
      }),
  ],
  'a webhook': ['hooks.example', () => post('http://hooks.example/alarm')],
  'the store of models': [
    's3.example',
    () => new ObjectStore({ url: 'http://s3.example', ...s3, accessKey: 'a', secretKey: 's' }).open(),
  ],
  'the store of backups': [
    's3.example',
    () =>
      new Bucket({
        ...s3,
        endpoint: 'http://s3.example',
        prefix: '',
        credentials: { accessKeyId: 'a', secretAccessKey: 's' },
      }).list(),
  ],
  'a card': ['stripe.example', () => cardChannel().look(ORDER)],
};

const ORDER = {
  ...{ id: 'pay-1', organizationId: 'acme', currency: 'USD', providerId: 'pi_1', customerId: undefined },
  ...{ method: undefined, isAttended: true, createdAt: new Date(0), next: {} },
  amount: 1n as never,
};
const cardChannel = () =>
  new CardChannel(
    {
      ...{ secretKey: 'sk_test_1', webhookSecrets: [], publishableKey: 'pk', scriptUrl: 'https://js.example' },
      ...{ url: 'http://stripe.example', returnUrl: 'https://gantry.example/' },
    },
    { clock: { now: () => 0, monotonic: () => 0 } as never, log },
  );

test.each(Object.entries(OUTSIDE))('%s is asked through the proxy', async (_, [host, call]) => {
  // Some calls fail, because the double's answer does not suit all of them.
  await call().catch(() => undefined);
  expect(proxy.asked.length).toBeGreaterThan(0);
  expect(new Set(heard)).toEqual(new Set([host]));
});

describe('inside', () => {
  const INSIDE: Readonly<Record<string, () => Promise<unknown>>> = {
    'Prometheus, which has our bearer': () => new Prometheus({ url: `http://127.0.0.1:${port}` }).instant('7', 0),
    'a Pod that takes in a model': () =>
      deliver({ read: async () => never() }, [], { host: '127.0.0.1', port }, signal),
  };
  test.each(Object.entries(INSIDE))('%s is asked without it', async (_, call) => {
    await call();
    expect(heard.length).toBeGreaterThan(0);
    expect(proxy.asked).toEqual([]);
  });

  test('a Service is looked for here', async () => {
    await expect(fetch('http://gantry-registry.gantry-system.svc:5000/v2/')).rejects.toThrow();
    expect(proxy.asked).toEqual([]);
  });

  const never = (): never => {
    throw new Error('nothing is missing');
  };
});

describe('a webhook', () => {
  test.each([
    'http://10.1.2.3/',
    'https://127.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:10.1.2.3]/',
    'http://localhost/',
    'http://intranet.corp/',
    'http://kubernetes.default.svc/',
    'http://registry.gantry.internal:5000/',
    'http://0x7f000001/',
  ])('at %s is refused, and the proxy hears nothing of it', async (url) => {
    await expect(post(url)).rejects.toMatchObject({ code: 'EINNER' });
    expect(proxy.asked).toEqual([]);
  });

  test('over TLS is asked for by CONNECT, so that the proxy reads nothing', async () => {
    await expect(post('https://hooks.example/alarm')).rejects.toThrow();
    expect(proxy.asked).toEqual(['CONNECT hooks.example:443']);
  });

  test('at the proxy itself is refused', async () => {
    await expect(post(proxy.url)).rejects.toMatchObject({ code: 'EINNER' });
    expect(proxy.asked).toEqual([]);
  });

  test('may be inside where staff allow it', async () => {
    await post('http://hooks.example/', true);
    expect(heard).toEqual(['hooks.example']);
  });
});

test('without NODE_USE_ENV_PROXY nothing goes through a proxy', () => {
  delete process.env.NODE_USE_ENV_PROXY;
  try {
    expect(proxyHosts()).toEqual([]);
    expect(outwardAgents().httpsAgent.options).not.toHaveProperty('proxyEnv');
  } finally {
    process.env.NODE_USE_ENV_PROXY = '1';
  }
  expect(proxyHosts()).toEqual(['127.0.0.1', 'localhost']);
});
