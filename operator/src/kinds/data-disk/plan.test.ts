import type { Condition, KubeObject } from '@gantry/contract/define-kind.ts';
import type { Interval } from '@gantry/contract/fields/metering.ts';
import type { DataDiskStatus } from '@gantry/contract/kinds/data-disk.ts';
import type { Refusal } from '@gantry/kube/api-error.ts';
import type { Node, Pod } from '@gantry/kube/core-objects.ts';
import type { Resource } from '@gantry/kube/resource.ts';
import { describe, expect, test } from '@jest/globals';
import { expectGolden } from '../../../../test/support/golden.ts';
import { CLAIM, NODE, VOLUME } from '../../resources.ts';
import { cachesOf } from '../../testing/caches-of.ts';
import { type DiskSettings, desiredClaim, desiredFileServer, desiredToken, firstPlace } from './desired.ts';
import { dataDiskController } from './plan.ts';
import { type DiskSeen, reads } from './reads.ts';
import {
  at,
  bound,
  claim,
  context,
  disk,
  fileServer,
  host,
  instance,
  jobNaming,
  seen,
  settings,
  user,
  volume,
  waiting,
  workerOf,
} from './testing/fixtures.ts';

interface Law {
  owner?: ReturnType<typeof disk>;
  sees?: DiskSeen;
  at?: number;
  refusals?: Refusal[];
  settings?: Partial<DiskSettings>;
  phase?: string;
  says?: string;
  status?: object;
  /** Type → `status reason`. */
  conditions?: Record<string, string | undefined>;
  creates?: string[];
  patches?: object[];
  removes?: string[];
  finalizer?: string;
  again?: number | undefined;
}

function judge(law: Law) {
  const { refusals = [], at: seconds = 60 } = law;
  const ctx = context(seconds, { refusals, settings: { ...settings, ...law.settings } });
  const plan = dataDiskController.plan(law.owner ?? disk(), law.sees ?? bound(), ctx);
  if (law.phase) expect(plan.status?.phase).toBe(law.phase);
  if (law.says) expect(plan.status?.message).toBe(law.says);
  if (law.status) expect(plan.status).toMatchObject(law.status);
  for (const [type, said] of Object.entries(law.conditions ?? {})) {
    const found = plan.status?.conditions?.find((one) => one.type === type);
    expect(found && `${found.status} ${found.reason}`).toBe(said);
  }
  expect((plan.create ?? []).map(({ metadata }) => metadata.name)).toEqual(law.creates ?? []);
  if (law.patches) expect(plan.patch?.map(({ body }) => body)).toEqual(law.patches);
  expect((plan.remove ?? []).map(({ name }) => name)).toEqual(law.removes ?? []);
  if (law.finalizer) expect(plan.finalizer).toBe(law.finalizer);
  if ('again' in law) expect(plan.againInMs).toBe(law.again);
  return plan;
}
const laws = (rows: Record<string, Law>) => test.each(Object.entries(rows))('%s', (_, law) => void judge(law));

const refused = (kind: string, message: string, reason = 'Forbidden'): Refusal => ({
  kind,
  name: 'data-disk',
  reason,
  message,
});
const condition = (type: string, status: Condition['status'], reason: string, seconds = 0): Condition => ({
  type,
  status,
  reason,
  message: '',
  lastTransitionTime: at(seconds),
});
/** Books of a disk that was bound. */
const KEPT: DataDiskStatus = { volumeName: 'pv-1', claimUID: 'uid-claim', sizeGi: 10, node: 'node-a' };
const QUOTA =
  'persistentvolumeclaims "data-disk" is forbidden: exceeded quota: objects, requested: requests.storage=10Gi, used: requests.storage=95Gi, limited: requests.storage=100Gi';
const GOING = { deletionTimestamp: at(50) };

