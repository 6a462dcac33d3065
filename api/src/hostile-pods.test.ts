// A tenant's program that answers HTTP as no program should, on real sockets: through the tenants' web and as a disk's file
// server. The gateway survives each answer, ends the one call, lets nothing through that reaches others, and serves the next call.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { FILE_ROUTES } from '@gantry/contract/areas/instances/files.ts';
import type { DataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import express from 'express';
import { frameParts } from '../../test/support/frame-parts.ts';
import { PodApiServer } from '../../test/support/pod-api-server.ts';
import {
  ANN,
  loginsThatLast,
  NOTEBOOK_HOST,
  NOTEBOOK_PORT,
  openNotebook,
  VISIT_COOKIE,
} from '../../test/support/relay-parts.ts';
import { fc } from '../../test/support/seeded-fast-check.ts';
import { DiskFiles } from './areas/instances/files/disk-files.ts';
import { fileRoutes } from './areas/instances/files/file-routes.ts';
import type { TenantWeb } from './areas/instances/web/tenant-web.ts';
import { routerOf, runnablesOf } from './platform/http/routes-of.ts';
import { takeUpgrades } from './platform/http/serve-http.ts';

const clock = new SteppedClock();
const served = {
  metadata: { name: 'data', namespace: 'org-acme', uid: 'uid-data', generation: 1 },
  spec: { files: { until: new Date(clock.now() + 12 * 3_600_000).toISOString() } },
  status: {
    observedGeneration: 1,
    files: { address: '192.0.2.1:8080' },
    conditions: [{ type: 'FilesAvailable', status: 'True', reason: 'FilesReady' }],
  },
} as unknown as DataDisk;
/** The same disk while an instance has it to itself: its files come from a program there. */
const held = {
  ...served,
  status: { ...served.status, conditions: [{ type: 'FilesAvailable', status: 'False', reason: 'FilesInUse' }] },
} as unknown as DataDisk;
let disk = served;

const HONEST = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
const DIR = '/api/stor/v1/data-disk/data/filesystem';

let cluster: PodApiServer;
let pod: TcpServer;
/** The program's answer in the Pod to any request; then it closes. */
let reply: Buffer;
/** It goes on like this until it is cut off. */
let endless: Buffer | undefined;
let endlessBytes: number;
let web: TenantWeb;
let files: DiskFiles;
let tenants: Server;
let api: Server;

beforeAll(async () => {
  cluster = await PodApiServer.start();
  pod = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.resume();
      if (!endless) return socket.end(reply);
      socket.write(reply);
      const more = endless;
      const goOn = () => {
        let hasRoom = !socket.destroyed;
        while (hasRoom) {
          endlessBytes += more.length;
          hasRoom = socket.write(more);
        }
      };
      socket.on('drain', goOn);
      goOn();
    });
  }).listen(0, '127.0.0.1');
  await once(pod, 'listening');
  cluster.program = (pod.address() as AddressInfo).port;
  for (const port of [NOTEBOOK_PORT, 8080]) cluster.ports.set(port, (pod.address() as AddressInfo).port);
  const as = cluster.as as never;
  web = openNotebook(cluster, clock, [8080]);
  files = new DiskFiles({
    as,
    findDisk: () => disk,
    holderOf: () => ({ at: { namespace: 'org-acme', pod: 'dev-1' }, root: '/data' }),
    wish: async () => {},
    keyed: (text) => text,
    clock,
  });
  tenants = createServer((req, res) => web.answer(req, res)).listen(0, '127.0.0.1');
  takeUpgrades(
    tenants,
    (...handshake) => web.upgrade(...handshake),
    (error) => {
      throw error;
    },
  );
  const routes = Object.values(FILE_ROUTES);
  const app = express().set('query parser', 'simple');
  const parts = frameParts({ authenticate: async () => ANN });
  app.use(
    '/api',
    routerOf(runnablesOf(parts, routes, fileRoutes({ files, logins: loginsThatLast })), app.get('trust proxy fn')),
  );
  api = createServer(app).listen(0, '127.0.0.1');
  await Promise.all([once(tenants, 'listening'), once(api, 'listening')]);
});
afterAll(async () => {
  web.stop();
  files.stop();
  for (const server of [tenants, api]) {
    server.close();
    server.closeAllConnections();
  }
  pod.close();
  await cluster.stop();
});
beforeEach(() => {
  disk = served;
  endless = undefined;
  endlessBytes = 0;
});

