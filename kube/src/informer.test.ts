import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { expect, test } from '@jest/globals';
import { ApiError } from './api-error.ts';
import type { ListPage, Query, WatchEvent } from './client.ts';
import { Informer } from './informer.ts';
import type { Resource } from './resource.ts';
import { Store } from './store.ts';
import { SteppedClock, turns } from './testing/stepped-clock.ts';

const PODS: Resource = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true };
const LIMITS = { watchMs: 35_000, graceMs: 5000, auditMs: 45_000, backOff: { firstMs: 100, mostMs: 5000 } };

const pod = (name: string, version: number): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, uid: `uid-${name}`, resourceVersion: `${version}` },
});
const page = (version: number, ...items: KubeObject[]): ListPage => ({
  metadata: { resourceVersion: `${version}` },
  items,
});

/** An index that one hostile object is too much for. */
function namesOf({ metadata }: KubeObject): string[] {
  if (metadata.name === 'hostile') throw new Error('hostile');
  return [metadata.name];
}

/** An API server that answers lists in turn (the last one forever) and whose watches the test controls. */
async function setUp(...lists: (ListPage | Error)[]) {
  const clock = new SteppedClock();
  const asked: { list: Query[]; watch: (string | undefined)[] } = { list: [], watch: [] };
  const report = { failures: [] as string[], corrections: 0, stumbles: [] as string[] };
  const stumbled = (error: unknown) => report.stumbles.push((error as Error).message);
  const store = new Store({ ...PODS, indexes: { names: namesOf } }, () => {}, stumbled);
  let watch: { event(event: WatchEvent): void; end(error?: Error): Promise<void> } | undefined;
  const client = {
    async list(_resource: Resource, query: Query): Promise<ListPage> {
      asked.list.push(query);
      const answer = lists.length > 1 ? lists.shift() : lists[0];
      if (answer instanceof Error) throw answer;
      return structuredClone(answer) as ListPage;
    },
    watch: (_resource: Resource, query: Query, onEvent: (event: WatchEvent) => void) =>
      new Promise<void>((resolve, reject) => {
        asked.watch.push(query.resourceVersion as string);
        watch = {
          event: onEvent,
          async end(error) {
            if (error) reject(error);
            else resolve();
            await turns();
          },
        };
      }),
  };
  const stop = new AbortController();
  const informer = new Informer(
    store,
    PODS,
    client,
    clock,
    {
      failed: (_kind, error) => report.failures.push((error as Error).message),
      stumbled: (_kind, error) => stumbled(error),
      corrected: (_kind, count) => {
        report.corrections += count;
      },
    },
    LIMITS,
  );
  const running = informer.run(stop.signal);
  await turns();
  return {
    clock,
    store,
    asked,
    report,
    informer,
    held: () => store.list().map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`),
    current() {
      if (!watch) throw new Error('no watch is open');
      return watch;
    },
    async stop() {
      stop.abort();
      await watch?.end(new Error('aborted'));
      await running;
    },
  };
}

test('lists in pages, then watches from there', async () => {
  const first = { ...page(10, pod('a', 3)), metadata: { resourceVersion: '10', continue: 'more' } };
  const { held, asked, informer, stop } = await setUp(first, page(10, pod('b', 4)));
  expect(held()).toEqual(['a@3', 'b@4']);
  expect(asked.list.map(({ limit, continue: next }) => [limit, next])).toEqual([
    [250, undefined],
    [250, 'more'],
  ]);
  expect(asked.watch).toEqual(['10']);
  expect(informer.filled).toBe(true);
  await stop();
});

test('a watch that ends is resumed from its last event or bookmark, without a list', async () => {
  const { clock, asked, current, held, stop } = await setUp(page(10));
  current().event({ type: 'ADDED', object: pod('a', 12) });
  current().event({ type: 'BOOKMARK', object: pod('', 20) });
  await clock.step(40_000);
  await current().end();
  expect(asked.watch).toEqual(['10', '20']);
  expect(held()).toEqual(['a@12']);
  await stop();
});

test('an error starts it again after a pause that grows, and a stall is such an error', async () => {
  const { clock, asked, report, current, stop } = await setUp(page(10));
  const pauses: number[] = [];
  for (let failure = 1; failure <= 8; failure++) {
    await current().end(new Error('stalled'));
    pauses.push(clock.waitingMs[0] ?? 0);
    await clock.step(pauses.at(-1) ?? 0);
  }
  expect(asked.watch).toHaveLength(9);
  expect(report.failures[0]).toBe('stalled');
  pauses.forEach((pause, index) => {
    const step = Math.min(5000, 100 * 2 ** index);
    expect(pause).toBeGreaterThanOrEqual(step / 2);
    expect(pause).toBeLessThanOrEqual(step);
  });
  await stop();
});

test('a server that closes every watch at once is not asked in a tight loop', async () => {
  const { asked, current, stop } = await setUp(page(10));
  await current().end();
  expect(asked.watch).toHaveLength(1);
  await stop();
});

test('410 leads to a list, whose absences are deletions', async () => {
  const { clock, current, held, asked, stop } = await setUp(page(10, pod('a', 3), pod('b', 4)), page(30, pod('b', 4)));
  const expired = { kind: 'Status', code: 410, reason: 'Expired' } as unknown as KubeObject;
  expect(() => current().event({ type: 'ERROR', object: expired })).toThrow(ApiError);
  await current().end(new ApiError(410, {}));
  await clock.step(100);
  expect(held()).toEqual(['b@4']);
  expect(asked.watch).toEqual(['10', '30']);
  await stop();
});

test('an older list is not believed: it deletes nothing and is asked again', async () => {
  const { clock, current, held, report, asked, stop } = await setUp(
    page(10, pod('a', 3)),
    page(9),
    page(11, pod('a', 3), pod('b', 11)),
  );
  await current().end(new ApiError(410, {}));
  await clock.step(100);
  expect(held()).toEqual(['a@3']);
  expect(report.failures.at(-1)).toBe('listed version 9, after 10 had been seen');
  await clock.step(200);
  expect(held()).toEqual(['a@3', 'b@11']);
  expect(asked.watch.at(-1)).toBe('11');
  await stop();
});

test('an event that was dropped is found by a check within 50 s, while the watch goes on', async () => {
  const { clock, current, held, report, asked, stop } = await setUp(
    page(10, pod('a', 3), pod('b', 4)),
    page(15, pod('a', 13), pod('c', 14)),
  );
  current().event({ type: 'BOOKMARK', object: pod('', 15) });
  await clock.step(50_000);
  expect(held()).toEqual(['a@13', 'c@14']);
  expect(report.corrections).toBe(3);
  expect(asked.watch).toHaveLength(1);
  await stop();
});

test('a check that finds nothing wrong reports nothing', async () => {
  const { clock, report, asked, stop } = await setUp(page(10, pod('a', 3)));
  await clock.step(200_000);
  expect(asked.list.length).toBeGreaterThan(3);
  expect(report).toMatchObject({ failures: [], corrections: 0 });
  await stop();
});

test('a watch that tells the past neither changes the cache nor moves the point of return back', async () => {
  const { clock, current, held, asked, stop } = await setUp(page(10, pod('a', 8)));
  current().event({ type: 'MODIFIED', object: pod('a', 5) });
  await clock.step(40_000);
  await current().end();
  expect(held()).toEqual(['a@8']);
  expect(asked.watch).toEqual(['10', '10']);
  await stop();
});

test('when the pages of a list expire, the next try asks for all at once', async () => {
  const { clock, asked, held, stop } = await setUp(new ApiError(410, {}), page(10, pod('a', 3)));
  await clock.step(100);
  expect(asked.list.map(({ limit }) => limit)).toEqual([250, 0]);
  expect(held()).toEqual(['a@3']);
  await stop();
});

test('Retry-After is honoured', async () => {
  const { clock, asked, stop } = await setUp(new ApiError(429, {}, 7), page(10));
  await clock.step(6999);
  expect(asked.list).toHaveLength(1);
  await clock.step(1);
  expect(asked.list).toHaveLength(2);
  await stop();
});

test('an object that is too much for an index keeps no other from being seen, in a list or a watch', async () => {
  const { store, report, current, stop } = await setUp(page(5, pod('hostile', 3), pod('a', 4)));
  expect(store.get(undefined, 'a')).toBeDefined();
  current().event({ type: 'ADDED', object: pod('hostile', 6) });
  current().event({ type: 'ADDED', object: pod('b', 7) });
  expect(store.get(undefined, 'b')).toBeDefined();
  expect(report.failures).toEqual([]);
  expect(store.get(undefined, 'hostile')?.metadata.resourceVersion).toBe('6');
  expect(new Set(report.stumbles)).toEqual(new Set(['Pod hostile cannot be read: hostile']));
  await stop();
});
