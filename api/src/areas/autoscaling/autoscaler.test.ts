import type { ContainerService } from '@gantry/contract/kinds/container-service.ts';
import { SteppedClock, turns } from '@gantry/kube/testing/stepped-clock.ts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Autoscaler, type AutoscalerParts, type ServiceLoad } from './autoscaler.ts';
import type { Decision } from './decide-replicas.ts';

const START = '2026-01-01T00:00:00Z';
let clock: SteppedClock;
let object: ContainerService;
let loads: Map<string, ServiceLoad> | undefined;
let written: Decision[];
let asked: string[];

const service = (autoscaling: object | undefined, scaling?: object): ContainerService =>
  ({
    metadata: { name: 'chat', namespace: 'org-acme', uid: 'u1', creationTimestamp: START },
    spec: {
      power: 'Running',
      replicas: 1,
      cores: 2,
      publish: { port: 80, access: 'Public' },
      ...(autoscaling && { autoscaling: { min: 1, max: 10, scaleDownSeconds: 60, idleSeconds: 60, ...autoscaling } }),
    },
    status: { phase: 'active', ...(scaling && { scaling: { at: START, because: 'Min', ...scaling } }) },
  }) as unknown as ContainerService;

const open = (over: Partial<AutoscalerParts> = {}) =>
  new Autoscaler({
    list: () => [object],
    loads: async () => {
      if (!loads) throw new Error('the database is down');
      return loads;
    },
    cpuPercentOf: () => undefined,
    gpuQueryOf: () => undefined,
    isPublished: ({ spec }) => spec.publish !== undefined,
    ask: async (query) => {
      asked.push(query);
      return 35;
    },
    write: async (one, decision) => {
      written.push(decision);
      object = {
        ...one,
        status: { ...one.status, scaling: { ...decision, at: new Date(clock.now()).toISOString() } },
      } as ContainerService;
    },
    clock,
    log: { warn: () => {} },
    ...over,
  });
const signal = new AbortController().signal;
const load = (over: Partial<ServiceLoad> = {}): ServiceLoad => ({
  inFlight: 0,
  perSecond: 0,
  lastActiveAt: 0,
  ...over,
});
const looks = async (autoscaler: Autoscaler, seconds: number) => {
  for (let at = 0; at < seconds; at += 2) {
    await autoscaler.look(signal);
    await clock.step(2_000);
  }
};

beforeEach(() => {
  clock = new SteppedClock();
  loads = new Map();
  written = [];
  asked = [];
});

test('a load is followed up at once, and down after the window', async () => {
  object = service({ metrics: [{ type: 'InFlight', target: 10 }] });
  loads?.set('u1', load({ inFlight: 45 }));
  const autoscaler = open();
  await looks(autoscaler, 2);
  expect(written).toEqual([{ replicas: 5, because: 'InFlight', value: 45 }]);
  loads?.set('u1', load({ inFlight: 12 }));
  await looks(autoscaler, 58);
  expect(written.length).toBe(1);
  await looks(autoscaler, 4);
  expect(written[1]).toEqual({ replicas: 2, because: 'InFlight', value: 12 });
  await looks(autoscaler, 100);
  expect(written.length).toBe(2);
});

test('fixed replicas, and a service that is stopped, are left alone', async () => {
  object = service(undefined);
  loads?.set('u1', load({ inFlight: 500 }));
  await looks(open(), 4);
  object = service({ metrics: [{ type: 'InFlight', target: 1 }] });
  object.spec.power = 'Stopped';
  await looks(open(), 4);
  expect(written).toEqual([]);
});

describe('sleep', () => {
  test('comes after the idle time, counted from the last request of any gateway', async () => {
    object = service({ min: 0 });
    loads?.set('u1', load({ lastActiveAt: clock.now() + 30_000 }));
    const autoscaler = open();
    await looks(autoscaler, 88);
    expect(written).toEqual([]);
    await looks(autoscaler, 6);
    expect(written).toEqual([{ replicas: 0, because: 'Idle' }]);
  });

  test.each(['deploying', 'waking'])('comes not while it is %s, and after its whole idle time then', async (phase) => {
    object = service({ min: 0 });
    object = { ...object, status: { ...object.status, phase } } as ContainerService;
    const autoscaler = open();
    await looks(autoscaler, 300);
    expect(written).toEqual([]);
    const readyAt = new Date(clock.now()).toISOString();
    object = { ...object, status: { ...object.status, phase: 'active', readyAt } } as ContainerService;
    await looks(autoscaler, 58);
    expect(written).toEqual([]);
    await looks(autoscaler, 6);
    expect(written).toEqual([{ replicas: 0, because: 'Idle' }]);
  });

  test('comes not while the counters of a gateway are not known', async () => {
    object = service({ min: 0 });
    loads?.set('u1', load({ inFlight: undefined }));
    await looks(open(), 200);
    loads = undefined;
    await looks(open(), 200);
    expect(written).toEqual([]);
  });

  test('comes not to one that has just been woken', async () => {
    object = service({ min: 0 });
    await clock.step(1_000_000);
    object = service({ min: 0 }, { replicas: 1, because: 'Request', at: new Date(clock.now()).toISOString() });
    await looks(open(), 58);
    expect(written).toEqual([]);
  });

  test('has its time even where the last request is known from the status alone', async () => {
    await clock.step(1_000_000);
    object = service({ min: 0 });
    object.status = { ...object.status, traffic: { lastRequestAt: new Date(clock.now()).toISOString() } } as never;
    await looks(open(), 58);
    expect(written).toEqual([]);
  });
});

