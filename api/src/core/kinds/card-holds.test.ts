// Holds of cards over two gateways on one database: who gets the last card, and what an instance may take of what is kept.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { moneyText, parseMoney } from '@gantry/contract/fields/money.ts';
import type { PriceView } from '@gantry/contract/kind-api.ts';
import { type GpuInstance, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { LABEL } from '@gantry/contract/names.ts';
import { ApiError } from '@gantry/kube/api-error.ts';
import { POOL_RULES } from '@gantry/kube/placement.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { cardHolds } from '../../platform/db/schema/portal.ts';
import { CardHolds } from './card-holds.ts';
import { KindStore } from './kind-store.ts';
import { NO_PRICING } from './pricing.ts';
import { type MemoryKinds, memoryKinds } from './testing/memory-kinds.ts';

const H100 = 'NVIDIA-H100-80GB-HBM3';
const node = (name: string, gpus: number, model = H100) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { [LABEL.gpuModel]: model } },
  status: {
    allocatable: { 'nvidia.com/gpu': `${gpus}`, cpu: '64', memory: '512Gi', 'ephemeral-storage': '2Ti', pods: '110' },
    conditions: [{ type: 'Ready', status: 'True' }],
  },
});
const pod = (name: string, nodeName: string, gpus: number) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'org-acme', labels: { [LABEL.organization]: 'acme' } },
  spec: { nodeName, containers: [{ name: 'main', resources: { requests: { 'nvidia.com/gpu': `${gpus}` } } }] },
  status: { phase: 'Running' },
});
const writerOf = (organization: string) =>
  ({ namespace: `org-${organization}`, account: `acc-${organization}`, role: 'member', language: 'en' }) as const;
const [ACME, OTHER] = [writerOf('acme'), writerOf('other')];
const UNKEYED = { route: 'test', key: undefined };

let price = '2.50';
const pricing = {
  ...NO_PRICING,
  gpu: () => ({
    card: { per: 'hour', amount: price, list: price, discount_percent: 0, currency: 'USD' } as PriceView,
    host: null,
  }),
};

