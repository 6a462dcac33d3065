// How far a run is, in steps.

import type { FineTuneView } from '@gantry/contract/kinds/fine-tune.ts';
import { numberText } from '@gantry/ui/format/number.ts';
import { UsedBar } from '../../parts/used-bar.tsx';
import { useTuningWords } from './use-tuning-words.ts';

export function StepProgress({ training }: Pick<FineTuneView, 'training'>) {
  const t = useTuningWords();
  const number = numberText;
  if (training === null) return <span>{t('progress.none')}</span>;
  const { step, of } = training;
  return (
    <div style={{ minWidth: 0 }}>
      <span>{t('progress.of', { step: number(step), of: number(of) })}</span>
      <UsedBar used={step} total={of} label={t('progress.bar')} />
    </div>
  );
}
