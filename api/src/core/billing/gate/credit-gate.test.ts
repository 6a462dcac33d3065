// The gate on an in-memory API server and real SQL: what it holds, writes on objects and charges, and that nothing gets past it.
import { namingPlan } from '@gantry/contract/billing/plans.ts';
import { parseMoney } from '@gantry/contract/fields/money.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { image } from '@gantry/contract/kinds/image.ts';
import { FINALIZER } from '@gantry/contract/names.ts';
import { ApiError } from '@gantry/kube/api-error.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { migratedDatabase } from '../../../../../test/support/database.ts';
import type { Database } from '../../../platform/db/open.ts';
import { bills } from '../../../platform/db/schema/ledger.ts';
import { billingProfiles, orders } from '../../../platform/db/schema/payments.ts';
import { organizations } from '../../../platform/db/schema/people.ts';
import { kindObject } from '../../kinds/testing/memory-kinds.ts';
import { Ledger } from '../ledger/ledger.ts';
import { Wallets } from '../ledger/wallets.ts';
import { writeCaps } from './caps.ts';
import { isCharged } from './orders.ts';
import { PRICES, Stage, soon } from './testing/stage.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let db: Database;
beforeAll(async () => {
  db = await migratedDatabase();
}, 60_000);
afterAll(() => db.close());

let stage: Stage;
beforeEach(() => {
  stage = new Stage(db);
});
afterEach(() => stage.end());

const cores = (count: number) => ({ spec: { cores: count, creator: 'ann' } });
const running = (count: number) => ({
  intervals: [
    {
      seq: 1,
      subjectUID: 'pod',
      from: '2026-01-01T00:00:00Z',
      uses: [
        { resource: 'cpu', quantity: count },
        { resource: 'disk', quantity: 20 },
      ],
    },
  ],
});

