// The sources of a run's log, their readers, and how many are read at once. The registry is played at the wire.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { containerService } from '@gantry/contract/kinds/container-service.ts';
import { type GpuInstance, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { ApiError } from '@gantry/kube/api-error.ts';
import { MOST_SOCKETS } from '@gantry/kube/credentials.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Caller } from '../../../platform/http/caller.ts';
import { KeptLogs } from './kept-logs.ts';
import { type Logged, type LogWanted, RunLogs, type RunLogsParts } from './run-logs.ts';

const ann = {
  account: { id: 'acc-ann' },
  organization: { id: 'acme', namespace: 'org-acme' },
} as Caller;
const eve = { account: { id: 'acc-eve' }, organization: { id: 'foe', namespace: 'org-foe' } } as Caller;
const LINES = '2026-11-23T10:00:01Z a\n2026-11-23T10:00:02Z b\n';
const LOG_TYPE = 'application/vnd.gantry.log.v1+gzip';
const END = { endedAt: '2026-11-23T10:01:00Z', exit: 'exit code 3' };
const kept = (image = 'registry.gantry.internal/org-acme/dev.log:1', bytes = LINES.length) => ({
  image,
  bytes,
  isCut: false,
});
const wanted: LogWanted = { follow: false, timestamps: true };

let registry: Server;
let url: string;
let blob: Buffer;
let types: { artifactType?: string; mediaType: string };
/** The status for the log itself, for whoever may pull it. */
let status: number;
/** The requests to the registry and its token endpoint. */
let asked: string[];
let pods: { user: string; path: string; query: object; cluster?: string }[];
let podLog: Readable | Error;
let runs: NonNullable<NonNullable<GpuInstance['status']>['runs']>;
let logs: RunLogs;

const client = {
  createUnder: async (_resource: unknown, { name }: { name: string }) =>
    ({ status: { token: `of ${name}` } }) as unknown as KubeObject,
};

beforeEach(async () => {
  blob = gzipSync(LINES);
  types = { artifactType: LOG_TYPE, mediaType: LOG_TYPE };
  status = 200;
  asked = [];
  pods = [];
  podLog = Readable.from([Buffer.from(LINES)]);
  runs = [];
  registry = createServer((req, res) => {
    asked.push(`${req.url} ${req.headers.authorization ?? ''}`);
    const digest = `sha256:${createHash('sha256').update(blob).digest('hex')}`;
    if (req.url?.startsWith('/token')) {
      const isAnn =
        req.headers.authorization === `Basic ${Buffer.from('serviceaccount:of acc-ann').toString('base64')}`;
      return void res.writeHead(isAnn ? 200 : 401).end(JSON.stringify({ token: 'pull' }));
    }
    if (req.headers.authorization !== 'Bearer pull') {
      const realm = `Bearer realm="${url}/token",service="gantry-registry"`;
      return void res.writeHead(401, { 'www-authenticate': realm }).end('{}');
    }
    const { artifactType, mediaType } = types;
    if (req.url === '/v2/org-acme/dev.log/manifests/1')
      return void res.writeHead(status).end(JSON.stringify({ artifactType, layers: [{ mediaType, digest }] }));
    if (req.url === `/v2/org-acme/dev.log/blobs/${digest}`) return void res.writeHead(status).end(blob);
    res.writeHead(404).end('{}');
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
  logs = logsWith({});
});
afterEach(() => {
  registry.close();
  logs.stop();
});

const logsWith = (more: Partial<RunLogsParts>): RunLogs =>
  new RunLogs({
    find: (_kind, namespace, name) => (namespace === 'org-acme' && name === 'dev' ? logged(dev()) : undefined),
    kept: new KeptLogs({ client, registryUrl: url }),
    mostPerAccount: 2,
    ...more,
  });

const apiServer =
  (cluster: string): Logged['as'] =>
  (user) => ({
    stream: async (_resource, { name }, subresource, query) => {
      pods.push({ user, path: `${name}/${subresource}`, query, ...(cluster !== 'here' && { cluster }) });
      if (podLog instanceof Error) throw podLog;
      return podLog as never;
    },
  });

const logged = (object: KubeObject): Logged => ({ object, as: apiServer('here') });

const dev = () =>
  ({
    metadata: { name: 'dev', namespace: 'org-acme' },
    status: { run: { seq: 2, cause: 'crash', readyAt: '2026-11-23T10:02:00Z' }, runs },
  }) as unknown as KubeObject;

async function read(number: number, more: Partial<LogWanted> = {}, caller = ann): Promise<string> {
  let said = '';
  const signal = new AbortController().signal;
  await logs.read(caller, gpuInstance, { id: 'dev', number }, { ...wanted, ...more }, signal, async (lines) => {
    said = await text(Readable.from(lines, { objectMode: false }));
  });
  return said;
}

test('the run that goes on is read from its Pod, as the member', async () => {
  expect(await read(2, { follow: true, tail: 10, since: '2026-11-23T10:00:00Z' })).toBe(LINES);
  expect(pods).toEqual([
    {
      user: 'system:serviceaccount:org-acme:acc-ann',
      path: 'dev-2/log',
      query: { container: 'main', timestamps: true, follow: true, tailLines: 10, sinceTime: '2026-11-23T10:00:00Z' },
    },
  ]);
});

test('of one in another data centre the run that goes on is read there, as the member; what is kept there is not', async () => {
  const away = apiServer('away');
  logs = logsWith({ find: () => ({ object: dev(), as: away, elsewhere: 'EU West Paris' }) });
  expect(await read(2)).toBe(LINES);
  expect(pods).toMatchObject([{ user: 'system:serviceaccount:org-acme:acc-ann', path: 'dev-2/log', cluster: 'away' }]);
  runs = [{ seq: 1, cause: 'first', ...END, log: kept() }];
  await expect(read(1)).rejects.toMatchObject({ problem: 'placed_elsewhere', args: { region: 'EU West Paris' } });
  expect(asked).toEqual([]);
});

test('an ended run is read from the registry, by a token of the member’s account', async () => {
  runs = [{ seq: 1, cause: 'first', ...END, log: kept() }];
  expect(await read(1)).toBe(LINES);
  expect(await read(1, { tail: 1, timestamps: false })).toBe('b\n');
  expect(pods).toEqual([]);
  expect(asked[1]).toMatch(/^\/token\?service=gantry-registry&scope=repository%3Aorg-acme%2Fdev\.log%3Apull Basic /);
});

test('a run that ended a moment ago is read from its Pod', async () => {
  runs = [{ seq: 1, cause: 'first', ...END }];
  expect(await read(1)).toBe(LINES);
});

test('an empty log asks nobody', async () => {
  runs = [{ seq: 1, cause: 'first', ...END, log: kept(undefined, 0) }];
  expect([await read(1), asked, pods]).toEqual(['', [], []]);
});

test.each([
  ['a Pod that is gone', 404, true, 'log_not_kept'],
  ['a container that has not begun', 400, false, 'container_not_running'],
])('%s', async (_what, code, hasEnded, problem) => {
  podLog = new ApiError(code, {});
  runs = hasEnded ? [{ seq: 1, cause: 'first', ...END }] : [];
  await expect(read(hasEnded ? 1 : 2)).rejects.toMatchObject({ problem });
});

test.each([
  ['another organisation’s', 'registry.gantry.internal/org-foe/dev.log:1'],
  ['another registry’s path', 'registry.gantry.internal/org-acme/../org-foe/x:1'],
  ['one that was swept', 'registry.gantry.internal/org-acme/gone.log:1'],
  ['no image at all', 'nothing'],
])('a status that names %s shows nothing', async (_what, image) => {
  runs = [{ seq: 1, cause: 'first', ...END, log: kept(image) }];
  await expect(read(1)).rejects.toMatchObject({ problem: 'log_not_kept' });
  expect(asked.every((one) => !one.includes('org-foe'))).toBe(true);
});

test('what is no log in the registry is not shown', async () => {
  blob = Buffer.from('not packed');
  runs = [{ seq: 1, cause: 'first', ...END, log: kept() }];
  await expect(read(1)).rejects.toMatchObject({ problem: 'log_not_kept' });
});

test.each([
  ['an image', { mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip' }],
  ['an artifact of another type', { artifactType: 'application/vnd.oci.empty.v1+json', mediaType: LOG_TYPE }],
  ['a layer of another type', { artifactType: LOG_TYPE, mediaType: 'application/octet-stream' }],
])('%s under the name of a log is not shown, and its content not asked for', async (_what, others) => {
  types = others;
  runs = [{ seq: 1, cause: 'first', ...END, log: kept() }];
  await expect(read(1)).rejects.toMatchObject({ problem: 'log_not_kept' });
  expect(asked.filter((one) => one.includes('/blobs/'))).toEqual([]);
});

test.each([
  ['packed', () => randomBytes(256 * 1024), 100],
  ['unpacked', () => Buffer.alloc(1024 * 1024, '\n'), 1024 * 1024 - 1],
])('more bytes than the status has, %s, are not shown', async (_what, content, bytes) => {
  blob = gzipSync(content());
  runs = [{ seq: 1, cause: 'first', ...END, log: kept(undefined, bytes) }];
  await expect(read(1)).rejects.toMatchObject({ problem: 'log_not_kept' });
});

test('a kept log that does not pack is shown whole', async () => {
  const content = randomBytes(4 * 1024 * 1024)
    .toString('latin1')
    .replaceAll(/[^ -~]/g, '.');
  blob = gzipSync(content, { level: 0 });
  runs = [{ seq: 1, cause: 'first', ...END, log: kept(undefined, content.length) }];
  expect((await read(1)) === content).toBe(true);
});

test('others have their turns while a kept log of empty lines is read', async () => {
  const content = '\n'.repeat(300_000);
  blob = gzipSync(content);
  runs = [{ seq: 1, cause: 'first', ...END, log: kept(undefined, content.length) }];
  const turns: number[] = [];
  let turn = 0;
  let bytes = 0;
  const { signal } = new AbortController();
  await logs.read(ann, gpuInstance, { id: 'dev', number: 1 }, wanted, signal, async (lines) => {
    const next = () => {
      turn++;
      running = setImmediate(next);
    };
    let running = setImmediate(next);
    for await (const part of lines) {
      turns.push(turn);
      bytes += part.length;
    }
    clearImmediate(running);
  });
  expect(bytes).toBe(content.length);
  expect(turns.length).toBeGreaterThanOrEqual(300_000 / (64 * 1024));
  expect(new Set(turns).size).toBe(turns.length);
});

test.each([401, 429, 500, 503])('a registry that answers %i is a fault that passes', async (code) => {
  status = code;
  runs = [{ seq: 1, cause: 'first', ...END, log: kept() }];
  await expect(read(1)).rejects.toMatchObject({ problem: 'unavailable' });
});

test('who reads a kept log too slowly does not hold it for ever', async () => {
  logs = logsWith({ readMs: 20 });
  runs = [{ seq: 1, cause: 'first', ...END, log: kept() }];
  const { signal } = new AbortController();
  const slow = logs.read(ann, gpuInstance, { id: 'dev', number: 1 }, wanted, signal, async (lines, limited) => {
    const stuck = new Writable({ highWaterMark: 1, write() {} });
    await pipeline(Readable.from(lines, { objectMode: false }), stuck, { signal: limited });
  });
  await expect(slow).rejects.toThrow('aborted');
});

test('a registry that does not answer is a fault that passes', async () => {
  runs = [{ seq: 1, cause: 'first', ...END, log: kept() }];
  registry.close();
  registry.closeAllConnections();
  await expect(read(1)).rejects.toMatchObject({ problem: 'unavailable' });
});

test.each([
  ['another tenant’s object', () => read(2, {}, eve)],
  ['a run that there never was', () => read(7)],
])('%s is not found', async (_what, ask) => {
  await expect(ask()).rejects.toMatchObject({ problem: 'not_found' });
  expect([asked, pods]).toEqual([[], []]);
});

/** A job whose first run failed and whose second goes on. */
const train = () =>
  ({
    metadata: { name: 'train', namespace: 'org-acme' },
    status: {
      run: { seq: 2, cause: 'retry' },
      workers: [
        { index: 0, pod: 'train-2-0-abcde', phase: 'running' },
        { index: 1, phase: 'waiting' },
      ],
      runs: [
        {
          ...{ seq: 1, cause: 'first', ...END },
          workers: [
            { index: 0, pod: 'train-1-0-abcde', ...END },
            { index: 1, pod: 'train-1-1-abcde', ...END, log: kept() },
          ],
        },
      ],
    },
  }) as unknown as KubeObject;

async function readWorker(number: number, part?: number, more: Partial<LogWanted> = {}, caller = ann): Promise<string> {
  let said = '';
  logs = logsWith({ find: (_kind, namespace) => (namespace === 'org-acme' ? logged(train()) : undefined) });
  const { signal } = new AbortController();
  await logs.read(caller, job, { id: 'train', number, part }, { ...wanted, ...more }, signal, async (lines) => {
    said = await text(Readable.from(lines, { objectMode: false }));
  });
  return said;
}

test('each worker of a run has a log of its own', async () => {
  expect(
    [...logsWith({ find: () => logged(train()) }).runs(ann, job, 'train')].map(({ seq, part }) => [seq, part]),
  ).toEqual([
    [2, 0],
    [2, 1],
    [1, 0],
    [1, 1],
  ]);
});

test.each<[string, number, number | undefined, string]>([
  ['the first worker that goes on, from its Pod', 2, undefined, 'train-2-0-abcde/log'],
  ['a worker whose log is not saved yet, from its Pod', 1, 0, 'train-1-0-abcde/log'],
])('%s', async (_what, number, part, path) => {
  expect(await readWorker(number, part)).toBe(LINES);
  expect(pods).toMatchObject([{ user: 'system:serviceaccount:org-acme:acc-ann', path, query: { container: 'main' } }]);
});

test('a worker’s log that is kept is searched and cut as those of instances are', async () => {
  expect(await readWorker(1, 1)).toBe(LINES);
  expect(await readWorker(1, 1, { search: 'B', timestamps: false })).toBe('b\n');
  expect(await readWorker(1, 1, { since: '2026-11-23T10:00:02Z', tail: 2 })).toBe('2026-11-23T10:00:02Z b\n');
  expect(pods).toEqual([]);
});

test.each<[string, () => Promise<string>, string]>([
  ['a worker that there is not', () => readWorker(2, 2), 'not_found'],
  ['a worker of another organisation', () => readWorker(2, 0, {}, eve), 'not_found'],
  ['a worker without a Pod', () => readWorker(2, 1), 'container_not_running'],
])('%s has no log', async (_what, ask, said) => {
  await expect(ask()).rejects.toMatchObject({ problem: said });
  expect([asked, pods]).toEqual([[], []]);
});

const web = () =>
  ({
    metadata: { name: 'web', namespace: 'org-acme' },
    status: { pods: [{ name: 'web-service-1-abcde', uid: 'u', phase: 'ready', restarts: 1 }] },
  }) as unknown as KubeObject;

async function readReplica(pod: string, more: Partial<LogWanted> = {}, caller = ann): Promise<string> {
  let said = '';
  logs = logsWith({ find: (_kind, namespace) => (namespace === 'org-acme' ? logged(web()) : undefined) });
  const { signal } = new AbortController();
  const asks = { ...wanted, ...more };
  await logs.readReplica(caller, containerService, { id: 'web', pod }, asks, signal, async (lines) => {
    said = await text(Readable.from(lines, { objectMode: false }));
  });
  return said;
}

test('a replica is read from its Pod, as the member, and so is what it wrote before it was started again', async () => {
  expect(await readReplica('web-service-1-abcde', { tail: 5 })).toBe(LINES);
  podLog = Readable.from([Buffer.from(LINES)]);
  expect(await readReplica('web-service-1-abcde', { previous: true })).toBe(LINES);
  const query = { container: 'main', timestamps: true, follow: false };
  expect(pods).toEqual([
    {
      user: 'system:serviceaccount:org-acme:acc-ann',
      path: 'web-service-1-abcde/log',
      query: { ...query, tailLines: 5 },
    },
    {
      user: 'system:serviceaccount:org-acme:acc-ann',
      path: 'web-service-1-abcde/log',
      query: { ...query, previous: true },
    },
  ]);
});

test.each<[string, () => Promise<string>]>([
  ['a Pod that is none of its replicas', () => readReplica('train-2-0-abcde')],
  ['a replica of another organisation', () => readReplica('web-service-1-abcde', {}, eve)],
])('%s has no log to show', async (_what, ask) => {
  await expect(ask()).rejects.toMatchObject({ problem: 'not_found' });
  expect(pods).toEqual([]);
});

test.each<[string, number, Partial<LogWanted>, string]>([
  ['a replica that never began', 400, {}, 'container_not_running'],
  ['a replica that was never started again', 400, { previous: true }, 'log_not_kept'],
  ['a replica that went a moment ago', 404, {}, 'container_not_running'],
])('%s says so', async (_what, code, more, said) => {
  podLog = new ApiError(code, {});
  await expect(readReplica('web-service-1-abcde', more)).rejects.toMatchObject({ problem: said });
});

test('what the API server refuses a member is refused', async () => {
  podLog = new ApiError(403, {});
  await expect(readReplica('web-service-1-abcde')).rejects.toMatchObject({ code: 403 });
});

test('one person reads so many at a time, and others are not held up', async () => {
  const endless = () => {
    podLog = new Readable({ read() {} });
    return podLog;
  };
  const open = [endless(), endless()].map((log) => {
    podLog = log;
    return { log, done: read(2, { follow: true }) };
  });
  await expect(read(2)).rejects.toMatchObject({ problem: 'too_many_logs', args: { most: 2, all: 64 } });
  for (const { log } of open) log.push(null);
  await Promise.all(open.map(({ done }) => done));
  podLog = Readable.from([Buffer.from(LINES)]);
  expect(await read(2)).toBe(LINES);
});

/** As many people as that, each of an organisation of its own or all of one, open logs that go on; says how many are open. */
async function openLogs(people: number, organizationOf: (person: number) => string) {
  const stream = async () => {
    const log = new Readable({ read() {} });
    open.push(log);
    return log as never;
  };
  logs = logsWith({ find: () => ({ object: dev(), as: () => ({ stream }) }) });
  const open: Readable[] = [];
  const { signal } = new AbortController();
  const all = Array.from({ length: 2 * people }, (_, index) => {
    const id = organizationOf(index >> 1);
    const caller = { account: { id: `acc-${index >> 1}` }, organization: { id, namespace: `org-${id}` } } as Caller;
    const asked = { ...wanted, follow: true };
    return logs.read(caller, gpuInstance, { id: 'dev', number: 2 }, asked, signal, async (lines) => {
      await text(Readable.from(lines, { objectMode: false }));
    });
  });
  const most = open.length;
  for (const log of open) log.push(null);
  const ended = await Promise.allSettled(all);
  const refused = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason.problem as string] : []));
  return { most, refused };
}

test('one organisation reads so many at a time, however many people it has', async () => {
  const { most, refused } = await openLogs(40, () => 'acme');
  expect([most, refused]).toEqual([64, Array(16).fill('too_many_logs')]);
});

test('all logs together leave half of the connections to the API server to everything else', async () => {
  const { most, refused } = await openLogs(MOST_SOCKETS, (person) => `of-${person}`);
  expect(most).toBe(MOST_SOCKETS / 2);
  expect(new Set(refused)).toEqual(new Set(['unavailable']));
});
