// Uploads by people who mean harm, over HTTP: names, lengths that lie, too many files, more than the quota at once; and a store that is
// away meanwhile.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { DATASET_ROUTES as R } from '@gantry/contract/areas/datasets/datasets.ts';
import { organization } from '@gantry/contract/kinds/organization.ts';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { migratedDatabase, resetDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { type MemoryGateway, startMemoryGateway } from '../../../../test/support/memory-gateway.ts';
import { type ObjectStore, startObjectStore } from '../../../../test/support/object-store.ts';
import { kindObject } from '../../core/kinds/testing/memory-kinds.ts';
import { insertRows } from '../../platform/db/insert-rows.ts';
import { files } from '../../platform/db/schema/files.ts';

/** Of a machine with much else to do. */
const PATIENCE_MS = 120_000;
jest.setTimeout(2 * PATIENCE_MS);

const GIB = 1024 ** 3;
const ROWS = Buffer.from('{"a":1}\n');
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
let gateway: MemoryGateway;
let store: ObjectStore;
beforeAll(async () => {
  store = await startObjectStore();
  const db = await migratedDatabase();
  await resetDatabase(db);
  const flags = [
    ...[`--object-store-url=${store.endpoint}`, `--object-store-credentials-file=${store.credentialsFile}`],
    '--hub-url=',
  ];
  const objects = [
    kindObject(organization, 'acmeorgs', { spec: { quota: { modelsGi: 1 } }, metadata: { namespace: undefined } }),
  ];
  gateway = await startMemoryGateway({ db, flags, objects });
});
afterAll(async () => {
  await gateway?.stop();
  await store?.end();
});

const as = (role: 'owner' | 'member' | 'viewer') => gateway.client(gateway.tokens[role]);
async function begun(name: string): Promise<{ id: string; version: string }> {
  const { id } = await as('member').must(R.createDataset, { body: { name } });
  const { version } = await as('member').must(R.createDatasetVersion, { params: { id }, body: {} });
  return { id, version: `${version}` };
}
const add = (params: { id: string; version: string }, files: readonly object[]) =>
  as('member').call(R.addDatasetFiles, { params, body: { files } as never });
const pieceOf = ({ id, version }: { id: string; version: string }, path: string) =>
  `/api/data/v1/data/dataset/${id}/version/${version}/upload?path=${encodeURIComponent(path)}&offset=0`;

test.each([
  ['leads elsewhere', '../a', 422],
  ['leads elsewhere within', 'a/../../b', 422],
  ['is absolute', '/etc/passwd', 422],
  ['is of another system', 'a\\b', 422],
  ['reads otherwise', 'a\u202etxt.exe', 400],
  ['hides a character', 'a\u200bb', 422],
  ['ends a line', 'a\nb', 422],
  ['is longer than any', 'x'.repeat(513), 400],
])('a name that %s is refused, and the sentence names the field', async (_, path, expected) => {
  const of = await begun(`names ${path.length} ${Math.random()}`);
  const { status, body } = await add(of, [{ path, size_bytes: 1 }]);
  expect([status, String(body.field)]).toEqual([expected, expect.stringMatching(/^files/)]);
  if (expected === 422) expect(body.error).toBe('model_path_rule');
  expect(body.message).not.toBe('');
  expect((await as('member').must(R.getDatasetVersion, { params: of })).file_count).toBe(0);
});

test('two forms of one name are one path, in one list and in two', async () => {
  const of = await begun('forms');
  const [nfc, nfd] = ['é.jsonl', 'e\u0301.jsonl'];
  const twice = await add(of, [
    { path: nfc, size_bytes: 1 },
    { path: nfd, size_bytes: 1 },
  ]);
  expect([twice.body.error, twice.body.field]).toEqual(['model_path_twice', 'files']);
  expect((await add(of, [{ path: nfd, size_bytes: 1 }])).status).toBe(200);
  const other = await add(of, [{ path: nfc, size_bytes: 2 }]);
  expect([other.status, other.body.error]).toEqual([422, 'dataset_file_differs']);
  expect((await as('member').must(R.listDatasetFiles, { params: of })).map(({ path }) => path)).toEqual([nfc]);
});

/** A request as it is written, whatever its length says; what the gateway answers until it closes. */
async function written(path: string, length: number, body: Buffer, isCut: boolean): Promise<string> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = [
    ...[`PUT ${path} HTTP/1.1`, `Host: ${hostname}:${port}`, `X-Token: ${gateway.tokens.member}`],
    ...[`Content-Length: ${length}`, 'Connection: close', '', ''],
  ];
  socket.write(Buffer.concat([Buffer.from(head.join('\r\n')), body]));
  if (isCut) socket.end();
  return text(socket);
}

