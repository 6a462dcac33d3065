// The buttons of a service, and what each asks before: what is lost and what is kept.
import type { ServiceView } from '@gantry/contract/kinds/container-service.ts';
import type { Questions } from '../../../parts/action-buttons.tsx';
import { toForms, workloadActions } from '../../../parts/workload/workload-actions.tsx';
import { useDeployWords } from '../use-deploy-words.ts';

type Asked = Pick<ServiceView, 'name' | 'url' | 'revisions'>;

/** By action, made when they are asked. */
function useServiceQuestions({ name, url, revisions }: Asked): () => Questions<'containerService'> {
  const t = useDeployWords();
  return () => {
    const kept = [...(url === null ? [] : [t('ask.address', { url })]), t('ask.revisions')];
    const good = revisions.find(({ can_return, outcome }) => can_return && outcome === 'good');
    return {
      stop: { brief: t('ask.stopServiceBrief'), text: t('ask.stopService'), lost: [t('ask.requests')], kept },
      restart: { text: t('ask.restart'), lost: [t('ask.memory')], kept },
      rollback: {
        text: good ? t('ask.rollbackTo', { revision: good.revision, image: good.image }) : t('ask.rollback'),
        lost: [t('ask.presentRevision')],
        kept,
      },
      release: {
        lost: [t('ask.service', { name }), ...(url === null ? [] : [t('ask.address', { url })])],
        typed: name,
      },
    };
  };
}

export const ServiceActions = workloadActions({
  kind: 'containerService',
  first: ['start', 'edit', 'stop', 'restart', 'rollback', 'clone', 'login'],
  leads: { login: (id) => `/deploy/service/${id}/replicas`, ...toForms('/deploy/service') },
  useQuestions: useServiceQuestions,
});
