// Datasets: an organisation's data in versions that never change once they are ready, and those that staff show to everybody. A version
// is listed first, in steps, so that only bytes which the organisation does not have are sent.
import * as z from 'zod';
import { isFilePath, MOST_PATH } from '../../fields/file-path.ts';
import { diskFolder, filePatterns, hubRepository, hubRevision } from '../../fields/import-fields.ts';
import { hidesNothing, plainLines, plainText } from '../../fields/plain-text.ts';
import { defineRoute } from '../../http/define-route.ts';
import { objectId } from '../../http/kind-bodies.ts';
import { cursorQuery } from '../../http/paging.ts';
import type { ProblemCode } from '../../http/problem.ts';
import { PIECE_BYTES, TRANSFER_ENDS } from '../models/model-facets.ts';
import { DATASET_TYPES, MOST_FILES_AT_ONCE } from './dataset-facets.ts';
import { datasetProfile } from './tables.ts';

/** As many pieces as an S3 upload takes. */
export const MOST_DATASET_FILE_BYTES = 10_000 * PIECE_BYTES;
export const MOST_DATASETS = 1000;
export const MOST_DATASET_VERSIONS = 1000;
/** Of each list of a difference. */
export const MOST_DIFFERENCES = 1000;
const MOST_CARD = 100_000;

/** `empty`: there is no version yet. */
export const DATASET_STATES = ['ready', 'processing', 'failed', 'empty'] as const;
export type DatasetState = (typeof DATASET_STATES)[number];
export const DATASET_VERSION_STATES = ['processing', 'ready', 'failed'] as const;
export type DatasetVersionState = (typeof DATASET_VERSION_STATES)[number];
/** Of a version that is processing. */
export const DATASET_STEPS = ['uploading', 'fetching', 'checking'] as const;
export type DatasetStep = (typeof DATASET_STEPS)[number];
export const DATASET_SOURCES = ['upload', 'collected', 'hub', 'disk', 's3', 'process'] as const;
export type DatasetSource = (typeof DATASET_SOURCES)[number];
export const DATASET_FORMATS = [
  ...(['csv', 'tsv', 'json', 'jsonl', 'parquet', 'text', 'markdown', 'pdf', 'docx', 'image', 'audio'] as const),
  ...(['mixed', 'other'] as const),
] as const;
export type DatasetFormat = (typeof DATASET_FORMATS)[number];

const id = z.string().regex(/^[a-z0-9-]{1,63}$/);
const versionNumber = z
  .string()
  .regex(/^[1-9][0-9]{0,5}$/)
  .meta({ description: "The version's number: 1 is the first, and none is given twice." });
/** macOS sends a letter and its accents apart: one name is one path. */
const filePath = z.string().max(MOST_PATH).normalize('NFC').max(MOST_PATH).refine(isFilePath, 'model_path_rule');
const time = z.iso.datetime();
const count = z.int().min(0);
const word = plainText(63);
const labels = (most: number) => z.array(word).max(most);

const version = z.object({
  version: z.int().min(1).meta({ description: "The version's number: 1 is the first, and none is given twice." }),
  state: z.enum(DATASET_VERSION_STATES),
  step: z.enum(DATASET_STEPS).nullable().meta({ description: 'What a version that is processing waits for.' }),
  source: z.enum(DATASET_SOURCES),
  source_ref: z.string().nullable().meta({
    description:
      'Of collected requests: the deployment; of a hub: the repository and its commit; of a disk: the disk and the folder; of a bucket: its address; of processing: the task. Null for datasets of other organisations.',
  }),
  message: z.string().meta({ description: 'What whoever made the version says of it.' }),
  problem: z.object({ error: z.string(), message: z.string() }).nullable().meta({ description: 'Why it failed.' }),
  digest: z.string().nullable().meta({
    description:
      'Of a ready version: the SHA-256 of its sorted list, a line `<sha256>  <path>` for each file. Equal content has an equal digest.',
  }),
  format: z.enum(DATASET_FORMATS).nullable().meta({ description: 'By the content of its first files.' }),
  rows: count.nullable().meta({ description: 'Null where nothing has counted them.' }),
  profile: datasetProfile.nullable().meta({
    description: 'Of a ready version: how far its table is. Null where there is none, because nothing here reads data.',
  }),
  knowledge: z
    .object({
      model: z
        .string()
        .meta({ description: 'The deployment or alias by which its chunks and questions are embedded.' }),
      dimensions: count,
      chunks: count,
    })
    .nullable()
    .meta({ description: 'Of a knowledge base, which `/v1/knowledge/{dataset}/search` searches.' }),
  file_count: count,
  size_bytes: count,
  received_bytes: count,
  creator: z.string().nullable().meta({ description: 'The account; null for datasets of other organisations.' }),
  create_time: time,
  ready_time: time.nullable(),
});
export type DatasetVersionView = z.output<typeof version>;

