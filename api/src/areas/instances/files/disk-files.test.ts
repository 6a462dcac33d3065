// The path to a disk's server and its refusals; the server and the API server are played at the wire.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { Readable } from 'node:stream';
import type { DataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { PodApiServer } from '../../../../../test/support/pod-api-server.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { DiskFiles, type FileCall, type Holder } from './disk-files.ts';

const caller = {
  account: { id: 'acc-ann', locale: 'en' },
  organization: { id: 'acme', namespace: 'org-acme', role: 'member' },
} as unknown as Caller;

interface Heard {
  method: string | undefined;
  url: string | undefined;
  token: string | undefined;
  range: string | undefined;
  body: string;
}

let cluster: PodApiServer;
let server: Server;
let answer: { status: number; body: string };
let heard: Heard[];
let clock: SteppedClock;
let disk: DataDisk;
let wishes: string[];
let files: DiskFiles;
let holder: Holder | undefined;

beforeAll(async () => {
  cluster = await PodApiServer.start();
  server = createServer(async (req, res) => {
    heard.push({
      method: req.method,
      url: req.url,
      token: req.headers.authorization,
      range: req.headers['content-range'],
      body: await textOf(req),
    });
    res.writeHead(answer.status).end(answer.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cluster.ports.set(8080, (server.address() as AddressInfo).port);
});
afterAll(async () => {
  await cluster.stop();
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  heard = [];
  wishes = [];
  holder = undefined;
  cluster.program = (server.address() as AddressInfo).port;
  cluster.executed.length = 0;
  answer = { status: 200, body: '{"said":true}' };
  clock = new SteppedClock();
  disk = diskWith({ until: clock.now() + 3_600_000, reason: 'FilesReady', isServed: true });
  files = new DiskFiles({
    as: cluster.as as never,
    findDisk: (namespace, id) => (namespace === 'org-acme' && id === 'data' ? disk : undefined),
    wish: async (user, _disk, until) => {
      wishes.push(`${user} ${until}`);
      disk = { ...disk, metadata: { ...disk.metadata, generation: 2 } };
    },
    holderOf: () => holder,
    keyed: (text) => `keyed ${text}`,
    clock,
    silenceMs: 200,
  });
});
afterEach(() => files.stop());

const json = (of: Caller, asked: FileCall) => files.json(of, 'data', asked, z.unknown());
const call = (over: Partial<FileCall> = {}): FileCall => ({
  method: 'GET',
  path: '/usage',
  query: {},
  signal: new AbortController().signal,
  ...over,
});

function diskWith(seen: { until?: number; reason?: string; isServed?: boolean; generation?: number }): DataDisk {
  const { until, reason, isServed = false, generation = 1 } = seen;
  return {
    apiVersion: 'gantry.dev/v1alpha1',
    kind: 'DataDisk',
    metadata: { name: 'data', namespace: 'org-acme', uid: 'uid', generation },
    spec: { ...(until && { files: { until: new Date(until).toISOString() } }) },
    status: {
      observedGeneration: generation,
      mountedBy: [{ kind: 'GpuInstance', name: 'dev' }],
      ...(isServed && { files: { address: '192.0.2.1:8080' } }),
      ...(reason && {
        conditions: [{ type: 'FilesAvailable', status: isServed ? 'True' : 'False', reason, message: 'as told' }],
      }),
    },
  } as unknown as DataDisk;
}

test('a call reaches the server with its token, query and body', async () => {
  const body = Readable.from([Buffer.from('abc')]);
  const query = { path: '/a b/ü', upload: undefined, overwrite: true };
  const headers = { 'content-range': 'bytes 0-2/9' };
  const said = await json(caller, call({ method: 'PUT', path: '/file', query, headers, body }));
  expect(said).toEqual({ said: true });
  expect(heard).toEqual([
    {
      method: 'PUT',
      url: '/file?path=%2Fa+b%2F%C3%BC&overwrite=true',
      token: 'Bearer keyed files/uid',
      range: 'bytes 0-2/9',
      body: 'abc',
    },
  ]);
  expect(wishes).toEqual([]);
});

test('a server that nobody asked for is asked for as the member, and waited for', async () => {
  disk = diskWith({});
  const asked = json(caller, call());
  await clock.step(100);
  expect(wishes).toEqual(['system:serviceaccount:org-acme:acc-ann 2026-01-01T01:00:00.000Z']);
  disk = diskWith({ until: clock.now() + 3_600_000, reason: 'FilesStarting', generation: 2 });
  await clock.step(1_000);
  expect(heard).toEqual([]);
  disk = diskWith({ until: clock.now() + 3_600_000, reason: 'FilesReady', isServed: true, generation: 2 });
  await clock.step(100);
  expect(await asked).toEqual({ said: true });
});

test('a wish that soon ends is renewed', async () => {
  disk = diskWith({ until: clock.now() + 60_000, reason: 'FilesReady', isServed: true });
  const asked = json(caller, call());
  await clock.step(100);
  disk = diskWith({ until: clock.now() + 3_600_000, reason: 'FilesReady', isServed: true, generation: 2 });
  await clock.step(100);
  await asked;
  expect(wishes).toHaveLength(1);
});

test.each([
  ['is too far ahead for the operator', '2026-01-03T00:00:00Z'],
  ['is a moment before a day ahead by our clock alone', '2026-01-01T23:59:30Z'],
  ['cannot be read', '2026-01-01T02:00:00+99:99'],
  ['only JavaScript can read', '2026-01-01 02:00'],
])('a wish that %s is written anew', async (_, until) => {
  disk = diskWith({ reason: 'FilesTooLong' });
  disk = { ...disk, spec: { ...disk.spec, files: { until } } };
  const asked = json(caller, call());
  await clock.step(100);
  expect(wishes).toEqual(['system:serviceaccount:org-acme:acc-ann 2026-01-01T01:00:00.000Z']);
  disk = diskWith({ until: clock.now() + 3_600_000, reason: 'FilesReady', isServed: true, generation: 2 });
  await clock.step(100);
  expect(await asked).toEqual({ said: true });
});

test('a wish for most of a day is left as it is', async () => {
  disk = diskWith({ until: clock.now() + 23 * 3_600_000, reason: 'FilesReady', isServed: true });
  await json(caller, call());
  expect(wishes).toEqual([]);
});

test('a refusal that passes with time is a 409 with a time to retry', async () => {
  disk = diskWith({ until: clock.now() + 3_600_000, reason: 'FilesStarting' });
  const asked = expect(json(caller, call())).rejects.toMatchObject({
    problem: 'files_preparing',
    retryAfterSeconds: 2,
  });
  await clock.step(13_000);
  await asked;
});

test.each([
  ['FilesInUse', { problem: 'files_in_use', args: { by: 'dev' } }],
  ['FilesFailed', { problem: 'files_unavailable', args: { detail: 'as told' } }],
])('%s is told at once', async (reason, fault) => {
  disk = diskWith({ until: clock.now() + 3_600_000, reason });
  await expect(json(caller, call())).rejects.toMatchObject(fault);
});

describe('a disk that a running instance has to itself', () => {
  beforeEach(() => {
    disk = diskWith({ until: clock.now() + 3_600_000, reason: 'FilesInUse' });
    holder = { at: { namespace: 'org-acme', pod: 'dev-1' }, root: '/data/my disk' };
  });

  test('is reached through the instance, as the member, and the token stays here', async () => {
    const body = Readable.from([Buffer.from('abc')]);
    expect(await json(caller, call({ method: 'PUT', path: '/file', query: { path: '/a' }, body }))).toEqual({
      said: true,
    });
    expect(await json(caller, call())).toEqual({ said: true });
    expect(heard.map(({ method, url, token, body }) => [method, url, token, body])).toEqual([
      ['PUT', '/file?path=%2Fa', undefined, 'abc'],
      ['GET', '/usage?', undefined, ''],
    ]);
    // Both calls went over one program.
    expect(cluster.executed).toEqual([
      {
        path: '/api/v1/namespaces/org-acme/pods/dev-1/exec',
        user: 'system:serviceaccount:org-acme:acc-ann',
        command: ['/gantry/bin/agent', 'disk-server', '--root', '/data/my disk', '--pipe'],
      },
    ]);
  });

  test('is told as in use where the instance started with an agent that knows no files', async () => {
    cluster.program = undefined;
    await expect(json(caller, call())).rejects.toMatchObject({ problem: 'files_in_use', args: { by: 'dev' } });
  });

  test('is not available while its server says nothing', async () => {
    const mute = createTcpServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    cluster.program = (mute.address() as AddressInfo).port;
    const closed = new Promise((resolve) => mute.once('connection', (socket) => socket.once('close', resolve)));
    await expect(json(caller, call())).rejects.toMatchObject({ problem: 'unavailable' });
    await closed;
    mute.close();
  });

  test('is asked no more once the caller has gone', async () => {
    const endless = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nhalf'));
    }).listen(0, '127.0.0.1');
    await once(endless, 'listening');
    cluster.program = (endless.address() as AddressInfo).port;
    const closed = new Promise((resolve) => endless.once('connection', (socket) => socket.once('close', resolve)));
    const over = new AbortController();
    const got = await files.call(caller, 'data', call({ path: '/zip', signal: over.signal }));
    got.on('error', () => {});
    over.abort();
    await closed;
    endless.close();
  });
});

test("another organisation's disk is not there", async () => {
  const eve = { ...caller, organization: { ...caller.organization, namespace: 'org-other' } };
  await expect(json(eve, call())).rejects.toMatchObject({ problem: 'not_found' });
});

test('a server that cannot be reached is a 503, and no failure of ours', async () => {
  cluster.refuses = 500;
  disk = { ...disk, metadata: { ...disk.metadata, uid: 'another' } };
  await expect(json(caller, call())).rejects.toMatchObject({ problem: 'unavailable' });
  cluster.refuses = 0;
});

test('a member who may not reach the server any more is refused', async () => {
  cluster.refuses = 403;
  disk = { ...disk, metadata: { ...disk.metadata, uid: 'third' } };
  await expect(json(caller, call())).rejects.toMatchObject({ problem: 'file_refused' });
  cluster.refuses = 0;
});

describe('refusals of the server', () => {
  test.each([
    [400, { code: 'PathNotAllowed', field: 'path' }, { problem: 'file_path_rule', field: 'path' }],
    [403, { code: 'LeadsOutside', field: 'path' }, { problem: 'file_leads_outside', field: 'path' }],
    [404, { code: 'NotFound', field: 'to' }, { problem: 'not_found', args: { what: 'to' }, field: 'to' }],
    [409, { code: 'Exists', field: 'path' }, { problem: 'file_exists' }],
    [409, { code: 'OffsetDiffers', offset: 7 }, { problem: 'upload_offset', args: { offset: 7 } }],
    [409, { code: 'IsFolder', detail: 'it is' }, { problem: 'file_wrong_kind', args: { detail: 'it is' } }],
    [400, { code: 'RangeNotUnderstood', detail: 'no range' }, { problem: 'upload_not_understood' }],
    [403, { code: 'ReadOnly' }, { problem: 'file_refused' }],
    [409, { code: 'UploadBusy' }, { problem: 'file_busy' }],
    [410, { code: 'UploadGone' }, { problem: 'upload_gone' }],
    [413, { code: 'FileTooLarge' }, { problem: 'file_too_large' }],
    [416, { code: 'RangeOutside' }, { problem: 'range_outside' }],
    [507, { code: 'DiskFull' }, { problem: 'disk_full' }],
    [503, { code: 'Busy' }, { problem: 'unavailable', retryAfterSeconds: 2 }],
  ])('%i %o', async (status, body, fault) => {
    answer = { status, body: JSON.stringify(body) };
    await expect(json(caller, call())).rejects.toMatchObject(fault);
  });

  test('one that nobody knows is a fault of ours, with its code in the log', async () => {
    answer = { status: 500, body: '{"code":"DiskFault","detail":"bad sector"}' };
    await expect(json(caller, call())).rejects.toThrow("a disk's server answered 500 DiskFault: bad sector");
  });
});

async function textOf(req: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of req.setEncoding('utf8')) text += chunk;
  return text;
}
