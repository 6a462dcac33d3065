// The frame as a whole, over real HTTP: its answers before any route's.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PLATFORM_ROUTES } from '@gantry/contract/areas/settings/platform.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { frameParts } from '../../test/support/frame-parts.ts';
import { createApp } from './platform/http/app.ts';

let server: Server;
let url: string;

beforeAll(async () => {
  const app = createApp(
    {
      ...frameParts(),
      missing: () => Promise.resolve([]),
      origins: ['https://console.example'],
      trustedProxies: [],
      settings: () => ({
        market: 'overseas',
        region: 'us-east',
        region_label: 'US East Washington',
        billing_unit: '$',
        register_type: 'email',
        login_types: ['password'],
        login_providers: [],
        payment_channels: ['card'],
        welcome_credits: '100.00',
        real_name_documents: ['idCard'],
        real_name_review_hours: 24,
        staff_second_factor: 'optional',
        console_variant: 'full',
        contact: '',
        docs: '',
        support: '',
        community: '',
        terms_version: '1',
        closed_features: [],
        version: '1.1.5',
      }),
    },
    [],
    Object.values(PLATFORM_ROUTES),
  );
  server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

describe('the first calls of every client', () => {
  test('the settings, in the envelope', async () => {
    const answer = await fetch(`${url}/api/settings`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      code: 0,
      message: 'ok',
      result: { market: 'overseas', billing_unit: '$' },
    });
  });

  test('the version, never from a cache', async () => {
    const answer = await fetch(`${url}/version.json`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.json()).toEqual({ version: '1.1.5' });
  });
});

describe('requests that no route answers', () => {
  test('an unknown path is a 404 in the language that is asked for', async () => {
    const answer = await fetch(`${url}/api/nothing`, { headers: { 'accept-language': 'fr, ja;q=0.5, en;q=0.4' } });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({
      code: 40402,
      error: 'no_such_route',
      message: 'このパスには何もありません。',
    });
  });

  test('a wrong method is a 405 that names the right ones', async () => {
    const answer = await fetch(`${url}/api/settings`, { method: 'DELETE' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET']);
  });

  test('a path that is no path is a 404', async () => {
    expect((await fetch(`${url}/api/%E0%A4%A`)).status).toBe(404);
  });

  test('two different tokens are a 400', async () => {
    const answer = await fetch(`${url}/api/settings`, { headers: { 'x-token': 'a', authorization: 'Bearer b' } });
    expect([answer.status, (await answer.json()) as object]).toMatchObject([400, { error: 'two_tokens' }]);
  });
});

test('only the web apps may read answers from a page', async () => {
  const from = async (origin: string) =>
    (await fetch(`${url}/api/settings`, { headers: { origin } })).headers.get('access-control-allow-origin');
  expect(await from('https://console.example')).toBe('https://console.example');
  expect(await from('https://elsewhere.example')).toBeNull();
});

describe('what browsers are told of every answer', () => {
  const ask = async (method: string, path: string): Promise<IncomingMessage> => {
    const asked = request(`${url}${path}`, { method }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    return answer;
  };

  test.each([
    ['GET', '/api/settings', 200],
    ['GET', '/api/nothing', 404],
    ['DELETE', '/api/settings', 405],
    ['GET', '/api/%E0%A4%A', 404],
    ['GET', '/healthz', 200],
    ['GET', '/version.json', 200],
    ['GET', '/metrics', 404],
  ])('%s %s is no page, is framed by nobody and is what it says it is', async (method, path, status) => {
    const { statusCode, headers } = await ask(method, path);
    expect(statusCode).toBe(status);
    expect(`${headers['content-security-policy']}`.split(';').sort()).toEqual([
      "base-uri 'none'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['content-type']).toMatch(/; charset=utf-8$/);
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');
  });

  test.each(['/api/settings', '/api/nothing', '/healthz', '/version.json'])('%s is kept by no cache', async (path) => {
    expect((await ask('GET', path)).headers['cache-control']).toBe('no-store');
  });

  test('for a year they come by TLS alone, below this host, too', async () => {
    const { headers } = await ask('GET', '/api/settings');
    const [, age] = /^max-age=(\d+); includeSubDomains$/.exec(`${headers['strict-transport-security']}`) ?? [];
    expect(Number(age)).toBeGreaterThanOrEqual(31_536_000);
  });

  test('TRACE is a wrong method, and nothing of the request comes back', async () => {
    const { statusCode, headers } = await ask('TRACE', '/api/settings');
    expect([statusCode, headers.allow]).toEqual([405, 'GET']);
  });
});
