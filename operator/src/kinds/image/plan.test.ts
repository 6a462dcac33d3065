import type { Image, ImageStatus } from '@gantry/contract/kinds/image.ts';
import type { Refusal } from '@gantry/kube/api-error.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { describe, expect, test } from '@jest/globals';
import { expectGolden } from '../../../../test/support/golden.ts';
import { desiredJob } from './desired.ts';
import { imageController } from './plan.ts';
import type { ImageSeen } from './reads.ts';
import { at, context, DIGEST, imageFixture, job, nothing, pod, settings, sizing } from './testing/fixtures.ts';

const SOURCE = 'pytorch/pytorch:2.4.0';
const pulled = { imageID: `docker.io/pytorch/pytorch@${DIGEST}` };
const waiting = (reason: string, message = '') => ({ state: { waiting: { reason, message } } });
const exited = (exitCode: number, message?: string) => ({
  state: { terminated: { exitCode, ...(message && { message }) } },
});
const checking = (main: object, agent?: object, status?: object): ImageSeen => ({
  ...nothing,
  job: job(imageFixture()),
  pod: pod(main, agent, status),
});
const READY: ImageStatus = {
  phase: 'ready',
  reason: 'Verified',
  reasonArgs: { digest: DIGEST },
  digest: DIGEST,
  sizeBytes: 7,
  verifiedAt: at(0),
  checked: SOURCE,
};
const { sizeBytes: _, ...UNSIZED } = READY;
const VERIFYING: ImageStatus = { phase: 'processing', reason: 'Verifying' };
const FAILED: ImageStatus = {
  phase: 'failed',
  reason: 'ImageNotFound',
  reasonArgs: { image: SOURCE, detail: 'not found' },
  checked: SOURCE,
  failures: 2,
  failedAt: at(0),
};

/** The container ended well, after a look at the registry that left this message. */
const saying = (message: string): ImageSeen => {
  const seen = checking({ ...pulled, ...exited(0) });
  const size = { name: 'size', state: { terminated: { exitCode: 0, message } } };
  const { status, ...pod } = seen.pod as Pod;
  const ended = [...(status?.initContainerStatuses ?? []), size];
  return { ...seen, pod: { ...pod, status: { ...status, initContainerStatuses: ended } } as Pod };
};

interface Law {
  owner?: ReturnType<typeof imageFixture>;
  sees?: ImageSeen;
  at?: number;
  refusals?: Refusal[];
  phase?: string;
  says?: string;
  status?: object;
  creates?: string[];
  removes?: string[];
  again?: number | undefined;
}

function judge(law: Law) {
  const { refusals = [] } = law;
  const plan = imageController.plan(
    law.owner ?? imageFixture(),
    law.sees ?? nothing,
    context(law.at ?? 1, { refusals }),
  );
  if (law.phase) expect(plan.status?.phase).toBe(law.phase);
  if (law.says) expect(plan.status?.message).toBe(law.says);
  if (law.status) expect(plan.status).toMatchObject(law.status);
  expect((plan.create ?? []).map(({ metadata }) => metadata.name)).toEqual(law.creates ?? []);
  expect((plan.remove ?? []).map(({ name }) => name)).toEqual(law.removes ?? []);
  if ('again' in law) expect(plan.againInMs).toBe(law.again);
}