forEachDatabase((database) => {
  let clock: SteppedClock;
  let kinds: MemoryKinds;
  /** Two gateways: each reads the cluster and the database for itself. */
  let [one, two]: CardHolds[] = [];
  const log = { warn: (facts: object) => expect(facts).toBeUndefined() };

  async function start(...nodes: ReturnType<typeof node>[]) {
    kinds = await memoryKinds(nodes as never[]);
    kinds.store.priceBy(pricing);
    const parts = { db: database(), clock, log, kinds: kinds.store, key: 'key', currency: 'USD' };
    [one, two] = [new CardHolds(parts), new CardHolds(parts)];
    kinds.store.holdBy(one as CardHolds);
  }
  beforeEach(() => {
    clock = new SteppedClock();
    price = '2.50';
  });
  afterEach(() => kinds.stop());

  let visitor = 0;
  const hold = (gateway: CardHolds | undefined, { gpus = 1, instead }: { gpus?: number; instead?: string } = {}) => {
    visitor += 1;
    const ip = `10.${visitor >> 16}.${(visitor >> 8) & 255}.${visitor & 255}`;
    return (gateway as CardHolds).hold({ model: H100, gpus, regions: ['us-east'], instead }, ip);
  };
  const free = (namespace?: string) => kinds.store.gpuSpecs(undefined, namespace)[0]?.free;
  type Wished = { hold?: string; count?: number; region?: string };
  const create = (writer: typeof ACME | typeof OTHER, wish: Wished = {}) =>
    kinds.store.create(gpuInstance, writer, bodyOf(wish), UNKEYED);
  const bodyOf = ({ count = 1, ...named }: Wished) => {
    const gpu = { model: H100, count };
    return { displayName: 'dev', image: 'library/busybox:1.36', gpu, cores: 1, memoryGi: 1, ...named };
  };
  const see = (...objects: object[]) => {
    for (const object of objects) kinds.cache.observe(kinds.cluster.put(object as KubeObject));
  };
  const openRows = async () => {
    const rows = await database().sql.select().from(cardHolds);
    return rows.filter(({ until }) => until.getTime() > clock.now());
  };

  describe('a race', () => {
    test('of two visitors for the last card has one winner a thousand times, and the loser is told at once', async () => {
      await start(node('a', 1));
      for (let round = 0; round < 1000; round++) {
        const [first, second] = await Promise.allSettled([hold(one), hold(two)]);
        const [won, lost] = first?.status === 'fulfilled' ? [first, second] : [second, first];
        expect(won).toMatchObject({ status: 'fulfilled', value: { gpus: 1, hour: '2.50', seconds: 60 } });
        expect(lost).toMatchObject({ status: 'rejected', reason: { problem: 'card_held', args: { seconds: 60 } } });
        // Nobody starts it, and it is free again.
        clock.set(clock.now() + 60_000);
      }
    }, 240_000);

    test('of a hundred visitors for five cards on two nodes has five winners, and no card is left', async () => {
      await start(node('a', 2), node('b', 3));
      const visitors = Array.from({ length: 100 }, (_, at) => hold(at % 2 === 0 ? one : two));
      const ended = await Promise.allSettled(visitors);
      expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
      expect(await openRows()).toHaveLength(5);
      await hold(one).catch(() => undefined);
      expect(free()).toBeGreaterThanOrEqual(0);
    });
  });

  test('cards of one instance are of one node', async () => {
    await start(node('a', 2), node('b', 2));
    await hold(one, { gpus: 2 });
    await hold(one);
    await expect(hold(one, { gpus: 2 })).rejects.toMatchObject({ problem: 'card_held' });
    await expect(hold(one, { gpus: 3 })).rejects.toMatchObject({ problem: 'cards_taken' });
    expect(free()).toBe(1);
  });

  test('what is held is free to nobody else, until it ends', async () => {
    await start(node('a', 4));
    await hold(one);
    const { id } = await hold(one);
    expect([free(), free('org-other')]).toEqual([2, 2]);
    await (one as CardHolds).claim(id, 'acme');
    expect([free(), free('org-other'), free('org-acme')]).toEqual([2, 2, 3]);
    expect(kinds.store.fit(OTHER, { gpu: { model: H100, count: 3 }, cores: 1, memoryGi: 1 })).toMatchObject({
      ...{ fits: false, free: 2 },
    });
    await clock.step(60_000);
    expect(free()).toBe(3);
    await clock.step(540_000);
    expect(free()).toBe(4);
  });

  test('another gateway shows it a second later', async () => {
    await start(node('a', 4));
    const ender = new AbortController();
    const following = (two as CardHolds).run(ender.signal);
    await eventually('the other gateway to wait for its next look', async () => clock.waitingMs.length > 0);
    expect((two as CardHolds).heldIn('us-east')).toEqual([]);
    await hold(one);
    await clock.step(1_000);
    await eventually('it to be shown', async () => (two as CardHolds).heldIn('us-east').length === 1);
    ender.abort();
    await following;
  });

  describe('a claim', () => {
    test('lengthens a hold once, to ten minutes altogether', async () => {
      await start(node('a', 1));
      const { id } = await hold(one);
      await clock.step(50_000);
      expect(await (two as CardHolds).claim(id, 'acme')).toMatchObject({ is_claimed: true, seconds: 550 });
      await clock.step(100_000);
      expect(await (one as CardHolds).claim(id, 'acme')).toMatchObject({ seconds: 450 });
      await expect(hold(two)).rejects.toMatchObject({ problem: 'card_held', args: { seconds: 450 } });
    });

    test('is of one organisation, and of a hold that has not ended', async () => {
      await start(node('a', 2));
      const { id } = await hold(one);
      await (one as CardHolds).claim(id, 'acme');
      await expect((one as CardHolds).claim(id, 'other')).rejects.toMatchObject({ problem: 'not_found' });
      const late = await hold(one);
      await clock.step(60_000);
      await expect((one as CardHolds).claim(late.id, 'acme')).rejects.toMatchObject({ problem: 'not_found' });
      await expect((one as CardHolds).read(late.id)).rejects.toMatchObject({ problem: 'not_found' });
    });

    test('ends the former one of the organisation, and lengthens six in an hour', async () => {
      await start(node('a', 8));
      const seconds: number[] = [];
      for (let round = 0; round < 7; round++) {
        const { id } = await hold(one);
        seconds.push((await (one as CardHolds).claim(id, 'acme')).seconds);
      }
      expect(seconds).toEqual([600, 600, 600, 600, 600, 600, 60]);
      expect(await openRows()).toHaveLength(1);
    });
  });

  describe('a visitor', () => {
    const again = (ip: string, instead?: string) =>
      (one as CardHolds).hold({ model: H100, gpus: 1, regions: ['us-east'], instead }, ip);

    test('keeps one by choosing again', async () => {
      await start(node('a', 8));
      const { id } = await again('1.2.3.4');
      await again('1.2.3.4', id);
      expect(await openRows()).toHaveLength(1);
    });

    test('has three at once of one address, or of one customer of IPv6', async () => {
      await start(node('a', 8));
      for (const tail of ['1', '2', '3']) await again(`2001:db8::${tail}`);
      await expect(again('2001:db8::4')).rejects.toMatchObject({ problem: 'too_many_holds', retryAfterSeconds: 60 });
      await again('2001:db8:0:1::4');
    });

    test('is told to come back where too many wait for their turn', async () => {
      await start(node('a', 8));
      const asked = await Promise.allSettled(Array.from({ length: 201 }, () => hold(one)));
      expect(asked.at(-1)).toMatchObject({ status: 'rejected', reason: { problem: 'too_many_holds' } });
      expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
    });

    test('has thirty in an hour of one address', async () => {
      await start(node('a', 1));
      for (let round = 0; round < 30; round++) {
        await again('1.2.3.4');
        await clock.step(60_000);
      }
      await expect(again('1.2.3.4')).rejects.toMatchObject({ problem: 'too_many_holds' });
      await clock.step(3_700_000);
      await again('1.2.3.4');
      expect(await database().sql.select().from(cardHolds)).toHaveLength(1);
    });

    test('leaves neither the id nor the address in the database', async () => {
      await start(node('a', 1));
      const { id } = await again('203.0.113.7');
      const [row] = await database().sql.select().from(cardHolds);
      const text = JSON.stringify({ ...row, price: `${row?.price}` });
      expect(text).not.toContain(id);
      expect(text).not.toContain('203.0');
    });

    test('has no card of a node that serves one organisation alone', async () => {
      await start(node('a', 2));
      see(pod('ins-a-1', 'a', 1));
      const region = { id: 'us-east', label: 'US East' };
      const store = new KindStore({ cache: kinds.cache, client: { as: kinds.as }, region, pool: POOL_RULES });
      const strict = new CardHolds({ db: database(), clock, log, kinds: store, key: 'key', currency: 'USD' });
      await expect(hold(strict)).rejects.toMatchObject({ problem: 'cards_taken' });
    });
  });

  test('in another region is kept there, and the instance is made there', async () => {
    await start(node('a', 1));
    const there = await memoryKinds([node('far', 2)] as never[]);
    const region = { id: 'eu-west', label: 'EU West' };
    const far = new KindStore({ cache: there.cache, client: { as: there.as }, region, pool: kinds.store.pool });
    kinds.store.showAlso([far]);
    kinds.store.placeIn([{ store: far, admit: async () => undefined, isOurs: () => false, since: 0 }]);
    kinds.store.priceBy(pricing);
    kinds.store.holdBy(one as CardHolds);
    await hold(one);
    const { id, path, ...held } = await (one as CardHolds).hold(
      { model: H100, gpus: 2, regions: ['us-east', 'eu-west'] },
      '1.2.3.4',
    );
    expect(held).toMatchObject({ region: 'eu-west', region_name: 'EU West', hour: '2.50' });
    expect(path).toContain('&region=eu-west&');
    await (one as CardHolds).claim(id, 'acme');
    const freeTo = (namespace: string) => kinds.store.stockIn('eu-west', namespace)[0]?.free;
    const fitsFor = (writer: typeof ACME | typeof OTHER) =>
      kinds.store.fit(writer, { gpu: { model: H100, count: 2 }, cores: 1, memoryGi: 1, region: 'eu-west' }).fits;
    // Before the organisation is there, too.
    expect([freeTo('org-acme'), freeTo('org-other'), fitsFor(ACME), fitsFor(OTHER)]).toEqual([2, 0, true, false]);
    await expect(create(OTHER, { region: 'eu-west' })).rejects.toMatchObject({ problem: 'card_held' });
    await expect(create(ACME, { hold: id })).rejects.toMatchObject({ problem: 'hold_differs' });
    await create(ACME, { hold: id, region: 'eu-west', count: 2 });
    expect(there.cache.list(gpuInstance)).toHaveLength(1);
    there.stop();
  });

  describe('an instance', () => {
    test('takes the card of its hold, which is kept until a node has it', async () => {
      await start(node('a', 1));
      const { id } = await hold(two);
      const made = await create(ACME, { hold: id });
      expect(JSON.stringify(made)).not.toContain(id);
      await expect(hold(two)).rejects.toMatchObject({ problem: 'card_held' });
      // The node has it: it is counted there, and not twice.
      see(pod('ins-a-1', 'a', 1), { ...made, status: { phase: 'running', node: 'a' } });
      await expect(hold(two)).rejects.toMatchObject({ problem: 'cards_taken' });
      expect(free()).toBe(0);
    });

    test('uses a hold once', async () => {
      await start(node('a', 2));
      const { id } = await hold(one);
      const both = await Promise.allSettled([create(ACME, { hold: id }), create(ACME, { hold: id })]);
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      await expect(create(ACME, { hold: id })).rejects.toMatchObject({ problem: 'hold_gone', field: 'hold' });
    });

    test('of another organisation is refused while only held cards are left, and nothing is created', async () => {
      await start(node('a', 1));
      const { id } = await hold(one);
      await (one as CardHolds).claim(id, 'acme');
      await expect(create(OTHER)).rejects.toMatchObject({ problem: 'card_held', args: { seconds: 600 } });
      await expect(create(OTHER, { hold: id })).rejects.toMatchObject({ problem: 'hold_gone' });
      expect(kinds.cache.list(gpuInstance)).toEqual([]);
      await create(ACME, { hold: id });
      expect(kinds.cache.list(gpuInstance)).toHaveLength(1);
    });

    test('without a hold takes what is free besides, and a visitor is told', async () => {
      await start(node('a', 2));
      await hold(one);
      await create(OTHER);
      await expect(hold(two)).rejects.toMatchObject({ problem: 'card_held' });
      expect(free()).toBe(0);
    });

    test('waits its turn as ever where nothing is free, held or not', async () => {
      await start(node('a', 1));
      await create(ACME);
      await create(OTHER);
      await create(OTHER, { count: 8 });
      expect(kinds.cache.list(gpuInstance)).toHaveLength(3);
    });

    test('that is refused gives its hold back, and its card', async () => {
      await start(node('a', 1));
      const { id } = await hold(one);
      const quota = new ApiError(403, { reason: 'Forbidden', message: 'exceeded quota' });
      kinds.cluster.refuse = (write) => (write.startsWith('create GpuInstance') ? { error: quota } : undefined);
      await expect(create(ACME, { hold: id })).rejects.toMatchObject({ problem: expect.anything() });
      await clock.step(59_000);
      expect(await openRows()).toMatchObject([{ usedBy: null }]);
      await expect(create(OTHER)).rejects.toMatchObject({ problem: 'card_held' });
      kinds.cluster.refuse = () => undefined;
      await create(ACME, { hold: id });
    });

    test('that nobody has answered for is made by the same call again, and by no other', async () => {
      await start(node('a', 1));
      const { id } = await hold(one);
      const keyed = (key: string) =>
        kinds.store.create(gpuInstance, ACME, bodyOf({ hold: id }), { route: 'test', key });
      kinds.cluster.refuse = (write) =>
        write.startsWith('create GpuInstance') ? { error: new ApiError(503, { message: 'gone' }) } : undefined;
      await expect(keyed('aa')).rejects.toMatchObject({ problem: 'unavailable' });
      kinds.cluster.refuse = () => undefined;
      await expect(keyed('bb')).rejects.toMatchObject({ problem: 'hold_gone' });
      const made = await keyed('aa');
      expect((await keyed('aa')).metadata.uid).toBe(made.metadata.uid);
    });

    test('does not exceed its hold', async () => {
      await start(node('a', 8));
      const { id } = await hold(one, { gpus: 2 });
      await expect(create(ACME, { hold: id, count: 3 })).rejects.toMatchObject({
        ...{ problem: 'hold_differs', args: { gpus: 2, region: 'US East Washington' } },
      });
      await create(ACME, { hold: id, count: 1 });
    });

    test('is not created at another price than that of its hold', async () => {
      await start(node('a', 1));
      const { id } = await hold(one);
      price = moneyText(parseMoney('3'));
      await expect(create(ACME, { hold: id })).rejects.toMatchObject({
        ...{ problem: 'price_changed', args: { held: '$2.50', now: '$3.00' } },
      });
      expect(kinds.cache.list(gpuInstance)).toEqual([]);
      price = '2.50';
      await create(ACME, { hold: id });
    });

    test('that has ended its hold says so', async () => {
      await start(node('a', 1));
      const { id } = await hold(one);
      await clock.step(60_000);
      await expect(create(ACME, { hold: id })).rejects.toMatchObject({ problem: 'hold_gone' });
      await create(ACME);
    });

    test('at rest is not started on a card that another holds', async () => {
      await start(node('a', 1));
      const made = await create(OTHER);
      const spec = { ...(made as GpuInstance).spec, power: 'ShutDown' };
      see({ ...made, spec, status: { phase: 'shutDown', settledPower: 'ShutDown' } } as KubeObject);
      await hold(one);
      const begin = () => kinds.store.act(gpuInstance, OTHER, made.metadata.name, { action: 'start' }, UNKEYED);
      await expect(begin()).rejects.toMatchObject({ problem: 'card_held' });
      await clock.step(60_000);
      await begin();
    });
  });
});
