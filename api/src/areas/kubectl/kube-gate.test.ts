// The gate over loopback, before an API server played by the test: whatever it is asked and answers is at the wire.
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '../../../../test/support/eventually.ts';
import { LoginWatch } from '../../core/identity/sessions/login-watch.ts';
import { RateLimits } from '../../platform/http/rate-limits.ts';
import { type Serving, serveHttp, takeUpgrades } from '../../platform/http/serve-http.ts';
import { KubeGate } from './kube-gate.ts';
import type { Grant } from './minted-tokens.ts';

const LOOK_MS = 500;
const RENEWED_AFTER_MS = 300_000;

const grant = (id: string, accountId: string): Grant => ({
  id,
  secretUid: `uid-${id}`,
  accountId,
  namespace: 'org-acme',
});

/** The API server. */
class Upstream {
  readonly seen: Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders' | 'headers'>[] = [];
  readonly sockets = new Set<Socket>();
  answer: (req: IncomingMessage, res: ServerResponse) => void = (_, res) => void res.end('{}');
  upgrade: (req: IncomingMessage, socket: Duplex, head: Buffer) => void = (_, socket) => void socket.destroy();
  readonly #server = createServer((req, res) => {
    this.#note(req);
    this.answer(req, res);
  });

  async start(): Promise<URL> {
    this.#server.on('upgrade', (req, socket, head) => {
      this.#note(req);
      socket.on('error', () => {});
      this.upgrade(req, socket, head);
    });
    this.#server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/prefix`);
  }

  #note({ method, url, rawHeaders, headers }: IncomingMessage): void {
    this.seen.push({ method, url, rawHeaders, headers });
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    if (this.#server.listening) await once(this.#server.close(), 'close');
  }
}

let clock: SteppedClock;
let upstream: Upstream;
let good: Map<string, Grant>;
let limits: RateLimits;
let mint: () => Promise<{ token: string } | undefined>;
let asked: object[];
let warned: string[];
let gate: KubeGate;
let serving: Serving;
let agent: Agent;

beforeEach(async () => {
  clock = new SteppedClock();
  upstream = new Upstream();
  const server = await upstream.start();
  good = new Map([
    ['of-ann', grant('kubeconfig-ann', 'acc-ann')],
    ['of-ann-too', grant('kubeconfig-too', 'acc-ann')],
    ['of-bob', grant('kubeconfig-bob', 'acc-bob')],
  ]);
  limits = new RateLimits(1000);
  let minted = 0;
  mint = async () => ({ token: `minted-${++minted}` });
  asked = [];
  warned = [];
  const grants = new LoginWatch<Grant>({
    clock,
    readAccess: async () => new Map([...good.values()].map(({ id }) => [id, { mayUse: true }])),
  });
  agent = new Agent({ keepAlive: true });
  gate = new KubeGate({
    grantOf: async (token) => good.get(token),
    grants,
    issue(wanted) {
      asked.push(wanted);
      return mint();
    },
    upstream: async () => ({ server, agent }),
    limits: {
      mayTry: (...args) => limits.mayTry(...args),
      inVain: (...args) => limits.inVain(...args),
      known: (...args) => limits.known(...args),
      session: (...args) => limits.session(...args),
    },
    addressOf: () => '192.0.2.1',
    clock,
    log: { warn: ({ err }: { err: Error }) => void warned.push(err.message) } as never,
  });
  serving = await serveHttp((req, res) => gate.answer(req, res), { host: '127.0.0.1', port: 0 });
  takeUpgrades(
    serving.server,
    (req, socket, head) => gate.upgrade(req, socket, head),
    (error) => {
      throw error;
    },
  );
});
afterEach(async () => {
  gate.endStreams();
  await upstream.stop();
  agent.destroy();
  serving.server.closeAllConnections();
  await serving.stop();
});

interface Ask {
  token?: string;
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string;
}

/** Resolves with the answer's beginning. */
async function ask(path: string, { token = 'of-ann', method = 'GET', headers = {}, body }: Ask = {}) {
  const sent = request(serving.url + path, {
    method,
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
  });
  sent.on('error', () => {});
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.on('error', () => {});
  return { answer, sent };
}

