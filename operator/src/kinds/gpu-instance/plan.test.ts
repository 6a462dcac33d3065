import {
  gpuInstance as facts,
  type GpuInstanceSpec,
  type GpuInstanceStatus,
} from '@gantry/contract/kinds/gpu-instance.ts';
import { RUN_FIELDS } from '@gantry/contract/kinds/gpu-instance-schema.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { describe, expect, test } from '@jest/globals';
import { runHash } from './desired.ts';
import { at, gpuInstance, home, lease, node, pod, quotaOf, settings } from './testing/fixtures.ts';
import { judge, type Law, laws } from './testing/laws.ts';

const DISK = { resource: 'disk', quantity: 20 };
const ran: GpuInstanceStatus = {
  phase: 'running',
  everReady: true,
  rebootCount: 0,
  run: { seq: 1, cause: 'first', readyAt: at(6) },
  intervals: [{ seq: 1, subjectUID: 'uid-pod-1', from: at(6), uses: [DISK] }],
};
const firstRun: GpuInstanceStatus = { rebootCount: 0, run: { seq: 1, cause: 'first' } };
const first = { seq: 1, cause: 'first' as const };
const rested = (settledPower: string): GpuInstanceStatus => ({
  ...ran,
  phase: settledPower === 'Stopped' ? 'stopped' : 'shutDown',
  settledPower,
  run: { seq: 1, cause: 'first', readyAt: at(6), endedAt: at(60) },
  intervals: [{ seq: 1, subjectUID: 'uid-pod-1', from: at(6), to: at(60), uses: [DISK] }],
});
const waiting = (reason: string, message = '') => ({ waiting: { reason, message } });

const unpullable = pod('placed', { main: waiting('ImagePullBackOff', 'not found') });
const gone = pod('finished', {
  deleting: true,
  main: { terminated: { exitCode: 137, reason: 'ContainerStatusUnknown', startedAt: null, finishedAt: null } },
});
const toRetry = {
  seq: 2,
  cause: 'first' as const,
  exits: 1,
  lastExit: 'NotStarted',
  lastLines: 'not found',
  of: runHash(gpuInstance().spec),
  notBefore: at(671),
};

const edited = <T extends { metadata: object }>(child: T, metadata: object): T => ({
  ...child,
  metadata: { ...child.metadata, ...metadata },
});

const roomy = {
  models: ['H100'],
  most: 8,
  free: 8,
  nodes: 1,
  fits: true,
  freeCores: 8,
  freeMemoryGi: 64,
  freeRootGi: 9,
  freePods: 9,
  ahead: 0,
};

/** SSH answered, the notebook did not. */
const open = (one: Pod): Pod => ({
  ...one,
  status: {
    ...one.status,
    containerStatuses: one.status?.containerStatuses?.map((main) => ({ ...main, started: true })) ?? [],
  },
});
const withNotebook = { spec: { notebookPort: 8888 } };
const silentNotebook = open(pod('started', withNotebook));

const unfinalized = { metadata: { finalizers: [] } };
const deadline = { spec: { activeDeadlineSeconds: 1 } };

