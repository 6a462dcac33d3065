// Policies over real SQL: what fires, what is written, and what a kill, a restart or a Prometheus that is away does to it.
import type { AlertPolicy, AlertPolicySpec } from '@gantry/contract/kinds/alert-policy.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { asc, eq } from 'drizzle-orm';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import type { Database, Sql } from '../../platform/db/open.ts';
import { alarmFlow, alarms, alertNotices, alertSeries } from '../../platform/db/schema/alerts.ts';
import { AlarmStore, closeAlarm } from './alarm-store.ts';
import { type Answered, Evaluator, type EvaluatorParts, type Verdict } from './evaluator.ts';
import { type Delivery, NotDelivered, Notifier } from './notifier.ts';

const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 10, 10);
const signal = new AbortController().signal;

const policy = (over: Partial<AlertPolicySpec> = {}, name = 'hot', organization = 'acme'): AlertPolicy => ({
  apiVersion: 'gantry.dev/v1alpha1',
  kind: 'AlertPolicy',
  metadata: { name, namespace: `org-${organization}`, uid: `uid-${organization}-${name}` },
  spec: {
    state: 'Enabled',
    objects: { kind: 'GpuInstance' },
    metric: 'GpuTemperature',
    aggregation: 'Maximum',
    periodSeconds: 60,
    rules: [{ type: 'Threshold', compare: 'Above', value: 85, level: 'Critical' }],
    begins: { met: 2, of: 3 },
    endsAfter: 2,
    convergence: { waitSeconds: 0, repeatMinutes: 0, mostPerHour: 20 },
    channels: [
      { type: 'Bell', afterMinutes: 0 },
      { type: 'Mail', afterMinutes: 0 },
    ],
    ...over,
  },
});

/** The Pod `dev-1` is of the instance `dev`. */
const hot = (degrees: number, namespace = 'org-acme', pod = 'dev-1'): Answered['series'][number] => ({
  labels: { namespace, pod, gpu: '0' },
  value: degrees,
});

