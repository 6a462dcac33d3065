// Compares the resources that a job's reads look at with those they declare: the runtime follows nothing else, so a plan that looks
// elsewhere fails.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { GPU_RESOURCE, LABEL, LOCAL_QUEUE } from '@gantry/contract/names.ts';
import type { Resource } from '@gantry/kube/resource.ts';
import { expect, test } from '@jest/globals';
import type { Read } from '../../define-controller.ts';
import { QUEUE_API, WORKLOAD } from '../../kueue.ts';
import { NODE } from '../../resources.ts';
import { BATCH_JOB } from '../../running/reads.ts';
import { followedBy, strictCachesOf } from '../../testing/caches-of.ts';
import { reads } from './reads.ts';
import { batch, job, node, worker } from './testing/fixtures.ts';

const waiting = {
  apiVersion: QUEUE_API,
  kind: 'Workload',
  metadata: {
    name: 'job-train-1',
    namespace: 'org-acme',
    uid: 'uid-workload',
    creationTimestamp: '2026-01-01T00:00:01Z',
    ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'train-1', uid: 'uid-batch-1', controller: true }],
  },
  spec: {
    queueName: LOCAL_QUEUE,
    podSets: [
      {
        count: 2,
        template: {
          spec: {
            nodeSelector: { [LABEL.gpuModel]: 'H100' },
            containers: [{ resources: { requests: { [GPU_RESOURCE]: '1' } } }],
          },
        },
      },
    ],
  },
};
const POD_OF_WORKERS = reads.pods.of;
const OBJECTS = new Map<Resource, readonly KubeObject[]>([
  [BATCH_JOB, [batch({ suspend: true })]],
  [WORKLOAD, [(WORKLOAD.keep as NonNullable<typeof WORKLOAD.keep>)(waiting)]],
  [POD_OF_WORKERS, [worker('ready')]],
  [NODE, [node()]],
]);
const OWNERS = {
  'that waits in the queue': job(),
  'on a host, with a disk': job({
    spec: { host: 'box', mounts: [{ from: 'data', as: 'ReadWrite', mountPath: '/data' }] },
  }),
  'that is a schedule': job({
    spec: { schedule: { cron: '0 3 * * *', timeZone: 'UTC', concurrency: 'Forbid', startWithinMinutes: 5, keep: 3 } },
  }),
};

for (const [name, owner] of Object.entries(OWNERS)) {
  test.each(Object.entries<Read>(reads))(`of a job ${name}, "%s" looks at nothing that it does not name`, (_, read) => {
    expect(() => read.find(owner, strictCachesOf(followedBy(read), OBJECTS))).not.toThrow();
  });
}

test('a waiting job has its place', () => {
  expect(
    reads.place.find(job(), strictCachesOf(Object.values<Read>(reads).flatMap(followedBy), OBJECTS)),
  ).toMatchObject({ state: 'pending', position: 1 });
});

const named = (name: string, more: Parameters<typeof job>[0], reason: string, namespace = 'org-acme') => {
  const made = job({ ...more, status: { reason } as never });
  return { ...made, metadata: { ...made.metadata, name, namespace } };
};
const JOBS = [
  named('low', { spec: { priority: 'Low' } }, 'QuotaExceeded'),
  named('high', { spec: { priority: 'High' } }, 'NotEnoughForAll'),
  named('runs', {}, 'Running'),
  named('stranger', {}, 'WaitingForGpus', 'org-other'),
];
const wokenBy = (read: Read, change: Parameters<NonNullable<Read['wakes']>>[0]) =>
  read.wakes?.(change, strictCachesOf(followedBy(read), new Map([[reads.children.of, JOBS]])))?.map(({ name }) => name);

test('a Pod that ends wakes the jobs that wait for room, the most urgent first', () => {
  const [running, ended] = [worker('ready'), worker('finished')];
  expect(wokenBy(reads.room, { before: running, after: ended })).toEqual(['high', 'stranger', 'low']);
  expect(wokenBy(reads.room, { before: running })).toEqual(['high', 'stranger', 'low']);
  expect(wokenBy(reads.room, { before: ended })).toEqual([]);
  expect(wokenBy(reads.room, { after: running })).toEqual([]);
});

test('a quota that moves wakes the jobs of its organisation that wait', () => {
  const quota = (used: string, name = 'compute') => ({
    ...{ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name, namespace: 'org-acme' } },
    status: { used: { 'requests.cpu': used } },
  });
  expect(wokenBy(reads.quota, { before: quota('4'), after: quota('2') })).toEqual(['high', 'low']);
  expect(wokenBy(reads.quota, { before: quota('4'), after: quota('4') })).toEqual([]);
  expect(wokenBy(reads.quota, { before: quota('4', 'x'), after: quota('2', 'x') })).toEqual([]);
});
