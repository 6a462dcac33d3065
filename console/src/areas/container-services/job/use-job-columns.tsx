// The columns of the list of jobs, and of the runs of a schedule.
import type { JobView } from '@gantry/contract/kinds/job.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import type { Column } from '@gantry/ui/table/data-table.tsx';
import { useMemo } from 'react';
import { createdColumn, kindColumns } from '../../../parts/kind-columns.tsx';
import { TwoLines } from '../../../parts/two-lines.tsx';
import { usePeople } from '../../../parts/workload/use-people.ts';
import { inRow } from '../../../parts/workload/workload-actions.tsx';
import { useDeployWords } from '../use-deploy-words.ts';
import { JobActions } from './job-actions.tsx';
import { RunningTime } from './running-time.tsx';
import { useScheduleText } from './use-schedule-text.ts';

export function useJobColumns(): readonly Column<JobView>[] {
  const t = useDeployWords();
  const ui = useUiWords();
  const nameOfPerson = usePeople();
  const scheduleText = useScheduleText();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a schedule's text depends on the words alone
  return useMemo(
    () =>
      kindColumns(ui, {
        to: ({ id }) => `/deploy/job/${id}`,
        second: ({ specification }) => specification,
        own: [
          {
            id: 'execution',
            label: t('columns.execution'),
            width: 'minmax(9rem, 1.6fr)',
            cell: (job) => {
              const [first, second] = executionOf(job);
              return <TwoLines first={first} second={second} title={`${first}, ${second}`} />;
            },
          },
          {
            id: 'progress',
            label: t('columns.progress'),
            width: '10.5rem',
            cell: (job) =>
              job.queue ? (
                <QueueText queue={job.queue} />
              ) : (
                <TwoLines
                  first={<RunningTime from={job.start_time} to={job.end_time} />}
                  second={job.start_time === null ? '' : timeText(job.start_time)}
                />
              ),
          },
          { id: 'cost', label: t('columns.cost'), width: '6.5rem', align: 'end', cell: ({ cost }) => cost ?? '–' },
          createdColumn(ui, nameOfPerson),
        ],
        actions: inRow(JobActions),
      }),
    [t, ui, nameOfPerson],
  );

  function executionOf({
    execution,
    spec,
    next_run_time: next,
    schedule,
    priority,
    workers,
  }: JobView): [string, string] {
    if (execution === 'scheduled' && spec.schedule) {
      const text = scheduleText(spec.schedule) ?? spec.schedule.cron;
      return [text, next === null ? '' : t('schedule.nextAt', { time: timeText(next) })];
    }
    return [
      schedule === null ? t('execution.immediate') : t('execution.run'),
      [
        t('columns.workers', { smart_count: workers }),
        ...(priority === 'Normal' ? [] : [t(`priorities.${priority}`)]),
      ].join(' · '),
    ];
  }
}

/** "3rd" on one line, "expected at …, from how long earlier jobs ran" below; nothing for one that does not wait. */
function QueueText({ queue }: { queue: JobView['queue'] }) {
  const t = useDeployWords();
  if (!queue) return null;
  const expected =
    queue.start_time === null
      ? t('queue.noEstimate')
      : t('queue.expected', { time: timeText(queue.start_time), basis: queue.basis_label });
  return (
    <TwoLines
      first={t('queue.position', { position: queue.position })}
      second={expected}
      title={`${t('queue.ahead', { smart_count: queue.ahead_gpus })} ${expected}`}
    />
  );
}
