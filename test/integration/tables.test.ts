// Tables as DuckDB writes them, read by the gateway and by the data server: their cells are the same.
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TablePart, Tables } from '../../api/src/core/tables/tables.ts';
import { cellIn, pageIn } from '../../api/src/core/tables/testing/read-json.ts';
import { ObjectStore } from '../../api/src/platform/object-store/object-store.ts';
import { DATA_WORKER_LOCK } from '../../hack/images/data-worker.ts';
import { runCommand } from '../support/command.ts';
import { startObjectStore } from '../support/object-store.ts';
import { pythonWith } from '../support/python-with.ts';

const TABLES: Readonly<Record<string, string>> = {
  'integers of all widths': `SELECT 1::TINYINT a, -1::SMALLINT b, 2147483647 c, 9007199254740993 d, -9007199254740992 e, 255::UTINYINT f,
    65535::USMALLINT g, 4294967295::UINTEGER h, 18446744073709551615::UBIGINT i, 12345678901234567890123::HUGEINT j, 1::UHUGEINT k`,
  'numbers with a point': `SELECT 0.1::FLOAT a, 'nan'::DOUBLE b, '-inf'::FLOAT c, 'inf'::DOUBLE d, 1e300 e, 1e22 f, 1e16 g, 123456789.0::DOUBLE h,
    1e-5 i, 0.0001::DOUBLE j, -0.0::DOUBLE k, 1.5e-7 l, 5e-324::DOUBLE m`,
  decimals: `SELECT 1.5::DECIMAL(4,1) a, 0::DECIMAL(18,9) b, -0.0000001::DECIMAL(38,10) c, 12345678901234567890.5::DECIMAL(30,3) d,
    -7::DECIMAL(9,0) e, 0.000001::DECIMAL(9,6) f, 0.0000012::DECIMAL(12,8) g`,
  'booleans, and nothing': `SELECT * FROM (VALUES (true, NULL, NULL::INT, NULL), (NULL, NULL, 2, 'x'), (false, NULL, NULL, NULL)) t(a, b, c, d)`,
  texts: `SELECT 'é😀' a, '' b, 'a' || chr(0) || 'b' c, 'a' || chr(8232) d, chr(127) e, 'a'::ENUM('a', 'b') f, '{"a":1}'::JSON g,
    repeat('é', 5000) h, repeat('😀', 4097) i, repeat('a', 4096) j, '101'::BIT k`,
  bytes: String.raw`SELECT 'ab\x00'::BLOB a, ''::BLOB b, repeat('x', 3000)::BLOB c, uuid '12345678-1234-1234-1234-123456789abc' d`,
  dates: `SELECT DATE '2024-02-29' a, DATE '0044-03-15 (BC)' b, DATE '10000-01-01' c, DATE 'infinity' d, DATE '-infinity' e,
    DATE '0001-01-01' f, DATE '0000-12-31' g, DATE '1969-12-31' h, DATE '9999-12-31' i, DATE '1900-03-01' j, DATE '2000-02-29' k`,
  times: `SELECT TIME '12:34:56.789' a, TIME '00:00:00' b, TIME '24:00:00' c, TIMETZ '12:34:56+02' d, TIMETZ '12:00:00.5+00' e`,
  timestamps: `SELECT TIMESTAMP '2024-01-01 00:00:00' a, TIMESTAMP '2024-01-01 00:00:00.000001' b, TIMESTAMP 'infinity' c, TIMESTAMP '-infinity' d,
    TIMESTAMP '0044-03-15 (BC) 01:02:03' e, TIMESTAMP '12000-01-01 01:02:03.5' f, TIMESTAMP '1969-12-31 23:59:59.999999' g,
    TIMESTAMP_NS '2024-01-01 00:00:00.123456789' h, TIMESTAMP_NS '1800-01-01 00:00:00.1234567' i, TIMESTAMP_MS '2024-01-01 00:00:00.123' j,
    TIMESTAMP_S '2024-01-01 00:00:00' k`,
  'timestamps with a zone': `SELECT TIMESTAMPTZ '2024-01-01 00:00:00+02' a, TIMESTAMPTZ '12000-01-01 00:00:00+00' b, TIMESTAMPTZ 'infinity' c,
    TIMESTAMPTZ '-infinity' d, TIMESTAMPTZ '0044-03-15 (BC) 01:02:03+00' e`,
  intervals: `SELECT INTERVAL '1 month 2 days 03:04:05.6' a, INTERVAL '0 days' b, INTERVAL '1 day' c, INTERVAL '14 months' d, INTERVAL '30 hours' e`,
  lists: `SELECT * FROM (VALUES ([1, 2, NULL], []::INT[], [[1], [], NULL], [0.1::FLOAT, 1e22, 1.0]), (NULL, [3], NULL, []), ([], NULL, [], NULL)) t(a, b, c, d)`,
  'lists of one length': "SELECT [1, 2]::INT[2] a, [NULL] b, [TIMESTAMPTZ '12000-01-01 00:00:00+00'] c",
  structs: `SELECT * FROM (VALUES ({'x': 1, 'y': 'z'}, {'__proto__': 1}, {'a.b': 1, '2': 2, '1': 3}, [{'a': 1.5, 'b': [DATE '2024-01-01']}]),
    (NULL, {'__proto__': NULL}, NULL, [NULL, {'a': NULL, 'b': NULL}])) t(a, b, c, d)`,
  maps: `SELECT * FROM (VALUES (MAP{'b': 1, 'a': 2}, MAP{2: 'x', 1: 'y'}, MAP{'k': [1, 2]}), (NULL, MAP{}, MAP{'k': NULL}), (MAP{'__proto__': 1}, NULL, MAP{})) t(a, b, c)`,
  'maps of all keys': `SELECT MAP{1.5::DOUBLE: true} a, MAP{true: 1} b, MAP{[1]: 2} c, MAP{{'a': 1}: 2} d, MAP{DATE '2024-01-01': NULL} e,
    MAP{0.1::FLOAT: 1} f, MAP{9007199254740993: 2} g, MAP{'x'::BLOB: 2} h, MAP{1.50::DECIMAL(5,2): 2} i, MAP{'nan'::DOUBLE: 1} j,
    MAP{TIMESTAMP '2024-01-01 00:00:00': 1} k, [MAP{'a': 1}] l, MAP{'a': MAP{'b': 2}} m, MAP{1.0::DOUBLE: 1} n`,
  'long nested values': `SELECT [repeat('x', 5000), 'y'] a, {'a': 1.0::DOUBLE, 'b': repeat('é', 5000)} b, range(2000) c, [1.0::DOUBLE, 1e-7] d,
    range(2000)::DOUBLE[] e, MAP{'k"': repeat('"', 5000)} f`,
  'more than an answer has': `SELECT ${Array.from({ length: 12 }, (_, at) => `repeat('ö${at}', 3000) c${at}`)}, [repeat('x', 3000)] n FROM range(100)`,
  'an empty table': 'SELECT 1 a, [1] b, MAP{1: 2} c WHERE false',
  'repeated and nested rows of many pages': `SELECT 'word ' || i % 7 a, i b, range(i % 5) c, i % 3 = 0 d,
    CASE WHEN i % 2 = 0 THEN {'a': i, 'b': [{'c': i % 4 = 0}]} END e FROM range(10000) t(i)`,
};

