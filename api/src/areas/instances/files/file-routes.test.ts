// Files and tickets over HTTP: every call reaches its store correctly, content is streamed, and a fault in the request is named
// before anybody is asked.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { FILE_ROUTES } from '@gantry/contract/areas/instances/files.ts';
import { TERMINAL_ROUTES } from '@gantry/contract/areas/instances/terminal.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import express from 'express';
import type * as z from 'zod';
import { frameParts } from '../../../../../test/support/frame-parts.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { routerOf, runnablesOf } from '../../../platform/http/routes-of.ts';
import { terminalRoutes } from '../terminals/terminal-routes.ts';
import type { FileCall } from './disk-files.ts';
import { fileRoutes } from './file-routes.ts';

let server: Server;
let calls: { path: string; method: string; query: object; headers?: object; body?: string }[];
let answer: { status: number; headers: Record<string, string>; body: string };
let fault: Error | undefined;
let signOut: () => void;
/** A transfer that never ends on its own. */
let endless: Readable | undefined;

const callerOf = (role: 'member' | 'viewer') =>
  ({
    account: { id: 'acc-ann', name: 'ann', email: null, locale: 'en', platformRoles: [] },
    organization: { id: 'acme', role, namespace: 'org-acme' },
    session: { id: 'ses-ann', kind: 'session', scopes: [], expiresAt: Number.MAX_SAFE_INTEGER },
  }) as Caller;

async function play(_caller: Caller, _id: string, { path, method, query, headers, body }: FileCall) {
  if (fault) throw fault;
  const sent = body && (await text(body));
  calls.push({ path, method, query, ...(headers && { headers }), ...(sent !== undefined && { body: sent }) });
  const { status: statusCode, headers: answered, body: said } = answer;
  return Object.assign(endless ?? Readable.from([said]), {
    statusCode,
    headers: answered,
  }) as unknown as IncomingMessage;
}

/** The bytes that the disk's file system keeps for itself. */
const OWN_BYTES = 34;

beforeAll(async () => {
  const files = {
    call: play,
    json: async <T>(caller: Caller, id: string, call: FileCall, shape: z.ZodType<T>) => {
      const said = await text((await play(caller, id, call)) as unknown as Readable);
      return shape.parse(said === '' ? undefined : JSON.parse(said));
    },
    ownBytes: () => OWN_BYTES,
  };
  const logins = {
    follow: (_session: Caller['session'], over: () => void) => {
      signOut = over;
      return () => {};
    },
  };
  const terminals = {
    issue: async () => ({ ticket: 't', url: '/u', cluster_id: 'c', namespace: 'n', container_name: 'm' }),
    issuePart: async () => ({ ticket: 't', url: '/u', cluster_id: 'c', namespace: 'n', container_name: 'm' }),
    sessions: async () => [],
    endSession: async () => {},
  };
  const web = {
    issue: async (_caller: Caller, id: string, port: number | 'notebook') => ({ url: `http://${id}/${port}` }),
  };
  const parts = frameParts({ authenticate: async (token) => callerOf(token === 'viewer' ? 'viewer' : 'member') });
  const app = express().set('query parser', 'simple');
  const routes = [...Object.values(FILE_ROUTES), ...Object.values(TERMINAL_ROUTES)];
  const served = [
    ...fileRoutes({ files, logins }),
    ...terminalRoutes({ terminals, web, notebookToken: (_caller, id) => `token of ${id}` }),
  ];
  app.use('/api', routerOf(runnablesOf(parts, routes, served), app.get('trust proxy fn')));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  calls = [];
  fault = undefined;
  endless = undefined;
  answer = { status: 200, headers: {}, body: '' };
});

