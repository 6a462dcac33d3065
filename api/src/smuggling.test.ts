// Every relay of the gateway under the corpus of test/support/smuggling, on real sockets: no byte of one visitor reaches another,
// however a program reads requests, and no byte that a program adds to an answer is somebody else's answer.
import { once } from 'node:events';
import { Agent, type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { TERMINAL_PATH } from '@gantry/contract/areas/instances/terminal.ts';
import type { ContainerService } from '@gantry/contract/kinds/container-service.ts';
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import WebSocket from 'ws';
import { eventually } from '../../test/support/eventually.ts';
import { PodApiServer } from '../../test/support/pod-api-server.ts';
import {
  ANN,
  attemptsWithoutLimit,
  loginsThatLast,
  NOTEBOOK_HOST,
  NOTEBOOK_PORT,
  openNotebook,
  tinyModel,
  VISIT_COOKIE,
} from '../../test/support/relay-parts.ts';
import { ANSWERS } from '../../test/support/smuggling/answers.ts';
import { FORMS, type Form, NOT_TO_BE_NAMED, type Sender } from '../../test/support/smuggling/forms.ts';
import { HANDSHAKES, handshakeOf, SWITCHES } from '../../test/support/smuggling/handshakes.ts';
import { PROGRAMS, type ProgramName, RecordingProgram } from '../../test/support/smuggling/program.ts';
import { Activator } from './areas/container-services/activator.ts';
import { Routes } from './areas/inference/aliases.ts';
import { Completions } from './areas/inference/completions.ts';
import { KeyLimits } from './areas/inference/key-limits.ts';
import { NOTHING_HELD } from './areas/inference/money.ts';
import { Models } from './areas/inference/serving.ts';
import { Terminals } from './areas/instances/terminals/terminals.ts';
import { KubeGate } from './areas/kubectl/kube-gate.ts';
import { SHORT_WAY_LIMITS, serveHttp, takeUpgrades } from './platform/http/serve-http.ts';
import { layShortWay } from './platform/relay/short-way.ts';

const log = { warn: () => {}, error: () => {} };

/** A relay of the gateway in front of a program. */
interface Relay {
  port: number;
  program: RecordingProgram;
  sender(marker: string): Sender;
  /** Its clients' own headers reach the program. */
  passesHeaders: boolean;
  stop(): Promise<void>;
}

const senderOf = (marker: string, over: Partial<Sender> & Pick<Sender, 'host'>): Sender => ({
  method: 'POST',
  path: '/',
  credentials: [`X-Visitor: ${marker}`, `Cookie: of=${marker}`],
  body: `body of ${marker}`,
  marker,
  ...over,
});

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const fault = (error: unknown) => {
  throw error;
};

async function activator(isShort: boolean): Promise<Relay> {
  const program = new RecordingProgram();
  const port = await program.listen();
  const host = 'chat.acme.tenants.example';
  const relay = new Activator({
    origin: new URL('http://tenants.example'),
    access: {
      issue: async () => 'ticket',
      redeem: async () => undefined,
      beginVisit: async () => 'cookie',
      visit: async () => undefined,
    },
    logins: loginsThatLast,
    authenticate: async () => undefined,
    attempts: attemptsWithoutLimit,
    find: () => undefined,
    wake: async () => {},
    consolePage: () => '',
    addressOf: () => '192.0.2.7',
    languageOf: () => 'en',
    isAddress: () => true,
    clock: systemClock,
    log,
  });
  relay.services.update('org-acme', 'chat', {
    metadata: { name: 'chat', namespace: 'org-acme', uid: 'uid-chat' },
    spec: {
      power: 'Running',
      replicas: 1,
      ports: [{ port }],
      publish: { port, access: 'Public' },
      wake: { requests: 100, seconds: 120 },
    },
    status: { phase: 'active', pods: [{ name: 'chat-1', uid: 'p1', podIP: '127.0.0.1', phase: 'ready' }] },
  } as unknown as ContainerService);
  const { server, stop } = await serveHttp((req, res) => void (relay.answer(req, res) || res.writeHead(404).end()), {
    host: '127.0.0.1',
    port: 0,
  });
  if (isShort) layShortWay(server, (req, reply) => relay.answerPlain(req, reply), SHORT_WAY_LIMITS);
  takeUpgrades(server, (...handshake) => relay.upgrade(...handshake), fault);
  return {
    port: portOf(server),
    program,
    passesHeaders: true,
    sender: (marker) => senderOf(marker, { host }),
    async stop() {
      server.closeAllConnections();
      await stop();
      relay.stop();
      program.stop();
    },
  };
}

async function tenantWeb(): Promise<Relay> {
  const program = new RecordingProgram();
  const cluster = await PodApiServer.start();
  cluster.ports.set(NOTEBOOK_PORT, await program.listen());
  // The same member in two browsers: they share connections.
  const relay = openNotebook(cluster, systemClock);
  const { server, stop } = await serveHttp((req, res) => relay.answer(req, res), { host: '127.0.0.1', port: 0 });
  takeUpgrades(server, (...handshake) => relay.upgrade(...handshake), fault);
  return {
    port: portOf(server),
    program,
    passesHeaders: true,
    sender: (marker) =>
      senderOf(marker, {
        host: NOTEBOOK_HOST,
        credentials: [`X-Visitor: ${marker}`, `Cookie: ${VISIT_COOKIE}; of=${marker}`],
      }),
    async stop() {
      server.closeAllConnections();
      await stop();
      relay.stop();
      program.stop();
      await cluster.stop();
    },
  };
}

async function kubeGate(): Promise<Relay> {
  const program = new RecordingProgram();
  const upstream = new URL(`http://127.0.0.1:${await program.listen()}/`);
  const agent = new Agent({ keepAlive: true });
  const relay = new KubeGate({
    grantOf: async (token) => ({ id: token, secretUid: token, accountId: token, namespace: 'org-acme' }),
    grants: loginsThatLast,
    issue: async () => ({ token: 'minted' }),
    upstream: async () => ({ server: upstream, agent }),
    limits: { ...attemptsWithoutLimit, mayTry: async () => {}, session: async () => {} },
    addressOf: () => '192.0.2.7',
    clock: systemClock,
    log,
  });
  const { server, stop } = await serveHttp((req, res) => relay.answer(req, res), { host: '127.0.0.1', port: 0 });
  takeUpgrades(server, (...handshake) => relay.upgrade(...handshake), fault);
  return {
    port: portOf(server),
    program,
    passesHeaders: false,
    sender: (marker) =>
      senderOf(marker, {
        host: 'kubernetes.example',
        path: '/api',
        credentials: [`X-Visitor: ${marker}`, `Authorization: Bearer ${marker}`],
      }),
    async stop() {
      relay.endStreams();
      server.closeAllConnections();
      await stop();
      agent.destroy();
      program.stop();
    },
  };
}

async function v1(): Promise<Relay> {
  const program = new RecordingProgram();
  const port = await program.listen();
  const models = new Models({ clock: systemClock, isAddress: () => true });
  models.show(tinyModel({ port }));
  const relay = new Completions({
    models,
    routes: new Routes(models, () => new Map()),
    authenticate: async () => ANN,
    attempts: attemptsWithoutLimit,
    addressOf: () => '192.0.2.7',
    limits: new KeyLimits({ readSpent: async () => ({}) as never, currencyOf: () => 'USD' }),
    money: { priceOf: () => undefined, hold: async () => NOTHING_HELD },
    usage: { isFull: false, add: () => {} },
    wake: async () => {},
    drain: async (req: IncomingMessage) => {
      req.resume();
      await once(req, 'end').catch(() => {});
    },
    clock: systemClock,
    log,
  });
  const { server, stop } = await serveHttp((req, res) => void (relay.answer(req, res) || res.writeHead(404).end()), {
    host: '127.0.0.1',
    port: 0,
  });
  return {
    port: portOf(server),
    program,
    passesHeaders: false,
    sender: (marker) =>
      senderOf(marker, {
        host: 'gantry.example',
        path: '/v1/chat/completions',
        credentials: [`X-Visitor: ${marker}`, `Authorization: Bearer ${marker}`, 'Content-Type: application/json'],
        body: JSON.stringify({ model: 'acme/tiny', messages: [{ role: 'user', content: `body of ${marker}` }] }),
      }),
    async stop() {
      server.closeAllConnections();
      await stop();
      models.stop();
      program.stop();
    },
  };
}

/** One that sends bytes as they are; what comes back is kept. */
class Sent {
  got = '';
  readonly socket: Socket;
  readonly answered: Promise<void>;

  constructor(port: number, bytes: string, mostMs = LIMIT_MS) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.answered = promise;
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('error', () => {});
    this.socket.on('data', (came) => {
      this.got += came.toString('latin1');
      // To be told to continue is no answer.
      if (/^HTTP\/1\.1 (?!100)/m.test(this.got)) resolve();
    });
    this.socket.on('close', () => resolve());
    this.socket.setTimeout(mostMs, () => this.socket.destroy());
    this.socket.write(bytes, 'latin1');
  }
}

