// The buttons of a job, and what each asks before: what is lost and what is kept.
import type { JobView } from '@gantry/contract/kinds/job.ts';
import type { Questions } from '../../../parts/action-buttons.tsx';
import { toForms, workloadActions } from '../../../parts/workload/workload-actions.tsx';
import { useDeployWords } from '../use-deploy-words.ts';

type Asked = Pick<JobView, 'name' | 'execution' | 'runs' | 'phase'>;

/** By action, made when they are asked. */
function useJobQuestions({ name, execution, runs, phase }: Asked): () => Questions<'job'> {
  const t = useDeployWords();
  return () => {
    if (execution === 'scheduled') {
      return {
        stop: { text: t('ask.stopSchedule'), lost: [t('ask.nextRuns')], kept: [t('ask.itsRuns')] },
        suspend: { text: t('ask.suspendSchedule'), lost: [t('ask.runsMeanwhile')], kept: [t('ask.itsRuns')] },
        release: { lost: [t('ask.schedule', { name }), t('ask.runsOfSchedule')], kept: [t('ask.disks')], typed: name },
      };
    }
    const hasBegun = runs.some(({ start_time }) => start_time !== null);
    const lost = hasBegun && phase !== 'queued' ? [t('ask.progress')] : [t('ask.place')];
    const kept = [t('ask.disks'), t('ask.logs')];
    return {
      stop: { brief: t('ask.stopBrief'), text: t('ask.stopJob'), lost, kept, instead: ['suspend'] },
      suspend: { brief: t('ask.suspendBrief'), text: t('ask.suspendJob'), lost, kept },
      release: { lost: [t('ask.job', { name })], kept: [t('ask.disks')], typed: name },
    };
  };
}

export const JobActions = workloadActions({
  kind: 'job',
  first: ['resume', 'runAgain', 'stop', 'suspend', 'edit', 'clone', 'login'],
  leads: { login: (id) => `/deploy/job/${id}#workers`, ...toForms('/deploy/job') },
  useQuestions: useJobQuestions,
});