describe('a claim is made once', () => {
  laws({
    'a new disk gets its claim': {
      sees: seen(),
      phase: 'active',
      status: { reason: 'Making' },
      creates: ['data-disk'],
    },
    'it can be mounted before it has a volume': {
      sees: seen({ claim: waiting() }),
      phase: 'active',
      says: 'The disk can be mounted; its volume is created at the first mount.',
      conditions: { Ready: 'True WaitsForMount', Resized: 'Unknown NoVolume', TiedToNode: 'Unknown NoVolume' },
    },
    'Bound, it is active': {
      phase: 'active',
      status: { sizeGi: 10, volumeName: 'pv-1', claimUID: 'uid-claim', node: 'node-a' },
      conditions: { Ready: 'True Available', Resized: 'True Resized' },
      again: undefined,
    },
    'a claim that waits and is deleted from outside is made again: nothing was on it': {
      owner: disk({ status: { claimUID: 'uid-claim' } }),
      sees: seen(),
      creates: ['data-disk'],
    },
    'a claim that was Bound and is gone is never made again': {
      owner: disk({ status: KEPT }),
      sees: seen(),
      phase: 'inactive',
      status: { reason: 'DiskLost', sizeGi: 10, node: 'node-a' },
      conditions: { Ready: 'False DiskLost' },
    },
    'nor is one that an instance may have written to while nobody looked': {
      owner: disk({ status: { claimUID: 'uid-claim', mountedBy: [{ kind: 'GpuInstance', name: 'dev' }] } }),
      sees: seen(),
      phase: 'inactive',
      status: { reason: 'DiskLost' },
    },
    'one that is going is told of while somebody still holds it': {
      owner: disk({ status: KEPT }),
      sees: bound({ claim: claim({ metadata: GOING }), pods: [user('dev')] }),
      phase: 'inactive',
      status: { reason: 'ClaimGoing' },
    },
    'a claim that gives the disk its volume back is taken in': {
      owner: disk({ status: KEPT }),
      sees: bound({ claim: claim({ metadata: { uid: 'uid-again', ownerReferences: [], labels: {} } }) }),
      phase: 'active',
      status: { claimUID: 'uid-again' },
      patches: [
        {
          metadata: {
            labels: { 'gantry.dev/kind': 'DataDisk', 'gantry.dev/name': 'data' },
            ownerReferences: [
              expect.objectContaining({ kind: 'DataDisk', name: 'data', uid: 'uid-data', controller: true }),
            ],
          },
        },
      ],
    },
    "a claim of another owner is not the disk's": {
      sees: seen({ claim: claim({ metadata: { ownerReferences: [] } }) }),
      refusals: [refused('PersistentVolumeClaim', 'exists', 'AlreadyExists')],
      phase: 'inactive',
      says: 'Another object already has the name data-disk.',
      creates: ['data-disk'],
    },
    'a full quota is told with its numbers': {
      sees: seen(),
      refusals: [refused('PersistentVolumeClaim', QUOTA)],
      phase: 'inactive',
      says: "The organisation's quota does not allow it: 10 GiB of storage are requested, and 95 of the 100 GiB that it may use are in use. Request less, release what is not needed, or ask the provider for a larger quota.",
      status: { reason: 'QuotaExceeded' },
      creates: ['data-disk'],
    },
    'a class that is not there is named': {
      owner: disk({ spec: { storageClassName: 'gold' } }),
      sees: seen({ storageClass: undefined }),
      phase: 'inactive',
      says: 'spec.storageClassName: there is no storage class gold.',
    },
    'labels taken off by hand come back': {
      sees: bound({ claim: claim({ metadata: { labels: {} } }) }),
      patches: [{ metadata: { labels: { 'gantry.dev/kind': 'DataDisk', 'gantry.dev/name': 'data' } } }],
    },
    'a volume that is lost is told': {
      sees: bound({ claim: claim({ status: { phase: 'Lost' } }) }),
      phase: 'inactive',
      says: "The disk's volume pv-1 is gone, and its data with it. Delete the disk, or ask platform staff to restore the volume.",
    },
  });
});

const ASKED = { 'volume.kubernetes.io/storage-provisioner': 'driver' };
const PLACED = { ...ASKED, 'volume.kubernetes.io/selected-node': 'node-a' };
describe('a volume that does not come', () => {
  laws({
    'is waited for': {
      sees: seen({ claim: waiting(PLACED) }),
      phase: 'active',
      conditions: { Ready: 'Unknown Provisioning' },
      again: 120_000,
    },
    'is told of after two minutes': {
      owner: disk({
        status: { reason: 'Provisioning', conditions: [condition('Ready', 'Unknown', 'Provisioning', 0)] },
      }),
      sees: seen({ claim: waiting(PLACED) }),
      at: 120,
      phase: 'inactive',
      conditions: { Ready: 'False NotProvisioned' },
      again: undefined,
    },
    'and stays told while the storage tries': {
      owner: disk({
        status: { reason: 'NotProvisioned', conditions: [condition('Ready', 'False', 'NotProvisioned', 120)] },
      }),
      sees: seen({ claim: waiting(PLACED) }),
      at: 130,
      phase: 'inactive',
    },
    'is not missed where the Pod that asked for it is gone': {
      sees: seen({ claim: waiting(ASKED) }),
      conditions: { Ready: 'True WaitsForMount' },
    },
    'is waited for from the start where the class makes volumes at once': {
      sees: seen({ claim: waiting(ASKED), storageClass: undefined }),
      conditions: { Ready: 'Unknown Provisioning' },
    },
  });
});

