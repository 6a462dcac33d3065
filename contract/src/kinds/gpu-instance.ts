// A development instance: one bare Pod per run on a GPU node, a home disk that outlives runs.
import * as z from 'zod';
import { endsWhatRuns } from '../billing/credit.ts';
import { LEAST_SAVED_BYTES, sizeUse, type Use } from '../billing/resources.ts';
import { defineKind, type KubeObject, type PhaseOf, type ReasonOf } from '../define-kind.ts';
import { MI, mebibytesOf } from '../fields/quantity.ts';
import {
  changeBody,
  creationBody,
  freePeopleName,
  holdId,
  imageReference,
  peopleName,
  placement,
  REFUSED_HOLDS,
  REFUSED_PLACEMENTS,
} from '../http/kind-bodies.ts';
import { gpuInstanceRests } from './gpu-instance-phases.ts';
import { AT_REST, RESTS, type RestingPower, restOf, returnFrom } from './gpu-instance-powers.ts';
import { type GpuInstance, type GpuInstanceStatus, spec, status } from './gpu-instance-schema.ts';
import { instanceRuns, instanceUsage, instanceView, showInstance } from './gpu-instance-view.ts';
import { gpuInstanceWords as words } from './gpu-instance-words.ts';
import { CREATOR_KEPT, openFrom } from './kind-rows.ts';
import { notebookTokenText } from './notebook-token.ts';

export type { GpuInstance, GpuInstanceSpec, GpuInstanceStatus } from './gpu-instance-schema.ts';
export type { InstanceView } from './gpu-instance-view.ts';

/** Fields that a person sets, at creation and later. */
const FIELDS = [
  'command',
  'expandCommand',
  'gpu',
  'cores',
  'memoryGi',
  'host',
  'homeDisk',
  'disks',
  'env',
  'ports',
  'notebookPort',
  'sshKeys',
  'idle',
] as const;

/** In the order of decisions section 2; the operator's phase table is keyed by them. */
const phases = {
  releasing: { tone: 'progress' },
  released: { tone: 'neutral' },
  lost_contact: { tone: 'bad' },
  hibernating: { tone: 'progress' },
  shuttingDown: { tone: 'progress' },
  shutDown: { tone: 'neutral', rests: { Hibernated: gpuInstanceRests.hibernated } },
  stopping: { tone: 'progress' },
  stopped: { tone: 'neutral' },
  createFailed: { tone: 'bad' },
  createTimeout: { tone: 'bad' },
  networkTimeout: { tone: 'bad' },
  failed: { tone: 'bad' },
  update: { tone: 'progress' },
  hard_rebooting: { tone: 'progress' },
  restoring: { tone: 'progress' },
  resuming: { tone: 'progress' },
  starting: { tone: 'progress' },
  preparing: { tone: 'progress' },
  createSuccess: { tone: 'progress' },
  creating: { tone: 'progress' },
  running: { tone: 'good' },
} as const;

