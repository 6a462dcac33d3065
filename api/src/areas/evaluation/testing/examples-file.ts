// A table of examples, as an evaluator writes it.
import { column, i32, levels, page, parquetFile, run } from '../../../core/tables/testing/parquet-file.ts';

export interface ExampleRow {
  task: string;
  row: number;
  subject: string;
  answer: string;
  /** Null: it has none, for `error`. */
  score: number | null;
  error?: string;
}

const BOOLEAN = 0;
const INT32 = 1;
const DOUBLE = 5;
const BYTE_ARRAY = 6;
const UTF8 = { 6: i32(0) };
const OPTIONAL = 1;

const texts = (values: readonly string[]): Buffer =>
  Buffer.concat(
    values.flatMap((value) => {
      const bytes = Buffer.from(value);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return [length, bytes];
    }),
  );
const doubles = (values: readonly number[]): Buffer => Buffer.from(Float64Array.from(values).buffer);
const whole = (values: readonly number[]): Buffer => Buffer.from(Int32Array.from(values).buffer);

/** Those that are there, after which ones are. */
const optional = <T>(values: readonly (T | null | undefined)[], write: (some: readonly T[]) => Buffer): Buffer => {
  const there = values.filter((value) => value !== null && value !== undefined) as T[];
  const runs = values.map((value) => run(1, value === null || value === undefined ? 0 : 1));
  return Buffer.concat([levels(Buffer.concat(runs)), write(there)]);
};

export function examplesFile(rows: readonly ExampleRow[]): Buffer {
  const values = rows.length;
  const one = (name: string, type: number, body: Buffer, repetition = 0) =>
    [column(name, type, repetition, type === BYTE_ARRAY ? UTF8 : {}), page({ body, values })] as const;
  return parquetFile(
    [
      one('task', BYTE_ARRAY, texts(rows.map(({ task }) => task))),
      one('row', INT32, whole(rows.map(({ row }) => row))),
      one('subject', BYTE_ARRAY, texts(rows.map(({ subject }) => subject))),
      one('prompt', BYTE_ARRAY, texts(rows.map(({ task, row }) => `task ${task}, row ${row}`))),
      one(
        'expected',
        BYTE_ARRAY,
        optional(
          rows.map(({ row }) => (row === 1 ? null : `right ${row}`)),
          texts,
        ),
        OPTIONAL,
      ),
      one('answer', BYTE_ARRAY, texts(rows.map(({ answer }) => answer))),
      one(
        'score',
        DOUBLE,
        optional(
          rows.map(({ score }) => score),
          doubles,
        ),
        OPTIONAL,
      ),
      one(
        'is_right',
        BOOLEAN,
        optional(
          rows.map(({ score }) => (score === null ? null : score > 0)),
          bits,
        ),
        OPTIONAL,
      ),
      one('ms', DOUBLE, doubles(rows.map(() => 12.5))),
      one('prompt_tokens', INT32, whole(rows.map(() => 10))),
      one('completion_tokens', INT32, whole(rows.map(() => 2))),
      one(
        'error',
        BYTE_ARRAY,
        optional(
          rows.map(({ error }) => error),
          texts,
        ),
        OPTIONAL,
      ),
    ],
    values,
  );
}

/** Eight to a byte, the first one lowest. */
function bits(values: readonly boolean[]): Buffer {
  const bytes = Buffer.alloc(Math.ceil(values.length / 8));
  for (const [at, value] of values.entries()) if (value) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (1 << (at & 7));
  return bytes;
}
