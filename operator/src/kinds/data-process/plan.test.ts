// What this kind adds to tasks: its worker waits for the gateway's list, meets it as the contract says, and its exit codes have meanings.
import type { DataProcessStatus } from '@gantry/contract/kinds/data-process.ts';
import { OUTPUT_MADE, TASK_EXITS } from '@gantry/contract/kinds/data-task.ts';
import { DATA_TASK_POD, INSTANCE_POD, TENANTS_PODS, WORKER_POD } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { describe, expect, test } from '@jest/globals';
import { expectGolden } from '../../../../test/support/golden.ts';
import { desiredBatchJob } from '../../running/desired.ts';
import type { TaskSeen } from '../../running/reads.ts';
import { dataProcessController } from './plan.ts';
import { ran } from './ran.ts';
import {
  admitted,
  answer,
  at,
  batch,
  context,
  dataProcess,
  inputs,
  run,
  seen,
  settings,
  worker,
} from './testing/fixtures.ts';

const plan = (status: DataProcessStatus, sees: Partial<TaskSeen> = {}, seconds = 70, spec = {}) =>
  dataProcessController.plan(dataProcess(status, spec), seen(sees), context(seconds));
const made = ({ create = [] }: { create?: readonly { metadata: { name: string } }[] }) =>
  create.map(({ metadata }) => metadata.name);

const withInit = (pod: Pod, state: object): Pod =>
  ({ ...pod, status: { ...pod.status, initContainerStatuses: [{ name: 'inputs', state }] } }) as unknown as Pod;

describe('A run', () => {
  test('is recorded, and waits for the list of its inputs', () => {
    const { status, ...rest } = plan({});
    expect(status).toMatchObject({ phase: 'preparing', reason: 'InputsArriving', run: run() });
    expect(made(rest)).toEqual([]);
  });

  test('takes no list of another run', () =>
    expect(made(plan({ run: run({ seq: 2 }), inputs: inputs(1) }))).toEqual([]));

  test('begins once its inputs are listed', () =>
    expect(made(plan({ run: run(), inputs: inputs() }))).toEqual(['base-1-data']));

  test.each([
    ['InputsGone', { dataset: 'dst-in', version: '3' }],
    ['OutputTaken', { dataset: 'dst-out', detail: 'it is shelved' }],
  ])('holds no credit for what waiting does not solve: %s', (reason, args) => {
    const { status, ...rest } = plan({ run: run(), conditions: [answer(reason, args)] });
    expect(status).toMatchObject({ phase: 'preparing', reason, reasonArgs: args });
    expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'CanStart', status: 'False', reason }));
    expect(made(rest)).toEqual([]);
  });

  test('waits for a model that may come back', () => {
    const { status } = plan({ run: run(), conditions: [answer('ModelNotServing', { model: 'acme/embed' })] });
    expect(status?.message).toBe(
      'spec.model: acme/embed does not answer. Start the deployment, or choose another one.',
    );
    expect(status?.conditions?.map(({ type }) => type)).not.toContain('CanStart');
  });

  test.each([
    ['an answer to an earlier spec', answer('InputsGone', {}, 1)],
    ['a word that nobody knows', answer('Whatever')],
  ])('passes over %s', (_, condition) =>
    expect(plan({ run: run(), conditions: [condition] }).status?.reason).toBe('InputsArriving'),
  );

  test('is starting while its files arrive, and longer for more of them', () => {
    const sees = { batchJobs: [batch()], pods: [worker('receiving')] };
    const big = { ...inputs(), bytes: 30_000_000_000 };
    const at15 = (files: object) => plan({ run: admitted(), inputs: { ...inputs(), ...files } }, sees, 16 * 60).status;
    expect(at15(big)).toMatchObject({ phase: 'starting', reason: 'PullingImage' });
    expect(at15(big)?.run?.exit).toBeUndefined();
    expect(at15({})?.run?.exit).toBe('NotAllStarted');
  });

  test('is stuck where the image of what takes its input in cannot be pulled, and given up after five minutes', () => {
    const waiting = { reason: 'ImagePullBackOff', message: 'Back-off pulling image: not found' };
    const pods = [withInit(worker('receiving'), { waiting })];
    const of = (more: object, seconds: number) =>
      plan({ run: admitted(more), inputs: inputs() }, { batchJobs: [batch()], pods }, seconds).status;
    const early = of({}, 30);
    expect(early).toMatchObject({ phase: 'starting', reason: 'ImageNotFound', run: { stuckSince: at(30) } });
    expect(early?.message).toContain('not found');
    expect(of({ stuckSince: at(30) }, 330)?.run).toMatchObject({ exit: 'ImageNotFound' });
  });

  test('fails for its input, and not for its node, where that is not taken in', () => {
    const failed = worker('receiving');
    const message = 'agent receive: nobody sent the files';
    const terminated = { exitCode: 1, reason: 'Error', message, startedAt: at(3), finishedAt: at(20) };
    const pod = withInit({ ...failed, status: { ...failed.status, phase: 'Failed' } } as Pod, { terminated });
    const of = (node: object) =>
      plan({ run: admitted(), inputs: inputs() }, { batchJobs: [batch()], pods: [pod], ...node }, 65).status;
    expect(of({})).toMatchObject({
      ...{ phase: 'preparing', reason: 'InputsNotFetched', reasonArgs: { detail: message } },
      run: { seq: 2, cause: 'retry', failures: 1, before: { exit: 'InputsNotFetched' } },
    });
    expect(of({})?.excludedNodes).toBeUndefined();
  });

  test('is processing, and billed, once its worker is ready', () => {
    const { status } = plan({ run: admitted(), inputs: inputs() }, { batchJobs: [batch()], pods: [worker('running')] });
    expect(status).toMatchObject({ phase: 'processing', reason: 'Running', run: { startedAt: at(6) } });
    expect(status?.intervals).toMatchObject([{ from: at(6), run: 1 }]);
  });
});

