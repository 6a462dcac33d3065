import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { GpuInstanceStatus } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Image } from '@gantry/contract/kinds/image.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import type { Resource } from '@gantry/kube/resource.ts';
import { describe, expect, test } from '@jest/globals';
import { cachesOf } from '../../caches-of.ts';
import { CLAIM, NODE, ownedBy, PLATFORM_LEASE, VOLUME } from '../../resources.ts';
import { gpuInstanceController } from './plan.ts';
import { reads } from './reads.ts';
import {
  agent,
  at,
  context,
  DIGEST,
  gpuInstance,
  home,
  keeper,
  node,
  pod,
  root,
  save,
  savedHome,
  seen,
  settings,
  tied,
} from './testing/given.ts';

const ran: GpuInstanceStatus = {
  phase: 'running',
  everReady: true,
  rebootCount: 0,
  run: { seq: 1, cause: 'first', readyAt: at(6) },
};
const rested = (settledPower: string, more: GpuInstanceStatus = {}): GpuInstanceStatus => ({
  ...ran,
  settledPower,
  run: { seq: 1, cause: 'first', readyAt: at(6), endedAt: at(60) },
  ...more,
});
const next = (cause: 'crash' | 'resume' | 'restore', more: GpuInstanceStatus = {}): GpuInstanceStatus => ({
  ...ran,
  run: { seq: 2, cause },
  ...more,
});
/** A container that ran from second 5 to second 60. */
const ENDED = { terminated: { exitCode: 1, startedAt: at(5), finishedAt: at(60), reason: 'Error' } };
const ended = (more: Parameters<typeof pod>[1] = {}) => pod('finished', { main: ENDED, ...more });
const stopped = ended({ deadline: 1 });
const unfinalized = { metadata: { finalizers: [] } };

interface Law {
  given?: Parameters<typeof gpuInstance>[0];
  sees?: Parameters<typeof seen>[0];
  at?: number;
  with?: Parameters<typeof context>[1];
  phase?: string;
  reason?: string;
  says?: string;
  creates?: string[];
  removes?: string[];
  patches?: object[];
  status?: object;
  condition?: object;
  lacks?: string;
}

const names = (list: readonly { name?: string; metadata?: { name: string } }[] | undefined) =>
  (list ?? []).map((entry) => entry.metadata?.name ?? entry.name);

function judge(law: Law) {
  const plan = gpuInstanceController.plan(gpuInstance(law.given), seen(law.sees), context(law.at ?? 70, law.with));
  if (law.phase) expect(plan.status?.phase).toBe(law.phase);
  if (law.reason) expect(plan.status?.reason).toBe(law.reason);
  if (law.says) expect(plan.status?.message).toBe(law.says);
  if (law.creates) expect(names(plan.create)).toEqual(law.creates);
  if (law.removes) expect(names(plan.remove)).toEqual(law.removes);
  if (law.patches) expect((plan.patch ?? []).map(({ body }) => body)).toEqual(law.patches);
  if (law.status) expect(plan.status).toMatchObject(law.status);
  if (law.condition) expect(plan.status?.conditions).toContainEqual(expect.objectContaining(law.condition));
  if (law.lacks) expect(plan.status).not.toHaveProperty(law.lacks);
  return plan;
}
const laws = (table: Record<string, Law>) => test.each(Object.entries(table))('%s', (_, law) => void judge(law));
const rootKept = (status: string, reason: string) => ({ condition: { type: 'RootKept', status, reason } });

