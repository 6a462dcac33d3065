// Models: the library that the platform offers, the organisation's own space, and how files arrive there. A version is immutable
// once it is ready.
import * as z from 'zod';
import { isFilePath, MOST_PATH } from '../../fields/file-path.ts';
import { diskFolder, filePatterns, hubRepository, hubRevision } from '../../fields/import-fields.ts';
import { plainLines, plainText } from '../../fields/plain-text.ts';
import { defineRoute } from '../../http/define-route.ts';
import { creationBody, objectId } from '../../http/kind-bodies.ts';
import { org_id } from '../../http/kind-routes.ts';
import { replicaQuery } from '../../http/log-query.ts';
import { cursorQuery } from '../../http/paging.ts';
import type { ProblemCode } from '../../http/problem.ts';
import { modelDeployment } from '../../kinds/model-deployment.ts';
import { cachedOn } from '../../models/cached-on.ts';
import { ENGINES } from '../../models/engines.ts';
import { MODEL_FACETS, type ModelFacet, PIECE_BYTES, TRANSFER_ENDS } from './model-facets.ts';

/** As many pieces as an S3 upload takes. */
export const MOST_FILE_BYTES = 10_000 * PIECE_BYTES;
export const MOST_FILES = 1000;
export const MOST_MODELS = 1000;
export const MOST_VERSIONS = 100;
const MOST_CARD = 100_000;

/** `empty`: no version yet. `arriving`: the first is on its way. `abnormal`: none has arrived in order. */
export const MODEL_STATES = ['ready', 'arriving', 'abnormal', 'empty'] as const;
export type ModelState = (typeof MODEL_STATES)[number];
export const VERSION_STATES = ['uploading', 'importing', 'checking', 'ready', 'failed'] as const;
export type VersionState = (typeof VERSION_STATES)[number];
export const MODEL_FORMATS = ['safetensors', 'gguf', 'other'] as const;
export type ModelFormat = (typeof MODEL_FORMATS)[number];
export const MODEL_SOURCES = ['upload', 'hub', 'disk', 'task'] as const;

const id = z.string().regex(/^[a-z0-9-]{1,63}$/);
const versionName = z
  .string()
  .min(1)
  .max(63)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'model_version_rule');
const filePath = z.string().max(MOST_PATH).refine(isFilePath, 'model_path_rule');
const time = z.iso.datetime();
const count = z.number().int().min(0);
const word = plainText(63);
const labels = (most: number) => z.array(word).max(most);

const facts = {
  format: z.enum(MODEL_FORMATS).nullable(),
  structure: z.string().nullable().meta({ description: 'The architecture, as its files name it: LlamaForCausalLM.' }),
  parameters: count.nullable().meta({ description: 'How many numbers all tensors hold.' }),
  quantisation: z.string().nullable().meta({ description: 'The type of most of its weights: BF16, Q4_K, gptq.' }),
  context_length: count.nullable(),
  weight_bytes: count.nullable().meta({ description: 'What its tensors take in memory.' }),
  kv_token_bytes: count
    .nullable()
    .meta({ description: 'What one token of context takes in memory, in 16-bit numbers.' }),
};

const file = z.object({
  path: z.string(),
  size_bytes: count,
  received_bytes: count,
  sha256: z.string().nullable().meta({ description: 'Of the bytes that are stored; null until they are checked.' }),
});
export type ModelFileView = z.output<typeof file>;

const version = z.object({
  name: z.string(),
  state: z.enum(VERSION_STATES),
  source: z.enum(MODEL_SOURCES),
  repository: z.string().nullable().meta({ description: 'Of a hub; or the disk, or the task that made it.' }),
  revision: z.string().nullable().meta({
    description: 'Of a hub: the commit; of a disk: the folder; of a task: its run, and the step of a checkpoint.',
  }),
  problem: z.object({ error: z.string(), message: z.string() }).nullable().meta({ description: 'Why it failed.' }),
  ...facts,
  size_bytes: count,
  received_bytes: count,
  files: z.array(file),
  creator: z.string().nullable().meta({ description: 'The account; null for models of other organisations.' }),
  create_time: time,
  ready_time: time.nullable(),
  cached_on: cachedOn,
});
export type ModelVersionView = z.output<typeof version>;

