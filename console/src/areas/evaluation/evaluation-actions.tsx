// The buttons of an evaluation, and what each asks before: what is lost and what is kept.
import type { EvaluationView } from '@gantry/contract/kinds/evaluation.ts';
import type { Questions } from '../../parts/action-buttons.tsx';
import { toForms, workloadActions } from '../../parts/workload/workload-actions.tsx';
import { LIST } from './paths.ts';
import { useEvaluationWords } from './use-evaluation-words.ts';

/** By action, made when they are asked. */
function useQuestions({ name }: Pick<EvaluationView, 'name'>): () => Questions<'evaluation'> {
  const t = useEvaluationWords();
  return () => {
    const kept = [t('ask.answers'), t('ask.scores')];
    return {
      stop: { brief: t('ask.stopBrief'), text: t('ask.stop'), kept, instead: ['suspend'] },
      suspend: { brief: t('ask.suspendBrief'), text: t('ask.suspend'), kept },
      release: { lost: [t('ask.evaluation', { name })], kept: [t('ask.models')], typed: name },
    };
  };
}

export const EvaluationActions = workloadActions({
  kind: 'evaluation',
  first: ['resume', 'runAgain', 'stop', 'suspend', 'edit', 'clone'],
  leads: toForms(LIST),
  useQuestions,
});
