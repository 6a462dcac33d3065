// What a fine-tuning task's view says of its training and of its trainer's last word, and which commands it takes.
import { expect, test } from '@jest/globals';
import { canDo } from '../define-kind.ts';
import { columnsOf, type FineTune, fineTune, formOf } from './fine-tune.ts';
import { showFineTune } from './fine-tune-view.ts';

const RUN = { seq: 2, cause: 'first', runCount: 0 };
const AT = '2026-11-30T00:00:00Z';
const SPEC = {
  ...{ power: 'Running', runCount: 0, saveCount: 1, objective: 'SFT', method: 'LoRA', cores: 1, memoryGi: 2 },
  ...{ base: { model: 'mdl-a', version: 'v1' }, output: { name: 'out', gguf: false } },
  datasets: [{ dataset: 'dst-a', weight: 2 }],
};
const taskOf = (status: object, spec: object = {}) =>
  ({
    metadata: { name: 'ftn-1' },
    spec: { ...SPEC, ...spec },
    status: { phase: 'training', run: RUN, ...status },
  }) as unknown as FineTune;
const shown = (status: object, language: 'en' | 'zh' | 'ja' = 'en', spec: object = {}) =>
  showFineTune(taskOf(status, spec), { phase: 'training' } as never, { language, price: null } as never);

test('the training of the newest run is shown, and a loss that is no number is null', () => {
  const training = { run: 2, step: 333, of: 1000, loss: 1.5, at: AT };
  expect(shown({ training }).training).toMatchObject({ step: 333, percent: 33.3, loss: 1.5, seconds_left: null });
  const { loss: _, ...without } = training;
  expect(shown({ training: without }).training).toMatchObject({ step: 333, loss: null });
  expect(shown({ training: { ...training, run: 1 } }).training).toBeNull();
  expect(shown({ training: { ...training, of: 0 } }).training?.percent).toBe(0);
});

test('what the trainer does has a label in the reader’s language; what nobody knows has its name', () => {
  const progress = { run: 2, step: 'saving', done: 1, of: 2, at: AT };
  expect(shown({ progress }, 'ja').progress).toMatchObject({ step: 'saving', step_label: '保存中' });
  expect(shown({ progress: { ...progress, step: 'odd' } }).progress?.step_label).toBe('odd');
});

test('datasets have the version that was read, or none yet', () => {
  const spec = { datasets: SPEC.datasets, evalDataset: { dataset: 'dst-b', version: 4 } };
  expect(shown({}, 'en', spec).datasets).toEqual([
    { dataset: 'dst-a', version: null, weight: 2 },
    { dataset: 'dst-b', version: 4, weight: null },
  ]);
  const inputs = { run: 2, model: 'mdl-a', name: 'Tiny', datasets: [{ dataset: 'dst-a', version: 3 }] };
  const view = shown({ inputs });
  expect(view.datasets).toEqual([{ dataset: 'dst-a', version: 3, weight: 2 }]);
  expect(view.base).toEqual({ model: 'mdl-a', version: 'v1', name: 'Tiny' });
});

test('a checkpoint can be saved as a version, and is being saved until the gateway has done so', () => {
  const checkpoint = { run: 1, step: 20, bytes: 10, at: AT };
  const can = (status: object) => canDo(fineTune, 'save', taskOf(status));
  expect(can({})).toBe(false);
  expect(can({ checkpoint })).toBe(true);
  expect(can({ checkpoint, phase: 'success', run: { ...RUN, endedAt: AT } })).toBe(true);
  expect(fineTune.actions.save.does).toEqual(expect.any(Function));
  expect((fineTune.actions.save.does as (task: object) => object)(taskOf({}))).toEqual({ spec: { saveCount: 2 } });
  expect(shown({ checkpoint }).is_saving).toBe(true);
  const saved = { count: 1, step: 20, model: 'mdl-b', version: 'v1', at: AT };
  expect(shown({ checkpoint, saved })).toMatchObject({ is_saving: false, saved: { version: 'v1', is_ready: false } });
});

test('a run after another goes on from its checkpoint: it is restarted at rest alone', () => {
  const can = (phase: string) => canDo(fineTune, 'restart', taskOf({ phase, run: { ...RUN, endedAt: AT } }));
  expect(['stopped', 'failed', 'success'].map(can)).toEqual([false, true, true]);
  expect(canDo(fineTune, 'restart', taskOf({}))).toBe(false);
});

test('it is restarted from the base where there is a checkpoint not to be used', () => {
  const ended = { phase: 'success', run: { ...RUN, endedAt: AT } };
  const checkpoint = { run: 1, step: 20, bytes: 10, at: AT };
  expect(canDo(fineTune, 'restartAfresh', taskOf(ended))).toBe(false);
  expect(canDo(fineTune, 'restartAfresh', taskOf({ checkpoint }))).toBe(false);
  expect(canDo(fineTune, 'restartAfresh', taskOf({ ...ended, checkpoint }))).toBe(true);
  const done = (action: 'restart' | 'restartAfresh') =>
    (fineTune.actions[action].does as (task: object) => { spec: object })(taskOf(ended));
  const again = done('restart').spec;
  expect(done('restartAfresh')).toEqual({ spec: { ...again, freshCount: 1 } });
});

test('why a trainer gave up is said in the reader’s language, or in its own words without markup', () => {
  const said = (code: string, sentence: string, args?: object) =>
    shown({ outcome: { run: 2, problem: { code, sentence, ...(args && { args }) } } }, 'zh').outcome?.problem;
  expect(said('NoSuchColumn', 'No column a.', { column: 'a' })).toBe('表格中没有列 a。');
  expect(said('BaseUnreadable', 'a <b>pickle</b>')).toBe('无法读取基础模型：a pickle');
  expect(said('Odd', '<img src=x>odd')).toBe('odd');
});

test('columns and the form of the result have defaults', () => {
  expect(columnsOf({ objective: 'SFT' })).toEqual({ prompt: 'question', answer: 'answer' });
  expect(columnsOf({ objective: 'DPO' })).toEqual({ prompt: 'prompt', chosen: 'chosen', rejected: 'rejected' });
  expect(columnsOf({ objective: 'SFT', columns: { messages: 'm' } })).toEqual({ messages: 'm' });
  const output = { name: 'a', gguf: false };
  expect(formOf({ method: 'LoRA', output })).toBe('Adapter');
  expect(formOf({ method: 'Full', output })).toBe('Merged');
  expect(formOf({ method: 'QLoRA', output: { ...output, form: 'Merged' } })).toBe('Merged');
});