describe('a container that ended is saved before its Pod goes', () => {
  const stopping = { given: { spec: { power: 'Stopped' as const }, status: rested('Stopped') } };
  laws({
    'its end is written down, a save is asked for, and the Pod is held': {
      given: { spec: { power: 'Stopped' }, status: ran },
      sees: { pods: [stopped], ...agent() },
      phase: 'stopping',
      says: 'What the container changed is being saved.',
      creates: ['dev-1'],
      removes: [],
      patches: [],
      status: { run: { endedAt: at(60) }, settledPower: 'Stopped' },
      ...rootKept('Unknown', 'SavingRoot'),
    },
    'while it is saved nothing is done, and the save is shown': {
      ...stopping,
      sees: { pods: [stopped], snapshots: [save('processing')], ...agent() },
      phase: 'stopping',
      creates: [],
      removes: [],
      patches: [],
      status: { snapshot: { name: 'dev-1', phase: 'processing' } },
    },
    'saved: it is written down, and with the same plan the Pod goes and the instance is at rest': {
      ...stopping,
      sees: { pods: [stopped], snapshots: [save('ready')], ...agent() },
      phase: 'stopped',
      status: { root: root(), snapshot: { phase: 'ready' } },
      patches: [unfinalized],
      removes: ['dev-1'],
      ...rootKept('True', 'RootSaved'),
    },
    'an operator that died between the save and its note finds both again': {
      given: { spec: { power: 'Stopped' }, status: rested('Stopped', { root: root(0) }) },
      sees: { pods: [], snapshots: [save('ready'), save('ready', { seq: 0 })] },
      status: { root: root() },
      removes: ['dev-0'],
    },
    'the root is kept by every later status': {
      given: { status: { ...ran, root: root(), run: { seq: 2, cause: 'resume' } } },
      sees: { pods: [pod('ready', { seq: 2 })], ...agent() },
      phase: 'running',
      status: { root: root() },
      ...rootKept('True', 'RootSaved'),
    },
    'the registry is down: said, and nothing is given up': {
      ...stopping,
      sees: {
        pods: [stopped],
        snapshots: [
          save('processing', { status: { reason: 'Retrying', message: 'm', reasonArgs: { detail: 'refused' } } }),
        ],
        ...agent(),
      },
      phase: 'stopping',
      says: 'What is to be kept is not saved yet, and nothing is given up; it is tried again: refused',
      removes: [],
      patches: [],
      status: { snapshot: { message: 'm' } },
    },
    'while it is tried again that is still said': {
      given: {
        spec: { power: 'Stopped' },
        status: rested('Stopped', {
          reason: 'SaveRetrying',
          reasonArgs: { detail: 'refused' },
          snapshot: { name: 'dev-1', phase: 'processing', message: 'm' },
        }),
      },
      sees: {
        pods: [stopped],
        snapshots: [save('processing', { status: { reason: 'Saving', message: 'n', attempts: 1 } })],
        ...agent(),
      },
      says: 'What is to be kept is not saved yet, and nothing is given up; it is tried again: refused',
      status: { snapshot: { message: 'm' } },
    },
    'the agent is away: said, and waited for': {
      ...stopping,
      sees: { pods: [stopped], snapshots: [save()], ...agent(0) },
      at: 95,
      phase: 'stopping',
      says: 'The agent of node node-a does not answer; what is to be kept is saved when it is back.',
      removes: [],
    },
    'a save that can not be done is said with its cause, and holds nobody up': {
      ...stopping,
      sees: { pods: [stopped], snapshots: [save('failed', { status: { message: 'gone' } })], ...agent() },
      phase: 'stopped',
      removes: ['dev-1'],
      condition: {
        type: 'RootKept',
        status: 'False',
        reason: 'SaveFailed',
        message: 'What run 1 had changed outside /root could not be saved: gone',
      },
    },
    'its cause is said without the sentence around it': {
      ...stopping,
      sees: {
        pods: [stopped],
        snapshots: [
          save('failed', {
            status: {
              reason: 'NotSaveable',
              reasonArgs: { detail: 'no overlay' },
              message: 'It can not be saved: no overlay',
            },
          }),
        ],
        ...agent(),
      },
      phase: 'stopped',
      condition: {
        type: 'RootKept',
        status: 'False',
        message: 'What run 1 had changed outside /root could not be saved: no overlay',
      },
    },
    'a container that was gone before it was saved': {
      ...stopping,
      sees: {
        pods: [stopped],
        snapshots: [save('failed', { status: { reason: 'ContainerGone', message: 'm' } })],
        ...agent(),
      },
      phase: 'stopped',
      removes: ['dev-1'],
      condition: { type: 'RootKept', status: 'False', reason: 'ContainerGone' },
    },
    'a save that the cluster refuses is said with its words': {
      ...stopping,
      sees: { pods: [stopped], ...agent() },
      with: { refusals: [{ kind: 'Snapshot', name: 'dev-1', reason: 'Forbidden', message: 'not here' }] },
      phase: 'stopping',
      reason: 'Refused',
      creates: ['dev-1'],
      removes: [],
    },
    'that is told until something newer is saved': {
      given: {
        status: next('resume', {
          conditions: [
            { type: 'RootKept', status: 'False', reason: 'SaveFailed', message: 'm', lastTransitionTime: at(66) },
          ],
        }),
      },
      sees: { pods: [pod('ready', { seq: 2 })], snapshots: [save('failed')], ...agent() },
      ...rootKept('False', 'SaveFailed'),
    },
    'without an agent on the node the Pod goes at once, as it always did': {
      given: { spec: { power: 'Stopped' }, status: ran },
      sees: { pods: [stopped] },
      phase: 'stopped',
      creates: [],
      removes: ['dev-1'],
      patches: [unfinalized],
      condition: {
        type: 'RootKept',
        status: 'False',
        reason: 'NoAgentOnNode',
        message:
          'Node node-a has no agent: only the home disk at /root is kept, and other files are lost when the container ends.',
      },
    },
    'a container that never ran has nothing to save': {
      given: { spec: { power: 'Stopped' }, status: { rebootCount: 0, run: { seq: 1, cause: 'first' } } },
      sees: {
        pods: [
          pod('finished', {
            main: { terminated: { exitCode: 128, reason: 'StartError', startedAt: '1970-01-01T00:00:00Z' } },
          }),
        ],
        ...agent(),
      },
      phase: 'stopped',
      creates: [],
      removes: ['dev-1'],
    },
    'one that ended before it was ever ready has': {
      given: { status: { rebootCount: 0, run: { seq: 1, cause: 'first' } } },
      sees: { pods: [ended()], ...agent() },
      creates: ['dev-1'],
      removes: [],
    },
    'a node that was declared gone has taken it along; the last root is what is left': {
      given: { status: { ...ran, root: root(0) } },
      sees: {
        pods: [
          ended({
            deleting: true,
            conditions: [{ type: 'DisruptionTarget', status: 'True', reason: 'DeletionByPodGC' }],
          }),
        ],
        node: undefined,
        ...agent(),
      },
      creates: [],
      patches: [unfinalized],
      status: { root: root(0) },
      ...rootKept('False', 'RootLost'),
    },
    'a silent node is waited for: what it holds is not lost yet': {
      given: { spec: { power: 'ShutDown' }, status: rested('ShutDown') },
      sees: { pods: [stopped], snapshots: [save('processing')], node: node('Unknown', 65), ...agent(0) },
      at: 120,
      phase: 'shuttingDown',
      reason: 'AgentAway',
      removes: [],
    },
    'a save that was deleted by hand is asked for again': {
      ...stopping,
      sees: { pods: [stopped], snapshots: [], ...agent() },
      creates: ['dev-1'],
    },
    'a save of another Pod of that name goes first': {
      ...stopping,
      sees: { pods: [stopped], snapshots: [save('processing', { uid: 'other' })], ...agent() },
      creates: [],
      removes: ['dev-1'],
    },
    'out of credit what is there is saved all the same': {
      given: {
        status: {
          ...ran,
          conditions: [
            {
              type: 'CreditReserved',
              status: 'False',
              reason: 'OutOfCredit',
              message: '',
              observedGeneration: 1,
              lastTransitionTime: at(0),
            },
          ],
        },
      },
      with: { settings: { ...settings, creditGate: 'required' } },
      sees: { pods: [stopped], ...agent() },
      phase: 'hibernating',
      creates: ['dev-1'],
    },
  });

  test('the save names the very container, and the image from which it grew', () => {
    const [made] = judge({ given: { status: ran }, sees: { pods: [ended()], ...agent() } }).create ?? [];
    expect(made).toMatchObject({
      kind: 'Snapshot',
      metadata: { name: 'dev-1', annotations: { 'gantry.dev/source': 'pytorch/pytorch:2.4.0' } },
      spec: {
        instance: 'dev',
        of: 'Root',
        node: 'node-a',
        podName: 'dev-1',
        podUID: 'uid-pod-1',
        target: 'registry.gantry.internal/org-acme/dev.root:1',
      },
    });
  });
});

