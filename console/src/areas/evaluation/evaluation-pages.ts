// The forms of a new and a changed evaluation: what the pages of workloads need to know about it.
import { evaluation } from '@gantry/contract/kinds/evaluation.ts';
import { workloadPages } from '../../parts/workload/workload-pages.tsx';
import { EvaluationForm } from './evaluation-form.tsx';
import { evaluationBody, evaluationChange, evaluationValuesOf, firstEvaluation } from './evaluation-values.ts';
import { LIST } from './paths.ts';
import { useEvaluationForm } from './use-evaluation-form.ts';
import { useEvaluationWords } from './use-evaluation-words.ts';

export const { CreatePage: EvaluationCreatePage, EditPage: EvaluationEditPage } = workloadPages({
  kind: 'evaluation',
  list: LIST,
  draft: 'evaluation',
  useTexts() {
    const t = useEvaluationWords();
    return (key) => t(`form.${key}`);
  },
  rules: evaluation.api.writes,
  firstOf: firstEvaluation,
  valuesOf: evaluationValuesOf,
  bodyOf: evaluationBody,
  changeOf: evaluationChange,
  useForm: useEvaluationForm,
  Form: EvaluationForm,
  keptOf: (values) => values,
  lackOf: () => undefined,
});
