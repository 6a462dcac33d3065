// How far a run is: in a list, and on its page.

import type { EvaluationView } from '@gantry/contract/kinds/evaluation.ts';
import { numberText } from '@gantry/ui/format/number.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import Alert from '@mui/material/Alert';
import Typography from '@mui/material/Typography';
import { FactList } from '../../parts/fact-list.tsx';
import { Section } from '../../parts/section.tsx';
import { UsedBar } from '../../parts/used-bar.tsx';
import { useEvaluationWords } from './use-evaluation-words.ts';

/** The steps of a run that has ended well are of no use any more: what it has scored is. */
export function ProgressText({ task: { progress, outcome, end_time: end } }: { task: EvaluationView }) {
  const t = useEvaluationWords();
  const number = numberText;
  if (end !== null && outcome?.rows != null)
    return <span>{t('progress.scoredOf', { count: number(outcome.rows) })}</span>;
  if (progress === null) return <span>{t('progress.none')}</span>;
  const { done, of, step_label: step } = progress;
  return (
    <div style={{ minWidth: 0 }} title={step ?? undefined}>
      <span>{t('progress.of', { done: number(done), of: number(of) })}</span>
      <UsedBar used={done} total={of} label={t('progress.bar')} />
    </div>
  );
}

export function Progress({ task: { progress, outcome, spec, end_time: end } }: { task: EvaluationView }) {
  const t = useEvaluationWords();
  const number = numberText;
  if (progress === null && outcome === null) return null;
  return (
    <Section
      title={t('progress.title')}
      {...(progress && { lead: t('progress.said', { time: timeText(progress.time) }) })}
    >
      {outcome?.problem && (
        <Alert severity="error" sx={{ mb: 2 }}>
          {outcome.problem}
        </Alert>
      )}
      {progress && !(end !== null && outcome?.rows != null) && (
        <>
          <Typography aria-live="polite" sx={{ fontWeight: 600 }}>
            {[progress.step_label, t('progress.of', { done: number(progress.done), of: number(progress.of) })]
              .filter(Boolean)
              .join(' · ')}
          </Typography>
          <UsedBar used={progress.done} total={progress.of} label={t('progress.bar')} />
        </>
      )}
      <FactList
        facts={[
          ...(progress?.tokens == null
            ? []
            : [
                {
                  label: t('fields.tokens'),
                  value:
                    spec.maxTokens === undefined
                      ? number(progress.tokens)
                      : t('progress.ofBudget', { used: number(progress.tokens), most: number(spec.maxTokens) }),
                },
              ]),
          ...(outcome?.rows == null ? [] : [{ label: t('progress.scored'), value: number(outcome.rows) }]),
          ...(outcome?.rejected == null ? [] : [{ label: t('progress.rejected'), value: number(outcome.rejected) }]),
        ]}
      />
    </Section>
  );
}