describe('starting', () => {
  laws({
    'a new instance records its first run, then gets a home': {
      sees: { claims: [] },
      phase: 'preparing',
      reason: 'Scheduling',
      run: { seq: 1, cause: 'first' },
      creates: ['dev-home'],
    },
    'with its home there it gets a Pod': { owner: { status: firstRun }, creates: ['dev-1'] },
    'an instance made at rest gets nothing': {
      owner: { spec: { power: 'Stopped' } },
      sees: { claims: [] },
      phase: 'stopped',
      says: 'The instance has never run. Its home disk is created at the first start.',
      creates: [],
    },
    'a placed Pod is being created': {
      owner: { status: firstRun },
      sees: { pods: [pod('placed')] },
      at: 5,
      phase: 'creating',
      says: 'Node node-a is pulling the image and preparing the container.',
      creates: [],
    },
    'a container that is not ready yet counts as created': {
      owner: { status: firstRun },
      sees: { pods: [pod('started')] },
      at: 7,
      phase: 'createSuccess',
      reason: 'WaitingForReady',
    },
    'Ready opens an interval and empties the settled power': {
      owner: { status: { ...firstRun, settledPower: 'ShutDown' } },
      sees: { pods: [pod('ready')] },
      phase: 'running',
      reason: 'Running',
      health: 'normal',
      run: { seq: 1, cause: 'first', readyAt: at(6) },
      intervals: [
        {
          seq: 1,
          subjectUID: 'uid-pod-1',
          from: at(6),
          uses: [
            { resource: 'gpu', model: 'H100', quantity: 4 },
            { resource: 'cpu', quantity: 2 },
            { resource: 'memory', quantity: 4 },
          ],
        },
      ],
    },
    'an instance that was Ready stays running when its probe fails; its health says so': {
      owner: { status: ran },
      sees: { pods: [pod('started')] },
      at: 600,
      phase: 'running',
      health: 'notReady',
    },
    'more cards than are free: the numbers are said, and counted again': {
      owner: { status: firstRun },
      sees: {
        pods: [pod('unplaced')],
        stock: {
          models: ['H100'],
          most: 8,
          free: 2,
          nodes: 1,
          fits: false,
          freeCores: 9,
          freeMemoryGi: 9,
          freeRootGi: 9,
          freePods: 9,
          ahead: 3,
        },
      },
      phase: 'preparing',
      says: 'Needs 4 × H100; 2 free on 1 node; ahead of you: 3.',
      again: 17_000,
    },
    'more cards than any node has': {
      owner: { status: firstRun },
      sees: {
        pods: [pod('unplaced')],
        stock: {
          models: ['H100'],
          most: 2,
          free: 2,
          nodes: 1,
          fits: false,
          freeCores: 0,
          freeMemoryGi: 0,
          freeRootGi: 0,
          freePods: 9,
          ahead: 0,
        },
      },
      says: 'Needs 4 × H100 on one node; the largest node has 2. Choose at most 2.',
    },
    'a model that no node has': {
      owner: { status: firstRun },
      sees: {
        pods: [pod('unplaced')],
        stock: {
          models: ['A100', 'L40S'],
          most: 0,
          free: 0,
          nodes: 0,
          fits: false,
          freeCores: 0,
          freeMemoryGi: 0,
          freeRootGi: 0,
          freePods: 9,
          ahead: 0,
        },
      },
      says: 'No node has the GPU model H100. The cluster has: A100, L40S.',
    },
    'cards are free but cores are not': {
      owner: { status: firstRun },
      sees: {
        pods: [pod('unplaced')],
        stock: {
          models: ['H100'],
          most: 8,
          free: 8,
          nodes: 1,
          fits: true,
          freeCores: 0.5,
          freeMemoryGi: 64,
          freeRootGi: 9,
          freePods: 9,
          ahead: 0,
        },
      },
      reason: 'WaitingForRoom',
      says: 'Needs 2 cores and 4 GiB on one node; the node with the most room has 0.5 CPU and 64 GiB free; ahead of you: 0.',
    },
    'cores and memory are free, but the nodes’ own disks are set aside': {
      owner: { status: firstRun },
      sees: {
        pods: [pod('unplaced')],
        stock: {
          models: ['H100'],
          most: 8,
          free: 8,
          nodes: 1,
          fits: true,
          freeCores: 8,
          freeMemoryGi: 64,
          freeRootGi: 3.9,
          freePods: 9,
          ahead: 1,
        },
      },
      reason: 'WaitingForRootRoom',
      says: 'The root file system needs 4 GiB of one node’s own disk; the node with the most room has 3.9 GiB free; ahead of you: 1.',
    },
    'there is room, but no place for another Pod': {
      owner: { status: firstRun },
      sees: { pods: [pod('unplaced')], stock: { ...roomy, freePods: 0, ahead: 2 } },
      reason: 'WaitingForPlaces',
      says: 'Every node with room for it has reached its limit of Pods; ahead of you: 2.',
    },
    'there is room, but not where the home is': {
      owner: { status: firstRun },
      sees: {
        claims: [edited(home(), { annotations: { 'volume.kubernetes.io/selected-node': 'node-a' } })],
        pods: [pod('unplaced')],
        stock: {
          models: ['H100'],
          most: 8,
          free: 8,
          nodes: 1,
          fits: true,
          freeCores: 8,
          freeMemoryGi: 64,
          freeRootGi: 9,
          freePods: 9,
          ahead: 0,
        },
      },
      reason: 'HomeElsewhere',
      says: 'The home disk is on node node-a alone, where the instance cannot run now: the scheduler does not place it there. It starts as soon as it can. To move the home disk to another node, set spec.power to Hibernated, then to Running.',
    },
    ...Object.fromEntries(
      (
        [
          ['too few cards', { freeGpus: 1 }, 'it needs 4 × H100, and 1 is free'],
          ['too few cores', { freeCores: 0.5 }, 'it needs 2 cores; free: 0.5'],
          ['too little memory', { freeMemoryGi: 1 }, 'it needs 4 GiB of memory, and 1 GiB is free'],
          ['too little of its own disk', { freeRootGi: 2 }, "it needs 4 GiB of the node's own disk, and 2 GiB is free"],
          ['full of Pods', { freePods: 0 }, 'the node has reached its limit of Pods'],
          ['closed', { isOpen: false }, 'the node accepts no new instances'],
          ['gone', undefined, 'the node is not in the cluster'],
        ] as const
      ).map(([why, room, words]): [string, Law] => [
        `there is room, but the home’s node is ${why}`,
        {
          owner: { status: firstRun },
          sees: {
            claims: [edited(home(), { annotations: { 'volume.kubernetes.io/selected-node': 'node-a' } })],
            pods: [pod('unplaced')],
            stock: {
              ...roomy,
              home: {
                node: 'node-a',
                room: room && {
                  isOpen: true,
                  freeGpus: 8,
                  freeCores: 8,
                  freeMemoryGi: 64,
                  freeRootGi: 9,
                  freePods: 9,
                  ...room,
                },
              },
            },
          },
          reason: 'HomeElsewhere',
          says: `The home disk is on node node-a alone, where the instance cannot run now: ${words}. It starts as soon as it can. To move the home disk to another node, set spec.power to Hibernated, then to Running.`,
        },
      ]),
    ),
    'a Pod whose home went before anything was in it gets another': {
      owner: { status: firstRun },
      sees: { claims: [], pods: [pod('unplaced')] },
      creates: ['dev-home'],
    },
    'a storage class that is not there is named, and nothing is made': {
      owner: { spec: { homeDisk: { sizeGi: 1, storageClassName: 'fsat' } } },
      sees: { claims: [] },
      phase: 'createFailed',
      says: 'spec.homeDisk.storageClassName: there is no storage class fsat.',
      creates: [],
    },
    'a private image is waited for until it is verified, since its secret comes with it': {
      owner: { status: firstRun },
      sees: { images: { ready: undefined, verifying: {} as never } },
      reason: 'ImageBeingVerified',
      creates: [],
    },
    'a host that is not there is named, and nothing is made': {
      owner: { spec: { host: 'mine' } },
      phase: 'createFailed',
      says: 'spec.host: there is no host mine in this organisation.',
      creates: [],
    },
    'a disk that is not there is named': {
      owner: { spec: { disks: [{ name: 'data', mountPath: '/data' }] } },
      reason: 'DiskNotFound',
      creates: [],
    },
  });
});

describe('going to rest', () => {
  laws({
    'a stop ends the container in place': {
      owner: { spec: { power: 'Stopped' }, status: ran },
      sees: { pods: [pod('ready', { spec: { power: 'Stopped' } })] },
      phase: 'stopping',
      patches: [deadline],
      removes: [],
    },
    'a stop repeated changes nothing': {
      owner: { spec: { power: 'Stopped' }, status: ran },
      sees: { pods: [pod('ready', { deadline: 1 })] },
      phase: 'stopping',
      patches: [],
      removes: [],
    },
    'the end is stamped before the Pod is let go, and the instance is at rest with the same write': {
      owner: { spec: { power: 'Stopped' }, status: ran },
      sees: { pods: [pod('finished', { deadline: 1 })] },
      phase: 'stopped',
      intervals: [{ seq: 1, from: at(6), to: at(60) }],
      run: { seq: 1, cause: 'first', readyAt: at(6), endedAt: at(60) },
      patches: [unfinalized],
      removes: ['dev-1'],
    },
    'a Pod of an older run that may still run keeps it from being at rest': {
      owner: {
        spec: { power: 'Stopped' },
        status: { ...rested('Stopped'), run: { seq: 2, cause: 'first', endedAt: at(60) } },
      },
      sees: { pods: [pod('ready')] },
      phase: 'stopping',
    },
    'with the Pod gone a stopped instance is stopped': {
      owner: { spec: { power: 'Stopped' }, status: rested('Stopped') },
      phase: 'stopped',
      health: 'notReady',
    },
    'a shut-down instance is shut down': {
      owner: { spec: { power: 'ShutDown' }, status: rested('ShutDown') },
      phase: 'shutDown',
      reason: 'AtRest',
    },
    ...Object.fromEntries(
      (['Stopped', 'ShutDown', 'Hibernated'] as const).map((power): [string, Law] => [
        `${power}, with its home disk deleted by somebody else: it is not called kept`,
        {
          owner: { spec: { power }, status: rested(power) },
          sees: { claims: [] },
          says: 'The instance is not running, and its home disk was deleted outside Gantry. To get an empty one, start the instance, then hard-reboot it.',
        },
      ]),
    ),
    'a hibernated one shows as shut down, with its reason': {
      owner: { spec: { power: 'Hibernated' }, status: rested('Hibernated') },
      phase: 'shutDown',
      reason: 'Hibernated',
    },
    'from stopped to shut down nothing is left to do but to say so': {
      owner: { spec: { power: 'ShutDown' }, status: rested('Stopped') },
      phase: 'shutDown',
      settled: 'ShutDown',
      creates: [],
    },
    'a Pod that never started is removed at once': {
      owner: { spec: { power: 'Stopped' }, status: firstRun },
      sees: { pods: [pod('unplaced')] },
      phase: 'stopping',
      removes: ['dev-1'],
      patches: [],
    },
    'an unplaced Pod under deletion is over without a stamp': {
      owner: { spec: { power: 'ShutDown' }, status: firstRun },
      sees: { pods: [pod('unplaced', { deleting: true })] },
      phase: 'shutDown',
      patches: [unfinalized],
      removes: [],
    },
  });
});