/** A visitor who does nothing special, on a connection of their own. */
/** Its program gets nothing but our own POSTs. */
const isModel = ({ path }: Sender) => path.startsWith('/v1');

async function visit(
  { port, sender }: Relay,
  marker: string,
  method = 'GET',
): Promise<{ status: number; text: string }> {
  const sent = sender(marker);
  const { path, host, credentials } = sent;
  const agent = new Agent({ keepAlive: true });
  const headers = Object.fromEntries(credentials.map((line) => line.split(': ', 2) as [string, string]));
  try {
    const asked = request({
      port,
      path,
      host: '127.0.0.1',
      method: isModel(sent) ? sent.method : method,
      agent,
      headers: { host, ...headers },
    });
    // A connection that breaks after the answer has begun is told by the answer.
    asked.on('error', () => {});
    asked.end(isModel(sent) ? sent.body : undefined);
    const [answer] = (await once(asked, 'response', { signal: AbortSignal.timeout(LIMIT_MS) })) as [IncomingMessage];
    return { status: answer.statusCode ?? 0, text: await text(answer) };
  } catch (error) {
    return { status: 0, text: `${error}` };
  } finally {
    agent.destroy();
  }
}

let exchanges = 0;
/** The longest wait for an answer that has to come. */
const LIMIT_MS = 30_000;
/** A form may have none: its sender goes then, which decides nothing. */
const NO_ANSWER_MS = 3_000;
/** More of them would say no more. */
const MOST_FAULTS = 8;

