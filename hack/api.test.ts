// `hack/api` as a person types it, against a gateway that answers what the test says.
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { runCommand } from '../test/support/command.ts';

const SCRIPT = fileURLToPath(new URL('api', import.meta.url));

interface Asked {
  readonly call: string;
  readonly token: string | undefined;
  readonly body: unknown;
}

let server: Server;
let asked: Asked[];
/** By method and path: the next answer comes first, and the last one stays. */
let answers: Record<string, [status: number, body: object][]>;

beforeAll(async () => {
  server = createServer(async (req, res) => {
    const call = `${req.method} ${req.url}`;
    const body = await text(req);
    const isJson = req.headers['content-type'] === 'application/json';
    asked.push({
      call,
      token: req.headers['x-token']?.toString(),
      body: isJson ? JSON.parse(body) : body || undefined,
    });
    const [next, ...rest] = answers[call] ?? [];
    const [status, said] = next ?? [500, { error: 'unexpected', message: call }];
    if (rest.length > 0) answers[call] = rest;
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
});
beforeEach(() => {
  asked = [];
  answers = {};
});

const api = async (args: string[], env: Record<string, string> = {}) => {
  const { port } = server.address() as AddressInfo;
  return runCommand(SCRIPT, args, { env: { GANTRY_API: `http://127.0.0.1:${port}/api`, GANTRY_TOKEN: '', ...env } });
};
const phase = (phase: string): [number, object] => [200, { code: 0, message: 'ok', result: { id: 'ins-1', phase } }];

test('a call sends token and body, and prints the field that is asked for', async () => {
  answers['POST /api/develop/v1/instance'] = [[201, { code: 0, message: 'ok', result: { id: 'ins-1' } }]];
  const body = '{"displayName": "dev"}';
  const ended = await api(['POST', '/develop/v1/instance', body, '--field', 'id'], { GANTRY_TOKEN: 'secret' });
  expect(ended).toEqual({ code: 0, stdout: 'ins-1\n', stderr: '' });
  expect(asked).toEqual([{ call: 'POST /api/develop/v1/instance', token: 'secret', body: { displayName: 'dev' } }]);
});

test('an upload declares every file of the folder and sends them, without hidden and empty ones', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-model-'));
  try {
    await mkdir(join(folder, 'lora'));
    await mkdir(join(folder, '.git'));
    const files = { 'model.gguf': 'weights', 'lora/a b.gguf': 'more', '.git/HEAD': 'x', empty: '' };
    for (const [path, content] of Object.entries(files)) await writeFile(join(folder, path), content);
    const version = '/api/model/v1/model/mdl-1/version';
    answers[`POST ${version}`] = [[201, { code: 0, message: 'ok', result: {} }]];
    const ofModel = `PUT ${version}/1.0/upload?path=model.gguf&offset=0`;
    const ofLora = `PUT ${version}/1.0/upload?path=lora%2Fa+b.gguf&offset=0`;
    for (const call of [ofModel, ofLora])
      answers[call] = [[200, { code: 0, message: 'ok', result: { complete: true } }]];
    const ended = await api(['upload', 'mdl-1', '1.0', folder]);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    const [declared, ...sent] = asked;
    // In whatever order the folder has them.
    const listed = (declared?.body as { files: { path: string }[] } | undefined)?.files ?? [];
    expect(listed.toSorted((a, b) => b.path.localeCompare(a.path))).toEqual([
      { path: 'model.gguf', size_bytes: 7 },
      { path: 'lora/a b.gguf', size_bytes: 4 },
    ]);
    expect(Object.fromEntries(sent.map(({ call, body }) => [call, body]))).toEqual({
      [ofModel]: 'weights',
      [ofLora]: 'more',
    });

    answers[ofModel] = [[409, { code: 40907, error: 'model_not_uploading', message: 'No.' }]];
    const refused = await api(['upload', 'mdl-1', '1.0', folder]);
    expect([refused.code, refused.stderr]).toEqual([1, '409 model_not_uploading: No.\n']);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('an upload of data lists every file with its SHA-256, and sends those alone that are missing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-data-'));
  try {
    for (const [path, content] of Object.entries({ 'a.txt': 'a', 'b.txt': 'b' }))
      await writeFile(join(folder, path), content);
    const version = '/api/data/v1/data/dataset/dst-1/version';
    const result = (value: object): [number, object] => [200, { code: 0, message: 'ok', result: value }];
    answers[`POST ${version}`] = [result({ version: 3 })];
    answers[`POST ${version}/3/file`] = [result({ missing: ['b.txt'] })];
    answers[`PUT ${version}/3/upload?path=b.txt&offset=0`] = [result({ complete: true })];
    answers[`POST ${version}/3/complete`] = [result({})];
    expect(await api(['upload-data', 'dst-1', folder])).toEqual({ code: 0, stdout: '3\n', stderr: '' });
    const listed = asked[1]?.body as { files: { path: string; sha256: string }[] } | undefined;
    expect(listed?.files.find(({ path }) => path === 'a.txt')?.sha256).toMatch(/^ca978112/);
    expect(asked.slice(2).map(({ call }) => call)).toEqual([
      `PUT ${version}/3/upload?path=b.txt&offset=0`,
      `POST ${version}/3/complete`,
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a refused call prints its sentence and fails', async () => {
  answers['GET /api/develop/v1/instance/none'] = [[404, { code: 40401, error: 'not_found', message: 'Not there.' }]];
  const ended = await api(['GET', '/develop/v1/instance/none']);
  expect(ended).toEqual({ code: 1, stdout: '', stderr: '404 not_found: Not there.\n' });
});

test('login sets the new password where the gateway asks for one, and prints the token', async () => {
  answers['POST /api/auth/v1/login'] = [
    [200, { code: 0, message: 'ok', result: { must_change_password: true, ticket: 't1' } }],
    [200, { code: 0, message: 'ok', result: { token: 'new-token' } }],
  ];
  answers['POST /api/auth/v1/password/reset'] = [[200, { code: 0, message: 'ok' }]];
  const ended = await api(['login', 'admin', 'first', 'second']);
  expect(ended).toEqual({ code: 0, stdout: 'new-token\n', stderr: '' });
  expect(asked.map(({ body }) => body)).toEqual([
    { account: 'admin', password: 'first' },
    { ticket: 't1', password: 'second' },
    { account: 'admin', password: 'second' },
  ]);
});

test('login without the new password that is needed says so, and changes nothing', async () => {
  answers['POST /api/auth/v1/login'] = [
    [200, { code: 0, message: 'ok', result: { must_change_password: true, ticket: 't1' } }],
  ];
  const { code, stdout, stderr } = await api(['login', 'admin', 'first']);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('must choose a new password');
  expect(asked).toHaveLength(1);
});

test('wait prints each value once and ends at the one that is wanted', async () => {
  answers['GET /api/x'] = [phase('creating'), phase('creating'), phase('running')];
  expect(await api(['wait', '/x', 'phase=running'])).toEqual({ code: 0, stdout: 'creating\nrunning\n', stderr: '' });
});

test('wait for the end of an object succeeds once it is not found', async () => {
  answers['GET /api/x'] = [phase('releasing'), [404, { error: 'not_found', message: 'Not there.' }]];
  expect(await api(['wait', '/x', 'gone'])).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('wait fails at once where the object is not there, or not to be seen', async () => {
  answers['GET /api/x'] = [[404, { error: 'not_found', message: 'Not there.' }]];
  answers['GET /api/y'] = [[401, { error: 'not_logged_in', message: 'Log in.' }]];
  const ended = await Promise.all([api(['wait', '/x', 'phase=running']), api(['wait', '/y', 'gone'])]);
  expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
    [1, '404 not_found: Not there.\n'],
    [1, '401 not_logged_in: Log in.\n'],
  ]);
});

test('anything else prints the usage', async () => {
  for (const args of [[], ['get', '/x'], ['wait', '/x'], ['login', 'admin']]) {
    const { code, stderr } = await api(args);
    expect([code, stderr.split('\n')[0]]).toEqual([2, 'usage: hack/api login ACCOUNT PASSWORD [NEW_PASSWORD]']);
  }
});
