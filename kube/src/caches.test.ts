import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { expect, test } from '@jest/globals';
import { Caches } from './caches.ts';
import type { WatchEvent } from './client.ts';
import type { Resource } from './resource.ts';
import { SteppedClock, turns } from './testing/stepped-clock.ts';

const PODS: Resource = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true };
const pod = (name: string, version: number): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, uid: name, resourceVersion: `${version}` },
});

test('a listener that cannot take an object keeps neither others nor later events waiting', async () => {
  let tell: (event: WatchEvent) => void = () => {};
  const failures: unknown[] = [];
  const complaints: string[] = [];
  const caches = new Caches([PODS], {
    client: {
      list: async () => ({ metadata: { resourceVersion: '1' }, items: [] }),
      watch: (_resource, _query, onEvent) => {
        tell = onEvent;
        return new Promise(() => {});
      },
    },
    clock: new SteppedClock(),
    report: {
      failed: (_, error) => failures.push(error),
      stumbled: (_, error) => complaints.push((error as Error).message),
      corrected() {},
    },
  });
  const heard: string[] = [];
  caches.onChange(PODS, ({ after }) => {
    if (after?.metadata.name === 'bad') throw new Error('it is hostile');
  });
  caches.onChange(PODS, ({ after }) => heard.push(`${after?.metadata.name}`));
  const stop = new AbortController();
  await caches.start(stop.signal);
  await turns();
  for (const [at, name] of ['a', 'bad', 'b'].entries()) tell({ type: 'ADDED', object: pod(name, at + 2) });
  expect([heard, failures, complaints]).toEqual([['a', 'bad', 'b'], [], ['it is hostile']]);
  stop.abort();
});

test('an object is overlooked when it lacks the label by which one cache asks, whatever others take in', () => {
  const ours: Resource = { ...PODS, labelSelector: 'owner=us' };
  const parts = {
    client: { list: () => new Promise<never>(() => {}), watch: () => new Promise<never>(() => {}) },
    clock: new SteppedClock(),
    report: { failed() {}, stumbled() {}, corrected() {} },
  };
  const labelled = (labels: Record<string, string>): KubeObject => {
    const { metadata, ...rest } = pod('a', 1);
    return { ...rest, metadata: { ...metadata, labels } };
  };
  const [wanted, found] = [labelled({ owner: 'us' }), labelled({})];
  expect(new Caches([ours, PODS], parts).overlooks(found, wanted)).toBe(true);
  expect(new Caches([ours, PODS], parts).overlooks(wanted, wanted)).toBe(false);
  expect(new Caches([PODS], parts).overlooks(found, wanted)).toBe(false);
  expect(new Caches([], parts).overlooks(found, wanted)).toBe(false);
});
