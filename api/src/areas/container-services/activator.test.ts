// Published services on real sockets: replicas are local servers, one loopback address each.
import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { ContainerService } from '@gantry/contract/kinds/container-service.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import WebSocket, { WebSocketServer } from 'ws';
import { eventually } from '../../../../test/support/eventually.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { layShortWay } from '../../platform/relay/short-way.ts';
import type { Visit } from '../../platform/relay/visits.ts';
import { Activator } from './activator.ts';

const HOST = 'chat.acme.tenants.example';
const TOKEN = 'gty_ours';

const caller = (
  over: { organization?: string; role?: 'member' | 'viewer'; kind?: 'apiToken' | 'session'; scopes?: string[] } = {},
): Caller =>
  ({
    account: { id: 'acc-ann', name: 'ann', email: null, locale: 'en', platformRoles: [] },
    organization: {
      id: over.organization ?? 'acme',
      role: over.role ?? 'member',
      namespace: `org-${over.organization ?? 'acme'}`,
    },
    session: { id: 'ses-ann', kind: over.kind ?? 'apiToken', scopes: over.scopes ?? ['view', 'use'], expiresAt: 9e15 },
  }) as Caller;

const CALLERS: Readonly<Record<string, Caller>> = {
  [TOKEN]: caller(),
  gty_theirs: caller({ organization: 'other' }),
  gty_reads: caller({ scopes: ['view'] }),
  gty_viewer: caller({ role: 'viewer' }),
  session: caller({ kind: 'session' }),
};

interface Replica {
  server: Server;
  seen: { method: string; url: string; headers: IncomingHttpHeaders; body: string }[];
  sockets: WebSocketServer;
}

let port: number;
let replicas: Replica[];
let others: (Server | TcpServer)[];
let activator: Activator;
let front: Server;
let object: ContainerService;
let wakes: number;
let visits: Map<string, Visit>;
let tried: number;
let agents: Agent[];
/** Whether the gateway reads plain requests by itself. */
let isShort: boolean;

type Handler = (req: IncomingMessage, res: ServerResponse, body: string) => void;
const echo: Handler = (req, res, body) => void res.end(`${req.method} ${req.url} ${body}`);

async function replica(ip: string, handler: Handler = echo): Promise<Replica> {
  const one: Replica = {
    seen: [],
    sockets: new WebSocketServer({ noServer: true }),
    server: createServer(async (req, res) => {
      const body = req.url?.startsWith('/unread') ? '' : await text(req).catch(() => 'cut');
      one.seen.push({ method: req.method ?? '', url: req.url ?? '', headers: req.headers, body });
      handler(req, res, body);
    }),
  };
  one.server.on('upgrade', (req, socket, head) => {
    one.seen.push({ method: req.method ?? '', url: req.url ?? '', headers: req.headers, body: '' });
    one.sockets.handleUpgrade(req, socket, head, (ws) =>
      ws.on('message', (data, isBinary) => ws.send(data, { binary: isBinary })),
    );
  });
  one.server.listen(port, ip);
  await once(one.server, 'listening');
  port = (one.server.address() as AddressInfo).port;
  replicas.push(one);
  return one;
}

const pod = (at: number, phase = 'ready') => ({
  name: `chat-service-x-${at}`,
  uid: `p${at}`,
  podIP: `127.0.0.${at}`,
  phase,
});

function show(over: { spec?: object; status?: object; metadata?: object } = {}): void {
  object = {
    apiVersion: 'gantry.dev/v1alpha1',
    kind: 'ContainerService',
    metadata: { name: 'chat', namespace: 'org-acme', uid: 'uid-chat', ...over.metadata },
    spec: {
      power: 'Running',
      image: 'x',
      replicas: 1,
      ports: [{ port }],
      publish: { port, access: 'Public' },
      wake: { requests: 100, seconds: 120 },
      ...over.spec,
    },
    status: { phase: 'active', pods: [pod(1)], ...over.status },
  } as unknown as ContainerService;
  activator.services.update('org-acme', 'chat', object);
}
const asleep = { autoscaling: { min: 0, max: 3, scaleDownSeconds: 300, idleSeconds: 600 } };
const sleeping = { phase: 'sleeping', pods: [], scaling: { replicas: 0, because: 'Idle', at: '2026-01-01T00:00:00Z' } };