const grow = (storage: string) => ({ spec: { resources: { requests: { storage } } } });
const conditionsOfClaim = (type: string, message: string) => ({
  conditions: [{ type, status: 'True', message }],
});
describe('a disk grows and never shrinks', () => {
  laws({
    'more is asked of the storage': {
      owner: disk({ spec: { sizeGi: 20 } }),
      patches: [grow('20Gi')],
      conditions: { Resized: 'False Resizing' },
    },
    'once it was asked, it is waited for': {
      owner: disk({ spec: { sizeGi: 20 } }),
      sees: bound({ claim: claim({ askedGi: 20, sizeGi: 10 }) }),
      patches: [],
      phase: 'active',
      conditions: { Resized: 'False Resizing' },
    },
    'a claim without a volume cannot be changed: it grows after the first mount': {
      owner: disk({ spec: { sizeGi: 20 } }),
      sees: seen({ claim: waiting() }),
      patches: [],
    },
    'what is larger than wanted is left alone': {
      owner: disk({ spec: { sizeGi: 5 } }),
      patches: [],
      conditions: { Resized: 'True Resized' },
    },
    'a refusal is told in its own words, and keeps nobody from the disk': {
      owner: disk({ spec: { sizeGi: 20 } }),
      refusals: [refused('PersistentVolumeClaim', 'the class does not allow it')],
      phase: 'active',
      conditions: { Resized: 'False ResizeFailed' },
      patches: [grow('20Gi')],
    },
    'a full quota is told': {
      owner: disk({ spec: { sizeGi: 20 } }),
      refusals: [refused('PersistentVolumeClaim', QUOTA)],
      phase: 'active',
      conditions: { Resized: 'False QuotaExceeded' },
    },
    'a file system that waits for the next mount is told': {
      owner: disk({ spec: { sizeGi: 20 } }),
      sees: bound({
        claim: claim({ askedGi: 20, sizeGi: 10, status: conditionsOfClaim('FileSystemResizePending', '') }),
      }),
      conditions: { Resized: 'False ResizeWaitsForMount' },
    },
    'an error of the storage is told': {
      owner: disk({ spec: { sizeGi: 20 } }),
      sees: bound({
        claim: claim({ askedGi: 20, sizeGi: 10, status: conditionsOfClaim('ControllerResizeError', 'no room') }),
      }),
      phase: 'active',
      conditions: { Resized: 'False ResizeFailed' },
    },
    'a growth that the storage gave up makes the disk inactive': {
      owner: disk({ spec: { sizeGi: 20 } }),
      sees: bound({
        claim: claim({
          askedGi: 20,
          sizeGi: 10,
          status: {
            ...conditionsOfClaim('ControllerResizeError', 'no room'),
            allocatedResourceStatuses: { storage: 'ControllerResizeInfeasible' },
          },
        }),
      }),
      phase: 'inactive',
      says: 'spec.sizeGi: the volume cannot be enlarged: no room',
    },
  });
});

