// A built console beside the API: what a browser gets for each kind of address, and what the page may do.
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import express from 'express';
import { cardOrigins, serveConsole } from './serve-console.ts';

const INLINE = "document.documentElement.setAttribute('data-scheme', 'dark');";
const PAGE = `<!doctype html><script>${INLINE}</script><script type="module" src="/assets/index-a1b2.js"></script>`;
const SCRIPT = 'export const one = 1;'.repeat(50);

let folder: string;
let server: Server;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-console-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), PAGE);
  await writeFile(join(folder, 'favicon.svg'), '<svg/>');
  await writeFile(join(folder, 'assets/index-a1b2.js'), SCRIPT);
  await writeFile(join(folder, 'assets/index-a1b2.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(folder, 'assets/index-a1b2.js.gz'), gzipSync(SCRIPT));
  const app = express();
  // As the gateway does for its answers.
  app.use((_req, res, next) => {
    res.setHeader('Content-Security-Policy', "default-src 'none'");
    next();
  });
  app.use(serveConsole({ folder, cards: cardOrigins('https://js.example/v3/', '') }));
  app.use((_req, res) => void res.status(404).json({ error: 'no_such_route' }));
  server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, { headers: { 'accept-encoding': 'identity', ...headers } });

describe('addresses', () => {
  test.each([
    '/',
    '/login',
    '/dashboard/instance/6f1e',
    '/gpu/storage',
    '/gpu/storage/disk-1',
    '/index.html',
    '/login?from=%2Fhome',
  ])('%s is the page', async (path) => {
    const answer = await get(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html;charset=utf-8']);
    expect(await answer.text()).toBe(PAGE);
  });

  test.each(['/api/nothing', '/api', '/healthz', '/readyz', '/version.json', '/metrics'])(
    '%s is left to others',
    async (path) => {
      const answer = await get(path);
      expect([answer.status, await answer.json()]).toEqual([404, { error: 'no_such_route' }]);
    },
  );

  test.each(['/assets/index-old.js', '/assets/gone', '/robots.txt', '/%2e%2e/package.json', '/assets/.git/config'])(
    '%s is not there, and no page either',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );

  test('a call that writes is left to others', async () => {
    expect((await fetch(`${url}/login`, { method: 'POST' })).status).toBe(404);
  });
});

describe('caches', () => {
  test('the page is asked for anew each time, and sent only when it has changed', async () => {
    const first = await get('/login');
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const etag = first.headers.get('etag') ?? '';
    const again = await get('/', { 'if-none-match': etag });
    expect(again.status).toBe(304);
    // Its headers replace the stored ones.
    for (const name of ['content-security-policy', 'x-frame-options', 'referrer-policy', 'permissions-policy'])
      expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)]);
  });

  test('a file with a hash in its name never changes', async () => {
    const { headers } = await get('/assets/index-a1b2.js');
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  test.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ])('whoever takes %s gets it so', async (accepted, encoding) => {
    const answer = await get('/assets/index-a1b2.js', { 'accept-encoding': accepted });
    expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual([encoding, 'Accept-Encoding']);
    expect(await answer.text()).toBe(SCRIPT);
  });
});

describe("the page's permissions", () => {
  const sources = async () => {
    const policy = (await get('/')).headers.get('content-security-policy') ?? '';
    return new Map(policy.split('; ').map((one) => [one.split(' ')[0] ?? '', one.split(' ').slice(1)]));
  };

  test('scripts are its own, the one that stands in it, and those of the card provider', async () => {
    const hash = createHash('sha256').update(INLINE).digest('base64');
    expect((await sources()).get('script-src')).toEqual([
      "'self'",
      `'sha256-${hash}'`,
      'https://js.example',
      'https://*.js.stripe.com',
    ]);
  });

  test('no base address and no plugin can be put into it, and forms go to itself', async () => {
    const found = await sources();
    expect(['base-uri', 'object-src', 'form-action'].map((name) => found.get(name))).toEqual([
      ["'none'"],
      ["'none'"],
      ["'self'"],
    ]);
  });

  test('nobody may frame it', async () => {
    expect((await sources()).get('frame-ancestors')).toEqual(["'none'"]);
    expect((await get('/')).headers.get('x-frame-options')).toBe('DENY');
  });

  test("the card provider's double is asked where it is, and Stripe is not", () => {
    expect(cardOrigins('http://127.0.0.1:21014/v3/', 'http://127.0.0.1:21014')).toEqual({
      scripts: ['http://127.0.0.1:21014'],
      frames: ['http://127.0.0.1:21014'],
      calls: ['http://127.0.0.1:21014'],
    });
  });
});
