// What this kind adds to tasks: its worker waits for the trainer's image and the gateway's list, and its exit codes have meanings.
import { TASK_EXITS } from '@gantry/contract/kinds/data-task.ts';
import type { Evaluation, EvaluationStatus } from '@gantry/contract/kinds/evaluation.ts';
import { DATA_TASK_POD, INSTANCE_POD, TENANTS_PODS } from '@gantry/contract/names.ts';
import { describe, expect, test } from '@jest/globals';
import { expectGolden } from '../../../../test/support/golden.ts';
import { desiredBatchJob } from '../../running/desired.ts';
import type { TaskSeen } from '../../running/reads.ts';
import { admitted, answer, at, context, run, seen, settings } from '../../running/testing/data-task.ts';
import { evaluationController } from './plan.ts';
import { ran } from './ran.ts';
import { batch, evaluation, inputs, worker } from './testing/fixtures.ts';

const plan = (status: EvaluationStatus, sees: Partial<TaskSeen> = {}, seconds = 70) =>
  evaluationController.plan(evaluation(status), seen(sees), context(seconds));
const made = ({ create = [] }: { create?: readonly { metadata: { name: string } }[] }) =>
  create.map(({ metadata }) => metadata.name);

describe('A run', () => {
  test('waits for the image that evaluates, whatever is listed', () => {
    const without = { ...context(70), settings: { ...settings, trainerImage: '' } };
    const listed = evaluation({ run: run(), inputs: inputs() });
    const { status, create = [] } = evaluationController.plan(listed, seen(), without);
    expect(status).toMatchObject({ phase: 'preparing', reason: 'TrainerImageMissing' });
    expect(create).toEqual([]);
  });

  test('begins once its inputs are listed, under a name that no task of another kind has', () => {
    expect(plan({}).status).toMatchObject({ phase: 'preparing', reason: 'InputsArriving', run: run() });
    expect(made(plan({ run: run(), inputs: inputs() }))).toEqual(['base-1-eval']);
  });

  test('holds no credit for a deployment or dataset that is not there', () => {
    const args = { what: 'spec.subjects: gone' };
    const { status, ...rest } = plan({ run: run(), conditions: [answer('InputsGone', args)] });
    expect(status).toMatchObject({ phase: 'preparing', reason: 'InputsGone', reasonArgs: args });
    expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'CanStart', status: 'False' }));
    expect(made(rest)).toEqual([]);
  });

  test('holds no credit while a version cannot be deployed, and does while one is', () => {
    const waits = (reason: string) => {
      const args = { model: 'mdl-a', version: '1.0', detail: 'No GPU fits.' };
      const { status } = plan({ run: run(), conditions: [answer(reason, args)] });
      return [status?.phase, status?.reason, status?.conditions?.some(({ type }) => type === 'CanStart')];
    };
    expect(waits('VersionRefused')).toEqual(['preparing', 'VersionRefused', true]);
    expect(waits('VersionStarting')).toEqual(['preparing', 'VersionStarting', false]);
  });

  test('waits for a deployment that may answer later', () => {
    const { status } = plan({ run: run(), conditions: [answer('ModelNotServing', { model: 'before' })] });
    expect(status?.message).toBe('before does not answer. Start the deployment, or choose another one.');
    expect(status?.conditions?.map(({ type }) => type)).not.toContain('CanStart');
  });

  test('is evaluating, and billed, once its worker is ready', () => {
    const { status } = plan({ run: admitted(), inputs: inputs() }, { batchJobs: [batch()], pods: [worker('running')] });
    expect(status).toMatchObject({ phase: 'evaluating', reason: 'Running', run: { startedAt: at(6) } });
    expect(status?.intervals).toMatchObject([{ from: at(6), run: 1 }]);
  });
});

describe('The end', () => {
  const ended = (exitCode: number) =>
    plan(
      { run: admitted({ startedAt: at(6) }), inputs: inputs() },
      { batchJobs: [batch()], pods: [worker({ exitCode, message: 'row 3 is cut' })] },
      65,
    ).status;

  test('is a success', () => expect(ended(0)).toMatchObject({ phase: 'success', reason: 'Succeeded' }));

  test.each([
    ['inputsUnreadable', 'InputsUnreadable', 'The input cannot be read: row 3 is cut'],
    ['nothingDone', 'NothingDone', 'Nothing was scored: row 3 is cut'],
    ['doesNotFit', 'DoesNotFit', 'does not fit into memory: row 3 is cut'],
    ['tooManyRejected', 'TooManyRejected', 'More than 10% of the questions'],
    ['modelNotServing', 'NotAnswered', 'A model does not answer: row 3 is cut'],
  ] as const)('by %s is not tried again', (exit, reason, says) => {
    const status = ended(TASK_EXITS[exit]);
    expect(status).toMatchObject({ phase: 'failed', reason, message: expect.stringContaining(says) });
    expect(status?.run).toMatchObject({ seq: 1, endedAt: at(60) });
  });

  test('by a failure without a word costs a try', () =>
    expect(ended(1)).toMatchObject({ phase: 'preparing', reason: 'RetryAt', run: { seq: 2, failures: 1 } }));
});

const SHAPES: Readonly<Record<string, Partial<Evaluation['spec']>>> = {
  'two-deployments': {},
  'eight-with-a-judge': {
    subjects: Array.from({ length: 8 }, (_, at) => ({ deployment: `chat-${at}` })),
    ...{ judge: { deployment: 'judge', rubric: 'Is it polite?' }, cores: 4, memoryGi: 16 },
  },
};

test.each(Object.entries(SHAPES))('The Pod of %s is this', (name, spec) => {
  const owner = evaluation({ run: run(), inputs: inputs() }, spec);
  expectGolden(new URL(`golden/${name}.yaml`, import.meta.url), [
    desiredBatchJob(ran, owner, { seq: 1, cause: 'first' }, seen(), settings),
  ]);
});

test('Members enter no worker', () => {
  const pod = 'base-1-eval-0-bcdfg';
  expect([INSTANCE_POD, ...TENANTS_PODS].filter((form) => new RegExp(form).test(pod))).toEqual([]);
  expect(new RegExp(DATA_TASK_POD).test(pod)).toBe(true);
});
