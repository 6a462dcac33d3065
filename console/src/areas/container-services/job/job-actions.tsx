// The buttons of a job. Logging in, editing and cloning lead elsewhere; the rest are commands.
import type { JobView } from '@gantry/contract/kinds/job.ts';
import { useNavigate } from 'react-router';
import { ActionButtons } from '../../../parts/action-buttons.tsx';
import { useJobQuestions } from './use-job-questions.tsx';

interface JobActionsProps {
  job: JobView;
  shown: number;
  size?: 'small' | 'medium';
  /** After a command was accepted. */
  onDone?: (action: string) => void;
}

const FIRST = ['resume', 'runAgain', 'stop', 'suspend', 'edit', 'clone', 'login'] as const;

export function JobActions({ job, shown, size = 'small', onDone }: JobActionsProps) {
  const go = useNavigate();
  const { id } = job;
  return (
    <ActionButtons
      kind="job"
      target={job}
      first={FIRST}
      shown={shown}
      size={size}
      questions={useJobQuestions(job)}
      {...(onDone && { onDone })}
      own={{
        login: () => void go(`/deploy/job/${id}#workers`),
        edit: () => void go(`/deploy/job/${id}/edit`),
        clone: () => void go(`/deploy/job/create?${new URLSearchParams({ from: id })}`),
      }}
    />
  );
}
