// The bodies that a task's form makes: the contract accepts what the form starts with for each objective and method, and a change is
// what was changed.
import { tunePreviewBody } from '@gantry/contract/areas/tuning/tuning.ts';
import { fineTune } from '@gantry/contract/kinds/fine-tune.ts';
import { expect, test } from '@jest/globals';
import { METHODS, OBJECTIVES } from './choices.ts';
import { deployPath } from './paths.ts';
import {
  EMPTY_TUNE,
  firstTune,
  previewBody,
  type TuneValues,
  tuneBody,
  tuneChange,
  tuneValuesOf,
  withAdvice,
} from './tuning-values.ts';

const filled = (more: Partial<TuneValues> = {}): TuneValues => ({
  ...EMPTY_TUNE,
  displayName: 'support',
  base: { model: 'mdl-1', version: '1.0' },
  datasets: [{ dataset: 'dst-1', version: '', weight: 1 }],
  output: { model: '', name: 'support', form: '', gguf: false },
  ...more,
});
const EACH = OBJECTIVES.flatMap((objective) => METHODS.map((method) => [objective, method] as const));

test.each(EACH)('%s by %s: what the form begins with is a task, and can be previewed', (objective, method) => {
  const values = filled({ objective, method });
  expect(fineTune.api.writes.create.safeParse(tuneBody(values)).error).toBeUndefined();
  expect(tunePreviewBody.safeParse(previewBody(values)).error).toBeUndefined();
});

test.each(EACH)('%s by %s: the values of a task make the same task again', (objective, method) => {
  const values = filled({
    ...{ objective, method, host: 'hst-1', gpu: { model: 'H100', count: 8 }, workers: 2, maxRunMinutes: 60 },
    ...{ stopsEarly: true, earlyStop: { patience: 5, minDelta: 0.1 }, checkpoints: { everySteps: 50, keep: 2 } },
    evalDataset: { dataset: 'dst-3', version: '4' },
    datasets: [
      { dataset: 'dst-1', version: '2', weight: 0.5 },
      { dataset: 'dst-2', version: '', weight: 2 },
    ],
    columns: { ...EMPTY_TUNE.columns, prompt: 'ask', system: objective === 'SFT' ? 'role' : '' },
    until: 'Steps',
    parameters: { ...EMPTY_TUNE.parameters, maxSteps: 100, learningRate: 0.001, maxLength: 512 },
    output: { model: 'mdl-2', name: '', form: method === 'Full' ? '' : 'Merged', gguf: true },
  });
  const { displayName = '', ...spec } = fineTune.api.writes.create.parse(tuneBody(values));
  const again = tuneValuesOf({ id: 'ftn-1', name: displayName, spec: spec as never });
  expect(tuneChange(values, again)).toEqual({});
});

test('conversations, preferences and pairs name their own columns alone', () => {
  const columns = { ...EMPTY_TUNE.columns, system: 'role' };
  const of = (more: Partial<TuneValues>) => Object.keys(tuneBody(filled({ columns, ...more })).columns ?? {});
  expect(of({})).toEqual(['prompt', 'answer', 'system']);
  expect(of({ rows: 'Messages' })).toEqual(['messages']);
  expect(of({ objective: 'DPO', rows: 'Messages' })).toEqual(['prompt', 'chosen', 'rejected']);
});

test('an edit takes away what no longer holds: epochs for steps, the name for a model, the version for the newest', () => {
  const before = filled({
    evalDataset: { dataset: 'dst-3', version: '4' },
    output: { model: '', name: 'support', form: '', gguf: false },
  });
  const after: TuneValues = {
    ...before,
    until: 'Steps',
    parameters: { ...before.parameters, maxSteps: 100 },
    evalDataset: { dataset: 'dst-3', version: '' },
    output: { ...before.output, model: 'mdl-2' },
  };
  const change = tuneChange(before, after);
  expect(change).toMatchObject({
    parameters: { epochs: null, maxSteps: 100 },
    evalDataset: { version: null },
    output: { name: null, model: 'mdl-2' },
  });
  expect(fineTune.api.writes.change.safeParse(change).error).toBeUndefined();
});

test('nothing is measured, stopped early or made as GGUF where that cannot be', () => {
  const body = tuneBody(filled({ stopsEarly: true, output: { model: '', name: 'a', form: '', gguf: true } }));
  expect(body).not.toHaveProperty('evalDataset');
  expect(body).not.toHaveProperty('earlyStop');
  expect(body.output).toEqual({ name: 'a', gguf: false });
  expect(tuneBody(filled({ method: 'Full' })).parameters).not.toHaveProperty('rank');
});

test('a number that was emptied is refused, and not the default', () => {
  const values = filled({ parameters: { ...EMPTY_TUNE.parameters, batch: undefined } });
  expect(fineTune.api.writes.create.safeParse(tuneBody(values)).success).toBe(false);
  expect(previewBody(values)).toBeUndefined();
});

test('a preview waits for a base with its version and one dataset, and leaves out rows without one', () => {
  expect(previewBody(filled({ base: { model: 'mdl-1', version: '' } }))).toBeUndefined();
  expect(previewBody(EMPTY_TUNE)).toBeUndefined();
  const more = [...filled().datasets, { dataset: '', version: '', weight: 1 }];
  expect(previewBody(filled({ datasets: more }))?.datasets).toHaveLength(1);
});

test('a link names the base, the dataset, or both', () => {
  const first = firstTune(new URLSearchParams('model=mdl-7&version=2.0&dataset=dst-7&datasetVersion=3'));
  expect([first.base, first.datasets]).toEqual([
    { model: 'mdl-7', version: '2.0' },
    [{ dataset: 'dst-7', version: '3', weight: 1 }],
  ]);
});

test('advice changes what it names, and nothing else', () => {
  const values = filled();
  expect(withAdvice(values, { memoryGi: 64 })).toEqual({ ...pick(values), memoryGi: 64 });
  expect(withAdvice(values, { parameters: { batch: 2, accumulate: 4 } }).parameters).toEqual({
    ...values.parameters,
    ...{ batch: 2, accumulate: 4 },
  });
});
const pick = ({ method, memoryGi, gpu, parameters }: TuneValues) => ({ method, memoryGi, gpu, parameters });

test('an adapter is deployed beside its base, under the id of its task; a whole model alone', () => {
  const made = { id: 'ftn-1', base: { model: 'mdl-1', version: '1.0' }, model: 'mdl-2', version: 'v3' };
  const query = (isAdapter: boolean) =>
    Object.fromEntries(new URL(deployPath({ ...made, isAdapter }), 'http://a').searchParams);
  expect(query(false)).toEqual({ model: 'mdl-2', version: 'v3' });
  expect(query(true)).toEqual({
    ...{ model: 'mdl-1', version: '1.0' },
    ...{ adapter: 'ftn-1', adapterModel: 'mdl-2', adapterVersion: 'v3' },
  });
});