describe('coming back', () => {
  laws({
    'from Stopped it resumes': {
      owner: { status: rested('Stopped') },
      phase: 'resuming',
      run: { seq: 2, cause: 'resume' },
      creates: ['dev-2'],
    },
    'from ShutDown it starts': {
      owner: { status: rested('ShutDown') },
      phase: 'starting',
      run: { seq: 2, cause: 'start' },
    },
    'from Hibernated it is restored': {
      owner: { status: rested('Hibernated') },
      phase: 'restoring',
      run: { seq: 2, cause: 'restore' },
    },
    'nothing starts while a Pod of the last run is left': {
      owner: { status: rested('Stopped') },
      sees: { pods: [pod('finished')] },
      run: { seq: 2, cause: 'resume' },
      creates: [],
    },
    'wanted again before the stop was done, it resumes without a penalty': {
      owner: { status: ran },
      sees: { pods: [pod('finished', { deadline: 1 })] },
      run: { seq: 2, cause: 'resume' },
    },
    'a new run opens a new interval after the old': {
      owner: { status: { ...rested('Stopped'), run: { seq: 2, cause: 'resume' } } },
      sees: { pods: [pod('ready', { seq: 2, conditions: [] })] },
      intervals: [
        { seq: 1, to: at(60) },
        { seq: 2, subjectUID: 'uid-pod-2' },
      ],
    },
    'a home that was deleted is not made anew, empty': {
      owner: { status: rested('Stopped') },
      sees: { claims: [] },
      phase: 'failed',
      reason: 'HomeLost',
      creates: [],
    },
    'a hard reboot accepts an empty home': {
      owner: { spec: { rebootCount: 1 }, status: rested('Stopped') },
      sees: { claims: [] },
      creates: ['dev-home'],
    },
  });
});

describe('ends that nobody asked for', () => {
  const crashed = (exits: number): GpuInstanceStatus => ({
    ...ran,
    run: { seq: 1, cause: 'first', readyAt: at(6), exits },
  });
  laws({
    'an exit starts the next run after 10 s': {
      owner: { status: ran },
      sees: { pods: [pod('finished')] },
      at: 61,
      phase: 'starting',
      run: { seq: 2, cause: 'crash', exits: 1, lastExit: 'exit code 1', notBefore: at(70) },
      intervals: [{ seq: 1, to: at(60) }],
      patches: [unfinalized],
      removes: ['dev-1'],
      again: 9000,
    },
    'the wait doubles': {
      owner: { status: crashed(2) },
      sees: { pods: [pod('finished')] },
      at: 61,
      run: expect.objectContaining({ exits: 3, notBefore: at(100) }) as object,
    },
    'the wait ends at 5 minutes': {
      owner: { status: crashed(9) },
      sees: { pods: [pod('finished')] },
      at: 61,
      run: expect.objectContaining({ notBefore: at(360) }) as object,
    },
    'a container that the kubelet lost sight of has no times, and its program no fault': {
      owner: { status: ran },
      sees: {
        pods: [
          pod('finished', {
            main: {
              terminated: { exitCode: 137, reason: 'ContainerStatusUnknown', startedAt: null, finishedAt: null },
            },
          }),
        ],
      },
      run: { seq: 2, cause: 'crash', exits: 0, lastExit: 'Lost' },
      intervals: [{ to: at(70) }],
    },
    'ten minutes of Ready forget the exits before': {
      owner: { status: crashed(4) },
      sees: { pods: [pod('finished', { main: { terminated: { exitCode: 1, finishedAt: at(606) } } })] },
      at: 610,
      run: expect.objectContaining({ exits: 1, notBefore: at(616) }) as object,
    },
    'no Pod is made while the wait lasts': {
      owner: {
        status: { ...ran, run: { seq: 2, cause: 'crash', exits: 1, lastExit: 'exit code 1', notBefore: at(90) } },
      },
      creates: [],
      says: `The program ended: exit code 1. The next start is at ${at(90)}.`,
      again: 20_000,
    },
    'three exits of an instance that was never Ready: creation failed': {
      owner: {
        status: {
          rebootCount: 0,
          run: { seq: 4, cause: 'crash', exits: 3, lastExit: 'exit code 127', notBefore: at(90) },
        },
      },
      phase: 'createFailed',
      says: `The program ended 3 times in a row, last with exit code 127: the image has no such command. The next start is at ${at(90)}.`,
    },
    'three exits, and the next start is under way': {
      owner: {
        status: {
          rebootCount: 0,
          run: { seq: 4, cause: 'crash', exits: 3, lastExit: 'exit code 1', notBefore: at(60) },
        },
      },
      phase: 'createFailed',
      says: 'The program ended 3 times in a row, last with exit code 1. It is being started again.',
    },
    'three exits of one that was: failed': {
      owner: { status: { ...ran, run: { seq: 4, cause: 'crash', exits: 3, lastExit: 'exit code 1' } } },
      phase: 'failed',
    },
    'out of memory: failed until it is Ready again': {
      owner: { status: ran },
      sees: {
        pods: [pod('finished', { main: { terminated: { exitCode: 137, reason: 'OOMKilled', finishedAt: at(60) } } })],
      },
      phase: 'failed',
      says: `The program used more than its 4 GiB of memory and was killed (exit code 137); the next start is at ${at(70)}. Raise spec.memoryGi, or make the program use less.`,
    },
    'out of memory before it was ever Ready: it starts again': {
      owner: { status: { rebootCount: 0, run: { seq: 2, cause: 'crash', exits: 1, lastExit: 'OOMKilled' } } },
      phase: 'starting',
      reason: 'OutOfMemory',
    },
    'an eviction starts the next run at once': {
      owner: { status: ran },
      sees: { pods: [pod('finished', { reason: 'Evicted' })] },
      phase: 'failed',
      run: { seq: 2, cause: 'crash', exits: 0, lastExit: 'Evicted' },
    },
    'labels edited by hand come back, on the Pod and on the home': {
      owner: { status: ran },
      sees: { pods: [edited(pod('ready'), { labels: {} })], claims: [edited(home(), { labels: {} })] },
      phase: 'running',
      patches: [
        { metadata: { labels: pod('ready').metadata.labels } },
        { metadata: { labels: home().metadata.labels } },
      ],
    },
    'so does the finalizer that holds a Pod until its end is written down': {
      owner: { status: ran },
      sees: { pods: [edited(pod('ready'), { finalizers: ['other'] })] },
      patches: [{ metadata: { finalizers: ['other', 'gantry.dev/metered'] } }],
    },
    'a Pod deleted by hand is waited for, then replaced at once': {
      owner: { status: ran },
      sees: { pods: [pod('finished', { deleting: true })] },
      phase: 'starting',
      run: { seq: 2, cause: 'crash', exits: 0, lastExit: 'Deleted' },
      patches: [unfinalized],
      removes: [],
    },
    'a Pod that vanished closes the interval and the run': {
      owner: { status: ran },
      run: { seq: 2, cause: 'crash', exits: 0, lastExit: 'Lost' },
      intervals: [{ seq: 1, to: at(70) }],
    },
    'a Pod of a run that never began is simply made again': {
      owner: { status: firstRun },
      run: { seq: 1, cause: 'first' },
      creates: ['dev-1'],
    },
    'a node that would not even begin is not offered a new Pod without pause': {
      owner: { status: firstRun },
      sees: { pods: [pod('finished', { reason: 'OutOfcpu', main: waiting('ContainerCreating') })] },
      run: { seq: 2, cause: 'crash', exits: 1, lastExit: 'OutOfcpu', notBefore: at(80) },
      says: `The node rejected the container (OutOfcpu); the next attempt is at ${at(80)}.`,
    },
    'nor is one that throws it out before it was Ready': {
      owner: { status: firstRun },
      sees: { pods: [pod('finished', { reason: 'Evicted' })] },
      run: { seq: 2, cause: 'crash', exits: 1, lastExit: 'Evicted', notBefore: at(70) },
    },
    'a run that came and went unseen is billed from its start': {
      owner: { status: firstRun },
      sees: {
        pods: [pod('finished', { main: { terminated: { exitCode: 0, startedAt: at(5), finishedAt: at(60) } } })],
      },
      intervals: [{ seq: 1, from: at(5), to: at(60) }],
    },
    'one that ended at once is not': {
      owner: { status: firstRun },
      sees: {
        pods: [pod('finished', { main: { terminated: { exitCode: 1, startedAt: at(59), finishedAt: at(60) } } })],
      },
      billed: 0,
    },
    'an edit before Ready does not change what the old Pod is billed for': {
      owner: { spec: { cores: 64, gpu: { model: 'A100', count: 8 } }, status: firstRun },
      sees: { pods: [pod('ready')] },
      intervals: [
        {
          uses: [
            { resource: 'gpu', model: 'H100', quantity: 4 },
            { resource: 'cpu', quantity: 2 },
            { resource: 'memory', quantity: 4 },
          ],
        },
      ],
    },
    'a restart in the last ten minutes is abnormal': {
      owner: { status: { ...ran, run: { seq: 2, cause: 'crash', readyAt: at(6) } } },
      sees: { pods: [pod('ready', { seq: 2 })] },
      phase: 'running',
      health: 'abnormal',
      again: 536_000,
    },
  });
});

