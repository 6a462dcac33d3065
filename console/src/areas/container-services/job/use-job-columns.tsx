// The columns of the list of jobs, and of the runs of a schedule.
import type { JobView } from '@gantry/contract/kinds/job.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import type { Column } from '@gantry/ui/table/data-table.tsx';
import { useMemo } from 'react';
import { createdColumn, kindColumns } from '../../../parts/kind-columns.tsx';
import { TaskTime } from '../../../parts/task/task-time.tsx';
import { useTaskWords } from '../../../parts/task/use-task-words.ts';
import { TwoLines } from '../../../parts/two-lines.tsx';
import { usePeople } from '../../../parts/workload/use-people.ts';
import { inRow } from '../../../parts/workload/workload-actions.tsx';
import { useDeployWords } from '../use-deploy-words.ts';
import { JobActions } from './job-actions.tsx';
import { useScheduleText } from './use-schedule-text.ts';

export function useJobColumns(): readonly Column<JobView>[] {
  const t = useDeployWords();
  const task = useTaskWords();
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
            label: task('columns.progress'),
            width: '10.5rem',
            cell: (job) => <TaskTime task={job} />,
          },
          { id: 'cost', label: task('columns.cost'), width: '6.5rem', align: 'end', cell: ({ cost }) => cost ?? '–' },
          createdColumn(ui, nameOfPerson),
        ],
        actions: inRow(JobActions),
      }),
    [t, task, ui, nameOfPerson],
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
        ...(priority === 'Normal' ? [] : [task(`priorities.${priority}`)]),
      ].join(' · '),
    ];
  }
}
