// Tables that lie, each with what the sentence about it says; or with `page` where it is merely odd.
import {
  column,
  group,
  i32,
  int32s,
  levels,
  list,
  page,
  parquetFile,
  run,
  struct,
  type Thrift,
} from './parquet-file.ts';

export interface HostileTable {
  readonly bytes: Buffer;
  readonly rows: number;
  readonly says: string;
}

const NOTHING = struct({});
const TWO_31 = 2 ** 31 - 1;
const MIB = 1024 * 1024;
const plain = page({ body: int32s([1, 2, 3]), values: 3 });
const column1 = column('c');
const one = (pages: Buffer, lies: Parameters<typeof parquetFile>[2] = {}, rows = 3, facts = column1) =>
  parquetFile([[facts, pages]], rows, lies);
const optional = column('c', 1, 1);
const bytesColumn = column('c', 6);
const says = (bytes: Buffer, sentence: string, rows = 3): HostileTable => ({ bytes, rows, says: sentence });

const byteArray = (value: Buffer, length = value.length): Buffer => {
  const head = Buffer.alloc(4);
  head.writeUInt32LE(length);
  return Buffer.concat([head, value]);
};
const dictionary = page({ body: byteArray(Buffer.alloc(MIB, 'x')), values: 1, isDictionary: true });
const places = (count: number, runs = run(count, 0)) =>
  page({ body: Buffer.concat([Buffer.from([1]), runs]), values: count, encoding: 8 });
const nestedThrift = (levelsOfIt: number): Thrift =>
  levelsOfIt === 0 ? i32(1) : struct({ 1: nestedThrift(levelsOfIt - 1) });
const nestedSchema = (depth: number): Thrift[] => [
  ...Array.from({ length: depth }, (_, level) => group(`g${level}`, 1)),
  column1,
];
const listSchema = (depth: number): Thrift[] => [
  group('root', 1),
  ...Array.from({ length: depth }, (_, level) => [group(`l${level}`, 1, 1, { 6: i32(3) }), group('list', 1, 2)]).flat(),
  optional,
];

