import { evaluation } from '@gantry/contract/kinds/evaluation.ts';
import { expect, test } from '@jest/globals';
import type * as z from 'zod';
import {
  baselineWithout,
  EMPTY_EVALUATION,
  EMPTY_SUBJECT,
  EMPTY_TASK,
  type EvaluationValues,
  evaluationBody,
  evaluationChange,
  evaluationValuesOf,
  firstEvaluation,
} from './evaluation-values.ts';

const { create, change } = evaluation.api.writes;
const filled = (more: Partial<EvaluationValues> = {}): EvaluationValues => ({
  ...EMPTY_EVALUATION,
  displayName: 'quality',
  subjects: [{ ...EMPTY_SUBJECT, deployment: 'dpl-1' }],
  tasks: [{ ...EMPTY_TASK, dataset: 'dst-1' }],
  ...more,
});

const VARIANTS: Partial<EvaluationValues>[] = [
  {},
  {
    subjects: [
      { ...EMPTY_SUBJECT, deployment: 'dpl-1' },
      { ...EMPTY_SUBJECT, deployment: 'dpl-1', adapter: 'sea' },
      { ...EMPTY_SUBJECT, source: 'version', model: 'mdl-1', version: '1.0' },
    ],
    ...{ baseline: '0', limit: 50, seed: 7, maxTokens: 10_000, host: 'big', maxRunMinutes: 60 },
  },
  {
    tasks: [
      {
        ...{ name: 'letters', dataset: 'dst-1', version: '3', metric: 'Judge' },
        columns: { prompt: 'ask', answer: '', system: 'role' },
      },
    ],
    judge: { deployment: 'dpl-9', rubric: 'Is it polite?\nIs it right?' },
  },
  { measures: true, performance: { concurrency: '1, 8,16', promptTokens: 256, answerTokens: 32, seconds: 10 } },
];

test.each(VARIANTS)('a form with %j is an evaluation, and its values make the same one again', (more) => {
  const values = filled(more);
  const parsed = create.safeParse(evaluationBody(values));
  expect(parsed.error).toBeUndefined();
  const { displayName = '', ...spec } = create.parse(evaluationBody(values));
  const again = evaluationValuesOf({ id: 'evl-1', name: displayName, spec: { ...spec, displayName } as never });
  expect(evaluationChange(values, again)).toEqual({});
});

/** As kubectl may write it: every field that people set. */
const WHOLE: Required<Omit<z.output<typeof create>, 'displayName'>> = {
  subjects: [{ deployment: 'dpl-1' }, { deployment: 'dpl-1', adapter: 'sea' }, { model: 'mdl-1', version: '1.0' }],
  tasks: [
    {
      ...{ name: 'letters', dataset: 'dst-1', version: 2, metric: 'Pairwise' },
      columns: { prompt: 'ask', answer: 'told', system: 'role' },
    },
  ],
  judge: { deployment: 'dpl-9', rubric: 'Is it right?' },
  ...{ baseline: 0, limit: 50, seed: 7, answerTokens: 64, maxRejectedPercent: 5, maxTokens: 10_000 },
  performance: { concurrency: [1, 8], promptTokens: 256, answerTokens: 32, seconds: 10 },
  ...{ cores: 2, memoryGi: 4, host: 'big', priority: 'High', maxRunMinutes: 60, retries: 1 },
};

test('the form of an evaluation that kubectl made holds all of it, and an edit changes that alone which was edited', () => {
  expect(Object.keys(WHOLE).sort()).toEqual(
    Object.keys(create.shape)
      .filter((field) => field !== 'displayName')
      .sort(),
  );
  const values = evaluationValuesOf({ id: 'evl-1', name: 'quality', spec: WHOLE as never });
  expect(evaluationBody(values)).toEqual({ ...WHOLE, displayName: 'quality' });
  expect(evaluationChange(values, { ...values, limit: 100 })).toEqual({ limit: 100 });
});

test('what is taken away is null, and a judge goes with the last metric that needs one', () => {
  const before = evaluationValuesOf({ id: 'evl-1', name: 'quality', spec: WHOLE as never });
  const tasks = before.tasks.map((task) => ({ ...task, metric: 'F1' as const }));
  const body = evaluationChange(before, { ...before, tasks, baseline: '', limit: undefined, measures: false });
  expect(body).toMatchObject({ judge: null, baseline: null, limit: null, performance: null });
  expect(change.safeParse(body).error).toBeUndefined();
});

test('a missing number is refused and no default takes its place', () => {
  expect(create.safeParse(evaluationBody(filled({ answerTokens: undefined }))).success).toBe(false);
  const performance = { ...EMPTY_EVALUATION.performance, concurrency: '1, many' };
  expect(create.safeParse(evaluationBody(filled({ measures: true, performance }))).success).toBe(false);
});

test.each([
  ['of a subject before the baseline', '2', 0, '1'],
  ['of the baseline', '2', 2, ''],
  ['of a subject after it', '0', 1, '0'],
  ['where there is none', '', 0, ''],
])('the baseline after the removal %s', (_, baseline, gone, after) => {
  expect(baselineWithout(baseline, gone)).toBe(after);
});

test('a link fills in subjects, baseline and dataset, and a baseline that is no subject is none', () => {
  const query = new URLSearchParams(
    'subject=dpl-1&subject=dpl-1:sea&subject=mdl-1@1.0&baseline=0&dataset=dst-1&datasetVersion=2',
  );
  expect(firstEvaluation(query)).toMatchObject({
    subjects: [
      { ...EMPTY_SUBJECT, deployment: 'dpl-1' },
      { ...EMPTY_SUBJECT, deployment: 'dpl-1', adapter: 'sea' },
      { ...EMPTY_SUBJECT, source: 'version', model: 'mdl-1', version: '1.0' },
    ],
    baseline: '0',
    tasks: [{ dataset: 'dst-1', version: '2' }],
  });
  expect(firstEvaluation(new URLSearchParams('subject=dpl-1&baseline=3')).baseline).toBe('');
  expect(firstEvaluation(new URLSearchParams())).toEqual(EMPTY_EVALUATION);
});