const mounted = (...names: string[]) => ({
  mountedBy: names.map((name) => ({ kind: 'GpuInstance', name, mountPath: '/data' })),
});
const fromNextStart = (...names: string[]) => ({
  mountedBy: mounted(...names).mountedBy.map((one) => ({ ...one, atNextStart: true })),
});
const held = (...names: string[]): DataDiskStatus => ({ ...KEPT, ...mounted(...names) }) as DataDiskStatus;
describe('who has it', () => {
  laws({
    'an instance that names it and runs': {
      sees: bound({ instances: [instance('dev')], pods: [user('dev')] }),
      phase: 'mounted',
      says: 'The disk is mounted by dev.',
      status: { ...mounted('dev'), reasonArgs: { by: 'dev' } },
    },
    'one whose Pod does not have it gets it at its next start': {
      sees: bound({ instances: [instance('dev')] }),
      phase: 'mounted',
      says: 'The disk is reserved for dev and will be mounted there at the next start.',
      status: { ...fromNextStart('dev'), reasonArgs: { by: 'dev' } },
    },
    'one that is stopped keeps it': {
      sees: bound({ instances: [instance('dev', { power: 'Stopped' })] }),
      phase: 'mounted',
      status: fromNextStart('dev'),
    },
    'one that is shut down or hibernated does not': {
      sees: bound({
        instances: [instance('dev', { power: 'ShutDown' }), instance('old', { power: 'Hibernated' })],
      }),
      phase: 'active',
    },
    'but has it until its Pod is gone': {
      sees: bound({ instances: [instance('dev', { power: 'ShutDown' })], pods: [user('dev')] }),
      phase: 'mounted',
      status: mounted('dev'),
    },
    'so does one that no longer names it': {
      owner: disk({ status: held('dev') }),
      sees: bound({ pods: [user('dev')] }),
      phase: 'mounted',
      status: mounted('dev'),
    },
    'nobody has what is lost, though they name it': {
      owner: disk({ status: held('dev') }),
      sees: seen({ instances: [instance('dev')] }),
      phase: 'inactive',
      status: expect.not.objectContaining({ mountedBy: expect.anything() }),
    },
    'a job whose run waits for it': {
      sees: bound({ jobs: [jobNaming('train')] }),
      phase: 'mounted',
      status: { mountedBy: [{ kind: 'Job', name: 'train', mountPath: '/data', atNextStart: true }] },
    },
    'a job whose workers have it': {
      sees: bound({ jobs: [jobNaming('train')], pods: [workerOf('train')] }),
      phase: 'mounted',
      status: { mountedBy: [{ kind: 'Job', name: 'train', mountPath: '/data' }] },
    },
    'not a job that has ended, nor one that is stopped': {
      sees: bound({
        jobs: [
          jobNaming('done', { status: { run: { seq: 1, cause: 'first', endedAt: at(1) } } }),
          jobNaming('off', { spec: { power: 'Stopped' } as never }),
        ],
      }),
      phase: 'active',
    },
    'a job of which only a worker is left': {
      sees: bound({ pods: [workerOf('train')] }),
      phase: 'mounted',
      status: { mountedBy: [{ kind: 'Job', name: 'train' }] },
    },
    'an instance that has a disk of one writer keeps it from a job': {
      sees: bound({ instances: [instance('dev', {}, 2)], pods: [user('dev')], jobs: [jobNaming('train')] }),
      status: mounted('dev'),
    },
    'of two that name a disk of one writer, the older': {
      sees: bound({ instances: [instance('late', {}, 2), instance('early', {}, 1)] }),
      status: fromNextStart('early'),
    },
    'or who had it before': {
      owner: disk({ status: held('late') }),
      sees: bound({ instances: [instance('late', {}, 2), instance('early', {}, 1)] }),
      status: fromNextStart('late'),
    },
    'or who holds it in a Pod': {
      owner: disk({ status: held('early') }),
      sees: bound({ instances: [instance('late', {}, 2), instance('early', {}, 1)], pods: [user('late')] }),
      status: mounted('late'),
    },
    'of many writers all': {
      owner: disk({ spec: { access: 'Many' } }),
      sees: bound({ instances: [instance('b'), instance('a')], pods: [user('b')] }),
      says: 'The disk is mounted by a, b.',
      status: { mountedBy: [...fromNextStart('a').mountedBy, ...mounted('b').mountedBy] },
    },
    'a host, and one instance on it': {
      sees: bound({
        hosts: [host('box')],
        instances: [instance('off', {}, 1), instance('on', { host: 'box' }, 2), instance('too', { host: 'box' }, 3)],
      }),
      status: {
        mountedBy: [
          { kind: 'GpuHost', name: 'box', mountPath: '/data' },
          { kind: 'GpuInstance', name: 'on', mountPath: '/data', atNextStart: true },
        ],
      },
    },
    'an instance keeps it from a host that names it later': {
      owner: disk({ status: held('off') }),
      sees: bound({ hosts: [host('box')], instances: [instance('off')] }),
      status: fromNextStart('off'),
    },
  });
});

