// Evaluations side by side: what stands in one row, and which columns are marked.
import { expect, test } from '@jest/globals';
import type { Score } from '../../core/tasks/task-scores.ts';
import type { AskedTask, ServedSubject } from '../../platform/db/schema/evaluations.ts';
import { comparedView, scoresView } from './compared.ts';
import type { EvaluationRun } from './evaluation-store.ts';

const AT = new Date('2026-11-30T00:00:00Z');
const reader = { language: 'en' as const, currency: 'USD' };
const subject = (deployment: string, stamp: Partial<ServedSubject['stamp']> = {}): ServedSubject => ({
  ...{ deployment, adapter: null, uid: deployment, model: 'mdl-a', version: 'v1', name: 'Tiny' },
  ...{ weights: 'w', adapterWeights: null },
  stamp: { engine: 'vllm', image: 'vllm:1', template: 't', dtype: 'BF16', gpu: null, seed: 0, ...stamp },
});
const task = (measures: string, metric = 'F1'): AskedTask => ({
  ...{ name: measures, dataset: 'dst-a', version: 1, metric, measures },
});
const score = (of: number, at: number, value: number, more: Partial<Score> = {}): Score => ({
  ...{ taskUid: 'u', run: 1, subject: of, task: at, metric: 'F1', value, low: 0, high: 1, n: 3 },
  ...{ promptTokens: 1, completionTokens: 1, p50Ms: null, p99Ms: null, costMicros: null, ...more },
});
const scored = (name: string, subjects: ServedSubject[], tasks: AskedTask[], scores: Score[]) => ({
  ...{ id: name, name: `the ${name}`, scores, comparisons: [], loads: [] },
  run: {
    taskUid: name,
    run: 1,
    subjects,
    tasks,
    baseline: null,
    createdAt: AT,
    scoredAt: AT,
  } as unknown as EvaluationRun,
});

test('scores of the same questions stand in one row, whatever their place', () => {
  const one = scored('one', [subject('a')], [task('x'), task('y')], [score(0, 0, 0.5), score(0, 1, 0.25)]);
  const two = scored('two', [subject('b'), subject('c')], [task('y')], [score(0, 0, 1), score(1, 0, 0)]);
  const { columns, rows } = comparedView([one, two], reader);
  expect(columns.map(({ evaluation, deployment }) => [evaluation, deployment])).toEqual([
    ['one', 'a'],
    ['two', 'b'],
    ['two', 'c'],
  ]);
  expect(rows.map(({ name, cells }) => [name, ...cells.map((cell) => cell?.value ?? null)])).toEqual([
    ['x', 0.5, null, null],
    ['y', 0.25, 1, 0],
  ]);
});

test('a column says what of its stamp differs from the first one', () => {
  const gpu = { model: 'H100', count: 1 };
  const one = scored('one', [subject('a', { gpu })], [task('x')], []);
  const others = [
    subject('b', { gpu: { ...gpu } }),
    subject('c', { engine: 'sglang', seed: 7 }),
    subject('d', { gpu }),
  ];
  const { columns } = comparedView([one, scored('two', others, [task('x')], [])], reader);
  expect(columns.map(({ differs }) => differs)).toEqual([[], [], ['engine', 'gpu', 'seed'], []]);
});

test('what a worker says of subjects that its run does not have is not shown', () => {
  const one = scored(
    'one',
    [subject('a')],
    [task('x')],
    [score(0, 0, 1, { costMicros: 1_250_000 }), score(1, 0, 1), score(0, 3, 1)],
  );
  const view = scoresView(one, reader);
  expect(view.scores).toHaveLength(1);
  expect(view.scores[0]).toMatchObject({ subject: 0, task: 0, cost: '1.25' });
});
