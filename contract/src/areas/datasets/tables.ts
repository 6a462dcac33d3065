// The table of a dataset's version, once a data server has read it: statistics, rows at any place, filters, search, one SELECT, what was
// rejected, and how its rows differ from another version's. Every cell is JSON as the data server writes it: text where JSON has no form.

import * as z from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import type { ProblemCode } from '../../http/problem.ts';
import { TRANSFER_ENDS } from '../models/model-facets.ts';

export const MOST_TABLE_ROWS = 100;
/** Rows of a filtered or sorted table that can be reached. */
const MOST_FOUND = 100_000;
const MOST_FILTERS = 20;
const MOST_SQL = 20_000;

export const PROFILE_STATES = ['waiting', 'running', 'ready', 'failed'] as const;
export type ProfileState = (typeof PROFILE_STATES)[number];
/** In their order, as far as a version has them. */
export const PROFILE_STEPS = [
  ...(['sending', 'kinds', 'documents', 'writing', 'lines', 'statistics', 'duplicates', 'languages'] as const),
  'keeping',
] as const;
export type ProfileStep = (typeof PROFILE_STEPS)[number];

const count = z.int().min(0);

/** Of a ready version: how far its table is. Null where the installation has no data server. */
export const datasetProfile = z.object({
  state: z.enum(PROFILE_STATES),
  step: z.enum(PROFILE_STEPS).nullable().meta({ description: 'Of one that is running.' }),
  done: z.number().nullable().meta({ description: 'How much of `of` the step has done.' }),
  of: z.number().nullable(),
  problem: z
    .object({ error: z.string(), message: z.string() })
    .nullable()
    .meta({ description: 'Why it failed. The files of the version are as they came.' }),
  rejected: count.nullable().meta({ description: 'How many rows could not be read.' }),
  parts: count.meta({ description: 'How many parts its Parquet has: each is downloaded by itself.' }),
});
export type DatasetProfileView = z.output<typeof datasetProfile>;

const edge = z.union([z.number(), z.string()]);
const bins = z.object({
  edges: z.array(edge).meta({ description: 'One more than counts: a bin reaches from its edge to the next one.' }),
  counts: z.array(count),
});
const amount = z.number().nullable();

/** Why a file of a version could not be read, as the data server calls it. */
export const FILE_PROBLEMS = [
  ...(['ArchiveBroken', 'ArchiveInArchive', 'DocumentBroken', 'ExpandsTooFar', 'Locked', 'ReaderDied'] as const),
  ...(['RowTooLong', 'TooLarge', 'TooManyFiles', 'TooManyPages', 'TooMuchMemory', 'TooSlow'] as const),
] as const;

const statisticsColumn = z.object({
  name: z.string(),
  type: z.string().meta({ description: "DuckDB's name of it." }),
  nulls: count,
  distinct: count.nullable().meta({ description: 'An estimate.' }),
  min: edge.nullable(),
  max: edge.nullable(),
  mean: amount,
  deviation: amount,
  quartiles: z.array(z.number().nullable()).nullable(),
  shortest: amount.meta({ description: 'Of texts in characters, of lists in elements.' }),
  longest: amount,
  mean_length: amount,
  histogram: bins.nullable().meta({ description: 'Of numbers and times (RFC 3339 without a zone).' }),
  lengths: bins.nullable().meta({ description: 'Of texts and lists with many different values.' }),
  values: z
    .array(z.object({ value: z.string(), count }))
    .nullable()
    .meta({ description: 'Of a column with few different values: the most frequent ones.' }),
  values_more: count.nullable().meta({ description: 'How many rows have other values.' }),
});
export type DatasetColumnStatistics = z.output<typeof statisticsColumn>;

export const datasetStatistics = z.object({
  rows: count,
  rejected: count,
  rejected_kept: count.meta({ description: 'How many of them can be read, with reasons.' }),
  duplicates: count.meta({ description: 'Rows that equal an earlier one.' }),
  languages: z
    .array(z.object({ language: z.string(), rows: count }))
    .meta({ description: 'ISO 639, by a sample of up to 10,000 rows; `und`: none is likely.' }),
  columns: z.array(statisticsColumn),
  is_cut: z.boolean().meta({ description: 'Some columns lack their histogram, because all would be too much.' }),
  problems: z
    .array(
      z.object({
        path: z.string(),
        code: z.enum(FILE_PROBLEMS).optional(),
        message: z.string().meta({ description: 'In English.' }),
      }),
    )
    .meta({ description: 'Files that could not be read; up to 1,000.' }),
});
export type DatasetStatisticsView = z.output<typeof datasetStatistics>;

