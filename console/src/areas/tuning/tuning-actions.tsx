// The buttons of a task, and what each asks before: what is lost and what is kept.
import type { FineTuneView } from '@gantry/contract/kinds/fine-tune.ts';
import type { Questions } from '../../parts/action-buttons.tsx';
import { toForms, workloadActions } from '../../parts/workload/workload-actions.tsx';
import { LIST } from './paths.ts';
import { useTuningWords } from './use-tuning-words.ts';

type Target = Pick<FineTuneView, 'name' | 'checkpoint'>;

/** By action, made when they are asked. */
function useQuestions({ name, checkpoint }: Target): () => Questions<'fineTune'> {
  const t = useTuningWords();
  return () => {
    const lost = [checkpoint ? t('ask.stepsAfter', { step: checkpoint.step }) : t('ask.steps')];
    const kept = [t('ask.checkpoints'), t('ask.output')];
    return {
      stop: { brief: t('ask.stopBrief'), text: t('ask.stop'), lost, kept, instead: ['suspend'] },
      suspend: { brief: t('ask.suspendBrief'), text: t('ask.suspend'), kept },
      restart: {
        brief: t('ask.restartBrief'),
        text: checkpoint ? t('ask.restartFrom', { step: checkpoint.step }) : t('ask.restart'),
      },
      restartAfresh: { brief: t('ask.afreshBrief'), text: t('ask.afresh', { step: checkpoint?.step ?? 0 }) },
      save: {
        brief: t('ask.saveBrief'),
        text: t('ask.save', { step: checkpoint?.step ?? 0 }),
      },
      release: { lost: [t('ask.task', { name })], kept: [t('ask.output')], typed: name },
    };
  };
}

export const TuningActions = workloadActions({
  kind: 'fineTune',
  first: ['resume', 'stop', 'restart', 'restartAfresh', 'save', 'suspend', 'edit', 'clone'],
  leads: toForms(LIST),
  useQuestions,
});