describe('edits and hard reboots', () => {
  laws({
    'another image replaces the Pod': {
      owner: { spec: { image: 'a/b:2' }, status: ran },
      sees: { pods: [pod('ready')] },
      phase: 'update',
      reason: 'Ending',
      patches: [deadline],
    },
    'its next run is an update': {
      owner: { spec: { image: 'a/b:2' }, status: ran },
      sees: { pods: [pod('finished', { deadline: 1 })] },
      phase: 'update',
      run: { seq: 2, cause: 'update' },
    },
    'a Pod that lost its note of what it was made from is left alone': {
      owner: { status: ran },
      sees: { pods: [edited(pod('ready'), { annotations: { 'gantry.dev/ssh-keys': '' } })] },
      phase: 'running',
      patches: [],
    },
    'keys and ports do not restart': {
      owner: {
        spec: { ports: [{ port: 80 }], sshKeys: [{ remark: 'a', publicKey: 'ssh-ed25519 AAAA' }] },
        status: ran,
      },
      sees: { pods: [pod('ready')] },
      phase: 'running',
      patches: [],
    },
    'a hard reboot deletes with a grace of one second': {
      owner: { spec: { rebootCount: 1 }, status: ran },
      sees: { pods: [pod('ready')] },
      phase: 'hard_rebooting',
      removes: ['dev-1'],
    },
    'its next run says so and settles the counter': {
      owner: { spec: { rebootCount: 1 }, status: ran },
      sees: { pods: [pod('finished', { deleting: true })] },
      phase: 'hard_rebooting',
      run: { seq: 2, cause: 'hardReboot' },
    },
    'a larger home grows its claim': {
      owner: { spec: { homeDisk: { sizeGi: 40 } }, status: ran },
      sees: { pods: [pod('ready')] },
      patches: [{ spec: { resources: { requests: { storage: '40Gi' } } } }],
    },
  });

  test('the grace of a hard reboot is 1, never 0', () => {
    const { remove } = judge({ owner: { spec: { rebootCount: 1 }, status: ran }, sees: { pods: [pod('ready')] } });
    expect(remove?.[0]?.gracePeriodSeconds).toBe(1);
  });
});