/** Made when they are asked for: some are large. */
export const HOSTILE_TABLES: Readonly<Record<string, () => HostileTable>> = {
  'a sound one': () => says(one(plain), 'page'),
  'rows beyond all numbers': () => says(one(plain, { rows: TWO_31 }), 'instead of'),
  'a row group of 2^31 rows': () => says(one(plain, { rows: TWO_31 }), 'a column has other rows', TWO_31),
  'a page of 2^31 values': () => says(one(page({ body: int32s([1]), values: TWO_31 })), 'more than there is'),
  'a page of a negative number of values': () =>
    says(one(page({ body: int32s([1]), values: -1 })), 'more than there is'),
  'a page that says that it is large': () =>
    says(one(page({ body: int32s([1]), values: 3, size: TWO_31 })), 'more than there is'),
  'a page of a negative size': () =>
    says(one(page({ body: int32s([1]), values: 3, packedSize: -5 })), 'more than there is'),
  'a page that expands a thousand times': () =>
    says(one(page({ body: Buffer.alloc(64 * MIB), values: 3, size: 12 })), 'damaged'),
  'pages that expand to gigabytes': () =>
    says(
      one(
        Buffer.concat(Array.from({ length: 40 }).fill(page({ body: Buffer.alloc(100 * MIB), values: 3 })) as Buffer[]),
        {},
        120,
      ),
      'more than there is',
      120,
    ),
  'a large page of many zeros': () =>
    says(one(page({ body: Buffer.alloc(8 * MIB), values: 2_000_000 }), {}, 2_000_000), 'page', 2_000_000),
  'a run of 2^31 levels': () =>
    says(
      one(page({ body: Buffer.concat([levels(run(TWO_31, 1)), int32s([1, 2, 3])]), values: 3 }), {}, 3, optional),
      'run is longer',
    ),
  'levels that go on behind their end': () =>
    says(
      one(page({ body: Buffer.concat([levels(Buffer.alloc(0)), run(TWO_31, 1)]), values: 3 }), {}, 3, optional),
      'shorter than it says',
    ),
  'a run of 2^31 places': () =>
    says(one(Buffer.concat([dictionary, places(3, run(TWO_31, 0))]), {}, 3, bytesColumn), 'run is longer'),
  'a dictionary whose only value is a megabyte': () =>
    says(one(Buffer.concat([dictionary, places(20_000)]), {}, 20_000, bytesColumn), 'page', 20_000),
  'a dictionary of 2^31 values': () =>
    says(
      one(
        Buffer.concat([page({ body: byteArray(Buffer.from('x')), values: TWO_31, isDictionary: true }), places(3)]),
        {},
        3,
        bytesColumn,
      ),
      'more than there is',
    ),
  'a dictionary of two million values that are not there': () =>
    says(
      one(
        Buffer.concat([page({ body: byteArray(Buffer.from('x')), values: 1_999_000, isDictionary: true }), places(3)]),
        {},
        3,
        bytesColumn,
      ),
      'damaged',
    ),
  'places that no dictionary has': () => says(one(places(3), {}, 3, bytesColumn), 'its dictionary does not have'),
  'two dictionaries': () =>
    says(one(Buffer.concat([dictionary, dictionary, places(3)]), {}, 3, bytesColumn), 'two dictionaries'),
  'a text that is longer than its page': () =>
    says(one(page({ body: byteArray(Buffer.from('x'), TWO_31), values: 1 }), {}, 1, bytesColumn), 'damaged', 1),
  'a page of version 2': () =>
    says(one(page({ body: int32s([1, 2, 3]), values: 3, type: 3 })), 'pages that our tables do not have'),
  'another encoding': () => says(one(page({ body: int32s([1, 2, 3]), values: 3, encoding: 5 })), 'DELTA_BINARY_PACKED'),
  'another compression': () => says(one(plain, { columns: [{ codec: 1 }] }), 'zstd'),
  'a column outside of the file': () => says(one(plain, { columns: [{ size: 10_000 }] }), 'outside'),
  'a column before the file': () => says(one(plain, { columns: [{ at: -5 }] }), 'outside'),
  'a hundred columns in each other': () =>
    says(
      parquetFile(
        Array.from({ length: 100 }, () => [column1, plain] as const),
        3,
        { columns: Array.from({ length: 100 }, () => ({ at: 4, size: 1_000 })) },
      ),
      'in each other',
    ),
  'a footer of a gigabyte': () => says(one(plain, { footerBytes: 2 ** 30 }), 'longer than itself'),
  'a footer of nothing': () => says(one(plain, { footerBytes: 0 }), 'shorter than it says'),
  'no footer': () => says(Buffer.from('PAR1PAR1'), 'longer than itself'),
  'no bytes': () => says(Buffer.alloc(0), 'does not end'),
  'no table': () => says(Buffer.alloc(MIB, 'a'), 'does not end'),
  'a list of 2^31 row groups': () => says(one(plain, { groups: list([], 12, TWO_31) }), 'shorter than it says'),
  'a million empty row groups': () =>
    says(
      one(plain, {
        groups: list(
          Array.from({ length: 1_000_000 }, () => NOTHING),
          12,
        ),
      }),
      'shorter than it says',
    ),
  'a hundred thousand empty row groups': () =>
    says(
      one(plain, {
        groups: list(
          Array.from({ length: 100_000 }, () => NOTHING),
          12,
        ),
      }),
      'other columns',
    ),
  'no row group': () => says(one(plain, { groups: list([]), rows: 0 }), 'page', 0),
  'ten thousand columns': () =>
    says(
      one(plain, { schema: [group('root', 10_000), ...Array.from({ length: 10_000 }, (_, at) => column(`c${at}`))] }),
      'more than 1000 columns',
    ),
  'a column of two thousand children': () =>
    says(one(plain, { schema: [group('root', 2_000), column1] }), 'more than 1000 columns'),
  'children that are not there': () => says(one(plain, { schema: [group('root', 3), column1] }), 'do not add up'),
  'children of nobody': () => says(one(plain, { schema: [group('root', 1), column1, column1] }), 'do not add up'),
  'a name of a megabyte': () =>
    says(one(plain, { schema: [group('root', 1), column('c'.repeat(MIB))] }), 'name that is too long'),
  'columns in a hundred levels': () => says(one(plain, { schema: nestedSchema(100) }), 'nested too deep'),
  'Thrift in a thousand levels': () =>
    says(one(plain, { schema: [group('root', 1), nestedThrift(1_000)] }), 'nested too deep'),
  'lists in sixteen levels': () =>
    says(
      one(page({ body: Buffer.concat([levels(run(3, 0)), levels(run(3, 33))]), values: 3 }), {
        schema: listSchema(15),
      }),
      'page',
    ),
  'two million empty lists in fifteen levels': () =>
    says(
      one(
        page({ body: Buffer.concat([levels(run(2_000_000, 0)), levels(run(2_000_000, 29))]), values: 2_000_000 }),
        { schema: listSchema(15) },
        2_000_000,
      ),
      'page|memory|too long',
      2_000_000,
    ),
  'one list of two million places of a megabyte': () =>
    says(
      one(
        Buffer.concat([
          dictionary,
          page({
            body: Buffer.concat([
              levels(Buffer.concat([run(1, 0), run(1_000_000, 1)])),
              levels(run(1_000_001, 3)),
              Buffer.from([1]),
              run(1_000_001, 0),
            ]),
            values: 1_000_001,
            encoding: 8,
          }),
        ]),
        { schema: [group('root', 1), group('l', 1, 1, { 6: i32(3) }), group('list', 1, 2), column('c', 6, 1)] },
        1,
      ),
      'more than 6291456 characters',
      1,
    ),
  // A single allocation beyond the limit of the heap would end the process: the small values take nearly all of it.
  'bytes of 100 megabytes beside two million small values': () =>
    says(
      parquetFile(
        [
          [column('s', 6), page({ body: Buffer.alloc(4 * 2_000_000), values: 2_000_000 })],
          [
            bytesColumn,
            Buffer.concat([
              page({ body: byteArray(Buffer.alloc(100 * MIB, 'x')), values: 1, isDictionary: true }),
              places(2_000_000),
            ]),
          ],
        ],
        2_000_000,
      ),
      'memory|too long|a value has more than 2097152 bytes',
      2_000_000,
    ),
  'a row of a thousand long values': () =>
    says(
      parquetFile(
        Array.from(
          { length: 1_000 },
          (_, at) => [column(`c${at}`, 6), Buffer.concat([dictionary, places(3)])] as const,
        ),
        3,
      ),
      // A thousand columns are the most work of a row: on a busy machine their time ends first.
      'a row has more than 6291456 characters|it takes too long',
    ),
  'a column called __proto__': () => says(one(plain, {}, 3, column('__proto__')), 'page'),
  'a number without an end': () =>
    says(
      Buffer.concat([
        Buffer.from('PAR1'),
        Buffer.alloc(1_000, 0xff),
        Buffer.from([0xe8, 3, 0, 0]),
        Buffer.from('PAR1'),
      ]),
      'type that Parquet does not use|without an end',
    ),
  'a row group of eight million fields': () => {
    const fields = { type: 12, bytes: Buffer.concat([Buffer.alloc(8 * MIB, 0x11), Buffer.from([0])]) };
    return says(one(plain, { groups: list([fields]) }), 'too many fields');
  },
  'a footer of zeros': () =>
    says(
      Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(1_000), Buffer.from([0xe8, 3, 0, 0]), Buffer.from('PAR1')]),
      'do not add up|no columns',
    ),
};
