// Fault 6: watches that lie. Silence and a missing event are noticed within a minute, an expired watch at once; an old list
// is not believed, and nothing alive is taken for dead.
import { expect, test } from '@jest/globals';
import { turnTest } from '../../support/soak.ts';
import { dropEvent, serve } from '../action.ts';
import type { WatchEvent } from '../live-watch.ts';
import { ALONE, setArena } from './arena.ts';
import { endsWell } from './end-of-life.ts';
import type { Instance } from './instance.ts';

const NOTICED_WITHIN_MS = 60_000;
const PATIENCE_MS = 30_000;
const EVERY_WATCH = { verb: 'watch' } as const;
const PODS = { resource: 'pods' } as const;
const INSTANCES = { resource: 'gpuinstances' } as const;

const arena = setArena(ALONE);

const saysReady = ({ object }: WatchEvent, { name }: Instance): boolean =>
  object.metadata?.name?.startsWith(name) === true && JSON.stringify(object.status).includes('"ready":true');

/** The operator's writes about these instances, events apart. */
const writesOf = (...instances: readonly Instance[]): number =>
  arena()
    .proxy.writes()
    .filter(({ call }) => call.resource !== 'events' && instances.some(({ name }) => call.name.startsWith(name)))
    .length;

const counted = (title: string): number => arena().proxy.counts()[title] ?? 0;

async function running(what: string): Promise<Instance> {
  const instance = arena().instance(what);
  await instance.create();
  await instance.reaches('running');
  return instance;
}

turnTest(2, 'a watch that falls silent, and one that leaves an event out, are noticed within a minute', async () => {
  const { proxy } = arena();
  const [unheard, unready] = [arena().instance('unheard'), arena().instance('unready')];
  proxy.rules.add({ match: { verb: 'watch', ...PODS }, event: (event) => saysReady(event, unready), do: dropEvent() });
  await unready.create();
  await unready.reaches('creating');

  for (const watch of proxy.watches(INSTANCES)) watch.stall();
  await unheard.create();
  await Promise.all([unheard.reaches('running', NOTICED_WITHIN_MS), unready.reaches('running', NOTICED_WITHIN_MS)]);
  await Promise.all([endsWell(unheard, arena()), endsWell(unready, arena())]);
});

test('an expired watch is followed by a list, and by no write', async () => {
  const { proxy } = arena();
  const instance = await running('expired');
  const [writes, lists] = [writesOf(instance), counted('list pods')];
  for (const watch of proxy.watches(EVERY_WATCH)) watch.expire();
  await proxy.waitFor(() => counted('list pods') > lists && proxy.watches(PODS).length > 0, PATIENCE_MS);
  await instance.wish({ homeDisk: { sizeGi: 2 } });
  await instance.reaches('running');
  // The disk's new size and the generation that asked for it: nothing else moved.
  expect(writesOf(instance) - writes).toBeLessThanOrEqual(3);
  expect(instance.now?.status?.run?.seq).toBe(1);
  await endsWell(instance, arena());
});

test('a list from before a Pod was made is not believed', async () => {
  const { proxy } = arena();
  const [past] = proxy.lists({ verb: 'list', ...PODS });
  if (!past) throw new Error('no list was kept');
  const instance = await running('unlisted');
  const writes = writesOf(instance);
  const old = proxy.rules.add({ match: { verb: 'list', ...PODS }, nth: (n) => n <= 3, do: serve(past) });
  for (const watch of proxy.watches(PODS)) watch.expire();
  await proxy.waitFor(() => old.matched() > 3 && proxy.watches(PODS).length > 0, PATIENCE_MS);
  expect(writesOf(instance)).toBe(writes);
  expect(instance.now?.status?.run?.seq).toBe(1);
  await endsWell(instance, arena());
});

test('a watch that ends goes on where it was, without a list', async () => {
  const { proxy } = arena();
  const instance = await running('resumed');
  const lists = counted('list gpuinstances');
  for (const watch of proxy.watches(EVERY_WATCH)) watch.end();
  await instance.wish({ power: 'Stopped' });
  await instance.reaches('stopped');
  const { searchParams } = new URL(proxy.watches(INSTANCES)[0]?.call.url ?? '', proxy.url);
  expect(Number(searchParams.get('resourceVersion'))).toBeGreaterThan(0);
  // The check of every cache may fall into this test.
  expect(counted('list gpuinstances') - lists).toBeLessThanOrEqual(1);
  await endsWell(instance, arena());
});