const model = z.object({
  id: z.string(),
  is_own: z.boolean().meta({ description: "Whether it is in the organisation's space." }),
  name: z.string(),
  state: z.enum(MODEL_STATES),
  license: z.string().nullable(),
  language: z.array(z.string()),
  tags: z.array(z.string()),
  shelved: z.boolean().meta({ description: 'Whether the library offers it.' }),
  deployed: z.boolean().meta({ description: 'Whether a deployment of the organisation serves it.' }),
  downloads: count,
  version_count: count,
  latest_version: z.string().nullable().meta({ description: 'The newest that is ready.' }),
  size_bytes: count,
  ...facts,
  create_time: time,
  update_time: time,
});
export type ModelView = z.output<typeof model>;

const detail = model.extend({ card: z.string(), versions: z.array(version) });
export type ModelDetailView = z.output<typeof detail>;

const edit = {
  name: plainText(100),
  license: word.nullable().default(null),
  language: labels(20).default([]),
  tags: labels(20).default([]),
  card: plainLines(MOST_CARD).default('').meta({ description: 'Markdown. HTML and pictures are not shown.' }),
};
export const modelBody = z.strictObject(edit);
export const newModelBody = z.strictObject({
  ...edit,
  id: z
    .string()
    .max(40)
    .regex(/^mdl-[a-z0-9]+(-[a-z0-9]+)*$/, 'model_id_rule')
    .optional()
    .meta({
      description:
        'By which deployments name it: staff of the catalogue may choose it, such as mdl-example. Absent: by chance.',
    }),
});
/** Three languages' letters take three bytes each, and what escaping adds. */
const MOST_BODY_BYTES = 1024 * 1024;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'model_digest_rule');

export const uploadBody = z.strictObject({
  version: versionName,
  files: z
    .array(
      z.strictObject({
        path: filePath,
        size_bytes: z.int().min(1).max(MOST_FILE_BYTES),
        sha256: sha256.optional().meta({ description: 'If it is known: other bytes are refused.' }),
      }),
    )
    .min(1)
    .max(MOST_FILES)
    .refine((files) => new Set(files.map(({ path }) => path)).size === files.length, 'model_path_twice'),
});
export const hubBody = z.strictObject({
  version: versionName,
  repository: hubRepository.meta({ description: 'Such as Qwen/Qwen3-8B.' }),
  revision: hubRevision.default('main'),
  include: filePatterns.default([]).meta({
    description: 'Which files, such as *.gguf; all but pickles where it is empty.',
  }),
});

export const diskImportBody = z.strictObject({
  version: versionName,
  disk: objectId.meta({ description: "A disk of the organisation's." }),
  folder: diskFolder.default('/').meta({ description: 'Such as /models/tiny: its files, and those of folders in it.' }),
  include: hubBody.shape.include,
});

const deploymentFit = z.object({
  fits: z.boolean(),
  reason: z.string().nullable().meta({ description: 'Why it cannot be served so.' }),
  message: z.string().nullable(),
  engine: z.enum(ENGINES).nullable(),
  gpu: z.object({ model: z.string(), count: z.int() }).nullable(),
  nodes_per_replica: count.nullable(),
  cores: z.number().nullable(),
  memory_gi: z.number().nullable(),
  context_length: count.nullable(),
  tensor_parallel_size: count.nullable(),
  arithmetic: z.array(z.string()).meta({ description: 'What the model takes and what there is, line by line.' }),
});
export type DeploymentFitView = z.output<typeof deploymentFit>;

const ofModel = z.object({ id });
const ofVersion = z.object({ id, version: versionName });
const tag = 'models';
const NO_STORE = ['model_store_off', 'model_store_away'] as const satisfies ProblemCode[];
const ROOM = [
  'model_quota',
  'too_many_files',
  'too_many_models',
  'organization_not_ready',
] as const satisfies ProblemCode[];
const use = { right: 'use' } as const;
const view = { right: 'view' } as const;

const listQuery = z.strictObject({
  ...cursorQuery(),
  search: z.string().max(100).optional(),
  ...(Object.fromEntries(MODEL_FACETS.map((facet) => [facet, z.string().max(100).optional()])) as Record<
    ModelFacet,
    z.ZodOptional<z.ZodString>
  >),
  order_by: z.enum(['name', 'create_time', 'update_time', 'downloads', 'parameters']).default('update_time'),
  order_type: z.enum(['asc', 'desc']).default('desc'),
});
export type ModelQuery = z.output<typeof listQuery>;