const cells = {
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  rows: z.array(z.array(z.unknown())),
  cut: z
    .array(z.tuple([count, count, count]))
    .meta({ description: 'Cells that are longer than shown: row and column in this answer, and the length.' }),
};
export const datasetRows = z.object({ ...cells, total: count });
export type DatasetRowsView = z.output<typeof datasetRows>;
const numbers = z.array(count).meta({ description: "The rows' numbers in the whole table, from 0." });
const wholeCell = z.object({
  value: z.unknown(),
  length: count.nullable().meta({ description: 'The characters of a cell that is longer than shown; null of others.' }),
});
const found = z.object({ ...cells, numbers, total: count });
export type DatasetFoundView = z.output<typeof found>;
const searched = z.object({
  ...cells,
  numbers,
  next: count.nullable().meta({ description: 'Where the search goes on (`from`); null once all is searched.' }),
});
export type DatasetSearchView = z.output<typeof searched>;
const answered = z.object({ ...cells, more: z.boolean().meta({ description: 'There are more rows than 100.' }) });
export type DatasetAnswerView = z.output<typeof answered>;
const some = z.object(cells);
const rowDifference = z.object({
  rows: z.object({ added: count, removed: count, changed: count, same: count, before: count, after: count }),
  columns: z.object({
    added: cells.columns,
    removed: cells.columns,
    changed: z.array(z.object({ name: z.string(), before: z.string(), after: z.string() })),
  }),
  changed_columns: z.array(z.object({ name: z.string(), rows: count })),
  added: some,
  removed: some,
  changed: some.meta({ description: 'Each cell that differs is [before, after]; others than the key are null.' }),
});
export type DatasetRowDifferenceView = z.output<typeof rowDifference>;

const column = z.string().min(1).max(256);
const bound = z.union([z.number(), z.string().max(4096)]);
export const findBody = z.strictObject({
  filters: z
    .array(
      z.strictObject({
        column,
        at_least: bound.optional(),
        below: bound.optional(),
        equals: z.union([bound, z.boolean()]).optional(),
        length_at_least: count.optional().meta({ description: 'Characters of a text, elements of a list.' }),
        length_below: count.optional(),
        is_null: z.boolean().optional(),
      }),
    )
    .max(MOST_FILTERS)
    .default([])
    .meta({ description: 'All must hold.' }),
  sort: z.strictObject({ column, descending: z.boolean().default(false) }).optional(),
  from: z.int().min(0).max(MOST_FOUND).default(0),
  size: z.int().min(1).max(MOST_TABLE_ROWS).default(50),
});
export const searchBody = z.strictObject({
  text: z.string().min(1).max(500),
  columns: z.array(column).min(1).max(1000).optional(),
  from: z.int().min(0).default(0),
  size: z.int().min(1).max(MOST_TABLE_ROWS).default(50),
});
export const queryBody = z.strictObject({
  sql: z.string().min(1).max(MOST_SQL).meta({ description: 'One SELECT of DuckDB; the table is called `data`.' }),
});
export const compareBody = z.strictObject({
  with: z.int().min(1).meta({ description: 'The number of the version that it is compared with.' }),
  key: z.array(column).min(1).max(8).optional().meta({ description: 'Columns by which a row is known.' }),
  size: z.int().min(0).max(MOST_TABLE_ROWS).default(20),
});

const ofVersion = z.object({
  id: z.string().regex(/^[a-z0-9-]{1,63}$/),
  version: z.string().regex(/^[1-9][0-9]{0,5}$/),
});
const tag = 'data';
const path = '/data/v1/data/dataset/{id}/version/{version}';
const view = { right: 'view' } as const;
const NO_TABLE = [
  ...(['dataset_no_table', 'table_unreadable', 'table_column_unknown'] as const),
  ...(['model_store_off', 'model_store_away'] as const),
] as const satisfies ProblemCode[];
/** What a data server is asked for. */
const ASKED = [
  ...NO_TABLE,
  ...(['dataset_preparing', 'dataset_query_refused', 'dataset_query_too_much', 'dataset_query_too_large'] as const),
  'dataset_server_failed',
] as const satisfies ProblemCode[];
const pageQuery = z.strictObject({
  from: z.coerce.number().int().min(0).default(0).meta({ description: "The first row's number, from 0." }),
  size: z.coerce.number().int().min(1).max(MOST_TABLE_ROWS).default(50),
});