const GB = 2 ** 30;
const measured = (totalBytes: number): DataDiskStatus => ({
  usage: { totalBytes, usedBytes: 1, availableBytes: totalBytes - 1, at: at(1) },
});
describe('messages about its size and place', () => {
  laws({
    'nobody has measured it': { conditions: { SizeEnforced: 'Unknown SizeUnmeasured' } },
    'the file system ends where the disk does': {
      owner: disk({ status: measured(9.8 * GB) }),
      conditions: { SizeEnforced: 'True SizeEnforced' },
    },
    "the file system is the node's": {
      owner: disk({ status: measured(900 * GB) }),
      conditions: { SizeEnforced: 'False SizeNotEnforced' },
    },
    'the figure is older than the growth': {
      owner: disk({ status: measured(5 * GB) }),
      conditions: { SizeEnforced: 'Unknown SizeSmaller' },
    },
    'its volume is on one node': { conditions: { TiedToNode: 'True TiedToNode' } },
    'its volume is near some nodes': {
      sees: bound({ volume: volume({}, [['node-a', 'node-b']]), tie: undefined }),
      conditions: { TiedToNode: 'True TiedToNodes' },
    },
    'its volume is everywhere': {
      owner: disk({ status: KEPT }),
      sees: bound({ volume: volume({}, []), tie: undefined }),
      status: expect.not.objectContaining({ node: expect.anything() }),
      conditions: { TiedToNode: 'False NotTied' },
    },
  });
  test('the figures are the agent’s: the operator never writes them', () => {
    expect(judge({ owner: disk({ status: { ...KEPT, ...measured(GB) } }) }).status).not.toHaveProperty('usage');
  });
});

const interval = (seq: number, from: number, to: number | undefined, quantity = 10): Interval => ({
  seq,
  subjectUID: 'uid-claim',
  from: at(from),
  ...(to !== undefined && { to: at(to) }),
  uses: [{ resource: 'disk', quantity }],
});
const billed = (...intervals: Interval[]) => ({ intervals });
const withBooks = (...intervals: Interval[]) => disk({ status: { ...KEPT, intervals } });
describe('billing', () => {
  laws({
    'the size, from the moment the volume was bound': { status: billed(interval(1, 5, undefined)) },
    'nothing is written twice': {
      owner: withBooks(interval(1, 5, undefined)),
      status: billed(interval(1, 5, undefined)),
    },
    'another size is another interval, without a gap': {
      owner: withBooks(interval(1, 5, undefined)),
      sees: bound({ claim: claim({ sizeGi: 20 }) }),
      status: billed(interval(1, 5, 60), interval(2, 60, undefined, 20)),
    },
    'until the claim is gone': {
      owner: withBooks(interval(1, 5, undefined)),
      sees: seen(),
      status: billed(interval(1, 5, 60)),
    },
    'or its volume was let go, however late that is seen': {
      owner: withBooks(interval(1, 5, undefined)),
      sees: seen({ volume: volume({ phase: 'Released', lastPhaseTransitionTime: at(40) }) }),
      status: billed(interval(1, 5, 40)),
    },
    'a clock that stepped back makes no negative time': {
      owner: withBooks(interval(1, 100, undefined)),
      sees: bound({ claim: claim({ sizeGi: 20 }) }),
      status: billed(interval(1, 100, 100), interval(2, 100, undefined, 20)),
    },
    'a claim that is going is held until it is gone': {
      owner: withBooks(interval(1, 5, undefined)),
      sees: bound({ claim: claim({ metadata: GOING }) }),
      status: billed(interval(1, 5, undefined)),
    },
  });
  test('the last fifty sizes are kept', () => {
    const many = Array.from({ length: 50 }, (_, index) => interval(index + 1, index, index + 1));
    const { status } = judge({ owner: withBooks(...many) });
    expect(status?.intervals?.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, index) => index + 2));
  });
});

