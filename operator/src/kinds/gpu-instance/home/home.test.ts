// The home disk over its life: saved when its instance hibernates, brought back when it wakes.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { GpuInstanceStatus } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import type { Resource } from '@gantry/kube/resource.ts';
import { describe, expect, test } from '@jest/globals';
import { CLAIM, NODE, ownedBy, PLATFORM_LEASE, VOLUME } from '../../../resources.ts';
import { cachesOf } from '../../../testing/caches-of.ts';
import { reads } from '../reads.ts';
import { agent, at, DIGEST, gpuInstance, home, keeper, pod, save, savedHome, tied } from '../testing/fixtures.ts';
import { judge, laws } from '../testing/laws.ts';
import { next, ran, rested, stopped } from '../testing/runs.ts';

describe('hibernating moves a home that is tied to one node into the registry', () => {
  const asleep = (more: GpuInstanceStatus = {}) => ({
    owner: { spec: { power: 'Hibernated' as const }, status: rested('Hibernated', more) },
  });
  const homeSave = (phase?: 'processing' | 'ready' | 'failed', more: object = {}) =>
    save(phase, { of: 'Home', ...more });
  laws({
    'first its root is saved': {
      owner: { spec: { power: 'Hibernated' }, status: ran },
      sees: { pods: [stopped], ...agent(), ...tied },
      phase: 'hibernating',
      creates: ['dev-1'],
    },
    'then a Pod of the platform holds it': {
      ...asleep(),
      sees: { ...tied },
      phase: 'hibernating',
      says: 'The home disk is on node node-a alone; it is being saved so that it can be restored on any node.',
      creates: ['dev-keep'],
      removes: [],
    },
    'which is saved once it runs': {
      ...asleep(),
      sees: { pods: [keeper()], ...agent(), ...tied },
      creates: ['dev-1-home'],
    },
    'and not before': { ...asleep(), sees: { pods: [keeper(false)], ...agent(), ...tied }, creates: [] },
    'saved: it is written down before holder and claim go': {
      ...asleep(),
      sees: { pods: [keeper()], snapshots: [homeSave('ready')], ...agent(), ...tied },
      phase: 'hibernating',
      status: { home: savedHome },
      removes: ['dev-keep'],
    },
    'the claim goes last': {
      ...asleep({ home: savedHome }),
      sees: { snapshots: [homeSave('ready')], ...tied },
      phase: 'hibernating',
      removes: ['dev-home'],
    },
    'then it rests': {
      ...asleep({ home: savedHome }),
      sees: { claims: [], snapshots: [homeSave('ready')] },
      phase: 'shutDown',
      reason: 'Hibernated',
      status: { home: savedHome },
      removes: [],
    },
    'a home that could not be saved stays, and the condition says so': {
      ...asleep(),
      sees: {
        pods: [keeper()],
        snapshots: [homeSave('failed', { status: { message: 'refused' } })],
        ...agent(),
        ...tied,
      },
      phase: 'shutDown',
      removes: ['dev-keep'],
      condition: {
        type: 'HomeTied',
        status: 'True',
        message: 'The home disk stays on node node-a because it could not be saved: refused',
      },
    },
    'so does one on a node without an agent': {
      ...asleep(),
      sees: { tie: { node: 'node-a', hasAgent: false } },
      phase: 'shutDown',
      creates: [],
      removes: [],
      condition: { type: 'HomeTied', status: 'True', reason: 'HomeOnNode' },
    },
    'one that any node can use is left where it is': { ...asleep(), phase: 'shutDown', creates: [], removes: [] },
    'a save of a holder that died is begun anew': {
      ...asleep(),
      sees: { pods: [keeper()], snapshots: [homeSave('processing', { uid: 'older' })], ...agent(), ...tied },
      creates: [],
      removes: ['dev-1-home'],
    },
    'given up half way, the home is where it was': {
      owner: { spec: { power: 'ShutDown' }, status: rested('Hibernated') },
      sees: { pods: [keeper()], snapshots: [homeSave('processing')], ...agent(), ...tied },
      phase: 'shutDown',
      removes: ['dev-1-home', 'dev-keep'],
    },
  });
});

