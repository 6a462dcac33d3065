// How the platform was: one check a minute, days, what is forgotten, and what the state of now is.
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import { forEachDatabase } from '../../../../../test/support/database.ts';
import { probed } from './probes.ts';
import { type Checked, StatusChecks } from './status-checks.ts';

const log = { warn: () => undefined };
const [MINUTE, DAY] = [60_000, 86_400_000];
const at = (checked: Parameters<typeof Object.entries<boolean>>[0]) => new Map(Object.entries(checked)) as Checked;

forEachDatabase((open) => {
  test('a component that worked at three of four checks has 75 percent, and is down by the last one', async () => {
    const [db, clock] = [open(), new SteppedClock()];
    const checks = new StatusChecks({ db, clock, log });
    for (const mail of [true, true, true, false]) {
      await checks.count(at({ mail, gateway: true }));
      await clock.step(MINUTE);
    }
    const [gateway, mail] = await checks.components();
    expect(gateway).toMatchObject({ id: 'gateway', state: 'up', percent: 100 });
    expect(mail).toEqual({
      ...{ id: 'mail', state: 'down', percent: 75, checks: 4, passed: 3 },
      days: [{ day: '2026-01-01', percent: 75 }],
    });
  });

  test('two gateways that check in one minute count once, and minutes without a check count for nothing', async () => {
    const [db, clock] = [open(), new SteppedClock()];
    const both = [new StatusChecks({ db, clock, log }), new StatusChecks({ db, clock, log })];
    for (const checks of both) await checks.count(at({ ssh: true }));
    await clock.step(60 * MINUTE);
    await both[0]?.count(at({ ssh: false }));
    const found = (await both[0]?.components())?.find(({ id }) => id === 'ssh');
    expect(found).toMatchObject({ checks: 2, passed: 1, percent: 50 });
  });

  test('a check that is too old says nothing of now, and the ninety-first day is forgotten', async () => {
    const [db, clock] = [open(), new SteppedClock()];
    const checks = new StatusChecks({ db, clock, log });
    const of = async () => (await checks.components()).find(({ id }) => id === 'storage');
    await checks.count(at({ storage: true }));
    await clock.step(6 * MINUTE);
    expect(await of()).toMatchObject({ state: 'unknown', percent: 100 });
    await clock.step(89 * DAY);
    await checks.count(at({ storage: false }));
    expect((await of())?.days).toHaveLength(2);
    await clock.step(DAY);
    await checks.count(at({ storage: false }));
    expect(await of()).toMatchObject({ percent: 0, days: [{ percent: 0 }, { percent: 0 }] });
  });
});

const part = (component: string, state: string, trouble: string | null = null) =>
  ({ component, state, trouble }) as never;
const played = (
  statuses: Readonly<Record<string, number>>,
  health: readonly never[] = [],
  store?: () => Promise<void>,
) =>
  probed({
    ...{ url: 'http://gateway.test', hasConsole: '/' in statuses, health: async () => health, store },
    fetch: (async (url: string) => {
      const status = statuses[new URL(url).pathname];
      if (status === undefined) throw new TypeError('refused');
      return new Response('', { status });
    }) as typeof fetch,
  }).then((checked) => Object.fromEntries(checked));

test('a whole installation works', async () => {
  const health = ['operator', 'registry', 'door', 'mail'].map((component) => part(component, 'ok'));
  expect(await played({ '/readyz': 200, '/': 200, '/v1/models': 401 }, health, async () => undefined)).toEqual({
    ...{ gateway: true, console: true, models: true, storage: true },
    ...{ cluster: true, operator: true, registry: true, ssh: true, mail: true },
  });
});

test('what the installation lacks is no component, and what fails is down', async () => {
  const health = [
    ...[part('operator', 'down', 'operatorSilent'), part('registry', 'unknown', 'registryOff')],
    ...[part('door', 'down', 'doorMissing'), part('mail', 'warning', 'mailFailing')],
  ];
  const store = () => Promise.reject(new Error('away'));
  expect(await played({ '/readyz': 503 }, health, store)).toEqual({
    ...{ gateway: false, models: false, storage: false, cluster: true, operator: false, mail: false },
  });
});

test('an API server that does not answer is down, and what only it knows is not counted', async () => {
  const health = [part('operator', 'unknown', 'notReadable'), part('door', 'unknown', 'notReadable')];
  expect(await played({ '/readyz': 200, '/v1/models': 401 }, health)).toEqual({
    ...{ gateway: true, models: true, cluster: false },
  });
});
