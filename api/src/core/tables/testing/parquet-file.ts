// Parquet files by hand, for tests: as DuckDB writes them, but with any lie in them.
import { zstdCompressSync } from 'node:zlib';

/** A value of Thrift's compact protocol. */
export interface Thrift {
  readonly type: number;
  readonly bytes: Buffer;
}

const varint = (value: bigint): Buffer => {
  const bytes: number[] = [];
  let left = value;
  for (; left > 127n; left >>= 7n) bytes.push(Number(left & 127n) | 128);
  return Buffer.from([...bytes, Number(left)]);
};
const zigzag = (value: number | bigint): Buffer => {
  const whole = BigInt(value);
  return varint(whole < 0n ? -whole * 2n - 1n : whole * 2n);
};
export const i32 = (value: number): Thrift => ({ type: 5, bytes: zigzag(value) });
const i64 = (value: number | bigint): Thrift => ({ type: 6, bytes: zigzag(value) });
const text = (value: string): Thrift => {
  const bytes = Buffer.from(value);
  return { type: 8, bytes: Buffer.concat([varint(BigInt(bytes.length)), bytes]) };
};
/** `size`: another one than it has. */
export const list = (items: readonly Thrift[], type = items[0]?.type ?? 12, size = items.length): Thrift => ({
  type: 9,
  bytes: Buffer.concat([Buffer.from([0xf0 | type]), varint(BigInt(size)), ...items.map(({ bytes }) => bytes)]),
});
export const struct = (fields: Readonly<Record<number, Thrift | undefined>>): Thrift => {
  let before = 0;
  const parts = Object.entries(fields).flatMap(([id, value]) => {
    if (value === undefined) return [];
    const head = ((Number(id) - before) << 4) | value.type;
    before = Number(id);
    return [Buffer.from([head]), value.bytes];
  });
  return { type: 12, bytes: Buffer.concat([...parts, Buffer.from([0])]) };
};

interface Page {
  readonly body: Buffer;
  readonly values: number;
  /** 0: plain, 3: runs, 8: by dictionary. */
  readonly encoding?: number;
  /** Of a page, what it says; else what it has. */
  readonly size?: number;
  readonly packedSize?: number;
  readonly isDictionary?: boolean;
  readonly type?: number;
}

/** One page, compressed by zstd. */
export function page({ body, values, encoding = 0, isDictionary = false, ...lies }: Page): Buffer {
  const packed = zstdCompressSync(body);
  const header = struct({
    1: i32(lies.type ?? (isDictionary ? 2 : 0)),
    2: i32(lies.size ?? body.length),
    3: i32(lies.packedSize ?? packed.length),
    5: isDictionary ? undefined : struct({ 1: i32(values), 2: i32(encoding), 3: i32(3), 4: i32(3) }),
    7: isDictionary ? struct({ 1: i32(values), 2: i32(encoding) }) : undefined,
  });
  return Buffer.concat([header.bytes, packed]);
}

export interface ColumnLies {
  readonly at?: number;
  readonly size?: number;
  readonly codec?: number;
}

/** A column of the schema. `type`: 1 is INT32, 6 is BYTE_ARRAY. `repetition`: 0 is required, 1 optional, 2 repeated. */
export const column = (name: string, type = 1, repetition = 0, more: Readonly<Record<number, Thrift>> = {}): Thrift =>
  struct({ 1: i32(type), 3: i32(repetition), 4: text(name), ...more });
export const group = (
  name: string,
  children: number,
  repetition = 0,
  more: Readonly<Record<number, Thrift>> = {},
): Thrift => struct({ 3: i32(repetition), 4: text(name), 5: i32(children), ...more });

interface Lies {
  readonly schema?: readonly Thrift[];
  readonly rows?: number;
  readonly groupRows?: number;
  readonly footerBytes?: number;
  readonly groups?: Thrift;
  readonly columns?: readonly ColumnLies[];
}

/** One row group, of the columns that are given with the bytes of their pages. */
export function parquetFile(columns: readonly (readonly [Thrift, Buffer])[], rows: number, lies: Lies = {}): Buffer {
  const schema = lies.schema ?? [group('root', columns.length), ...columns.map(([one]) => one)];
  let at = 4;
  const chunks = columns.map(([, bytes], number) => {
    const lie = lies.columns?.[number] ?? {};
    const from = lie.at ?? at;
    at += bytes.length;
    const facts = {
      ...{ 1: i32(1), 2: list([i32(0)]), 3: list([text('c')]), 4: i32(lie.codec ?? 6), 5: i64(rows) },
      ...{ 6: i64(bytes.length), 7: i64(lie.size ?? bytes.length), 9: i64(from) },
    };
    return struct({ 2: i64(0), 3: struct(facts) });
  });
  const footer = struct({
    ...{ 1: i32(1), 2: list(schema), 3: i64(lies.rows ?? rows) },
    4: lies.groups ?? list([struct({ 1: list(chunks), 2: i64(at), 3: i64(lies.groupRows ?? lies.rows ?? rows) })]),
  }).bytes;
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(lies.footerBytes ?? footer.length, 0);
  tail.write('PAR1', 4);
  return Buffer.concat([Buffer.from('PAR1'), ...columns.map(([, bytes]) => bytes), footer, tail]);
}

export const int32s = (values: readonly number[]): Buffer => Buffer.from(Int32Array.from(values).buffer);
/** A run of one value: so many times. */
export const run = (times: number, value: number): Buffer =>
  Buffer.concat([varint(BigInt(times) * 2n), Buffer.from([value])]);
/** Levels have their length before them. */
export const levels = (runs: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(runs.length);
  return Buffer.concat([length, runs]);
};