describe('an instance', () => {
  test('gets the finalizer, then a hold for an hour, then the condition for its generation', async () => {
    await stage.open();
    await stage.fund('100');
    stage.put(gpuInstance, 'dev', cores(2));
    await soon(() =>
      expect(stage.credit('dev')).toMatchObject({ status: 'True', reason: 'Reserved', generation: 1, minutes: 60 }),
    );
    expect(stage.find(gpuInstance.kind, 'dev').metadata.finalizers).toEqual([FINALIZER.billing]);
    const writes = stage.kinds.cluster.writes.filter((write) => write.includes(' dev'));
    expect(writes).toEqual(['patch GpuInstance dev', 'patch GpuInstance dev status']);
    expect(await stage.held()).toEqual(['2000000']);
  });

  test('that costs more than there is is refused with the numbers, and is let in once there is enough', async () => {
    await stage.open();
    await stage.fund('3.10');
    stage.put(gpuInstance, 'dev', cores(12.4));
    await soon(() =>
      expect(stage.credit('dev')).toMatchObject({
        status: 'False',
        reason: 'OutOfCredit',
        message: 'needs $12.40 for the next hour, $3.10 available',
        minutes: undefined,
      }),
    );
    await stage.fund('5');
    await stage.quiet();
    expect(stage.credit('dev').message).toBe('needs $12.40 for the next hour, $8.10 available');
    await stage.fund('5');
    await soon(() => expect(stage.credit('dev')).toMatchObject({ status: 'True', minutes: 60 }));
  });

  test('that is refused as before is let in at once by money that comes while it is decided', async () => {
    await stage.open();
    await stage.fund('3.10');
    stage.put(gpuInstance, 'dev', cores(12.4));
    await soon(() => expect(stage.credit('dev').status).toBe('False'));
    await stage.halt();
    const spend = jest.spyOn(stage.wallets, 'spend').mockImplementation(async (...asked) => {
      spend.mockRestore();
      const answer = await stage.wallets.spend(...asked);
      await stage.fund('20');
      return answer;
    });
    await stage.start();
    expect(stage.credit('dev').status).toBe('True');
  });

  test('that runs is out of credit at once when a cap falls below what was spent, and has less when it falls below what is held', async () => {
    await stage.open();
    await stage.fund('100');
    await stage.asked.setCaps('acme', { organization: parseMoney('50') });
    stage.put(gpuInstance, 'dev', { ...cores(10), status: running(10) });
    stage.put(gpuInstance, 'other', { spec: { cores: 10, creator: 'bob' }, status: running(10) });
    await soon(() => expect([stage.credit('dev').minutes, stage.credit('other').minutes]).toEqual([60, 60]));
    await stage.quiet();
    await stage.gate.lookAtCaps();
    await writeCaps(db, 'acme', { members: { ann: parseMoney('5') } });
    await stage.gate.lookAtCaps();
    await soon(() => expect(stage.credit('dev').minutes).toBe(30));
    await writeCaps(db, 'acme', { members: { ann: parseMoney('0') } });
    await stage.gate.lookAtCaps();
    await soon(() => expect(stage.credit('dev')).toMatchObject({ status: 'False', reason: 'SpendCapReached' }));
    // It still runs: its usage until its end is not free for others.
    expect(await stage.held()).toEqual(['10000000', '5000000']);
    expect(stage.credit('other')).toMatchObject({ status: 'True', minutes: 60 });
    await writeCaps(db, 'acme', { organization: parseMoney('0') });
    await stage.gate.lookAtCaps();
    await soon(() => expect(stage.credit('other')).toMatchObject({ status: 'False', reason: 'SpendCapReached' }));
  });

  test('that runs beyond a cap is refused also where the first write of it fails, or the gateway goes before it', async () => {
    await stage.open();
    await stage.fund('100');
    stage.put(gpuInstance, 'dev', { ...cores(10), status: running(10) });
    await soon(() => expect(stage.credit('dev').minutes).toBe(60));
    await stage.gate.lookAtCaps();
    const { cluster } = stage.kinds;
    const neverWritten = () => {
      cluster.refuse = (write) =>
        write === 'patch GpuInstance dev status' ? { error: new ApiError(500, { message: 'away' }) } : undefined;
    };
    const working = cluster.refuse;
    neverWritten();
    await writeCaps(db, 'acme', { organization: parseMoney('0') });
    await stage.gate.lookAtCaps();
    await stage.quiet();
    expect(stage.credit('dev').status).toBe('True');
    cluster.refuse = working;
    await stage.step(1_000);
    await soon(() => expect(stage.credit('dev')).toMatchObject({ status: 'False', reason: 'SpendCapReached' }));

    await writeCaps(db, 'acme', { organization: null });
    await stage.gate.lookAtCaps();
    await stage.step(15_000);
    await soon(() => expect(stage.credit('dev').status).toBe('True'));
    neverWritten();
    await writeCaps(db, 'acme', { organization: parseMoney('0') });
    await stage.gate.lookAtCaps();
    await stage.halt();
    cluster.refuse = working;
    await stage.start();
    await stage.gate.lookAtCaps();
    await soon(() => expect(stage.credit('dev')).toMatchObject({ status: 'False', reason: 'SpendCapReached' }));
  });

  test('that runs under a hold that was cut is decided anew: it has what is left, and nothing without', async () => {
    await stage.open();
    const at = new Date(stage.clock.now());
    const topUp = { key: 'pay', organizationId: 'acme', amount: parseMoney('8'), at, channel: 'card' as const };
    await stage.wallets.deposit({ ...topUp, bill: { id: 'pay', reference: 'pay' } });
    stage.put(gpuInstance, 'dev', { ...cores(4), status: running(4) });
    stage.put(gpuInstance, 'other', { ...cores(1), status: running(1) });
    await soon(() => expect([stage.credit('dev').minutes, stage.credit('other').minutes]).toEqual([60, 60]));
    const back = { ...topUp, billId: 'pay', why: 'chargeback' as const };
    await stage.wallets.takeBack({ ...back, key: 'back-1', amount: parseMoney('5') });
    await soon(() => expect(stage.credit('other').minutes).toBe(60));
    await soon(() => expect(stage.credit('dev').minutes).toBeLessThanOrEqual(45));
    // By another gateway, which this one does not hear of.
    const elsewhere = new Wallets({ db, clock: stage.clock, ledger: new Ledger({ db, clock: stage.clock }) });
    await elsewhere.takeBack({ ...back, key: 'back-2', amount: parseMoney('3') });
    await stage.quiet();
    expect(stage.credit('dev').status).toBe('True');
    await stage.gate.lookAtHolds();
    await soon(() => expect(stage.credit('dev')).toMatchObject({ status: 'False', reason: 'OutOfCredit' }));
    await soon(() => expect(stage.credit('other')).toMatchObject({ status: 'False', reason: 'OutOfCredit' }));
  });

  test('has its credit extended when half of it is used up, and no sooner', async () => {
    await stage.open();
    await stage.fund('100');
    stage.put(gpuInstance, 'dev', { ...cores(2), status: running(2) });
    await soon(() => expect(stage.credit('dev').minutes).toBe(60));
    const before = stage.kinds.cluster.writes.length;
    await stage.step(29.5 * 60_000);
    expect(stage.kinds.cluster.writes).toHaveLength(before);
    await stage.step(31_000);
    await soon(() => expect(stage.credit('dev').minutes).toBe(60));
    expect(stage.kinds.cluster.writes).toHaveLength(before + 1);
  });

  test('that runs at a price that rises has what was granted before no longer', async () => {
    await stage.open([], { cpu: '1', memory: '0', disk: '0' });
    await stage.fund('10');
    stage.put(gpuInstance, 'dev', { ...cores(2), status: { ...running(2), phase: 'running' } });
    await soon(async () => expect(await stage.held()).toEqual(['2000000']));
    expect(stage.credit('dev').message).toBe('Credit is reserved.');
    await stage.tariffs.setPrice({ sku: 'cpu', amount: parseMoney('4') }, 'test');
    await soon(async () => expect(await stage.held()).toEqual(['8000000']));
    await stage.tariffs.setPrice({ sku: 'cpu', amount: parseMoney('1000') }, 'test');
    await soon(() => expect(stage.credit('dev')).toMatchObject({ status: 'False', reason: 'OutOfCredit' }));
  });

  test('that runs gets what is left, and is out of credit when that is used up', async () => {
    await stage.open();
    await stage.fund('3');
    stage.put(gpuInstance, 'dev', { ...cores(2), status: running(2) });
    await soon(() => expect(stage.credit('dev').minutes).toBe(60));
    const { uid = '' } = stage.find(gpuInstance.kind, 'dev').metadata;
    const minutes = [];
    for (const used of ['0.9', '0.9', '0.9']) {
      await stage.use(used, uid);
      await stage.step(30 * 60_000 + 1_000);
      minutes.push(stage.credit('dev').minutes);
    }
    // 2.10, 1.20 and 0.30 are then left of 3.00, at 2.00 an hour.
    expect(minutes.slice(0, 2)).toEqual([60, 36]);
    expect(minutes[2]).toBeLessThanOrEqual(9);
    await stage.use('0.3', uid);
    await stage.step(10 * 60_000);
    await soon(() => expect(stage.credit('dev')).toMatchObject({ status: 'False', reason: 'OutOfCredit' }));
    expect((await stage.wallets.balances('acme')).debt).toBe(0n);
  });

  test('at rest holds nothing, and its next start is decided anew', async () => {
    await stage.open();
    await stage.fund('5');
    stage.put(gpuInstance, 'dev', { ...cores(2), status: running(2) });
    await soon(() => expect(stage.credit('dev').status).toBe('True'));
    const rested = {
      intervals: [
        { ...running(2).intervals[0], to: '2026-01-01T00:10:00Z' },
        { seq: 2, subjectUID: 'disk', from: '2026-01-01T00:10:00Z', uses: [{ resource: 'disk', quantity: 20 }] },
      ],
    };
    stage.change(gpuInstance.kind, 'dev', { spec: { power: 'Stopped' }, status: rested });
    await stage.quiet();
    // Its usage is not posted yet: until then nobody else may spend it.
    expect(await stage.held()).toEqual(['2000000']);
    const { credit } = stage.find(gpuInstance.kind, 'dev').status ?? {};
    stage.change(gpuInstance.kind, 'dev', { status: { credit: { ...credit, postedSeq: 1 } } });
    await soon(async () => expect(await stage.held()).toEqual([]));
    await stage.use('4');
    stage.change(gpuInstance.kind, 'dev', { spec: { power: 'Running' } });
    await soon(() =>
      expect(stage.credit('dev')).toMatchObject({
        status: 'False',
        generation: 3,
        message: 'needs $2.00 for the next hour, $1.00 available',
      }),
    );
  });

  test('that is gone holds nothing, also when no gateway saw it go', async () => {
    await stage.open();
    await stage.fund('100');
    for (const name of ['one', 'two']) stage.put(gpuInstance, name, cores(2));
    await soon(async () => expect(await stage.held()).toHaveLength(2));
    const end = async (name: string) => {
      const { metadata, apiVersion } = stage.find(gpuInstance.kind, name);
      stage.kinds.cluster.put({
        ...stage.find(gpuInstance.kind, name),
        metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: [] },
      } as never);
      expect(apiVersion).toBe('gantry.dev/v1alpha1');
    };
    await end('one');
    await soon(async () => expect(await stage.held()).toHaveLength(1));
    await stage.halt();
    await end('two');
    await stage.start();
    await soon(async () => expect(await stage.held()).toEqual([]));
  });

  test('that runs in a data centre which is not followed keeps what is held for it; one that is gone does not', async () => {
    await stage.open();
    await stage.fund('100');
    await stage.halt();
    stage.outside = [{ uid: 'far' }];
    const until = new Date(stage.clock.now() + HOUR_MS);
    await stage.wallets.spend('acme', ['far', 'gone'], async (money) => {
      money.hold({ subject: 'far', accountId: 'ann', amount: parseMoney('2'), until });
      money.hold({ subject: 'gone', accountId: 'ann', amount: parseMoney('3'), until });
    });
    await stage.start();
    await soon(async () => expect(await stage.held()).toEqual(['2000000']));
  });

  test('whose use has no price is not made', async () => {
    await stage.open([], { cpu: '1', memory: '0', disk: '0' });
    await stage.fund('100');
    stage.put(gpuInstance, 'dev', { spec: { gpu: { model: 'H100', count: 1 } } });
    await soon(() => expect(stage.credit('dev')).toMatchObject({ status: 'False', reason: 'NoPrice' }));
    expect(stage.credit('dev').message).toContain('gpu/H100');
  });

  test('counts against the cap of the organisation and of the member who made it', async () => {
    await stage.open();
    await stage.fund('100');
    await writeCaps(db, 'acme', { organization: parseMoney('10'), members: { ann: parseMoney('3') } });
    stage.put(gpuInstance, 'first', cores(2));
    await soon(() => expect(stage.credit('first').status).toBe('True'));
    stage.put(gpuInstance, 'second', cores(2));
    await soon(() =>
      expect(stage.credit('second')).toMatchObject({
        reason: 'SpendCapReached',
        message:
          "needs $2.00 for the next hour, but $2.00 of the member's monthly cap of $3.00 are already spent or reserved",
      }),
    );
    stage.put(gpuInstance, 'of-nobody', { spec: { cores: 0.1 } });
    stage.put(gpuInstance, 'of-ben', { spec: { cores: 9, creator: 'ben' } });
    await soon(() =>
      expect(stage.credit('of-ben').message).toContain("$2.00 of the organisation's monthly cap of $10.00"),
    );
    await soon(() =>
      expect(stage.credit('of-nobody').message).toContain('spec.creator or spec.startedBy must name who it is for'),
    );
    await writeCaps(db, 'acme', { organization: null, members: { ann: null } });
    stage.gate.moneyMoved('acme');
    await soon(() => expect(['second', 'of-ben'].map((name) => stage.credit(name).status)).toEqual(['True', 'True']));
  });

  test('that is refused is not asked for again because another was granted', async () => {
    await stage.open();
    await stage.fund('50');
    stage.put(gpuInstance, 'big', cores(90));
    await soon(() => expect(stage.credit('big').status).toBe('False'));
    await stage.quiet();
    const before = stage.asks;
    for (const name of ['a', 'b', 'c']) {
      stage.put(gpuInstance, name, cores(1));
      await soon(() => expect(stage.credit(name).status).toBe('True'));
      await stage.quiet();
    }
    expect(stage.asks - before).toBe(3);
  });

  test('forty that start at once never come beyond the balance by one', async () => {
    await stage.open();
    await stage.fund('15.5');
    for (let number = 0; number < 40; number++) stage.put(gpuInstance, `dev-${number}`, cores(1));
    await soon(() => {
      const all = Array.from({ length: 40 }, (_, number) => stage.credit(`dev-${number}`));
      expect(all.filter(({ status }) => status === 'True')).toHaveLength(15);
      expect(all.filter(({ reason }) => reason === 'OutOfCredit')).toHaveLength(25);
    }, 60_000);
    const { held, available } = await stage.wallets.balances('acme');
    await expect([held, available]).toEqual([15_000_000n, 500_000n]);
    const refused = Array.from({ length: 40 }, (_, number) => stage.credit(`dev-${number}`)).find(
      ({ status }) => status === 'False',
    );
    expect(refused?.message).toBe('needs $1.00 for the next hour, $0.50 available');
  }, 90_000);
});

