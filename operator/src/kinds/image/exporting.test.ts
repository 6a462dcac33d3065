import type { GpuInstance, GpuInstanceStatus } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Image, ImageStatus } from '@gantry/contract/kinds/image.ts';
import type { Snapshot } from '@gantry/contract/kinds/snapshot.ts';
import type { Refusal } from '@gantry/kube/api-error.ts';
import { expect, test } from '@jest/globals';
import { cachesOf } from '../../testing/caches-of.ts';
import { imageController } from './plan.ts';
import { reads } from './reads.ts';
import { at, context, DIGEST, imageFixture, nothing } from './testing/fixtures.ts';

const SOURCE = 'registry.gantry.internal/org-acme/torch:1';
const SAVE = `registry.gantry.internal/org-acme/dev.root:3@${DIGEST}`;
const root = (savedAt: number) => ({ image: SAVE, of: 'a/b:1', seq: 3, savedAt: at(savedAt) });
const dev = (status: GpuInstanceStatus, metadata: object = {}): GpuInstance =>
  ({ metadata: { name: 'dev', namespace: 'org-acme', ...metadata }, spec: {}, status }) as unknown as GpuInstance;
const copy = (status?: object): Snapshot => ({ metadata: { name: 'torch-export' }, spec: {}, status }) as Snapshot;
const kept = (reason: string, since: number) => [
  { type: 'RootKept', status: 'False' as const, reason, message: `${reason}.`, lastTransitionTime: at(since) },
];
const other = (made: number, status?: ImageStatus, metadata: object = {}): Image =>
  imageFixture({
    spec: { source: SOURCE, fromInstance: 'prod' },
    metadata: { name: 'first', uid: 'uid-first', creationTimestamp: at(made), ...metadata },
    ...(status && { status }),
  });
const TAKEN = 'spec.source: the image first already uses this address. Create another image with another source.';
const COPYING: ImageStatus = { phase: 'processing', exported: SAVE };

interface Law {
  status?: ImageStatus;
  instance?: GpuInstance;
  copy?: Snapshot;
  rivals?: Image[];
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
    says: 'The files that the instance dev saved are being copied to spec.source.',
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
    says: 'spec.fromInstance: there is no instance dev here. Create another image to try again.',
  },
  'nor does one that is being deleted save anything': {
    instance: dev({ phase: 'releasing', root: root(1) }, { deletionTimestamp: at(1) }),
    phase: 'failed',
  },
  'an instance at rest of which nothing was ever saved': {
    instance: dev({ phase: 'stopped', conditions: kept('NoAgentOnNode', -60) }),
    phase: 'failed',
    says: 'spec.fromInstance: the instance dev has nothing saved: NoAgentOnNode. Create another image to try again.',
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
  'one that cannot even start': { instance: dev({ phase: 'createFailed', message: 'No.' }), phase: 'failed' },
  'what failed stays failed: nothing is stopped again for it': {
    status: { phase: 'failed', reason: 'NothingSaved', reasonArgs: { instance: 'dev', detail: 'x' } },
    instance: dev({ phase: 'running', root: root(9) }),
    phase: 'failed',
  },
  'the registry is down: said': {
    status: COPYING,
    copy: copy({ phase: 'processing', reason: 'Retrying', reasonArgs: { detail: 'refused' } }),
    phase: 'processing',
    says: 'Copying failed and will be retried: refused',
  },
  'a copy that cannot be made': {
    status: COPYING,
    copy: copy({ phase: 'failed', message: 'Gone.' }),
    phase: 'failed',
    says: 'It could not be copied to spec.source: Gone. Create another image to try again.',
  },
  'a name that is taken': {
    status: COPYING,
    refusals: [{ kind: 'Snapshot', name: 'torch-export', reason: 'AlreadyExists', message: '' }],
    phase: 'processing',
    says: 'Another object already has the name torch-export.',
    creates: ['torch-export'],
  },
  'a source that an older export has is not written over': {
    instance: dev({ phase: 'running', root: root(1) }),
    rivals: [other(-60)],
    phase: 'failed',
    says: TAKEN,
    has: { reasonArgs: { image: 'first' } },
  },
  'nor one that another of the same second copies to': {
    instance: dev({ phase: 'running', root: root(1) }),
    rivals: [other(0, COPYING, { uid: 'uid-z' })],
    phase: 'failed',
    says: TAKEN,
  },
  'the younger of two gives way to it': {
    instance: dev({ phase: 'running', root: root(1) }),
    rivals: [other(1)],
    has: { phase: 'processing', exported: SAVE },
  },
  'one that failed without a copy has nothing there': {
    instance: dev({ phase: 'running', root: root(1) }),
    rivals: [other(-60, { phase: 'failed', reason: 'NothingSaved' })],
    has: { phase: 'processing', exported: SAVE },
  },
  'one that was copied and does not start has': {
    instance: dev({ phase: 'running', root: root(1) }),
    rivals: [other(-60, { phase: 'failed', reason: 'NotBootable', checked: SOURCE, exported: SAVE })],
    phase: 'failed',
    says: TAKEN,
  },
  'one that is being deleted lets go': {
    instance: dev({ phase: 'running', root: root(1) }),
    rivals: [other(-60, undefined, { deletionTimestamp: at(0) })],
    has: { phase: 'processing', exported: SAVE },
  },
  'a source that was taken stays so': {
    status: { phase: 'failed', reason: 'SourceTaken', reasonArgs: { image: 'first' } },
    instance: dev({ phase: 'running', root: root(1) }),
    phase: 'failed',
    says: TAKEN,
  },
  'copied, it is checked as any other': {
    status: COPYING,
    copy: copy({ phase: 'ready' }),
    says: 'The image is being pulled and started once.',
    has: { exported: SAVE },
  },
};

