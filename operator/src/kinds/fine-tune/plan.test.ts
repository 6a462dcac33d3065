// What this kind adds to tasks: its workers wait for the trainer's image and the gateway's list, rehearse before they are billed, train as
// a gang, and their exit codes have meanings.
import { OUTPUT_MADE, TASK_EXITS } from '@gantry/contract/kinds/data-task.ts';
import type { FineTune, FineTuneStatus } from '@gantry/contract/kinds/fine-tune.ts';
import { fineTune as facts } from '@gantry/contract/kinds/fine-tune.ts';
import { localized } from '@gantry/contract/localized.ts';
import { DATA_TASK_POD, INSTANCE_POD, TENANTS_PODS } from '@gantry/contract/names.ts';
import { describe, expect, test } from '@jest/globals';
import { expectGolden } from '../../../../test/support/golden.ts';
import { desiredBatchJob } from '../../running/desired.ts';
import type { TaskSeen } from '../../running/reads.ts';
import { admitted, answer, at, context, run, seen, settings } from '../../running/testing/data-task.ts';
import { workBytesOf } from './dress.ts';
import { fineTuneController } from './plan.ts';
import { ran } from './ran.ts';
import { batch, fineTune, inputs, rehearsing, worker } from './testing/fixtures.ts';

type Spec = Partial<FineTune['spec']>;
const plan = (status: FineTuneStatus, sees: Partial<TaskSeen> = {}, seconds = 70, spec: Spec = {}) =>
  fineTuneController.plan(fineTune(status, spec), seen(sees), context(seconds));
const made = ({ create = [] }: { create?: readonly { metadata: { name: string } }[] }) =>
  create.map(({ metadata }) => metadata.name);

describe('A run', () => {
  test('is recorded, and waits for the list of its inputs', () => {
    const { status, ...rest } = plan({});
    expect(status).toMatchObject({ phase: 'preparing', reason: 'InputsArriving', run: run() });
    expect(made(rest)).toEqual([]);
  });

  test('waits for the image of the trainer, whatever is listed', () => {
    const without = { ...context(70), settings: { ...settings, trainerImage: '' } };
    const { status, create = [] } = fineTuneController.plan(
      fineTune({ run: run(), inputs: inputs() }),
      seen(),
      without,
    );
    expect(status).toMatchObject({ phase: 'preparing', reason: 'TrainerImageMissing' });
    expect(create).toEqual([]);
  });

  test('begins once its inputs are listed, under a name that no task of another kind has', () =>
    expect(made(plan({ run: run(), inputs: inputs() }))).toEqual(['base-1-tune']));

  test.each([
    ['InputsGone', { what: 'spec.base: mdl-base v1' }],
    ['OutputTaken', { model: 'mdl-out', detail: 'it is shelved' }],
    ['DoesNotFit', { detail: 'it takes 90 GiB of each GPU, which has 80' }],
  ])('holds no credit for what waiting does not solve: %s', (reason, args) => {
    const { status, ...rest } = plan({ run: run(), conditions: [answer(reason, args)] });
    expect(status).toMatchObject({ phase: 'preparing', reason, reasonArgs: args });
    expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'CanStart', status: 'False', reason }));
    expect(made(rest)).toEqual([]);
  });

  test('is training, and billed, once all of its workers are ready', () => {
    const listed = { run: admitted(), inputs: inputs() };
    const of = (...pods: TaskSeen['pods']) =>
      plan(listed, { batchJobs: [batch(1, 2)], pods }, 70, { workers: 2 }).status;
    expect(of(worker('running'))).toMatchObject({ phase: 'starting' });
    expect(of(worker('running'))?.intervals).toBeUndefined();
    const both = of(worker('running'), worker('running', 1));
    expect(both).toMatchObject({ phase: 'training', reason: 'Running', run: { startedAt: at(6) } });
    expect(both?.intervals).toMatchObject([{ from: at(6), run: 1, parts: '0-1' }]);
  });
});

describe('A rehearsal', () => {
  const of = (pod: TaskSeen['pods'][number], seconds = 65) =>
    plan({ run: admitted(), inputs: inputs() }, { batchJobs: [batch()], pods: [pod] }, seconds).status;

  test('is told, is not billed, and may take its time', () => {
    const late = of(rehearsing('running'), 25 * 60);
    expect(late).toMatchObject({ phase: 'starting', reason: 'Rehearsing' });
    expect(late?.run?.exit).toBeUndefined();
    expect(late?.intervals).toBeUndefined();
    expect(of(rehearsing('running'), 31 * 60)?.run?.exit).toBe('NotAllStarted');
  });

  test('that runs out of a GPU’s memory says so, and is not tried again', () => {
    const message = 'CUDA out of memory. Tried to allocate 2 GiB';
    const status = of(rehearsing({ exitCode: TASK_EXITS.doesNotFit, message }));
    expect(status).toMatchObject({ phase: 'failed', reason: 'DoesNotFit', reasonArgs: { detail: message } });
    expect(status?.run).toMatchObject({ seq: 1, exit: 'exit code 68', exitCode: 68 });
    expect(status?.excludedNodes).toBeUndefined();
  });

  test('that is killed for its memory is not tried again, and says how much it had, in any language', () => {
    const status = of(rehearsing({ exitCode: 137, reason: 'OOMKilled' }));
    expect(status).toMatchObject({ phase: 'failed', reason: 'DoesNotFit', run: { seq: 1, exit: 'DoesNotFit' } });
    expect(status?.message).toContain('worker 0 used more than its 8 GiB of memory and was killed');
    const { reason, reasonArgs: args, message } = status ?? {};
    expect(localized(facts, { reason, args, message }, 'zh')).toContain('Worker 0 使用的内存超过 8 GiB');
  });

  test('that fails for another reason costs a try, and quotes it', () => {
    const status = of(rehearsing({ exitCode: 1, message: 'ValueError: odd' }));
    expect(status).toMatchObject({ phase: 'preparing', reason: 'RetryAt', run: { seq: 2, failures: 1 } });
    expect(status?.message).toContain('ValueError: odd');
  });

  test('that cannot read its input ends like the training', () =>
    expect(of(rehearsing({ exitCode: TASK_EXITS.inputsUnreadable, message: 'a pickle' }))).toMatchObject({
      ...{ phase: 'failed', reason: 'InputsUnreadable', reasonArgs: { detail: 'a pickle' } },
    }));
});