describe('debt', () => {
  test('is not cleared by a small top-up, and nothing resumes before the gate let it', async () => {
    await stage.open();
    await stage.fund('1');
    await stage.use('11');
    stage.put(gpuInstance, 'dev', { ...cores(2), status: running(2) });
    await soon(() => expect(stage.credit('dev').message).toBe('needs $2.00 for the next hour, -$10.00 available'));
    await stage.fund('1');
    await stage.quiet();
    expect((await stage.wallets.balances('acme')).debt).toBe(9_000_000n);
    expect(stage.credit('dev').status).toBe('False');
    // A wish that comes again is a wish, and no way past the check.
    stage.change(gpuInstance.kind, 'dev', { spec: { power: 'Stopped' } });
    stage.change(gpuInstance.kind, 'dev', { spec: { power: 'Running' } });
    await stage.quiet();
    expect(stage.credit('dev')).toMatchObject({ status: 'False', reason: 'OutOfCredit' });
    await stage.fund('20');
    await soon(() => expect(stage.credit('dev')).toMatchObject({ status: 'True', generation: 3 }));
  });
});

describe('whoever keeps editing an object', () => {
  const status = 'patch GpuInstance dev status';
  const written = () => stage.kinds.cluster.writes.filter((write) => write === status).length;
  /** Edits before every counted write of billing; returns how far billing was each time. */
  const beforeEachWrite = (edit: (time: number) => void, most = 20) => {
    const generations: unknown[] = [];
    stage.kinds.cluster.refuse = (write) => {
      if (write !== status || generations.length === most) return undefined;
      generations.push(stage.credit('dev').generation);
      edit(generations.length);
      return undefined;
    };
    return generations;
  };
  /** Like a tenant's edit: a new version that billing does not know of yet. */
  const annotate = (time: number) => {
    const old = stage.find(gpuInstance.kind, 'dev');
    stage.kinds.cluster.put({ ...old, metadata: { ...old.metadata, annotations: { time: `${time}` } } });
  };

  test.each([
    ['granted', '100', { status: 'True', reason: 'Reserved' }],
    ['refused', '1', { status: 'False', reason: 'OutOfCredit' }],
  ])('has credit %s by the first try', async (_, money, wanted) => {
    await stage.open();
    await stage.fund(money);
    beforeEachWrite(annotate);
    stage.put(gpuInstance, 'dev', cores(2));
    await soon(() => expect(stage.credit('dev')).toMatchObject({ ...wanted, generation: 1 }));
    await stage.quiet();
    expect(written()).toBe(1);
  });

  test('gets an answer to each wish by one try', async () => {
    await stage.open();
    await stage.fund('100');
    const generations = beforeEachWrite((time) =>
      stage.change(gpuInstance.kind, 'dev', { spec: { rebootCount: time } }),
    );
    stage.put(gpuInstance, 'dev', { ...cores(2), status: { phase: 'creating' } });
    await soon(() => expect(stage.credit('dev')).toMatchObject({ status: 'True', generation: 21 }));
    // Whatever changed meanwhile, the answer came before it.
    expect(generations).toEqual([undefined, ...Array.from({ length: 19 }, (_, index) => index + 1)]);
    await stage.quiet();
    expect(written()).toBe(21);
  });

  test('whose answer has moved to another place costs one more try', async () => {
    await stage.open();
    await stage.fund('100');
    const condition = {
      type: 'Ready',
      status: 'False',
      reason: 'x',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    beforeEachWrite(() => stage.change(gpuInstance.kind, 'dev', { status: { conditions: [condition] } }), 1);
    stage.put(gpuInstance, 'dev', cores(2));
    await soon(() => expect(stage.credit('dev')).toMatchObject({ status: 'True', generation: 1 }));
    await stage.quiet();
    expect(written()).toBe(2);
  });
});

test('a disk holds money until it is made, and costs no write after that', async () => {
  await stage.open([], { ...PRICES, disk: '73' });
  await stage.fund('100');
  stage.put(dataDisk, 'data', { spec: { sizeGi: 10 } });
  await soon(() => expect(stage.credit('data', dataDisk.kind)).toMatchObject({ status: 'True', minutes: 60 }));
  expect(await stage.held()).toEqual(['1000000']);
  stage.change(dataDisk.kind, 'data', {
    status: {
      intervals: [
        { seq: 1, subjectUID: 'x', from: '2026-01-01T00:00:00Z', uses: [{ resource: 'disk', quantity: 10 }] },
      ],
    },
  });
  await soon(async () => expect(await stage.held()).toEqual([]));
  await stage.quiet();
  const release = jest.spyOn(stage.wallets, 'release');
  stage.change(dataDisk.kind, 'data', { status: { phase: 'inactive' } });
  await stage.quiet();
  expect(release).not.toHaveBeenCalled();
  const before = stage.kinds.cluster.writes.length;
  await stage.leap(DAY_MS);
  expect(stage.kinds.cluster.writes).toHaveLength(before);
});

test('an export has credit before anything is copied, and holds no more than that once it is', async () => {
  // A copy counts as 10 GiB until it is done.
  await stage.open([], { ...PRICES, snapshot: '73' });
  await stage.fund('0.5');
  stage.put(image, 'mine', { spec: { source: 'registry.gantry.internal/org-acme/mine:1', fromInstance: 'dev' } });
  const credit = () => stage.credit('mine', image.kind);
  await soon(() => expect(credit()).toMatchObject({ status: 'False', reason: 'OutOfCredit' }));
  await stage.fund('1');
  await soon(() => expect(credit()).toMatchObject({ status: 'True', generation: 1, minutes: 60 }));
  expect(stage.find(image.kind, 'mine').metadata.finalizers).toEqual([FINALIZER.billing]);
  expect(await stage.held()).toEqual(['1000000']);
  const uses = [{ resource: 'snapshot', quantity: 4 }];
  const intervals = [{ seq: 1, subjectUID: 'x', from: '2026-01-01T00:00:00Z', uses }];
  stage.change(image.kind, 'mine', { status: { savedBytes: 4 * 2 ** 30, intervals } });
  await soon(async () => expect(await stage.held()).toEqual([]));
});

test('an export that failed before anything was copied holds nothing', async () => {
  await stage.open([], { ...PRICES, snapshot: '73' });
  await stage.fund('1');
  stage.put(image, 'mine', { spec: { source: 'registry.gantry.internal/org-acme/mine:1', fromInstance: 'dev' } });
  await soon(async () => expect(await stage.held()).toHaveLength(1));
  stage.change(image.kind, 'mine', { status: { phase: 'failed', reason: 'InstanceNotFound' } });
  await stage.leap(40 * 60_000);
  await soon(async () => expect(await stage.held()).toEqual([]));
});

describe('a rented host', () => {
  const credit = () => stage.credit('big', gpuHost.kind);
  const ordered = async () =>
    (await db.sql.select().from(orders)).map(({ id, net }) => `${id.split('/').slice(1).join('/')} ${net}`).sort();

  test('is held for while it is pending, charged once when active, and needs no hold after that', async () => {
    await stage.open();
    await stage.fund('2100');
    stage.put(gpuHost, 'big', { spec: { months: 2, nodes: 2, creator: 'ann' } });
    await soon(() => expect(credit()).toMatchObject({ status: 'True', minutes: 60 }));
    expect(await stage.held()).toEqual(['2000000000']);
    const nodes = ['a', 'b'].map((name) => ({ name, ready: true, gpus: 8 }));
    stage.change(gpuHost.kind, 'big', { status: { startedAt: '2026-01-01T00:00:00Z', countedMonths: 2, nodes } });
    await soon(async () => expect(await ordered()).toEqual(['0/2 1000000000', '1/2 1000000000']));
    await soon(() =>
      expect(credit()).toMatchObject({ status: 'True', message: 'It is paid until 2026-03-01 00:00 UTC.' }),
    );
    expect(await stage.held()).toEqual([]);
    expect((await stage.wallets.balances('acme')).balance).toBe(100_000_000n);
    const made = await db.sql.select().from(bills);
    expect(
      made.filter(({ type }) => type === 'order_consumption').map(({ status, accountId }) => [status, accountId]),
    ).toEqual([
      ['paid', 'ann'],
      ['paid', 'ann'],
    ]);
    await stage.leap(40 * DAY_MS);
    expect((await stage.wallets.balances('acme')).balance).toBe(100_000_000n);
  });

  test('may go once its months are charged, and not while no gate has charged them', async () => {
    await stage.open();
    await stage.fund('2100');
    stage.put(gpuHost, 'big', { spec: { months: 2, nodes: 2, creator: 'ann' } });
    await soon(() => expect(credit()).toMatchObject({ status: 'True' }));
    const mayGo = () => Promise.all(stage.kinds.billed.list(gpuHost.kind).map((host) => isCharged(stage.parts, host)));
    expect(await mayGo()).toEqual([true]);
    await stage.halt();
    const nodes = ['a', 'b'].map((name) => ({ name, ready: true, gpus: 8 }));
    stage.change(gpuHost.kind, 'big', { status: { startedAt: '2026-01-01T00:00:00Z', countedMonths: 2, nodes } });
    await soon(async () => expect(await mayGo()).toEqual([false]));
    await stage.start();
    await soon(async () => expect(await mayGo()).toEqual([true]));
    expect((await ordered()).length).toBe(2);
  });

  test('whose hold was cut by a chargeback has no credit within one look, and is decided no more after that', async () => {
    await stage.open();
    const at = new Date(stage.clock.now());
    const topUp = { key: 'pay', organizationId: 'acme', amount: parseMoney('2100'), at, channel: 'card' as const };
    await stage.wallets.deposit({ ...topUp, bill: { id: 'pay', reference: 'pay' } });
    stage.put(gpuHost, 'big', { spec: { months: 2, nodes: 2, creator: 'ann' } });
    await soon(() => expect(credit()).toMatchObject({ status: 'True', minutes: 60 }));
    // By another gateway, which this one does not hear of.
    const elsewhere = new Wallets({ db, clock: stage.clock, ledger: new Ledger({ db, clock: stage.clock }) });
    await elsewhere.takeBack({ ...topUp, key: 'back', billId: 'pay', why: 'chargeback' });
    await stage.gate.lookAtHolds();
    await soon(() => expect(credit()).toMatchObject({ status: 'False', reason: 'OutOfCredit' }));
    await stage.quiet();
    const { length } = stage.kinds.cluster.writes;
    await stage.gate.lookAtHolds();
    await stage.quiet();
    expect([stage.kinds.cluster.writes.length, await stage.held()]).toEqual([length, []]);
  });

  test('that never started costs nothing', async () => {
    await stage.open();
    await stage.fund('600');
    stage.put(gpuHost, 'big', { metadata: { finalizers: ['test/keep'] } });
    await soon(async () => expect(await stage.held()).toEqual(['500000000']));
    const old = stage.find(gpuHost.kind, 'big');
    stage.kinds.cluster.put({
      ...old,
      metadata: { ...old.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
    } as never);
    await soon(async () => expect(await stage.held()).toEqual([]));
    expect(await ordered()).toEqual([]);
  });

  test('pays the rest of the month for a node that is added, and whole months for a renewal', async () => {
    await stage.open();
    await stage.fund('5000');
    const status = {
      startedAt: '2026-01-01T00:00:00Z',
      countedMonths: 1,
      nodes: [{ name: 'a', ready: true, gpus: 8 }],
    };
    stage.put(gpuHost, 'big', { status });
    await soon(async () => expect(await ordered()).toEqual(['0/1 500000000']));
    await stage.leap(15.5 * DAY_MS);
    stage.change(gpuHost.kind, 'big', { spec: { nodes: 2 } });
    // Half of January is left.
    await soon(async () => expect(await stage.held()).toEqual(['250000000']));
    await soon(() => expect(credit()).toMatchObject({ status: 'True', generation: 2 }));
    stage.change(gpuHost.kind, 'big', { status: { nodes: [...status.nodes, { name: 'b', ready: true, gpus: 8 }] } });
    await soon(async () => expect(await ordered()).toEqual(['0/1 500000000', '0/2 250000000']));
    stage.change(gpuHost.kind, 'big', { spec: { months: 2 } });
    await soon(async () => expect(await stage.held()).toEqual(['1000000000']));
    expect((await ordered()).length).toBe(2);
    stage.change(gpuHost.kind, 'big', { status: { countedMonths: 2 } });
    await soon(async () => expect(await ordered()).toContain('1/2 1000000000'));
    await soon(async () => expect(await stage.held()).toEqual([]));
  });

  test('is renewed by itself only with the money for it', async () => {
    await stage.open();
    await stage.fund('600');
    stage.put(gpuHost, 'big', {
      spec: { autoRenew: true },
      status: { startedAt: '2026-01-01T00:00:00Z', countedMonths: 1, nodes: [{ name: 'a', ready: true, gpus: 8 }] },
    });
    await soon(() => expect(credit().message).toBe('It is paid until 2026-02-01 00:00 UTC.'));
    await stage.leap(30 * DAY_MS);
    await soon(() =>
      expect(credit().message).toBe(
        'It is paid until 2026-02-01 00:00 UTC, but not beyond: needs $500.00 for 1 month, $100.00 available',
      ),
    );
    expect(credit().minutes).toBe(24 * 60);
    await stage.fund('450');
    await soon(() => expect(credit().minutes).toBe(25 * 60));
    expect(await stage.held()).toEqual(['500000000']);
    stage.change(gpuHost.kind, 'big', { status: { renewedMonths: 1 } });
    await soon(async () => expect(await ordered()).toEqual(['0/1 500000000', '1/1 500000000']));
  });

  const months = () => {
    const { status } = stage.find(gpuHost.kind, 'big') as { status?: { credit?: { months?: number } } };
    return status?.credit?.months;
  };
  const begun = { startedAt: '2026-01-01T00:00:00Z', countedMonths: 1, nodes: [{ name: 'a', ready: true, gpus: 8 }] };

  test('that is paid gets as many of the months it wishes for as the money covers, and the others when it comes', async () => {
    await stage.open();
    await stage.fund('1600');
    stage.put(gpuHost, 'big', { spec: { months: 4 }, status: begun });
    await soon(() =>
      expect(credit()).toMatchObject({
        status: 'True',
        message: 'Credit covers 3 of 4 months: needs $500.00 for 1 month, $100.00 available',
        minutes: 60,
      }),
    );
    expect([await stage.held(), await ordered(), months()]).toEqual([['1000000000'], ['0/1 500000000'], 3]);
    stage.change(gpuHost.kind, 'big', { status: { countedMonths: 3 } });
    await soon(() =>
      expect(credit()).toMatchObject({
        status: 'True',
        message:
          'It is paid until 2026-04-01 00:00 UTC, and credit covers 3 of 4 months: needs $500.00 for 1 month, $100.00 available',
        minutes: 90 * 24 * 60,
      }),
    );
    expect([await stage.held(), (await ordered()).length, months()]).toEqual([[], 3, 3]);
    await stage.fund('450');
    await soon(() => expect(credit().message).toBe('Credit is reserved.'));
    expect([await stage.held(), months()]).toEqual([['500000000'], undefined]);
  });

  test('begins with the months that are covered, and not without one', async () => {
    await stage.open();
    await stage.fund('900');
    stage.put(gpuHost, 'big', { spec: { months: 3, nodes: 2 } });
    await soon(() =>
      expect(credit()).toMatchObject({
        status: 'False',
        reason: 'OutOfCredit',
        message: 'needs $3,000.00 for 3 months of 2 nodes, $900.00 available',
      }),
    );
    await stage.fund('1200');
    await soon(() =>
      expect(credit().message).toBe(
        'Credit covers 2 of 3 months: needs $1,000.00 for 1 month of 2 nodes, $100.00 available',
      ),
    );
    expect([await stage.held(), months()]).toEqual([['2000000000'], 2]);
    const { resourceVersion } = stage.find(gpuHost.kind, 'big').metadata;
    await stage.step(5 * 60_000);
    expect(stage.find(gpuHost.kind, 'big').metadata.resourceVersion).toBe(resourceVersion);
  });

  test('that waits for a node is not renewed by itself without the money for the month', async () => {
    await stage.open();
    await stage.fund('700');
    stage.put(gpuHost, 'big', { spec: { autoRenew: true, nodes: 2 }, status: begun });
    await soon(async () => expect(await ordered()).toEqual(['0/1 500000000']));
    await stage.leap(31 * DAY_MS - HOUR_MS / 2);
    await soon(() =>
      expect(credit().message).toMatch(/^It is paid until 2026-02-01 00:00 UTC, but not beyond: needs \$1,000.00/),
    );
    expect(credit().minutes).toBe(30);
  });

  test('beyond what the plan has is not renewed, and stays to the end of what is paid', async () => {
    await stage.open();
    await stage.fund('50000');
    const status = { phase: 'active', countedMonths: 1, nodes: [{ name: 'a', ready: true, gpus: 8 }] };
    for (const [at, name] of ['one', 'two', 'big'].entries())
      stage.put(gpuHost, name, {
        metadata: { creationTimestamp: `2026-01-01T00:00:0${at}Z` },
        spec: { autoRenew: true },
        status: { ...status, startedAt: '2026-01-01T00:00:00Z' },
      });
    await soon(() => expect(credit().message).toBe('It is paid until 2026-02-01 00:00 UTC.'));
    stage.plan = 'free';
    await stage.leap(30.5 * DAY_MS);
    await soon(() =>
      expect(credit()).toMatchObject({
        status: 'True',
        message:
          'It is paid until 2026-02-01 00:00 UTC, but not beyond: The Free plan allows 2 hosts, and 2 exist already.',
      }),
    );
    await soon(async () => expect(await stage.held()).toHaveLength(2));
    const ann = { namespace: 'org-acme', account: 'ann', language: 'en', role: 'owner' } as const;
    const more = (name: string) =>
      stage.kinds.store.act(gpuHost, ann, name, { action: 'renew' }, { route: 'act', key: undefined });
    await expect(more('big')).rejects.toMatchObject({ problem: 'plan_limit' });
    await expect(more('one')).resolves.toBeDefined();
  });

  test('is refused beyond what the plan has', async () => {
    stage.plan = 'free';
    await stage.open();
    await stage.fund('5000');
    for (const [at, name] of ['one', 'two', 'big'].entries())
      stage.put(gpuHost, name, { metadata: { creationTimestamp: `2026-01-01T00:00:0${at}Z` } });
    await soon(() =>
      expect(credit()).toMatchObject({
        status: 'False',
        reason: 'PlanLimit',
        message: 'The Free plan allows 2 hosts, and 2 exist already.',
        args: namingPlan('free'),
      }),
    );
    expect(await stage.held()).toHaveLength(2);
  });
});

describe('an organisation', () => {
  const inCredit = () => stage.kinds.billed.inCredit('acme');

  test('that is out of credit says so, is told once, and resumes by itself after a payment that is enough', async () => {
    await stage.open();
    await stage.fund('1');
    expect(inCredit()).toMatchObject({ status: 'True', reason: 'InCredit' });
    stage.put(gpuInstance, 'dev', { ...cores(2), status: running(2) });
    await stage.quiet();
    // A hundred starts are one look at how it stands.
    await stage.step(5_000);
    await soon(() => expect(stage.notices.map(({ key }) => key.split('/')[2])).toContain('h3'));
    await stage.use('1.5');
    await soon(() =>
      expect(inCredit()).toMatchObject({ status: 'False', reason: 'OutOfCredit', message: '-$0.50 are left.' }),
    );
    await stage.leap(2 * HOUR_MS);
    await soon(() => expect(stage.credit('dev')).toMatchObject({ status: 'False', reason: 'OutOfCredit' }));
    const outs = () => stage.notices.filter(({ key }) => key.includes('/out/'));
    await soon(() => expect(outs()).toHaveLength(1));
    await stage.step(60_000);
    expect(outs()).toHaveLength(1);
    expect(stage.notices.every(({ title }) => title.zh !== '' && title.ja !== '')).toBe(true);
    await stage.fund('10');
    await soon(() => expect(inCredit()).toMatchObject({ status: 'True' }));
    await soon(() => expect(stage.credit('dev')).toMatchObject({ status: 'True', reason: 'Reserved' }));
    await stage.step(120_000);
    expect(outs()).toHaveLength(1);
    await stage.use('10');
    await soon(() => expect(outs().map(({ args }) => args.left)).toEqual(['-0.50', '-0.50']));
  });

  test('that has the name of a deleted one spends nothing of its money, and says why', async () => {
    await stage.open();
    await stage.fund('100');
    await db.sql.update(organizations).set({ deletedAt: new Date(stage.clock.now()) });
    stage.put(gpuInstance, 'dev', cores(2));
    await soon(() =>
      expect(stage.credit('dev')).toMatchObject({
        status: 'False',
        reason: 'OutOfCredit',
        message: 'needs $2.00 for the next hour, $0.00 available',
      }),
    );
    await stage.step(60_000);
    await soon(() =>
      expect(inCredit()).toMatchObject({
        status: 'False',
        message: expect.stringContaining('this one does not inherit its money, debt or bills.'),
      }),
    );
    await db.sql.update(organizations).set({ deletedAt: null });
    await stage.fund('1');
    await soon(() => expect(stage.credit('dev')).toMatchObject({ status: 'True' }));
  });

  test('that pays while it is looked at is told nothing of how it stood before', async () => {
    await stage.open();
    await stage.fund('10');
    stage.put(gpuInstance, 'dev', { ...cores(2), status: running(2) });
    await stage.quiet();
    await stage.step(5_000);
    const keys = () => stage.notices.map(({ key }) => key);
    await soon(() => expect(keys()).toEqual(['credit/acme/h24/1']));
    await stage.quiet();
    const balances = jest.spyOn(stage.wallets, 'balances').mockImplementationOnce(async (organizationId) => {
      const before = await stage.wallets.balances(organizationId);
      await stage.fund('1000');
      return before;
    });
    stage.creditStatuses.look('acme');
    await stage.quiet();
    balances.mockRestore();
    expect(keys()).toEqual(['credit/acme/h24/1']);
  });

  test('that pays has its top-up noted when it comes, also where there is nothing to tell', async () => {
    await stage.open();
    await stage.fund('10');
    await soon(async () => {
      const [row] = await db.sql.select({ warned: billingProfiles.warned }).from(billingProfiles);
      expect(JSON.parse(row?.warned ?? '')).toMatchObject({ topUp: expect.stringMatching(/./), levels: [] });
    });
    expect(stage.notices).toEqual([]);
  });

  test('keeps its data for a while, warned by date, and its debt for ever', async () => {
    await stage.open([], { ...PRICES, disk: '73' });
    await stage.fund('1');
    const used = [{ seq: 1, subjectUID: 'x', from: '2026-01-01T00:00:00Z', uses: [{ resource: 'disk', quantity: 1 }] }];
    stage.put(dataDisk, 'data', { spec: { sizeGi: 1 }, status: { intervals: used } });
    stage.put(image, 'theirs', { spec: { source: 'docker.io/library/busybox:1' } });
    await stage.use('8');
    await soon(() => expect(inCredit()?.reason).toBe('OutOfCredit'));
    const dates = () => stage.notices.flatMap(({ key, args }) => (key.includes('/dataKept/') ? [args.date] : []));
    await stage.leap(23 * DAY_MS);
    await soon(() => expect(dates()).toEqual(['2026-01-31']));
    await stage.leap(6.5 * DAY_MS);
    await soon(() => expect(dates()).toHaveLength(2));
    expect(stage.kinds.cluster.find(dataDisk.kind, 'data')?.metadata.deletionTimestamp).toBeUndefined();
    await stage.leap(2 * DAY_MS);
    await soon(() =>
      expect(stage.kinds.cluster.find(dataDisk.kind, 'data')?.metadata).toMatchObject({
        deletionTimestamp: expect.anything(),
      }),
    );
    // Free objects stay, and nothing else is written on objects that are deleted.
    expect(stage.kinds.cluster.find(image.kind, 'theirs')?.metadata).not.toHaveProperty('deletionTimestamp');
    expect(stage.kinds.cluster.find(dataDisk.kind, 'data')?.metadata.annotations).toBeUndefined();
    expect((await stage.wallets.balances('acme')).debt).toBe(7_000_000n);
  });
});

describe('a wish by the API', () => {
  const ann = { namespace: 'org-acme', account: 'ann', language: 'en', role: 'owner' } as const;
  const request = (key?: string) => ({ route: 'createInstance', key });

  test('is refused with the numbers before anything is made, and says the same as its estimate', async () => {
    await stage.open();
    await stage.fund('3.10');
    const spec = { displayName: 'dev', cores: 12.4, image: 'registry.gantry.internal/official/busybox:1.36' };
    await expect(stage.kinds.store.create(gpuInstance, ann, spec, request())).rejects.toMatchObject({
      problem: 'not_enough_credit',
      message: 'Needs $12.40, $3.10 available.',
    });
    expect(stage.kinds.cluster.writes.filter((write) => write.startsWith('create'))).toEqual([]);
    const object = { ...kindObject(gpuInstance, 'x'), spec: gpuInstance.spec.parse(spec) };
    const estimate = await stage.asked.checks.estimate(
      { organizationId: 'acme', accountId: 'ann' },
      { facts: gpuInstance as never, object },
    );
    expect(estimate).toMatchObject({
      per_hour: '12.40',
      needed: '12.40',
      available: '3.10',
      balance_after: '-9.30',
      affordable: false,
      refusal: 'not_enough_credit',
    });
  });

  test('is estimated with the prices of the region that is asked for', async () => {
    await stage.open();
    await stage.fund('10');
    await stage.tariffs.setPrice({ sku: 'cpu', amount: parseMoney('3'), region: 'eu-west' }, 'test');
    const spec = gpuInstance.spec.parse({ cores: 2, image: 'registry.gantry.internal/official/busybox:1.36' });
    const object = { ...kindObject(gpuInstance, 'x'), spec };
    const ann = { organizationId: 'acme', accountId: 'ann' };
    const estimate = (more: object) =>
      stage.asked.checks.estimate(ann, { facts: gpuInstance as never, object, ...more });
    expect(await estimate({})).toMatchObject({ per_hour: '2.00', needed: '2.00' });
    expect(await estimate({ region: 'eu-west' })).toMatchObject({ per_hour: '6.00', needed: '6.00' });
  });

  test('counts all that is charged in how long the balance lasts: usage, the plan, hosts that renew themselves', async () => {
    await stage.open();
    await stage.fund('60.00');
    const lasts = async () => (await stage.asked.checks.walletOf('acme')).hours_left;
    expect(await lasts()).toBeNull();
    stage.planCharge = { start: stage.clock.now() + DAY_MS, month: 0, amount: parseMoney('49.00') };
    expect(await lasts()).toBe(24 * 32);
    const spec = gpuInstance.spec.parse({ cores: 1, image: 'registry.gantry.internal/official/busybox:1.36' });
    const object = { ...kindObject(gpuInstance, 'x'), spec };
    const estimate = await stage.asked.checks.estimate(
      { organizationId: 'acme', accountId: 'ann' },
      { facts: gpuInstance as never, object },
    );
    expect([estimate.per_hour, estimate.hours_left]).toEqual(['1.00', 24]);
    stage.planCharge = undefined;
    await stage.fund('540.00');
    stage.put(gpuHost, 'big', { spec: { months: 1, nodes: 1, creator: 'ann', autoRenew: true } });
    const nodes = [{ name: 'a', ready: true, gpus: 8 }];
    const startedAt = new Date(stage.clock.now() - 21 * DAY_MS).toISOString();
    stage.change(gpuHost.kind, 'big', { status: { startedAt, countedMonths: 1, nodes } });
    await soon(async () => expect((await stage.wallets.balances('acme')).balance).toBe(parseMoney('100.00')));
    expect(await lasts()).toBe(24 * 10);
  });

  test('costs three statements besides the look at unposted usage', async () => {
    await stage.open();
    await stage.fund('3.10');
    await stage.quiet();
    const { $client } = db.sql as unknown as { $client: { query(...args: unknown[]): Promise<unknown> } };
    const query = jest.spyOn($client, 'query');
    const spec = { displayName: 'dev', cores: 12.4, image: 'registry.gantry.internal/official/busybox:1.36' };
    await expect(stage.kinds.store.create(gpuInstance, ann, spec, request())).rejects.toMatchObject({
      problem: 'not_enough_credit',
    });
    expect(query).toHaveBeenCalledTimes(3);
    query.mockRestore();
  });

  test('is refused by its cap also while what was held is being posted', async () => {
    await stage.open([], { cpu: '1', memory: '0', disk: '0' });
    await stage.fund('100');
    await writeCaps(db, 'acme', { organization: parseMoney('8'), members: {} });
    const subject = 'uid-of-another';
    await stage.wallets.hold({
      organizationId: 'acme',
      subject,
      amount: parseMoney('6'),
      until: new Date(stage.clock.now()),
    });
    const look = stage.wallets.look.bind(stage.wallets);
    stage.wallets.look = async (...args) => {
      // As long as any read beside this one takes.
      for (let turn = 0; turn < 10; turn++) await db.sql.execute(sql`select 1`);
      await stage.use('6', subject);
      return look(...args);
    };
    const spec = { displayName: 'dev', cores: 3, image: 'registry.gantry.internal/official/busybox:1.36' };
    await expect(stage.kinds.store.create(gpuInstance, ann, spec, request())).rejects.toMatchObject({
      problem: 'spend_cap_reached',
    });
  });

  test('is refused by the name of the cap that it would break, and of the price that there is not', async () => {
    await stage.open([], { cpu: '1', memory: '0', disk: '0' });
    await stage.fund('100');
    await writeCaps(db, 'acme', { organization: parseMoney('1'), members: {} });
    const create = (more: Record<string, unknown>) =>
      stage.kinds.store.create(
        gpuInstance,
        ann,
        { displayName: 'dev', image: 'registry.gantry.internal/official/busybox:1.36', ...more },
        request(),
      );
    await expect(create({ cores: 2 })).rejects.toMatchObject({ problem: 'spend_cap_reached' });
    await expect(create({ cores: 1, gpu: { model: 'Unheard-Of', count: 1 } })).rejects.toMatchObject({
      problem: 'no_price',
    });
  });

  test('under one Idempotency-Key is one object, though what it holds leaves too little for another', async () => {
    await stage.open();
    await stage.fund('2');
    const spec = { displayName: 'dev', cores: 2, image: 'registry.gantry.internal/official/busybox:1.36' };
    const made = await stage.kinds.store.create(gpuInstance, ann, spec, request('k'));
    await soon(() => expect(stage.credit(made.metadata.name).status).toBe('True'));
    const again = await stage.kinds.store.create(gpuInstance, ann, spec, request('k'));
    expect(again.metadata.name).toBe(made.metadata.name);
    await expect(stage.kinds.store.create(gpuInstance, ann, spec, request('other'))).rejects.toMatchObject({
      problem: 'not_enough_credit',
    });
  });

  test.each([
    ['resume', { power: 'Stopped' }, { phase: 'stopped', settledPower: 'Stopped' }],
    ['start', { power: 'ShutDown' }, { phase: 'shutDown', settledPower: 'ShutDown' }],
    ['restore', { power: 'Hibernated' }, { phase: 'shutDown', settledPower: 'Hibernated' }],
  ])('%s is no way past the check', async (action, spec, status) => {
    await stage.open();
    await stage.fund('1');
    stage.put(gpuInstance, 'dev', { spec: { ...cores(2).spec, ...spec }, status });
    await stage.quiet();
    const act = () => stage.kinds.store.act(gpuInstance, ann, 'dev', { action }, { route: 'act', key: undefined });
    await expect(act()).rejects.toMatchObject({ problem: 'not_enough_credit' });
    await stage.fund('1');
    await expect(act()).resolves.toMatchObject({ spec: { power: 'Running' } });
  });

  test('that runs may be edited without money, and not made to cost more', async () => {
    await stage.open();
    await stage.fund('2');
    stage.put(gpuInstance, 'dev', { ...cores(2), status: { ...running(2), phase: 'running' } });
    await soon(() => expect(stage.credit('dev').status).toBe('True'));
    await stage.use('1.9');
    await expect(stage.kinds.store.change(gpuInstance, ann, 'dev', { displayName: 'other' })).resolves.toBeDefined();
    await expect(stage.kinds.store.change(gpuInstance, ann, 'dev', { cores: 4 })).rejects.toMatchObject({
      problem: 'not_enough_credit',
    });
  });

  test('needs a price for what it adds, and for nothing else', async () => {
    await stage.open([], { cpu: '1', memory: '0' });
    await stage.fund('50');
    stage.put(gpuInstance, 'dev', { ...cores(2), status: { ...running(2), phase: 'running' } });
    await stage.quiet();
    const change = (spec: Record<string, unknown>) => stage.kinds.store.change(gpuInstance, ann, 'dev', spec);
    await expect(change({ displayName: 'other' })).resolves.toBeDefined();
    await expect(change({ homeDisk: { sizeGi: 99 } })).rejects.toMatchObject({ problem: 'no_price' });
  });

  test('a cap is for members, and one of somebody who has left can be taken away', async () => {
    await stage.open();
    const members = { ann: parseMoney('5'), 'acc-of-nobody': parseMoney('5') };
    await expect(stage.asked.setCaps('acme', { members })).rejects.toMatchObject({
      problem: 'not_a_member',
      args: { account: 'acc-of-nobody' },
      field: 'members',
    });
    expect((await stage.asked.caps('acme')).members).toEqual([]);
    await stage.asked.setCaps('acme', { members: { ann: parseMoney('5'), 'acc-of-nobody': null } });
    expect((await stage.asked.caps('acme')).members).toMatchObject([{ account_id: 'ann', cap: '5.00' }]);
  });

  test("counts the plan's hosts and the member's cap", async () => {
    stage.plan = 'free';
    await stage.open();
    await stage.fund('5000');
    const host = {
      displayName: 'big',
      source: 'rented',
      gpu: { model: 'H100', count: 8 },
      nodes: 1,
      months: 1,
      autoRenew: false,
    };
    await stage.asked.setCaps('acme', { members: { ann: parseMoney('600') } });
    await stage.kinds.store.create(gpuHost, ann, host, request());
    await soon(async () => expect(await stage.held()).toEqual(['500000000']));
    await expect(stage.kinds.store.create(gpuHost, ann, host, request())).rejects.toMatchObject({
      problem: 'member_cap_reached',
      args: { cap: '600.00', spent: '500.00', left: '100.00', wanted: '500.00' },
    });
    const ben = { ...ann, account: 'ben' };
    await stage.kinds.store.create(gpuHost, ben, host, request());
    await expect(stage.kinds.store.create(gpuHost, ben, host, request())).rejects.toMatchObject({
      problem: 'plan_limit',
      args: namingPlan('free'),
    });
    expect(await stage.asked.caps('acme')).toMatchObject({
      organization: { cap: null, spent: '0.00' },
      members: [{ account_id: 'ann', cap: '600.00' }],
    });
  });
});