const REQUIRED = { creditGate: 'required' } as const;
const reserved = (observedGeneration: number): DataDiskStatus => ({
  credit: { until: at(3600) },
  conditions: [{ ...condition('CreditReserved', 'True', 'Reserved'), observedGeneration }],
});
const OUT: DataDiskStatus = { conditions: [condition('CreditReserved', 'False', 'OutOfCredit')] };
describe('the credit gate', () => {
  laws({
    'no claim without credit': {
      settings: REQUIRED,
      sees: seen(),
      phase: 'inactive',
      status: { reason: 'WaitingForCredit' },
    },
    'a claim with it': {
      settings: REQUIRED,
      owner: disk({ status: reserved(1) }),
      sees: seen(),
      creates: ['data-disk'],
    },
    'credit for an earlier wish is none': {
      settings: REQUIRED,
      owner: disk({ status: reserved(0) }),
      sees: seen(),
      status: { reason: 'WaitingForCredit' },
    },
    'out of credit, a disk that is there stays': {
      settings: REQUIRED,
      owner: disk({ status: { ...KEPT, ...OUT } }),
      phase: 'active',
    },
    'and does not grow': {
      settings: REQUIRED,
      owner: disk({ spec: { sizeGi: 20 }, status: { ...KEPT, ...OUT } }),
      patches: [],
      conditions: { Resized: 'False OutOfCredit' },
    },
    'nor does one of which fifty sizes are not billed': {
      settings: REQUIRED,
      owner: disk({
        spec: { sizeGi: 20 },
        status: {
          ...KEPT,
          ...reserved(1),
          intervals: Array.from({ length: 50 }, (_, index) => interval(index + 1, index, index + 1)),
        },
      }),
      patches: [],
      conditions: { Resized: 'False UsageNotPosted' },
    },
    'without credit files can still be fetched': {
      settings: REQUIRED,
      owner: disk({ spec: { files: { until: at(600) } }, status: { ...KEPT, ...OUT } }),
      creates: ['data-files'],
    },
  });
});

/** Its Pod is older than its mounts. */
const needsRestart = (one: ReturnType<typeof instance>) => ({
  ...one,
  status: { conditions: [condition('RestartNeeded', 'True', 'RestartNeeded')] },
});
const asked = (seconds = 600, more: Partial<Parameters<typeof disk>[0]> = {}) =>
  disk({ status: KEPT, ...more, spec: { files: { until: at(seconds) }, ...more?.spec } });