/** The faults after one visitor has sent a form and two others have come. */
async function faultsOf(relay: Relay, { bytes, isUnfinished }: Form): Promise<string[]> {
  const { program } = relay;
  const mark = ++exchanges;
  const sent = new Sent(relay.port, bytes(relay.sender(`MALLORY${mark}`)), NO_ANSWER_MS);
  if (!isUnfinished) await sent.answered;
  const faults: string[] = [];
  for (const at of [1, 2]) {
    const { status, text: said } = await visit(relay, `VICTIM${mark}-${at}`);
    if (status !== 200) faults.push(`another one is answered with ${status}`);
    if (!said.includes(`VICTIM${mark}-${at}`))
      faults.push(`another one gets what they have not asked for: ${said.slice(0, 200)}`);
    if (said.includes('MALLORY')) faults.push(`another one gets ${JSON.stringify(said.slice(0, 300))}`);
  }
  sent.socket.destroy();
  if (sent.got.includes('VICTIM')) faults.push('the sender gets what is another one’s');
  for (const { text: heard } of program.heard)
    if (heard.includes('VICTIM') && heard.includes('MALLORY'))
      faults.push(`the program reads ${JSON.stringify(heard)}`);
  // Bytes after a handshake on its connection may be of the other protocol, whatever the program has answered.
  for (const brought of program.brought) {
    const from = brought.indexOf(`MALLORY${mark}`);
    if (from >= 0 && /^upgrade:/im.test(brought.slice(from)) && brought.includes('VICTIM', from))
      faults.push(`behind a handshake comes ${JSON.stringify(brought.slice(from))}`);
  }
  program.heard = [];
  return faults;
}

