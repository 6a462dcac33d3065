// An image that instances may start from: official ones in the platform's namespace, own ones in the organisation's.
// A digest counts only once a container was started from it: that is what "ready" says.

import * as z from 'zod';
import { LEAST_SAVED_BYTES, sizeUse } from '../billing/resources.ts';
import { commonStatus, defineKind, type ObjectOf, type PhaseOf, type ReasonOf } from '../define-kind.ts';
import { creator } from '../fields/creator.ts';
import { dateTime } from '../fields/date-time.ts';
import { imageSource } from '../fields/image-source.ts';
import { credit, intervals } from '../fields/metering.ts';
import { freeName, objectName } from '../fields/name.ts';
import { GI } from '../fields/quantity.ts';
import { changeBody, creationBody, freePeopleName, imageReference } from '../http/kind-bodies.ts';
import { type Beside, bytes, type CommonView, commonView, price } from '../kind-api.ts';
import { REGISTRY } from '../names.ts';
import * as en from '../words/en/image.ts';
import * as ja from '../words/ja/image.ts';
import { kindWords } from '../words/join.ts';
import * as zh from '../words/zh/image.ts';
import { CREATOR_KEPT, releaseFrom } from './kind-rows.ts';

const words = kindWords('Image', { en, zh, ja });

const spec = z
  .object({
    displayName: freeName.optional(),
    creator,
    source: imageSource,
    official: z.boolean().default(false).meta({
      description:
        'Whether every organisation may use the image. Only images in the platform namespace can be official.',
    }),
    llm: z.boolean().default(false).meta({ description: 'Whether the image serves language models.' }),
    fromInstance: objectName.optional().meta({
      description:
        'The name of a GpuInstance in this namespace: what was changed in it is saved as this image. spec.source says where to.',
    }),
    pullSecret: objectName.optional().meta({
      description:
        'The name of a Secret in this namespace, of type kubernetes.io/dockerconfigjson, that logs in to the registry.',
    }),
  })
  .describe('What is wanted of the image.');

/** The agent reads the labels gantry.dev/gpus, gpu-memory-gi, cores and memory-gi (`agent/imagesize/needs.go`). */
export const needs = z.object({
  gpus: z.int().min(0).max(16).optional().describe('The number of GPUs.'),
  gpuMemoryGi: z.int().min(0).max(1024).optional().describe('The memory of each GPU in GiB.'),
  cores: z.int().min(0).max(1024).optional().describe('CPU cores.'),
  memoryGi: z.int().min(0).max(16384).optional().describe('Memory in GiB.'),
});
export type ImageNeeds = z.output<typeof needs>;

const status = z
  .object({
    ...commonStatus,
    digest: z
      .string()
      .max(128)
      .optional()
      .meta({ description: 'The digest that spec.source had when it was last checked.' }),
    sizeBytes: z.int().min(0).optional().describe('The size of the image in bytes, as its node reports it.'),
    needs: needs.optional().describe('What the image says that it needs, by its labels or NVIDIA_REQUIRE_CUDA.'),
    verifiedAt: dateTime.optional().describe('When a container was last started from the image.'),
    checked: z.string().max(640).optional().meta({ description: 'The source and the pull secret of the last check.' }),
    exported: z
      .string()
      .max(768)
      .optional()
      .meta({ description: 'The saved root file system that was copied to spec.source.' }),
    savedBytes: z.int().min(0).optional().meta({
      description:
        'The bytes in the registry that are billed for this image: what the instance had saved above its first image.',
    }),
    intervals: intervals.optional(),
    credit: credit.optional(),
    failures: z.int().min(0).optional().meta({ description: 'Failed checks in a row.' }),
    failedAt: dateTime.optional().meta({ description: 'When the last check failed: the next follows after a pause.' }),
  })
  .describe('What is known of the image. The platform writes it.');

const phases = {
  failed: { tone: 'bad' },
  processing: { tone: 'progress' },
  success: { tone: 'progress' },
  ready: { tone: 'good' },
} as const;

/** The size that an export counts as until it is copied: without credit for that it does not start. */
const EXPECTED_GI = 10;