const DIR = '/stor/v1/data-disk/data/filesystem';
async function ask(path: string, init: RequestInit = {}) {
  const { port } = server.address() as AddressInfo;
  const headers = { 'x-token': 'member', ...(init.headers as Record<string, string>) };
  const got = await fetch(`http://127.0.0.1:${port}/api${path}`, { ...init, headers });
  const said = await got.text();
  const isJson = got.headers.get('content-type')?.includes('json');
  return { status: got.status, headers: got.headers, body: isJson ? JSON.parse(said) : said };
}
const json = (body: object) => ({ body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });

describe('200', () => {
  test('a folder is a page, with what is used and in all', async () => {
    answer.body = JSON.stringify({
      path: '/a',
      total: 7,
      entries: [
        { name: 'l', type: 'link', sizeBytes: 3, modifiedAt: '2026-01-01T00:00:00Z', target: 'x', leadsTo: 'file' },
      ],
      usedBytes: OWN_BYTES + 1,
      totalBytes: 37,
      availableBytes: 2,
    });
    const { status, body } = await ask(`${DIR}/dir?path=/a&size=1&sort=size`);
    expect(status).toBe(200);
    expect(body.data).toEqual([
      { name: 'l', type: 'link', size_bytes: 3, modified_at: '2026-01-01T00:00:00Z', target: 'x', leads_to: 'file' },
    ]);
    expect(body.paginated).toMatchObject({
      page: 1,
      size: 1,
      total_num: 7,
      extra: { path: '/a', used_bytes: 1, total_bytes: 37, available_bytes: 2 },
    });
    expect(calls.find(({ path }) => path === '/dir')?.query).toEqual({
      path: '/a',
      page: 1,
      size: 1,
      sort: 'size',
      order: 'asc',
    });
  });

  test('a search says in which folder each name is, and whether it saw all', async () => {
    answer.body = JSON.stringify({
      path: '/a',
      entries: [{ name: 'f', folder: '/a/b', type: 'file', sizeBytes: 3, modifiedAt: '2026-01-01T00:00:00Z' }],
      isComplete: false,
    });
    const { status, body } = await ask(`${DIR}/search?path=/a&text=f`);
    expect([status, body.result]).toEqual([
      200,
      {
        items: [{ name: 'f', folder: '/a/b', type: 'file', size_bytes: 3, modified_at: '2026-01-01T00:00:00Z' }],
        complete: false,
      },
    ]);
    expect(calls).toEqual([{ path: '/search', method: 'GET', query: { path: '/a', text: 'f' } }]);
  });

  test('a folder is a zip with its size before packing, and never a page', async () => {
    const about = { 'files-bytes': '7', 'content-disposition': 'attachment; filename="a.zip"' };
    answer = { status: 200, headers: { ...about, 'set-cookie': 'x=1', 'content-type': 'text/html' }, body: 'PK' };
    const { status, headers, body } = await ask(`${DIR}/zip?path=/a`);
    expect([status, body, headers.get('content-type')]).toEqual([200, 'PK', 'application/zip']);
    for (const [name, value] of Object.entries(about)) expect(headers.get(name)).toBe(value);
    expect(headers.get('set-cookie')).toBeNull();
  });

  test('a file comes with the headers that are about it, in part where a part is asked for', async () => {
    const about = {
      'content-range': 'bytes 0-3/9',
      etag: '"e"',
      'content-disposition': 'attachment',
    };
    answer = { status: 206, headers: { ...about, 'set-cookie': 'x=1', 'content-type': 'text/html' }, body: 'part' };
    const { status, headers, body } = await ask(`${DIR}/file?path=/f`, {
      headers: { range: 'bytes=0-3', cookie: 'y=2' },
    });
    expect([status, body]).toEqual([206, 'part']);
    for (const [name, value] of Object.entries(about)) expect(headers.get(name)).toBe(value);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('set-cookie')).toBeNull();
    expect(calls[0]?.headers).toEqual({ range: 'bytes=0-3' });
  });

  test('a piece of an upload goes through, and says where the next one begins', async () => {
    answer = { status: 202, headers: {}, body: '{"offset":3,"total":9}' };
    const { body } = await ask(`${DIR}/file?path=/f&upload=upload-1`, {
      method: 'PUT',
      body: 'abc',
      headers: { 'content-range': 'bytes 0-2/9' },
    });
    expect(body.result).toEqual({ complete: false, offset: 3, total: 9 });
    expect(calls[0]).toMatchObject({
      method: 'PUT',
      query: { path: '/f', upload: 'upload-1' },
      headers: { 'content-range': 'bytes 0-2/9', 'content-length': '3' },
      body: 'abc',
    });
    answer = { status: 201, headers: {}, body: '' };
    expect((await ask(`${DIR}/file?path=/f`, { method: 'PUT', body: 'abc' })).body.result).toEqual({ complete: true });
  });

  test.each([
    ['DELETE', `${DIR}/dir?path=/a`, undefined, { method: 'DELETE', path: '/dir', query: { path: '/a' } }],
    ['DELETE', `${DIR}/file?path=/a`, undefined, { method: 'DELETE', path: '/file', query: { path: '/a' } }],
    [
      'POST',
      `${DIR}/rename`,
      { path: '/a', to: '/b', overwrite: true },
      { method: 'POST', path: '/rename', query: { path: '/a', to: '/b', overwrite: true } },
    ],
    [
      'DELETE',
      `${DIR}/upload?path=/a&upload=upload-1`,
      undefined,
      { method: 'DELETE', path: '/upload', query: { path: '/a', upload: 'upload-1' } },
    ],
  ])('%s %s', async (method, path, sent, call) => {
    const { status, body } = await ask(path, { method, ...(sent && json(sent)) });
    expect([status, body]).toEqual([200, { code: 0, message: 'ok' }]);
    expect(calls).toEqual([call]);
  });
});