interface Row {
  open: () => Promise<Relay>;
  /** How what is behind it may read requests. */
  programs: readonly ProgramName[];
}
const ALL = Object.keys(PROGRAMS) as ProgramName[];
const READERS = ALL.filter((name) => name !== 'that reads no body at all');
const RELAYS: Readonly<Record<string, Row>> = {
  'a published service, read at a glance': { open: () => activator(true), programs: ALL },
  'a published service': { open: () => activator(false), programs: ALL },
  'a notebook': { open: tenantWeb, programs: ALL },
  // For these two, the platform chooses the servers behind them, and those read bodies.
  '/v1': { open: v1, programs: READERS },
  'the way to the API server': { open: kubeGate, programs: READERS },
};

let relay: Relay;

describe.each(Object.entries(RELAYS))('%s', (_name, { open, programs }) => {
  beforeAll(async () => {
    relay = await open();
  });
  afterEach(() => relay.program.forget());
  afterAll(() => relay.stop());

  test.each(programs)(
    'before a program %s keeps visitors apart, whatever one of them sends',
    async (style) => {
      relay.program.style = style;
      const faults: Record<string, string[]> = {};
      for (const [name, form] of Object.entries({ ...FORMS, ...HANDSHAKES })) {
        const found = await faultsOf(relay, form);
        if (found.length > 0) faults[name] = found;
        if (Object.keys(faults).length >= MOST_FAULTS) break;
      }
      expect(faults).toEqual({});
    },
    120_000,
  );

  test('gives nobody what a program adds to the answer of another', async () => {
    relay.program.style = 'that reads as the standard says';
    const faults: Record<string, string[]> = {};
    for (const [name, { method = 'GET', ...says }] of Object.entries(ANSWERS)) {
      if (method === 'HEAD' && isModel(relay.sender(''))) continue;
      relay.program.script = { for: 'MALLORY', says };
      const asked = visit(relay, `MALLORY${++exchanges}`, method);
      // Those who come while the answer is under way, and those who come after it.
      const victims = [visit(relay, `VICTIM${exchanges}-0`)];
      await asked;
      for (const at of [1, 2, 3]) victims.push(visit(relay, `VICTIM${exchanges}-${at}`));
      const got = await Promise.all(victims);
      const wrong = got.filter(
        ({ status, text: said }, at) =>
          status !== 200 || !said.includes(`VICTIM${exchanges}-${at}`) || said.includes('EVIL'),
      );
      if (wrong.length > 0) faults[name] = wrong.map(({ status, text: said }) => `${status} ${said.slice(0, 100)}`);
      if (Object.keys(faults).length >= MOST_FAULTS) break;
      relay.program.forget();
    }
    expect(faults).toEqual({});
  }, 120_000);

  test('gives nobody what a program says to the handshake of another', async () => {
    relay.program.style = 'that reads as the standard says';
    const faults: Record<string, string[]> = {};
    for (const [name, says] of Object.entries(SWITCHES)) {
      const mark = ++exchanges;
      relay.program.script = { for: 'MALLORY', says };
      const sent = new Sent(relay.port, handshakeOf(relay.sender(`MALLORY${mark}`)));
      const victims = [visit(relay, `VICTIM${mark}-0`)];
      await sent.answered;
      for (const at of [1, 2, 3]) victims.push(visit(relay, `VICTIM${mark}-${at}`));
      const got = await Promise.all(victims);
      sent.socket.destroy();
      const wrong = got.filter(
        ({ status, text: said }, at) =>
          status !== 200 || !said.includes(`VICTIM${mark}-${at}`) || said.includes('EVIL'),
      );
      if (wrong.length > 0) faults[name] = wrong.map(({ status, text: said }) => `${status} ${said.slice(0, 100)}`);
      if (sent.got.includes('VICTIM')) faults[name] = ['the sender gets what is another one’s'];
      if (Object.keys(faults).length >= MOST_FAULTS) break;
      relay.program.forget();
    }
    expect(faults).toEqual({});
  }, 120_000);

  test('gives nobody what a program says unasked', async () => {
    for (let at = 0; at < 20; at++) {
      await visit(relay, `VICTIM${++exchanges}`);
      // The next one asks in the same turn in which it comes.
      const next = visit(relay, `VICTIM${++exchanges}`);
      relay.program.says('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL');
      const { status, text: said } = await next;
      expect([status, said]).toEqual([200, expect.stringContaining(`VICTIM${exchanges}`)]);
    }
  });
});