describe('obstacles to its start', () => {
  const stuck = (reason: string, message?: string): Law => ({
    owner: { status: firstRun },
    sees: { pods: [pod('placed', { main: waiting(reason, message) })] },
    at: 5,
  });
  laws({
    'an image that cannot be pulled': {
      ...stuck('ImagePullBackOff', 'failed to pull: manifest unknown: not found'),
      phase: 'createFailed',
      says: 'The image pytorch/pytorch:2.4.0 cannot be pulled: manifest unknown: not found',
    },
    'an image that is told of by the whole of its name': {
      ...stuck('ErrImagePull', 'rpc error: failed to resolve: docker.io/pytorch/pytorch:2.4.0: not found'),
      says: 'The image pytorch/pytorch:2.4.0 cannot be pulled: not found',
    },
    'a container that cannot be made': {
      ...stuck('CreateContainerConfigError', 'no such key'),
      phase: 'createFailed',
      reason: 'BadConfig',
    },
    'the same after it was Ready once: failed': {
      owner: { status: { ...ran, run: { seq: 2, cause: 'resume' } } },
      sees: { pods: [pod('placed', { seq: 2, main: waiting('ErrImagePull', 'x') })] },
      phase: 'failed',
    },
    'a quota refusal, with its numbers': {
      owner: { status: firstRun },
      with: {
        refusals: [
          {
            kind: 'Pod',
            name: 'dev-1',
            reason: 'Forbidden',
            message:
              'pods "dev-1" is forbidden: exceeded quota: tenants, requested: pods=1, used: pods=3, limited: pods=3',
          },
        ],
      },
      phase: 'createFailed',
      says: "The organisation's quota does not allow it: pods: 1 requested, 3 of 3 in use. Request less, release what is not needed, or ask the provider for a larger quota.",
    },
    'a refused home: no Pod is made that would wait for it': {
      owner: { status: firstRun },
      sees: { claims: [] },
      with: {
        refusals: [{ kind: 'PersistentVolumeClaim', name: 'dev-home', reason: 'Forbidden', message: 'too large' }],
      },
      phase: 'createFailed',
      reason: 'Refused',
      creates: ['dev-home'],
    },
    'a home that cannot grow keeps nobody from running': {
      owner: { spec: { homeDisk: { sizeGi: 40 } }, status: ran },
      sees: { pods: [pod('ready')] },
      with: {
        refusals: [{ kind: 'PersistentVolumeClaim', name: 'dev-home', reason: 'Forbidden', message: 'no room' }],
      },
      phase: 'running',
      condition: { type: 'HomeGrown', status: 'False', reason: 'HomeNotGrown' },
    },
    'a name that another object has': {
      owner: { status: firstRun },
      with: { refusals: [{ kind: 'Pod', name: 'dev-1', reason: 'AlreadyExists', message: '' }] },
      says: 'Another object already has the name dev-1. Delete it, or give the instance another name.',
    },
    'not Ready 15 minutes after it was placed': {
      owner: { status: firstRun },
      sees: { pods: [pod('placed')] },
      at: 15 * 60 + 3,
      phase: 'createTimeout',
      says: 'The instance was not ready 15 minutes after it was assigned a node. It keeps trying; a hard reboot starts over.',
    },
    'an image that cannot be pulled: since when is noted': {
      owner: { status: firstRun },
      sees: { pods: [unpullable] },
      at: 70,
      phase: 'createFailed',
      run: { ...first, stuckSince: at(70) },
      again: 5 * 60_000,
    },
    'after five minutes its Pod goes, and its GPUs with it': {
      owner: { status: { ...firstRun, run: { ...first, stuckSince: at(70) } } },
      sees: { pods: [unpullable] },
      at: 370,
      phase: 'createFailed',
      run: { ...first, stuckSince: at(70), lastLines: 'not found', freedAt: at(370) },
      removes: ['dev-1'],
      billed: 0,
    },
    'it is tried again later': {
      owner: {
        status: { ...firstRun, run: { ...first, stuckSince: at(70), lastLines: 'not found', freedAt: at(370) } },
      },
      sees: { pods: [gone] },
      at: 371,
      phase: 'createFailed',
      says: 'The container cannot be started, so its GPUs were released: not found. The next try is at 2026-01-01T00:11:11Z; an edit is tried at once.',
      run: {
        seq: 2,
        cause: 'first',
        exits: 1,
        lastExit: 'NotStarted',
        lastLines: 'not found',
        of: runHash(gpuInstance().spec),
        notBefore: at(671),
      },
    },
    'until then nothing is made': {
      owner: { status: { ...firstRun, run: toRetry } },
      at: 400,
      phase: 'createFailed',
      creates: [],
    },
    'an edit is tried at once': {
      owner: { status: { ...firstRun, run: toRetry }, spec: { image: 'other/image:1' } },
      sees: { claims: [home()] },
      at: 400,
      creates: ['dev-2'],
    },
    'a container that has not started half an hour after it was placed gives its GPUs back': {
      owner: { status: firstRun },
      sees: { pods: [pod('placed')] },
      at: 30 * 60 + 3,
      removes: ['dev-1'],
    },
    'a container that runs is billed, and goes on': {
      owner: { status: firstRun },
      sees: { pods: [pod('started')] },
      at: 3600,
      removes: [],
    },
    'a model that no node of the pool has: nothing is made, and no credit is held': {
      owner: { status: firstRun },
      sees: { cards: new Map([['A100', 8]]) },
      phase: 'preparing',
      says: 'No node has the GPU model H100. The cluster has: A100.',
      creates: [],
      condition: { type: 'CanStart', status: 'False', reason: 'UnknownGpuModel' },
    },
    'a Pod that waits for such a model goes': {
      owner: { status: firstRun },
      sees: { pods: [pod('unplaced')], cards: new Map([['H100', 2]]) },
      reason: 'TooManyGpus',
      removes: ['dev-1'],
    },
    'more cards than the quota of its organisation allows: nothing is made, and no credit is held': {
      owner: { status: firstRun },
      sees: { quota: quotaOf({ gpus: 3 }) },
      phase: 'createFailed',
      says: "The organisation's quota does not allow it: 4 GPUs are requested, and 0 of the 3 GPUs that it may use are in use. Request less, release what is not needed, or ask the provider for a larger quota.",
      creates: [],
      condition: { type: 'CanStart', status: 'False', reason: 'QuotaExceeded' },
    },
    'more memory than the quota of its organisation allows': {
      owner: { status: firstRun },
      sees: { quota: quotaOf({ gpus: 4, memory: '3Gi' }) },
      phase: 'createFailed',
      creates: [],
      condition: { type: 'CanStart', status: 'False', reason: 'QuotaExceeded' },
    },
    'a host of its own does not widen the quota': {
      owner: { spec: { host: 'box' }, status: firstRun },
      sees: { quota: quotaOf({ gpus: 0 }), host: undefined },
      creates: [],
      condition: { type: 'CanStart', status: 'False', reason: 'QuotaExceeded' },
    },
    'a quota that others of the organisation use up may get free: that is tried': {
      owner: { status: firstRun },
      sees: { quota: quotaOf({ gpus: 4, used: 4 }), claims: [home()] },
      creates: ['dev-1'],
      phase: 'preparing',
    },
    'a Pod that was let in before the quota was lowered stays': {
      owner: { status: firstRun },
      sees: { quota: quotaOf({ gpus: 3 }), pods: [pod('unplaced')] },
      phase: 'preparing',
      removes: [],
    },
    'an instance at rest says nothing of its quota': {
      owner: {
        spec: { power: 'Stopped' },
        status: { ...ran, settledPower: 'Stopped', run: { ...first, endedAt: at(60) } },
      },
      sees: { quota: quotaOf({ gpus: 0 }), claims: [home()] },
      phase: 'stopped',
    },
    'queueing is not counted': {
      owner: { status: firstRun },
      sees: { pods: [pod('unplaced')] },
      at: 3600,
      phase: 'preparing',
    },
    'a notebook that stays silent for a minute': {
      owner: { spec: { notebookPort: 8888 }, status: firstRun },
      sees: { pods: [pod('started', { spec: { notebookPort: 8888 } })] },
      at: 66,
      phase: 'networkTimeout',
      says: 'Port 8888 did not answer for 60 seconds. The container is running and is billed.',
    },
    'a notebook that stays silent beside an SSH server that answers': {
      owner: { spec: { notebookPort: 8888 }, status: { ...firstRun, run: { ...first, answeredAt: at(6) } } },
      sees: { pods: [silentNotebook] },
      at: 66,
      phase: 'networkTimeout',
      says: 'Port 8888 did not answer for 60 seconds. The container can be used, and has been billed since login became possible.',
      condition: { type: 'Ready', status: 'False' },
    },
    'a sandbox that does not come for a minute': {
      owner: { status: firstRun },
      sees: {
        pods: [
          pod('placed', {
            conditions: [{ type: 'PodReadyToStartContainers', status: 'False', lastTransitionTime: at(3) }],
          }),
        ],
      },
      at: 64,
      phase: 'networkTimeout',
      reason: 'NetworkFailed',
    },
  });
});

