// Terminals and tenants' web content on real sockets and a real database; the API server is played at the wire.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { problem } from '@gantry/contract/http/problem.ts';
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import pino from 'pino';
import WebSocket, { WebSocketServer } from 'ws';
import { migratedDatabase, resetDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { type FakeShell, PodApiServer } from '../../../../test/support/pod-api-server.ts';
import type { AuditEntry } from '../../platform/audit/entry.ts';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/db/open.ts';
import { accounts, memberships, organizations, sessions } from '../../platform/db/schema/people.ts';
import { openTerminals } from '../../platform/db/schema/terminal.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Call } from '../../platform/http/serve.ts';
import { takeUpgrades } from '../../platform/http/serve-http.ts';
import { type InstanceAccess, openInstanceAccess } from './open.ts';

/** A frame of output, like the agent's. */
const frameOf = (kind: number, payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from([1, kind, 0, 0, 0, payload.length]), payload]);

const CONSOLE = 'http://console.example';
const MINUTE = 60_000;

const instance = (name: string, phase = 'running') =>
  ({
    apiVersion: 'gantry.dev/v1alpha1',
    kind: 'GpuInstance',
    metadata: { name, namespace: 'org-acme', uid: `uid-${name}` },
    spec: { power: 'Running', rebootCount: 0, notebookPort: 8888, ports: [{ port: 3000 }] },
    status: { phase, run: { seq: 3 } },
  }) as unknown as GpuInstance;

const caller = (over: { locale?: 'ja' } = {}): Caller => ({
  account: { id: 'acc-ann', name: 'ann', email: null, locale: over.locale ?? 'en', platformRoles: [] },
  organization: { id: 'acme', role: 'member', namespace: 'org-acme' },
  session: { id: 'ses-ann', kind: 'session', scopes: [], expiresAt: 0 },
});