export const DATASET_TABLE_ROUTES = {
  getDatasetStatistics: defineRoute({
    id: 'getDatasetStatistics',
    method: 'GET',
    path: `${path}/statistics`,
    tag,
    summary: "What is in a version's table: rows, columns, distributions, duplicates, languages.",
    access: view,
    params: ofVersion,
    answer: { result: datasetStatistics },
    problems: ['dataset_no_table'],
  }),
  listDatasetRows: defineRoute({
    id: 'listDatasetRows',
    method: 'GET',
    path: `${path}/row`,
    tag,
    summary: "Rows of a version's table from any place, in their order.",
    access: view,
    params: ofVersion,
    query: pageQuery,
    answer: { result: datasetRows },
    problems: NO_TABLE,
  }),
  getDatasetCell: defineRoute({
    id: 'getDatasetCell',
    method: 'GET',
    path: `${path}/cell`,
    tag,
    summary: 'One cell whole: up to 1 MiB.',
    access: view,
    params: ofVersion,
    query: z.strictObject({ row: z.coerce.number().int().min(0), column }),
    answer: { result: wholeCell },
    problems: NO_TABLE,
  }),
  listDatasetRejected: defineRoute({
    id: 'listDatasetRejected',
    method: 'GET',
    path: `${path}/rejected`,
    tag,
    summary: 'Rows that could not be read, each with its file, line and reason.',
    access: view,
    params: ofVersion,
    query: pageQuery,
    answer: { result: datasetRows },
    problems: NO_TABLE,
  }),
  downloadDatasetTable: defineRoute({
    id: 'downloadDatasetTable',
    method: 'GET',
    path: `${path}/table`,
    tag,
    summary: 'The whole table, or what was rejected, as JSON Lines or CSV; as Parquet one part of it.',
    access: view,
    params: ofVersion,
    query: z.strictObject({
      format: z.enum(['jsonl', 'csv', 'parquet']).default('jsonl'),
      of: z.enum(['data', 'rejected']).default('data'),
      part: z.coerce.number().int().min(0).default(0).meta({ description: 'Of Parquet: from 0.' }),
    }),
    answer: { file: 'application/octet-stream' },
    problems: [...NO_TABLE, 'too_many_downloads', ...TRANSFER_ENDS],
    exempt: true,
  }),
  profileDatasetVersion: defineRoute({
    id: 'profileDatasetVersion',
    method: 'POST',
    path: `${path}/profile`,
    tag,
    summary: 'Reads the version once more, after its table failed.',
    access: { right: 'use' },
    params: ofVersion,
    answer: { text: 'ok' },
    problems: ['dataset_no_table'],
  }),
  findDatasetRows: defineRoute({
    id: 'findDatasetRows',
    method: 'POST',
    path: `${path}/find`,
    tag,
    summary: 'Rows that pass filters, sorted by a column if wanted: the first 100,000 can be reached.',
    access: view,
    asks: true,
    params: ofVersion,
    body: findBody,
    answer: { result: found },
    problems: ASKED,
  }),
  searchDataset: defineRoute({
    id: 'searchDataset',
    method: 'POST',
    path: `${path}/search`,
    tag,
    summary: 'Rows in which a text stands, whatever its case.',
    access: view,
    asks: true,
    params: ofVersion,
    body: searchBody,
    answer: { result: searched },
    problems: ASKED,
  }),
  queryDataset: defineRoute({
    id: 'queryDataset',
    method: 'POST',
    path: `${path}/query`,
    tag,
    summary: 'Answers one SELECT over the table `data`: 5 seconds, 512 MiB, the first 100 rows.',
    access: view,
    asks: true,
    params: ofVersion,
    body: queryBody,
    answer: { result: answered },
    problems: ASKED,
  }),
  compareDatasetRows: defineRoute({
    id: 'compareDatasetRows',
    method: 'POST',
    path: `${path}/compare`,
    tag,
    summary: 'Rows that were added, removed or changed since another version, by a key or as wholes.',
    access: view,
    asks: true,
    params: ofVersion,
    body: compareBody,
    answer: { result: rowDifference },
    problems: ASKED,
    exempt: true,
  }),
};