describe('The end', () => {
  const ended = (exitCode: number, more: FineTuneStatus = {}, message = '') =>
    plan(
      { run: admitted({ startedAt: at(6) }), inputs: inputs(), ...more },
      { batchJobs: [batch()], pods: [worker({ exitCode, message })] },
      65,
    ).status;

  test('is a success', () => expect(ended(0)).toMatchObject({ phase: 'success', reason: 'Succeeded' }));

  test.each([
    ['inputsUnreadable', 'InputsUnreadable', 'The input cannot be read: page 3 is cut'],
    ['nothingDone', 'NothingDone', 'no row of the datasets can be used'],
    ['doesNotFit', 'DoesNotFit', 'does not fit into memory: page 3 is cut'],
    ['diverged', 'TrainingDiverged', 'The loss is no longer a number'],
  ] as const)('by %s is not tried again', (exit, reason, says) => {
    const status = ended(TASK_EXITS[exit], {}, 'page 3 is cut');
    expect(status).toMatchObject({ phase: 'failed', reason, message: expect.stringContaining(says) });
    expect(status?.run).toMatchObject({ seq: 1, endedAt: at(60) });
  });

  test('by a full store says why the gateway refuses the results', () => {
    const args = { wanted: '3', used: '9', limit: '10' };
    const condition = { ...answer('InputsGone'), type: OUTPUT_MADE, reason: 'StorageFull', args };
    const status = ended(TASK_EXITS.quotaExceeded, { conditions: [condition] });
    expect(status).toMatchObject({ phase: 'failed', reason: 'StorageFull', reasonArgs: args });
  });

  test.each([
    ['results that nobody fetched', TASK_EXITS.resultsNotFetched, 'ResultsNotFetched'],
    ['a failure without a word', 1, 'RetryAt'],
  ])('by %s costs a try, and goes on from the last checkpoint', (_, code, reason) =>
    expect(ended(code)).toMatchObject({ phase: 'preparing', reason, run: { seq: 2, failures: 1, cause: 'retry' } }),
  );
});

const CARD = { model: 'NVIDIA-H100-80GB-HBM3', count: 1 };
const SHAPES: Readonly<Record<string, Spec>> = {
  'one-cpu-worker': {},
  'one-gpu': { gpu: CARD, cores: 8, memoryGi: 64 },
  'eight-gpus': {
    ...{ method: 'Full', gpu: { ...CARD, count: 8 }, cores: 64, memoryGi: 512 },
    output: { model: 'mdl-out', gguf: true },
  },
  'four-nodes': { method: 'Full', workers: 4, gpu: { ...CARD, count: 8 }, cores: 64, memoryGi: 512 },
  'qlora-one-gpu': {
    ...{ objective: 'DPO', method: 'QLoRA', gpu: CARD, cores: 8, memoryGi: 64 },
    output: { model: 'mdl-out', form: 'Merged', gguf: false },
  },
};

test.each(Object.entries(SHAPES))('The Pods of %s are these', (name, spec) => {
  const owner = fineTune({ run: run(), inputs: inputs() }, spec);
  expectGolden(new URL(`golden/${name}.yaml`, import.meta.url), [
    desiredBatchJob(ran, owner, { seq: 1, cause: 'first' }, seen(), settings),
  ]);
});

const GI = 1024 ** 3;
test.each<[string, Spec, gibibytes: number]>([
  ['an adapter: the model and its GGUF, twice', {}, 4 * 16],
  ['all weights: four checkpoints of five times the model, and the result', { method: 'Full' }, 22 * 16],
  ['fewer checkpoints', { method: 'Full', checkpoints: { keep: 1 } }, 12 * 16],
])('A worker has disk for %s, besides rows as tokens and a GiB', (_, spec, gibibytes) => {
  const status = { inputs: { ...inputs(), bytes: 17 * GI, baseBytes: 16 * GI } };
  expect(workBytesOf(fineTune(status, spec)) / GI).toBe(gibibytes + 4 + 1);
});

test('Members enter no worker, of whatever rank', () => {
  const names = ['base-1-tune-0-bcdfg', 'base-1-tune-63-22456'];
  const forms = [INSTANCE_POD, ...TENANTS_PODS].filter((form) => new RegExp(form).test('base-1-tune-0-bcdfg'));
  expect(forms).toEqual([]);
  expect(names.every((name) => new RegExp(DATA_TASK_POD).test(name))).toBe(true);
});
