// Buckets as a source: lists in pages, one object, patterns and names; what a stranger's server may answer; and that no answer, name or
// address leads inside. They are reached through a forward proxy, because a server of this machine is none of the internet.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type ForwardProxy, startForwardProxy } from '../../../../../test/support/forward-proxy.ts';
import { type ObjectStore, startObjectStore } from '../../../../../test/support/object-store.ts';
import { DATASET_TAKING } from '../../../areas/datasets/dataset-taking.ts';
import { ObjectStore as Store } from '../../../platform/object-store/object-store.ts';
import { publicLookup } from '../../../platform/public-address.ts';
import { outwardAgents } from '../../../platform/way-out.ts';
import type { FileRow } from '../files.ts';
import { SourceAway } from '../source.ts';
import { Buckets, demandOutside } from './s3-source.ts';
import { type PlayedS3, playS3 } from './testing/played-s3.ts';

jest.setTimeout(120_000);

const ROWS = Buffer.from('{"a":1}\n');
let played: PlayedS3;
let real: ObjectStore;
let proxy: ForwardProxy;
let buckets: Buckets;
const before = { ...process.env };

beforeAll(async () => {
  played = await playS3('data');
  real = await startObjectStore();
  const realPort = Number(new URL(real.endpoint).port);
  proxy = await startForwardProxy({ 's3.example:80': played.port, 'real.example:80': realPort });
  for (const name of ['http_proxy', 'https_proxy', 'no_proxy']) delete process.env[name];
  Object.assign(process.env, { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, NODE_USE_ENV_PROXY: '1' });
  delete process.env.NO_PROXY;
  buckets = new Buckets();
}, 60_000);
afterAll(async () => {
  process.env = before;
  played.end();
  await proxy.end();
  await real.end();
});
beforeEach(() => {
  played.reset();
  proxy.asked.length = 0;
});

const PLACE = { bucket: 'data', prefix: '', endpoint: 'http://s3.example', region: 'us-east-1', pathStyle: true };
const source = (more: object = {}, from = buckets) =>
  from.source({
    ...{ ...PLACE, include: [], taking: DATASET_TAKING, keys: undefined },
    signal: AbortSignal.timeout(60_000),
    ...more,
  });
const planned = async (more: object = {}) => (await source(more).plan()).files.map(({ path }) => path);
const objects = (keys: readonly string[]) => {
  for (const key of keys) played.objects.set(key, ROWS);
};

test('a list comes page by page, and keys are paths below the address', async () => {
  objects(Array.from({ length: 250 }, (_, at) => `train/${`${at}`.padStart(4, '0')}.jsonl`));
  objects(['training/other.jsonl', 'train/', 'é/ü.jsonl']);
  played.objects.set('train/empty', Buffer.alloc(0));
  const paths = await planned({ prefix: 'train' });
  expect([paths.length, paths[0], paths.at(-1)]).toEqual([250, '0000.jsonl', '0249.jsonl']);
  expect(played.asked).toHaveLength(3);
  expect(played.signed).toEqual([false, false, false]);
  expect(await planned({ include: ['*ü*'] })).toEqual(['é/ü.jsonl']);
});

test('the address of one object is that object', async () => {
  objects(['train/a.jsonl', 'train/a.jsonl.bak']);
  const one = source({ prefix: 'train/a.jsonl' });
  const { files } = await one.plan();
  expect(files).toMatchObject([{ path: 'a.jsonl', sourcePath: 'train/a.jsonl', sizeBytes: ROWS.length }]);
  expect(await buffer(one.bytes(files[0] as unknown as FileRow, 0))).toEqual(ROWS);
});

test.each([
  ['that leads elsewhere', ['a/../../etc/passwd'], 'dataset_source_path'],
  ['that is absolute', ['/etc/passwd'], 'dataset_source_path'],
  ['that reads otherwise', ['a\u202etxt.exe'], 'dataset_source_path'],
  ['with a character that ends lines', ['a\nb'], 'dataset_source_path'],
  ['in two forms', ['é', 'e\u0301'], 'dataset_source_twice'],
])('a key %s is refused', async (_, keys, error) => {
  objects(keys);
  await expect(planned()).rejects.toMatchObject({ problem: error });
});

test('a bucket without anything is said', async () => {
  await expect(planned({ prefix: 'none' })).rejects.toMatchObject({
    ...{ problem: 'dataset_source_empty', args: { what: 's3://data/none' } },
  });
});