async function statusOf(path: string, wanted: Ask = {}) {
  const { answer } = await ask(path, wanted);
  const status = JSON.parse(await text(answer));
  return { http: answer.statusCode, status, retryAfter: answer.headers['retry-after'] };
}

/** Requests a protocol switch; resolves with the outcome. */
async function shake(path: string, protocol = 'SPDY/3.1', token = 'of-ann') {
  const sent = request(serving.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, connection: 'Upgrade', upgrade: protocol },
  });
  const { promise, resolve } = Promise.withResolvers<{ answer: IncomingMessage; socket?: Duplex; first?: Buffer }>();
  sent.on('error', () => {});
  sent.once('response', (answer) => resolve({ answer }));
  sent.once('upgrade', (answer, socket, first) => {
    socket.on('error', () => {});
    resolve({ answer, socket, first });
  });
  sent.end();
  return promise;
}

/** However it closes. */
const closed = (stream: IncomingMessage | Duplex): Promise<void> =>
  new Promise((resolve) => void stream.resume().once('close', resolve));

const echo = (protocol = 'SPDY/3.1') => {
  upstream.upgrade = (_, socket) => {
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\nX-Stream: v4\r\n\r\nhello `,
    );
    socket.pipe(socket);
  };
};

/** Two lines of a watch, then silence. */
const watch = () => {
  upstream.answer = (_, res) => {
    res.writeHead(200, { 'content-type': 'application/json' });
    res.write('{"type":"ADDED"}\n');
  };
};

test('a request is passed on as the member, by a token that is minted once, and nothing of the client’s identity is', async () => {
  upstream.answer = (_, res) =>
    void res.writeHead(200, { 'x-audit': 'yes', connection: 'x-inner', 'x-inner': '1' }).end('{"items":[]}');
  const { answer } = await ask('/api/v1/pods?limit=5', {
    headers: {
      'Impersonate-User': 'system:admin',
      'Impersonate-Group': ['system:masters', 'x'],
      'Impersonate-Extra-scopes': 'all',
      'X-Remote-User': 'admin',
      'X-Remote-Group': 'system:masters',
      'X-Forwarded-For': '10.0.0.1',
      Cookie: 'a=b',
      Connection: 'X-Hop',
      'X-Hop': 'here alone',
      Accept: 'application/json',
      'X-Stream-Protocol-Version': ['v5', 'v4'],
    },
  });
  expect(await text(answer)).toBe('{"items":[]}');
  expect(answer.headers).toMatchObject({ 'x-audit': 'yes' });
  expect(answer.headers).not.toHaveProperty('x-inner');
  const [seen] = upstream.seen;
  expect(seen).toMatchObject({ method: 'GET', url: '/prefix/api/v1/pods?limit=5' });
  const raw = seen?.rawHeaders ?? [];
  const sent = raw.flatMap((word, at) => (at % 2 ? [] : [`${word.toLowerCase()}: ${raw[at + 1]}`]));
  expect(sent.filter((line) => !/^(host|connection):/.test(line)).sort()).toEqual([
    'accept: application/json',
    'authorization: Bearer minted-1',
    'x-forwarded-for: 192.0.2.1',
    'x-stream-protocol-version: v4',
    'x-stream-protocol-version: v5',
  ]);
  await text((await ask('/version')).answer);
  expect(asked).toEqual([
    { namespace: 'org-acme', name: 'kubeconfig-ann', uid: 'uid-kubeconfig-ann', account: 'acc-ann', seconds: 600 },
  ]);
});

test('a token is minted anew long before its end, and once the API server refuses it', async () => {
  const used = async () => {
    await text((await ask('/version')).answer);
    return upstream.seen.at(-1)?.headers.authorization;
  };
  expect([await used(), await used()]).toEqual(['Bearer minted-1', 'Bearer minted-1']);
  await clock.step(RENEWED_AFTER_MS);
  expect(await used()).toBe('Bearer minted-2');
  upstream.answer = (_, res) => void res.writeHead(401).end();
  expect([await used(), await used()]).toEqual(['Bearer minted-2', 'Bearer minted-3']);
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
  'a body of a %s is framed as it came, chunk by chunk or counted',
  async (method) => {
    upstream.answer = (req, res) => void req.pipe(res);
    for (const headers of [{ 'transfer-encoding': 'chunked' }, { 'content-length': '25' }]) {
      const { answer } = await ask('/apis', { method, headers, body: 'GET /smuggled HTTP/1.1\r\n\r' });
      expect(await text(answer)).toBe('GET /smuggled HTTP/1.1\r\n\r');
      expect(upstream.seen.at(-1)?.headers).toMatchObject(headers);
    }
    expect(upstream.seen).toHaveLength(2);
  },
);

test.each([
  ['GET', 'Content-Length: 24'],
  ['DELETE', 'Content-Length: 24'],
  ['OPTIONS', 'Content-Length: 24'],
  ['DELETE', 'Transfer-Encoding: chunked'],
])('a %s hides no request behind many headers and %s', async (method, frame) => {
  upstream.answer = (req, res) => void req.pipe(res);
  const hidden = 'GET /hidden HTTP/1.1\r\nX:';
  const body = frame.startsWith('Content') ? hidden : `18\r\n${hidden}\r\n0\r\n\r\n`;
  const fillers = Array.from({ length: 300 }, (_, at) => `X-${at}: 1\r\n`).join('');
  const socket = connect(Number(new URL(serving.url).port), '127.0.0.1');
  socket.write(
    `${method} /apis HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer of-ann\r\n${fillers}${frame}\r\n\r\n${body}`,
  );
  await eventually('it is answered', () => upstream.seen.length === 1);
  await text((await ask('/version', { token: 'of-bob' })).answer);
  expect(upstream.seen.map(({ url }) => url)).toEqual(['/prefix/apis', '/prefix/version']);
  expect(upstream.seen[0]?.headers).toMatchObject(
    frame.startsWith('Content') ? { 'content-length': '24' } : { 'transfer-encoding': 'chunked' },
  );
  socket.destroy();
});

test('events of a watch come as they are sent', async () => {
  let stream: ServerResponse | undefined;
  upstream.answer = (_, res) => {
    stream = res;
    res.writeHead(200).flushHeaders();
  };
  const { answer } = await ask('/api/v1/pods?watch=1');
  for (const event of ['one\n', 'two\n']) {
    stream?.write(event);
    expect(`${(await once(answer, 'data'))[0]}`).toBe(event);
  }
});

test('bytes that a client does not read are not read from the API server either', async () => {
  const chunk = Buffer.alloc(1 << 20);
  const TOTAL = 200;
  let sent = 0;
  upstream.answer = (_, res) => {
    const more = () => {
      while (sent < TOTAL) {
        sent++;
        if (!res.write(chunk)) return void res.once('drain', more);
      }
      res.end();
    };
    more();
  };
  const { answer } = await ask('/api/v1/pods/x/log');
  answer.pause();
  let before = -1;
  await eventually('it stands still', async () => {
    await text((await ask('/version', { token: '' })).answer);
    const stands = sent === before;
    before = sent;
    return stands;
  });
  expect(sent).toBeLessThan(TOTAL / 2);
  let read = 0;
  for await (const part of answer) read += part.length;
  expect(read).toBe(TOTAL << 20);
});

test('half an answer is cut off, and does not look whole', async () => {
  upstream.answer = (req, res) => {
    res.write('half');
    setImmediate(() => req.socket.destroy());
  };
  const { answer } = await ask('/api/v1/pods');
  await closed(answer);
  expect(answer.complete).toBe(false);
});

test('a request that a client aborts is aborted at the API server', async () => {
  watch();
  const { answer, sent } = await ask('/api/v1/pods?watch=1');
  await once(answer, 'data');
  sent.destroy();
  await eventually('it is gone', () => upstream.sockets.size === 0);
});

test('requests that wait behind another on their connection go with it', async () => {
  watch();
  const socket = connect(Number(new URL(serving.url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write('GET /api?watch=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer of-ann\r\n\r\n'.repeat(200));
  await eventually('all are under way', () => upstream.sockets.size === 200);
  expect((await statusOf('/api')).http).toBe(429);
  socket.destroy();
  await eventually('all are gone', () => upstream.sockets.size === 0);
  expect((await ask('/api?watch=1')).answer.statusCode).toBe(200);
});

describe('a switch of protocols', () => {
  test.each(['SPDY/3.1', 'websocket'])('a switch to %s is passed on raw, both ways', async (protocol) => {
    echo(protocol);
    const { answer, socket, first } = await shake('/api/v1/namespaces/org-acme/pods/dev-0/exec', protocol);
    expect(answer.headers).toMatchObject({ upgrade: protocol, 'x-stream': 'v4' });
    expect(upstream.seen[0]?.headers).toMatchObject({ upgrade: protocol, authorization: 'Bearer minted-1' });
    let said = `${first}`;
    socket?.on('data', (bytes) => {
      said += bytes;
    });
    socket?.write('world');
    await eventually('it comes back', () => said === 'hello world');
    socket?.destroy();
    await eventually('it is gone', () => upstream.sockets.size === 0);
  });

  test('a refused switch shows the API server’s own words, however long', async () => {
    const words = 'x'.repeat(1 << 20);
    upstream.upgrade = (_, socket) =>
      void socket.end(`HTTP/1.1 403 Forbidden\r\nContent-Length: ${words.length}\r\n\r\n${words}`);
    const { answer } = await shake('/exec');
    expect([answer.statusCode, await text(answer)]).toEqual([403, words]);
  });

  test('a switch to what nobody asked for is refused', async () => {
    echo('websocket');
    const { answer } = await shake('/exec');
    expect(answer.statusCode).toBe(502);
    expect(JSON.parse(await text(answer))).toMatchObject({ kind: 'Status', reason: 'InternalError' });
  });

  test('a switch asked for behind an unanswered request ends that connection alone', async () => {
    upstream.answer = () => {};
    const socket = connect(Number(new URL(serving.url).port), '127.0.0.1');
    socket.on('error', () => {});
    const head = 'Host: x\r\nAuthorization: Bearer of-ann\r\n';
    serving.server.removeAllListeners('upgrade');
    takeUpgrades(
      serving.server,
      (...args) => gate.upgrade(...args),
      () => {},
    );
    socket.write(
      `GET /a HTTP/1.1\r\n${head}\r\nGET /b HTTP/1.1\r\n${head}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    await once(socket.resume(), 'close');
    expect((await ask('/version', { token: '' })).answer.statusCode).toBe(401);
  });
});