test('201: a folder, a ticket, a link', async () => {
  expect((await ask(`${DIR}/dir`, { method: 'POST', ...json({ path: '/a' }) })).status).toBe(201);
  const ticket = await ask('/develop/v1/instance/dev/terminal', { method: 'POST' });
  expect([ticket.status, ticket.body.result.ticket]).toEqual([201, 't']);
  const link = await ask('/develop/v1/instance/dev/web', { method: 'POST', ...json({ port: 3000 }) });
  expect([link.status, link.body.result.url]).toEqual([201, 'http://dev/3000']);
});

describe('400', () => {
  test.each([
    ['GET', `${DIR}/dir?sort=colour`, undefined, 'sort'],
    ['GET', `${DIR}/dir?size=1001`, undefined, 'size'],
    ['GET', `${DIR}/file`, undefined, 'path'],
    ['PUT', `${DIR}/file?path=/a&upload=short`, undefined, 'upload'],
    ['POST', `${DIR}/rename`, { path: '/a' }, 'to'],
    ['POST', '/develop/v1/instance/dev/web', { port: 70_000 }, 'port'],
  ])('%s %s', async (method, path, sent, field) => {
    const { status, body } = await ask(path, { method, ...(sent && json(sent)) });
    expect([status, body.field]).toEqual([400, field]);
    expect(calls).toEqual([]);
  });
});

test('403: who may not use a disk may not read it', async () => {
  expect((await ask(`${DIR}/dir`, { headers: { 'x-token': 'viewer' } })).status).toBe(403);
});

test('409, with when to come again', async () => {
  fault = problem('files_preparing', { seconds: 2 }, { retryAfterSeconds: 2 });
  const { status, headers, body } = await ask(`${DIR}/dir`);
  expect([status, headers.get('retry-after'), body.error]).toEqual([409, '2', 'files_preparing']);
});

test('a download ends with the session behind it', async () => {
  endless = new Readable({ read() {} });
  endless.push('begun');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/api${DIR}/file?path=/a`;
  const answered = await fetch(url, { headers: { 'x-token': 'member' } });
  expect(answered.status).toBe(200);
  const reading = answered.text();
  signOut();
  await expect(reading).rejects.toThrow();
  expect(endless.destroyed).toBe(true);
});
