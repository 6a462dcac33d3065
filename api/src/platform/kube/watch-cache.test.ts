// How current the cache is, and who is notified: over lists and watches that the test controls.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { organization } from '@gantry/contract/kinds/organization.ts';
import { NoAnswer } from '@gantry/kube/api-error.ts';
import type { ListPage, Query, WatchEvent } from '@gantry/kube/client.ts';
import type { Resource } from '@gantry/kube/resource.ts';
import { SteppedClock, turns } from '@gantry/kube/testing/stepped-clock.ts';
import { afterEach, expect, test } from '@jest/globals';
import { kindObject } from '../../core/kinds/testing/memory-kinds.ts';
import { type KindChange, WatchCache } from './watch-cache.ts';

const stops: AbortController[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

/** An API server that is up or down, and tells of what the test says. */
async function setUp({ there = [] }: { there?: readonly KubeObject[] } = {}) {
  const clock = new SteppedClock();
  const watches = new Map<string, { event(event: WatchEvent): void; cut(): void }>();
  const server = { isUp: true };
  const client = {
    async list({ kind }: Resource, __: Query): Promise<ListPage> {
      if (!server.isUp) throw new NoAnswer('refused');
      return { metadata: { resourceVersion: '100' }, items: there.filter((object) => object.kind === kind) };
    },
    watch: ({ kind }: Resource, _: Query, onEvent: (event: WatchEvent) => void) =>
      new Promise<void>((_resolve, reject) => {
        if (!server.isUp) return reject(new NoAnswer('refused'));
        watches.set(kind, { event: onEvent, cut: () => reject(new NoAnswer('cut off')) });
      }),
  };
  const logged: string[] = [];
  const log = { warn: (facts: { kind?: string }) => logged.push(`warn ${facts.kind}`), info: () => {} };
  const cache = new WatchCache({ client, clock, log: log as never });
  const changes: KindChange[] = [];
  cache.on((change) => changes.push(change));
  const stop = new AbortController();
  stops.push(stop);
  await cache.start(stop.signal);
  await turns();
  const say = (type: WatchEvent['type'], object: KubeObject) => watches.get(object.kind)?.event({ type, object });
  const down = async () => {
    server.isUp = false;
    for (const watch of watches.values()) watch.cut();
    await turns();
  };
  return { clock, cache, changes, logged, say, down, server, signal: stop.signal };
}

const disk = (name: string, version: number, namespace = 'org-acme') =>
  kindObject(dataDisk, name, { namespace, metadata: { resourceVersion: `${version}`, uid: `uid-${name}` } });

test('changes are told with what was before, and counted per namespace', async () => {
  const { cache, changes, say } = await setUp();
  say('ADDED', disk('a', 101));
  say('MODIFIED', disk('a', 102));
  say('DELETED', disk('a', 103));
  expect(
    changes.map(({ kind, namespace, name, before, after }) => [kind.kind, namespace, name, !!before, !!after]),
  ).toEqual([
    ['DataDisk', 'org-acme', 'a', false, true],
    ['DataDisk', 'org-acme', 'a', true, true],
    ['DataDisk', 'org-acme', 'a', true, false],
  ]);
  expect([cache.generation(dataDisk, 'org-acme'), cache.generation(dataDisk, 'org-b')]).toEqual([3, 0]);
});

test('who listens before the start hears of what is there, once it is all there', async () => {
  const { cache, changes, say } = await setUp({ there: [disk('a', 90), disk('b', 91)] });
  const told = () => changes.map(({ name, before, after }) => [name, !!before, !!after]);
  expect(told()).toEqual([
    ['a', false, true],
    ['b', false, true],
  ]);
  expect(cache.synced).toBe(true);
  say('MODIFIED', disk('a', 102));
  expect(told().slice(2)).toEqual([['a', true, true]]);
});

test('a cut that is mended within a second is nobody’s trouble; one that lasts is dated from its beginning', async () => {
  const { cache, clock, down, server, logged } = await setUp();
  const began = clock.now();
  await down();
  await clock.step(900);
  expect(cache.staleSince(dataDisk)).toBeUndefined();
  await clock.step(200);
  expect([cache.staleSince(dataDisk), cache.staleSince()]).toEqual([began, began]);
  expect(logged.filter((text) => text === 'warn DataDisk')).toHaveLength(1);
  server.isUp = true;
  // Back-off, then a second of a watch that says nothing.
  await clock.step(7_000);
  expect(cache.staleSince()).toBeUndefined();
});

test('a server that holds its connections and does not answer is found by asking it', async () => {
  const { cache, clock, server } = await setUp();
  server.isUp = false;
  await clock.step(5_000);
  expect(cache.staleSince(gpuInstance)).toBeUndefined();
  await clock.step(1_000);
  expect(cache.staleSince(gpuInstance)).toBeDefined();
});

test('a read waits for the version it was promised, of this kind alone', async () => {
  const { cache, clock, say, signal } = await setUp();
  let seen: boolean | undefined;
  void cache.waitFor(dataDisk, 120, signal).then((is) => {
    seen = is;
  });
  say('ADDED', { ...kindObject(organization, 'acme'), metadata: { name: 'acme', uid: 'u', resourceVersion: '130' } });
  say('ADDED', disk('a', 119));
  await turns();
  expect(seen).toBeUndefined();
  say('ADDED', disk('b', 121));
  await turns();
  expect(seen).toBe(true);
  expect(await cache.waitFor(dataDisk, 100, signal)).toBe(true);
  const never = cache.waitFor(dataDisk, 999, signal);
  await clock.step(5_000);
  expect(await never).toBe(false);
  // Nobody steps the clock: it is not waited for.
  expect(await cache.waitFor(dataDisk, 9_999_999_999, signal)).toBe(false);
});

test('our own write is there at once, and does not stand for the writes of others before it', async () => {
  const { cache, clock, signal } = await setUp();
  cache.observe(disk('mine', 140));
  expect(cache.get(dataDisk, 'org-acme', 'mine')).toBeDefined();
  expect(await cache.waitFor(dataDisk, 140, signal)).toBe(true);
  const theirs = cache.waitFor(dataDisk, 139, signal);
  await clock.step(5_000);
  expect(await theirs).toBe(false);
});

test('a listener that stumbles over one object keeps nobody from hearing of it, nor of the next', async () => {
  const { cache, changes, logged, say } = await setUp();
  cache.on(({ name }) => {
    if (name === 'hostile') throw new Error('stumbled');
  });
  const later: string[] = [];
  cache.on(({ name }) => later.push(name));
  say('ADDED', disk('hostile', 101));
  say('ADDED', disk('b', 102));
  expect(changes.map(({ name }) => name)).toEqual(['hostile', 'b']);
  expect(later).toEqual(['hostile', 'b']);
  expect(logged).toEqual(['warn DataDisk']);
});
