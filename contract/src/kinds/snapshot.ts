// One container's changes, or one home, saved as an image in the registry; or a container's log alone, saved beside them. The operator requests it, the one that has the files
// carries it out (the node agent; for a copy the registry), and both meet here.
import * as z from 'zod';
import { cel, commonStatus, defineKind, type ObjectOf, type PhaseOf, type ReasonOf } from '../define-kind.ts';
import { dateTime } from '../fields/date-time.ts';
import { objectName } from '../fields/name.ts';
import { type Beside, bytes as byteCount, type CommonView, commonView, price, time } from '../kind-api.ts';
import { REGISTRY } from '../names.ts';
import * as en from '../words/en/snapshot.ts';
import * as ja from '../words/ja/snapshot.ts';
import { kindWords } from '../words/join.ts';
import * as zh from '../words/zh/snapshot.ts';

const words = kindWords('Snapshot', { en, zh, ja });

const OF = ['Root', 'Home', 'Copy', 'Log'] as const;
const OF_OUR_REGISTRY = `^${REGISTRY.replaceAll('.', '[.]')}/org-[a-z0-9-]+/[a-z0-9._/-]+`;

const spec = z
  .object({
    instance: objectName.meta({
      description: 'The name of the object that is saved: a GpuInstance, or of a Log whatever ran the program.',
    }),
    of: z.enum(OF).meta({
      description:
        "Root: what the container changed. Home: the home disk's files. Copy: an image that is already saved. Log: what the container's program wrote, and nothing else.",
    }),
    node: z
      .string()
      .max(253)
      .optional()
      .meta({ description: 'The node that the container is or was on; not of a Copy.' }),
    podName: z.string().max(253).optional().describe('The name of the Pod of the container; not of a Copy.'),
    podUID: z.string().max(64).optional().describe('The UID of that Pod; not of a Copy.'),
    from: z
      .string()
      .max(512)
      .meta(cel([`self.matches('${OF_OUR_REGISTRY}@sha256:[a-f0-9]{64}$')`, words.rules.savedFrom]))
      .optional()
      .describe('Copy: the saved image that is copied, by its digest.'),
    target: z
      .string()
      .max(512)
      .meta({
        description: 'The image that the save is pushed to; of a Log where the log is pushed to.',
        ...cel([`self.matches('${OF_OUR_REGISTRY}:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$')`, words.rules.savedTo]),
      }),
    log: z
      .string()
      .max(512)
      .meta(cel([`self.matches('${OF_OUR_REGISTRY}:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$')`, words.rules.logTo]))
      .optional()
      .describe("Root: where the log of the container's run is pushed to."),
  })
  .describe('What is saved, and where to. It cannot be changed.');

const bytes = z.int().min(0);
const status = z
  .object({
    ...commonStatus,
    digest: z.string().max(128).optional().meta({ description: 'The digest of the pushed image; a Log has none.' }),
    sizeBytes: bytes.optional().meta({ description: 'The compressed size in bytes of what this save added.' }),
    totalBytes: bytes
      .optional()
      .meta({ description: 'The compressed size in bytes of all that is saved above the first image.' }),
    layers: z.int().min(0).optional().meta({ description: 'How many layers lie above the first image.' }),
    log: z
      .object({
        bytes: bytes.describe('How many bytes of it are kept.'),
        isCut: z.boolean().describe('Whether its beginning is not kept, because it was longer.'),
      })
      .optional()
      .describe('The log that was pushed: to spec.log, or of a Log to spec.target.'),
    startedAt: dateTime.optional().describe('When the latest attempt began.'),
    finishedAt: dateTime.optional().describe('When the save ended, well or not.'),
    attempts: z.int().min(0).optional().describe('How many attempts have failed so far.'),
    nextTryAt: dateTime.optional().describe('When the next attempt begins.'),
  })
  .describe('How far the save has come. The platform writes it.');

const phases = {
  failed: { tone: 'bad' },
  processing: { tone: 'progress' },
  success: { tone: 'progress' },
  ready: { tone: 'good' },
} as const;

const view = commonView.extend({
  status: z.string(),
  instance: z.string(),
  of: z.enum(OF),
  target: z.string(),
  digest: z.string().nullable(),
  size_bytes: byteCount.nullable(),
  finish_time: time.nullable(),
  price: price.meta({ description: 'While its bytes are kept.' }),
});
export type SnapshotView = z.input<typeof view>;

export const snapshot = defineKind({
  kind: 'Snapshot',
  plural: 'snapshots',
  shortNames: ['gsnap'],
  scope: 'Namespaced',
  tenants: 'read',
  idPrefix: 'snp',
  collection: 'develop/v1/snapshot',
  staff: { resource: 'snapshots', menu: 'computing', columns: ['node'] },
  words,
  spec,
  status,
  rules: [
    { rule: 'self.spec == oldSelf.spec', words: words.rules.specFixed },
    {
      rule: "self.spec.of == 'Copy' ? has(self.spec.from) && !has(self.spec.podUID) : !has(self.spec.from) && has(self.spec.podUID) && has(self.spec.podName) && has(self.spec.node)",
      words: words.rules.savedOf,
    },
    {
      // Names that end in .log are reserved: no image of anybody's is written over.
      rule: "self.spec.of != 'Log' || (!has(self.spec.log) && self.spec.target.contains('.log:'))",
      words: words.rules.savedLog,
    },
  ],
  columns: [
    { name: 'Phase', jsonPath: '.status.phase' },
    { name: 'Of', jsonPath: '.spec.of' },
    { name: 'Instance', jsonPath: '.spec.instance' },
    { name: 'Size', jsonPath: '.status.sizeBytes', type: 'integer' },
    { name: 'Layers', jsonPath: '.status.layers', type: 'integer' },
    { name: 'Message', jsonPath: '.status.message', priority: 1 },
    { name: 'Age', jsonPath: '.metadata.creationTimestamp', type: 'date' },
  ],
  phases,
  actions: {},
  phaseInView: (object) => (object as Snapshot).status?.phase ?? 'processing',
  api: {
    names: ['Snapshot', 'Snapshots'],
    view,
    show: snapshotView,
    filters: { instance: z.string().max(63).optional() },
  },
});

function snapshotView({ spec, status }: Snapshot, common: CommonView, { price }: Beside) {
  return {
    ...common,
    status: common.phase,
    instance: spec.instance,
    of: spec.of,
    target: spec.target,
    digest: status?.digest ?? null,
    size_bytes: status?.sizeBytes ?? null,
    finish_time: status?.finishedAt ?? null,
    price,
  } satisfies SnapshotView;
}

export type Snapshot = ObjectOf<{ spec: typeof spec; status: typeof status }>;
export type SnapshotStatus = NonNullable<Snapshot['status']>;
export type SnapshotPhase = PhaseOf<typeof words>;
export type SnapshotReason = ReasonOf<typeof words>;
