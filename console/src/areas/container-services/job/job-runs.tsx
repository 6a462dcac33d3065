// The runs of a job, newest first: why each was begun, how it ended, and where its time went.
import type { JobView } from '@gantry/contract/kinds/job.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { EmptyState } from '@gantry/ui/widgets/states.tsx';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { PlainTable } from '../../../parts/plain-table.tsx';
import { Section } from '../../../parts/section.tsx';
import { useDeployWords } from '../use-deploy-words.ts';
import { RunTimeLine } from './run-time-line.tsx';
import { timeColumns } from './running-time.tsx';

export function JobRuns({ job: { id, runs } }: { job: JobView }) {
  const t = useDeployWords();
  if (runs.length === 0) return <EmptyState title={t('runs.none')} />;
  return (
    <>
      <Section title={t('runs.title')} lead={t('runs.lead')}>
        <PlainTable
          label={t('runs.title')}
          rows={runs}
          keyOf={({ number }) => number}
          columns={[
            { label: t('runs.number'), cell: ({ number }) => number },
            { label: t('runs.cause'), cell: ({ cause_label }) => cause_label },
            { label: t('runs.queued'), cell: ({ queue_time }) => timeText(queue_time) },
            ...timeColumns(t),
            {
              label: t('workers.log'),
              cell: ({ number }) => (
                <Link
                  component={RouterLink}
                  to={`/deploy/job/${id}/logs?run=${number}`}
                  aria-label={t('runs.logOf', { number })}
                >
                  {t('workers.log')}
                </Link>
              ),
            },
          ]}
        />
      </Section>
      <RunTimeLine runs={runs} />
    </>
  );
}