interface Answers {
  readonly key: string;
  readonly rows: number;
  readonly answer: { columns: unknown[]; rows: unknown[][]; cut: number[][] };
}

let folder: string;
let answers: Record<string, Answers>;
let tables: Tables;
const asking = { lane: 'acme' };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-tables-'));
  const lock = readFileSync(DATA_WORKER_LOCK, 'utf8');
  const digest = createHash('sha256').update(lock).digest('hex').slice(0, 12);
  const options = ['--require-hashes', '--no-deps', '--only-binary=:all:', '--requirement', DATA_WORKER_LOCK];
  const python = await pythonWith(`data-worker-${digest}`, options);
  const env = { PYTHONPATH: 'data-worker', TZ: 'UTC' };
  const args = ['test/integration/tables/answers.py', folder];
  const { stdout, stderr, code } = await runCommand(python, args, { env, input: JSON.stringify(TABLES) });
  if (code !== 0) throw new Error(stderr);
  answers = JSON.parse(stdout);
  const read = async (key: string, range = { from: 0, to: Number.POSITIVE_INFINITY }) =>
    createReadStream(join(folder, key), { start: range.from, end: range.to });
  tables = new Tables({ read });
}, 300_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

async function partsOf({ key, rows }: Answers): Promise<TablePart[]> {
  return [{ key, firstRow: 0, rows, bytes: (await stat(join(folder, key))).size }];
}

test.each(Object.keys(TABLES))('the gateway and the data server say the same of %s', async (name) => {
  const said = answers[name] as Answers;
  const json = await tables.pageOf(await partsOf(said), { from: 0, size: 100 }, asking);
  const { columns, rows, cut, total } = pageIn(json);
  const { answer } = said;
  expect({ columns, cut, total }).toEqual({ columns: answer.columns, cut: answer.cut, total: said.rows });
  expect(rows).toEqual(answer.rows);
});

test('pages, files and cells come from a real object store', async () => {
  const { key, rows } = answers['repeated and nested rows of many pages'] as Answers;
  const server = await startObjectStore();
  const { accessKeyId: accessKey, secretAccessKey: secretKey } = server.credentials;
  const store = new ObjectStore({ url: server.endpoint, bucket: 'tables', region: 'us-east-1', accessKey, secretKey });
  try {
    await store.open();
    const bytes = readFileSync(join(folder, key));
    await store.put(key, bytes);
    const parts = [0, 1].map((number) => ({ key, firstRow: number * rows, rows, bytes: bytes.length }));
    const kept = new Tables(store);
    const asked = { from: 2 * rows - 2, size: 100, columns: ['b', 'c'] };
    const page = pageIn(await kept.pageOf(parts, asked, asking));
    expect([page.rows, page.total]).toEqual([
      [
        [9_998, [0, 1, 2]],
        [9_999, [0, 1, 2, 3]],
      ],
      20_000,
    ]);
    const lines = (await text(kept.linesOf(parts, 'jsonl', asking))).trimEnd().split('\n');
    expect(lines.length).toBe(20_000);
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ a: 'word 3', b: 9_999, c: [0, 1, 2, 3], d: true, e: null });
    expect(cellIn(await kept.cellOf(parts, 10_004, 'e', asking))).toMatchObject({ value: { a: 4, b: [{ c: true }] } });
  } finally {
    store.close();
    await server.end();
  }
});