const dataset = z.object({
  id: z.string(),
  is_own: z.boolean().meta({ description: "Whether it is in the organisation's data space." }),
  name: z.string(),
  type: z.enum(DATASET_TYPES),
  state: z.enum(DATASET_STATES),
  license: z.string().nullable(),
  language: z.array(z.string()),
  tags: z.array(z.string()),
  shelved: z.boolean().meta({ description: 'Whether it is shown to every organisation.' }),
  managers_only: z
    .boolean()
    .meta({ description: 'It has collected requests, which only those who manage the organisation see.' }),
  downloads: count,
  version_count: count,
  latest_version: z.int().nullable().meta({ description: 'The number of the newest version that is ready.' }),
  source: z.enum(DATASET_SOURCES).nullable(),
  format: z.enum(DATASET_FORMATS).nullable(),
  rows: count.nullable(),
  size_bytes: count,
  create_time: time,
  update_time: time,
});
export type DatasetView = z.output<typeof dataset>;

const detail = dataset.extend({ card: z.string(), latest: version.nullable() });
export type DatasetDetailView = z.output<typeof detail>;

const file = z.object({
  path: z.string(),
  size_bytes: count,
  received_bytes: count,
  sha256: z.string().nullable().meta({ description: 'Of the bytes that are stored; null until they are checked.' }),
});
export type DatasetFileView = z.output<typeof file>;

const difference = z.object({
  version: z.int().meta({ description: 'The number of the version that was asked for.' }),
  with: z.int().meta({ description: 'The number of the version that it is compared with.' }),
  equal: z.boolean(),
  added: z.object({ count, paths: z.array(z.string()) }),
  removed: z.object({ count, paths: z.array(z.string()) }),
  changed: z.object({ count, paths: z.array(z.string()) }),
  unchanged: count,
  size_bytes: z.int().meta({ description: 'How many bytes larger it is; negative where it is smaller.' }),
  rows: z.int().nullable().meta({ description: 'How many rows more it has; null where one of them is not counted.' }),
});
export type DatasetDifferenceView = z.output<typeof difference>;

export const datasetBody = z.strictObject({
  name: plainText(100),
  license: word.nullable().default(null),
  language: labels(20).default([]),
  tags: labels(20).default([]),
  card: plainLines(MOST_CARD).default('').meta({ description: 'Markdown. HTML and pictures are not shown.' }),
});
export const newDatasetBody = datasetBody.extend({
  type: z.enum(DATASET_TYPES).default('file').meta({ description: 'For good.' }),
});
/** Three languages' letters take three bytes each, and what escaping adds. */
const MOST_BODY_BYTES = 1024 * 1024;