export const gpuInstance = defineKind({
  kind: 'GpuInstance',
  plural: 'gpuinstances',
  shortNames: ['gpi'],
  scope: 'Namespaced',
  tenants: 'write',
  idPrefix: 'ins',
  collection: 'develop/v1/instance',
  menu: 'develop/instance',
  staff: { resource: 'instances', menu: 'computing', columns: ['node'] },
  words,
  spec,
  status,
  rules: [
    CREATOR_KEPT,
    {
      rule: '!has(oldSelf.spec.notebookTokenCount) || has(self.spec.notebookTokenCount)',
      words: words.rules.notebookTokenCountGrows,
      fieldPath: '.spec.notebookTokenCount',
    },
    {
      rule: 'size(self.metadata.name) <= 50',
      words: words.rules.nameLength,
    },
    {
      rule: "self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
      words: words.rules.name,
    },
    {
      rule: '!has(self.spec.notebookPort) || !has(self.spec.ports) || self.spec.ports.all(p, p.port != self.spec.notebookPort)',
      words: words.rules.notebookPortTwice,
      fieldPath: '.spec.notebookPort',
    },
  ],
  columns: [
    { name: 'Phase', jsonPath: '.status.phase' },
    { name: 'GPU', jsonPath: '.spec.gpu.model' },
    { name: 'Count', jsonPath: '.spec.gpu.count', type: 'integer' },
    { name: 'Node', jsonPath: '.status.node' },
    { name: 'Run', jsonPath: '.status.run.seq', type: 'integer', priority: 1 },
    { name: 'Message', jsonPath: '.status.message', priority: 1 },
    { name: 'Age', jsonPath: '.metadata.creationTimestamp', type: 'date' },
  ],
  phases,
  actions: {
    start: {
      from: ['shutDown'],
      settledPower: 'ShutDown',
      does: power('Running'),
      right: 'use',
      danger: 'none',
      spends: true,
    },
    restore: {
      from: ['shutDown'],
      settledPower: 'Hibernated',
      does: power('Running'),
      right: 'use',
      danger: 'none',
      spends: true,
    },
    resume: {
      from: ['stopped'],
      settledPower: 'Stopped',
      does: power('Running'),
      right: 'use',
      danger: 'none',
      spends: true,
    },
    stop: {
      from: [
        'createFailed',
        'createTimeout',
        'networkTimeout',
        'failed',
        'update',
        'hard_rebooting',
        'restoring',
        'resuming',
        'starting',
        'preparing',
        'createSuccess',
        'creating',
        'running',
      ],
      does: power('Stopped'),
      right: 'use',
      danger: 'interrupts',
      spends: false,
    },
    hibernate: {
      from: ['failed', 'running'],
      does: power('Hibernated'),
      right: 'use',
      danger: 'interrupts',
      spends: false,
    },
    shutdown: {
      from: [
        'lost_contact',
        'hibernating',
        'stopping',
        'stopped',
        'createFailed',
        'createTimeout',
        'networkTimeout',
        'failed',
        'update',
        'hard_rebooting',
        'restoring',
        'resuming',
        'starting',
        'preparing',
        'createSuccess',
        'creating',
        'running',
      ],
      does: power('ShutDown'),
      right: 'use',
      danger: 'interrupts',
      spends: false,
    },
    hardReboot: {
      from: ['lost_contact', 'createTimeout', 'networkTimeout', 'failed', 'running'],
      does: (object) => ({ spec: { rebootCount: ((object as GpuInstance).spec.rebootCount ?? 0) + 1 } }),
      right: 'use',
      danger: 'interrupts',
      spends: true,
    },
    rotateNotebookToken: {
      from: ['stopped', 'createTimeout', 'networkTimeout', 'failed', 'createSuccess', 'running'],
      applies: (object) => notebookTokenText(object as GpuInstance) !== undefined,
      does: (object) => ({ spec: { notebookTokenCount: ((object as GpuInstance).spec.notebookTokenCount ?? 0) + 1 } }),
      right: 'use',
      danger: 'interrupts',
      spends: false,
    },
    edit: {
      from: ['shutDown', 'stopped', 'createFailed', 'createTimeout', 'failed', 'preparing', 'running'],
      does: () => ({ spec: {} }),
      right: 'use',
      danger: 'interrupts',
      spends: true,
    },
    login: openFrom(['createSuccess', 'running']),
    exportTemplate: {
      from: ['shutDown', 'stopped', 'running'],
      // An Image with this instance as its fromInstance; a running container is stopped for it and starts again.
      does: 'create',
      right: 'use',
      danger: 'interrupts',
      spends: false,
    },
    release: {
      from: ['shutDown', 'shuttingDown'],
      // Like the policy: if it is shut down except for a save that does not succeed, it may be given up.
      reasons: { shuttingDown: ['SaveRetrying', 'AgentAway'] },
      does: 'delete',
      right: 'use',
      danger: 'destroys',
      spends: false,
    },
  },
  cost: {
    source: 'container_rent',
    begins: {
      make: 'true',
      change: [
        "(object.spec.power == 'Running' && oldObject.spec.power != 'Running')",
        'object.spec.rebootCount > oldObject.spec.rebootCount',
        'object.spec.homeDisk.sizeGi > oldObject.spec.homeDisk.sizeGi',
      ],
    },
    desired(object) {
      const { spec, status } = object as GpuInstance;
      const { power, host, gpu, cores, memoryGi, homeDisk } = spec;
      const of = (resource: 'gpu' | 'cpu' | 'memory') =>
        host === undefined ? resource : (`hosted-${resource}` as const);
      const compute: Use[] = [
        ...(gpu ? [{ resource: of('gpu'), model: gpu.model, quantity: gpu.count }] : []),
        { resource: of('cpu'), quantity: cores },
        sizeUse(of('memory'), mebibytesOf(memoryGi) * MI),
      ];
      const saved = savedBytes(status);
      return [
        ...(power === 'Running' ? compute : []),
        // A run creates its disk; at rest one is expected only if it exists.
        ...(power === 'Running' || hasDisk(status) ? [{ resource: 'disk' as const, quantity: homeDisk.sizeGi }] : []),
        ...(saved >= LEAST_SAVED_BYTES ? [sizeUse('snapshot', saved)] : []),
      ];
    },
  },
  phaseInView(object) {
    const { metadata, spec, status } = object as GpuInstance;
    const seen = status?.phase ?? 'preparing';
    if (metadata.deletionTimestamp !== undefined) return seen === 'released' ? seen : 'releasing';
    // Requests to a lost node wait; without credit the request waits for the payment.
    if (seen === 'lost_contact' || endsWhatRuns(status?.reason ?? '')) return seen;
    if (spec.power !== 'Running') {
      const { at, to } = restOf(spec.power) ?? RESTS.Stopped;
      return seen === at && (status?.settledPower ?? spec.power) === spec.power ? seen : to;
    }
    if (AT_REST.has(seen)) return returnFrom(status?.settledPower).phase;
    if (seen === 'running' && spec.rebootCount !== (status?.rebootCount ?? 0)) return 'hard_rebooting';
    return seen;
  },
  touches: ['listMounts', 'listGpuSpecs', 'getWalletBalances', 'getMyOrganization'],
  api: {
    names: ['Instance', 'Instances'],
    view: instanceView,
    show: showInstance,
    statusesOf: (phase: string, object: KubeObject) =>
      phase === 'shutDown' && (object as GpuInstance).status?.settledPower === 'Hibernated' ? ['hibernated'] : [],
    filters: { host: z.string().max(63).optional() },
    runs: instanceRuns,
    usage: instanceUsage,
    writes: {
      feature: 'newInstances',
      create: creationBody(spec, ...FIELDS).extend({
        displayName: peopleName,
        image: imageReference,
        region: placement,
        hold: holdId,
      }),
      change: changeBody(spec, ...FIELDS).extend({
        displayName: peopleName.optional(),
        image: imageReference.optional(),
      }),
      options: {
        displayName: freePeopleName.optional().meta({ description: 'exportTemplate: the name of the image.' }),
      },
      problems: [
        'name_rule',
        'plain_text',
        'image_malformed',
        'ssh_key_malformed',
        'no_such_reference',
        'not_enough_gpus',
        'wrong_gpu',
        'instance_not_shut_down',
        'disk_in_use',
        ...REFUSED_PLACEMENTS,
        ...REFUSED_HOLDS,
      ],
    },
  },
});

function power(wanted: 'Running' | RestingPower) {
  return () => ({ spec: { power: wanted } });
}

/** Its bytes in the registry: its whole root above the first image, and its home while that is not on a disk. */
export const savedBytes = ({ root, home }: Pick<GpuInstanceStatus, 'root' | 'home'> = {}): number =>
  (root?.totalBytes ?? root?.sizeBytes ?? 0) + (home?.sizeBytes ?? 0);

/** GiB of disk that its home has, or needs again when what the registry keeps of it is restored. */
export const homeGi = ({ spec, status = {} }: Pick<GpuInstance, 'spec'> & { status?: GpuInstanceStatus }): number =>
  status.home || hasDisk(status) ? spec.homeDisk.sizeGi : 0;

const hasDisk = ({ intervals = [] }: Pick<GpuInstanceStatus, 'intervals'> = {}): boolean =>
  intervals.some(({ to, uses }) => to === undefined && uses.some(({ resource }) => resource === 'disk'));

export type GpuInstancePhase = PhaseOf<typeof words>;
export type GpuInstanceReason = ReasonOf<typeof words>;