test.each(Object.entries(LAWS))('%s', (_, law) => {
  const owner = imageFixture({
    spec: { source: SOURCE, fromInstance: 'dev' },
    metadata: { creationTimestamp: at(0) },
    ...(law.status && { status: law.status }),
  });
  const sees = { ...nothing, instance: law.instance, rivals: law.rivals ?? [], copy: law.copy };
  const plan = imageController.plan(owner, sees, context(1, { refusals: law.refusals ?? [] }));
  if (law.phase) expect(plan.status?.phase).toBe(law.phase);
  if (law.says) expect(plan.status?.message).toBe(law.says);
  if (law.has) expect(plan.status).toMatchObject(law.has);
  expect((plan.create ?? []).map(({ metadata }) => metadata.name)).toEqual(law.creates ?? []);
});

test('the copy is of the save by its digest, to where the source says', () => {
  const owner = imageFixture({ spec: { source: SOURCE, fromInstance: 'dev' }, status: COPYING });
  expect(imageController.plan(owner, nothing, context(1)).create?.[0]).toMatchObject({
    spec: { instance: 'dev', of: 'Copy', from: `registry.gantry.internal/org-acme/dev.root@${DIGEST}`, target: SOURCE },
  });
});

test('only another export of the same organisation to the same source is in its way', () => {
  const owner = imageFixture({ spec: { source: SOURCE, fromInstance: 'dev' } });
  const images = [
    owner,
    other(0),
    other(0, undefined, { uid: 'uid-theirs', namespace: 'org-theirs' }),
    imageFixture({ spec: { source: SOURCE }, metadata: { uid: 'uid-checked' } }),
    imageFixture({ spec: { source: `${SOURCE}2`, fromInstance: 'dev' }, metadata: { uid: 'uid-elsewhere' } }),
  ];
  const found = reads.rivals.find(owner, cachesOf(new Map([[reads.rivals.of, images]])));
  expect(found.map(({ metadata }) => metadata.uid)).toEqual(['uid-first']);
});