describe('restoring brings the home back', () => {
  const waking = { owner: { status: next('restore', { home: savedHome }) } };
  const restoring = { ...home(), metadata: { ...home().metadata, annotations: { 'gantry.dev/restores': DIGEST } } };
  /** Twice the time of a creation, and a minute for each of its 20 GiB. */
  const RESTORE_S = 2 * 15 * 60 + 20 * 60;
  const IMAGE_S = 2 * 15 * 60;
  const restoringPod = (state: object, name = 'home'): Pod => {
    const one = pod('placed', { seq: 2 });
    const initContainerStatuses = [
      { name: 'agent', state: {} },
      { name, state },
    ];
    return { ...one, status: { ...one.status, initContainerStatuses } } as Pod;
  };
  laws({
    'a home in the registry is not lost; a new claim is made for it': {
      ...waking,
      sees: { claims: [] },
      phase: 'restoring',
      creates: ['dev-home'],
    },
    'one that was hibernated and deleted from the registry by nobody is there until a container started': {
      ...waking,
      sees: { claims: [restoring], pods: [pod('placed', { seq: 2 })], ...agent() },
      phase: 'restoring',
      status: { home: savedHome },
    },
    'and then its copy is not needed any more': {
      ...waking,
      sees: {
        claims: [restoring],
        pods: [pod('ready', { seq: 2 })],
        snapshots: [save('ready', { of: 'Home' })],
        ...agent(),
      },
      lacks: 'home',
      removes: ['dev-1-home'],
    },
    'woken before its claim was taken away, it goes on with that one': {
      ...waking,
      sees: { pods: [keeper()], snapshots: [save('ready', { of: 'Home' })], ...agent(), ...tied },
      lacks: 'home',
      removes: ['dev-1-home', 'dev-keep'],
      creates: [],
    },
    'asleep again before anything ran on the new claim, the registry still has it': {
      owner: {
        spec: { power: 'Hibernated' },
        status: {
          ...next('restore', { home: savedHome }),
          settledPower: 'Hibernated',
          run: { seq: 2, cause: 'restore', endedAt: at(69) },
        },
      },
      sees: { claims: [restoring], snapshots: [save('ready', { of: 'Home' })] },
      status: { home: savedHome },
      removes: ['dev-home'],
    },
    'a restore that fails is said, and tried again': {
      ...waking,
      sees: {
        claims: [restoring],
        pods: [
          {
            ...pod('finished', { seq: 2, main: {} }),
            status: {
              phase: 'Failed',
              initContainerStatuses: [{}, { name: 'home', state: { terminated: { exitCode: 3 } } }],
            } as unknown as NonNullable<Pod['status']>,
          },
        ],
      },
      phase: 'starting',
      says: `The saved home could not be restored to its new disk: it ended with exit code 3; the next try is at ${at(80)}`,
      status: { home: savedHome },
    },
    'a long restore holds its GPUs longer than an image may: a minute for each GiB': {
      ...waking,
      sees: { claims: [restoring], pods: [restoringPod({ running: { startedAt: at(10) } })] },
      at: 10 + RESTORE_S - 1,
      phase: 'restoring',
      reason: 'RestoringHome',
      again: 1000,
    },
    'one that hangs gives them back in the end': {
      ...waking,
      sees: { claims: [restoring], pods: [restoringPod({ running: { startedAt: at(10) } })] },
      at: 10 + RESTORE_S,
      run: { seq: 2, cause: 'restore', freedAt: at(10 + RESTORE_S) },
      removes: ['dev-2'],
    },
    'a step of another name is no restore, wherever it stands': {
      ...waking,
      sees: { claims: [restoring], pods: [restoringPod({ running: { startedAt: at(10) } }, 'other')] },
      at: 2 + IMAGE_S,
      run: { seq: 2, cause: 'restore', freedAt: at(2 + IMAGE_S) },
    },
    'the image has its time once the restore has ended': {
      ...waking,
      sees: {
        claims: [restoring],
        pods: [restoringPod({ terminated: { exitCode: 0, startedAt: at(10), finishedAt: at(1700) } })],
      },
      at: 2 + IMAGE_S,
      run: { seq: 2, cause: 'restore' },
      again: (1700 - 2) * 1000,
    },
    'a restore that was cut off is said, and tried again later': {
      owner: {
        status: next('restore', { home: savedHome, run: { seq: 2, cause: 'restore', freedAt: at(3010) } }),
      },
      sees: {
        claims: [restoring],
        pods: [
          {
            ...restoringPod({ terminated: { exitCode: 143, startedAt: at(10), finishedAt: at(3012) } }),
            ...{ metadata: { ...pod('finished', { seq: 2 }).metadata, deletionTimestamp: at(3010) } },
          },
        ].map((one) => ({ ...one, status: { ...one.status, phase: 'Failed' } }) as Pod),
      },
      at: 3012,
      phase: 'failed',
      says: `The saved home could not be restored to its new disk: it had not ended after 50 minutes, so its GPUs were released; the next try is at ${at(3312)}`,
      status: { home: savedHome },
    },
  });

  test('its claim has the size that is wanted by now, and names what it restores', () => {
    const owner = { spec: { homeDisk: { sizeGi: 40 } }, status: next('restore', { home: savedHome }) };
    expect(judge({ owner, sees: { claims: [] } }).create?.[0]).toMatchObject({
      metadata: { annotations: { 'gantry.dev/restores': DIGEST } },
      spec: { resources: { requests: { storage: '40Gi' } } },
    });
  });
  test('its Pod first puts the saved home there', () => {
    const [made] = judge({ ...waking, sees: { claims: [restoring] } }).create ?? [];
    const { spec } = made as Pod;
    expect(spec?.initContainers?.map(({ name }) => name)).toEqual(['agent', 'home']);
    expect(spec?.initContainers?.[1]).toMatchObject({
      image: savedHome.image,
      command: ['/gantry/bin/agent', 'restore', '/gantry-home', '/home', '--mark', DIGEST],
    });
    expect(spec?.imagePullSecrets).toEqual([{ name: 'gantry-pull' }]);
  });
});