describe('ways into instances', () => {
  let opened: Database;
  const database = () => opened;
  let cluster: PodApiServer;
  /** Another cluster's API server, which has the instance `far`. */
  let away: PodApiServer | undefined;
  let clock: SteppedClock;
  let found: Map<string, GpuInstance>;
  let audit: AuditEntry[];
  let gateway: InstanceAccess;
  let server: Server;
  let faults: unknown[];
  let warnings: string[];

  const openGateway = (
    domain = 'ports.example',
    {
      hasPaths = false,
      origins = [CONSOLE],
      mostTerminals = 3,
    }: { hasPaths?: boolean; origins?: string[]; mostTerminals?: number } = {},
  ): InstanceAccess => {
    const kinds = {
      findHere(_kind: object, namespace: string, name: string) {
        if (away && name === 'far') throw problem('placed_elsewhere', { what: name, region: 'EU West Paris' });
        return namespace === 'org-acme' ? found.get(name) : undefined;
      },
    };
    return openInstanceAccess(
      {
        config: {
          ...{ registryUrl: '', keyed: (text: string) => `key of ${text}`, region: 'us-east' },
          ...{ tenantDomain: domain, tenantPaths: hasPaths, tenantHost: '127.0.0.1', tenantPort: 80 },
          terminalKeep: 15 * MINUTE,
        } as Config,
        db: database(),
        clock,
        log: pino({ level: 'warn' }, { write: (line) => warnings.push(line) }),
        audit: async (entry) => void audit.push(entry),
        origins,
        addressOf: () => '192.0.2.1',
      },
      {
        cluster: { client: { as: cluster.as }, kinds } as never,
        clusterOf: (_kind, namespace, name) =>
          ({
            kinds,
            cache: { get: () => (namespace === 'org-acme' ? found.get(name) : undefined) },
            client: away && name === 'far' ? away : cluster,
          }) as never,
      },
      undefined,
      { terminalLimits: { idleMs: 50_000, openMs: 2 * MINUTE }, mostTerminals },
    );
  };

  beforeAll(async () => {
    [cluster, opened] = await Promise.all([PodApiServer.start(), migratedDatabase()]);
  });
  afterAll(() => Promise.all([cluster.stop(), opened.close()]));
  beforeEach(async () => {
    await resetDatabase(opened);
    clock = new SteppedClock();
    found = new Map([
      ['dev', instance('dev')],
      ['still', instance('still', 'shutDown')],
    ]);
    audit = [];
    warnings = [];
    cluster.shells.length = 0;
    cluster.refuses = 0;
    await isMember(database(), clock);
    gateway = openGateway();
    server = createServer().listen(0, '127.0.0.1');
    faults = [];
    takeUpgrades(
      server,
      (...handshake) => gateway.upgrade(...handshake),
      (error) => faults.push(error),
    );
    await once(server, 'listening');
  });
  afterEach(async () => {
    await gateway.stop();
    server.close();
    server.closeAllConnections();
  });

  const served = <Answer>(id: string, call: Partial<Call>): Promise<Answer> => {
    const one = gateway.routes.find(({ route }) => route.id === id);
    return one?.handler({ caller: caller(), audit: {}, ...call } as Call) as Promise<Answer>;
  };
  const ticketFor = async (id = 'dev', who = caller(), session?: string) => {
    const body = (session && { session }) as never;
    return (await served<{ url: string }>('openTerminal', { params: { id }, caller: who, body })).url;
  };
  const addressOf = (at: Server) => `127.0.0.1:${(at.address() as AddressInfo).port}`;

  /** A browser at a terminal, and the shell that it reaches. */
  async function open(url: string, headers: Record<string, string> = {}): Promise<{ page: Page; shell: FakeShell }> {
    const page = new Page(new WebSocket(`ws://${addressOf(server)}${url}`, { origin: CONSOLE, headers }));
    await page.says('connected');
    return { page, shell: cluster.shells.at(-1) as FakeShell };
  }
  const refusal = (url: string, origin: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const socket = new WebSocket(`ws://${addressOf(server)}${url}`, { origin });
      socket.on('unexpected-response', (_request, answer) => resolve(answer.statusCode));
      socket.on('open', () => reject(new Error('it was let in')));
      socket.on('error', () => {});
    });
  /** How many handshakes, all under way before the database answers the first, got which status. */
  async function answersToAll(urls: readonly string[]): Promise<Record<number, number>> {
    const gate = Promise.withResolvers<void>();
    const held = database().transaction(() => gate.promise);
    let underWay = 0;
    server.on('upgrade', () => {
      underWay++;
    });
    const sockets = urls.map((url) => new WebSocket(`ws://${addressOf(server)}${url}`, { origin: CONSOLE }));
    const statuses = sockets.map(
      (socket) =>
        new Promise<number>((resolve) => {
          socket.on('unexpected-response', (_request, answer) => resolve(answer.statusCode ?? 0));
          socket.on('open', () => resolve(101));
          socket.on('error', () => {});
        }),
    );
    await eventually('all are under way', () => underWay === urls.length);
    gate.resolve();
    await held;
    const got: Record<number, number> = {};
    for (const status of await Promise.all(statuses)) got[status] = (got[status] ?? 0) + 1;
    // None of them begins during the next test.
    await eventually('their agents are asked', () => cluster.shells.length === got[101]);
    for (const shell of cluster.shells) shell.greets(Buffer.alloc(0));
    return got;
  }

  describe('a handshake', () => {
    /** The answer to these bytes until the connection ends. */
    const say = (path: string, at: Server) => {
      const socket = connect((at.address() as AddressInfo).port, '127.0.0.1');
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
      return text(socket);
    };

    test.each(['//[', '//[?ticket=x', '*', '/api/develop/v1/instance/terminal/', 'http://['])(
      'for %s is nobody’s, and no failure',
      async (path) => {
        expect(await say(path, server)).toBe('');
        expect(faults).toEqual([]);
      },
    );

    test('that somebody stumbles over is closed, and nothing worse', async () => {
      const other = createServer().listen(0, '127.0.0.1');
      const fault = new Error('stumbled');
      const take = () => {
        throw fault;
      };
      takeUpgrades(other, take, (error) => faults.push(error));
      await once(other, 'listening');
      expect(await say('/', other)).toBe('');
      expect(faults).toEqual([fault]);
      other.close();
    });
  });

  describe('a terminal', () => {
    test('carries every byte both ways, as the member, and says how the shell ended', async () => {
      const { page, shell } = await open(await ticketFor('dev', caller({ locale: 'ja' })));
      expect(shell.user).toBe('system:serviceaccount:org-acme:acc-ann');
      expect(shell.command.slice(0, 2)).toEqual(['/gantry/bin/agent', 'shell']);
      const bytes = Buffer.from(Array.from({ length: 256 }, (_, value) => value));
      page.socket.send(bytes);
      await eventually('all is typed', () => shell.typed.equals(bytes));
      shell.shows(bytes);
      await eventually('all is shown', () => page.shown.equals(bytes));
      shell.exits(7);
      const said = await page.says('closed');
      expect(said).toMatchObject({
        message: '接続が閉じられました（更新すると再接続します）。',
        reason: 'exited',
        exit_code: 7,
        detail: 'シェルは終了コード 7 で終了しました。',
      });
      await eventually('both are in the audit log', () => audit.length === 2);
      expect(audit.map(({ action, object, reason, ip }) => [action, object, reason, ip])).toEqual([
        ['terminalOpened', 'GpuInstance/org-acme/dev', undefined, '192.0.2.1'],
        ['terminalClosed', 'GpuInstance/org-acme/dev', 'exited 7', '192.0.2.1'],
      ]);
    });

    test('of an instance in another cluster opens there, as the member, and its web content does not', async () => {
      away = await PodApiServer.start();
      found.set('far', instance('far'));
      const page = new Page(new WebSocket(`ws://${addressOf(server)}${await ticketFor('far')}`, { origin: CONSOLE }));
      await page.says('connected');
      expect([away.shells.map(({ user }) => user), cluster.shells]).toEqual([
        ['system:serviceaccount:org-acme:acc-ann'],
        [],
      ]);
      const link = served('openInstanceWeb', { params: { id: 'far' }, body: { port: 'notebook' } as never });
      await expect(link).rejects.toMatchObject({ problem: 'placed_elsewhere' });
      page.socket.terminate();
      await eventually('the shell is let go', () => !away?.shells[0]?.isOpen);
      await away.stop();
      away = undefined;
    });

    test('is for one ticket, once, within half a minute, from the console alone', async () => {
      const url = await ticketFor();
      expect(await refusal(url, 'https://evil.example')).toBe(403);
      await open(url);
      expect(await refusal(url, CONSOLE)).toBe(401);
      const late = await ticketFor();
      await clock.step(31_000);
      expect(await refusal(late, CONSOLE)).toBe(401);
      expect(await refusal('/api/develop/v1/instance/terminal', CONSOLE)).toBe(401);
    });

    test('is one of few that a person may have, however many tickets were given out', async () => {
      const tickets = await Promise.all(Array.from({ length: 5 }, () => ticketFor()));
      await Promise.all(tickets.slice(0, 3).map((url) => open(url)));
      expect(await refusal(tickets[3] ?? '', CONSOLE)).toBe(429);
      await expect(ticketFor()).rejects.toMatchObject({ problem: 'too_many_terminals', args: { most: 3 } });
    });

    test('is one of few, also for tickets that are used at once', async () => {
      const urls = await Promise.all(Array.from({ length: 6 }, () => ticketFor('dev', caller(), 'new')));
      expect(await answersToAll(urls)).toEqual({ 101: 3, 429: 3 });
    });

    test('the notebook token belongs to one instance, its start and its count, and to nobody else', async () => {
      const tokenOf = async (id: string) =>
        (await served<{ token: string }>('showNotebookToken', { params: { id } })).token;
      const own = instance('dev');
      const having = (count: number, notebookRun: number | undefined, spec = {}) =>
        found.set('dev', {
          ...own,
          spec: { ...own.spec, notebookPort: 8888, notebookTokenCount: count, ...spec },
          status: { ...own.status, ...(notebookRun !== undefined && { notebookRun }) },
        });
      having(0, 1);
      const first = await tokenOf('dev');
      expect(await tokenOf('dev')).toBe(first);
      having(1, 1);
      const rotated = await tokenOf('dev');
      having(0, 3);
      expect(new Set([first, rotated, await tokenOf('dev')]).size).toBe(3);
      having(0, undefined);
      await expect(tokenOf('dev')).rejects.toMatchObject({ problem: 'no_notebook_token' });
      having(0, 1, { env: [{ name: 'JUPYTER_TOKEN', value: 'mine' }] });
      await expect(tokenOf('dev')).rejects.toMatchObject({ problem: 'no_notebook_token' });
      await expect(tokenOf('theirs')).rejects.toMatchObject({ problem: 'not_found' });
      found.set('dev', own);
    });

    test('is for the instance that was asked for, while it runs and the session holds', async () => {
      const other = await ticketFor();
      found.set('dev', { ...instance('dev'), metadata: { name: 'dev', namespace: 'org-acme', uid: 'another' } });
      expect(await refusal(other, CONSOLE)).toBe(409);
      found.set('dev', instance('dev'));
      const out = await ticketFor();
      await signsOut(database(), clock);
      expect(await refusal(out, CONSOLE)).toBe(401);
      await expect(ticketFor('still')).rejects.toMatchObject({ problem: 'container_not_running' });
      await expect(ticketFor('theirs')).rejects.toMatchObject({ problem: 'not_found' });
      const at = (query: object) => served('openTerminal', { params: { id: 'dev' }, query } as Partial<Call>);
      await expect(at({ cluster_id: 'moon' })).rejects.toMatchObject({ problem: 'cluster_unknown' });
      await expect(at({ namespace: 'org-theirs' })).rejects.toMatchObject({ problem: 'namespace_unknown' });
      await expect(at({ cluster_id: 'us-east' })).resolves.toMatchObject({ cluster_id: 'us-east' });
      expect(cluster.shells).toEqual([]);
    });

    test('holds back what is pasted while nobody reads it, and loses none of it', async () => {
      const { page, shell } = await open(await ticketFor());
      shell.stops();
      const pasted = Buffer.alloc(16 << 20, 'all work and no play ');
      for (let at = 0; at < pasted.length; at += 65_536) page.socket.send(pasted.subarray(at, at + 65_536));
      await eventually('the window is full', () => shell.typedBytes === 256 * 1024);
      // Much more than sockets hold waits with the browser.
      expect(page.socket.bufferedAmount).toBeGreaterThan(1 << 20);
      expect(shell.typedBytes).toBe(256 * 1024);
      shell.takes();
      await eventually('all has come', () => shell.typedBytes === pasted.length, 20_000);
      expect(shell.typed.equals(pasted)).toBe(true);
    });

    test('holds back what is shown while the browser does not read it, and loses none of it', async () => {
      const { page, shell } = await open(await ticketFor());
      page.socket.pause();
      const block = Buffer.alloc(32_768, 'x');
      for (let sent = 0; sent < 16 << 20; sent += block.length) shell.shows(block);
      let before = 0;
      await eventually('the gateway stops reading', () => {
        const now = shell.bufferedAmount();
        const isHeld = now > 0 && now === before;
        before = now;
        return isHeld;
      });
      // Much more than sockets hold waits in the instance.
      expect(shell.bufferedAmount()).toBeGreaterThan(1 << 20);
      page.socket.resume();
      await eventually('all is shown', () => page.shownBytes === 16 << 20, 20_000);
    });

    test('says a flood of sizes as the first and the last', async () => {
      const { page, shell } = await open(await ticketFor());
      for (let cols = 100; cols < 600; cols++) page.socket.send(JSON.stringify({ type: 'resize', cols, rows: 30 }));
      page.socket.send(Buffer.from('typed after them'));
      await eventually('all have come', () => shell.typedBytes > 0);
      await clock.step(100);
      await eventually('the last is said', () => shell.sizes.at(-1) === '599x30');
      expect(shell.sizes).toEqual(['100x30', '599x30']);
    });

    test('ends when nothing happens for too long, and not while something does', async () => {
      const { page, shell } = await open(await ticketFor());
      for (let times = 0; times < 2; times++) {
        await steps(20_000, page);
        shell.shows(Buffer.from('..'));
        await eventually('it is shown', () => page.shownBytes > times);
      }
      await eventually('the shell hears that somebody is here', () => shell.alive === 4);
      await steps(60_000, page);
      expect(await page.says('closed')).toMatchObject({
        reason: 'idle',
        detail: 'Nothing was typed or shown for 1 minute.',
      });
      await eventually('the shell is hung up', () => !shell.isOpen);
    });

    test('ends when it was open for too long, whatever happens', async () => {
      const { page, shell } = await open(await ticketFor());
      for (let times = 0; times < 7; times++) {
        await steps(20_000, page);
        if (shell.isOpen) shell.shows(Buffer.from('..'));
      }
      expect(await page.says('closed')).toMatchObject({ reason: 'tooLong' });
    });

    test('ends when the browser answers nothing any more', async () => {
      const { page, shell } = await open(await ticketFor());
      // A cable is cut: nothing is read, nothing is closed.
      page.socket.pause();
      for (let times = 0; times < 5; times++) await clock.step(10_000);
      await eventually('the shell is hung up', () => !shell.isOpen);
      await eventually('it is in the audit log', () => audit.at(-1)?.reason === 'left');
    });

    test.each([
      ['a logout', signsOut],
      ['a removal', leaves],
      ['a role that may not use', becomesViewer],
    ])('ends within a second of %s', async (_name, happens) => {
      const { page, shell } = await open(await ticketFor());
      await happens(database(), clock);
      await clock.step(500);
      expect(await page.says('closed')).toMatchObject({ reason: 'signedOut' });
      await eventually('the shell is hung up', () => !shell.isOpen);
    });

    test('hangs the shell up when the browser is gone', async () => {
      const { page, shell } = await open(await ticketFor());
      page.socket.terminate();
      await eventually('the shell is hung up', () => !shell.isOpen);
      await eventually('it is in the audit log', () => audit.at(-1)?.reason === 'left');
    });

    test('says that the container went, or could not be reached', async () => {
      const { page, shell } = await open(await ticketFor());
      shell.breaks();
      expect(await page.says('closed')).toMatchObject({
        message: 'Connection closed (refresh to reconnect).',
        reason: 'lost',
      });
      cluster.refuses = 403;
      const failed = new Page(new WebSocket(`ws://${addressOf(server)}${await ticketFor()}`));
      expect(await failed.says('failed')).toMatchObject({ message: 'Console connection failed.' });
    });

    const SHORT = Buffer.from([0, 0]);
    test.each<[string, (shell: FakeShell) => Buffer]>([
      ['an empty EXIT', () => frameOf(4, Buffer.alloc(0))],
      ['a short EXIT', () => frameOf(4, SHORT)],
      ['an exit code that no process has', () => frameOf(4, Buffer.from([1, 0, 0, 0]))],
      ['an empty TAKEN', () => frameOf(3, Buffer.alloc(0))],
      ['a short TAKEN', () => frameOf(3, SHORT)],
      ['a TAKEN of more than was typed', () => frameOf(3, Buffer.from([255, 255, 255, 255]))],
      ['a frame that only a gateway sends', () => frameOf(1, Buffer.alloc(4))],
      ['a frame of no kind', () => frameOf(99, Buffer.alloc(0))],
      ['a frame without an end', () => Buffer.from([1, 0, 255, 255, 255, 255])],
    ])('whose agent sends %s is closed with a reason, and the others go on', async (_name, hostile) => {
      const other = await open(await ticketFor());
      const { page, shell } = await open(await ticketFor());
      shell.sends(hostile(shell));
      expect(await page.says('closed')).toMatchObject({
        reason: 'badOutput',
        detail: 'The agent in the instance sent invalid data. Restart the instance to install the agent again.',
      });
      await eventually('the shell is hung up', () => !shell.isOpen);
      await eventually('it is in the audit log', () => audit.at(-1)?.reason === 'badOutput');
      expect(warnings).toEqual([expect.stringContaining('the agent')]);
      other.page.socket.send(Buffer.from('still here'));
      await eventually('the other is typed into', () => other.shell.typedBytes > 0);
      other.shell.shows(Buffer.from('yes'));
      await eventually('the other shows', () => other.page.shown.toString() === 'yes');
    });

    test.each(['no JSON', 'null', '[]', '{"details":{"causes":7}}', '{"details":{"causes":[null]}}'])(
      'ends as lost where the status of its container is %s',
      async (status) => {
        const { page, shell } = await open(await ticketFor());
        shell.sends(Buffer.concat([Buffer.of(3), Buffer.from(status)]));
        shell.breaks();
        expect(await page.says('closed')).toMatchObject({ reason: 'lost' });
      },
    );

    test('does not take more input than the window, whatever the agent says it has taken', async () => {
      const { page, shell } = await open(await ticketFor());
      shell.stops();
      page.socket.send(Buffer.alloc(512 * 1024));
      await eventually('the window is full', () => shell.typedBytes === 256 * 1024);
      // An acknowledgement of everything in flight, and one byte more.
      shell.sends(frameOf(3, Buffer.from([0, 4, 0, 1])));
      expect(await page.says('closed')).toMatchObject({ reason: 'badOutput' });
      expect(shell.typedBytes).toBe(256 * 1024);
    });

    test('does not understand what is no size', async () => {
      const { page } = await open(await ticketFor());
      page.socket.send('{"type":"resize","cols":-1}');
      expect(await page.says('closed')).toMatchObject({ reason: 'misused' });
    });

    test('is told to end by a gateway that stops, and ended in the audit log for one that died', async () => {
      const { page } = await open(await ticketFor());
      await gateway.stop();
      expect(await page.says('closed')).toMatchObject({ reason: 'restart' });
      expect(audit.map(({ action, reason }) => [action, reason])).toEqual([
        ['terminalOpened', undefined],
        ['terminalClosed', 'restart'],
      ]);
      // A killed gateway leaves a row that nobody renews.
      const seenAt = new Date(clock.now());
      const row = { id: 'trm-dead', caller: caller(), instance: 'dev', ip: '192.0.2.2', openedAt: seenAt, seenAt };
      await database().sql.insert(openTerminals).values(row);
      const other = openGateway();
      other.start();
      await clock.step(20_000);
      expect(audit).toHaveLength(2);
      await eventually('it is in the audit log', async () => {
        await clock.step(20_000);
        return audit.length === 3;
      });
      expect(audit.at(-1)).toMatchObject({ action: 'terminalClosed', reason: 'gatewayLost', ip: '192.0.2.2' });
      await other.stop();
    });
  });

  describe('a terminal in a worker or a replica', () => {
    const WORKERS = [
      { index: 0, phase: 'running', pod: 'train-1-0-bcdfg', node: 'a' },
      { index: 1, phase: 'failed', pod: 'train-1-1-hjklm', node: 'b' },
    ];
    const REPLICAS = [
      { name: 'web-service-6d4cf56db6-x2x4z', uid: 'u', phase: 'waiting' },
      { name: 'web-service-6d4cf56db6-zzzzz', uid: 'v', phase: 'ready' },
    ];
    const made = (kind: string, name: string, status: object) => {
      const spec = { power: 'Running', runCount: 0, restartCount: 0 };
      const metadata = { name, namespace: 'org-acme', uid: `uid-${name}` };
      return { apiVersion: 'gantry.dev/v1alpha1', kind, metadata, spec, status } as unknown as GpuInstance;
    };
    beforeEach(() => {
      found.set('train', made('Job', 'train', { phase: 'running', workers: WORKERS }));
      found.set('web', made('ContainerService', 'web', { phase: 'active', pods: REPLICAS }));
    });
    const ticket = async (id: 'openJobTerminal' | 'openServiceTerminal', of: string, query: object = {}) =>
      (await served<{ url: string }>(id, { params: { id: of }, query } as never)).url;
    /** Messages of the runtime's own protocol: the gateway's frames are for the agent. */
    const STDOUT = 1;
    const STATUS = 3;
    const channel = (kind: number, text: string) => Buffer.concat([Buffer.from([kind]), Buffer.from(text)]);

    test('runs the shell of its image, carries bytes both ways, and is audited as what it is', async () => {
      const { page, shell } = await open(await ticket('openJobTerminal', 'train', { worker: 0 }));
      expect(shell.user).toBe('system:serviceaccount:org-acme:acc-ann');
      expect(shell.command[0]).toBe('sh');
      shell.sends(channel(STDOUT, 'hello'));
      await eventually('it is shown', () => page.shown.toString() === 'hello');
      page.socket.close();
      await eventually('its end is in the audit log', () => audit.length === 2);
      expect(audit.map(({ action, object }) => [action, object])).toEqual([
        ['terminalOpened', 'Job/org-acme/train/train-1-0-bcdfg'],
        ['terminalClosed', 'Job/org-acme/train/train-1-0-bcdfg'],
      ]);
    });

    test('opens in the replica that is ready, where none is named', async () => {
      await open(await ticket('openServiceTerminal', 'web'));
      await eventually('it is audited', () => audit.length === 1);
      expect(audit[0]?.object).toBe('ContainerService/org-acme/web/web-service-6d4cf56db6-zzzzz');
    });

    test('says so where the image has no shell', async () => {
      const { page, shell } = await open(await ticket('openServiceTerminal', 'web'));
      const message = 'exec: "sh": executable file not found in $PATH: unknown';
      shell.sends(channel(STATUS, JSON.stringify({ status: 'Failure', message })));
      shell.breaks();
      expect(await page.says('closed')).toMatchObject({ reason: 'noShell' });
    });

    test.each<[string, 'openJobTerminal' | 'openServiceTerminal', string, object, string]>([
      ['in a worker that has ended', 'openJobTerminal', 'train', { worker: 1 }, 'container_not_running'],
      ['in a worker that there never was', 'openJobTerminal', 'train', { worker: 7 }, 'not_found'],
      ['in a job that there is not', 'openJobTerminal', 'gone', {}, 'not_found'],
      ['in a Pod that is none of its replicas', 'openServiceTerminal', 'web', { pod: 'data-files' }, 'not_found'],
      [
        'in a replica that has no container yet',
        'openServiceTerminal',
        'web',
        { pod: 'web-service-6d4cf56db6-x2x4z' },
        'container_not_running',
      ],
    ])('does not open %s', async (_, id, of, query, refusal) => {
      await expect(ticket(id, of, query)).rejects.toMatchObject({ problem: refusal });
    });

    test('does not open where the worker has ended since the ticket', async () => {
      const url = await ticket('openJobTerminal', 'train', { worker: 0 });
      found.set('train', made('Job', 'train', { phase: 'running', workers: WORKERS.slice(1) }));
      expect(await refusal(url, CONSOLE)).toBe(409);
    });
  });

  describe('a terminal session', () => {
    const bob: Caller = { ...caller(), account: { ...caller().account, id: 'acc-bob', name: 'bob' } };
    const issue = (session: string, who = caller()) => ticketFor('dev', who, session);
    const list = (who = caller()) =>
      served<{ id: string; is_open: boolean }[]>('listTerminalSessions', { params: { id: 'dev' }, caller: who });
    const story = () => audit.map(({ action, reason }) => [action, reason]);

    /** A page at a session, whose agent has shown this before. */
    async function attach(session = 'new', before = '') {
      const count = cluster.shells.length;
      const page = new Page(new WebSocket(`ws://${addressOf(server)}${await issue(session)}`, { origin: CONSOLE }));
      const shell = await eventually('the agent is asked', () => cluster.shells[count]);
      shell.greets(Buffer.from(before));
      const { session: id = '' } = (await page.says('connected')) as { session?: string };
      return { page, shell, id };
    }
    const left = (entries: number) => eventually('it is in the audit log', () => audit.length === entries);

    test('outlives its page, and shows again what was shown when somebody attaches', async () => {
      const one = await attach();
      expect(one.shell.command.slice(-4)).toEqual(['--session', one.id, '--keep', '900000ms']);
      one.page.socket.terminate();
      await left(2);
      expect(one.shell.isAskedToEnd).toBe(false);
      expect(await list()).toEqual([expect.objectContaining({ id: one.id, is_open: false })]);
      const two = await attach(one.id, 'before');
      expect(two.shell.command.slice(-2)).toEqual(['--session', one.id]);
      expect(await two.page.says('connected')).toMatchObject({ session: one.id, shown_before: 6 });
      await eventually('it is shown', () => two.page.shown.toString() === 'before');
      expect(await list()).toEqual([expect.objectContaining({ id: one.id, is_open: true })]);
      two.shell.exits(3);
      expect(await two.page.says('closed')).toMatchObject({ reason: 'exited', exit_code: 3 });
      await left(4);
      expect(story()).toEqual([
        ['terminalOpened', undefined],
        ['terminalLeft', 'left'],
        ['terminalReattached', undefined],
        ['terminalClosed', 'exited 3'],
      ]);
      expect(new Set(audit.map(({ requestId }) => requestId))).toEqual(new Set([one.id]));
      expect(await list()).toEqual([]);
    });

    test('is there for another gateway when its own stops or dies', async () => {
      const { page, id } = await attach();
      await gateway.stop();
      expect(await page.says('closed')).toMatchObject({ reason: 'restart' });
      expect(story().at(-1)).toEqual(['terminalLeft', 'restart']);
      gateway = openGateway();
      const again = await attach(id);
      await database()
        .sql.update(openTerminals)
        .set({ seenAt: new Date(clock.now() - 2 * MINUTE) });
      const other = openGateway();
      other.start();
      await eventually('the other sees that nobody renews it', async () => {
        await database()
          .sql.update(openTerminals)
          .set({ seenAt: new Date(clock.now() - 2 * MINUTE) });
        await clock.step(20_000);
        return story().at(-1)?.[1] === 'gatewayLost';
      });
      expect(story().at(-1)).toEqual(['terminalLeft', 'gatewayLost']);
      expect(await list()).toEqual([expect.objectContaining({ id })]);
      again.page.socket.terminate();
      await other.stop();
    });

    test('is nobody else’s: not another member’s, not another instance’s, not another run’s', async () => {
      const { id } = await attach();
      expect(await list(bob)).toEqual([]);
      await expect(issue(id, bob)).rejects.toMatchObject({ problem: 'not_found' });
      const end = { params: { id: 'dev', session: id }, caller: bob, signal: AbortSignal.timeout(1000) };
      await expect(served('endTerminalSession', end)).rejects.toMatchObject({ problem: 'not_found' });
      const elsewhere = {
        ...caller(),
        organization: { id: 'other', role: 'member', namespace: 'org-other' },
      } as Caller;
      await expect(list(elsewhere)).rejects.toMatchObject({ problem: 'not_found' });
      await expect(issue(id, elsewhere)).rejects.toMatchObject({ problem: 'not_found' });
      const url = await issue(id);
      found.set('dev', { ...instance('dev'), status: { phase: 'running', run: { seq: 4 } } } as GpuInstance);
      expect(await refusal(url, CONSOLE)).toBe(409);
      await expect(issue(id)).rejects.toMatchObject({ problem: 'not_found' });
      expect(await list()).toEqual([]);
    });

    test('says that it was opened elsewhere, and that it has ended', async () => {
      const one = await attach();
      one.shell.moves();
      expect(await one.page.says('closed')).toMatchObject({ reason: 'moved' });
      const count = cluster.shells.length;
      const page = new Page(new WebSocket(`ws://${addressOf(server)}${await issue(one.id)}`, { origin: CONSOLE }));
      const shell = await eventually('the agent is asked', () => cluster.shells[count]);
      shell.sends(exitStatus(69));
      shell.breaks();
      expect(await page.says('closed')).toMatchObject({ reason: 'gone' });
      await eventually('it is no longer listed', async () => (await list()).length === 0);
    });

    test('of an instance whose agent knows none is a terminal as before', async () => {
      const page = new Page(new WebSocket(`ws://${addressOf(server)}${await issue('new')}`, { origin: CONSOLE }));
      const old = await eventually('the agent is asked', () => cluster.shells[0]);
      old.sends(exitStatus(2));
      old.breaks();
      const plain = await eventually('it is asked for a terminal', () => cluster.shells[1]);
      expect(plain.command).not.toContain('--session');
      expect(await page.says('connected')).not.toHaveProperty('session');
      expect(await list()).toEqual([]);
      page.socket.terminate();
      await left(2);
      expect(story().at(-1)).toEqual(['terminalClosed', 'left']);
    });

    test('ends with a logout, and when its person says so', async () => {
      const one = await attach();
      const ending = served('endTerminalSession', {
        params: { id: 'dev', session: one.id },
        signal: AbortSignal.timeout(10_000),
        ip: '192.0.2.1',
      });
      const asked = await eventually('the agent is asked', () => cluster.shells[1]);
      expect(asked.command.slice(-3)).toEqual(['--session', one.id, '--end']);
      one.shell.exits(129);
      await left(2);
      asked.sends(exitStatus(0));
      asked.breaks();
      await ending;
      expect(story()).toEqual([
        ['terminalOpened', undefined],
        ['terminalClosed', 'exited 129'],
      ]);
      const two = await attach();
      await signsOut(database(), clock);
      await clock.step(500);
      await eventually('the shell is to end', () => two.shell.isAskedToEnd);
    });

    test('is one of few, and none of them stays that nobody attached to for too long', async () => {
      for (let count = 0; count < 8; count++) {
        (await attach()).page.socket.terminate();
        await left(2 * (count + 1));
      }
      await expect(issue('new')).rejects.toMatchObject({ problem: 'too_many_terminal_sessions', args: { most: 8 } });
      gateway.start();
      await clock.step(15 * MINUTE);
      expect(await list()).toEqual([]);
      await eventually('their ends are in the audit log', async () => {
        await clock.step(20_000);
        return audit.filter(({ reason }) => reason === 'notReattached').length === 8;
      });
    });

    test('is one of few, also for tickets that are used at once', async () => {
      await gateway.stop();
      gateway = openGateway(undefined, { mostTerminals: 20 });
      const urls = await Promise.all(Array.from({ length: 12 }, () => issue('new')));
      expect(await answersToAll(urls)).toEqual({ 101: 8, 429: 4 });
      expect(await list()).toHaveLength(8);
    });

    /** A session that no page shows, and the answer to its person, who asks for its end. */
    async function endUnattended(play: (asked: FakeShell) => void, signal = new AbortController().signal) {
      const { page, id } = await attach();
      page.socket.terminate();
      await left(2);
      const ending = served('endTerminalSession', { params: { id: 'dev', session: id }, signal, ip: '192.0.2.1' });
      const answer = ending.then(
        () => 'ended',
        (error) => error.problem,
      );
      const asked = await eventually('the agent is asked', () => cluster.shells[1]);
      play(asked);
      await eventually('the stream is closed', () => !asked.isOpen);
      return answer;
    }

    test.each<[string, number]>([
      ['ended it', 0],
      ['has none of that name', 69],
    ])('is over once the agent says that it %s', async (_name, code) => {
      const answer = await endUnattended((asked) => {
        asked.sends(exitStatus(code));
        asked.breaks();
      });
      expect([answer, await list()]).toEqual(['ended', []]);
      expect(story().at(-1)).toEqual(['terminalClosed', 'ended']);
    });

    test.each<[string, (asked: FakeShell) => void]>([
      ['the stream breaks', (asked) => asked.breaks()],
      [
        'the agent does not understand',
        (asked) => {
          asked.sends(exitStatus(2));
          asked.breaks();
        },
      ],
      ['the agent sends what no agent sends', (asked) => asked.sends(Buffer.from([1, 99, 0, 0, 0, 0]))],
    ])('stays where nobody says that it has ended: %s', async (_name, play) => {
      const answer = await endUnattended(play);
      expect([answer, await list()]).toEqual(['unavailable', [expect.objectContaining({ is_open: false })]]);
      expect(story().at(-1)).toEqual(['terminalLeft', 'left']);
    });

    test('stays, and leaves no stream behind, where who asks for its end goes while the stream opens', async () => {
      const answer = await endUnattended(() => {}, AbortSignal.abort());
      expect([answer, await list()]).toEqual(['unavailable', [expect.objectContaining({ is_open: false })]]);
      expect(story().at(-1)).toEqual(['terminalLeft', 'left']);
    });

    test('whose agent greets nobody is given up', async () => {
      const page = new Page(new WebSocket(`ws://${addressOf(server)}${await issue('new')}`, { origin: CONSOLE }));
      const shell = await eventually('the agent is asked', () => cluster.shells[0]);
      await clock.step(10_000);
      expect(await page.says('failed')).toMatchObject({ reason: 'unreachable' });
      await eventually('the shell is let go', () => !shell.isOpen);
    });

    test.each<[string, Buffer]>([
      ['shows before it greets', frameOf(0, Buffer.from('x'))],
      ['has more to show again than it may keep', frameOf(5, Buffer.from([0, 4, 0, 1]))],
    ])('whose agent %s is given up', async (_name, hostile) => {
      const page = new Page(new WebSocket(`ws://${addressOf(server)}${await issue('new')}`, { origin: CONSOLE }));
      const shell = await eventually('the agent is asked', () => cluster.shells[0]);
      shell.sends(hostile);
      expect(await page.says('failed')).toMatchObject({ reason: 'unreachable' });
      expect(page.shownBytes).toBe(0);
    });
  });

  /** Time in which the page answers its pings. */
  async function steps(ms: number, page: Page): Promise<void> {
    for (let gone = 0; gone < ms && page.socket.readyState === WebSocket.OPEN; gone += 10_000) {
      const heard = page.pings;
      await clock.step(10_000);
      await eventually('the page answers', () => page.pings > heard || page.socket.readyState !== WebSocket.OPEN);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  describe("an instance's web server, on the tenants' domain", () => {
    let inside: Server;
    let outside: Server;
    let seen: IncomingHttpHeaders[];
    beforeEach(async () => {
      seen = [];
      inside = createServer((req, res) => {
        seen.push(req.headers);
        res.setHeader('set-cookie', ['own=1; Domain=ports.example', 'gantry-visit=stolen']);
        res.end(`${req.method} ${req.url}`);
      }).listen(0, '127.0.0.1');
      const sockets = new WebSocketServer({ server: inside });
      sockets.on('connection', (socket) => socket.on('message', (text) => socket.send(`echo ${text}`)));
      await once(inside, 'listening');
      cluster.ports.set(8888, (inside.address() as AddressInfo).port);
      outside = createServer((req, res) => gateway.web?.answer(req, res)).listen(0, '127.0.0.1');
      takeUpgrades(
        outside,
        (...handshake) => gateway.web?.upgrade(...handshake) ?? false,
        (error) => faults.push(error),
      );
      await once(outside, 'listening');
    });
    afterEach(() => {
      for (const one of [inside, outside]) {
        one.close();
        one.closeAllConnections();
      }
    });

    const HOST = '8888-dev-acme.ports.example';
    const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
        const { port } = outside.address() as AddressInfo;
        const asked = request({ port, path, method, headers: { host: HOST, ...headers } }, (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (chunk) => {
            text += chunk;
          });
          answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
        });
        asked.on('error', reject);
        asked.end();
      });
    const linkTo = async (port: number | 'notebook') => {
      const { url } = await served<{ url: string }>('openInstanceWeb', {
        params: { id: 'dev' },
        body: { port } as never,
      });
      return new URL(url);
    };
    const enter = async () => {
      const url = await linkTo('notebook');
      expect(url.host).toBe(HOST);
      const { status, headers } = await get(url.pathname + url.search);
      expect([status, headers.location]).toEqual([303, '/']);
      const set = headers['set-cookie']?.[0] ?? '';
      expect(set).toMatch(/^gantry-visit=[\w-]{43}; HttpOnly; SameSite=Lax; Path=\/; Max-Age=\d+$/);
      return { cookie: set.split(';')[0] ?? '', url };
    };

    test('a ticket becomes a cookie of that host, and neither of ours reaches the program', async () => {
      const { cookie, url } = await enter();
      expect((await get(url.pathname + url.search)).status).toBe(404);
      const headers = { cookie: `theirs=2; ${cookie}`, 'x-token': 'secret', authorization: 'token of the notebook' };
      const answer = await get('/lab?a=1', headers);
      expect([answer.status, answer.text]).toEqual([200, 'GET /lab?a=1']);
      expect(seen[0]).toMatchObject({ cookie: 'theirs=2', authorization: 'token of the notebook', host: HOST });
      expect(seen[0]).not.toHaveProperty('x-token');
      expect(answer.headers['set-cookie']).toEqual(['own=1']);
    });

    test('a cookie is good for its host, from its own pages, while the session holds and the port is published', async () => {
      const { cookie } = await enter();
      expect((await get('/', { cookie, host: '3000-dev-acme.ports.example' })).status).toBe(404);
      expect((await get('/', { cookie, origin: 'http://9-evil-other.ports.example' }, 'POST')).status).toBe(403);
      expect((await get('/', { cookie, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' })).status).toBe(403);
      expect((await get('/', { cookie, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' })).status).toBe(
        200,
      );
      found.set('dev', instance('dev', 'stopped'));
      const stopped = await get('/', { cookie, 'accept-language': 'zh-CN' });
      expect([stopped.status, stopped.text]).toEqual([404, expect.stringContaining('实例未运行。')]);
      found.set('dev', instance('dev'));
      await signsOut(database(), clock);
      await clock.step(1_000);
      expect((await get('/', { cookie })).status).toBe(404);
    });

    test('a port that is not published has no link, nor has an instance at rest', async () => {
      await expect(linkTo(22)).rejects.toMatchObject({ problem: 'port_not_published' });
      found.set('dev', instance('dev', 'stopped'));
      await expect(linkTo('notebook')).rejects.toMatchObject({ problem: 'container_not_running' });
    });

    test('a port where nobody listens says so', async () => {
      const { cookie } = await enter();
      cluster.ports.delete(8888);
      const { status, text } = await get('/', { cookie });
      expect([status, text]).toEqual([502, expect.stringContaining('Nothing answers on this port')]);
    });

    const UNREADABLE = expect.stringContaining('Nothing answers on this port');
    test.each([
      ['a status that is none', 'HTTP/1.1 000 Zero', 502, UNREADABLE],
      ['words that cannot be sent', 'HTTP/1.1 200 O\x01K', 502, UNREADABLE],
      ['trailers that cannot follow', 'HTTP/1.1 200 OK\r\nTrailer: x', 200, 'ok'],
    ])('a program that answers with %s harms nobody', async (_name, head, status, text) => {
      const rude = createTcpServer((socket) => {
        socket.once('data', () => socket.end(`${head}\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok`));
      }).listen(0, '127.0.0.1');
      await once(rude, 'listening');
      cluster.ports.set(8888, (rude.address() as AddressInfo).port);
      const { cookie } = await enter();
      expect(await get('/', { cookie })).toMatchObject({ status, text });
      rude.close();
    });

    test('without a domain there is none, which is told to whoever may know of the instance', async () => {
      await gateway.stop();
      gateway = openGateway('');
      expect(gateway.web).toBeUndefined();
      await expect(linkTo('notebook')).rejects.toMatchObject({ problem: 'tenant_web_off' });
      found.clear();
      await expect(linkTo('notebook')).rejects.toMatchObject({ problem: 'not_found' });
    });

    test('for trying out it is below a path, and its cookie is for that path', async () => {
      await gateway.stop();
      gateway = openGateway('', { hasPaths: true });
      const url = await linkTo('notebook');
      expect([url.host, url.pathname]).toEqual(['127.0.0.1', '/t/acme/dev/8888/.gantry/enter']);
      const host = url.host;
      const { status, headers } = await get(url.pathname + url.search, { host });
      expect([status, headers.location]).toEqual([303, '/t/acme/dev/8888/']);
      const set = headers['set-cookie']?.[0] ?? '';
      expect(set).toContain('; Path=/t/acme/dev/8888/;');
      const cookie = set.split(';')[0] ?? '';
      expect((await get('/t/acme/dev/8888/lab?a=1', { host, cookie })).text).toBe('GET /lab?a=1');
      expect((await get('/t/acme/other/8888/lab', { host, cookie })).status).toBe(404);
    });

    test.each(['console.example', 'ports.console.example'])(
      'the domain %s, which the console is at, is refused',
      (domain) => {
        expect(() => openGateway(domain)).toThrow('--tenant-domain');
      },
    );

    test('a host that is the console’s, on another port, is refused for trying out', () => {
      const at = (...origins: string[]) => openGateway('', { hasPaths: true, origins });
      expect(() => at('http://127.0.0.1:8080')).toThrow('--tenant-host');
      expect(() => at(CONSOLE, 'http://127.0.0.1:5173')).toThrow('--tenant-host');
    });

    test('WebSockets pass, from its own page alone, and end with the session', async () => {
      const { cookie } = await enter();
      const connect = (origin: string) =>
        new WebSocket(`ws://${addressOf(outside)}/api/kernels`, { origin, headers: { host: HOST, cookie } });
      const foreign = connect('http://9-evil-other.ports.example');
      expect(String((await once(foreign, 'error'))[0])).toContain('404');
      const own = connect(`http://${HOST}`);
      await once(own, 'open');
      own.send('hello');
      expect(String((await once(own, 'message'))[0])).toBe('echo hello');
      const closed = once(own, 'close');
      await signsOut(database(), clock);
      await clock.step(500);
      await closed;
    });
  });
});

/** As the runtime says it. */
const exitStatus = (code: number): Buffer =>
  Buffer.concat([
    Buffer.of(3),
    Buffer.from(
      JSON.stringify({ status: 'Failure', details: { causes: [{ reason: 'ExitCode', message: `${code}` }] } }),
    ),
  ]);

/** A browser's side of a terminal. */
class Page {
  readonly socket: WebSocket;
  readonly #said: { status: string }[] = [];
  readonly #chunks: Buffer[] = [];
  shownBytes = 0;
  pings = 0;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('error', () => {});
    socket.on('ping', () => {
      this.pings++;
    });
    socket.on('message', (message: Buffer, isBinary) => {
      if (isBinary) {
        this.#chunks.push(message);
        this.shownBytes += message.length;
      } else this.#said.push(JSON.parse(message.toString('utf8')));
    });
  }

  get shown(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  says(status: string): Promise<object> {
    return eventually(`it says ${status}`, () => this.#said.find((said) => said.status === status));
  }
}

async function isMember({ sql }: Database, clock: SteppedClock): Promise<void> {
  const createdAt = new Date(clock.now());
  await sql.insert(accounts).values({ id: 'acc-ann', name: 'ann', createdAt });
  await sql.insert(organizations).values({ id: 'acme', name: 'Acme', currency: 'USD', createdAt });
  const ids = { organizationId: 'acme', accountId: 'acc-ann' };
  await sql.insert(memberships).values({ ...ids, role: 'member', createdAt });
  const expiresAt = new Date(clock.now() + 24 * 60 * MINUTE);
  await sql
    .insert(sessions)
    .values({ ...ids, id: 'ses-ann', tokenHash: 'x', createdAt, lastUsedAt: createdAt, expiresAt });
}

async function signsOut({ sql }: Database, clock: SteppedClock): Promise<void> {
  await sql
    .update(sessions)
    .set({ expiresAt: new Date(clock.now()) })
    .where(eq(sessions.id, 'ses-ann'));
}

async function leaves({ sql }: Database): Promise<void> {
  await sql.delete(memberships);
}

async function becomesViewer({ sql }: Database): Promise<void> {
  await sql.update(memberships).set({ role: 'viewer' });
}
