// The model library and the datasets as a visitor sees them: only what staff show to everybody, with search, facets and facts.
import * as z from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { cursorQuery } from '../../http/paging.ts';
import { price } from '../../kind-api.ts';
import { ENGINES, TASKS } from '../../models/engines.ts';
import { DATASET_TYPES } from '../datasets/dataset-facets.ts';
import { DATASET_FORMATS, DATASET_SOURCES } from '../datasets/datasets.ts';
import { datasetRows, datasetStatistics } from '../datasets/tables.ts';
import { MODEL_FORMATS } from '../models/models.ts';
import { stock } from './market.ts';

/** By its number of parameters: below 2, 8, 20 and 80 billion, and above. */
export const SIZE_CLASSES = ['tiny', 'small', 'medium', 'large', 'huge'] as const;
export type SizeClass = (typeof SIZE_CLASSES)[number];
const BELOW: Readonly<Record<SizeClass, number>> = {
  tiny: 2e9,
  small: 8e9,
  medium: 20e9,
  large: 80e9,
  huge: Number.POSITIVE_INFINITY,
};
export const sizeClassOf = (parameters: number): SizeClass =>
  SIZE_CLASSES.find((size) => parameters < BELOW[size]) ?? 'huge';

export const LIBRARY_FACETS = ['task', 'size_class', 'license', 'language', 'structure'] as const;
export type LibraryFacet = (typeof LIBRARY_FACETS)[number];
export const DATASET_LIBRARY_FACETS = ['type', 'format', 'license', 'language'] as const;
export type DatasetLibraryFacet = (typeof DATASET_LIBRARY_FACETS)[number];
export const MOST_PREVIEW_ROWS = 20;
export const MOST_PREVIEW_COLUMNS = 100;

const count = z.int().min(0);
const time = z.iso.datetime();
const id = z.string().regex(/^[a-z0-9-]{1,63}$/);
const ofOne = z.object({ id });
const tag = 'portal';

/** Where what was sought stands in a text: from and to, in UTF-16 units, `to` behind the last. */
export const ranges = z.array(z.tuple([count, count]));

const libraryModel = z.object({
  id: z.string(),
  name: z.string(),
  name_ranges: ranges.meta({ description: 'What of the name was sought; empty without a search.' }),
  summary: z.string().meta({ description: 'The beginning of its card, as plain text.' }),
  task: z.enum(TASKS).nullable().meta({ description: 'As its architecture tells it; null where nothing does.' }),
  size_class: z.enum(SIZE_CLASSES).nullable(),
  license: z.string().nullable(),
  language: z.array(z.string()),
  tags: z.array(z.string()),
  structure: z.string().nullable(),
  format: z.enum(MODEL_FORMATS).nullable(),
  quantisation: z.string().nullable(),
  parameters: count.nullable(),
  context_length: count.nullable(),
  size_bytes: count,
  downloads: count,
  version: z.string().nullable().meta({ description: 'The newest that is ready.' }),
  update_time: time,
});
export type LibraryModelView = z.input<typeof libraryModel>;

const fit = z.object({
  gpu: z.string().meta({ description: 'A model of the market.' }),
  name: z.string(),
  fits: z.boolean(),
  message: z.string().nullable().meta({ description: 'Why it does not fit.' }),
  gpus: count.nullable().meta({ description: 'Cards of one replica on each of its nodes.' }),
  nodes: count.nullable(),
  engine: z.enum(ENGINES).nullable(),
  context_length: count.nullable(),
  arithmetic: z.array(z.string()).meta({ description: 'What the model takes and what there is, line by line.' }),
  price: price.meta({ description: 'Of a deployment with one replica, by the hour.' }),
  free: stock.meta({ description: 'Cards of the model that anybody could have now.' }),
});
export type LibraryFitView = z.input<typeof fit>;

const libraryModelDetail = libraryModel.extend({
  card: z.string().meta({ description: 'Markdown. HTML and pictures are not shown.' }),
  weight_bytes: count.nullable().meta({ description: 'What its tensors take in memory.' }),
  kv_token_bytes: count.nullable().meta({ description: 'What one token of context takes in memory.' }),
  repository: z.string().nullable().meta({ description: 'Of a hub.' }),
  revision: z.string().nullable(),
  files: z.array(z.object({ path: z.string(), size_bytes: count, sha256: z.string().nullable() })),
  fits: z.array(fit).meta({ description: 'For each GPU model of the market, in its order.' }),
});
export type LibraryModelDetailView = z.input<typeof libraryModelDetail>;