export const MODEL_ROUTES = {
  listModelSpace: defineRoute({
    id: 'listModelSpace',
    method: 'GET',
    path: '/model/v1/model/space',
    tag,
    summary:
      "The organisation's models; `extra.facets` counts what they can be narrowed to, `extra.used_bytes` of `extra.quota_bytes` are taken.",
    access: view,
    query: listQuery,
    answer: { list: model },
    problems: ['cursor_rule'],
  }),
  listModelLibrary: defineRoute({
    id: 'listModelLibrary',
    method: 'GET',
    path: '/model/v1/model/library',
    tag,
    summary: 'The models that the platform offers to everybody; `extra.facets` counts what they can be narrowed to.',
    access: view,
    query: listQuery,
    answer: { list: model },
    problems: ['cursor_rule'],
  }),
  createModel: defineRoute({
    id: 'createModel',
    method: 'POST',
    path: '/model/v1/model',
    tag,
    summary: 'A new model in the space, without a version yet.',
    access: use,
    body: newModelBody,
    answer: { result: detail },
    status: 201,
    problems: ['model_exists', 'model_id_exists', 'model_id_of_staff', 'too_many_models'],
    bodyBytes: MOST_BODY_BYTES,
  }),
  getModel: defineRoute({
    id: 'getModel',
    method: 'GET',
    path: '/model/v1/model/{id}',
    tag,
    summary: 'One model with its card, versions and files.',
    access: view,
    params: ofModel,
    answer: { result: detail },
    problems: [],
  }),
  editModel: defineRoute({
    id: 'editModel',
    method: 'PUT',
    path: '/model/v1/model/{id}',
    tag,
    summary: "Changes a model's name, licence, languages, tags and card; versions never change.",
    access: use,
    params: ofModel,
    body: modelBody,
    answer: { result: detail },
    problems: ['model_exists'],
    bodyBytes: MOST_BODY_BYTES,
  }),
  deleteModel: defineRoute({
    id: 'deleteModel',
    method: 'DELETE',
    path: '/model/v1/model/{id}',
    tag,
    summary: 'Deletes a model with all its versions and files. One that the library offers is refused.',
    access: use,
    params: ofModel,
    answer: { text: 'ok' },
    problems: ['model_shelved', 'model_in_use'],
  }),
  uploadModelVersion: defineRoute({
    id: 'uploadModelVersion',
    method: 'POST',
    path: '/model/v1/model/{id}/version',
    tag,
    summary:
      'Begins a version that is uploaded: says which files will come. Each then arrives in pieces of 16 MiB; one whose `sha256` the organisation has stored already is there at once, as `received_bytes` says.',
    access: use,
    params: ofModel,
    body: uploadBody,
    answer: { result: version },
    status: 201,
    problems: [...NO_STORE, ...ROOM, 'model_version_exists', 'model_pickle'],
  }),
  importModelVersion: defineRoute({
    id: 'importModelVersion',
    method: 'POST',
    path: '/model/v1/model/{id}/import',
    tag,
    summary: "Begins a version that the platform fetches from the hub, with the organisation's token where it has one.",
    access: use,
    params: ofModel,
    body: hubBody,
    answer: { result: version },
    status: 201,
    problems: [...NO_STORE, ...ROOM, 'model_version_exists', 'model_hub_off'],
  }),
  importModelFromDisk: defineRoute({
    id: 'importModelFromDisk',
    feature: 'files',
    method: 'POST',
    path: '/model/v1/model/{id}/import-from-disk',
    tag,
    summary:
      'Begins a version that the platform copies from a folder of a disk, as the caller, whether an instance has the disk or not.',
    access: use,
    params: ofModel,
    body: diskImportBody,
    answer: { result: version },
    status: 201,
    problems: [...NO_STORE, ...ROOM, 'model_version_exists', 'no_such_reference'],
  }),
  deleteModelVersion: defineRoute({
    id: 'deleteModelVersion',
    method: 'DELETE',
    path: '/model/v1/model/{id}/version/{version}',
    tag,
    summary:
      'Deletes a version, or gives up one that is on its way. The last ready one of a model of the library stays.',
    access: use,
    params: ofVersion,
    answer: { text: 'ok' },
    problems: ['model_shelved', 'model_in_use'],
  }),
  getModelUpload: defineRoute({
    id: 'getModelUpload',
    method: 'GET',
    path: '/model/v1/model/{id}/version/{version}/upload',
    tag,
    summary: 'Where the upload of a file goes on.',
    access: use,
    params: ofVersion,
    query: z.strictObject({ path: filePath }),
    answer: { result: z.object({ offset: count, complete: z.boolean() }) },
    problems: [],
  }),
  putModelPiece: defineRoute({
    id: 'putModelPiece',
    method: 'PUT',
    path: '/model/v1/model/{id}/version/{version}/upload',
    tag,
    summary:
      'The piece of a file that begins at `offset`: 16 MiB, or what is left. After the last of all files the version is checked.',
    access: use,
    params: ofVersion,
    query: z.strictObject({ path: filePath, offset: z.coerce.number().int().min(0).max(MOST_FILE_BYTES) }),
    answer: { result: z.object({ offset: count, complete: z.boolean() }) },
    problems: [
      ...NO_STORE,
      'upload_offset',
      'upload_not_understood',
      'model_piece_size',
      'model_pickle',
      'model_not_uploading',
      'too_large',
      ...TRANSFER_ENDS,
    ],
    exempt: true,
    upload: true,
  }),
  downloadModelFile: defineRoute({
    id: 'downloadModelFile',
    method: 'GET',
    path: '/model/v1/model/{id}/version/{version}/file',
    tag,
    summary: 'The content of a file of a ready version; Range is understood.',
    access: view,
    params: ofVersion,
    query: z.strictObject({ path: filePath }),
    answer: { file: 'application/octet-stream' },
    problems: [...NO_STORE, 'range_outside', 'too_many_downloads', ...TRANSFER_ENDS],
    exempt: true,
  }),
  fitDeployment: defineRoute({
    id: 'fitDeployment',
    method: 'POST',
    path: `/${modelDeployment.collection}/fit`,
    tag: 'deployment',
    summary: 'How a model like this would be served now, with the arithmetic, or why it cannot; nothing is made.',
    access: use,
    body: creationBody(
      modelDeployment.spec,
      ...(['model', 'version', 'task', 'engine', 'setup', 'gpu', 'cores', 'memoryGi', 'contextLength'] as const),
      ...(['nodesPerReplica', 'tensorParallel', 'memoryFraction', 'adapters', 'host', 'hostTag'] as const),
    ),
    answer: { result: deploymentFit },
    problems: [],
  }),
  readDeploymentLog: defineRoute({
    id: 'readDeploymentLog',
    method: 'GET',
    path: `/${modelDeployment.collection}/{id}/log`,
    tag: 'deployment',
    summary: 'What the engine of a replica has written; of the first replica if none is named.',
    access: view,
    params: z.object({ id: objectId }),
    query: replicaQuery.extend({ org_id, pod: objectId.optional().meta({ description: 'The name of its Pod.' }) }),
    answer: { file: 'text/plain' },
    problems: ['container_not_running', 'log_not_kept', 'too_many_logs'],
    exempt: true,
  }),
  getModelHubToken: defineRoute({
    id: 'getModelHubToken',
    method: 'GET',
    path: '/model/v1/hub-token',
    tag,
    summary:
      'Whether the organisation has a token of the hub, which gated models need. The token itself is never shown.',
    access: view,
    answer: {
      result: z.object({
        hub: z.string().nullable().meta({ description: 'Where the hub is; null where there is none.' }),
        is_set: z.boolean(),
        creator: z.string().nullable(),
        create_time: time.nullable(),
      }),
    },
    problems: [],
  }),
  setModelHubToken: defineRoute({
    id: 'setModelHubToken',
    method: 'PUT',
    path: '/model/v1/hub-token',
    tag,
    summary: "Sets the organisation's token of the hub.",
    access: { right: 'manage' },
    body: z.strictObject({
      token: z
        .string()
        .min(1)
        .max(1000)
        .regex(/^[\x21-\x7e]+$/, 'model_token_rule'),
    }),
    answer: { text: 'ok' },
    problems: [],
    secret: true,
  }),
  deleteModelHubToken: defineRoute({
    id: 'deleteModelHubToken',
    method: 'DELETE',
    path: '/model/v1/hub-token',
    tag,
    summary: "Deletes the organisation's token of the hub.",
    access: { right: 'manage' },
    answer: { text: 'ok' },
    problems: [],
  }),
};