test('a length that lies leaves nothing, and the file is sent afterwards', async () => {
  const of = await begun('lies');
  await add(of, [{ path: 'a.jsonl', size_bytes: ROWS.length, sha256: sha256(ROWS) }]);
  const path = pieceOf(of, 'a.jsonl');
  const progress = () => as('member').must(R.getDatasetUpload, { params: of, query: { path: 'a.jsonl' } });
  expect(await written(path, ROWS.length + 5, ROWS, true)).not.toContain('"complete":true');
  expect(await progress()).toEqual({ offset: 0, complete: false });
  expect(await written(path, ROWS.length - 1, ROWS.subarray(1), false)).toContain('model_piece_size');
  expect(await written(path, ROWS.length, ROWS, false)).toContain('"complete":true');
  await as('member').must(R.completeDatasetVersion, { params: of });
  const ready = await eventually(
    'a version that has ended',
    async () => {
      const found = await as('viewer').must(R.getDatasetVersion, { params: of });
      return found.state === 'processing' ? undefined : found;
    },
    PATIENCE_MS,
  );
  expect(ready).toMatchObject({ state: 'ready', size_bytes: ROWS.length });
  const archive = await as('viewer').fetch(`/api/data/v1/data/dataset/${of.id}/version/${of.version}/archive`);
  expect([archive.status, archive.headers.get('content-type')]).toEqual([200, 'application/x-tar']);
  const bytes = Buffer.from(await archive.arrayBuffer());
  expect([bytes.length, bytes.includes(ROWS)]).toEqual([Number(archive.headers.get('content-length')), true]);
});

test('twenty thousand files are taken, and not one more', async () => {
  const of = await begun('many');
  await add(of, [{ path: 'first.txt', size_bytes: 1 }]);
  const [first] = await gateway.db.sql.select().from(files).where(eq(files.path, 'first.txt'));
  if (!first) throw new Error('nothing was listed');
  // As nineteen calls would leave them.
  const rows = Array.from({ length: 18_999 }, (_, at) => ({ ...first, id: `fil-${at}`, path: `${at}.txt` }));
  await gateway.db.sql.execute(insertRows(files, rows));
  const last = Array.from({ length: 1000 }, (_, at) => ({ path: `last-${at}.txt`, size_bytes: 1 }));
  expect((await add(of, last)).status).toBe(200);
  const more = await add(of, [{ path: 'more.txt', size_bytes: 1 }]);
  expect([more.status, more.body.error]).toEqual([422, 'too_many_dataset_files']);
  expect((await as('member').must(R.getDatasetVersion, { params: of })).file_count).toBe(20_000);
  await as('member').must(R.deleteDataset, { params: { id: of.id } });
});

test('lists that come at once do not take more than the quota together', async () => {
  const versions = await Promise.all(['one', 'two', 'three', 'four'].map((name) => begun(`quota ${name}`)));
  const answers = await Promise.all(
    versions.map((of) => add(of, [{ path: 'large', size_bytes: Math.floor(0.4 * GIB) }])),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
  for (const { id } of versions) await as('member').must(R.deleteDataset, { params: { id } });
});

test('keys of buckets are set by those who manage, listed by their names, and never shown', async () => {
  const keys = { name: 'lab', access_key: 'AKIA1', secret_key: 'very-secret' };
  expect((await as('member').call(R.setS3Credentials, { body: keys })).status).toBe(403);
  await as('owner').must(R.setS3Credentials, { body: keys });
  const listed = await as('viewer').must(R.listS3Credentials);
  expect(listed).toMatchObject([{ name: 'lab', creator: 'acc-owner' }]);
  expect(JSON.stringify(listed)).not.toMatch(/AKIA1|very-secret/);
  expect((await as('member').call(R.deleteS3Credentials, { params: { id: 'lab' } })).status).toBe(403);
  await as('owner').must(R.deleteS3Credentials, { params: { id: 'lab' } });
  expect(await as('viewer').must(R.listS3Credentials)).toEqual([]);
});

test.each([
  ['an address that is none', { address: 'http://data/train' }, 'address'],
  ['a bucket that leads elsewhere', { address: 's3://../x' }, 'address'],
  ['an endpoint with a path', { address: 's3://data', endpoint: 'https://s3.example/x' }, 'endpoint'],
  ['an endpoint with a user', { address: 's3://data', endpoint: 'https://a:b@s3.example' }, 'endpoint'],
  ['an endpoint of another scheme', { address: 's3://data', endpoint: 'file:///etc' }, 'endpoint'],
  ['a region that is a host', { address: 's3://data', region: 'evil.example/' }, 'region'],
  ['a name that hides', { address: 's3://data/a\u200bb' }, 'address'],
])('%s is refused with its field', async (_, body, field) => {
  const { id } = await as('member').must(R.createDataset, { body: { name: `s3 ${Math.random()}` } });
  const { status, body: refused } = await as('member').call(R.importDatasetFromS3, {
    params: { id },
    body: body as never,
  });
  expect([400, 422]).toContain(status);
  expect(refused.field).toBe(field);
});