forEachDatabase((database) => {
  const clock = new SteppedClock();
  let policies: AlertPolicy[];
  let answer: (query: string, at: number) => Promise<Answered>;
  let asked: string[];
  let gone: string[];
  let due: string[];
  let said: Verdict['said'][];
  let deliveries: string[];
  let fails: Error | undefined;
  /** Goes on while a receiver outside is asked. */
  let meanwhile: () => Promise<unknown>;

  const evaluator = (db: Database = database(), over: Partial<EvaluatorParts> = {}) =>
    new Evaluator({
      store: new AlarmStore(db),
      clock,
      log: { warn: () => undefined },
      policies: () => policies.map((one) => ({ organizationId: one.metadata.namespace?.slice(4) ?? '', policy: one })),
      exists: (uid) => policies.some(({ metadata }) => metadata.uid === uid),
      ask: (query, at) => {
        asked.push(query);
        return answer(query, at);
      },
      scope: (query) => ({ query: `scoped(${query})` }),
      objectOf: ({ pod = '' }) => ({ kind: 'GpuInstance', name: pod.replace(/-\d+$/, '') }),
      platform: async () => [],
      lifeOf: (_policy, { object = '' }) => (gone.includes(object) ? 'gone' : 'running'),
      due: () => due.filter((name) => !gone.includes(name)),
      evaluated: (_policy, verdict) => void said.push(verdict.said),
      ...over,
    });
  const notifier = (db: Database = database()) =>
    new Notifier({
      db,
      clock,
      log: { warn: () => undefined },
      policyOf: (uid) => policies.find(({ metadata }) => metadata.uid === uid),
      put: async (_tx, { type, what, alarms: of, leftOut }) => {
        if (fails) throw fails;
        deliveries.push(
          `${type} ${what} ${of.map(({ object }) => object).join('+')}${leftOut > 0 ? `, ${leftOut} left out` : ''}`,
        );
      },
      post: async ({ type, what, organizationId }: Delivery) => {
        if (organizationId === 'noisy') return new Promise(() => undefined);
        if (fails) throw fails;
        deliveries.push(`${type} ${what}`);
        await meanwhile();
      },
      wake: () => undefined,
      delivered: () => undefined,
    });
  const send = async (one = notifier()) => {
    await one.look();
    await one.settle();
  };
  /** A minute a value; `undefined`: Prometheus is away. */
  const minutes = async (values: readonly (readonly Answered['series'][number][] | undefined)[], one = evaluator()) => {
    await one.open();
    for (const series of values) {
      clock.set(clock.now() + MINUTE_MS);
      answer = async () => {
        if (!series) throw new Error('away');
        return { series, warnings: [] };
      };
      await one.look(signal);
      await one.settle();
    }
    return one;
  };
  const stored = async () =>
    (await database().sql.select().from(alarms).orderBy(asc(alarms.firstAbnormalAt), asc(alarms.object))).map(
      ({ object, status, level }) => `${object} ${status} ${level}`,
    );
  const outbox = async () =>
    (await database().sql.select().from(alertNotices))
      .map(
        ({ transition, channel, sentAt, endedAt }) =>
          `${transition} ${channel}${sentAt ? ' sent' : endedAt ? ' ended' : ''}`,
      )
      .sort();
  const HOT = [hot(90)];
  const COOL = [hot(50)];

  beforeEach(async () => {
    clock.set(START);
    policies = [policy()];
    [asked, gone, due, said, deliveries, fails] = [[], [], ['dev'], [], [], undefined];
    meanwhile = async () => undefined;
    for (const table of [alertNotices, alarmFlow, alarms, alertSeries]) await database().sql.delete(table);
    await database().sql.execute('delete from alert_cycles');
  });

  test('a hot GPU is one alarm, one notice a channel, and one more when it is over', async () => {
    await minutes([COOL, HOT]);
    expect([await stored(), await outbox()]).toEqual([['dev inactive Critical'], []]);
    await minutes([HOT, HOT, HOT]);
    expect([await stored(), await outbox()]).toEqual([['dev firing Critical'], ['fired Bell', 'fired Mail']]);
    await send();
    await send();
    await minutes([COOL, HOT, COOL, COOL, COOL]);
    await send();
    expect(await stored()).toEqual(['dev resolved Critical']);
    expect(deliveries.sort()).toEqual(['Bell fired dev', 'Bell resolved dev', 'Mail fired dev', 'Mail resolved dev']);
  });

  test('cycles that could not be written are written once SQL answers, in their order and with what was measured then', async () => {
    const store = new AlarmStore(database());
    const write = store.write.bind(store);
    let isAway = true;
    store.write = (...asked) => (isAway ? Promise.reject(new Error('SQL is away')) : write(...asked));
    const one = evaluator(database(), { store });
    await minutes([HOT, HOT, COOL], one);
    expect([await stored(), await store.cycles()]).toEqual([[], new Map()]);
    isAway = false;
    await one.look(signal);
    expect(await stored()).toEqual(['dev firing Critical']);
    const [alarm] = await database().sql.select().from(alarms);
    expect([alarm?.firstAbnormalAt, alarm?.firedAt].map((at) => (at?.getTime() ?? 0) - START)).toEqual([
      MINUTE_MS,
      2 * MINUTE_MS,
    ]);
    clock.set(clock.now() + MINUTE_MS);
    await one.look(signal);
    expect([await stored(), [...(await store.cycles()).keys()]]).toEqual([['dev resolved Critical'], [60]]);
  });

  test('cycles are measured while SQL is away, and what was measured then is written afterwards', async () => {
    const store = new AlarmStore(database());
    let isAway = true;
    const refusing = <Asked extends unknown[], Answer>(call: (...asked: Asked) => Promise<Answer>) => {
      const real = call.bind(store);
      return (...asked: Asked): Promise<Answer> =>
        isAway ? Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })) : real(...asked);
    };
    for (const name of ['forget', 'changedByHand', 'write', 'loadPolicy', 'noteCycle'] as const)
      Object.assign(store, { [name]: refusing(store[name] as (...asked: unknown[]) => Promise<unknown>) });
    const one = evaluator(database(), { store });
    isAway = false;
    await one.open();
    isAway = true;
    for (const series of [HOT, HOT, COOL]) {
      clock.set(clock.now() + MINUTE_MS);
      answer = async () => ({ series, warnings: [] });
      await one.look(signal);
    }
    isAway = false;
    await one.look(signal);
    expect([await stored(), asked.length]).toEqual([['dev firing Critical'], 3]);
    const [alarm] = await database().sql.select().from(alarms);
    expect(alarm?.firedAt?.getTime()).toBe(START + 2 * MINUTE_MS);
    expect([...(await store.cycles()).values()]).toEqual([START + 3 * MINUTE_MS]);
  });

  test('a cycle is not done before the queries that people wrote are', async () => {
    policies = [policy(), policy({ metric: undefined, query: 'slow' }, 'slow')];
    const cycles = async () => [...(await new AlarmStore(database()).cycles()).values()];
    let finish = () => {};
    answer = (query) =>
      query === 'scoped(slow)'
        ? new Promise((resolve) => {
            finish = () => resolve({ series: [], warnings: [] });
          })
        : Promise.resolve({ series: HOT, warnings: [] });
    const one = evaluator();
    await one.open();
    clock.set(START + MINUTE_MS);
    await one.look(signal);
    expect([await stored(), await cycles()]).toEqual([['dev inactive Critical'], []]);
    finish();
    await one.settle();
    await one.look(signal);
    expect(await cycles()).toEqual([START + MINUTE_MS]);
  });

  test('a label that SQL cannot store is stored without what it cannot', async () => {
    policies = [policy({ metric: undefined, query: 'up', begins: { met: 1, of: 1 } })];
    await minutes([[{ labels: { x: 'a\0\uD800' }, value: 90 }]]);
    expect((await database().sql.select().from(alarms)).map(({ labels }) => labels)).toEqual([{ x: 'a\uFFFD\uFFFD' }]);
  });

  test('what SQL refuses for what it is is not tried again, and holds nobody else up', async () => {
    policies = [policy(), policy({}, 'bad'), policy({}, 'other')];
    const store = new AlarmStore(database());
    const write = store.write.bind(store);
    const written: string[] = [];
    store.write = (all) => {
      const names = all.map(({ of }) => of.policy.metadata.name).join(' ');
      written.push(names);
      return names.includes('bad')
        ? Promise.reject(Object.assign(new Error('too long for an index'), { code: '54000' }))
        : write(all);
    };
    const one = await minutes([HOT], evaluator(database(), { store }));
    await one.look(signal);
    expect(written).toEqual(['hot bad other', 'hot', 'bad', 'other']);
    clock.set(clock.now() + MINUTE_MS);
    await one.look(signal);
    await one.look(signal);
    expect(written.slice(4)).toEqual(['hot other', 'bad']);
    expect(await stored()).toEqual(['dev firing Critical', 'dev firing Critical']);
  });

  test('the changes of many policies are a few transactions, and each has its alarm', async () => {
    policies = Array.from({ length: 600 }, (_, at) => policy({ begins: { met: 1, of: 1 } }, `p${at}`, `o${at % 60}`));
    const store = new AlarmStore(database());
    const write = store.write.bind(store);
    let writes = 0;
    store.write = (all) => {
      writes++;
      return write(all);
    };
    const everywhere = (degrees: number) => Array.from({ length: 60 }, (_, at) => hot(degrees, `org-o${at}`));
    await minutes([everywhere(90), everywhere(60), everywhere(60)], evaluator(database(), { store }));
    const rows = await database().sql.select().from(alarms);
    expect([
      rows.length,
      new Set(rows.map(({ policyUid }) => policyUid)).size,
      rows.every(({ endedAt }) => endedAt),
    ]).toEqual([600, 600, true]);
    expect(writes).toBe(6);
  });

  test('cycles of a policy that is gone are owed no more', async () => {
    const store = new AlarmStore(database());
    store.write = () => Promise.reject(new Error('SQL is away'));
    const one = await minutes([HOT], evaluator(database(), { store }));
    policies = [policy({}, 'other')];
    answer = async () => ({ series: [], warnings: [] });
    clock.set(clock.now() + MINUTE_MS);
    await one.look(signal);
    expect([...(await store.cycles()).keys()]).toEqual([60]);
  });

  test('what never fired leaves nothing', async () => {
    await minutes([HOT, COOL, COOL, COOL]);
    expect([await stored(), await outbox()]).toEqual([[], []]);
  });

  test('a policy hears nothing of cycles before its own, though others of its period missed them', async () => {
    policies = [policy({ begins: { met: 1, of: 1 } })];
    await minutes([COOL]);
    clock.set(clock.now() + 5 * MINUTE_MS);
    const later = policy({ begins: { met: 1, of: 1 } }, 'later');
    later.metadata.creationTimestamp = new Date(clock.now() - 1_000).toISOString();
    policies.push(later);
    const until = clock.now() - 2 * MINUTE_MS;
    const again = evaluator();
    await again.open();
    answer = async (_query, at) => ({ series: at > until ? COOL : HOT, warnings: [] });
    await again.look(signal);
    await again.settle();
    const of = await database().sql.select({ policy: alarms.policy }).from(alarms);
    expect(of).toEqual([{ policy: 'hot' }]);
  });

  test('ten minutes without Prometheus end nothing, and neither does an answer in part or a series that vanishes', async () => {
    await minutes([HOT, HOT]);
    await minutes(Array.from({ length: 10 }, () => undefined));
    expect(said.at(-1)).toBe('PrometheusAway');
    await minutes([[], [], []]);
    expect(await stored()).toEqual(['dev firing Critical']);
    const one = evaluator();
    await one.open();
    clock.set(clock.now() + MINUTE_MS);
    answer = async () => ({ series: [], warnings: ['a store is away'] });
    await one.look(signal);
    expect([said.at(-1), await stored()]).toEqual(['Incomplete', ['dev firing Critical']]);
  });

  test('a rule that waits for no data fires, but not because Prometheus is away', async () => {
    policies = [policy({ rules: [{ type: 'NoData', level: 'Warning' }] })];
    await minutes([COOL, undefined, undefined, undefined, COOL]);
    expect(await stored()).toEqual([]);
    await minutes([[], []]);
    expect(await stored()).toEqual(['dev firing Warning']);
  });

  test('a calm policy is evaluated in each cycle: its value, its spec or its silence may be another', async () => {
    const eager = { begins: { met: 1, of: 1 }, endsAfter: 1 };
    const silences = [{ cron: '0 0 * * *', timeZone: 'UTC', minutes: 30 }];
    const bell = { channels: [{ type: 'Bell', afterMinutes: 0 }] } satisfies Partial<AlertPolicySpec>;
    policies = [policy(eager), policy({ ...eager, ...bell, silences }, 'silent')];
    const one = await minutes([COOL, COOL, COOL]);
    expect([await stored(), said]).toEqual([[], Array(6).fill('Evaluated')]);
    const rules = [
      { type: 'Threshold', compare: 'Above', value: 40, level: 'Warning' },
    ] satisfies AlertPolicySpec['rules'];
    policies = [policy({ ...eager, rules }), policy({ ...eager, ...bell, silences }, 'silent')];
    await minutes([COOL], one);
    expect(await stored()).toEqual(['dev firing Warning']);
    policies = [policy(eager), policy({ ...eager, ...bell }, 'silent')];
    await minutes([COOL], one);
    expect(await stored()).toEqual(['dev resolved Warning']);
    await minutes([HOT], one);
    await send();
    expect((await stored()).sort()).toEqual(['dev firing Critical', 'dev firing Critical', 'dev resolved Warning']);
    expect(deliveries.filter((text) => text.startsWith('Bell fired'))).toHaveLength(2);
  });

  test('a calm policy that waits for no data as well knows its series', async () => {
    const rules = [...policy().spec.rules, { type: 'NoData', level: 'Warning' }] satisfies AlertPolicySpec['rules'];
    policies = [policy({ rules })];
    await minutes([COOL, COOL, [], []]);
    expect(await stored()).toEqual(['dev firing Warning']);
  });

  test('an object that rests, a policy that is gone: the alarm ends', async () => {
    await minutes([HOT, HOT, [hot(90), hot(91, 'org-acme', 'two-1')], [hot(90), hot(91, 'org-acme', 'two-1')]]);
    gone = ['dev'];
    await minutes([[hot(91, 'org-acme', 'two-1')]]);
    expect(await stored()).toEqual(['dev resolved Critical', 'two firing Critical']);
    policies = [];
    await minutes([HOT]);
    expect(await stored()).toEqual(['dev resolved Critical', 'two resolved Critical']);
    expect(await database().sql.select().from(alertSeries)).toEqual([]);
  });

  test('policies of equal shape of fifty organisations are one query, and each has its own series', async () => {
    const names = Array.from({ length: 50 }, (_, at) => `org${at}`);
    policies = names.map((name) => policy({}, 'hot', name));
    const series = names.map((name, at) => hot(at % 2 === 0 ? 90 : 50, `org-${name}`));
    await minutes([series, series]);
    expect(asked.length).toBe(2);
    expect(asked[0]).toContain('org-org0|org-org1|');
    expect((await stored()).length).toBe(25);
  });

  test('a query of one organisation that is slow holds up nobody else, and is asked only once', async () => {
    policies = [policy({ metric: undefined, query: 'slow' }, 'slow', 'other'), policy({ begins: { met: 1, of: 1 } })];
    let slow = 0;
    answer = (query) => {
      if (query !== 'scoped(slow)') return Promise.resolve({ series: HOT, warnings: [] });
      slow++;
      return new Promise(() => undefined);
    };
    const one = evaluator();
    await one.open();
    for (let minute = 0; minute < 3; minute++) {
      clock.set(clock.now() + MINUTE_MS);
      await one.look(signal);
    }
    expect([await stored(), slow]).toEqual([['dev firing Critical'], 1]);
  });

  test('much that waits for the receiver of one organisation holds up nobody else', async () => {
    const noisy = policy({ channels: [{ type: 'Webhook', to: 'ops', afterMinutes: 0 }] }, 'hot', 'noisy');
    policies = [noisy, policy()];
    const many = Array.from({ length: 250 }, (_, at) => hot(90, 'org-noisy', `n${at}-1`));
    await minutes([many, [...many, ...HOT], [...many, ...HOT]]);
    await notifier().look();
    await eventually('the other hears', () => deliveries.length === 2);
    expect(deliveries.sort()).toEqual(['Bell fired dev', 'Mail fired dev']);
  });

  test('cycles that nobody counted between two evaluators are counted afterwards', async () => {
    await minutes([HOT]);
    clock.set(clock.now() + 2 * MINUTE_MS);
    await minutes([HOT]);
    const times = (await database().sql.select().from(alarms)).map(({ firedAt }) => firedAt?.getTime());
    expect(times).toEqual([START + 2 * MINUTE_MS]);
  });

  test('an evaluator that lags behind writes nothing', async () => {
    const old = evaluator();
    await minutes([HOT], old);
    const now = clock.now();
    await minutes([HOT, COOL, COOL]);
    expect(await stored()).toEqual(['dev resolved Critical']);
    clock.set(now + MINUTE_MS);
    answer = async () => ({ series: HOT, warnings: [] });
    await old.look(signal);
    expect(await stored()).toEqual(['dev resolved Critical']);
  });

  test('a closed alarm says it is closed, and the next episode is another alarm', async () => {
    const one = await minutes([HOT, HOT]);
    await send();
    const [{ id } = { id: '' }] = await database().sql.select().from(alarms);
    expect(await database().transaction((tx) => closeAlarm(tx, id, 'ann', new Date(clock.now())))).toBe(true);
    expect(await database().transaction((tx) => closeAlarm(tx, id, 'ann', new Date(clock.now())))).toBe(false);
    await send();
    for (const series of [HOT, HOT, COOL, COOL, HOT, HOT]) {
      clock.set(clock.now() + MINUTE_MS);
      answer = async () => ({ series, warnings: [] });
      await one.look(signal);
    }
    expect(await stored()).toEqual(['dev closed Critical', 'dev firing Critical']);
    expect(deliveries.filter((text) => text.startsWith('Bell'))).toEqual(['Bell fired dev', 'Bell closed dev']);
  });

  test('an alarm is kept for half a year after its end, and one that fires forever', async () => {
    await minutes([HOT, HOT, COOL, COOL, HOT, HOT]);
    const store = new AlarmStore(database());
    expect(await store.sweep(clock.now() + 179 * 86_400_000)).toBe(0);
    expect(await store.sweep(clock.now() + 181 * 86_400_000)).toBe(1);
    expect(await stored()).toEqual(['dev firing Critical']);
  });

  describe('notifications', () => {
    test('wait for what fires meanwhile, and go out together', async () => {
      policies = [
        policy({
          convergence: { waitSeconds: 90, repeatMinutes: 0, mostPerHour: 20 },
          channels: [{ type: 'Bell', afterMinutes: 0 }],
        }),
      ];
      const both = [hot(90), hot(90, 'org-acme', 'two-1')];
      await minutes([both, both]);
      await send();
      expect(deliveries).toEqual([]);
      clock.set(clock.now() + 91_000);
      await send();
      expect(deliveries.map((text) => text.split('+').length)).toEqual([2]);
    });

    test('what is over before anybody heard of it is not told', async () => {
      policies = [policy({ convergence: { waitSeconds: 600, repeatMinutes: 0, mostPerHour: 20 } })];
      await minutes([HOT, HOT, COOL, COOL]);
      clock.set(clock.now() + 20 * MINUTE_MS);
      await send();
      expect([deliveries, await outbox()]).toEqual([[], ['fired Bell ended', 'fired Mail ended']]);
    });

    test('are repeated until the alarm is over', async () => {
      policies = [
        policy({
          convergence: { waitSeconds: 0, repeatMinutes: 5, mostPerHour: 20 },
          channels: [{ type: 'Bell', afterMinutes: 0 }],
        }),
      ];
      const one = await minutes([HOT, HOT]);
      for (let minute = 0; minute < 11; minute++) {
        await send();
        clock.set(clock.now() + MINUTE_MS);
      }
      expect(deliveries).toEqual(['Bell fired dev', 'Bell repeated dev', 'Bell repeated dev']);
      await minutes([COOL, COOL], one);
      clock.set(clock.now() + 10 * MINUTE_MS);
      await send();
      expect(deliveries.slice(3)).toEqual(['Bell resolved dev']);
    });

    test('escalate only to what still fires', async () => {
      policies = [policy({ channels: [{ type: 'Mail', afterMinutes: 10 }], begins: { met: 1, of: 1 } })];
      await minutes([HOT]);
      await send();
      expect(deliveries).toEqual([]);
      clock.set(clock.now() + 10 * MINUTE_MS);
      await send();
      expect(deliveries).toEqual(['Mail fired dev']);
    });

    test('wait while the policy is muted, and come once that is over', async () => {
      policies = [policy({ mutedUntil: new Date(START + 30 * MINUTE_MS).toISOString() })];
      await minutes([HOT, HOT]);
      await send();
      expect(deliveries).toEqual([]);
      clock.set(START + 31 * MINUTE_MS);
      await send();
      expect(deliveries.sort()).toEqual(['Bell fired dev', 'Mail fired dev']);
    });

    test('wait while a silence lasts, and while their alarm is shielded', async () => {
      // It is midnight.
      const silences = [{ cron: '0 0 * * *', timeZone: 'UTC', minutes: 30 }];
      policies = [policy({ silences, channels: [{ type: 'Bell', afterMinutes: 0 }] })];
      const two = hot(90, 'org-acme', 'two-1');
      await minutes([
        [hot(90), two],
        [hot(90), two],
      ]);
      const shieldedUntil = new Date(START + 60 * MINUTE_MS);
      await database().sql.update(alarms).set({ shieldedUntil }).where(eq(alarms.object, 'two'));
      for (const [minute, heard] of [
        [29, []],
        [31, ['Bell fired dev']],
        [59, ['Bell fired dev']],
        [61, ['Bell fired dev', 'Bell fired two']],
      ] as const) {
        clock.set(START + minute * MINUTE_MS);
        await send();
        expect([minute, deliveries]).toEqual([minute, heard]);
      }
    });

    test('are not more than the limit of an hour, and the flow says so', async () => {
      policies = [
        policy({
          begins: { met: 1, of: 1 },
          endsAfter: 1,
          convergence: { waitSeconds: 0, repeatMinutes: 0, mostPerHour: 2 },
          channels: [{ type: 'Bell', afterMinutes: 0 }],
        }),
      ];
      for (let round = 0; round < 4; round++) {
        await minutes([HOT]);
        await send();
        await minutes([COOL]);
        await send();
      }
      expect(deliveries.filter((text) => text.includes('fired'))).toEqual(['Bell fired dev']);
      const what = (await database().sql.select().from(alarmFlow)).map((line) => line.what);
      expect(what.filter((one) => one === 'limited').length).toBe(3);
    });

    test('above the limit of an hour are one when it allows again, of what still fires, and it says how many were left out', async () => {
      policies = [
        policy({
          ...{ begins: { met: 1, of: 1 }, endsAfter: 1, channels: [{ type: 'Bell', afterMinutes: 0 }] },
          convergence: { waitSeconds: 0, repeatMinutes: 0, mostPerHour: 1 },
        }),
      ];
      const [two, three] = ['two-1', 'three-1'].map((pod) => hot(90, 'org-acme', pod)) as [
        Answered['series'][number],
        Answered['series'][number],
      ];
      const one = await minutes([HOT]);
      await send();
      await minutes([[hot(90), two]], one);
      await send();
      await minutes([[hot(90), hot(50, 'org-acme', 'two-1'), three]], one);
      for (let minute = 0; minute < 57; minute++) {
        clock.set(clock.now() + MINUTE_MS);
        await send();
      }
      expect(deliveries).toEqual(['Bell fired dev']);
      await minutes([[hot(90), three, hot(90, 'org-acme', 'four-1')]], one);
      await send();
      expect(deliveries.slice(1)).toEqual([
        expect.stringMatching(/^Bell fired (three\+four|four\+three), 1 left out$/),
      ]);
      const what = (await database().sql.select().from(alarmFlow)).map((line) => line.what);
      expect(what.filter((line) => line === 'limited').length).toBe(2);
    });

    test('above the limit of an hour are one when it allows again, however many alarms there are', async () => {
      policies = [
        policy({
          ...{ begins: { met: 1, of: 1 }, channels: [{ type: 'Bell', afterMinutes: 0 }] },
          convergence: { waitSeconds: 0, repeatMinutes: 0, mostPerHour: 1 },
        }),
      ];
      const many = Array.from({ length: 120 }, (_, at) => hot(90, 'org-acme', `many${at}-1`));
      const one = await minutes([HOT]);
      await send();
      await minutes([[hot(90), ...many]], one);
      for (let look = 0; look < 3; look++) await send();
      clock.set(clock.now() + 60 * MINUTE_MS);
      for (let look = 0; look < 3; look++) await send();
      expect(deliveries.map((text) => text.split('+').length)).toEqual([1, 120]);
    });

    test('count what the limit has left out once, though another one follows in the same hour', async () => {
      policies = [
        policy({
          ...{ begins: { met: 1, of: 1 }, endsAfter: 1, channels: [{ type: 'Bell', afterMinutes: 0 }] },
          convergence: { waitSeconds: 0, repeatMinutes: 0, mostPerHour: 2 },
        }),
      ];
      const NAMES = ['dev', 'two', 'three', 'four', 'five'];
      /** These are hot, and all others cool. */
      const only = (...names: string[]) =>
        NAMES.map((name) => hot(names.includes(name) ? 90 : 50, 'org-acme', `${name}-1`));
      const one = evaluator();
      // The third is over before the limit lets it through.
      for (const names of [['dev'], ['dev', 'two'], ['dev', 'two', 'three'], ['dev', 'two']]) {
        await minutes([only(...names)], one);
        await send();
      }
      clock.set(clock.now() + 57 * MINUTE_MS);
      for (const names of [
        ['dev', 'two', 'four'],
        ['dev', 'two', 'four', 'five'],
      ]) {
        await minutes([only(...names)], one);
        await send();
      }
      expect(deliveries).toEqual([
        ...['Bell fired dev', 'Bell fired two', 'Bell fired four, 1 left out', 'Bell fired five'],
      ]);
    });

    test('of what began and of what goes on share the limit of an hour of their channel', async () => {
      policies = [
        policy({
          ...{ begins: { met: 1, of: 1 }, endsAfter: 1, channels: [{ type: 'Bell', afterMinutes: 0 }] },
          convergence: { waitSeconds: 0, repeatMinutes: 60, mostPerHour: 1 },
        }),
      ];
      const both = (degrees: number) => [hot(90), hot(degrees, 'org-acme', 'two-1')];
      const one = await minutes([HOT]);
      await send();
      await minutes([both(90)], one);
      await send();
      await minutes([both(50)], one);
      clock.set(clock.now() + 57 * MINUTE_MS);
      // Now both are due: the repetition, and what has just begun.
      await minutes([both(90)], one);
      await send();
      await send();
      expect(deliveries).toEqual([
        'Bell fired dev',
        expect.stringMatching(/^Bell (fired two|repeated dev), 1 left out$/),
      ]);
    });

    test('tell of what the limit left out hours ago', async () => {
      policies = [
        policy({
          ...{ begins: { met: 1, of: 1 }, endsAfter: 1, channels: [{ type: 'Bell', afterMinutes: 0 }] },
          convergence: { waitSeconds: 0, repeatMinutes: 0, mostPerHour: 1 },
        }),
      ];
      const one = evaluator();
      for (const series of [HOT, COOL, HOT, COOL]) {
        await minutes([series], one);
        await send();
      }
      clock.set(clock.now() + 180 * MINUTE_MS);
      await minutes([HOT], one);
      await send();
      expect(deliveries.filter((text) => text.includes('fired'))).toEqual([
        'Bell fired dev',
        'Bell fired dev, 1 left out',
      ]);
    });

    test('of which one alarm ends while they are sent are sent once, and its end is told', async () => {
      policies = [
        policy({
          channels: [{ type: 'Webhook', to: 'ops', afterMinutes: 0 }],
          begins: { met: 1, of: 1 },
          endsAfter: 1,
        }),
      ];
      const two = (degrees: number) => hot(degrees, 'org-acme', 'two-1');
      const one = await minutes([[hot(90), two(90)]]);
      meanwhile = async () => {
        meanwhile = async () => undefined;
        await minutes([[hot(90), two(50)]], one);
      };
      for (let minute = 0; minute < 5; minute++) {
        await send();
        clock.set(clock.now() + MINUTE_MS);
      }
      expect(deliveries).toEqual(['Webhook fired', 'Webhook resolved']);
      expect(await stored()).toEqual(['dev firing Critical', 'two resolved Critical']);
    });

    test('that fail are tried again, later each time, and what cannot work is given up and told', async () => {
      policies = [policy({ channels: [{ type: 'Webhook', to: 'ops', afterMinutes: 0 }], begins: { met: 1, of: 1 } })];
      await minutes([HOT]);
      fails = new NotDelivered('answered', { status: '500' });
      await send();
      await send();
      let [notice] = await database().sql.select().from(alertNotices);
      expect([notice?.tries, notice?.failure]).toEqual([1, { reason: 'answered', args: { status: '500' } }]);
      clock.set(clock.now() + 5_000);
      await send();
      fails = new NotDelivered('innerAddress', { host: '10.0.0.1' }, true);
      clock.set(clock.now() + 10_000);
      await send();
      [notice] = await database().sql.select().from(alertNotices);
      expect([notice?.tries, notice?.endedAt !== null, notice?.sentAt]).toEqual([3, true, null]);
      expect(deliveries).toEqual([]);
    });
  });

  test('a kill at any write of its life loses nothing and repeats nothing', async () => {
    policies = [
      policy({
        convergence: { waitSeconds: 0, repeatMinutes: 2, mostPerHour: 20 },
        channels: [{ type: 'Bell', afterMinutes: 0 }],
      }),
    ];
    const script = [HOT, HOT, HOT, HOT, COOL, COOL, HOT, HOT, COOL, COOL];
    /** Kills at the n-th statement; returns what came of it, and whether it came to that statement. */
    const life = async (at: number) => {
      clock.set(START);
      for (const table of [alertNotices, alarmFlow, alarms, alertSeries]) await database().sql.delete(table);
      await database().sql.execute('delete from alert_cycles');
      const killer = { left: at };
      let [one, two] = [evaluator(mortal(database(), killer)), notifier(mortal(database(), killer))];
      await one.open().catch(async () => {
        [one, two] = [evaluator(), notifier()];
        await one.open();
      });
      for (const series of script) {
        clock.set(clock.now() + MINUTE_MS);
        answer = async () => ({ series, warnings: [] });
        // Whatever was not written is counted again by the one that comes after.
        for (let tries = 0; tries < 2; tries++) {
          const before = killer.left;
          await one.look(signal).catch(() => undefined);
          await send(two).catch(() => undefined);
          if (before > 0 && killer.left <= 0) {
            [one, two] = [evaluator(), notifier()];
            await one.open();
          } else break;
        }
      }
      const flow = (await database().sql.select().from(alarmFlow).orderBy(asc(alarmFlow.seq))).map(({ what }) => what);
      return { alarms: await stored(), outbox: await outbox(), flow, wasKilled: killer.left <= 0 };
    };
    const unharmed = await life(Number.MAX_SAFE_INTEGER);
    expect(unharmed.alarms).toEqual(['dev resolved Critical', 'dev resolved Critical']);
    expect(unharmed.flow.filter((what) => what === 'fired').length).toBe(2);
    let kills = 0;
    for (let at = 1; ; at++) {
      const { wasKilled, ...came } = await life(at);
      if (!wasKilled) break;
      kills++;
      expect({ at, ...came }).toEqual({ at, ...without(unharmed) });
    }
    expect(kills).toBeGreaterThan(30);
  }, 120_000);
});

/** A database whose process dies at the n-th statement: it throws, and so does everything after it. */
function mortal(db: Database, killer: { left: number }): Database {
  const statements = ['insert', 'update', 'delete', 'select', 'selectDistinct', 'execute'];
  const counted = (sql: Sql): Sql =>
    new Proxy(sql, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          if (statements.includes(String(name)) && --killer.left <= 0) throw new Error('killed');
          return value.apply(target, args);
        };
      },
    });
  return new Proxy(db, {
    get(target, name) {
      if (name === 'sql') return counted(target.sql);
      if (name === 'transaction')
        return async (work: (tx: Sql) => Promise<unknown>) => {
          const result = await target.transaction((tx) => work(counted(tx)));
          // After the commit, before its answer has come.
          if (--killer.left <= 0) throw new Error('killed');
          return result;
        };
      return Reflect.get(target, name);
    },
  });
}

const without = <T extends { wasKilled: boolean }>({ wasKilled: _, ...rest }: T) => rest;