const view = commonView.extend({
  status: z.string(),
  size_bytes: bytes.nullable(),
  source: z.string(),
  local: z.boolean().meta({ description: 'Kept in the platform’s own registry.' }),
  official: z.boolean(),
  llm: z.boolean(),
  digest: z.string().nullable(),
  from_instance: z.string().nullable(),
  price,
  spec: spec,
});
export type ImageView = z.input<typeof view>;

export const image = defineKind({
  kind: 'Image',
  plural: 'images',
  shortNames: ['gimg'],
  scope: 'Namespaced',
  tenants: 'write',
  idPrefix: 'img',
  collection: 'develop/v1/image',
  menu: 'develop/template',
  staff: { resource: 'images', menu: 'computing' },
  words,
  spec,
  status,
  rules: [
    {
      rule: 'self.spec.source == oldSelf.spec.source',
      words: words.rules.sourceFixed,
      fieldPath: '.spec.source',
    },
    {
      rule: 'has(self.spec.fromInstance) == has(oldSelf.spec.fromInstance) && (!has(self.spec.fromInstance) || self.spec.fromInstance == oldSelf.spec.fromInstance)',
      words: words.rules.fromInstanceFixed,
      fieldPath: '.spec.fromInstance',
    },
    CREATOR_KEPT,
    {
      rule: 'size(self.metadata.name) <= 50',
      words: words.rules.name,
    },
  ],
  columns: [
    { name: 'Phase', jsonPath: '.status.phase' },
    { name: 'Source', jsonPath: '.spec.source' },
    { name: 'Digest', jsonPath: '.status.digest', priority: 1 },
    { name: 'Message', jsonPath: '.status.message', priority: 1 },
    { name: 'Age', jsonPath: '.metadata.creationTimestamp', type: 'date' },
  ],
  phases,
  actions: {
    release: releaseFrom(['failed', 'processing', 'success', 'ready']),
  },
  cost: {
    source: 'container_rent',
    begins: { make: 'has(object.spec.fromInstance)', change: [] },
    /** Only what an instance was saved as lies in our registry. How much that is nobody knows before it is copied. */
    desired(object) {
      const { spec, status } = object as Image;
      if (spec.fromInstance === undefined) return [];
      if (status?.savedBytes === undefined && status?.phase === 'failed') return [];
      const bytes = status?.savedBytes ?? EXPECTED_GI * GI;
      return bytes >= LEAST_SAVED_BYTES ? [sizeUse('snapshot', bytes)] : [];
    },
  },
  phaseInView: (object) => (object as Image).status?.phase ?? 'processing',
  api: {
    names: ['Image', 'Images'],
    view,
    show: imageView,
    filters: {
      official: z.stringbool().optional().meta({ description: 'Only official ones, or only own ones.' }),
      llm: z.stringbool().optional(),
    },
    writes: {
      create: creationBody(spec, 'llm', 'pullSecret').extend({ displayName: freePeopleName, source: imageReference }),
      change: changeBody(spec, 'llm').extend({ displayName: freePeopleName.optional() }),
      problems: ['plain_text', 'image_malformed', 'official_image'],
    },
  },
});

function imageView({ spec, status }: Image, common: CommonView, { price }: Beside) {
  const { creator: _, ...offered } = spec;
  return {
    ...common,
    // Nobody may change an image that is offered to everybody, and its creator is no tenant's business.
    ...(spec.official && { actions: [], creator: null }),
    status: common.phase,
    size_bytes: status?.sizeBytes ?? null,
    source: spec.source,
    local: spec.source.startsWith(`${REGISTRY}/`),
    official: spec.official,
    llm: spec.llm,
    digest: status?.digest ?? null,
    from_instance: spec.fromInstance ?? null,
    price,
    spec: spec.official ? offered : spec,
  } satisfies ImageView;
}

export type Image = ObjectOf<{ spec: typeof spec; status: typeof status }>;
export type ImageStatus = NonNullable<Image['status']>;
export type ImagePhase = PhaseOf<typeof words>;
export type ImageReason = ReasonOf<typeof words>;