describe('a kubeconfig that is not good any more', () => {
  test('a lost kubeconfig loses its watches and execs at the next look; others keep theirs', async () => {
    watch();
    echo();
    const lost = [await ask('/api/v1/pods?watch=1'), await ask('/api/v1/pods/x/log?follow=true')];
    const exec = await shake('/exec');
    const kept = await ask('/api/v1/pods?watch=1', { token: 'of-ann-too' });
    const ends = [...lost.map(({ answer }) => closed(answer)), closed(exec.socket as Duplex)];
    good.delete('of-ann');
    await clock.step(LOOK_MS);
    await Promise.all(ends);
    expect(lost.map(({ answer }) => answer.complete)).toEqual([false, false]);
    expect(kept.answer.destroyed).toBe(false);
    await eventually('the API server has one left', () => upstream.sockets.size === 1);
    expect((await statusOf('/version')).http).toBe(401);
  });

  test('a lost kubeconfig is refused where the API server had not answered yet', async () => {
    upstream.answer = () => {};
    const waiting = statusOf('/api/v1/pods');
    await eventually('it is under way', () => upstream.seen.length === 1);
    good.delete('of-ann');
    await clock.step(LOOK_MS);
    expect(await waiting).toMatchObject({ http: 401, status: { reason: 'Unauthorized' } });
    await eventually('it is called off', () => upstream.sockets.size === 0);
  });

  test.each(['after the look', 'before it'])(
    'a request that waited for a token while its kubeconfig was lost is not passed on (%s)',
    async (when) => {
      const { promise, resolve } = Promise.withResolvers<{ token: string }>();
      mint = () => promise;
      const waiting = statusOf('/api/v1/pods');
      await eventually('it waits', () => asked.length === 1);
      good.delete('of-ann');
      if (when === 'after the look') await clock.step(LOOK_MS);
      resolve({ token: 'late' });
      expect(await waiting).toMatchObject({ http: 401 });
      expect(upstream.seen).toEqual([]);
    },
  );
});

