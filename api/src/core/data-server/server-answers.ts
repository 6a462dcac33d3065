// What a data server may answer. It reads tenants' bytes, so nothing of it is believed: texts of JSON are parsed and checked on a thread,
// within bounds, and only fields that are named here are passed on.
import * as z from 'zod';
import { parseJson } from '../../platform/json-size.ts';
import { oneLine, storable } from '../../platform/storable.ts';

const MOST_COLUMNS = 1_000;
const MOST_PARTS = 1_000;
const MOST_FILES = 1_000;
const MOST_ROWS = 100;
const MOST_BINS = 64;
const MOST_LANGUAGES = 500;
/** Cells, and what is nested in them. */
const MOST_VALUES = 250_000;
const MOST_WORDS = 300;
const MOST_EXAMPLES = 5;
const MOST_SETS = 8;
const MOST_PIECES = 200;
const MOST_REASONS = 20;
/** Of one example, as it is shown. */
const MOST_TOKENS = 1_024;

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
  /** As JSON: the loop would take long to copy objects of many different members, and only passes cells on. */
  rows: z
    .array(z.array(z.unknown()).max(MOST_COLUMNS))
    .max(MOST_ROWS)
    .transform((rows) => JSON.stringify(rows)),
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

/** Columns of a table that a stranger has made: what is of another type is not there. */
const place = count.nullable().catch(null);
const half = z.object({ rank: z.int().min(1).max(1_000), score: z.number() }).nullable();
const passage = z.object({
  chunk: count,
  text: text(8 * 1024 * 1024).catch(''),
  file: name.nullable().catch(null),
  page: place,
  paragraph_first: place,
  paragraph_last: place,
  row: place,
  score: z.number(),
  vector: half,
  words: half,
  isCut: z.boolean().default(false),
});
/** A chunk of a knowledge base, and how each half of the search has found it; null where it has not. */
export type Passage = z.output<typeof passage>;

/** A number that a sentence or a decision has a place for. */
const value = count.optional().catch(undefined);
/** A stranger's text that a sentence has a place for, in one line. */
const words = text(1_100)
  .transform((told) => oneLine(told).slice(0, MOST_WORDS))
  .optional()
  .catch(undefined);
const refusal = z.object({
  code: z.string().max(40),
  sentence: z.string().max(4_000),
  values: z
    .object({
      ...{ bytes: value, most: value, pages: value, files: value, dataset: value, row: value, seconds: value },
      ...{ column: words, detail: words },
    })
    .catch({}),
});
export type Refusal = z.output<typeof refusal>;

const MOST_PROMPTS = 5;
/** A task's estimate in tokens, and the numbers that it comes about by. */
const estimate = z.object({
  inputTokens: count,
  outputTokens: count,
  arithmetic: z.record(z.string().regex(/^[a-zA-Z]{1,40}$/), z.number().min(0)),
});

const reason = z.string().regex(/^[A-Z][A-Za-z]{1,39}$/);
const tuned = z.object({
  examples: z
    .array(
      z.object({
        set: count,
        row: count,
        pieces: z
          .array(
            z.object({
              tokens: z.array(z.tuple([count, text(100_000)])).max(MOST_TOKENS),
              isTrained: z.boolean(),
              isCut: z.boolean(),
            }),
          )
          .max(MOST_PIECES)
          .default([]),
        tokens: count.default(0),
        isTooLong: z.boolean().default(false),
        reason: reason.optional(),
      }),
    )
    .max(MOST_EXAMPLES),
  sets: z
    .array(
      z.object({
        ...{ rows: count, sampled: count, usable: count, tokens: count, longest: count, cut: count },
        unusable: z.record(reason, count).refine((all) => Object.keys(all).length <= MOST_REASONS),
      }),
    )
    .max(MOST_SETS),
  isExact: z.boolean(),
});
/** What fine-tuning would train on: the first examples, and what a sample of each dataset has. */
export type Tuned = z.output<typeof tuned>;

const SHAPES = {
  tune: tuned,
  preview: cells.extend({
    units: z.object({ count, isExact: z.boolean() }),
    estimate: estimate.optional(),
    prompts: z
      .array(
        z.object({ label: text(300), inputTokens: count, body: z.unknown().transform((body) => JSON.stringify(body)) }),
      )
      .max(MOST_PROMPTS)
      .default([]),
  }),
  query: cells.extend({ more: z.boolean() }),
  find: cells.extend({ numbers, total: count }),
  search: cells.extend({ numbers, next: count.nullable() }),
  diff: differing,
  retrieve: z.object({ rows: z.array(passage).max(MOST_ROWS) }),
  profile: z.union([z.object({ done: facts }), z.object({ problem: refusal })]),
  refusal: z.object({ problem: refusal }),
  put: z.object({ bytes: count }),
  removed: z.object({}),
  kept: z.object({ bytesMost: count }),
} as const;
type Shapes = typeof SHAPES;
export type AnswerName = keyof Shapes;
export type Answer<Name extends AnswerName> = z.output<Shapes[Name]>;

/** For a thread. Throws where it is no JSON of that shape, or has too many values. */
export const readAnswer = <Name extends AnswerName>(bytes: Uint8Array, shape: Name): Answer<Name> =>
  SHAPES[shape].parse(parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes), MOST_VALUES)) as Answer<Name>;
