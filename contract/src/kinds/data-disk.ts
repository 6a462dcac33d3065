// A disk that outlives everything it is mounted to: one claim, created once and never silently recreated. A file system on screen
// is a view of it, served by a Pod beside it while `spec.files` requests one.
import * as z from 'zod';
import { cel, commonStatus, defineKind, type ObjectOf, type PhaseOf, type ReasonOf, sentence } from '../define-kind.ts';
import { creator } from '../fields/creator.ts';
import { dateTime } from '../fields/date-time.ts';
import { credit, intervals } from '../fields/metering.ts';
import { freeName, objectName } from '../fields/name.ts';
import { sizeGi } from '../fields/size.ts';
import { specDateTime } from '../fields/spec-date-time.ts';
import { changeBody, creationBody, freePeopleName, objectId } from '../http/kind-bodies.ts';
import { type Beside, bytes, type CommonView, commonView, price, time } from '../kind-api.ts';
import * as en from '../words/en/data-disk.ts';
import * as ja from '../words/ja/data-disk.ts';
import { kindWords } from '../words/join.ts';
import * as zh from '../words/zh/data-disk.ts';
import { CREATOR_KEPT, editFrom, releaseFrom } from './kind-rows.ts';

const words = kindWords('DataDisk', { en, zh, ja });

/** A request for a file server holds for a day at most: a forgotten one would stay forever, outside anybody's quota. */
export const MOST_FILES_HOURS = 24;

const spec = z
  .object({
    displayName: freeName.optional(),
    creator,
    sizeGi: sizeGi.meta({
      description: 'The size in GiB. It can only grow.',
      ...cel(['self >= oldSelf', words.rules.sizeGrows]),
    }),
    storageClassName: objectName
      .optional()
      .meta({ description: "The storage class of the disk. Absent: the cluster's default. It cannot be changed." }),
    access: z
      .enum(['Single', 'Many'])
      .default('Single')
      .meta({
        description: 'Single: one instance or host may write at a time. Many: several may. It cannot be changed.',
        ...cel(['self == oldSelf', words.rules.accessFixed]),
      }),
    files: z
      .object({
        until: specDateTime.describe('When the file server ends, such as 2027-01-31T12:00:00Z; at most a day ahead.'),
      })
      .optional()
      .meta({ description: 'Asks for a file server on the disk.' }),
  })
  .meta(
    cel([
      'has(self.storageClassName) == has(oldSelf.storageClassName) && (!has(self.storageClassName) || self.storageClassName == oldSelf.storageClassName)',
      words.rules.classFixed,
    ]),
  )
  .describe('What is wanted of the disk.');

const status = z
  .object({
    ...commonStatus,
    sizeGi: z.number().min(0).optional().meta({ description: 'The size of the volume in GiB.' }),
    usage: z
      .object({
        totalBytes: z.int().min(0).describe('The size of the file system in bytes.'),
        usedBytes: z.int().min(0).describe('The bytes that files take.'),
        availableBytes: z.int().min(0).describe('The bytes that can still be written.'),
        ownBytes: z
          .int()
          .min(0)
          .optional()
          .describe(
            'The bytes that the file system keeps for itself. Absent: not known; they are counted as used then.',
          ),
        at: dateTime.describe('When it was measured.'),
        node: z.string().max(253).optional().describe('The node on which it was measured.'),
      })
      .optional()
      .meta({ description: 'How full the disk was when the node agent last measured it.' }),
    mountedBy: z
      .array(
        z.object({
          kind: z.enum(['GpuInstance', 'GpuHost', 'Job']).describe('The kind of the object that has the disk.'),
          name: z.string().max(63).describe('The name of that object.'),
          mountPath: z.string().max(255).optional().describe('Where the disk is mounted there.'),
          atNextStart: z
            .boolean()
            .optional()
            .meta({ description: 'No Pod of the instance has it yet: it is there from the next start on.' }),
        }),
      )
      .max(1024)
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['kind', 'name'] })
      .optional()
      .meta({ description: 'Who has the disk. Of a Single disk: the one that may write.' }),
    volumeName: z.string().max(253).optional().describe('The PersistentVolume that holds the data.'),
    claimUID: z
      .string()
      .max(64)
      .optional()
      .meta({ description: 'The UID of the volume claim. A lost claim is not replaced by an empty one.' }),
    node: z
      .string()
      .max(253)
      .optional()
      .meta({ description: 'The node that the volume is tied to, where it is tied to a single one.' }),
    intervals: intervals.optional(),
    credit: credit.optional(),
    files: z
      .object({
        address: z.string().max(253).describe('The address of the file server, as host:port.'),
        readyAt: dateTime.optional().describe('When the file server first answered.'),
      })
      .optional()
      .meta({ description: 'The file server of the disk, once it answers.' }),
  })
  .describe('What is known of the disk. The platform writes it.');

const phases = {
  releasing: { tone: 'progress' },
  inactive: { tone: 'bad' },
  mounted: { tone: 'good' },
  active: { tone: 'good' },
} as const;

