// The runs of a task, newest first: why each was begun, how it ended, and where its time went.
import { timeText } from '@gantry/ui/format/time.ts';
import { EmptyState } from '@gantry/ui/widgets/states.tsx';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { PlainTable } from '../plain-table.tsx';
import { Section } from '../section.tsx';
import { RunTimeLine } from './run-time-line.tsx';
import { timeColumns } from './running-time.tsx';
import type { Task } from './task.ts';
import { useTaskWords } from './use-task-words.ts';

/** `path` is that of its page. */
export function TaskRuns({ path, task: { runs } }: { path: string; task: Pick<Task, 'runs'> }) {
  const t = useTaskWords();
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
                <Link component={RouterLink} to={`${path}/logs?run=${number}`} aria-label={t('runs.logOf', { number })}>
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
