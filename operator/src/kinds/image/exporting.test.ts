import type { GpuInstance, GpuInstanceStatus } from '@gantry/contract/kinds/gpu-instance.ts';
import type { ImageStatus } from '@gantry/contract/kinds/image.ts';
import type { Snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { expect, test } from '@jest/globals';
import type { Refusal } from '../../define-controller.ts';
import { at, context, DIGEST, given, nothing } from './given.ts';
import { imageController } from './plan.ts';

const SOURCE = 'registry.gantry.internal/org-acme/torch:1';
const SAVE = `registry.gantry.internal/org-acme/dev.root:3@${DIGEST}`;
const root = (savedAt: number) => ({ image: SAVE, of: 'a/b:1', seq: 3, savedAt: at(savedAt) });
const dev = (status: GpuInstanceStatus, metadata: object = {}): GpuInstance =>
  ({ metadata: { name: 'dev', namespace: 'org-acme', ...metadata }, spec: {}, status }) as unknown as GpuInstance;
const copy = (status?: object): Snapshot => ({ metadata: { name: 'torch-export' }, spec: {}, status }) as Snapshot;
const kept = (reason: string, since: number) => [
  { type: 'RootKept', status: 'False' as const, reason, message: `${reason}.`, lastTransitionTime: at(since) },
];
const COPYING: ImageStatus = { phase: 'processing', exported: SAVE };

interface Law {
  status?: ImageStatus;
  instance?: GpuInstance;
  copy?: Snapshot;
  refusals?: Refusal[];
  phase?: string;
  says?: string;
  has?: object;
  creates?: string[];
}

const LAWS: Record<string, Law> = {
  'what was saved after it was asked for is written down first': {
    instance: dev({ phase: 'running', root: root(1) }),
    phase: 'processing',
    says: 'What the instance dev saved is being copied to spec.source.',
    has: { exported: SAVE },
  },
  'and then copied': { status: COPYING, creates: ['torch-export'] },
  'what was saved before is too old while it runs: it is waited for': {
    instance: dev({ phase: 'running', root: root(-60) }),
    phase: 'processing',
    says: 'The instance dev is being saved.',
  },
  'at rest it is the newest there is': {
    instance: dev({ phase: 'stopped', root: root(-60) }),
    has: { exported: SAVE },
  },
  'hibernated too': { instance: dev({ phase: 'shutDown', root: root(-60) }), has: { exported: SAVE } },
  'while it is being saved it is waited for': {
    instance: dev({ phase: 'stopping', root: root(-60) }),
    says: 'The instance dev is being saved.',
  },
  'an instance that is not there is named': {
    phase: 'failed',
    says: 'spec.fromInstance: there is no instance dev here. Make another Image to try again.',
  },
  'nor does one that is being deleted save anything': {
    instance: dev({ phase: 'releasing', root: root(1) }, { deletionTimestamp: at(1) }),
    phase: 'failed',
  },
  'an instance at rest of which nothing was ever saved': {
    instance: dev({ phase: 'stopped', conditions: kept('NoAgentOnNode', -60) }),
    phase: 'failed',
    says: 'spec.fromInstance: nothing of the instance dev is saved: NoAgentOnNode. Make another Image to try again.',
  },
  'one on a node where nobody can save it': {
    instance: dev({ phase: 'running', conditions: kept('NoAgentOnNode', -60) }),
    phase: 'failed',
  },
  'one that runs after an earlier loss is waited for': {
    instance: dev({ phase: 'running', root: root(-60), conditions: kept('RootLost', -60) }),
    phase: 'processing',
    says: 'The instance dev is being saved.',
  },
  'one whose save failed, after it was asked for': {
    instance: dev({ phase: 'resuming', root: root(-60), conditions: kept('SaveFailed', 2) }),
    phase: 'failed',
  },
  'one that can not even start': { instance: dev({ phase: 'createFailed', message: 'No.' }), phase: 'failed' },
  'what failed stays failed: nothing is stopped again for it': {
    status: { phase: 'failed', reason: 'NothingSaved', reasonArgs: { instance: 'dev', detail: 'x' } },
    instance: dev({ phase: 'running', root: root(9) }),
    phase: 'failed',
  },
  'the registry is down: said': {
    status: COPYING,
    copy: copy({ phase: 'processing', reason: 'Retrying', reasonArgs: { detail: 'refused' } }),
    phase: 'processing',
    says: 'It could not be copied yet and is tried again: refused',
  },
  'a copy that can not be made': {
    status: COPYING,
    copy: copy({ phase: 'failed', message: 'Gone.' }),
    phase: 'failed',
    says: 'It could not be copied to spec.source: Gone. Make another Image to try again.',
  },
  'a name that is taken': {
    status: COPYING,
    refusals: [{ kind: 'Snapshot', name: 'torch-export', reason: 'AlreadyExists', message: '' }],
    phase: 'processing',
    says: 'Another object already has the name torch-export.',
    creates: ['torch-export'],
  },
  'copied, it is checked as any other': {
    status: COPYING,
    copy: copy({ phase: 'ready' }),
    says: 'The image is being pulled and started once.',
    has: { exported: SAVE },
    creates: ['torch-verify'],
  },
};

test.each(Object.entries(LAWS))('%s', (_, law) => {
  const owner = given({
    spec: { source: SOURCE, fromInstance: 'dev' },
    metadata: { creationTimestamp: at(0) },
    ...(law.status && { status: law.status }),
  });
  const sees = { ...nothing, instance: law.instance, copy: law.copy };
  const plan = imageController.plan(owner, sees, context(1, { refusals: law.refusals ?? [] }));
  if (law.phase) expect(plan.status?.phase).toBe(law.phase);
  if (law.says) expect(plan.status?.message).toBe(law.says);
  if (law.has) expect(plan.status).toMatchObject(law.has);
  expect((plan.create ?? []).map(({ metadata }) => metadata.name)).toEqual(law.creates ?? []);
});

test('the copy is of the save by its digest, to where the source says', () => {
  const owner = given({ spec: { source: SOURCE, fromInstance: 'dev' }, status: COPYING });
  expect(imageController.plan(owner, nothing, context(1)).create?.[0]).toMatchObject({
    spec: { instance: 'dev', of: 'Copy', from: `registry.gantry.internal/org-acme/dev.root@${DIGEST}`, target: SOURCE },
  });
});