const libraryDataset = z.object({
  id: z.string(),
  name: z.string(),
  name_ranges: ranges,
  summary: z.string().meta({ description: 'The beginning of its card, as plain text.' }),
  type: z.enum(DATASET_TYPES),
  format: z.enum(DATASET_FORMATS).nullable(),
  license: z.string().nullable(),
  language: z.array(z.string()),
  tags: z.array(z.string()),
  rows: count.nullable(),
  size_bytes: count,
  downloads: count,
  version: count.nullable().meta({ description: 'The number of the newest that is ready.' }),
  update_time: time,
});
export type LibraryDatasetView = z.input<typeof libraryDataset>;

const libraryDatasetDetail = libraryDataset.extend({
  card: z.string().meta({ description: 'Markdown. HTML and pictures are not shown.' }),
  source: z.enum(DATASET_SOURCES).nullable(),
  digest: z.string().nullable().meta({ description: 'SHA-256 of the sorted list of its files.' }),
  file_count: count,
  statistics: datasetStatistics
    .omit({ problems: true })
    .nullable()
    .meta({ description: 'Null where nothing has read its data; of the first 100 columns.' }),
  has_rows: z.boolean().meta({ description: 'Whether its first rows can be read.' }),
});
export type LibraryDatasetDetailView = z.input<typeof libraryDatasetDetail>;

const paging = {
  ...cursorQuery(24),
  size: z.coerce.number().int().min(1).max(100).default(24),
  search: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'Words of names, tags and cards; one or two letters of a longer word may be wrong.' }),
};
const facet = z.string().max(100).optional();
const order_by = (...names: [string, ...string[]]) =>
  z
    .enum(['relevance', 'downloads', 'update_time', 'name', ...names])
    .default('relevance')
    .meta({
      description: 'The best, the most or the newest first; names from A. Without a search relevance is downloads.',
    });

const modelQuery = z.strictObject({
  ...paging,
  ...{ task: facet, size_class: facet, license: facet, language: facet, structure: facet },
  order_by: order_by('parameters'),
});
export type LibraryModelQuery = z.output<typeof modelQuery>;
const datasetQuery = z.strictObject({
  ...paging,
  ...{ type: facet, format: facet, license: facet, language: facet },
  order_by: order_by('rows'),
});
export type LibraryDatasetQuery = z.output<typeof datasetQuery>;

export const LIBRARY_ROUTES = {
  listPortalModels: defineRoute({
    id: 'listPortalModels',
    method: 'GET',
    path: '/portal/v1/models',
    tag,
    summary: 'Models that the platform offers; `extra.facets` counts what they can be narrowed to.',
    access: 'public',
    query: modelQuery,
    answer: { list: libraryModel },
    problems: ['cursor_rule'],
  }),
  readPortalModel: defineRoute({
    id: 'readPortalModel',
    method: 'GET',
    path: '/portal/v1/models/{id}',
    tag,
    summary: 'One model that the platform offers: its card, files, and the GPUs that it fits with their price.',
    access: 'public',
    params: ofOne,
    answer: { result: libraryModelDetail },
    problems: ['not_found'],
  }),
  listPortalDatasets: defineRoute({
    id: 'listPortalDatasets',
    method: 'GET',
    path: '/portal/v1/datasets',
    tag,
    summary: 'Datasets that the platform offers; `extra.facets` counts what they can be narrowed to.',
    access: 'public',
    query: datasetQuery,
    answer: { list: libraryDataset },
    problems: ['cursor_rule'],
  }),
  readPortalDataset: defineRoute({
    id: 'readPortalDataset',
    method: 'GET',
    path: '/portal/v1/datasets/{id}',
    tag,
    summary: 'One dataset that the platform offers, with the statistics of its newest version.',
    access: 'public',
    params: ofOne,
    answer: { result: libraryDatasetDetail },
    problems: ['not_found'],
  }),
  readPortalDatasetRows: defineRoute({
    id: 'readPortalDatasetRows',
    method: 'GET',
    path: '/portal/v1/datasets/{id}/rows',
    tag,
    summary: 'The first 20 rows of a dataset that the platform offers, where its table has been read.',
    access: 'public',
    params: ofOne,
    answer: { result: datasetRows },
    problems: ['not_found', 'dataset_no_table', 'model_store_off', 'model_store_away', 'table_unreadable'],
  }),
  readPortalDatasetCroissant: defineRoute({
    id: 'readPortalDatasetCroissant',
    method: 'GET',
    path: '/portal/v1/datasets/{id}/croissant',
    tag,
    summary: 'Croissant metadata of a dataset that the platform offers, as JSON-LD.',
    access: 'public',
    params: ofOne,
    answer: { raw: z.record(z.string(), z.unknown()) },
    problems: ['not_found'],
  }),
};
