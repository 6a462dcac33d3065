// The order of checks: a queue by age, which Images with a Job have left.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { Image, ImageReason } from '@gantry/contract/kinds/image.ts';
import { ANNOTATION } from '@gantry/contract/names.ts';
import type { CacheReader } from '@gantry/kube/resource.ts';
import { expect, test } from '@jest/globals';
import { type Job, reads } from './reads.ts';
import { at, imageFixture, job } from './testing/fixtures.ts';

const made = (name: string, seconds: number, reason?: ImageReason, metadata: Partial<Image['metadata']> = {}): Image =>
  imageFixture({
    metadata: { name, uid: `uid-${name}`, creationTimestamp: at(seconds), ...metadata },
    ...(reason && { status: { phase: reason === 'Verified' ? 'ready' : 'processing', reason } }),
  });

/** By the read's own index, as the runtime keeps it. */
function cachesOf(images: readonly Image[], jobs: readonly Job[]): CacheReader {
  const indexes = reads.rivals.of.indexes ?? {};
  const all = (kind: string): readonly KubeObject[] => (kind === 'Job' ? jobs : images);
  return {
    get: () => undefined,
    list: ({ kind }) => all(kind),
    by: ({ kind }, index, value) => all(kind).filter((one) => indexes[index]?.(one).includes(value)),
    sum: () => 0,
    version: () => 0,
  };
}

const first = made('first', 1, 'Verifying');
const second = made('second', 2, 'Verifying');
const third = made('third', 3, 'WaitsForTurn');
const fourth = made('fourth', 4);
const LINE = [fourth, third, second, first];
const before = (owner: Image, jobs: readonly Job[] = [], line = LINE) =>
  reads.othersChecked.find(owner, cachesOf(line, jobs));

test('an image counts those in line that are older', () => {
  expect(LINE.map((one) => before(one))).toEqual([3, 2, 1, 0]);
});

test('an image counts each Job of others once, also of younger ones, and not its own', () => {
  expect([first, second, third, fourth].map((one) => before(one, [job(first), job(third)]))).toEqual([1, 2, 2, 3]);
});

test('a Job that is going is no Job', () => {
  expect(before(third, [job(fourth, { deletionTimestamp: at(9) })])).toBe(2);
});

test.each(['Complete', 'Failed'])('a Job that is %s checks nothing any more', (type) => {
  const finished = { ...job(fourth), status: { conditions: [{ type, status: 'True' }] } };
  expect(before(third, [finished])).toBe(2);
  expect(before(third, [{ ...finished, status: { conditions: [{ type, status: 'False' }] } }])).toBe(3);
});

test('images that are deleted, paused or verified hold nobody up', () => {
  const line = [
    made('gone', 1, 'WaitsForTurn', { deletionTimestamp: at(9) }),
    made('paused', 1, 'WaitsForTurn', { annotations: { [ANNOTATION.paused]: 'true' } }),
    made('done', 1, 'Verified'),
  ];
  expect(before(fourth, [], line)).toBe(0);
});

test('when a Job goes the two that are first in line are woken, and no others', () => {
  const caches = cachesOf([...LINE, made('fifth', 5, 'WaitsForTurn')], [job(first)]);
  const woken = (after?: Job) => reads.othersChecked.wakes?.({ before: job(first), ...(after && { after }) }, caches);
  expect(woken()?.map(({ name }) => name)).toEqual(['second', 'third']);
  expect(woken(job(first))).toEqual([]);
});
