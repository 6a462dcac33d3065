// The runs of a schedule: each is a job of its own. When the next one is due, and how many were missed.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { JobView } from '@gantry/contract/kinds/job.ts';
import { jobPhases } from '@gantry/contract/kinds/job-phases.ts';
import { useList } from '@gantry/ui/client/use-api.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { DataTable } from '@gantry/ui/table/data-table.tsx';
import { FilterChoice } from '@gantry/ui/table/filter-choice.tsx';
import { useFilters } from '@gantry/ui/table/use-filters.ts';
import { EmptyState, NoMatch } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTaskWords } from '../../../parts/task/use-task-words.ts';
import { useDeployWords } from '../use-deploy-words.ts';
import { useJobColumns } from './use-job-columns.tsx';

export function ScheduleRuns({ job: { id, next_run_time: next, missed_runs: missed } }: { job: JobView }) {
  const t = useDeployWords();
  const task = useTaskWords();
  const language = useLanguage();
  const columns = useJobColumns();
  const { values, sorting, isFiltered, set, sort, clear } = useFilters(['status'], { by: 'create_time', type: 'desc' });
  const list = useList(CALLS.listJobs, {
    query: { ...values, schedule: id, order_by: sorting.by, order_type: sorting.type },
  });
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center', mb: 2 }}>
        <Box sx={{ width: '12rem' }}>
          <FilterChoice
            label={t('list.status')}
            any={t('list.anyStatus')}
            value={values.status}
            options={Object.entries(jobPhases).map(([phase, { [language]: label }]) => [phase, label])}
            onChange={(value) => set('status', value)}
          />
        </Box>
        {next !== null && (
          <Typography variant="body2" color="text.secondary">
            {t('schedule.nextAt', { time: timeText(next) })}
          </Typography>
        )}
      </Box>
      {missed > 0 && (
        <Alert severity="warning" sx={{ mb: 2 }}>
          {t('schedule.missedCount', { smart_count: missed })}
        </Alert>
      )}
      <DataTable
        label={task('runs.title')}
        columns={columns}
        list={list}
        idOf={(row) => row.id}
        nameOf={({ name }) => name}
        sorting={sorting}
        onSort={sort}
        empty={isFiltered ? <NoMatch onClear={clear} /> : <EmptyState title={t('runs.noneOfSchedule')} />}
      />
    </>
  );
}
