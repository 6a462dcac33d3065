// The form of an evaluation: what is evaluated, on what, by which judge, against what, and how much of it; beside it the price by the
// hour.
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import Box from '@mui/material/Box';
import { useFormContext, useWatch } from 'react-hook-form';
import { RunFields } from '../../parts/task/run-fields.tsx';
import { CostPanel } from '../../parts/workload/cost-panel.tsx';
import { type Beside, type WorkloadFormProps, WorkloadFrame } from '../../parts/workload/form-frame.tsx';
import { FormFolds, FormSection } from '../../parts/workload/form-section.tsx';
import { HostSection } from '../../parts/workload/place-fields.tsx';
import { SizeFields } from '../../parts/workload/size-fields.tsx';
import { useWatched } from '../../parts/workload/use-watched.ts';
import { type EvaluationValues, evaluationSize } from './evaluation-values.ts';
import { JudgeFields } from './judge-fields.tsx';
import { SubjectFields } from './subject-fields.tsx';
import { TaskFields } from './task-fields.tsx';
import { useEvaluationWords } from './use-evaluation-words.ts';

const Field = fieldsOf<EvaluationValues>();
const TWO = { display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 2 } as const;
const SIZED = ['cores', 'memoryGi', 'host'] as const;
const MOST_ROWS = 10_000;
const MOST_SEED = 100_000_000;
const MOST_ANSWER_TOKENS = 8192;
const MOST_PROMPT_TOKENS = 32_768;
const MOST_SECONDS = 600;
const HUNDRED = 100;

export function EvaluationForm(props: WorkloadFormProps<EvaluationValues>) {
  const t = useEvaluationWords();
  return (
    <WorkloadFrame {...props} nameHint={t('form.nameHint')} Beside={Price}>
      <SubjectFields />
      <TaskFields />
      <JudgeFields />
      <SizeFields />
      <FormFolds>
        <LimitFields />
        <LoadFields />
        <HostSection />
        <RunFields />
      </FormFolds>
    </WorkloadFrame>
  );
}

function LimitFields() {
  const t = useEvaluationWords();
  const { control } = useFormContext<EvaluationValues>();
  const [limit, tokens] = useWatch({ control, name: ['limit', 'answerTokens'] });
  const summary = [
    ...(limit === undefined ? [] : [`${t('form.limit')}: ${limit}`]),
    `${t('form.answerTokens')}: ${tokens ?? '–'}`,
  ];
  return (
    <FormSection title={t('form.limits')} summary={summary.join(' · ')}>
      <Box sx={TWO}>
        <Field.Number name="limit" label={t('form.limit')} help={t('form.limitHint')} range={[1, MOST_ROWS]} />
        <Field.Number name="seed" label={t('form.seed')} help={t('form.seedHint')} range={[0, MOST_SEED]} isRequired />
        <Field.Number
          name="answerTokens"
          label={t('form.answerTokens')}
          help={t('form.answerTokensHint')}
          unit={t('form.tokens')}
          range={[1, MOST_ANSWER_TOKENS]}
          isRequired
        />
        <Field.Number
          name="maxTokens"
          label={t('form.budget')}
          help={t('form.budgetHint')}
          unit={t('form.tokens')}
          range={[1]}
        />
        <Field.Number
          name="maxRejectedPercent"
          label={t('form.maxRejected')}
          help={t('form.maxRejectedHint')}
          unit="%"
          range={[0, HUNDRED]}
          step="any"
          isRequired
        />
      </Box>
    </FormSection>
  );
}

function LoadFields() {
  const t = useEvaluationWords();
  const { control } = useFormContext<EvaluationValues>();
  const [measures, concurrency] = useWatch({ control, name: ['measures', 'performance.concurrency'] });
  return (
    <FormSection title={t('loads.title')} summary={measures ? `${t('loads.concurrency')}: ${concurrency}` : ''}>
      <Field.Checkbox name="measures" label={t('form.measures')} help={t('form.measuresHint')} />
      {measures && (
        <Box sx={TWO}>
          <Field.Text
            name="performance.concurrency"
            label={t('loads.concurrency')}
            help={t('form.concurrencyHint')}
            isRequired
            autoComplete="off"
          />
          <Field.Number
            name="performance.seconds"
            label={t('form.seconds')}
            help={t('form.secondsHint')}
            range={[1, MOST_SECONDS]}
            isRequired
          />
          <Field.Number
            name="performance.promptTokens"
            label={t('form.promptLength')}
            unit={t('form.tokens')}
            range={[1, MOST_PROMPT_TOKENS]}
            isRequired
          />
          <Field.Number
            name="performance.answerTokens"
            label={t('form.answerLength')}
            unit={t('form.tokens')}
            range={[1, MOST_ANSWER_TOKENS]}
            isRequired
          />
        </Box>
      )}
    </FormSection>
  );
}

/** The worker costs the same whatever it asks; the API estimates whole specs. */
const ANY_WORK = {
  subjects: [{ deployment: 'dpl-any' }],
  tasks: [{ dataset: 'dst-any', metric: 'ExactMatch' }],
};

function Price({ isNew, onRecharge }: Beside) {
  const { control } = useFormContext<EvaluationValues>();
  const size = evaluationSize(useWatched(control, SIZED));
  return <CostPanel kind="Evaluation" spec={size && { ...ANY_WORK, ...size }} isNew={isNew} onRecharge={onRecharge} />;
}