const givenUpAt = (seconds: number): Pod => {
  const conditions = [{ type: 'Ready', status: 'False', lastTransitionTime: at(seconds) }];
  const silent = pod('started');
  return { ...silent, status: { ...silent.status, conditions } };
};

describe('a lost node', () => {
  const lost = { pods: [pod('ready')], node: node('Unknown', 50), lease: lease(40) };
  laws({
    'pauses billing at its last heartbeat and touches nothing': {
      owner: { status: ran },
      sees: lost,
      phase: 'lost_contact',
      reason: 'NodeLost',
      health: 'notReady',
      intervals: [{ seq: 1, to: at(40) }],
      creates: [],
      removes: [],
      patches: [],
    },
    'collected long after the last heartbeat: billed until the heartbeat': {
      owner: { status: ran },
      sees: { pods: [pod('finished', { deleting: true, main: { running: {} } })], node: undefined, lease: lease(20) },
      intervals: [{ seq: 1, to: at(20) }],
    },
    'a wish is recorded and waits': {
      owner: { spec: { power: 'ShutDown' }, status: ran },
      sees: lost,
      phase: 'lost_contact',
      reason: 'WaitsForNode',
      patches: [],
      removes: [],
    },
    'back again, the same Pod is billed from then on': {
      owner: {
        status: { ...ran, intervals: [{ seq: 1, subjectUID: 'uid-pod-1', from: at(6), to: at(40), uses: [DISK] }] },
      },
      sees: { pods: [pod('ready')], node: node('True', 55) },
      phase: 'running',
      intervals: [
        { seq: 1, to: at(40) },
        { seq: 2, from: at(55) },
      ],
    },
    'a clock that stepped back gives no negative interval': {
      owner: { status: ran },
      sees: { ...lost, lease: lease(-3600) },
      intervals: [{ from: at(6), to: at(6) }],
    },
    'a node that went with its heartbeats while nobody looked: billed until the Pod was given up': {
      owner: { status: ran },
      at: 9000,
      sees: { pods: [givenUpAt(30)], node: undefined },
      phase: 'lost_contact',
      intervals: [{ seq: 1, to: at(30) }],
    },
    'a node that is gone for good: the Pod was collected, the next run starts at once': {
      owner: { status: ran },
      sees: {
        pods: [
          pod('finished', {
            deleting: true,
            conditions: [{ type: 'DisruptionTarget', status: 'True', reason: 'DeletionByPodGC' }],
            main: { running: {} },
          }),
        ],
        node: undefined,
      },
      phase: 'starting',
      reason: 'NodeGone',
      run: { seq: 2, cause: 'crash', exits: 0, lastExit: 'NodeGone' },
      intervals: [{ seq: 1, to: at(50) }],
    },
  });
});

describe('a run whose notebook stays silent', () => {
  const answeredRun = { ...first, answeredAt: at(7) };
  const silent = { ...withNotebook, status: { ...firstRun, run: answeredRun } };
  const used = { ...silent.status, intervals: [{ seq: 1, subjectUID: 'uid-pod-1', from: at(7), uses: [DISK] }] };
  const ended = (endedAt: number): Pod =>
    pod('finished', {
      ...withNotebook,
      main: { terminated: { exitCode: 0, startedAt: at(5), finishedAt: at(endedAt) } },
    });
  laws({
    'it is noted when one could first log in': {
      owner: { ...withNotebook, status: firstRun },
      sees: { pods: [silentNotebook] },
      at: 7,
      phase: 'createSuccess',
      run: answeredRun,
      billed: 0,
      again: 58_000,
    },
    'nothing is noted before SSH answers': {
      owner: { ...withNotebook, status: firstRun },
      sees: { pods: [pod('started', withNotebook)] },
      at: 7,
      run: first,
    },
    'nor on a node that is lost': {
      owner: { ...withNotebook, status: firstRun },
      sees: { pods: [silentNotebook], node: node('Unknown') },
      at: 7,
      run: first,
    },
    'within the first minute nothing is billed': { owner: silent, sees: { pods: [silentNotebook] }, at: 64, billed: 0 },
    'after it the run is billed since one could log in, and is not called Ready': {
      owner: silent,
      sees: { pods: [silentNotebook] },
      at: 65,
      phase: 'networkTimeout',
      reason: 'NotebookSilent',
      health: 'notReady',
      run: answeredRun,
      intervals: [{ seq: 1, subjectUID: 'uid-pod-1', from: at(7) }],
      condition: { type: 'Ready', status: 'False' },
    },
    'Ready within a minute: billed from Ready': {
      owner: silent,
      sees: { pods: [open(pod('ready', { ...withNotebook, conditions: [] }))] },
      at: 10,
      run: { ...answeredRun, readyAt: at(6) },
      intervals: [{ from: at(6) }],
    },
    'Ready at last: the interval goes on': {
      owner: { ...withNotebook, status: used },
      sees: { pods: [open(pod('ready', withNotebook))] },
      at: 500,
      phase: 'running',
      intervals: [{ seq: 1, from: at(7) }],
      billed: 1,
    },
    'its end closes the interval': {
      owner: { ...withNotebook, status: used },
      sees: { pods: [ended(100)] },
      at: 101,
      intervals: [{ seq: 1, from: at(7), to: at(100) }],
      billed: 1,
    },
    'one that came and went unseen is billed from its start': {
      owner: { ...withNotebook, status: firstRun },
      sees: { pods: [ended(65)] },
      at: 101,
      intervals: [{ seq: 1, from: at(5), to: at(65) }],
    },
    'unless it ended within the minute': {
      owner: { ...withNotebook, status: firstRun },
      sees: { pods: [ended(64)] },
      at: 101,
      billed: 0,
    },
    'nor is one billed that had answered and ended within it': {
      owner: silent,
      sees: { pods: [ended(64)] },
      at: 101,
      billed: 0,
    },
    'a node that came back meanwhile: from then': {
      owner: silent,
      sees: { pods: [silentNotebook], node: node('True', 40) },
      at: 70,
      intervals: [{ seq: 1, from: at(40) }],
    },
    'a Pod that vanished is not made again in the same run': {
      owner: { ...withNotebook, status: used },
      at: 200,
      run: { seq: 2, cause: 'crash', lastExit: 'Lost', exits: 1, notBefore: at(210) },
      creates: [],
    },
    'out of credit it hibernates like any other': {
      owner: {
        ...withNotebook,
        status: {
          ...used,
          conditions: [
            {
              type: 'CreditReserved',
              status: 'False',
              observedGeneration: 1,
              reason: 'OutOfCredit',
              message: '',
              lastTransitionTime: at(0),
            },
          ],
        },
      },
      sees: { pods: [silentNotebook] },
      with: { settings: { ...settings, creditGate: 'required' } },
      phase: 'hibernating',
      patches: [deadline],
    },
    'its home is not silently made anew': {
      owner: {
        ...withNotebook,
        status: { ...used, run: { ...answeredRun, endedAt: at(90) }, settledPower: 'Stopped' },
      },
      sees: { claims: [] },
      reason: 'HomeLost',
      creates: [],
    },
  });
});