const CHECKING: Record<string, Law> = {
  'a new image gets in line': {
    phase: 'processing',
    says: 'The image is being pulled and started once.',
  },
  'an image in line is checked by a Job': {
    owner: imageFixture({ status: VERIFYING }),
    phase: 'processing',
    creates: ['torch.verify'],
  },
  'a Job without a Pod yet is waited for': { sees: { ...nothing, job: job(imageFixture()) }, phase: 'processing' },
  'an image is processing while it is pulled': { sees: checking(waiting('ContainerCreating')), phase: 'processing' },
  'an image that was pulled is a success': { sees: checking({ ...pulled, state: { running: {} } }), phase: 'success' },
  'an image whose container ended well is ready, and the Job goes': {
    sees: checking({ ...pulled, ...exited(0) }),
    phase: 'ready',
    says: `A container started from ${DIGEST}.`,
    status: { digest: DIGEST, verifiedAt: at(1), checked: SOURCE },
    removes: ['torch.verify'],
  },
  'a verified image is left alone': { owner: imageFixture({ status: READY }), phase: 'ready', again: undefined },
  'the size of an image is looked for until a node reports it': {
    owner: imageFixture({ status: UNSIZED }),
    phase: 'ready',
    again: 30_000,
  },
  'the size of an image is written down when a node reports it': {
    owner: imageFixture({ status: UNSIZED }),
    sees: { ...nothing, sizeBytes: 42 },
    status: { sizeBytes: 42 },
    again: undefined,
  },
  'another name for people is no reason to check again': {
    owner: imageFixture({ status: READY, spec: { displayName: 'torch' }, metadata: { generation: 2 } }),
    phase: 'ready',
    status: { observedGeneration: 2 },
  },
  'another pull secret is a reason to check again': {
    owner: imageFixture({ status: READY, spec: { pullSecret: 'mine' }, metadata: { generation: 2 } }),
    phase: 'processing',
    says: 'The image is being pulled and started once.',
  },
  'a Job of an earlier wish is removed first': {
    owner: imageFixture({ spec: { pullSecret: 'mine' } }),
    sees: checking({ ...pulled, ...exited(0) }),
    phase: 'processing',
    removes: ['torch.verify'],
  },
  'the name of a Job that is being removed is waited for': {
    sees: { ...nothing, job: job(imageFixture(), { deletionTimestamp: at(0) }) },
    phase: 'processing',
  },
  'a deleted image needs nothing: its Job is its own': {
    owner: imageFixture({ metadata: { deletionTimestamp: at(0) } }),
    sees: checking(waiting('ContainerCreating')),
  },
};
describe('an image is pulled and started once', () => {
  test.each(Object.entries(CHECKING))('%s', (_, law) => judge(law));
});

const removes = ['torch.verify'];
const FAILING: Record<string, Law> = {
  'a source that is not there': {
    sees: checking(waiting('ErrImagePull', `failed to pull "${SOURCE}": ${SOURCE}: not found`)),
    phase: 'failed',
    says: `spec.source: ${SOURCE} cannot be pulled: ${SOURCE}: not found`,
    removes,
    again: 60_000,
  },
  'a pull secret that is not there': {
    owner: imageFixture({ spec: { pullSecret: 'mine' } }),
    sees: {
      ...nothing,
      job: job(imageFixture({ spec: { pullSecret: 'mine' } })),
      pod: pod(waiting('PodInitializing'), waiting('CreateContainerConfigError', 'secret "mine" not found').state),
    },
    says: 'spec.pullSecret: there is no Secret mine here.',
    removes,
  },
  "the platform's own image": {
    sees: checking(waiting('PodInitializing'), waiting('ImagePullBackOff').state),
    says: 'The platform image registry.gantry.internal/official/agent:1 cannot be pulled. Platform staff must fix this.',
    removes,
  },
  'a container that the runtime refuses': {
    sees: checking({ ...pulled, ...waiting('CreateContainerError', 'unknown user: nobody') }),
    says: 'No container can be started from the image: unknown user: nobody',
    removes,
  },
  'a container that ends badly': {
    sees: checking({ ...pulled, ...exited(3) }),
    says: 'The container started from the image ended: exit code 3.',
    removes,
  },
  'an image without a digest': {
    sees: checking({ imageID: `sha256:${'b'.repeat(64)}`, ...exited(0) }),
    says: 'spec.source: the registry of pytorch/pytorch:2.4.0 reports no digest, so the checked content cannot be identified.',
    removes,
  },
  'a check that a node threw out': {
    sees: checking({ ...pulled, ...exited(137) }, undefined, {
      message: 'The node was low on memory.',
      conditions: [{ type: 'DisruptionTarget', status: 'True' }],
    }),
    says: 'The check was interrupted: The node was low on memory.',
    removes,
  },
  'a check that is gone without a word': {
    sees: { ...nothing, job: job(imageFixture(), { status: { conditions: [{ type: 'Failed', status: 'True' }] } }) },
    says: 'The check was interrupted: its container was removed.',
    removes,
  },
  'a check that took too long': {
    sees: {
      ...nothing,
      job: job(imageFixture(), {
        status: { conditions: [{ type: 'Failed', status: 'True', message: 'over its deadline' }] },
      }),
    },
    says: 'The check was interrupted: over its deadline',
    removes,
  },
  'a Job that the cluster refuses': {
    refusals: [{ kind: 'Job', name: 'torch.verify', reason: 'Forbidden', message: 'violates PodSecurity' }],
    says: 'The cluster refuses the check: violates PodSecurity',
    again: 60_000,
  },
  'a Job of that name that is not ours': {
    refusals: [{ kind: 'Job', name: 'torch.verify', reason: 'AlreadyExists', message: '' }],
    says: 'Another object already has the name torch.verify.',
  },
  'a failed check rests, longer each time': {
    owner: imageFixture({ status: FAILED }),
    at: 30,
    phase: 'failed',
    again: 90_000,
  },
  'a repeated check leaves the image failed until the result is known': {
    owner: imageFixture({ status: FAILED }),
    at: 120,
    phase: 'failed',
    creates: ['torch.verify'],
  },
  'a third failure is counted': {
    owner: imageFixture({ status: FAILED }),
    sees: checking(waiting('ErrImagePull', 'no')),
    at: 120,
    status: { failures: 3, failedAt: at(120) },
    removes,
    again: 240_000,
  },
  'a success forgets the failures': {
    owner: imageFixture({ status: FAILED }),
    sees: checking({ ...pulled, ...exited(0) }),
    at: 120,
    phase: 'ready',
    removes,
  },
};
const LAST = { ...FAILED, failures: 9 };
const GIVEN_UP: ImageStatus = { phase: 'failed', reason: 'GivenUp', checked: SOURCE, failures: 10, failedAt: at(0) };
const TOO_LARGE =
  'spec.source: the image is 101 GiB, and the limit is 100 GiB. Use a smaller one, and create another image for it.';