const view = commonView.extend({
  status: z.enum(['active', 'inactive', 'mounted']),
  size_gi: z.number(),
  used_bytes: bytes.nullable(),
  available_bytes: bytes.nullable(),
  total_bytes: bytes.nullable(),
  measured_time: time.nullable().meta({ description: 'When used, available and total were last measured.' }),
  access: z.enum(['Single', 'Many']),
  mounted_by: z.array(
    z.object({
      kind: z.enum(['GpuInstance', 'GpuHost', 'Job']),
      id: z.string(),
      name: z.string().meta({ description: 'The name people see; the id where nobody chose one.' }),
      mount_path: z.string().nullable(),
      at_next_start: z.boolean().meta({ description: 'It is kept for the instance, which does not have it yet.' }),
    }),
  ),
  price,
  spec: spec,
});
export type DiskView = z.input<typeof view>;

const confirm = objectId.optional();

export const dataDisk = defineKind({
  kind: 'DataDisk',
  plural: 'datadisks',
  shortNames: ['gdisk'],
  scope: 'Namespaced',
  idPrefix: 'dsk',
  collection: 'stor/v1/data-disk',
  menu: 'gpu/storage',
  staff: { resource: 'disks', menu: 'storage', columns: ['node'] },
  tenants: 'write',
  words,
  spec,
  status,
  rules: [
    CREATOR_KEPT,
    {
      rule: "size(self.metadata.name) <= 50 && self.metadata.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
      words: words.rules.name,
    },
  ],
  columns: [
    { name: 'Phase', jsonPath: '.status.phase' },
    { name: 'Size-Gi', jsonPath: '.status.sizeGi', type: 'integer' },
    { name: 'Used-Bytes', jsonPath: '.status.usage.usedBytes', type: 'integer' },
    // As text: of a list a column shows only the first.
    { name: 'Mounted-By', jsonPath: '.status.reasonArgs.by' },
    { name: 'Node', jsonPath: '.status.node' },
    { name: 'Message', jsonPath: '.status.message', priority: 1 },
    { name: 'Age', jsonPath: '.metadata.creationTimestamp', type: 'date' },
  ],
  phases,
  actions: {
    edit: editFrom(['inactive', 'mounted', 'active']),
    release: releaseFrom(['inactive', 'active']),
  },
  cost: {
    source: 'container_rent',
    begins: { make: 'true', change: ['object.spec.sizeGi > oldObject.spec.sizeGi'] },
    desired: (object) => [{ resource: 'disk', quantity: (object as DataDisk).spec.sizeGi }],
  },
  phaseInView: ({ metadata, ...object }) =>
    metadata.deletionTimestamp ? 'releasing' : ((object as Partial<DataDisk>).status?.phase ?? 'inactive'),
  touches: ['listMounts', 'getWalletBalances'],
  api: {
    names: ['Disk', 'Disks'],
    view,
    show: diskView,
    statusesOf: (phase: string) => [statusOf(phase)],
    filters: {},
    writes: {
      create: creationBody(spec, 'sizeGi', 'storageClassName', 'access').extend({ displayName: freePeopleName }),
      change: changeBody(spec, 'sizeGi').extend({ displayName: freePeopleName.optional() }),
      options: { confirm: confirm.meta({ description: 'release: the id once more, since all data is lost.' }) },
      removal: { confirm: confirm.meta({ description: 'The id once more, since all data is lost.' }) },
      problems: ['plain_text', 'confirmation_needed', 'disk_in_use'],
    },
  },
});

/** Reasons whose sentence says who has a disk. */
const MOUNTED = ['Mounted', 'MountsAtNextStart'] as const;

export const holderKey = ({ kind, name }: { kind: string; name: string }): string => `${kind}/${name}`;

/** Names of those that have the disk, by `holderKey`. */
export interface DiskHolders {
  holderNames?: ReadonlyMap<string, string>;
}

const statusOf = (phase: string): DiskView['status'] =>
  phase === 'active' || phase === 'mounted' ? phase : 'inactive';

function diskView({ spec, status }: DataDisk, common: CommonView, { language, price, related }: Beside<DiskHolders>) {
  const { usage } = status ?? {};
  const mounted_by = (status?.mountedBy ?? []).map(({ kind, name, mountPath, atNextStart }) => ({
    kind,
    id: name,
    name: related.holderNames?.get(holderKey({ kind, name })) ?? name,
    mount_path: mountPath ?? null,
    at_next_start: atNextStart ?? false,
  }));
  const mounted = MOUNTED.find((reason) => reason === common.reason);
  const by = mounted_by.map(({ name }) => name).join(', ');
  return {
    ...common,
    // The status tells of ids, which never change.
    ...(mounted && { message: sentence(words.reasons[mounted], language, { by }) }),
    status: statusOf(common.phase),
    size_gi: spec.sizeGi,
    used_bytes: usage?.usedBytes ?? null,
    available_bytes: usage?.availableBytes ?? null,
    total_bytes: usage?.totalBytes ?? null,
    measured_time: usage?.at ?? null,
    access: spec.access,
    mounted_by,
    price,
    spec,
  } satisfies DiskView;
}

export type DataDisk = ObjectOf<{ spec: typeof spec; status: typeof status }>;
export type DataDiskStatus = NonNullable<DataDisk['status']>;
export type DataDiskPhase = PhaseOf<typeof words>;
export type DataDiskReason = ReasonOf<typeof words>;