describe('a run that nothing ever calls Ready', () => {
  const isOut: GpuInstanceStatus['conditions'] = [
    {
      type: 'CreditReserved',
      status: 'False',
      observedGeneration: 1,
      reason: 'OutOfCredit',
      message: '',
      lastTransitionTime: at(0),
    },
  ];
  const gate = { settings: { ...settings, creditGate: 'required' as const } };
  const silent = pod('started');
  const used = { ...firstRun, intervals: [{ seq: 1, subjectUID: 'uid-pod-1', from: at(65), uses: [DISK] }] };
  laws({
    'is free for its first minute': {
      owner: { status: firstRun },
      sees: { pods: [silent] },
      at: 64,
      billed: 0,
      again: 1000,
    },
    'is billed from its 60th second, however late that is seen': {
      owner: { status: firstRun },
      sees: { pods: [silent] },
      at: 3600,
      phase: 'createTimeout',
      run: first,
      intervals: [{ seq: 1, subjectUID: 'uid-pod-1', from: at(65) }],
    },
    'says what it waits for while it is billed': {
      owner: { status: firstRun },
      sees: { pods: [silent] },
      at: 66,
      phase: 'networkTimeout',
      says: 'Port 22 did not answer for 60 seconds. The container is running and is billed.',
    },
    'with a notebook too, if SSH is silent as well': {
      owner: { ...withNotebook, status: firstRun },
      sees: { pods: [pod('started', withNotebook)] },
      at: 3600,
      intervals: [{ from: at(65) }],
    },
    'Ready after hours that nobody watched: billed from its 60th second': {
      owner: { status: firstRun },
      sees: {
        pods: [
          {
            ...pod('ready'),
            status: {
              ...pod('ready').status,
              conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: at(3000) }],
            },
          },
        ],
      },
      at: 3600,
      phase: 'running',
      intervals: [{ from: at(65) }],
    },
    'on a node that came back meanwhile: from then': {
      owner: { status: firstRun },
      sees: { pods: [silent], node: node('True', 400) },
      at: 3600,
      intervals: [{ from: at(400) }],
    },
    'on a node with a fault that it had before it came back: from then': {
      owner: { status: firstRun },
      sees: {
        pods: [silent],
        node: {
          ...node(),
          status: {
            conditions: [
              { type: 'GpuFault', status: 'False', lastTransitionTime: at(2000) },
              { type: 'Ready', status: 'True', lastTransitionTime: at(400) },
            ],
          },
        },
      },
      at: 3600,
      intervals: [{ from: at(400) }],
    },
    'on a node that is lost: not now': {
      owner: { status: firstRun },
      sees: { pods: [silent], node: node('Unknown') },
      at: 3600,
      billed: 0,
    },
    'whose container never started is free': {
      owner: { status: firstRun },
      sees: { pods: [pod('placed')] },
      at: 3600,
      phase: 'createTimeout',
      billed: 0,
    },
    'whose container exits at once, again and again, is free': {
      owner: { status: { ...firstRun, run: { seq: 1, cause: 'crash', exits: 4 } } },
      sees: { pods: [pod('finished', { main: { terminated: { exitCode: 1, startedAt: at(5), finishedAt: at(9) } } })] },
      at: 3600,
      billed: 0,
    },
    'given up by its node in the first minute is free while its end is awaited': {
      owner: { status: { ...firstRun, run: { ...first, givenUpAt: at(60) } } },
      sees: { pods: [{ ...silent, status: { ...silent.status, phase: 'Failed' } }] },
      at: 70,
      billed: 0,
    },
    'its end closes the interval': {
      owner: { status: used },
      sees: {
        pods: [pod('finished', { main: { terminated: { exitCode: 0, startedAt: at(5), finishedAt: at(100) } } })],
      },
      at: 101,
      intervals: [{ seq: 1, from: at(65), to: at(100) }],
      billed: 1,
    },
    'a Pod that vanished closes it, too': {
      owner: { status: used },
      at: 200,
      run: first,
      intervals: [{ seq: 1, from: at(65), to: at(200) }],
    },
    'out of credit it hibernates like any other': {
      owner: { status: { ...used, conditions: isOut } },
      sees: { pods: [silent] },
      with: gate,
      phase: 'hibernating',
      patches: [deadline],
    },
    'out of credit within its first minute it goes on until that is over': {
      owner: { status: { ...firstRun, conditions: isOut } },
      sees: { pods: [silent] },
      at: 64,
      with: gate,
      patches: [],
    },
  });
});