const xml =
  (text: string, status = 200) =>
  (_: IncomingMessage, res: ServerResponse) =>
    res.writeHead(status, { 'content-type': 'application/xml' }).end(text);
const listOf = (contents: string) => xml(`<ListBucketResult><Name>data</Name>${contents}</ListBucketResult>`);
const ENDLESS = listOf('<IsTruncated>true</IsTruncated><NextContinuationToken>x</NextContinuationToken>');

test.each<readonly [string, PlayedS3['instead'], string]>([
  ['is too long', xml(`<ListBucketResult><Name>${'x'.repeat(400_000)}</Name></ListBucketResult>`), 'dataset_s3_answer'],
  ['has declarations', xml(`${'<!DOCTYPE a>'.repeat(30_000)}<a/>`), 'dataset_s3_answer'],
  ['is nested without end', xml('<a>'.repeat(100_000)), 'dataset_s3_answer'],
  ['is no XML', xml('{"keys":[]}'), 'dataset_s3_answer'],
  ['has an entity that it defines', xml('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'), 'dataset_s3_answer'],
  ['has objects without a size', listOf('<Contents><Key>a</Key><ETag>"e"</ETag></Contents>'), 'dataset_s3_answer'],
  [
    'has a negative size',
    listOf('<Contents><Key>a</Key><ETag>"e"</ETag><Size>-1</Size></Contents>'),
    'dataset_s3_answer',
  ],
  ['has objects without an ETag', listOf('<Contents><Key>a</Key><Size>1</Size></Contents>'), 'dataset_s3_answer'],
  ['is cut without a place to go on', listOf('<IsTruncated>true</IsTruncated>'), 'dataset_s3_answer'],
  ['never ends', ENDLESS, 'dataset_s3_answer'],
  ['is a refusal', xml('<Error><Code>AccessDenied</Code></Error>', 403), 'dataset_s3_refused'],
  ['is a refusal with a hostile code', xml('<Error><Code>&lt;b&gt;\u202e</Code></Error>', 403), 'dataset_s3_refused'],
  ['is a refusal without end', xml('x'.repeat(400_000), 403), 'dataset_s3_answer'],
])('a list that %s is refused with a sentence', async (_, instead, error) => {
  played.instead = instead;
  const refused = (await planned().catch((thrown: unknown) => thrown)) as { problem: string; args: object };
  expect(refused.problem).toBe(error);
  expect(JSON.stringify(refused.args)).not.toMatch(/[<\u202e]/);
});

test('a list with keys outside the address is refused', async () => {
  played.instead = listOf('<Contents><Key>other/a</Key><ETag>"e"</ETag><Size>1</Size></Contents>');
  await expect(planned({ prefix: 'train' })).rejects.toMatchObject({ problem: 'dataset_s3_answer' });
});

test.each([500, 503, 429])('a server that answers %i is asked again later', async (status) => {
  played.instead = xml('<Error><Code>SlowDown</Code></Error>', status);
  await expect(planned()).rejects.toThrow(SourceAway);
});

test('a server that nobody reaches is asked again later', async () => {
  await expect(planned({ endpoint: 'http://nobody.example' })).rejects.toThrow(SourceAway);
});

describe('an object', () => {
  const first = async () => {
    const from = source();
    const { files } = await from.plan();
    return { from, file: { ...files[0], sourcePath: null } as unknown as FileRow };
  };

  test('goes on from a place', async () => {
    objects(['a']);
    const { from, file } = await first();
    expect(await buffer(from.bytes(file, 3))).toEqual(ROWS.subarray(3));
  });

  test.each<readonly [string, () => void]>([
    ['changed', () => played.objects.set('a', Buffer.from('{"a":2}\n'))],
    ['went', () => played.objects.clear()],
    [
      'changed, of a server that knows no conditions',
      () => {
        played.instead = (_, res) => res.writeHead(200, { etag: '"other"', 'content-length': ROWS.length }).end(ROWS);
      },
    ],
    [
      'is longer than it was listed',
      () => {
        played.instead = (req, res) =>
          res.writeHead(200, { etag: `${req.headers['if-match']}`, 'content-length': 9 }).end('123456789');
      },
    ],
  ])('that %s after it was listed is refused', async (_, change) => {
    objects(['a']);
    const { from, file } = await first();
    change();
    await expect(buffer(from.bytes(file, 0))).rejects.toMatchObject({ problem: 'model_disk_changed' });
  });

  test('whose range is ignored is refused', async () => {
    objects(['a']);
    const { from, file } = await first();
    played.instead = (req, res) =>
      res.writeHead(200, { etag: `${req.headers['if-match']}`, 'content-length': ROWS.length }).end(ROWS);
    await expect(buffer(from.bytes(file, 3))).rejects.toMatchObject({ problem: 'model_disk_changed' });
  });

  test('that breaks off is asked for again later', async () => {
    objects(['a']);
    const { from, file } = await first();
    played.breaksAfter = 3;
    await expect(buffer(from.bytes(file, 0))).rejects.toThrow(SourceAway);
  });
});