describe('what runs next', () => {
  const made = (given: Parameters<typeof gpuInstance>[0], sees: Parameters<typeof seen>[0] = {}) =>
    judge({ given, sees }).create?.[0] as Pod;
  laws({
    'nothing, as long as the last container is not saved': {
      given: { status: next('crash') },
      sees: { pods: [ended()], snapshots: [save('processing')], ...agent() },
      phase: 'starting',
      reason: 'SavingRoot',
      creates: [],
    },
    'a hard reboot asked for meanwhile is noted, and waits too, and says so': {
      given: { spec: { rebootCount: 1 }, status: next('crash') },
      sees: {
        pods: [ended()],
        snapshots: [save('processing', { status: { reason: 'Retrying', reasonArgs: { detail: 'full' } } })],
        ...agent(),
      },
      phase: 'hard_rebooting',
      reason: 'SaveRetrying',
      status: { run: { seq: 3, cause: 'hardReboot' } },
      creates: [],
    },
    'a hard reboot while the agent is away ends the container in place': {
      given: { spec: { rebootCount: 1 }, status: ran },
      sees: { pods: [pod('ready')], ...agent(0) },
      at: 95,
      patches: [{ spec: { activeDeadlineSeconds: 1 } }],
      removes: [],
    },
  });

  test('starts from the saved root, which only the organisation may pull', () => {
    const { spec, metadata } = made({ status: next('resume', { root: root() }) });
    expect(spec?.containers[0]).toMatchObject({ image: root().image, imagePullPolicy: 'Always' });
    expect(spec?.imagePullSecrets).toEqual([{ name: 'gantry-pull' }]);
    expect(metadata.annotations).toMatchObject({ 'gantry.dev/source': 'pytorch/pytorch:2.4.0' });
  });
  test('starts from another image that is wanted by now, and the old root stays on record', () => {
    const given = { spec: { image: 'a/b:2' }, status: next('resume', { root: root() }) };
    expect(made(given).spec?.containers[0]?.image).toBe('a/b:2');
    expect(judge({ given }).status?.root).toEqual(root());
  });
  test('an image edited while its container was saved: the save still says what it grew from', () => {
    const given = { spec: { image: 'a/b:2' }, status: next('resume') };
    const plan = judge({ given, sees: { pods: [ended()], snapshots: [save('ready')], ...agent() } });
    expect(plan.status?.root?.of).toBe('pytorch/pytorch:2.4.0');
  });
});

