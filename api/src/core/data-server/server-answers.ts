// What a data server may answer. It reads tenants' bytes, so nothing of it is believed: texts of JSON are parsed and checked on a thread,
// within bounds, and only fields that are named here are passed on.
import * as z from 'zod';
import { parseJson } from '../../platform/json-size.ts';
import { storable } from '../../platform/storable.ts';

const MOST_COLUMNS = 1_000;
const MOST_PARTS = 1_000;
const MOST_FILES = 1_000;
const MOST_STORED = 50_000;
const MOST_ROWS = 100;
const MOST_BINS = 64;
const MOST_LANGUAGES = 500;
/** Cells, and what is nested in them. */
const MOST_VALUES = 250_000;

const count = z.int().min(0);
const text = (most: number) => z.string().max(most).transform(storable);
const name = text(1_100);
const type = text(300);
const path = z.string().max(1_200);
const amount = z.number().nullable();
const edge = z.union([z.number(), text(200)]);
const bins = z.object({ edges: z.array(edge).max(MOST_BINS + 1), counts: z.array(count).max(MOST_BINS) });

const column = z.object({
  name,
  type,
  nulls: count,
  distinct: count.optional(),
  min: edge.nullish(),
  max: edge.nullish(),
  mean: amount.optional(),
  deviation: amount.optional(),
  quartiles: z.array(amount).max(3).nullish(),
  shortest: amount.optional(),
  longest: amount.optional(),
  meanLength: amount.optional(),
  histogram: bins.optional(),
  lengths: bins.optional(),
  values: z
    .array(z.object({ value: text(200), count }))
    .max(MOST_BINS)
    .optional(),
  valuesMore: count.optional(),
});

const facts = z.object({
  kind: z.string().regex(/^[a-z]{1,20}$/),
  way: z.enum(['quick', 'lines', 'documents', 'files']),
  rows: count,
  rejected: count,
  rejectedKept: count,
  duplicates: count,
  languages: z
    .record(z.string().regex(/^[a-z]{2,8}$/), count)
    .refine((all) => Object.keys(all).length <= MOST_LANGUAGES),
  columns: z.array(column).max(MOST_COLUMNS),
  isCut: z.boolean(),
  parts: z
    .array(
      z.object({
        path,
        kind: z.enum(['data', 'rejected']),
        firstRow: count,
        rows: count,
        bytes: count,
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .max(MOST_PARTS),
  files: z
    .array(
      z.object({
        name,
        kind: z.string().max(20),
        bytes: count,
        problem: z.object({ code: z.string().max(40), sentence: text(2_000) }).optional(),
      }),
    )
    .max(MOST_FILES),
  filesMore: count,
});
export type TableFacts = z.output<typeof facts>;

const columns = z.array(z.object({ name, type })).max(MOST_COLUMNS);
const cells = z.object({
  columns,
  rows: z.array(z.array(z.unknown()).max(MOST_COLUMNS)).max(MOST_ROWS),
  cut: z.array(z.tuple([count, count, count])).max(MOST_ROWS * MOST_COLUMNS),
});
export type Cells = z.output<typeof cells>;
const numbers = z.array(count).max(MOST_ROWS);

const differing = z.object({
  rows: z.object({ added: count, removed: count, changed: count, same: count, before: count, after: count }),
  columns: z.object({
    added: columns,
    removed: columns,
    changed: z.array(z.object({ name, before: type, after: type })).max(MOST_COLUMNS),
  }),
  changedColumns: z.record(name, count).refine((all) => Object.keys(all).length <= MOST_COLUMNS),
  added: cells,
  removed: cells,
  changed: cells,
});
export type RowDifference = z.output<typeof differing>;

/** A number that a sentence or a decision has a place for. */
const value = count.optional().catch(undefined);
const refusal = z.object({
  code: z.string().max(40),
  sentence: z.string().max(4_000),
  values: z.object({ bytes: value, most: value, pages: value, files: value }).catch({}),
});
export type Refusal = z.output<typeof refusal>;

const SHAPES = {
  query: cells.extend({ more: z.boolean() }),
  find: cells.extend({ numbers, total: count }),
  search: cells.extend({ numbers, next: count.nullable() }),
  diff: differing,
  profile: z.union([z.object({ done: facts }), z.object({ problem: refusal })]),
  refusal: z.object({ problem: refusal }),
  put: z.object({ bytes: count }),
  removed: z.object({}),
  files: z.object({ files: z.array(z.object({ path, bytes: count })).max(MOST_STORED) }),
} as const;
type Shapes = typeof SHAPES;
export type AnswerName = keyof Shapes;
export type Answer<Name extends AnswerName> = z.output<Shapes[Name]>;

/** For a thread. Throws where it is no JSON of that shape, or has too many values. */
export const readAnswer = <Name extends AnswerName>(bytes: Uint8Array, shape: Name): Answer<Name> =>
  SHAPES[shape].parse(parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes), MOST_VALUES)) as Answer<Name>;