const TURN = "The organisation's other images are being checked, 2 at a time. This one waits its turn.";
const BOUNDED: Record<string, Law> = {
  'a check begins beside one other': {
    owner: imageFixture({ status: VERIFYING }),
    sees: { ...nothing, othersChecked: 1 },
    creates: ['torch.verify'],
  },
  'a check waits for its turn beside two others': {
    owner: imageFixture({ status: VERIFYING }),
    sees: { ...nothing, othersChecked: 2 },
    phase: 'processing',
    says: TURN,
    again: 60_000,
  },
  'a check under way goes on beside two others': {
    sees: { ...checking(waiting('ContainerCreating')), othersChecked: 2 },
    says: 'The image is being pulled and started once.',
  },
  'two that began in the same breath meet the quota, and that is no failure': {
    refusals: [{ kind: 'Job', name: 'torch.verify', reason: 'Forbidden', message: 'exceeded quota: objects, …' }],
    phase: 'processing',
    says: TURN,
    again: 60_000,
  },
  'a failed image waits for its turn and still reads failed': {
    owner: imageFixture({ status: FAILED }),
    sees: { ...nothing, othersChecked: 2 },
    at: 120,
    phase: 'failed',
    again: 60_000,
  },
  'the tenth failure is the last': {
    owner: imageFixture({ status: LAST }),
    sees: checking(exited(3)),
    at: 3600,
    phase: 'failed',
    says: 'The check failed 10 times and is not repeated. To try again, create another image or change spec.pullSecret. The last failure: The container started from the image ended: exit code 3.',
    removes,
    again: undefined,
  },
  "a failure of the platform's own is tried again, however often": {
    owner: imageFixture({ status: LAST }),
    sees: checking(waiting('PodInitializing'), waiting('ImagePullBackOff').state),
    at: 3600,
    says: 'The platform image registry.gantry.internal/official/agent:1 cannot be pulled. Platform staff must fix this.',
    removes,
    again: 600_000,
  },
  'an image that was given up stays so': {
    owner: imageFixture({ status: GIVEN_UP }),
    at: 86_400,
    phase: 'failed',
    again: undefined,
  },
  'an image that was given up is checked again with another secret': {
    owner: imageFixture({ status: GIVEN_UP, spec: { pullSecret: 'mine' } }),
    at: 86_400,
    phase: 'processing',
    says: 'The image is being pulled and started once.',
  },
  'failures with another secret count from one again': {
    owner: imageFixture({ status: GIVEN_UP, spec: { pullSecret: 'mine' } }),
    sees: { ...nothing, job: job(imageFixture({ spec: { pullSecret: 'mine' } })), pod: pod(exited(3)) },
    status: { failures: 1, reason: 'Exited' },
    removes,
  },
  'an image that proves too large is no image': {
    owner: imageFixture({ status: UNSIZED }),
    sees: { ...nothing, sizeBytes: 100.5 * 2 ** 30 },
    phase: 'failed',
    says: TOO_LARGE,
    status: { sizeBytes: 100.5 * 2 ** 30 },
    again: undefined,
  },
  'an image that proved too large is not checked again': {
    owner: imageFixture({
      status: { ...READY, phase: 'failed', reason: 'TooLarge', reasonArgs: { size: '101', most: '100' } },
    }),
    at: 86_400,
    phase: 'failed',
    says: TOO_LARGE,
    again: undefined,
  },
  'an image that its registry says is too large is not pulled': {
    sees: { ...nothing, job: job(imageFixture()), pod: sizing(3, '101\n') },
    phase: 'failed',
    says: TOO_LARGE,
    status: { reason: 'TooLarge', checked: SOURCE },
    removes,
    again: undefined,
  },
  'a Job that ended for its size says so': {
    sees: {
      ...nothing,
      job: job(imageFixture(), {
        status: { conditions: [{ type: 'Failed', status: 'True', message: 'limit reached' }] },
      }),
      pod: sizing(3, ''),
    },
    says: TOO_LARGE.replace('101', '>100'),
    removes,
  },
  'an image that nobody builds is not pulled': {
    sees: { ...nothing, job: job(imageFixture()), pod: sizing(4, 'its manifest names a negative size\n') },
    phase: 'failed',
    says: 'No container can be started from the image: its manifest names a negative size',
    removes,
    again: 60_000,
  },
  'an image that says what it needs is believed, within bounds': {
    sees: saying('{"gpus":2,"gpuMemoryGi":40,"else":1}'),
    phase: 'ready',
    status: { needs: { gpus: 2, gpuMemoryGi: 40 } },
    removes,
  },
  'an image that needs more than there is says nothing': {
    sees: saying('{"gpus":17}'),
    phase: 'ready',
    status: expect.not.objectContaining({ needs: expect.anything() }),
    removes,
  },
  'a message of something else says nothing': {
    sees: saying('the registry is slow'),
    phase: 'ready',
    status: expect.not.objectContaining({ needs: expect.anything() }),
    removes,
  },
  'what an image needs is kept': {
    owner: imageFixture({ status: { ...READY, needs: { gpus: 1 } } }),
    status: { needs: { gpus: 1 } },
  },
  'an image whose registry tells no size is pulled': {
    sees: { ...nothing, job: job(imageFixture()), pod: sizing(0) },
    phase: 'processing',
  },
  'an official image may be of any size': {
    owner: imageFixture({ status: UNSIZED, spec: { official: true } }),
    sees: { ...nothing, sizeBytes: 200 * 2 ** 30 },
    phase: 'ready',
  },
};
describe('the cost of a check is bounded', () => {
  test.each(Object.entries(BOUNDED))('%s', (_, law) => judge(law));
});

