// What an evaluation's view says of subjects, tasks and scores, and which commands it takes.
import { expect, test } from '@jest/globals';
import { canDo } from '../define-kind.ts';
import { askedModel, type Evaluation, evaluation, taskColumns } from './evaluation.ts';
import { showEvaluation } from './evaluation-view.ts';

const RUN = { seq: 2, cause: 'first', runCount: 0 };
const AT = '2026-11-30T00:00:00Z';
const SPEC = {
  ...{ power: 'Running', runCount: 0, cores: 1, memoryGi: 2, seed: 0, answerTokens: 256, maxRejectedPercent: 10 },
  subjects: [{ deployment: 'before' }, { deployment: 'after', adapter: 'tuned' }],
  tasks: [
    { dataset: 'dst-a', metric: 'ExactMatch' },
    { name: 'Tone', dataset: 'dst-b', version: 4, metric: 'Judge' },
  ],
  baseline: 0,
};
const taskOf = (status: object, spec: object = {}) =>
  ({
    metadata: { name: 'evl-1' },
    spec: { ...SPEC, ...spec },
    status: { phase: 'evaluating', run: RUN, ...status },
  }) as unknown as Evaluation;
const shown = (status: object, language: 'en' | 'zh' | 'ja' = 'en', spec: object = {}) =>
  showEvaluation(taskOf(status, spec), { phase: 'evaluating' } as never, { language, price: null } as never);

test('subjects have what they serve once a run has looked it up, and nothing of another list', () => {
  expect(shown({}).subjects).toEqual([
    { deployment: 'before', adapter: null, model: null, version: null, name: null },
    { deployment: 'after', adapter: 'tuned', model: null, version: null, name: null },
  ]);
  const served = { model: 'mdl-a', version: 'v1', name: 'Tiny' };
  const inputs = { run: 2, subjects: [served, { ...served, version: 'v2' }], datasets: [] };
  expect(shown({ inputs }).subjects.map(({ version }) => version)).toEqual(['v1', 'v2']);
  const [one] = SPEC.subjects;
  expect(shown({ inputs }, 'en', { subjects: [one] }).subjects[0]).toMatchObject({ model: null });
});

test('tasks are called by their name, else by that of their dataset, else by its id', () => {
  expect(shown({}, 'zh').tasks).toEqual([
    { name: 'dst-a', dataset: 'dst-a', version: null, metric: 'ExactMatch', metric_label: '精确匹配' },
    { name: 'Tone', dataset: 'dst-b', version: 4, metric: 'Judge', metric_label: '评审打分' },
  ]);
  const inputs = { run: 2, subjects: [], datasets: [{ dataset: 'dst-a', name: 'Questions', version: 3 }] };
  expect(shown({ inputs }).tasks[0]).toMatchObject({ name: 'Questions', version: 3 });
});

test('what the newest run does has a label, and what an earlier one did is not shown', () => {
  const progress = { run: 2, step: 'judging', done: 1, of: 3, at: AT };
  expect(shown({ progress }, 'ja').progress).toMatchObject({ step_label: '審査中', percent: 33.3, tokens: null });
  expect(shown({ progress: { ...progress, step: 'odd', of: 0 } }).progress).toMatchObject({
    step_label: 'odd',
    percent: 0,
  });
  expect(shown({ progress: { ...progress, run: 1 } }).progress).toBeNull();
});

test('scores are those of the object, with how many examples are kept', () => {
  const score = { subject: 1, task: 0, metric: 'ExactMatch', value: 0.5, low: 0.25, high: 0.75, n: 8 };
  expect(shown({ scores: [score], output: { run: 2, examples: 16 } })).toMatchObject({ scores: [score], examples: 16 });
  expect(shown({})).toMatchObject({ scores: [], examples: null });
});

test('why an evaluator gave up is said in the reader’s language, or in its own words without markup', () => {
  const said = (code: string, sentence: string, args?: object) =>
    shown({ outcome: { run: 2, problem: { code, sentence, ...(args && { args }) } } }, 'zh').outcome?.problem;
  expect(said('ModelRefused', 'It says 500.', { status: '500' })).toBe('无法调用模型：模型返回状态码 500。');
  expect(said('Odd', '<img src=x>odd')).toBe('odd');
});

test('it runs again at rest alone', () => {
  const can = (phase: string) => canDo(evaluation, 'runAgain', taskOf({ phase, run: { ...RUN, endedAt: AT } }));
  expect(['stopped', 'failed', 'success'].map(can)).toEqual([false, true, true]);
  expect(canDo(evaluation, 'runAgain', taskOf({}))).toBe(false);
});

test('a subject is asked by the name that /v1 knows, and columns have defaults', () => {
  expect(SPEC.subjects.map((one) => askedModel(one))).toEqual(['before', 'after:tuned']);
  expect(taskColumns({})).toEqual({ prompt: 'question', answer: 'answer' });
  expect(taskColumns({ columns: { prompt: 'a' } })).toEqual({ prompt: 'a' });
});
