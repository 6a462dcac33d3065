// An instance's memory of its runs: how each ended, what it wrote last, and where its log is kept.
import { gpuInstance as facts, type GpuInstanceStatus } from '@gantry/contract/kinds/gpu-instance.ts';
import { localized } from '@gantry/contract/localized.ts';
import { expect, test } from '@jest/globals';
import { desiredPod } from './desired.ts';
import { agent, at, gpuInstance, pod, save, settings } from './testing/fixtures.ts';
import { judge, laws } from './testing/laws.ts';
import { ended, next, ran, rested, stopped } from './testing/runs.ts';

const LOG = 'registry.gantry.internal/org-acme/dev.log:1';
const failed = (message: string, more: object = {}) =>
  pod('finished', {
    main: {
      terminated: { exitCode: 3, startedAt: at(5), finishedAt: at(60), reason: 'Error', message, ...more },
    },
  });
const run = { seq: 1, cause: 'first', startedAt: at(5), endedAt: at(60) };
const logged = (seq = 1) => save('processing', { seq, status: { log: { bytes: 12, isCut: true } } });
const withLogTarget = (seq = 1) => {
  const one = logged(seq);
  return { ...one, spec: { ...one.spec, log: LOG } };
};
const remembering = (...runs: NonNullable<GpuInstanceStatus['runs']>) => next('crash', { runs });
const crashed = { ...run, exit: 'exit code 3', exitCode: 3 };

laws({
  'a run that failed is remembered with its exit code, and its last lines are said': {
    owner: { status: ran },
    sees: { pods: [failed('starting\nno such table\n')] },
    at: 62,
    status: {
      runs: [crashed],
      run: { seq: 2, cause: 'crash', lastExit: 'exit code 3', lastLines: 'starting ⏎ no such table' },
    },
    says: `The program ended: exit code 3, after it wrote “starting ⏎ no such table”. The next start is at ${at(70)}.`,
  },
  'after many exits the last lines are still said': {
    owner: {
      status: {
        ...ran,
        run: { seq: 4, cause: 'crash', exits: 3, lastExit: 'exit code 127', lastLines: 'sh: foo', notBefore: at(90) },
      },
    },
    at: 62,
    says: `The program ended 3 times in a row, last with exit code 127: the image has no such command, after it wrote “sh: foo”. The next start is at ${at(90)}.`,
  },
  'a program that wrote nothing is quoted with nothing': {
    owner: { status: ran },
    sees: { pods: [failed('\u001b[0m\n')] },
    at: 62,
    says: `The program ended: exit code 3. The next start is at ${at(70)}.`,
  },
  'what the runtime says of a container that it could not start is not the program’s': {
    owner: { status: ran },
    sees: { pods: [failed('exec format error', { startedAt: '1970-01-01T00:00:00Z' })] },
    at: 62,
    status: { runs: [{ seq: 1, cause: 'first', endedAt: at(60), exit: 'exit code 3' }] },
    says: `The program ended: exit code 3. The next start is at ${at(70)}.`,
  },
  'a run that was stopped is remembered as stopped': {
    owner: { spec: { power: 'Stopped' }, status: ran },
    sees: { pods: [stopped] },
    status: { runs: [{ ...run, exit: 'Stopped', exitCode: 1 }] },
  },
  'a run that never came to a Pod is not remembered': {
    owner: { spec: { power: 'Stopped' }, status: { rebootCount: 0, run: { seq: 1, cause: 'first' } } },
    lacks: 'runs',
  },
  'with an agent, its log is asked for with its save': {
    owner: { spec: { power: 'Stopped' }, status: ran },
    sees: { pods: [stopped], ...agent() },
    creates: ['dev-1'],
  },
  'a log that was pushed is noted at its run, even before the save is done': {
    owner: { spec: { power: 'Stopped' }, status: rested('Stopped', { runs: [crashed] }) },
    sees: { pods: [ended()], snapshots: [withLogTarget()], ...agent() },
    status: { runs: [{ ...crashed, log: { image: LOG, bytes: 12, isCut: true } }] },
  },
  'a log stays noted when its save is gone': {
    owner: { status: remembering({ ...crashed, log: { image: LOG, bytes: 12, isCut: false } }) },
    sees: { pods: [pod('ready', { seq: 2 })] },
    status: { runs: [{ ...crashed, log: { image: LOG, bytes: 12, isCut: false } }] },
  },
});

const HOUR = 3600;
test.each([
  ['a day before its time a log is kept', 13 * 24 * HOUR, true],
  ['after its days a log is given up', 14 * 24 * HOUR + 60, false],
])('%s', (_what, seconds, isKept) => {
  const plan = judge({
    owner: { status: remembering({ ...crashed, log: { image: LOG, bytes: 12, isCut: false } }) },
    sees: { pods: [pod('ready', { seq: 2 })] },
    at: seconds,
  });
  expect(plan.status?.runs?.[0]).toHaveProperty('seq', 1);
  expect('log' in (plan.status?.runs?.[0] ?? {})).toBe(isKept);
});

test('of many runs the newest twenty are remembered, and as many of their logs as the setting says', () => {
  const runs = Array.from({ length: 20 }, (_, back) => ({
    ...crashed,
    seq: 20 - back,
    log: { image: LOG, bytes: 12, isCut: false },
  }));
  const plan = judge({
    owner: { status: { ...ran, run: { seq: 21, cause: 'crash', readyAt: at(6) }, runs } },
    sees: { pods: [pod('finished', { seq: 21 })] },
    with: { settings: { ...settings, logRuns: 5 } },
  });
  expect(plan.status?.runs?.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, back) => 21 - back));
  expect(plan.status?.runs?.filter(({ log }) => log).map(({ seq }) => seq)).toEqual([20, 19, 18, 17, 16]);
});

test('the save of a run names where its log goes, in the organisation’s own part of the registry', () => {
  const plan = judge({
    owner: { spec: { power: 'Stopped' }, status: ran },
    sees: { pods: [stopped], ...agent() },
  });
  expect(plan.create).toMatchObject([{ kind: 'Snapshot', spec: { of: 'Root', log: LOG } }]);
});

test('the kubelet is asked for the last lines of a program that fails', () => {
  const made = desiredPod(gpuInstance(), 1, { verified: undefined, host: undefined }, settings);
  expect(made.spec?.containers?.[0]).toMatchObject({ terminationMessagePolicy: 'FallbackToLogsOnError' });
});

test('the last lines are said in every language', () => {
  const { status } = judge({ owner: { status: ran }, sees: { pods: [failed('boom')] }, at: 62 });
  const told = (language: 'zh' | 'ja') =>
    localized(facts, { reason: status?.reason, args: status?.reasonArgs }, language);
  expect(told('zh')).toContain('退出码 3，此前的输出为“boom”');
  expect(told('ja')).toContain('終了コード 3（直前の出力：「boom」）');
});