const RUNNING = {
  metadata: { name: 'dev', namespace: 'org-acme', uid: 'uid-dev' },
  spec: { power: 'Running', rebootCount: 0 },
  status: { phase: 'running' },
} as unknown as GpuInstance;

describe('terminals', () => {
  let cluster: PodApiServer;
  let server: Server;
  let stop: () => Promise<void>;
  let terminals: Terminals;

  beforeAll(async () => {
    cluster = await PodApiServer.start();
    terminals = new Terminals({
      access: {
        redeem: async () => ({ caller: ANN, instance: 'dev', instanceUid: 'uid-dev', session: null }),
      } as never,
      logins: loginsThatLast as never,
      books: { opened: async () => ({ session: null }), closed: async () => {} } as never,
      find: () => ({
        object: RUNNING,
        as: cluster.as as never,
      }),
      origins: [],
      region: 'us-east',
      clock: systemClock,
      log,
      mostPerAccount: Number.POSITIVE_INFINITY,
      keepMs: 60_000,
    });
    ({ server, stop } = await serveHttp((_req, res) => void res.writeHead(404).end(), { host: '127.0.0.1', port: 0 }));
    takeUpgrades(
      server,
      (req, socket, head) => terminals.upgrade(req, socket, head, { ip: '192.0.2.7', language: () => 'en' }),
      fault,
    );
  });
  afterAll(async () => {
    await terminals.stop();
    server.closeAllConnections();
    await stop();
    await cluster.stop();
  });

  const sender = (marker: string): Sender =>
    senderOf(marker, { host: 'gantry.example', path: `${TERMINAL_PATH}?ticket=${marker}`, credentials: [] });

  /** The text that the shell of a new terminal gets of one word, and the text that the terminal shows. */
  async function typed(word: string): Promise<{ heard: string; shown: string }> {
    const before = cluster.shells.length;
    const browser = new WebSocket(`ws://127.0.0.1:${portOf(server)}${sender(word).path}`);
    let shown = '';
    browser.on('message', (part: Buffer, isBinary) => {
      if (isBinary) shown += part.toString('latin1');
    });
    try {
      await once(browser, 'open', { signal: AbortSignal.timeout(LIMIT_MS) });
      browser.send(Buffer.from(word));
      // The other's terminal may have opened meanwhile, too.
      const shell = await eventually('a shell hears it', () =>
        cluster.shells.slice(before).find((one) => one.typed.includes(word)),
      );
      shell.shows(Buffer.from(`shown to ${word}`));
      await eventually('it is shown', () => shown.includes(word));
      return { heard: `${shell.typed}`, shown };
    } finally {
      browser.terminate();
    }
  }

  test('are one person’s each, whatever another sends', async () => {
    const faults: Record<string, unknown> = {};
    for (const [name, { bytes, isUnfinished }] of Object.entries({ ...FORMS, ...HANDSHAKES })) {
      // The others do not come to the terminals.
      if (!/upgrade|handshake/i.test(name)) continue;
      const mark = ++exchanges;
      const sent = new Sent(portOf(server), bytes(sender(`MALLORY${mark}`)), NO_ANSWER_MS);
      if (!isUnfinished) await sent.answered;
      const word = `VICTIM${mark}`;
      const got = await typed(word);
      sent.socket.destroy();
      if (got.heard !== word || got.shown !== `shown to ${word}` || sent.got.includes('VICTIM')) faults[name] = got;
      if (Object.keys(faults).length >= MOST_FAULTS) break;
    }
    expect(faults).toEqual({});
  }, 120_000);

  test.each(['Content-Length: 20', 'Transfer-Encoding: chunked', 'Host: other.example'])(
    'do not open with %s in the handshake, which a proxy before us reads otherwise',
    async (line) => {
      const [begin = '', ...rest] = handshakeOf(sender('MALLORY')).split('\r\n');
      const sent = new Sent(portOf(server), [begin, line, ...rest].join('\r\n'));
      await sent.answered;
      sent.socket.destroy();
      expect(sent.got).toMatch(/^HTTP\/1\.1 400 /);
    },
  );
});

