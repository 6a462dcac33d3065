import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { AnswerTooLarge, PrometheusAway, QueryRefused } from '../../platform/prometheus/decode-answer.ts';
import type { Prometheus } from '../../platform/prometheus/prometheus.ts';
import { Monitor, rangeOf } from './monitor.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
let clock: SteppedClock;
let asked: string[];
let answer: () => Promise<unknown>;
beforeEach(() => {
  clock = new SteppedClock();
  asked = [];
  answer = async () => ({ series: [], warnings: [] });
});

const open = () => {
  const ask = (...args: unknown[]) => {
    asked.push(String(args[0]));
    return answer();
  };
  return new Monitor({
    clock,
    prometheus: {
      range: ask,
      rangeText: async (...args: unknown[]) => {
        const { series, warnings } = (await ask(...args)) as { series: { points: unknown }[]; warnings: string[] };
        return {
          series: series.map((one) => ({
            ...one,
            points: typeof one.points === 'string' ? one.points : JSON.stringify(one.points),
          })),
          warnings,
        };
      },
      instant: ask,
      series: ask,
      labelValues: ask,
      metadata: ask,
    } as unknown as Prometheus,
  });
};
const window = (start: string, end: string, step?: number) => ({
  start: `2026-01-01T${start}Z`,
  end: `2026-01-01T${end}Z`,
  step,
});
const HOUR = window('00:00:00', '01:00:00');

describe('the range of a query', () => {
  test('is aligned to its step, so that whoever looks within one step asks the same', () => {
    const range = { start: START, end: START + 3_600_000, stepMs: 60_000 };
    expect(rangeOf(window('00:00:05', '01:00:10'))).toEqual(range);
    expect(rangeOf(window('00:00:50', '01:00:59'))).toEqual(range);
    expect(rangeOf(window('00:00:50', '01:00:59', 15)).stepMs).toBe(15_000);
  });
  test.each<[string, ReturnType<typeof window>]>([
    ['its end before its start', window('01:00:00', '00:00:00')],
    ['no length', window('01:00:00', '01:00:00')],
    ['more points than are allowed', window('00:00:00', '23:00:00', 15)],
    ['more than two years', { start: '2020-01-01T00:00:00Z', end: '2026-01-01T00:00:00Z', step: 604_800 }],
  ])('is refused with %s', (_name, one) => {
    expect(() => rangeOf(one)).toThrow('at most 2020 points and 732 days');
  });
});

test('a tenant’s query is asked scoped, and labels of servers are not shown', async () => {
  answer = async () => ({
    series: [{ labels: { pod: 'p', instance: '10.0.0.1:10250', job: 'x', id: '/kubepods' }, points: '[1,null]' }],
    warnings: ['w'],
  });
  expect(await open().query('org-a', 'up', HOUR)).toMatchObject({
    start: '2026-01-01T00:00:00Z',
    end: '2026-01-01T01:00:00Z',
    step: 60,
    warnings: ['w'],
    series: '[{"labels":{"pod":"p"},"points":[1,null]}]',
  });
  expect(asked).toEqual(['up{namespace="org-a"}']);
});

test('a query that cannot be scoped says where, from 1', async () => {
  await expect(open().query('org-a', 'sum(info(up))', HOUR)).rejects.toThrow(
    'Character 5 of the query: info() is not available',
  );
  expect(asked).toEqual([]);
});

test('one question is asked once, however many look; another organisation asks for itself', async () => {
  const monitor = open();
  await Promise.all([monitor.query('org-a', 'up', HOUR), monitor.query('org-a', 'up', HOUR)]);
  await monitor.query('org-a', 'up', HOUR);
  expect(asked).toHaveLength(1);
  await monitor.query('org-b', 'up', HOUR);
  expect(asked).toHaveLength(2);
  await clock.step(301_000);
  await monitor.query('org-a', 'up', HOUR);
  expect(asked).toHaveLength(3);
});

test('a failure is kept for nobody', async () => {
  const monitor = open();
  answer = async () => Promise.reject(new PrometheusAway('x'));
  await expect(monitor.query('org-a', 'up', HOUR)).rejects.toThrow('cannot be read at the moment');
  answer = async () => ({ series: [], warnings: [] });
  expect((await monitor.query('org-a', 'up', HOUR)).series).toEqual('[]');
});

test.each<[Error, string]>([
  [new PrometheusAway('x'), 'monitor_away'],
  [new AnswerTooLarge('x'), 'monitor_too_much'],
  [new QueryRefused('many-to-many'), 'monitor_refused'],
])('%s has a sentence of its own', async (error, problem) => {
  answer = async () => Promise.reject(error);
  await expect(open().query('org-a', 'up', HOUR)).rejects.toMatchObject({ problem });
});

test('without Prometheus that is said', async () => {
  await expect(new Monitor({ clock }).home('org-a')).rejects.toMatchObject({ problem: 'monitor_off' });
});

test('whoever has used up half a minute of Prometheus waits, and nobody else does', async () => {
  const monitor = open();
  answer = async () => {
    await clock.step(10_000);
    return { series: [], warnings: [] };
  };
  const ask = (organization: string, minute: number) => monitor.query(organization, `up offset ${minute}m`, HOUR);
  const all = await Promise.allSettled(Array.from({ length: 20 }, (_, minute) => ask('org-a', minute + 1)));
  expect(all.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { problem: 'too_many_requests' } });
  await ask('org-b', 1);
  await clock.step(60_000);
  await ask('org-a', 99);
});

test('of one organisation four questions are under way at once, and the others wait', async () => {
  const monitor = open();
  const waiting: (() => void)[] = [];
  answer = () => new Promise((resolve) => waiting.push(() => resolve({ series: [], warnings: [] })));
  const all = Promise.all([1, 2, 3, 4, 5, 6].map((minute) => monitor.query('org-a', `up offset ${minute}m`, HOUR)));
  await new Promise(setImmediate);
  expect(asked).toHaveLength(4);
  for (let turn = 0; turn < 6; turn++) {
    waiting.shift()?.();
    await new Promise(setImmediate);
  }
  await all;
  expect(asked).toHaveLength(6);
});

test('metrics of objects have their unit, and a shifted series on the same axis', async () => {
  answer = async () => ({ series: [{ labels: { object: 'dev' }, points: [1] }], warnings: [] });
  const view = await open().metrics('org-a', { metrics: ['gpu'], type: 'instance', timeShift: 86_400, ...HOUR }, [
    'dev',
  ]);
  expect(JSON.parse(view.metrics)).toEqual([
    {
      metric: 'gpu',
      unit: 'percent',
      series: [{ object: 'dev', points: [1] }],
      shifted: [{ object: 'dev', points: [1] }],
    },
  ]);
});

test('of a metric of which it has no series an organisation learns nothing', async () => {
  answer = async () => [];
  await expect(open().metric('org-a', 'secret_total')).rejects.toMatchObject({ problem: 'not_found' });
  await expect(open().metric('org-a', 'up{x="y"}')).rejects.toMatchObject({ problem: 'not_found' });
});

test('the operators’ dashboards have a panel each, and spend nobody’s budget', async () => {
  answer = async () => ({ series: [{ labels: { modelName: 'H100' }, points: [1] }], warnings: [] });
  const { panels, step } = await open().cluster(1);
  expect(step).toBe(60);
  expect(panels.find(({ panel }) => panel === 'gpuHottest')).toEqual({
    panel: 'gpuHottest',
    unit: 'celsius',
    series: [{ name: 'H100', points: [1] }],
  });
});