interface Got {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}
const get = (
  path = '/',
  {
    headers = {},
    method = 'GET',
    body,
    agent,
  }: { headers?: Record<string, string>; method?: string; body?: string | Buffer; agent?: Agent } = {},
): Promise<Got> =>
  new Promise((resolve, reject) => {
    // Without `Connection: close` what it sends is plain.
    const own = agent ?? (isShort ? keptOpen() : false);
    const asked = request(
      { port: portOf(front), path, method, headers: { host: HOST, ...headers }, agent: own },
      async (answer) =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: await text(answer).catch(() => 'cut'),
        }),
    );
    asked.on('error', reject);
    asked.end(body);
  });
function keptOpen(): Agent {
  const agent = new Agent({ keepAlive: true });
  agents.push(agent);
  return agent;
}
const portOf = (server: Server | TcpServer): number => (server.address() as AddressInfo).port;
/** The answer to these bytes, until the connection ends. */
const say = (bytes: string): Promise<string> => {
  const socket = connect(portOf(front), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(bytes);
  return text(socket).catch(() => '');
};
const meter = () => activator.services.at(HOST)?.meter;

describe.each([
  ['plain requests read at a glance', true],
  ['all requests read by Node', false],
])('with %s', (_name, short) => {
  beforeAll(() => {
    isShort = short;
  });
  beforeEach(async () => {
    port = 0;
    replicas = [];
    others = [];
    wakes = 0;
    tried = 0;
    visits = new Map();
    agents = [];
    activator = new Activator({
      origin: new URL('http://tenants.example'),
      access: {
        issue: async (who, target) => {
          visits.set('ticket', { caller: who, ...target });
          return 'ticket';
        },
        redeem: async (ticket) => visits.get(ticket),
        beginVisit: async (visit) => {
          visits.set('cookie', visit);
          return 'cookie';
        },
        visit: async (cookie) => (cookie === 'cookie' ? visits.get('cookie') : undefined),
      },
      logins: { holds: async () => true, follow: () => () => {} },
      authenticate: async (token) => CALLERS[token],
      attempts: { mayTry: async () => tried < 5, known: () => {}, inVain: async () => void tried++ },
      find: (namespace, id) => (namespace === 'org-acme' && id === 'chat' ? object : undefined),
      wake: async () => void wakes++,
      consolePage: (id) => `http://console.example/deploy/service/${id}`,
      addressOf: () => '192.0.2.7',
      languageOf: () => 'en',
      isAddress: () => true,
      clock: systemClock,
      log: { warn: () => {} },
    });
    front = createServer((req, res) => {
      if (!activator.answer(req, res)) res.writeHead(404).end('nobody');
    }).listen(0, '127.0.0.1');
    front.maxHeadersCount = 0;
    if (isShort)
      layShortWay(front, (req, reply) => activator.answerPlain(req, reply), { firstByteMs: 10_000, idleMs: 65_000 });
    front.on('upgrade', (req, socket, head) => {
      socket.on('error', () => {});
      if (!activator.upgrade(req, socket, head)) socket.destroy();
    });
    await once(front, 'listening');
  });
  afterEach(() => {
    activator.stop();
    for (const agent of agents) agent.destroy();
    for (const server of [front, ...replicas.map((one) => one.server), ...others]) {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
    }
  });

  describe('a request', () => {
    test('reaches the program with its body, and the program learns where it came from', async () => {
      const one = await replica('127.0.0.1');
      show();
      const answer = await get('/a?b=1', {
        method: 'POST',
        body: 'hello',
        headers: { 'x-own': '1', 'x-forwarded-for': '6.6.6.6', 'x-token': 'secret', forwarded: 'for=6' },
      });
      expect([answer.status, answer.body]).toEqual([200, 'POST /a?b=1 hello']);
      expect(one.seen[0]?.headers).toMatchObject({
        host: HOST,
        'x-own': '1',
        'x-forwarded-for': '192.0.2.7',
        'x-forwarded-proto': 'http',
        'x-forwarded-host': HOST,
      });
      for (const name of ['x-token', 'forwarded']) expect(one.seen[0]?.headers).not.toHaveProperty(name);
    });

    test('for a host that is no service’s is not ours', async () => {
      await replica('127.0.0.1');
      show();
      for (const host of ['other.acme.tenants.example', 'chat.other.tenants.example', 'tenants.example', '127.0.0.1'])
        expect(await get('/', { headers: { host } })).toMatchObject({ status: 404, body: 'nobody' });
      show({ spec: { publish: undefined } });
      expect((await get()).body).toBe('nobody');
    });

    test('finds its host in any case and with a port', async () => {
      await replica('127.0.0.1');
      show();
      expect((await get('/', { headers: { host: 'Chat.ACME.tenants.example:8082' } })).status).toBe(200);
    });

    test('goes to the replica that has the least to do', async () => {
      const slow: ServerResponse[] = [];
      const handler: Handler = (req, res) => (req.url === '/slow' ? void slow.push(res) : void res.end('ok'));
      const first = await replica('127.0.0.1', handler);
      const second = await replica('127.0.0.2', handler);
      show({ status: { pods: [pod(1), pod(2)] } });
      const held = [get('/slow'), get('/slow')];
      await eventually('both are busy', () => slow.length === 2);
      expect([first.seen.length, second.seen.length]).toEqual([1, 1]);
      slow[0]?.end();
      // Which of the two it answers depends on who came first.
      await Promise.race(held);
      const free = first.seen.length;
      for (let more = 0; more < 4; more++) await get('/quick');
      expect([first.seen.length - free, second.seen.length - free].sort()).toEqual([0, 4]);
      slow[1]?.end();
      await Promise.all(held);
    });

    test('that is under way when its replica leaves is answered, and no further one goes there', async () => {
      let finish: ServerResponse | undefined;
      const first = await replica('127.0.0.1', (req, res) => {
        if (req.url === '/slow') finish = res;
        else res.end('one');
      });
      await replica('127.0.0.2', (_req, res) => void res.end('two'));
      show();
      const slow = get('/slow');
      await eventually('it is there', () => finish !== undefined);
      show({ status: { pods: [pod(1, 'ending'), pod(2)] } });
      expect((await get()).body).toBe('two');
      finish?.end('late');
      expect((await slow).body).toBe('late');
      expect(first.seen.length).toBe(1);
    });

    test('keeps its connection, towards the visitor and towards the replica', async () => {
      const one = await replica('127.0.0.1');
      const ports = new Set<number | undefined>();
      one.server.on('request', (req) => ports.add(req.socket.remotePort));
      show();
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let more = 0; more < 5; more++) expect((await get('/', { agent })).status).toBe(200);
      agent.destroy();
      expect(ports.size).toBe(1);
    });
  });

  describe('streams', () => {
    test('events come as they are sent, the head before the first', async () => {
      let stream: ServerResponse | undefined;
      await replica('127.0.0.1', (_req, res) => {
        stream = res;
        res.writeHead(200, { 'content-type': 'text/event-stream' });
        res.flushHeaders();
      });
      show();
      const answer = await new Promise<IncomingMessage>((resolve) => {
        request({ port: portOf(front), headers: { host: HOST } }, resolve).end();
      });
      expect(answer.headers['content-type']).toBe('text/event-stream');
      for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
        stream?.write(event);
        const [chunk] = (await once(answer, 'data')) as [Buffer];
        expect(chunk.toString()).toBe(event);
      }
      answer.destroy();
      await eventually('the program learns that its reader has left', () => stream?.destroyed === true);
      await eventually('it is over', () => meter()?.inFlight === 0);
    });

    test('a slow reader holds the program back', async () => {
      let written = 0;
      const chunk = Buffer.alloc(64 * 1024);
      await replica('127.0.0.1', (_req, res) => {
        const more = () => {
          let hasRoom = true;
          while (hasRoom && written < 200 * 1024 * 1024 && !res.destroyed) {
            written += chunk.length;
            hasRoom = res.write(chunk);
          }
        };
        res.on('drain', more);
        more();
      });
      show();
      const answer = await new Promise<IncomingMessage>((resolve) => {
        request({ port: portOf(front), headers: { host: HOST } }, resolve).end();
      });
      let before = -1;
      await eventually('nothing more is written', async () => {
        const same = written === before;
        before = written;
        await delay(100);
        return same;
      });
      expect(written).toBeLessThan(50 * 1024 * 1024);
      answer.destroy();
    });

    test('whoever asks on without reading the answers is not read any more', async () => {
      const one = await replica('127.0.0.1', (_req, res) => void res.end(Buffer.alloc(15_000, 'a')));
      show();
      const socket = connect(portOf(front), '127.0.0.1');
      socket.pause();
      socket.on('error', () => {});
      for (let more = 1; more <= 3_000; more++) {
        const before = one.seen.length;
        socket.write(`GET /${more} HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
        // The next one comes when this one has been answered, or is not read any more.
        const isAnswered = () => one.seen.length > before && activator.services.at(HOST)?.underWay === 0;
        for (let turns = 0; turns < 200 && !isAnswered(); turns++) await new Promise(setImmediate);
      }
      let before = -1;
      await eventually('nothing more is asked', async () => {
        const same = one.seen.length === before;
        before = one.seen.length;
        await delay(100);
        return same;
      });
      expect(one.seen.length).toBeLessThan(2_000);
      socket.destroy();
    });

    test('a slow program holds the sender of a body back', async () => {
      let taken: IncomingMessage | undefined;
      await replica('127.0.0.1', (req) => {
        taken = req;
      });
      show();
      const asked = request({ port: portOf(front), path: '/unread', method: 'POST', headers: { host: HOST } });
      asked.on('error', () => {});
      let sent = 0;
      const chunk = Buffer.alloc(64 * 1024);
      const more = () => {
        while (sent < 100 * 1024 * 1024) {
          sent += chunk.length;
          if (!asked.write(chunk)) break;
        }
      };
      asked.on('drain', more);
      more();
      await eventually('the program has it', () => taken !== undefined);
      let before = -1;
      await eventually('nothing more is taken', async () => {
        const same = sent === before;
        before = sent;
        await delay(100);
        return same;
      });
      expect(sent).toBeLessThan(50 * 1024 * 1024);
      asked.destroy();
      // Only who reads learns that nothing more comes.
      taken?.resume();
      await eventually('it is over', () => meter()?.inFlight === 0);
    });

    test('an answer before the end of a body reaches its sender, whose connection ends', async () => {
      await replica('127.0.0.1', (_req, res) => {
        res.writeHead(413, { connection: 'close' });
        res.end('too much');
      });
      show();
      const asked = request({
        port: portOf(front),
        path: '/unread',
        method: 'POST',
        headers: { host: HOST },
        agent: keptOpen(),
      });
      asked.on('error', () => {});
      asked.write('some');
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      expect([answer.statusCode, answer.headers.connection, await text(answer)]).toEqual([413, 'close', 'too much']);
      asked.destroy();
      await eventually('it is over', () => meter()?.inFlight === 0);
    });

    test('a body in chunks arrives whole', async () => {
      await replica('127.0.0.1');
      show();
      const asked = request({ port: portOf(front), path: '/x', method: 'POST', headers: { host: HOST } });
      for (const part of ['one ', 'two ', 'three']) {
        asked.write(part);
        await delay(5);
      }
      asked.end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      expect(await text(answer)).toBe('POST /x one two three');
    });

    test('an answer of unknown length arrives whole, and its connection is used again', async () => {
      await replica('127.0.0.1', (_req, res) => {
        res.write('one ');
        setImmediate(() => res.end('two'));
      });
      show();
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      agents.push(agent);
      for (let more = 0; more < 3; more++) expect((await get('/', { agent })).body).toBe('one two');
      expect((await get('/', { agent, method: 'HEAD' })).body).toBe('');
      expect((await get('/', { agent })).body).toBe('one two');
    });

    test('a WebSocket carries bytes both ways', async () => {
      const one = await replica('127.0.0.1');
      show();
      const socket = new WebSocket(`ws://127.0.0.1:${portOf(front)}/live?x=1`, { headers: { host: HOST } });
      await once(socket, 'open');
      const bytes = Buffer.from(Array.from({ length: 256 }, (_, value) => value));
      socket.send(bytes);
      const [echoed] = (await once(socket, 'message')) as [Buffer];
      expect(echoed.equals(bytes)).toBe(true);
      expect(one.seen[0]).toMatchObject({ url: '/live?x=1', headers: { 'x-forwarded-for': '192.0.2.7' } });
      expect(meter()?.inFlight).toBe(1);
      socket.close();
      await eventually('it is over', () => meter()?.inFlight === 0);
      expect(meter()?.recent()[0]).toMatchObject({ status: 101, path: '/live' });
    });
  });

  describe('a replica that fails', () => {
    const dying = async (ip: string): Promise<() => number> => {
      let taken = 0;
      const server = createTcpServer((socket) => {
        socket.once('data', () => {
          taken++;
          socket.destroy();
        });
      }).listen(port, ip);
      others.push(server);
      await once(server, 'listening');
      return () => taken;
    };

    test('before a byte of the answer: an idempotent request goes to another one, once', async () => {
      const other = await replica('127.0.0.2');
      const taken = await dying('127.0.0.1');
      show({ status: { pods: [pod(1), pod(2)] } });
      for (let more = 0; more < 4; more++) expect((await get('/x')).status).toBe(200);
      expect(other.seen.length).toBe(4);
      expect(taken()).toBeLessThanOrEqual(4);
    });

    test('by closing a kept connection as a request comes: it is asked again over a new one, a POST is not', async () => {
      let asked = 0;
      const server = createTcpServer((socket) => {
        let count = 0;
        socket.on('error', () => {});
        socket.on('data', () => {
          asked++;
          if (count++ > 0) socket.destroy();
          else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
        });
      }).listen(0, '127.0.0.1');
      others.push(server);
      await once(server, 'listening');
      port = portOf(server);
      show();
      expect((await get('/1')).status).toBe(200);
      expect((await get('/2')).status).toBe(200);
      expect(asked).toBe(3);
      expect((await get('/3', { method: 'POST', body: 'pay' })).status).toBe(502);
      expect(asked).toBe(4);
    });

    test('all of them: the visitor gets a 502 in words', async () => {
      await replica('127.0.0.3');
      await dying('127.0.0.1');
      const second = await dying('127.0.0.2');
      show({ status: { pods: [pod(1), pod(2)] } });
      const answer = await get('/x', { headers: { accept: 'text/html' } });
      expect([answer.status, answer.body]).toEqual([502, expect.stringContaining('did not answer')]);
      expect(second()).toBe(1);
    });

    test('a POST that has reached it is not sent twice', async () => {
      const other = await replica('127.0.0.2');
      const taken = await dying('127.0.0.1');
      show({ status: { pods: [pod(1)] } });
      show({ status: { pods: [pod(1), pod(2)] } });
      const statuses: number[] = [];
      for (let more = 0; more < 2; more++) statuses.push((await get('/x', { method: 'POST', body: 'pay' })).status);
      expect(taken() + other.seen.length).toBe(2);
      expect(statuses.filter((status) => status === 502).length).toBe(taken());
    });

    test('a POST that nobody has taken goes to another one, with its body', async () => {
      const other = await replica('127.0.0.2');
      show({ status: { pods: [pod(1), pod(2)] } });
      for (let more = 0; more < 2; more++)
        expect((await get('/x', { method: 'POST', body: 'pay' })).body).toBe('POST /x pay');
      expect(other.seen.map(({ body }) => body)).toEqual(['pay', 'pay']);
    });

    test('within its answer: the visitor sees that it is cut off', async () => {
      await replica('127.0.0.1', (_req, res) => {
        res.writeHead(200, { 'content-length': '10' });
        res.write('half');
        setImmediate(() => res.destroy());
      });
      show();
      expect((await get()).body).toBe('cut');
    });

    test.each(
      Object.entries({
        'a status that is none': 'HTTP/1.1 000 Zero\r\nContent-Length: 2\r\n\r\nok',
        'no HTTP': 'SSH-2.0-OpenSSH_9.6\r\n',
        'two lengths': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok',
        'a switch of protocols that nobody asked for':
          'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
        'a huge head': `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
      }),
    )('with %s harms nobody', async (_name, reply) => {
      await replica('127.0.0.2');
      const server = createTcpServer((socket) => {
        socket.on('error', () => {});
        socket.once('data', () => socket.end(reply));
      }).listen(port, '127.0.0.1');
      others.push(server);
      await once(server, 'listening');
      show();
      expect((await get('/', { method: 'POST', body: 'x' })).status).toBe(502);
      show({ status: { pods: [pod(2)] } });
      expect((await get()).status).toBe(200);
    });
  });

  test('an answer of the gateway itself is no page of the service: it runs nothing and is framed by nobody', async () => {
    show({ spec: { power: 'Stopped' }, status: { phase: 'stopped', pods: [] } });
    const { status, headers } = await get('/', { headers: { accept: 'text/html' } });
    expect(status).toBe(503);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-content-type-options': 'nosniff',
    });
  });

  describe('hostile requests', () => {
    beforeEach(async () => {
      await replica('127.0.0.1');
      show();
    });

    test.each(
      Object.entries({
        'two lengths':
          'POST / HTTP/1.1\r\nHost: H\r\nContent-Length: 1\r\nContent-Length: 2\r\nConnection: close\r\n\r\nab',
        'a length and chunks':
          'POST / HTTP/1.1\r\nHost: H\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n',
        'another coding than chunks':
          'POST / HTTP/1.1\r\nHost: H\r\nTransfer-Encoding: gzip, chunked\r\nConnection: close\r\n\r\n0\r\n\r\n',
        'two hosts': 'GET / HTTP/1.1\r\nHost: H\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
        'an absolute form': 'GET http://evil.example/ HTTP/1.1\r\nHost: H\r\nConnection: close\r\n\r\n',
        'no path': 'OPTIONS * HTTP/1.1\r\nHost: H\r\nConnection: close\r\n\r\n',
        TRACE: 'TRACE / HTTP/1.1\r\nHost: H\r\nConnection: close\r\n\r\n',
        'a switch to h2c':
          'GET / HTTP/1.1\r\nHost: H\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAA\r\n\r\n',
      }),
    )('%s: refused, and nothing reaches the program', async (_name, bytes) => {
      expect(await say(bytes.replaceAll('Host: H', `Host: ${HOST}`))).toMatch(/^HTTP\/1\.1 400 /);
      expect(replicas[0]?.seen).toEqual([]);
    });

    test('headers that Connection names stay here', async () => {
      await get('/', {
        headers: { connection: 'close, x-secret', 'x-secret': '1', te: 'trailers', 'keep-alive': 'x' },
      });
      for (const name of ['x-secret', 'te', 'keep-alive'])
        expect(replicas[0]?.seen[0]?.headers).not.toHaveProperty(name);
    });

    test('what follows a body is another request, with its own checks', async () => {
      const answer = await say(
        `POST /a HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 2\r\n\r\nokGET /b HTTP/1.1\r\nHost: other.acme.tenants.example\r\nConnection: close\r\n\r\n`,
      );
      expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404']);
      expect(replicas[0]?.seen.map(({ url }) => url)).toEqual(['/a']);
    });

    test('cookies of the program are for its host, and none has our name', async () => {
      for (const one of replicas) one.server.close();
      replicas[0]?.server.closeAllConnections();
      await replica('127.0.0.1', (_req, res) => {
        res.setHeader('set-cookie', ['a=1; Domain=tenants.example', 'gantry-visit=x']);
        res.end();
      });
      expect((await get()).headers['set-cookie']).toEqual(['a=1']);
    });
  });

  describe('access', () => {
    const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    beforeEach(async () => void (await replica('127.0.0.1')));

    test('for tokens: one of the organisation that may use it, which the program does not see', async () => {
      show({ spec: { publish: { port, access: 'Tokens' } } });
      expect((await get('/', bearer(TOKEN))).status).toBe(200);
      expect(replicas[0]?.seen[0]?.headers).not.toHaveProperty('authorization');
      expect((await get('/')).status).toBe(401);
      for (const token of ['gty_theirs', 'gty_nobodys', 'gty_reads', 'gty_viewer', 'session'])
        expect((await get('/', bearer(token))).status).toBe(401);
      expect(replicas[0]?.seen.length).toBe(1);
    });

    test('for tokens: another organisation’s token is answered as one that does not exist', async () => {
      show({ spec: { publish: { port, access: 'Tokens' } } });
      const plain = ({ status, body, headers: { date: _, ...headers } }: Got) => ({ status, body, headers });
      expect(plain(await get('/', bearer('gty_theirs')))).toEqual(plain(await get('/', bearer('gty_nobodys'))));
    });

    test('for tokens: whoever guesses is stopped', async () => {
      show({ spec: { publish: { port, access: 'Tokens' } } });
      for (let more = 0; more < 5; more++) await get('/', bearer(`gty_${more}`));
      expect((await get('/', bearer('gty_6'))).status).toBe(429);
    });

    test('for members: a browser is sent to the console, and its ticket becomes a cookie', async () => {
      show({ spec: { publish: { port, access: 'Members' } } });
      const sent = await get('/', { headers: { accept: 'text/html' } });
      expect([sent.status, sent.headers.location]).toEqual([303, 'http://console.example/deploy/service/chat']);
      const { url } = await activator.issue(caller({ kind: 'session' }), 'chat');
      expect(url).toBe(`http://${HOST}/.gantry/enter?ticket=ticket`);
      const entered = await get('/.gantry/enter?ticket=ticket');
      expect(entered.status).toBe(303);
      const cookie = entered.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
      expect((await get('/x', { headers: { cookie: `own=1; ${cookie}`, authorization: 'Basic own' } })).status).toBe(
        200,
      );
      expect(replicas[0]?.seen.at(-1)?.headers).toMatchObject({ cookie: 'own=1', authorization: 'Basic own' });
      expect(
        (await get('/x', { method: 'POST', headers: { cookie, origin: 'http://evil.tenants.example' } })).status,
      ).toBe(403);
      expect((await get('/x', bearer(TOKEN))).status).toBe(200);
      expect((await get('/x')).status).toBe(401);
    });

    test('for members: a visit of another service or organisation opens nothing', async () => {
      show({ spec: { publish: { port, access: 'Members' } } });
      for (const visit of [
        { caller: caller({ organization: 'other' }), instance: 'chat', instanceUid: 'uid-chat', port },
        { caller: caller(), instance: 'chat', instanceUid: 'uid-before', port },
        { caller: caller(), instance: 'other', instanceUid: 'uid-chat', port },
      ]) {
        visits.set('cookie', visit);
        expect((await get('/x', { headers: { cookie: 'gantry-visit=cookie' } })).status).toBe(401);
        await delay(1_100);
      }
      expect(replicas[0]?.seen).toEqual([]);
    });

    test.each(['Tokens', 'Members'])('for %s: a browser’s preflight gets the program’s answer', async (access) => {
      const preflight = { origin: 'http://page.example', 'access-control-request-method': 'POST' };
      for (const one of replicas) one.server.close();
      replicas[0]?.server.closeAllConnections();
      const one = await replica('127.0.0.1', (_req, res) => {
        res.writeHead(204, { 'access-control-allow-origin': 'http://page.example' }).end();
      });
      show({ spec: { publish: { port, access } } });
      expect(await get('/x', { method: 'OPTIONS', headers: preflight })).toMatchObject({
        status: 204,
        headers: { 'access-control-allow-origin': 'http://page.example' },
      });
      for (const [method, headers, body] of [
        ['OPTIONS', { origin: 'http://page.example' }, undefined],
        ['OPTIONS', { 'access-control-request-method': 'POST' }, undefined],
        ['OPTIONS', { ...preflight, cookie: 'a=1' }, undefined],
        ['OPTIONS', { ...preflight, authorization: 'Bearer guessed' }, undefined],
        ['OPTIONS', { ...preflight, 'content-length': '11' }, 'with a body'],
        ['GET', preflight, undefined],
      ] as const)
        expect((await get('/x', { method, headers, ...(body && { body }) })).status).toBe(401);
      expect(one.seen.length).toBe(1);
    });

    test('for tokens: a preflight neither wakes a service nor keeps it awake', async () => {
      const headers = { origin: 'http://page.example', 'access-control-request-method': 'POST' };
      show({ spec: { publish: { port, access: 'Tokens' }, ...asleep }, status: sleeping });
      expect((await get('/', { method: 'OPTIONS', headers })).status).toBe(503);
      expect(wakes).toBe(0);
      show({ spec: { publish: { port, access: 'Tokens' }, ...asleep } });
      expect((await get('/', { method: 'OPTIONS', headers })).status).toBe(200);
      expect(meter()?.lastActiveAt).toBe(0);
    });

    test('for all: a token of ours that somebody sends all the same stays here, another one does not', async () => {
      show();
      await get('/', bearer(TOKEN));
      await get('/', bearer('sk-their-own'));
      expect(replicas[0]?.seen.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer sk-their-own']);
    });

    test('a link is for members of its organisation, to what is published', async () => {
      show();
      expect(await activator.issue(caller(), 'chat')).toEqual({ url: `http://${HOST}/` });
      await expect(activator.issue(caller({ organization: 'other' }), 'chat')).rejects.toMatchObject({
        problem: 'not_found',
      });
      show({ spec: { publish: undefined } });
      await expect(activator.issue(caller(), 'chat')).rejects.toMatchObject({ problem: 'not_published' });
    });
  });

  describe('a service that sleeps', () => {
    test('is woken once by fifty requests at a time, and none is lost', async () => {
      await replica('127.0.0.1');
      show({ spec: asleep, status: sleeping });
      const all = Array.from({ length: 50 }, (_, at) => get(`/${at}`, { method: 'POST', body: `body ${at}` }));
      await eventually('all wait', () => meter()?.waiting === 50);
      expect(wakes).toBe(1);
      show({ spec: asleep, status: { ...sleeping, phase: 'waking', scaling: { replicas: 1 } } });
      expect(meter()?.waiting).toBe(50);
      show({ spec: asleep, status: { pods: [pod(1)] } });
      const answers = await Promise.all(all);
      expect(answers.map(({ body }) => body)).toEqual(answers.map((_, at) => `POST /${at} body ${at}`));
      expect(wakes).toBe(1);
      expect([meter()?.inFlight, meter()?.waiting]).toEqual([0, 0]);
    });

    test('answers the 101st with 503 and when to come again', async () => {
      await replica('127.0.0.1');
      show({ spec: asleep, status: sleeping });
      const all = Array.from({ length: 100 }, () => get());
      await eventually('all wait', () => meter()?.waiting === 100);
      const refused = await get('/', { headers: { accept: 'application/json' } });
      expect([refused.status, refused.headers['retry-after'], JSON.parse(refused.body)]).toEqual([
        503,
        '5',
        { error: 'too_many_waiting', message: expect.any(String) },
      ]);
      show({ spec: asleep, status: { pods: [pod(1)] } });
      expect((await Promise.all(all)).every(({ status }) => status === 200)).toBe(true);
    });

    test('answers whoever waited too long, and forgets whoever left', async () => {
      await replica('127.0.0.1');
      show({ spec: { ...asleep, wake: { requests: 100, seconds: 1 } }, status: sleeping });
      const asked = request({ port: portOf(front), headers: { host: HOST } });
      asked.on('error', () => {});
      asked.end();
      await eventually('it waits', () => meter()?.waiting === 1);
      const late = get();
      await eventually('both wait', () => meter()?.waiting === 2);
      asked.destroy();
      await eventually('one has left', () => meter()?.waiting === 1);
      expect(await late).toMatchObject({ status: 503, headers: { 'retry-after': '10' } });
      expect([meter()?.waiting, meter()?.inFlight]).toEqual([0, 0]);
      expect(
        meter()
          ?.recent()
          .map(({ status }) => status)
          .sort(),
      ).toEqual([499, 503]);
    });

    test('holds WebSockets, too', async () => {
      await replica('127.0.0.1');
      show({ spec: asleep, status: sleeping });
      const socket = new WebSocket(`ws://127.0.0.1:${portOf(front)}/`, { headers: { host: HOST } });
      await eventually('it waits', () => meter()?.waiting === 1);
      show({ spec: asleep, status: { pods: [pod(1)] } });
      await once(socket, 'open');
      socket.close();
    });

    test.each([
      { 'user-agent': 'kube-probe/1.34' },
      { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
      { 'user-agent': 'UptimeRobot/2.0' },
    ])('is not woken by %j', async (headers) => {
      show({ spec: asleep, status: sleeping });
      expect(await get('/', { headers })).toMatchObject({ status: 503, body: expect.stringContaining('asleep') });
      expect([wakes, meter()?.lastActiveAt]).toEqual([0, 0]);
    });

    test('is not woken by a bare look at its readiness path, but by a person there', async () => {
      show({ spec: { ...asleep, readiness: { path: '/ready', timeoutSeconds: 2 } }, status: sleeping });
      expect((await get('/ready?x')).status).toBe(503);
      expect(wakes).toBe(0);
      void get('/ready', { headers: { cookie: 'a=1' } }).catch(() => {});
      await eventually('it is woken', () => wakes === 1);
    });

    test.each(
      Object.entries<[object, object, number]>({
        'is stopped': [{ power: 'Stopped' }, { phase: 'stopped', pods: [] }, 503],
        'is set to no replicas': [{ replicas: 0 }, { phase: 'sleeping', pods: [] }, 503],
        'cannot start': [{}, { phase: 'failed', reason: 'NotReady', pods: [] }, 503],
        'has no credit': [{}, { phase: 'preparing', reason: 'OutOfCredit', pods: [] }, 402],
      }),
    )('and %s answers at once', async (_name, [spec, status, code]) => {
      show({ spec, status });
      expect((await get()).status).toBe(code);
      expect(wakes).toBe(0);
    });

    test('and turns out to have no credit tells whoever waits', async () => {
      show({ spec: asleep, status: sleeping });
      const held = get();
      await eventually('it waits', () => meter()?.waiting === 1);
      show({ spec: asleep, status: { phase: 'preparing', reason: 'OutOfCredit', pods: [] } });
      expect((await held).status).toBe(402);
    });

    test('and is deleted tells whoever waits', async () => {
      show({ spec: asleep, status: sleeping });
      const held = get();
      await eventually('it waits', () => meter()?.waiting === 1);
      activator.services.update('org-acme', 'chat', undefined);
      expect((await held).status).toBe(503);
    });
  });

  test('the log of requests has no query, and a check is not activity', async () => {
    await replica('127.0.0.1');
    show();
    await get('/a?token=secret');
    // A request is noted a moment after its answer has ended.
    await eventually('the first is noted', () => meter()?.recent().length === 1);
    await get('/b', { headers: { 'user-agent': 'Prometheus/2.0' } });
    await eventually('so is the check', () => meter()?.recent().length === 2);
    const [check, first] = meter()?.recent() ?? [];
    expect(first).toMatchObject({
      method: 'GET',
      path: '/a',
      status: 200,
      replica: 'chat-service-x-1',
      isCheck: false,
      bytes: 20,
    });
    expect(check).toMatchObject({ path: '/b', isCheck: true });
  });
});
