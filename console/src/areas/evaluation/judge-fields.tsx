// The deployment that judges, where a metric needs one, and by what.
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import { useFormContext, useWatch } from 'react-hook-form';
import { FormSection } from '../../parts/workload/form-section.tsx';
import { type EvaluationValues, needsJudge } from './evaluation-values.ts';
import { deploymentOptions } from './subject-fields.tsx';
import { useDeployments } from './use-deployments.ts';
import { useEvaluationWords } from './use-evaluation-words.ts';

const Field = fieldsOf<EvaluationValues>();

export function JudgeFields() {
  const t = useEvaluationWords();
  const { control } = useFormContext<EvaluationValues>();
  const [tasks, chosen] = useWatch({ control, name: ['tasks', 'judge.deployment'] });
  const deployments = useDeployments();
  if (!needsJudge(tasks)) return null;
  return (
    <FormSection title={t('fields.judge')} hint={t('form.judgeHint')}>
      <Field.Select
        name="judge.deployment"
        label={t('fields.deployment')}
        options={deploymentOptions(deployments, chosen)}
        isRequired
      />
      <Field.Text
        name="judge.rubric"
        label={t('form.rubric')}
        help={t('form.rubricHint')}
        multiline
        minRows={3}
        autoComplete="off"
      />
    </FormSection>
  );
}