describe('a deleted instance saves nothing and is held by nothing', () => {
  laws({
    'its ended Pod goes at once': {
      given: { deleting: true, status: rested('ShutDown') },
      sees: { pods: [stopped], snapshots: [save('processing')], ...agent() },
      creates: [],
      patches: [unfinalized],
      removes: ['dev-1', 'dev-home'],
    },
    'so does the holder of its home': {
      given: { deleting: true, status: rested('Hibernated') },
      sees: { pods: [keeper()], ...agent(), ...tied },
      removes: ['dev-keep', 'dev-home'],
    },
  });
});

describe('hibernating moves a home that is tied to one node into the registry', () => {
  const asleep = (more: GpuInstanceStatus = {}) => ({
    given: { spec: { power: 'Hibernated' as const }, status: rested('Hibernated', more) },
  });
  const homeSave = (phase?: 'processing' | 'ready' | 'failed', more: object = {}) =>
    save(phase, { of: 'Home', ...more });
  laws({
    'first its root is saved': {
      given: { spec: { power: 'Hibernated' }, status: ran },
      sees: { pods: [stopped], ...agent(), ...tied },
      phase: 'hibernating',
      creates: ['dev-1'],
    },
    'then a Pod of the platform holds it': {
      ...asleep(),
      sees: { ...tied },
      phase: 'hibernating',
      says: 'The home disk is on node node-a alone; it is being saved, so that it can come back on any node.',
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
        message: 'The home disk stays on node node-a, since it could not be saved: refused',
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
      given: { spec: { power: 'ShutDown' }, status: rested('Hibernated') },
      sees: { pods: [keeper()], snapshots: [homeSave('processing')], ...agent(), ...tied },
      phase: 'shutDown',
      removes: ['dev-1-home', 'dev-keep'],
    },
  });
});

