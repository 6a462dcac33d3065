// The buttons of a task, and what each asks before: what is lost and what is kept.
import type { DataProcessView } from '@gantry/contract/kinds/data-process.ts';
import type { Questions } from '../../parts/action-buttons.tsx';
import { toForms, workloadActions } from '../../parts/workload/workload-actions.tsx';
import { LIST } from './paths.ts';
import { useProcessingWords } from './use-processing-words.ts';

/** By action, made when they are asked. */
function useQuestions({ name }: Pick<DataProcessView, 'name'>): () => Questions<'dataProcess'> {
  const t = useProcessingWords();
  return () => {
    const lost = [t('ask.part')];
    const kept = [t('ask.units'), t('ask.output')];
    return {
      stop: { brief: t('ask.stopBrief'), text: t('ask.stop'), lost, kept, instead: ['suspend'] },
      suspend: { brief: t('ask.suspendBrief'), text: t('ask.suspend'), lost, kept },
      release: { lost: [t('ask.task', { name })], kept: [t('ask.output')], typed: name },
    };
  };
}

export const ProcessingActions = workloadActions({
  kind: 'dataProcess',
  first: ['resume', 'tryAgain', 'runAgain', 'stop', 'suspend', 'edit', 'clone'],
  leads: toForms(LIST),
  useQuestions,
});