describe('the file server', () => {
  laws({
    'is made while it is asked for': {
      owner: asked(),
      creates: ['data-files'],
      conditions: { FilesAvailable: 'False FilesStarting' },
      again: 540_000,
    },
    'says where it answers once it does': {
      owner: asked(),
      sees: bound({ pods: [fileServer(true)] }),
      status: { files: { address: '10.1.0.7:8080', readyAt: at(30) } },
      conditions: { FilesAvailable: 'True FilesReady' },
    },
    'and not before': {
      owner: asked(),
      sees: bound({ pods: [fileServer(false)] }),
      conditions: { FilesAvailable: 'False FilesStarting' },
    },
    'mounts the disk for the first time, too': {
      owner: asked(600, { status: {} }),
      sees: seen({ claim: waiting() }),
      creates: ['data-files'],
    },
    'ends when its time is over': {
      owner: asked(60),
      sees: bound({ pods: [fileServer(true)] }),
      removes: ['data-files'],
      conditions: { FilesAvailable: undefined },
    },
    'is not made until a moment that nobody can read': {
      owner: disk({ status: KEPT, spec: { files: { until: '2099-11-23T02:00:00+24:00' } } }),
      sees: bound({ pods: [fileServer(true)] }),
      removes: ['data-files'],
      conditions: { FilesAvailable: 'False FilesUntilMalformed' },
    },
    'is not asked for longer than a day': {
      owner: asked(60 + 86_400 + 10),
      conditions: { FilesAvailable: 'False FilesTooLong' },
      again: 10_000,
    },
    'gives way to an instance that starts': {
      owner: asked(),
      sees: bound({ pods: [fileServer(true)], instances: [instance('dev')] }),
      removes: ['data-files'],
      conditions: { FilesAvailable: 'False FilesInUse' },
    },
    'serves beside one that goes on without the disk until it is started anew': {
      owner: asked(),
      sees: bound({ instances: [needsRestart(instance('dev'))] }),
      creates: ['data-files'],
    },
    'not beside one that has it and needs a restart for another': {
      owner: asked(),
      sees: bound({ instances: [needsRestart(instance('dev'))], pods: [user('dev')] }),
      conditions: { FilesAvailable: 'False FilesInUse' },
    },
    'and to any Pod that holds a disk of one writer': {
      owner: asked(),
      sees: bound({ pods: [user(undefined, 'stranger')] }),
      conditions: { FilesAvailable: 'False FilesInUse' },
    },
    'serves beside an instance at rest': {
      owner: asked(),
      sees: bound({ instances: [instance('dev', { power: 'Stopped' })] }),
      creates: ['data-files'],
    },
    'serves beside writers of a disk of many': {
      owner: asked(600, { spec: { access: 'Many' } }),
      sees: bound({ instances: [instance('dev')], pods: [user('dev')] }),
      creates: ['data-files'],
    },
    'is no holder of the disk': {
      owner: asked(),
      sees: bound({ pods: [fileServer(true)] }),
      phase: 'active',
    },
    'that was thrown off its node is made anew': {
      owner: asked(),
      sees: bound({ pods: [fileServer(false, {}, { phase: 'Failed' })] }),
      removes: ['data-files'],
    },
    'that cannot start says why': {
      owner: asked(),
      sees: bound({
        pods: [
          fileServer(false, {}, {
            containerStatuses: [{ name: 'main', state: { waiting: { reason: 'ErrImagePull', message: 'not found' } } }],
          } as never),
        ],
      }),
      conditions: { FilesAvailable: 'False FilesFailed' },
    },
    'is not made without its own token': {
      owner: asked(),
      refusals: [refused('Secret', 'it carries no mark')],
      creates: [],
      conditions: { FilesAvailable: 'False FilesFailed' },
    },
    'and does not go on with that of somebody else': {
      owner: asked(),
      sees: bound({ pods: [fileServer(true)] }),
      refusals: [refused('Secret', 'it carries no mark')],
      removes: ['data-files'],
      conditions: { FilesAvailable: 'False FilesFailed' },
    },
    'is not made for a disk that is lost': {
      owner: asked(),
      sees: seen(),
      conditions: { FilesAvailable: 'False DiskLost' },
    },
  });
  const over = { ...host('rack'), status: { phase: 'draining' } } as ReturnType<typeof host>;
  const immediate = { ...seen().storageClass, volumeBindingMode: 'Immediate' } as DiskSeen['storageClass'];
  const onHost = [[{ key: 'node-restriction.kubernetes.io/gantry-host', operator: 'In', values: ['uid-rack'] }], []];
  const open = [
    { key: 'nvidia.com/gpu.product', operator: 'Exists' },
    { key: 'node-restriction.kubernetes.io/gantry-host', operator: 'DoesNotExist' },
  ];
  const owner = 'node-restriction.kubernetes.io/gantry-owner';
  const nearGpus = [
    [],
    [
      [...open, { key: owner, operator: 'DoesNotExist' }],
      [...open, { key: owner, operator: 'In', values: ['acme'] }],
    ],
  ];
  test.each<[string, DiskSeen, unknown[]]>([
    ['on the nodes of the host that reserves the disk', seen({ claim: waiting(), hosts: [host('rack')] }), onHost],
    ['not on those of a host that gives them back', seen({ claim: waiting(), hosts: [over] }), nearGpus],
    ['near GPUs that the organisation may use, if it can', seen({ claim: waiting() }), nearGpus],
    [
      'wherever the scheduler likes if the class waits for nobody',
      seen({ claim: waiting(), storageClass: immediate }),
      [[], []],
    ],
    ['wherever its volume is once that is made', bound({ hosts: [host('rack')] }), [[], []]],
  ])('the first of all is put %s', (_, sees, [must, should]) => {
    const made = judge({ owner: asked(600, { status: {} }), sees, creates: ['data-files'] }).create?.[0] as Pod;
    const {
      requiredDuringSchedulingIgnoredDuringExecution: hard,
      preferredDuringSchedulingIgnoredDuringExecution: soft,
    } = made.spec?.affinity?.nodeAffinity ?? {};
    expect(hard?.nodeSelectorTerms.flatMap(({ matchExpressions }) => matchExpressions) ?? []).toEqual(must);
    expect(soft?.map(({ preference }) => preference.matchExpressions) ?? []).toEqual(should);
  });
  test('and there the host lets it in', () => {
    const sees = seen({ claim: waiting(), hosts: [host('rack')] });
    const made = judge({ owner: asked(600, { status: {} }), sees, creates: ['data-files'] }).create?.[0] as Pod;
    expect(made.spec?.tolerations).toEqual([
      { key: 'nvidia.com/gpu', operator: 'Exists' },
      { key: 'gantry.dev/host', operator: 'Equal', value: 'uid-rack', effect: 'NoSchedule' },
    ]);
  });
  test('its token is kept without being looked at', () => {
    expect(judge({ owner: asked(), creates: ['data-files'] }).unseen).toEqual([desiredToken(asked(), settings)]);
  });
});