describe('refusals are what kubectl can show', () => {
  test.each<[string, Ask, RegExp]>([
    ['no token', { token: '' }, /unknown, expired or revoked/],
    ['an unknown token', { token: 'nobody' }, /unknown, expired or revoked/],
    ['a password', { token: '', headers: { authorization: 'Basic YTpi' } }, /unknown, expired or revoked/],
  ])('%s is refused', async (_, wanted, words) => {
    const { http, status } = await statusOf('/api', wanted);
    expect([http, status]).toEqual([
      401,
      {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: expect.stringMatching(words),
        reason: 'Unauthorized',
        code: 401,
      },
    ]);
    expect(upstream.seen).toEqual([]);
  });

  test('whoever guesses is refused, while whoever is known goes on', async () => {
    limits = new RateLimits(3);
    await text((await ask('/version')).answer);
    for (let guess = 0; guess < 3; guess++) await statusOf('/api', { token: `guess-${guess}` });
    const { http, status, retryAfter } = await statusOf('/api', { token: 'guess' });
    expect([http, status.reason, Number(retryAfter)]).toEqual([429, 'TooManyRequests', expect.any(Number)]);
    expect((await ask('/version')).answer.statusCode).toBe(200);
  });

  test('an account has at most 200 requests open, by whichever kubeconfig', async () => {
    watch();
    const open = await Promise.all(
      Array.from({ length: 200 }, (_, at) => ask('/api?watch=1', { token: at % 2 ? 'of-ann' : 'of-ann-too' })),
    );
    expect(await statusOf('/api')).toMatchObject({ http: 429, status: { reason: 'TooManyRequests' }, retryAfter: '1' });
    expect((await ask('/api?watch=1', { token: 'of-bob' })).answer.statusCode).toBe(200);
    open[0]?.sent.destroy();
    await eventually('there is room', async () => {
      const { answer, sent } = await ask('/api?watch=1');
      sent.destroy();
      return answer.statusCode === 200;
    });
  });

  test('an API server that is away, or gives no token, is a 503', async () => {
    await text((await ask('/version')).answer);
    mint = async () => undefined;
    expect(await statusOf('/api', { token: 'of-bob' })).toMatchObject({ http: 503, retryAfter: '2' });
    mint = () => Promise.reject(new Error('no answer'));
    expect(await statusOf('/api', { token: 'of-bob' })).toMatchObject({
      http: 503,
      status: { reason: 'ServiceUnavailable' },
    });
    await upstream.stop();
    expect(await statusOf('/api')).toMatchObject({ http: 503, status: { reason: 'ServiceUnavailable' } });
    expect((await shake('/exec')).answer.statusCode).toBe(503);
    expect(warned).toEqual(['no answer', ...Array(2).fill(expect.stringContaining('ECONN'))]);
  });

  test('a request that names no path of the API server is refused', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const socket = connect(Number(new URL(serving.url).port), '127.0.0.1', () =>
      socket.write(
        'GET http://10.0.0.1/ HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer of-ann\r\nConnection: close\r\n\r\n',
      ),
    );
    text(socket).then(resolve, () => resolve(''));
    expect(await promise).toMatch(/^HTTP\/1\.1 400 .*"reason":"BadRequest"/s);
    expect(upstream.seen).toEqual([]);
  });
});

test('a stop takes nothing new, ends streams in order, and lets the rest finish', async () => {
  const answers: ServerResponse[] = [];
  upstream.answer = (_, res) => void answers.push(res.writeHead(200).flushHeaders() ?? res);
  echo();
  const watched = await ask('/api/v1/pods?watch');
  const listed = await ask('/api/v1/pods?watch=false');
  const exec = await shake('/exec');
  const ended = closed(exec.socket as Duplex);
  gate.endStreams();
  await closed(watched.answer);
  await ended;
  expect(watched.answer.complete).toBe(true);
  expect(await statusOf('/api')).toMatchObject({ http: 503, retryAfter: '1' });
  answers[1]?.end('all of it');
  expect(await text(listed.answer)).toBe('all of it');
});
