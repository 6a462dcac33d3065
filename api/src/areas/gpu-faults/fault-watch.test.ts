// Failed GPUs on real SQL: people are told once, and the lost minutes are credited once, over restarts and failures.
import { sentence } from '@gantry/contract/define-kind.ts';
import { micros } from '@gantry/contract/fields/money.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { type Affected, type FaultNotice, FaultWatch, type FaultWatchParts, type FaultyNode } from './fault-watch.ts';
import { NOTICES } from './notices.ts';

const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 10, 10);

forEachDatabase((database) => {
  const clock = new SteppedClock();
  let affected: Affected[];
  let notices: FaultNotice[];
  let grants: Map<string, bigint>;
  let bills: string[];
  let fails: boolean;
  let until: number;
  const watch = (over: Partial<FaultWatchParts> = {}) =>
    new FaultWatch({
      db: database(),
      clock,
      log: { warn: () => undefined },
      affected: () => affected,
      faulty: () => affected,
      ranUntil: () => until,
      async grant({ key, amount, bill }) {
        if (fails) throw new Error('the ledger is busy');
        if (!grants.has(key)) bills.push(`${bill.reference}: ${bill.detail}`);
        grants.set(key, amount);
      },
      tell: async (_tx, notice) => void notices.push(notice),
      ...over,
    });
  const pass = async (minutes: number) => {
    clock.set(clock.now() + minutes * MINUTE_MS);
    await watch().step();
  };
  const dev: Affected = {
    ...{ node: 'node-a', since: START - MINUTE_MS, detail: 'XID 79', uid: 'uid-dev', organizationId: 'acme' },
    ...{
      kind: 'GpuInstance',
      name: 'dev',
      title: 'my dev',
      creator: 'acc-ann',
      from: START,
      perHour: micros(6_000_000n),
      currency: 'USD',
    },
  };

  beforeEach(() => {
    clock.set(START);
    [affected, notices, grants, bills, fails, until] = [[dev], [], new Map(), [], false, Number.POSITIVE_INFINITY];
  });

  test('who has something there is told once, and gets the lost minutes back once it has left', async () => {
    for (let minute = 0; minute < 5; minute++) await pass(1);
    expect(notices.map(({ what, args }) => [what, args.name, args.detail])).toEqual([['failed', 'my dev', 'XID 79']]);
    affected = [];
    await pass(5);
    await pass(5);
    expect([...grants.values()]).toEqual([1_000_000n]);
    expect(bills).toEqual(['GpuInstance/dev: GPU fault on node-a: 10 min']);
    expect(notices[1]).toMatchObject({ what: 'credited', args: { minutes: '10', amount: '1.00', currency: 'USD' } });
    expect(notices.length).toBe(2);
  });

  test.each([
    ['stopped before it was seen to have left', START + 7 * MINUTE_MS, 700_000n],
    ['ran on after the fault', START + 70 * MINUTE_MS, 1_000_000n],
  ])('no more is credited than was paid for: what %s', async (_what, end, amount) => {
    await pass(0);
    [affected, until] = [[], end];
    await pass(10);
    expect([...grants.values()]).toEqual([amount]);
  });

  test.each([
    ['en', '1 minute of my dev on node node-a was lost to a failed GPU. $0.10 was credited.'],
    ['zh', 'my dev 在节点 node-a 上因 GPU 故障损失 1 分钟，已返还 $0.10。'],
    ['ja', 'ノード node-a の GPU 故障により my dev の 1 分が失われました。$0.10 をクレジットで返金しました。'],
  ] as const)('one minute is one minute: %s', async (language, text) => {
    await pass(0);
    affected = [];
    await pass(1);
    expect(sentence(NOTICES.credited.content, language, notices[1]?.args)).toBe(text);
  });

  test('a node is taken out of service once for each fault, and again where that failed', async () => {
    const taken: FaultyNode[] = [];
    let isAway = true;
    const takeOut = async (node: FaultyNode) => {
      if (isAway) throw new Error('the API server is away');
      taken.push(node);
    };
    await watch({ takeOut }).step();
    isAway = false;
    for (let count = 0; count < 3; count++) await watch({ takeOut }).step();
    affected = [{ ...dev, since: clock.now() }];
    await watch({ takeOut }).step();
    expect(taken.map(({ node, since }) => [node, since])).toEqual([
      ['node-a', START - MINUTE_MS],
      ['node-a', START],
    ]);
  });

  test('a ledger that refuses is asked again, for the same', async () => {
    await pass(0);
    affected = [];
    fails = true;
    await pass(10);
    fails = false;
    await pass(30);
    expect([...grants.values()]).toEqual([1_000_000n]);
  });

  test('a kill after the grant grants nothing twice, and tells it', async () => {
    await pass(0);
    affected = [];
    clock.set(START + 10 * MINUTE_MS);
    const killed = watch({ tell: () => Promise.reject(new Error('killed')) });
    await killed.step();
    await pass(1);
    expect([[...grants.values()], notices.map(({ what }) => what)]).toEqual([[1_000_000n], ['failed', 'credited']]);
  });

  test('a day is the most, and the next fault is another', async () => {
    await pass(0);
    await pass(48 * 60);
    expect([...grants.values()]).toEqual([144_000_000n]);
    affected = [{ ...dev, since: clock.now(), from: clock.now() }];
    await pass(0);
    affected = [];
    await pass(1);
    expect([...grants.values()]).toEqual([144_000_000n, 100_000n]);
  });

  describe('what leaves the fault and comes back within a day', () => {
    const total = () => [...grants.values()].reduce((sum, amount) => sum + amount, 0n);
    const told = () => notices.map(({ what }) => what);

    test('loses on, and no minute is credited twice', async () => {
      await pass(0);
      affected = [];
      await pass(10);
      // Not seen for a moment alone: it has been there all the time.
      affected = [dev];
      await pass(1);
      await pass(5);
      affected = [];
      await pass(0);
      expect([...grants.values()]).toEqual([1_000_000n, 600_000n]);
      // It was elsewhere for four minutes.
      affected = [{ ...dev, from: clock.now() + 4 * MINUTE_MS }];
      await pass(5);
      affected = [];
      await pass(2);
      expect([total(), told()]).toEqual([1_900_000n, ['failed', 'credited', 'credited', 'credited']]);
    });

    test('gets no more than a day of it all', async () => {
      await pass(0);
      affected = [];
      await pass(10);
      affected = [dev];
      for (const minutes of [1, 24 * 60, 1, 60]) await pass(minutes);
      expect(total()).toBe(144_000_000n);
    });

    test('is credited also while the ledger still refuses what it lost before', async () => {
      await pass(0);
      affected = [];
      fails = true;
      await pass(10);
      affected = [dev];
      await pass(10);
      fails = false;
      await pass(0);
      await pass(10);
      affected = [];
      await pass(0);
      expect(total()).toBe(3_000_000n);
    });

    test('is credited without a word where it crashes within the minute', async () => {
      await pass(0);
      for (let count = 0; count < 4; count++) {
        affected = [];
        await pass(0.1);
        affected = [{ ...dev, from: clock.now() }];
        await pass(0.1);
      }
      affected = [];
      await pass(0);
      expect([total(), told()]).toEqual([80_000n, ['failed', 'credited']]);
    });
  });

  test('a job on two nodes that both failed loses its minutes once, and as many when the older fault is over', async () => {
    const other = { ...dev, node: 'node-b', since: START };
    affected = [other, dev];
    await pass(10);
    affected = [other];
    await pass(10);
    affected = [];
    await pass(0);
    expect([...grants.values()]).toEqual([2_000_000n]);
  });

  test('minutes in which no gateway looked are lost ones as well', async () => {
    await pass(10);
    affected = [];
    await pass(0);
    expect([...grants.values()]).toEqual([1_000_000n]);
  });

  test('what costs nothing is told of, and credited nothing', async () => {
    affected = [{ ...dev, perHour: micros(0n) }];
    await pass(1);
    affected = [];
    await pass(1);
    expect([grants.size, notices.map(({ what }) => what)]).toEqual([0, ['failed']]);
  });
});
