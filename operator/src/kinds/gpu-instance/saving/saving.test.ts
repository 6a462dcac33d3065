// A container's changes are saved before its Pod goes, and the next run starts from them.
import type { Image } from '@gantry/contract/kinds/image.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { describe, expect, test } from '@jest/globals';
import { cachesOf } from '../../../testing/caches-of.ts';
import { reads } from '../reads.ts';
import {
  agent,
  at,
  gpuInstance,
  keeper,
  node,
  pod,
  root,
  save,
  type seen,
  settings,
  tied,
} from '../testing/fixtures.ts';
import { judge, laws } from '../testing/laws.ts';
import { ended, next, ran, rested, stopped } from '../testing/runs.ts';

const unfinalized = { metadata: { finalizers: [] } };
const rootKept = (status: string, reason: string) => ({ condition: { type: 'RootKept', status, reason } });

describe('a container that ended is saved before its Pod goes', () => {
  const stopping = { owner: { spec: { power: 'Stopped' as const }, status: rested('Stopped') } };
  laws({
    'its end is written down, a save is asked for, and the Pod is held': {
      owner: { spec: { power: 'Stopped' }, status: ran },
      sees: { pods: [stopped], ...agent() },
      phase: 'stopping',
      says: "The container's changes are being saved.",
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
      owner: { spec: { power: 'Stopped' }, status: rested('Stopped', { root: root(0) }) },
      sees: { pods: [], snapshots: [save('ready'), save('ready', { seq: 0 })] },
      status: { root: root() },
      removes: ['dev-0'],
    },
    'the root is kept by every later status': {
      owner: { status: { ...ran, root: root(), run: { seq: 2, cause: 'resume' } } },
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
      says: 'Saving failed and will be retried; nothing has been discarded: refused',
      removes: [],
      patches: [],
      status: { snapshot: { message: 'm' } },
    },
    'while it is tried again that is still said': {
      owner: {
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
      says: 'Saving failed and will be retried; nothing has been discarded: refused',
      status: { snapshot: { message: 'm' } },
    },
    'the agent is away: said, and waited for': {
      ...stopping,
      sees: { pods: [stopped], snapshots: [save()], ...agent(0) },
      at: 95,
      phase: 'stopping',
      says: 'The agent on node node-a does not answer; saving continues when it is back.',
      removes: [],
    },
    'a save that cannot be done is said with its cause, and holds nobody up': {
      ...stopping,
      sees: { pods: [stopped], snapshots: [save('failed', { status: { message: 'gone' } })], ...agent() },
      phase: 'stopped',
      removes: ['dev-1'],
      condition: {
        type: 'RootKept',
        status: 'False',
        reason: 'SaveFailed',
        message: 'The changes that run 1 made outside /root could not be saved: gone',
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
              message: 'It cannot be saved: no overlay',
            },
          }),
        ],
        ...agent(),
      },
      phase: 'stopped',
      condition: {
        type: 'RootKept',
        status: 'False',
        message: 'The changes that run 1 made outside /root could not be saved: no overlay',
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
      owner: {
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
      owner: { spec: { power: 'Stopped' }, status: ran },
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
      owner: { spec: { power: 'Stopped' }, status: { rebootCount: 0, run: { seq: 1, cause: 'first' } } },
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
      owner: { status: { rebootCount: 0, run: { seq: 1, cause: 'first' } } },
      sees: { pods: [ended()], ...agent() },
      creates: ['dev-1'],
      removes: [],
    },
    'a node that was declared gone has taken it along; the last root is what is left': {
      owner: { status: { ...ran, root: root(0) } },
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
      owner: { spec: { power: 'ShutDown' }, status: rested('ShutDown') },
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
      owner: {
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
    const [made] = judge({ owner: { status: ran }, sees: { pods: [ended()], ...agent() } }).create ?? [];
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

describe('the next run', () => {
  const made = (owner: Parameters<typeof gpuInstance>[0], sees: Parameters<typeof seen>[0] = {}) =>
    judge({ owner, sees }).create?.[0] as Pod;
  laws({
    'nothing, as long as the last container is not saved': {
      owner: { status: next('crash') },
      sees: { pods: [ended()], snapshots: [save('processing')], ...agent() },
      phase: 'starting',
      reason: 'SavingRoot',
      creates: [],
    },
    'a hard reboot asked for meanwhile is noted, and waits too, and says so': {
      owner: { spec: { rebootCount: 1 }, status: next('crash') },
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
      owner: { spec: { rebootCount: 1 }, status: ran },
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
    const owner = { spec: { image: 'a/b:2' }, status: next('resume', { root: root() }) };
    expect(made(owner).spec?.containers[0]?.image).toBe('a/b:2');
    expect(judge({ owner }).status?.root).toEqual(root());
  });
  test('an image edited while its container was saved: the save still says what it grew from', () => {
    const owner = { spec: { image: 'a/b:2' }, status: next('resume') };
    const plan = judge({ owner, sees: { pods: [ended()], snapshots: [save('ready')], ...agent() } });
    expect(plan.status?.root?.of).toBe('pytorch/pytorch:2.4.0');
  });
});

describe('a deleted instance saves nothing and is held by nothing', () => {
  laws({
    'its ended Pod goes at once': {
      owner: { deleting: true, status: rested('ShutDown') },
      sees: { pods: [stopped], snapshots: [save('processing')], ...agent() },
      creates: [],
      patches: [unfinalized],
      removes: ['dev-1', 'dev-home'],
    },
    'so does the holder of its home': {
      owner: { deleting: true, status: rested('Hibernated') },
      sees: { pods: [keeper()], ...agent(), ...tied },
      removes: ['dev-keep', 'dev-home'],
    },
  });
});

describe('an image that is to be made of it', () => {
  const wanted = (seconds: number): readonly Image[] => [
    { metadata: { name: 'mine', creationTimestamp: at(seconds) } } as unknown as Image,
  ];
  laws({
    'stops it, to be saved': {
      owner: { status: ran },
      sees: { pods: [pod('ready')], exports: wanted(50), ...agent() },
      phase: 'running',
      reason: 'Exporting',
      patches: [{ spec: { activeDeadlineSeconds: 1 } }],
    },
    'after which it goes on': {
      owner: { status: ran },
      sees: { pods: [stopped], exports: wanted(50), ...agent() },
      phase: 'resuming',
      status: { run: { seq: 2, cause: 'resume' } },
    },
    'does not stop what was saved since': {
      owner: { status: { ...ran, root: root(), run: { seq: 2, cause: 'resume', readyAt: at(69) } } },
      sees: { pods: [pod('ready', { seq: 2 })], exports: wanted(60), ...agent() },
      phase: 'running',
      patches: [],
    },
    'nor what nobody could save': {
      owner: { status: ran },
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