const deleted = (more: Parameters<typeof disk>[0] = {}) =>
  disk({ status: KEPT, ...more, metadata: { ...GOING, ...more.metadata } });
describe('a deleted disk', () => {
  laws({
    'goes with its claim': { owner: deleted(), removes: ['data-disk'], finalizer: 'keep' },
    'waits while a Pod uses it': {
      owner: deleted(),
      sees: bound({ pods: [user('dev')] }),
      phase: 'releasing',
      says: 'The disk will be deleted once dev-1 has released it.',
      finalizer: 'keep',
    },
    'ends its file server first': {
      owner: deleted({ spec: { files: { until: at(600) } } }),
      sees: bound({ pods: [fileServer(true)] }),
      removes: ['data-files'],
      finalizer: 'keep',
    },
    'may go once its claim is gone': { owner: deleted(), sees: seen(), finalizer: 'drop' },
    'has closed its books by then, for billing to post': {
      owner: deleted({
        metadata: { finalizers: ['gantry.dev/operator', 'gantry.dev/billing'] },
        status: { ...KEPT, intervals: [interval(1, 5, undefined)] },
      }),
      sees: seen(),
      phase: 'releasing',
      status: { reason: 'Released', ...billed(interval(1, 5, 60)) },
      finalizer: 'drop',
    },
    'makes nothing any more': { owner: deleted({ status: {} }), sees: seen(), finalizer: 'drop' },
  });
});

test('the parts of a disk', () => {
  const shared = disk({ spec: { access: 'Many', storageClassName: 'fast' } });
  const tied = disk({ status: KEPT });
  expectGolden(new URL('golden/data-disk.yaml', import.meta.url), [
    desiredClaim(disk()),
    desiredClaim(shared),
    desiredToken(tied, settings),
    desiredFileServer(tied, settings),
    desiredFileServer(disk(), settings, firstPlace(disk(), undefined, settings)),
  ]);
});

describe('the node a disk is tied to', () => {
  const node = (name: string, hostname?: string): Node => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, ...(hostname && { labels: { 'kubernetes.io/hostname': hostname } }) },
  });
  const cachesWith = (one: Node, hosts?: string[][]) =>
    cachesOf(
      new Map<Resource, readonly KubeObject[]>([
        [NODE, [one]],
        [CLAIM, [claim()]],
        [VOLUME, [volume({}, hosts)]],
      ]),
    );
  test.each<[string, Node, string[][] | undefined, string | undefined]>([
    ['is found by its hostname', node('i-0a1b', 'node-a'), [['node-a']], 'i-0a1b'],
    ['even if that is its name', node('node-a', 'node-a'), [['node-a']], 'node-a'],
    ['or it bears no such label', node('node-a'), [['node-a']], 'node-a'],
    ['is named by its hostname once it is gone', node('i-0c2d', 'node-c'), [['node-a']], 'node-a'],
    ['is the one that every way of reaching it names', node('i-0a1b', 'node-a'), [['node-a'], ['node-a']], 'i-0a1b'],
    ['is none of several', node('i-0a1b', 'node-a'), [['node-a'], ['node-b']], undefined],
    ['nor of two at once', node('i-0a1b', 'node-a'), [['node-a', 'node-b']], undefined],
    ['is none where the volume is everywhere', node('i-0a1b', 'node-a'), [], undefined],
  ])('%s', (_, one, hosts, name) => expect(reads.tie.find(disk(), cachesWith(one, hosts))).toBe(name));
  test('wakes the disk when it comes and when it goes, and not by its heartbeats', () => {
    const bare = volume();
    const one = node('i-0a1b', 'node-a');
    const claimRef = { namespace: 'org-acme', name: 'data-disk' };
    const caches = cachesOf(new Map([[VOLUME, [{ ...bare, spec: { ...bare.spec, claimRef } }]]]));
    const woken = (change: { before?: Node; after?: Node }) => reads.tie.wakes?.(change as never, caches);
    expect(woken({ after: one })).toEqual([{ namespace: 'org-acme', name: 'data' }]);
    expect(woken({ before: one })).toEqual([{ namespace: 'org-acme', name: 'data' }]);
    expect(woken({ before: one, after: one })).toEqual([]);
    expect(woken({ after: node('i-0c2d', 'node-c') })).toEqual([]);
  });
});
