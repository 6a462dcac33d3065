// The buttons of a deployment, and what each asks before: what is lost and what is kept.
import type { ModelDeploymentView } from '@gantry/contract/kinds/model-deployment.ts';
import type { Questions } from '../../parts/action-buttons.tsx';
import { toForms, workloadActions } from '../../parts/workload/workload-actions.tsx';
import { useDeploymentWords } from './use-deployment-words.ts';

/** By action, made when they are asked. */
function useDeploymentQuestions({ name }: Pick<ModelDeploymentView, 'name'>): () => Questions<'modelDeployment'> {
  const t = useDeploymentWords();
  return () => ({
    stop: { brief: t('ask.stopBrief'), text: t('ask.stop'), lost: [t('ask.requests')], kept: [t('ask.model')] },
    restart: { text: t('ask.restart'), lost: [], kept: [t('ask.model')] },
    rollback: { text: t('revisions.rollback'), lost: [t('revisions.lost')], kept: [t('ask.model')] },
    release: { lost: [t('ask.deployment', { name })], kept: [t('ask.model'), t('ask.collected')], typed: name },
  });
}

export const DeploymentActions = workloadActions({
  kind: 'modelDeployment',
  first: ['start', 'edit', 'stop', 'restart', 'rollback', 'clone'],
  leads: toForms('/model/deployment'),
  useQuestions: useDeploymentQuestions,
});