describe('The end', () => {
  const ended = (exitCode: number, more: DataProcessStatus = {}, message = '') =>
    plan(
      { run: admitted({ startedAt: at(6) }), inputs: inputs(), ...more },
      { batchJobs: [batch()], pods: [worker({ exitCode, message })] },
      65,
    ).status;

  test('is a success', () => expect(ended(0)).toMatchObject({ phase: 'success', reason: 'Succeeded' }));

  test('of a budget is a success that says so', () => {
    const output = { run: 1, dataset: 'dst-out', version: 1, digest: 'e', ended: 'TokenBudgetSpent' };
    const status = ended(0, { output });
    expect(status).toMatchObject({ phase: 'success', reason: 'TokenBudgetSpent', reasonArgs: { tokens: '1000' } });
    expect(ended(0, { output: { ...output, run: 9 } })?.reason).toBe('Succeeded');
  });

  test.each([
    ['inputsUnreadable', 'InputsUnreadable', 'The input cannot be read: page 3 is cut'],
    ['nothingDone', 'NothingDone', 'Nothing was made: every unit failed, was skipped, or came out empty.'],
    ['tooManyRejected', 'TooManyRejected', 'More than 10% of the units were rejected.'],
    ['modelNotServing', 'ModelNotServing', 'spec.model: acme/embed does not answer.'],
  ] as const)('by %s is not tried again', (exit, reason, says) => {
    const status = ended(TASK_EXITS[exit], {}, 'page 3 is cut');
    expect(status).toMatchObject({ phase: 'failed', reason, message: expect.stringContaining(says) });
    expect(status?.run).toMatchObject({ seq: 1, endedAt: at(60) });
  });

  test.each([
    [
      'quotaExceeded',
      'StorageFull',
      { wanted: '3', used: '9', limit: '10' },
      'need 3 GiB, but 9 of the organisation’s 10',
    ],
    ['outputRefused', 'OutputRefused', { detail: 'It is gone.' }, 'cannot be stored: It is gone.'],
  ] as const)('by %s says why the gateway refuses it, and is not tried again', (exit, reason, args, says) => {
    const condition = { ...answer('InputsGone'), type: OUTPUT_MADE, reason, args };
    const status = ended(TASK_EXITS[exit], { conditions: [condition] });
    expect(status).toMatchObject({ phase: 'failed', reason, message: expect.stringContaining(says) });
    expect(status?.run).toMatchObject({ seq: 1, endedAt: at(60) });
  });

  test.each([
    ['results that nobody fetched', TASK_EXITS.resultsNotFetched, 'ResultsNotFetched'],
    ['a failure without a word', 1, 'RetryAt'],
  ])('by %s costs a try', (_, code, reason) =>
    expect(ended(code)).toMatchObject({ phase: 'preparing', reason, run: { seq: 2, failures: 1, cause: 'retry' } }),
  );
});

test('The Pod takes its input in, meets the gateway as the contract says, and reaches nothing', () => {
  const owner = dataProcess({ run: run(), inputs: inputs() });
  expectGolden(new URL('golden/batch-job.yaml', import.meta.url), [
    desiredBatchJob(ran, owner, { seq: 1, cause: 'first' }, seen(), settings),
  ]);
});

test.each([
  ['KnowledgeBase', 6],
  ['Convert', 16],
  ['Clean', 4],
])('A worker of type %s may write %d times what it reads, and a GiB', (type, times) => {
  const owner = dataProcess({ inputs: { ...inputs(), bytes: 1024 ** 3 } }, { type: type as 'Clean' });
  const { spec } = desiredBatchJob(ran, owner, run(), seen(), settings).spec.template as unknown as {
    spec: { containers: { resources: { requests: Record<string, string> } }[] };
  };
  const root = 2048;
  const arrived = 1024 + 64;
  expect(spec.containers[0]?.resources.requests['ephemeral-storage']).toBe(`${root + arrived + 1024 * (times + 1)}Mi`);
});

test('Members enter no worker: it asks models as whoever began the run', () => {
  const matching = (name: string) => [INSTANCE_POD, ...TENANTS_PODS].filter((form) => new RegExp(form).test(name));
  expect(matching('base-1-data-0-bcdfg')).toEqual([]);
  expect(['base-1-data-0-bcdfg', 'base-1-data-0-22456'].every((name) => new RegExp(DATA_TASK_POD).test(name))).toBe(
    true,
  );
  expect(new RegExp(WORKER_POD).test('base-1-data-0-22456')).toBe(false);
});