describe('failures are reported, and retried', () => {
  test.each(Object.entries(FAILING))('%s', (_, law) => judge(law));
});

test('the Job that checks an image of our registry, with a pull secret', () => {
  const owner = imageFixture({ spec: { source: 'registry.gantry.internal/org-acme/work:1', pullSecret: 'mine' } });
  expectGolden(new URL('golden/verify-job.yaml', import.meta.url), [desiredJob(owner, settings)]);
});

test('the Job asks a foreign registry how large the image is, before anything is pulled', () => {
  const inner = { ...settings, allowedRegistries: ['10.1.2.3:5000'] };
  const initial = (spec: Partial<Image['spec']>) => {
    const { template } = desiredJob(imageFixture({ spec }), inner).spec as { template: { spec: Pod['spec'] } };
    return template.spec?.initContainers?.find(({ name }) => name === 'size');
  };
  expect(initial({ source: 'ghcr.io/a/b:1', pullSecret: 'mine' })).toMatchObject({
    image: settings.agentImage,
    args: ['image-size', '--most-gi=100', '--inner=10.1.2.3:5000', '--', 'ghcr.io/a/b:1'],
    env: [{ name: 'PULL_SECRET', valueFrom: { secretKeyRef: { name: 'mine' } } }],
    terminationMessagePolicy: 'FallbackToLogsOnError',
  });
  const { template } = desiredJob(imageFixture(), { ...settings, imageProxy: 'http://proxy.example:3128' })
    .spec as never as {
    template: { spec: { initContainers: { name: string; args: string[] }[] } };
  };
  expect(template.spec.initContainers.find(({ name }) => name === 'size')?.args).toContain(
    '--proxy=http://proxy.example:3128',
  );
  expect(initial({ source: 'registry.gantry.internal/org-acme/work:1' })).toBeUndefined();
  expect(initial({ official: true })).toBeUndefined();
});