describe.each(Object.entries(RELAYS).slice(0, 3))('the headers of %s', (_name, { open }) => {
  beforeAll(async () => {
    relay = await open();
  });
  afterEach(() => relay.program.forget());
  afterAll(() => relay.stop());

  /** The headers of the request that the program has read. */
  async function headersOf(
    lines: readonly string[],
    method = 'GET',
    body = '',
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const { path, host, credentials } = relay.sender('x');
    const bytes = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, ...credentials, ...lines, '', body].join('\r\n');
    const sent = new Sent(relay.port, bytes);
    await sent.answered;
    sent.socket.destroy();
    const [heard] = relay.program.heard.splice(0);
    if (!heard) throw new Error(`nothing came of ${bytes}: ${sent.got}`);
    return heard.headers;
  }

  test.each(NOT_TO_BE_NAMED)('do not lose %s because Connection names it', async (name) => {
    // The request has it already, or the relay alone says it.
    const isNotSent = /^(host|cookie|content-length|transfer-encoding|x-token|expect|x-forwarded-.*)$/.test(name);
    // The headers that a browser sends for a page of the same site; any others are refused.
    const ofOwn: Readonly<Record<string, string>> = {
      origin: `http://${relay.sender('x').host}`,
      'sec-fetch-site': 'same-origin',
    };
    const value = ofOwn[name] ?? 'given';
    const lines = [`Connection: ${name}`, ...(isNotSent ? [] : [`${name}: ${value}`]), 'Content-Length: 2'];
    const headers = await headersOf(lines, 'POST', 'ok');
    expect(headers.get('content-length')).toEqual(['2']);
    for (const one of ['host', 'cookie', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host'])
      expect(headers.get(one)).toHaveLength(1);
    if (!isNotSent) expect(headers.get(name)).toEqual([value]);
  });

  test.each([
    ...[
      'X-Forwarded-For',
      'X_Forwarded_For',
      'X-Forwarded_For',
      'x_forwarded_for',
      'X.Forwarded.For',
      'X_FORWARDED-HOST',
    ],
    ...[
      'X_Forwarded_Proto',
      'X-Forwarded-Port',
      'X_Forwarded_Port',
      'X-Forwarded-Prefix',
      'X-Forwarded-User',
      'Forwarded',
    ],
    ...[
      'X-Real-IP',
      'X_Real_IP',
      'X-Client-IP',
      'True_Client_IP',
      'X-Token',
      'X_Token',
      'Content_Length',
      'Transfer_Encoding',
    ],
    ...['Proxy', 'Proxy-Authorization', 'Proxy_Authorization', 'Keep_Alive'],
  ])('have no %s of the visitor', async (name) => {
    const headers = await headersOf([`${name}: 6.6.6.6`, 'X-Own: 1', 'X_Own: 2']);
    expect([...headers.values()].flat()).not.toContain('6.6.6.6');
    expect([headers.get('x-own'), headers.get('x_own')]).toEqual([['1'], ['2']]);
  });
});
