// Every relay of the gateway under the corpus of test/support/smuggling, on real sockets: no byte of one visitor reaches another,
// however a program reads requests, and no byte that a program adds to an answer is somebody else's answer.
import { once } from 'node:events';
import { Agent, type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ContainerService } from '@gantry/contract/kinds/container-service.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { PodApiServer } from '../../../test/support/pod-api-server.ts';
import { ANSWERS } from '../../../test/support/smuggling/answers.ts';
import { FORMS, type Form, NOT_TO_BE_NAMED, type Sender } from '../../../test/support/smuggling/forms.ts';
import { PROGRAMS, type ProgramName, RecordingProgram } from '../../../test/support/smuggling/program.ts';
import { Routes } from '../completions/aliases.ts';
import { Completions } from '../completions/completions.ts';
import { KeyLimits } from '../completions/key-limits.ts';
import { NOTHING_HELD } from '../completions/money.ts';
import { Models } from '../completions/serving.ts';
import type { Caller } from '../identity/caller.ts';
import { KubeGate } from '../kube-gate/kube-gate.ts';
import { Published } from '../published/published.ts';
import { layShortWay } from '../published/short-way.ts';
import { TenantWeb } from '../tenant-web/tenant-web.ts';
import { SHORT_WAY_LIMITS, serveHttp, takeUpgrades } from './serve-http.ts';

const caller: Caller = {
  account: { id: 'acc-ann', name: 'ann', email: null, locale: 'en', platformRoles: [] },
  organization: { id: 'acme', role: 'member', namespace: 'org-acme' },
  session: { id: 'ses-ann', kind: 'apiToken', scopes: ['view', 'use'], expiresAt: 9e15 },
};
const logins = { holds: async () => true, follow: () => () => {} };
const attempts = { mayTry: async () => true, known: () => {}, inVain: async () => {} };
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

async function published(isShort: boolean): Promise<Relay> {
  const program = new RecordingProgram();
  const port = await program.listen();
  const host = 'chat.acme.tenants.example';
  const relay = new Published({
    origin: new URL('http://tenants.example'),
    access: {
      issue: async () => 'ticket',
      redeem: async () => undefined,
      beginVisit: async () => 'cookie',
      visit: async () => undefined,
    },
    logins,
    authenticate: async () => undefined,
    attempts,
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
  cluster.ports.set(8888, await program.listen());
  const relay = new TenantWeb({
    origin: new URL('http://ports.example'),
    isWildcard: true,
    access: {
      issue: async () => 't',
      redeem: async () => undefined,
      beginVisit: async () => 'c',
      // The same member in two browsers: they share connections.
      visit: async () => ({ caller, instance: 'dev', instanceUid: 'uid-dev', port: 8888 }),
    },
    logins,
    as: cluster.as as never,
    running: () => ({ uid: 'uid-dev', at: { namespace: 'org-acme', pod: 'dev-1' }, ports: [], notebookPort: 8888 }),
    languageOf: () => 'en',
    addressOf: () => '192.0.2.7',
    clock: systemClock,
  });
  const { server, stop } = await serveHttp((req, res) => relay.answer(req, res), { host: '127.0.0.1', port: 0 });
  takeUpgrades(server, (...handshake) => relay.upgrade(...handshake), fault);
  const host = '8888-dev-acme.ports.example';
  return {
    port: portOf(server),
    program,
    passesHeaders: true,
    sender: (marker) =>
      senderOf(marker, { host, credentials: [`X-Visitor: ${marker}`, `Cookie: gantry-visit=c; of=${marker}`] }),
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
    standing: logins,
    issue: async () => ({ token: 'minted' }),
    upstream: async () => ({ server: upstream, agent }),
    limits: { ...attempts, mayTry: async () => {}, session: async () => {} },
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
  models.show({
    uid: 'uid-tiny',
    name: 'tiny',
    namespace: 'org-acme',
    organization: 'acme',
    priced: 'tiny',
    adapters: [],
    adaptersBy: 'model',
    contextTokens: 4096,
    engine: 'vllm',
    task: 'Generate',
    port,
    workers: [{ name: 'tiny-1', podIP: '127.0.0.1', phase: 'ready' }],
    stand: 'serves',
    isAsleep: false,
    wake: { requests: 100, seconds: 60 },
    createdAt: 1_700_000_000_000,
  });
  const relay = new Completions({
    models,
    routes: new Routes(models, () => new Map()),
    authenticate: async () => caller,
    attempts,
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
async function visit(
  { port, sender }: Relay,
  marker: string,
  method = 'GET',
): Promise<{ status: number; text: string }> {
  const { path, host, credentials, method: withBody, body } = sender(marker);
  const agent = new Agent({ keepAlive: true });
  const isModel = path.startsWith('/v1');
  const headers = Object.fromEntries(credentials.map((line) => line.split(': ', 2) as [string, string]));
  try {
    const asked = request({
      port,
      path,
      host: '127.0.0.1',
      method: isModel ? withBody : method,
      agent,
      headers: { host, ...headers },
    });
    // A connection that breaks after the answer has begun is told by the answer.
    asked.on('error', () => {});
    asked.end(isModel ? body : undefined);
    const [answer] = (await once(asked, 'response', { signal: AbortSignal.timeout(LIMIT_MS) })) as [IncomingMessage];
    return { status: answer.statusCode ?? 0, text: await text(answer) };
  } catch (error) {
    return { status: 0, text: `${error}` };
  } finally {
    agent.destroy();
  }
}

let exchanges = 0;
/** What an answer that has to come is waited for. */
const LIMIT_MS = 30_000;
/** A form may have none: its sender goes then, which decides nothing. */
const NO_ANSWER_MS = 3_000;
/** More of them would say no more. */
const MOST_FAULTS = 8;

/** What is wrong after one visitor has sent a form and two others have come. */
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
  program.heard = [];
  return faults;
}

interface Row {
  open: () => Promise<Relay>;
  /** How what is behind it may read requests. */
  programs: readonly ProgramName[];
}
const ALL = Object.keys(PROGRAMS) as ProgramName[];
const RELAYS: Readonly<Record<string, Row>> = {
  'a published service, read at a glance': { open: () => published(true), programs: ALL },
  'a published service': { open: () => published(false), programs: ALL },
  'a notebook': { open: tenantWeb, programs: ALL },
  // Of the two, the platform chooses what is behind them.
  '/v1': { open: v1, programs: ['that reads as the standard says', 'that knows lengths alone'] },
  'the way to the API server': { open: kubeGate, programs: ['that reads as the standard says'] },
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
      for (const [name, form] of Object.entries(FORMS)) {
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

describe.each(Object.entries(RELAYS).slice(0, 3))('the headers of %s', (_name, { open }) => {
  beforeAll(async () => {
    relay = await open();
  });
  afterEach(() => relay.program.forget());
  afterAll(() => relay.stop());

  /** Of the request that the program has read. */
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
    // What a browser says of a page of the same site; any other is refused.
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