test('after a change of gateways nothing ends before the window has passed', async () => {
  object = service({ metrics: [{ type: 'InFlight', target: 10 }] }, { replicas: 8 });
  loads?.set('u1', load({ inFlight: 10 }));
  await looks(open(), 58);
  expect(written).toEqual([]);
});

test('GPU and CPU without data change nothing, and with data are percent of all replicas together', async () => {
  object = service(
    {
      metrics: [
        { type: 'GPU', target: 50 },
        { type: 'CPU', target: 50 },
      ],
    },
    { replicas: 2 },
  );
  await looks(open(), 4);
  expect(written).toEqual([]);
  await looks(open({ cpuPercentOf: () => 190 }), 2);
  expect(written).toEqual([{ replicas: 4, because: 'CPU', value: 190 }]);
});

test('what the cards of all replicas do is asked of Prometheus', async () => {
  object = service({ metrics: [{ type: 'GPU', target: 10 }] });
  await looks(open({ gpuQueryOf: () => 'sum(busy)' }), 18);
  expect(new Set(asked)).toEqual(new Set(['sum(busy{namespace="org-acme"})']));
  expect(written).toEqual([{ replicas: 4, because: 'GPU', value: 35 }]);
});

describe('a query', () => {
  test('of another organisation has its turn, however many slow ones one organisation has', async () => {
    const of = (namespace: string, name: string) => {
      const one = service({ metrics: [{ type: 'PromQL', target: 10, query: 'sum(queue)' }] });
      return { ...one, metadata: { ...one.metadata, namespace, name, uid: name } };
    };
    const all = [...Array.from({ length: 20 }, (_, at) => of('org-slow', `slow-${at}`)), of('org-acme', 'chat')];
    const autoscaler = open({
      list: () => all,
      ask: (query) => {
        asked.push(query);
        return query.includes('org-slow') ? new Promise(() => {}) : Promise.resolve(35);
      },
    });
    await looks(autoscaler, 4);
    expect(asked.filter((query) => query.includes('org-slow'))).toHaveLength(2);
    expect(written).toEqual([{ replicas: 4, because: 'PromQL', value: 35 }]);
  });

  const metrics = [{ type: 'PromQL', target: 10, query: 'sum(queue{namespace="org-other"})' }];
  test('whose value is not answered anew is not known any more', async () => {
    object = service({ metrics: [{ type: 'PromQL', target: 10, query: 'sum(queue)' }] }, { replicas: 4 });
    const answers = [Promise.resolve(5)];
    const autoscaler = open({ ask: () => answers.pop() ?? new Promise(() => {}) });
    await looks(autoscaler, 120);
    expect(written).toEqual([]);
  });

  test('is confined to the namespace, asked seldom, and its value followed', async () => {
    object = service({ metrics });
    const autoscaler = open();
    await looks(autoscaler, 18);
    expect(new Set(asked)).toEqual(new Set(['sum(queue{namespace="org-acme",namespace="org-other"})']));
    expect(asked.length).toBe(2);
    expect(written).toEqual([{ replicas: 4, because: 'PromQL', value: 35 }]);
  });

  test('that is refused or fails, or without a Prometheus, has no data', async () => {
    object = service({ metrics: [{ ...metrics[0], query: 'info(up)' }] }, { replicas: 3 });
    await looks(open(), 20);
    expect(asked).toEqual([]);
    object = service({ metrics }, { replicas: 3 });
    await looks(open({ ask: undefined }), 20);
    await looks(open({ ask: async () => Promise.reject(new Error('down')) }), 20);
    expect(written).toEqual([]);
  });

  test('that never answers holds nobody else back', async () => {
    object = service({ metrics: [...metrics, { type: 'InFlight', target: 1 }] });
    loads?.set('u1', load({ inFlight: 4 }));
    await looks(open({ ask: () => new Promise(() => {}) }), 4);
    await turns();
    expect(written).toEqual([{ replicas: 4, because: 'InFlight', value: 4 }]);
  });
});