describe('the credit gate', () => {
  const gate = { settings: { ...settings, creditGate: 'required' as const } };
  const reserved = (
    status: 'True' | 'False',
    observedGeneration: number,
    until: number,
    reason = 'Reserved',
  ): GpuInstanceStatus => ({
    ...firstRun,
    credit: { until: at(until) },
    conditions: [
      { type: 'CreditReserved', status, observedGeneration, reason, message: '', lastTransitionTime: at(0) },
    ],
  });
  laws({
    'without a reservation nothing is made': {
      owner: { status: firstRun },
      with: gate,
      phase: 'preparing',
      reason: 'WaitingForCredit',
      creates: [],
    },
    'of another generation: nothing': { owner: { status: reserved('True', 0, 500) }, with: gate, creates: [] },
    'expired: nothing': { owner: { status: reserved('True', 1, 10) }, with: gate, creates: [] },
    'reserved: the Pod': { owner: { status: reserved('True', 1, 500) }, with: gate, creates: ['dev-1'] },
    'stale while running: it runs on': {
      owner: { status: { ...reserved('True', 0, 10), ...ran } },
      sees: { pods: [pod('ready')] },
      with: gate,
      phase: 'running',
      patches: [],
      removes: [],
    },
    'an edit that is not paid for yet: the old container runs on': {
      owner: { spec: { cores: 8 }, generation: 2, status: { ...reserved('True', 1, 500), ...ran } },
      sees: { pods: [pod('ready')] },
      with: gate,
      phase: 'update',
      reason: 'WaitingForCredit',
      patches: [],
      removes: [],
    },
    'nor does a hard reboot end what could not begin again': {
      owner: { spec: { rebootCount: 1 }, generation: 2, status: { ...reserved('True', 1, 500), ...ran } },
      sees: { pods: [pod('ready')] },
      with: gate,
      phase: 'hard_rebooting',
      reason: 'WaitingForCredit',
      patches: [],
      removes: [],
    },
    'a word of billing from before the gate was opened counts for nothing': {
      owner: { status: { ...reserved('False', 1, 10, 'OutOfCredit'), ...ran } },
      sees: { pods: [pod('ready')] },
      phase: 'running',
      patches: [],
    },
    'a new one without credit says so': {
      owner: { status: { ...reserved('False', 1, 10, 'OutOfCredit') } },
      with: gate,
      reason: 'OutOfCredit',
      creates: [],
    },
    'out of credit while running: it hibernates, whatever the tenant wants': {
      owner: { status: { ...reserved('False', 1, 10, 'OutOfCredit'), ...ran } },
      sees: { pods: [pod('ready')] },
      with: gate,
      phase: 'hibernating',
      patches: [deadline],
    },
    'at rest for want of credit, it says so': {
      owner: { status: { ...reserved('False', 1, 10, 'OutOfCredit'), ...rested('Hibernated') } },
      with: gate,
      phase: 'shutDown',
      reason: 'OutOfCredit',
      creates: [],
    },
    'paid again, the untouched wish decides': {
      owner: { status: { ...reserved('True', 1, 500), ...rested('Hibernated') } },
      with: gate,
      phase: 'restoring',
      creates: ['dev-2'],
    },
    'fifty runs unposted: the next does not start': {
      owner: {
        status: {
          ...reserved('True', 1, 500),
          intervals: Array.from({ length: 50 }, (_, i) => ({
            seq: i + 1,
            subjectUID: 'x',
            from: at(i),
            to: at(i),
            uses: [DISK],
          })),
        },
      },
      with: gate,
      reason: 'UsageNotPosted',
      creates: [],
    },
  });

  test('only what billing posted is dropped', () => {
    const intervals = Array.from({ length: 50 }, (_, i) => ({
      seq: i + 1,
      subjectUID: 'x',
      from: at(0),
      to: at(0),
      uses: [DISK],
    }));
    const status = { ...reserved('True', 1, 500), intervals, credit: { until: at(500), postedSeq: 1 } };
    const plan = judge({ owner: { status }, sees: { pods: [pod('ready')] }, with: gate });
    expect(plan.status?.intervals?.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, i) => i + 2));
  });
});

describe('release', () => {
  laws({
    'a running Pod ends in place first': {
      owner: { deleting: true, status: ran },
      sees: { pods: [pod('ready')] },
      phase: 'releasing',
      patches: [deadline],
      removes: [],
    },
    'then the home goes': { owner: { deleting: true, status: rested('ShutDown') }, removes: ['dev-home'] },
    'a home on its way out is not deleted twice': {
      owner: { deleting: true, status: rested('ShutDown') },
      sees: { claims: [home(true)] },
      removes: [],
    },
  });

  test('with nothing left the finalizer is dropped', () => {
    expect(judge({ owner: { deleting: true, status: rested('ShutDown') }, sees: { claims: [] } }).finalizer).toBe(
      'drop',
    );
  });

  test('as long as a child is left it is kept', () => {
    expect(
      judge({ owner: { deleting: true, status: rested('ShutDown') }, sees: { claims: [home(true)] } }).finalizer,
    ).toBe('keep');
  });
});

test('every reason that a plan gives has words', () => {
  expect(Object.keys(facts.reasons)).toContain(judge({}).status?.reason);
});

test("a Pod's note of its inputs is the same in every version: another would restart every instance", () => {
  expect(runHash(gpuInstance().spec)).toBe('39ebd3832a179889');
  expect(runHash({ ...gpuInstance().spec, sshKeys: [], ports: [{ port: 80 }] })).toBe('39ebd3832a179889');
});

test('whoever edits is told that a restart follows exactly where one does', () => {
  const changed: Required<Omit<GpuInstanceSpec, 'creator' | 'startedBy' | 'power' | 'rebootCount'>> = {
    displayName: 'other',
    image: 'library/other:1',
    command: ['sleep', '1'],
    expandCommand: true,
    gpu: { model: 'Other', count: 2 },
    cores: 3,
    memoryGi: 5,
    host: 'other',
    idle: { does: 'Act', afterMinutes: 30 },
    homeDisk: { sizeGi: 30 },
    disks: [{ name: 'other', mountPath: '/mnt/other' }],
    env: [{ name: 'OTHER', value: '1' }],
    ports: [{ port: 81 }],
    notebookPort: 8889,
    notebookTokenCount: 1,
    sshKeys: [{ remark: 'other', publicKey: 'ssh-ed25519 AAAA' }],
  };
  const { spec } = gpuInstance();
  const restarting = Object.entries(changed).filter(
    ([field, value]) => runHash({ ...spec, [field]: value }) !== runHash(spec),
  );
  expect(restarting.map(([field]) => field).sort()).toEqual([...RUN_FIELDS].sort());
});

describe('where an image may be taken from', () => {
  const policy = (owner: Parameters<typeof gpuInstance>[0], ready?: object) => {
    const images = { ready: ready as never, verifying: undefined };
    return judge({ owner: { status: firstRun, ...owner }, sees: { images } }).create?.[0] as Pod;
  };
  const verified = { spec: { pullSecret: 'login' }, status: { digest: 'sha256:1' } };
  test.each([
    [
      'a name alone, from its registry: another tenant may have left it on the node',
      {},
      undefined,
      'Always',
      'pytorch/pytorch:2.4.0',
    ],
    ['a verified digest, from the node', {}, verified, 'IfNotPresent', 'pytorch/pytorch:2.4.0@sha256:1'],
  ] as const)('%s', (_sentence, owner, ready, imagePullPolicy, image) => {
    expect(policy(owner, ready).spec?.containers[0]).toMatchObject({ imagePullPolicy, image });
  });
  test("a private image, with its Image's secret", () => {
    expect(policy({}, verified).spec?.imagePullSecrets).toEqual([{ name: 'login' }]);
  });
});