describe("a home's node", () => {
  const matchExpressions = [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['host-of-node-a'] }];
  const spec = {
    nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } },
    claimRef: { namespace: 'org-acme', name: 'dev-home' },
  };
  const claim = home();
  claim.metadata.ownerReferences = ownedBy(gpuInstance());
  claim.spec = { volumeName: 'pv-1' };
  const named = (name: string, more: object = {}) => ({ metadata: { name, ...more } }) as KubeObject;
  const agentOf = (name: string) => named(`${name}.agent`, { labels: { 'gantry.dev/kind': 'Agent' } });
  const caches = cachesOf(
    new Map<Resource, readonly KubeObject[]>([
      [NODE, [named('node-a', { labels: { 'kubernetes.io/hostname': 'host-of-node-a' } })]],
      [PLATFORM_LEASE, [agentOf('node-a')]],
      [CLAIM, [claim]],
      [VOLUME, [{ ...named('pv-1'), spec } as KubeObject]],
    ]),
  );
  test('is told by its hostname, and its agent by its name', () => {
    expect(reads.tie.find(gpuInstance(), caches)).toEqual(tied.tie);
  });
  test('wakes the instance, also one that rests, when its agent comes and when it goes, and not by its signs of life', () => {
    const one = agentOf('node-a');
    const woken = (change: { before?: KubeObject; after?: KubeObject }) => reads.tie.wakes?.(change, caches);
    expect(woken({ after: one })).toEqual([{ namespace: 'org-acme', name: 'dev' }]);
    expect(woken({ before: one })).toEqual([{ namespace: 'org-acme', name: 'dev' }]);
    expect(woken({ before: one, after: one })).toEqual([]);
    expect(woken({ after: agentOf('node-b') })).toEqual([]);
    expect(woken({ after: named('host-1.claim', { labels: { 'gantry.dev/kind': 'GpuHost' } }) })).toEqual([]);
  });
});
