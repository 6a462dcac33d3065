// The form's rules are the contract's own for the body that is made of it, and those by which subjects, tasks and a judge are chosen.
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { type ServerForm, useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import type { FieldErrors, Path } from 'react-hook-form';
import * as z from 'zod';
import type { FormRules } from '../../parts/use-saved-edit.tsx';
import { type EvaluationValues, needsAnswer, needsJudge } from './evaluation-values.ts';
import { useEvaluationWords } from './use-evaluation-words.ts';

type Sentence = Parameters<ReturnType<typeof useEvaluationWords>>[0];
type Lack = readonly [path: readonly (string | number)[], sentence: Sentence];

export function useEvaluationForm({ first, rules, bodyOf }: FormRules<EvaluationValues>): ServerForm<EvaluationValues> {
  const t = useEvaluationWords();
  const language = useLanguage();
  const schema = z.preprocess((values: EvaluationValues, context) => {
    for (const [path, sentence] of lacksOf(values))
      context.addIssue({ code: 'custom', path: [...path], message: t(sentence) });
    return bodyOf(values);
  }, rules);
  const check = rulesOf(schema as unknown as z.ZodType<unknown, EvaluationValues>, language);
  return useServerForm<EvaluationValues>({
    defaultValues: first as never,
    resolver: async (values, context, options) => {
      const checked = await check(values, context, options);
      const errors = withListError(checked.errors as FieldErrors<EvaluationValues>);
      return Object.keys(errors).length === 0 ? checked : { values: {}, errors };
    },
    fieldOf,
  });
}

const DEPLOYMENT = ['deployment', 'form.chooseDeployment'] as const;
const VERSION = ['model', 'form.chooseModel'] as const;
const keyOf = ({ source, deployment, adapter, model, version }: EvaluationValues['subjects'][number]): string =>
  (source === 'version' ? [model, version] : [deployment, adapter]).join('\n');

function* lacksOfSubjects(subjects: EvaluationValues['subjects']): Generator<Lack> {
  for (const [at, one] of subjects.entries()) {
    const isFirst = subjects.findIndex((other) => keyOf(other) === keyOf(one)) === at;
    const [field, missing] = one.source === 'version' ? VERSION : DEPLOYMENT;
    if (one[field] === '') yield [['subjects', at, field], missing];
    else if (one.source === 'version' && one.version === '') yield [['subjects', at, 'version'], 'form.chooseVersion'];
    else if (!isFirst) yield [['subjects', at, field], 'form.subjectTwice'];
  }
}

function* lacksOf({ subjects, tasks, judge, baseline }: EvaluationValues): Generator<Lack> {
  yield* lacksOfSubjects(subjects);
  for (const [at, { dataset, metric, columns }] of tasks.entries()) {
    if (dataset === '') yield [['tasks', at, 'dataset'], 'form.chooseDataset'];
    if (columns.prompt.trim() === '') yield [['tasks', at, 'columns', 'prompt'], 'form.choosePrompt'];
    if (needsAnswer(metric) && columns.answer.trim() === '')
      yield [['tasks', at, 'columns', 'answer'], 'form.chooseAnswer'];
  }
  if (needsJudge(tasks) && judge.deployment === '') yield [['judge', 'deployment'], 'form.chooseJudge'];
  if (baseline === '' && tasks.some(({ metric }) => metric === 'Pairwise')) yield [['baseline'], 'form.chooseBaseline'];
}

/** Numbers of requests are typed as one text: an error of one of them is the field's. */
function withListError(errors: FieldErrors<EvaluationValues>): FieldErrors<EvaluationValues> {
  const { performance } = errors;
  const found = performance?.concurrency as unknown as Record<string, { message?: string }> | undefined;
  if (!performance || !found || typeof found.message === 'string') return errors;
  const first = Object.values(found).find((one) => typeof one?.message === 'string');
  return first ? ({ ...errors, performance: { ...performance, concurrency: first } } as typeof errors) : errors;
}

/** `spec.tasks[0].dataset` and `tasks.0.dataset` are one field. */
const fieldOf = (field: string): Path<EvaluationValues> =>
  field
    .replace(/^\.?spec\./, '')
    .replace(/\[(\d+)\]/g, '.$1')
    .replace(/^(performance\.concurrency)\..*/, '$1') as Path<EvaluationValues>;