describe('inside', () => {
  const INSIDE = [
    ...['http://10.1.2.3', 'https://127.0.0.1:9000', 'http://[::1]', 'http://[::ffff:10.1.2.3]', 'http://localhost'],
    ...['http://169.254.169.254', 'http://minio.gantry-system.svc:9000', 'http://0x7f000001', 'http://intranet.corp'],
  ];
  test.each(INSIDE)(
    '%s is refused before it begins and when it is fetched, and the proxy hears nothing',
    async (at) => {
      const refused = { problem: 'dataset_s3_inner', field: 'endpoint' };
      expect(() => demandOutside({ ...PLACE, endpoint: at })).toThrow(expect.objectContaining(refused));
      await expect(planned({ endpoint: at })).rejects.toMatchObject(refused);
      expect(proxy.asked).toEqual([]);
    },
  );

  test('a redirect leads nowhere', async () => {
    for (const to of ['http://169.254.169.254/', `http://127.0.0.1:${played.port}/`, 'http://real.example/']) {
      played.instead = (_, res) => res.writeHead(307, { location: to }).end();
      await expect(planned()).rejects.toMatchObject({ problem: 'dataset_s3_refused' });
    }
    expect(played.asked).toHaveLength(3);
    expect(new Set(proxy.asked.map((line) => new URL(line.split(' ')[1] ?? '').host))).toEqual(new Set(['s3.example']));
  });

  test('a public name that resolves inside is refused by the connection', async () => {
    delete process.env.NODE_USE_ENV_PROXY;
    try {
      const agents = outwardAgents({ lookup: (_, options, done) => publicLookup('localhost', options, done) });
      objects(['a']);
      const endpoint = `http://s3.example:${played.port}`;
      await expect(source({ endpoint }, new Buckets(agents)).plan()).rejects.toMatchObject({
        problem: 'dataset_s3_inner',
      });
      expect(played.asked).toEqual([]);
    } finally {
      process.env.NODE_USE_ENV_PROXY = '1';
    }
  });
});

describe('a real store', () => {
  const keys = () => ({ accessKey: real.credentials.accessKeyId, secretKey: real.credentials.secretAccessKey });
  const place = () => ({ endpoint: 'http://real.example', bucket: real.bucket, prefix: 'deep' });
  beforeAll(async () => {
    const store = new Store({ url: 'http://real.example', bucket: real.bucket, region: 'us-east-1', ...keys() });
    for (const name of ['a b+c.jsonl', 'é.jsonl', 'sub/x.jsonl']) await store.put(`deep/${name}`, ROWS);
    store.close();
  });

  test('is read with its keys', async () => {
    const from = source({ ...place(), keys: keys() });
    const { files } = await from.plan();
    expect(files.map(({ path }) => path)).toEqual(['a b+c.jsonl', 'sub/x.jsonl', 'é.jsonl']);
    for (const file of files) {
      expect(await buffer(from.bytes(file as unknown as FileRow, 0))).toEqual(ROWS);
      expect(await buffer(from.bytes(file as unknown as FileRow, 2))).toEqual(ROWS.subarray(2));
    }
  });

  test.each([
    ['without keys', () => undefined],
    ['with a wrong secret', () => ({ ...keys(), secretKey: 'wrong' })],
    ['with an unknown key', () => ({ ...keys(), accessKey: 'UNKNOWN' })],
  ])('refuses one that asks %s', async (_, wrong) => {
    await expect(planned({ ...place(), keys: wrong() })).rejects.toMatchObject({ problem: 'dataset_s3_refused' });
  });
});