/** The answer on a new connection until it ends, or until `isEnough`. */
function exchange(server: Server, asked: string, isEnough: (got: string) => boolean = () => false): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const limit = setTimeout(() => {
      socket.destroy();
      reject(new Error(`the connection stays open after ${JSON.stringify(got.slice(0, 500))}`));
    }, 10_000);
    let got = '';
    socket.on('data', (bytes) => {
      got += bytes.toString('latin1');
      if (isEnough(got)) socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(limit);
      resolve(got);
    });
    socket.write(asked);
  });
}

const page = (path = '/') =>
  exchange(
    tenants,
    `GET ${path} HTTP/1.1\r\nHost: ${NOTEBOOK_HOST}\r\nCookie: ${VISIT_COOKIE}\r\nConnection: close\r\n\r\n`,
  );
const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';
const handshake = (isEnough?: (got: string) => boolean) =>
  exchange(
    tenants,
    `GET /ws HTTP/1.1\r\nHost: ${NOTEBOOK_HOST}\r\nCookie: ${VISIT_COOKIE}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${KEY}\r\n\r\n`,
    isEnough,
  );
const call = (line: string, body = '') =>
  exchange(
    api,
    `${line} HTTP/1.1\r\nHost: console\r\nX-Token: t\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
const listing = () => call(`GET ${DIR}/dir?path=/`);
const download = () => call(`GET ${DIR}/file?path=/a.html`);
const upload = () => call(`PUT ${DIR}/file?path=/a`, 'abc');
const change = () => call(`DELETE ${DIR}/file?path=/a`);
const search = () => call(`GET ${DIR}/search?path=/&text=a`);
const zip = () => call(`GET ${DIR}/zip?path=/a`);
const FILE_CALLS = { listing, download, upload, change, search, zip };
const CALLS = { page, handshake, ...FILE_CALLS };

async function isStillServed(): Promise<void> {
  reply = HONEST;
  endless = undefined;
  expect(await page()).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*ok$/);
}

const says = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'), 'latin1');
const ANSWERS: Record<string, Buffer> = {
  'nothing at all': Buffer.alloc(0),
  'no HTTP': Buffer.from('SSH-2.0-OpenSSH_9.2\r\n'),
  'a status that is none': says('HTTP/1.1 000 Zero', 'Content-Length: 2', '', 'ok'),
  'a status of no class': says('HTTP/1.1 999 X', 'Content-Length: 2', '', 'ok'),
  'a status without a body': says('HTTP/1.1 204 No', 'Content-Length: 5', '', 'hello'),
  'a switch that nobody asked for': says(
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: x',
    'Connection: upgrade',
    '',
    '',
  ),
  'the same with bytes behind it': says(
    'HTTP/1.1 101 S',
    'Upgrade: websocket',
    'Connection: Upgrade',
    '',
    '\x81\x05hello',
  ),
  'continue and no more': says('HTTP/1.1 100 Continue', '', ''),
  'early hints and no more': says('HTTP/1.1 103 Early Hints', 'Link: </a>', '', ''),
  'half a body': says('HTTP/1.1 200 OK', 'Content-Length: 10', '', 'half'),
  'half a chunk': says('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', '5', 'hel'),
  'a chunk of no size': says('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', 'zz', 'hello'),
  'two lengths': says('HTTP/1.1 200 OK', 'Content-Length: 2', 'Content-Length: 3', '', 'okk'),
  'a length and chunks': says('HTTP/1.1 200 OK', 'Content-Length: 2', 'Transfer-Encoding: chunked', '', '0', '', ''),
  'an encoding of its own': says('HTTP/1.1 200 OK', 'Transfer-Encoding: identity', '', 'body'),
  'a redirect': says('HTTP/1.1 302 Found', 'Location: http://169.254.169.254/', 'Content-Length: 0', '', ''),
  trailers: says('HTTP/1.1 200 OK', 'Trailer: X', 'Transfer-Encoding: chunked', '', '0', 'X: \x01', '', ''),
  'headers without an end': says(
    'HTTP/1.1 200 OK',
    ...Array.from({ length: 3000 }, (_, at) => `X-${at}: ${'y'.repeat(90)}`),
  ),
  'names of an object': says('HTTP/1.1 200 OK', '__proto__: x', 'constructor: y', 'Content-Length: 2', '', 'ok'),
  latin1: says(
    'HTTP/1.1 200 \xe9',
    'X: \xff\x80',
    'ETag: \xfc',
    'Content-Disposition: \xe9',
    'Content-Length: 2',
    '',
    'ok',
  ),
  'a body that is no JSON': says('HTTP/1.1 200 OK', 'Content-Length: 3', '', 'zzz'),
  null: says('HTTP/1.1 200 OK', 'Content-Length: 4', '', 'null'),
  'a refusal that is null': says('HTTP/1.1 409 C', 'Content-Length: 4', '', 'null'),
  'a refusal of objects': says('HTTP/1.1 409 C', '', '{"code":{"a":1},"field":[],"detail":{},"offset":"x"}'),
  'a refusal of numbers': says(
    'HTTP/1.1 409 C',
    '',
    '{"code":"OffsetDiffers","offset":{"toString":1},"field":7,"detail":8}',
  ),
  'entries that are none': says('HTTP/1.1 200 OK', '', '{"path":"/","entries":7,"total":"x"}'),
  'an entry that is null': says('HTTP/1.1 200 OK', '', '{"path":"/","entries":[null],"total":1}'),
};

describe('a program that answers', () => {
  test.each(Object.keys(ANSWERS))('%s harms nobody', async (name) => {
    for (const ask of Object.values(CALLS)) {
      reply = ANSWERS[name] as Buffer;
      const got = await ask();
      expect(got === '' || got.startsWith('HTTP/1.1 ')).toBe(true);
    }
    await isStillServed();
  });

  test.each(Object.keys(ANSWERS))('%s in place of the agent in an instance harms nobody', async (name) => {
    disk = held;
    const before = cluster.executed.length;
    for (const ask of Object.values(FILE_CALLS)) {
      reply = ANSWERS[name] as Buffer;
      const got = await ask();
      expect(got === '' || got.startsWith('HTTP/1.1 ')).toBe(true);
    }
    expect(cluster.executed.length).toBeGreaterThan(before);
    await isStillServed();
  });

  test('whatever bytes it likes harms nobody', async () => {
    const text = fc.string({ unit: 'binary-ascii', maxLength: 30 });
    const name = fc.oneof(
      text,
      fc.constantFrom(
        'Content-Length',
        'Transfer-Encoding',
        'Connection',
        'Set-Cookie',
        'Trailer',
        'Upgrade',
        'Keep-Alive',
      ),
      fc.constantFrom('Content-Type', 'Content-Range', 'ETag', 'Content-Disposition', 'Location', 'Content-Encoding'),
    );
    const value = fc.oneof(
      text,
      fc.constantFrom('0', '-1', '1e9', 'chunked', 'identity', 'gzip, chunked', 'close', 'upgrade'),
    );
    const status = fc.oneof(fc.constantFrom('100', '101', '200', '206', '304', '409', '500', '000'), text);
    const answer = fc
      .record({
        status,
        words: text,
        headers: fc.array(fc.tuple(name, value), { maxLength: 6 }),
        body: fc.oneof(text, fc.json()),
      })
      .map(({ status: code, words, headers, body }) =>
        says(`HTTP/1.1 ${code} ${words}`, ...headers.map(([key, said]) => `${key}: ${said}`), '', body),
      );
    await fc.assert(
      fc.asyncProperty(answer, fc.constantFrom(...Object.values(CALLS)), async (bytes, ask) => {
        reply = bytes;
        const got = await ask();
        expect(got === '' || got.startsWith('HTTP/1.1 ')).toBe(true);
      }),
      { numRuns: 150 },
    );
    await isStillServed();
  }, 60_000);
});

describe("through the tenants' web", () => {
  test.each([
    'own=1; Path=/; Domain=ports.example',
    'own=1; domain=a; Path=/; DOMAIN=ports.example',
    'own=1; Path=/; Domain =ports.example',
    'own=1; Path=/;\tDomain\t= ports.example',
  ])('the cookie "%s" is for its host alone, also beside a switch of protocols', async (cookie) => {
    reply = says('HTTP/1.1 200 OK', `Set-Cookie: ${cookie}`, 'Content-Length: 2', '', 'ok');
    expect(await page()).toMatch(/^set-cookie: own=1; Path=\/\r$/im);
    reply = says(
      'HTTP/1.1 101 Switching Protocols',
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Set-Cookie: ${cookie}`,
      '',
      '',
    );
    expect(await handshake()).toMatch(/^set-cookie: own=1; Path=\/\r$/im);
  });

  test.each(['gantry-visit=stolen', 'gantry-visit =stolen', '=gantry-visit=stolen', 'gantry-visit'])(
    'the cookie "%s", which a browser would send as ours, does not pass',
    async (cookie) => {
      reply = says('HTTP/1.1 200 OK', `Set-Cookie: ${cookie}`, 'Set-Cookie: own=1', 'Content-Length: 2', '', 'ok');
      expect((await page()).match(/^set-cookie:.*/gim)).toEqual(['Set-Cookie: own=1']);
    },
  );

  test('an answer has one end on the wire, whatever its program says of it', async () => {
    const second = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil';
    reply = says(
      'HTTP/1.1 200 OK',
      'Transfer-Encoding: identity',
      'Connection: X-Own',
      'X-Own: 1',
      'Keep-Alive: 9',
      '',
      second,
    );
    const asked = `GET / HTTP/1.1\r\nHost: ${NOTEBOOK_HOST}\r\nCookie: ${VISIT_COOKIE}\r\n\r\n`;
    const got = await exchange(tenants, asked, (text) => /\r\n\r\n.*<p>/s.test(text));
    // Two readers may disagree about the end of an unknown coding: nothing of it is passed on.
    expect(got).toMatch(/^HTTP\/1\.1 502 /);
    expect(got).not.toMatch(/identity|x-own|keep-alive: 9|evil/i);
  });

  test('half an answer is half an answer to the visitor too', async () => {
    reply = ANSWERS['half a body'] as Buffer;
    const asked = `GET / HTTP/1.1\r\nHost: ${NOTEBOOK_HOST}\r\nCookie: ${VISIT_COOKIE}\r\n\r\n`;
    // The connection is kept alive unless the gateway closes it.
    expect(await exchange(tenants, asked)).toMatch(/half$/);
  });

  test('an endless answer to a handshake is not held in memory', async () => {
    reply = says('HTTP/1.1 200 OK', '', '');
    endless = Buffer.alloc(1 << 20, 'x');
    expect(await handshake()).toMatch(/^HTTP\/1\.1 200 /);
    expect(endlessBytes).toBeLessThan(64 << 20);
  });
});

describe('a download', () => {
  test('is never a page in the origin of the console', async () => {
    reply = says(
      'HTTP/1.1 200 OK',
      'Content-Type: text/html',
      'Content-Disposition: inline',
      'Set-Cookie: a=b',
      'Content-Length: 25',
      '',
      '<script>alert(1)</script>',
    );
    const got = await download();
    expect(await zip()).toMatch(/^content-type: application\/zip\r$/im);
    expect(got).toMatch(/^content-type: application\/octet-stream\r$/im);
    expect(got).toMatch(/^content-disposition: attachment/im);
    expect(got).toMatch(/^x-content-type-options: nosniff\r$/im);
    expect(got).not.toMatch(/set-cookie/i);
  });

  test.each(['HTTP/1.1 302 Found\r\nLocation: http://evil.example/', 'HTTP/1.1 203 No\r\nContent-Length: 0'])(
    'that its server answers with %j is the server’s failure',
    async (head) => {
      reply = says(head, '', '');
      expect(await download()).toMatch(/^HTTP\/1\.1 (502|503) /);
    },
  );
});