describe('restoring brings the home back', () => {
  const waking = { given: { status: next('restore', { home: savedHome }) } };
  const restoring = { ...home(), metadata: { ...home().metadata, annotations: { 'gantry.dev/restores': DIGEST } } };
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
      given: {
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
              initContainerStatuses: [{}, { state: { terminated: { exitCode: 3 } } }],
            } as unknown as NonNullable<Pod['status']>,
          },
        ],
      },
      phase: 'starting',
      says: `The saved home could not be put on its new disk: it ended with exit code 3; the next try is at ${at(80)}`,
      status: { home: savedHome },
    },
  });

  test('its claim has the size that is wanted by now, and names what it restores', () => {
    const given = { spec: { homeDisk: { sizeGi: 40 } }, status: next('restore', { home: savedHome }) };
    expect(judge({ given, sees: { claims: [] } }).create?.[0]).toMatchObject({
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

describe('an image that is to be made of it', () => {
  const wanted = (seconds: number): readonly Image[] => [
    { metadata: { name: 'mine', creationTimestamp: at(seconds) } } as unknown as Image,
  ];
  laws({
    'stops it, to be saved': {
      given: { status: ran },
      sees: { pods: [pod('ready')], exports: wanted(50), ...agent() },
      phase: 'running',
      reason: 'Exporting',
      patches: [{ spec: { activeDeadlineSeconds: 1 } }],
    },
    'after which it goes on': {
      given: { status: ran },
      sees: { pods: [stopped], exports: wanted(50), ...agent() },
      phase: 'resuming',
      status: { run: { seq: 2, cause: 'resume' } },
    },
    'does not stop what was saved since': {
      given: { status: { ...ran, root: root(), run: { seq: 2, cause: 'resume', readyAt: at(69) } } },
      sees: { pods: [pod('ready', { seq: 2 })], exports: wanted(60), ...agent() },
      phase: 'running',
      patches: [],
    },
    'nor what nobody could save': {
      given: { status: ran },
      sees: { pods: [pod('ready')], exports: wanted(50) },
      patches: [],
    },
  });
});

test.each<[string, Image['status'], string[]]>([
  ['one that waits for it', { phase: 'processing', reason: 'WaitingForSave' }, ['new']],
  ['none that nobody has looked at: it may yet be refused', undefined, []],
  ['none that was refused', { phase: 'failed', reason: 'SourceTaken' }, []],
  ['none that has its save', { phase: 'processing', exported: 'x' }, []],
])('of the Images that are to be made of it, an instance is saved for %s', (_, status, asked) => {
  const one = { metadata: { name: 'new', namespace: 'org-acme' }, spec: { fromInstance: 'dev' }, status } as Image;
  const found = reads.exports.find(gpuInstance(), cachesOf(new Map([[reads.exports.of, [one]]])));
  expect(found.map(({ metadata }) => metadata.name)).toEqual(asked);
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