const message = plainLines(1000).default('').meta({ description: 'What is new in this version.' });
export const newVersionBody = z.strictObject({ message });
export const collectedImportBody = z.strictObject({
  deployment: objectId.meta({ description: 'The id of the deployment; it may be deleted meanwhile.' }),
  message,
});
const include = filePatterns.default([]).meta({
  description:
    'Which files, such as *.parquet, in which * stands for anything; all where it is empty. Files without content are left out.',
});
export const datasetHubBody = z.strictObject({
  repository: hubRepository.meta({ description: 'Such as openai/gsm8k.' }),
  revision: hubRevision.default('main').meta({ description: 'A branch, a tag or a commit: its commit is kept.' }),
  include,
  message,
});
export const datasetDiskBody = z.strictObject({
  disk: objectId.meta({ description: "A disk of the organisation's." }),
  folder: diskFolder.default('/').meta({ description: 'Such as /data/train: its files, and those of folders in it.' }),
  include,
  message,
});
const isOrigin = (text: string): boolean =>
  text === '' || (/^https?:\/\/[^/?#@\s\\]+$/i.test(text) && URL.canParse(text));
export const datasetS3Body = z.strictObject({
  address: z
    .string()
    .max(1200)
    .regex(/^s3:\/\/[A-Za-z0-9][A-Za-z0-9._-]{1,254}(\/.{0,1024})?$/, 'dataset_s3_rule')
    .refine(hidesNothing, 'plain_text')
    .meta({ description: 'Such as s3://data/train: the objects of the folder, or one object.' }),
  endpoint: z.string().max(300).refine(isOrigin, 'dataset_endpoint_rule').default('').meta({
    description: "Where the store is, such as https://s3.example.com; empty for Amazon's of the region.",
  }),
  region: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/)
    .default('us-east-1'),
  path_style: z.boolean().default(true).meta({
    description: "False for stores that take the bucket only in the host's name.",
  }),
  credentials: id.nullable().default(null).meta({ description: 'The name of credentials; null to ask as anybody.' }),
  include,
  message,
});
const accessKey = z
  .string()
  .min(1)
  .max(300)
  .regex(/^[\x21-\x7e]+$/, 'model_token_rule');
export const s3CredentialsBody = z.strictObject({ name: id, access_key: accessKey, secret_key: accessKey });
const s3Credentials = z.object({ name: z.string(), creator: z.string(), create_time: time });
export const fileListBody = z.strictObject({
  files: z
    .array(
      z.strictObject({
        path: filePath,
        size_bytes: z.int().min(1).max(MOST_DATASET_FILE_BYTES),
        sha256: z
          .string()
          .regex(/^[0-9a-f]{64}$/, 'model_digest_rule')
          .optional()
          .meta({
            description: 'If it is known: bytes that the organisation has need not be sent, others are refused.',
          }),
      }),
    )
    .min(1)
    .max(MOST_FILES_AT_ONCE)
    .refine((files) => new Set(files.map(({ path }) => path)).size === files.length, 'model_path_twice'),
});

const ofDataset = z.object({ id });
const ofVersion = z.object({ id, version: versionNumber });
const tag = 'data';
const path = '/data/v1/data/dataset';
const NO_STORE = ['model_store_off', 'model_store_away'] as const satisfies ProblemCode[];
const ROOM = [
  'model_quota',
  'too_many_files',
  'too_many_datasets',
  'organization_not_ready',
] as const satisfies ProblemCode[];
const use = { right: 'use' } as const;
const view = { right: 'view' } as const;
const progress = z.object({ offset: count, complete: z.boolean() });

const listQuery = z.strictObject({
  ...cursorQuery(),
  search: z.string().max(100).optional(),
  type: z.enum(DATASET_TYPES).optional(),
  order_by: z.enum(['name', 'create_time', 'update_time', 'downloads']).default('update_time'),
  order_type: z.enum(['asc', 'desc']).default('desc'),
});
export type DatasetQuery = z.output<typeof listQuery>;

export const DATASET_ROUTES = {
  listDatasets: defineRoute({
    id: 'listDatasets',
    method: 'GET',
    path,
    tag,
    summary:
      "The organisation's datasets. `extra.used_bytes` of `extra.quota_bytes` are taken by stored data, models among it.",
    access: view,
    query: listQuery,
    answer: { list: dataset },
    problems: ['cursor_rule'],
  }),
  listDatasetLibrary: defineRoute({
    id: 'listDatasetLibrary',
    method: 'GET',
    path: `${path}/library`,
    tag,
    summary: 'The datasets that the platform offers to everybody.',
    access: view,
    query: listQuery,
    answer: { list: dataset },
    problems: ['cursor_rule'],
  }),
  createDataset: defineRoute({
    id: 'createDataset',
    method: 'POST',
    path,
    tag,
    summary: 'A new dataset, without a version yet.',
    access: use,
    body: newDatasetBody,
    answer: { result: detail },
    status: 201,
    problems: ['dataset_exists', 'too_many_datasets'],
    bodyBytes: MOST_BODY_BYTES,
  }),
  getDataset: defineRoute({
    id: 'getDataset',
    method: 'GET',
    path: `${path}/{id}`,
    tag,
    summary: 'One dataset with its card and its newest ready version.',
    access: view,
    params: ofDataset,
    answer: { result: detail },
    problems: [],
  }),
  editDataset: defineRoute({
    id: 'editDataset',
    method: 'PUT',
    path: `${path}/{id}`,
    tag,
    summary: "Changes a dataset's name, licence, languages, tags and card; versions never change.",
    access: use,
    params: ofDataset,
    body: datasetBody,
    answer: { result: detail },
    problems: ['dataset_exists'],
    bodyBytes: MOST_BODY_BYTES,
  }),
  deleteDataset: defineRoute({
    id: 'deleteDataset',
    method: 'DELETE',
    path: `${path}/{id}`,
    tag,
    summary:
      'Deletes a dataset with all its versions and files. One that is shown to everybody, or in use, is refused.',
    access: use,
    params: ofDataset,
    answer: { text: 'ok' },
    problems: ['dataset_shelved', 'model_in_use'],
  }),
  listDatasetVersions: defineRoute({
    id: 'listDatasetVersions',
    method: 'GET',
    path: `${path}/{id}/version`,
    tag,
    summary: 'The versions of a dataset, the newest first.',
    access: view,
    params: ofDataset,
    query: z.strictObject(cursorQuery(100)),
    answer: { list: version },
    problems: ['cursor_rule'],
  }),
  createDatasetVersion: defineRoute({
    id: 'createDatasetVersion',
    method: 'POST',
    path: `${path}/{id}/version`,
    tag,
    summary:
      'Begins a version that is uploaded. Its files are listed next, then those that are missing are sent, then it is completed.',
    access: use,
    params: ofDataset,
    body: newVersionBody,
    answer: { result: version },
    status: 201,
    problems: [...NO_STORE, 'too_many_datasets'],
  }),
  importDatasetFromCollected: defineRoute({
    id: 'importDatasetFromCollected',
    method: 'POST',
    path: `${path}/{id}/import-from-collected`,
    tag,
    summary:
      'Begins a version of the requests that a deployment has collected. From then on only those who manage the organisation see the dataset.',
    access: { right: 'manage' },
    params: ofDataset,
    body: collectedImportBody,
    answer: { result: version },
    status: 201,
    problems: [...NO_STORE, 'too_many_datasets', 'dataset_shelved'],
  }),
  importDatasetFromHub: defineRoute({
    id: 'importDatasetFromHub',
    method: 'POST',
    path: `${path}/{id}/import`,
    tag,
    summary:
      "Begins a version that the platform fetches from the hub, with the organisation's token where it has one. What the repository says of its licence, languages and tags is taken over where the dataset says nothing.",
    access: use,
    params: ofDataset,
    body: datasetHubBody,
    answer: { result: version },
    status: 201,
    problems: [...NO_STORE, 'too_many_datasets', 'model_hub_off'],
  }),
  importDatasetFromDisk: defineRoute({
    id: 'importDatasetFromDisk',
    feature: 'files',
    method: 'POST',
    path: `${path}/{id}/import-from-disk`,
    tag,
    summary:
      'Begins a version that the platform copies from a folder of a disk, as the caller, whether an instance has the disk or not.',
    access: use,
    params: ofDataset,
    body: datasetDiskBody,
    answer: { result: version },
    status: 201,
    problems: [...NO_STORE, 'too_many_datasets', 'no_such_reference'],
  }),
  importDatasetFromS3: defineRoute({
    id: 'importDatasetFromS3',
    method: 'POST',
    path: `${path}/{id}/import-from-s3`,
    tag,
    summary:
      'Begins a version that the platform copies from a bucket of any S3 store at a public address. An object that changes after it was listed is refused.',
    access: use,
    params: ofDataset,
    body: datasetS3Body,
    answer: { result: version },
    status: 201,
    problems: [...NO_STORE, 'too_many_datasets', 'dataset_s3_inner', 'dataset_credentials_unknown'],
  }),
  listS3Credentials: defineRoute({
    id: 'listS3Credentials',
    method: 'GET',
    path: '/data/v1/data/s3-credentials',
    tag,
    summary: 'Names of the credentials that imports from buckets may use. The credentials themselves are never shown.',
    access: view,
    answer: { result: z.array(s3Credentials) },
    problems: [],
  }),
  setS3Credentials: defineRoute({
    id: 'setS3Credentials',
    method: 'PUT',
    path: '/data/v1/data/s3-credentials',
    tag,
    summary: 'Sets credentials that imports from buckets may use; those of the same name are replaced.',
    access: { right: 'manage' },
    body: s3CredentialsBody,
    answer: { text: 'ok' },
    problems: ['too_many_credentials'],
    secret: true,
  }),
  deleteS3Credentials: defineRoute({
    id: 'deleteS3Credentials',
    method: 'DELETE',
    path: '/data/v1/data/s3-credentials/{id}',
    tag,
    summary: 'Deletes credentials: imports that still need them fail.',
    access: { right: 'manage' },
    params: ofDataset,
    answer: { text: 'ok' },
    problems: [],
  }),
  getDatasetVersion: defineRoute({
    id: 'getDatasetVersion',
    method: 'GET',
    path: `${path}/{id}/version/{version}`,
    tag,
    summary: 'One version of a dataset.',
    access: view,
    params: ofVersion,
    answer: { result: version },
    problems: [],
  }),
  deleteDatasetVersion: defineRoute({
    id: 'deleteDatasetVersion',
    method: 'DELETE',
    path: `${path}/{id}/version/{version}`,
    tag,
    summary:
      'Deletes a version, or gives up one that is on its way. One that is in use is refused, and the last ready one that is shown to everybody.',
    access: use,
    params: ofVersion,
    answer: { text: 'ok' },
    problems: ['dataset_shelved', 'model_in_use'],
  }),
  listDatasetFiles: defineRoute({
    id: 'listDatasetFiles',
    method: 'GET',
    path: `${path}/{id}/version/{version}/file`,
    tag,
    summary: 'The files of a version, by their paths.',
    access: view,
    params: ofVersion,
    query: z.strictObject({
      ...cursorQuery(100),
      missing: z.enum(['true']).optional().meta({ description: 'Those alone whose bytes are not all there.' }),
    }),
    answer: { list: file },
    problems: ['cursor_rule'],
  }),
  addDatasetFiles: defineRoute({
    id: 'addDatasetFiles',
    method: 'POST',
    path: `${path}/{id}/version/{version}/file`,
    tag,
    summary:
      'Lists up to 1,000 files of a version that is uploaded, and says which of them have to be sent. What was listed already is answered again.',
    access: use,
    params: ofVersion,
    body: fileListBody,
    answer: {
      result: z.object({
        missing: z.array(z.string()).meta({ description: 'Paths of files whose bytes are not there.' }),
      }),
    },
    problems: [...NO_STORE, ...ROOM, 'model_not_uploading', 'dataset_file_differs', 'too_many_dataset_files'],
    bodyBytes: 2 * MOST_BODY_BYTES,
  }),
  completeDatasetVersion: defineRoute({
    id: 'completeDatasetVersion',
    method: 'POST',
    path: `${path}/{id}/version/{version}/complete`,
    tag,
    summary: 'Says that every file was listed and sent: the version is checked, and then ready. It may be said again.',
    access: use,
    params: ofVersion,
    answer: { result: version },
    problems: [...NO_STORE, 'model_not_uploading', 'dataset_files_missing'],
  }),
  getDatasetUpload: defineRoute({
    id: 'getDatasetUpload',
    method: 'GET',
    path: `${path}/{id}/version/{version}/upload`,
    tag,
    summary: 'Where the upload of a file goes on.',
    access: use,
    params: ofVersion,
    query: z.strictObject({ path: filePath }),
    answer: { result: progress },
    problems: [],
  }),
  putDatasetPiece: defineRoute({
    id: 'putDatasetPiece',
    method: 'PUT',
    path: `${path}/{id}/version/{version}/upload`,
    tag,
    summary: 'The piece of a file that begins at `offset`: 16 MiB, or what is left.',
    access: use,
    params: ofVersion,
    query: z.strictObject({ path: filePath, offset: z.coerce.number().int().min(0).max(MOST_DATASET_FILE_BYTES) }),
    answer: { result: progress },
    problems: [
      ...NO_STORE,
      ...(['upload_offset', 'upload_not_understood', 'model_piece_size', 'model_not_uploading', 'too_large'] as const),
      ...TRANSFER_ENDS,
    ],
    exempt: true,
    upload: true,
  }),
  downloadDatasetFile: defineRoute({
    id: 'downloadDatasetFile',
    method: 'GET',
    path: `${path}/{id}/version/{version}/download`,
    tag,
    summary: 'The content of a file of a ready version, as it came; Range is understood.',
    access: view,
    params: ofVersion,
    query: z.strictObject({ path: filePath }),
    answer: { file: 'application/octet-stream' },
    problems: [...NO_STORE, 'range_outside', 'too_many_downloads', ...TRANSFER_ENDS],
    exempt: true,
  }),
  downloadDatasetVersion: defineRoute({
    id: 'downloadDatasetVersion',
    method: 'GET',
    path: `${path}/{id}/version/{version}/archive`,
    tag,
    summary: 'All files of a ready version as one tar, in the order of their paths.',
    access: view,
    params: ofVersion,
    answer: { file: 'application/x-tar' },
    problems: [...NO_STORE, 'too_many_downloads', ...TRANSFER_ENDS],
    exempt: true,
  }),
  compareDatasetVersions: defineRoute({
    id: 'compareDatasetVersions',
    method: 'GET',
    path: `${path}/{id}/version/{version}/diff`,
    tag,
    summary:
      'Which files a version has more, less and otherwise than another one: of each, how many, and the first 1,000.',
    access: view,
    params: ofVersion,
    query: z.strictObject({ with: versionNumber }),
    answer: { result: difference },
    problems: ['dataset_not_ready'],
  }),
};
