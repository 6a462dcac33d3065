// A job's facts: what it is, where it stands, its times and its cost.
import type { JobView } from '@gantry/contract/kinds/job.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { type Fact, FactList } from '../../../parts/fact-list.tsx';
import { Section } from '../../../parts/section.tsx';
import { useRunFacts, useTaskFacts } from '../../../parts/task/use-task-facts.tsx';
import { useTaskWords } from '../../../parts/task/use-task-words.ts';
import { usePeople } from '../../../parts/workload/use-people.ts';
import { Code } from '../code.tsx';
import { useProgramFacts } from '../program-facts.tsx';
import { useDeployWords } from '../use-deploy-words.ts';
import { useScheduleText } from './use-schedule-text.ts';

export function JobOverview({ job }: { job: JobView }) {
  const t = useDeployWords();
  const task = useTaskWords();
  const ui = useUiWords();
  const nameOfPerson = usePeople();
  const program = useProgramFacts(job);
  const { spec } = job;
  const own = useOwnFacts(job);
  const run = useRunFacts(spec);
  return (
    <Section title={t('facts.overview')}>
      <FactList
        isDense
        facts={[
          ...own,
          {
            label: t('columns.specification'),
            value: `${job.specification} · ${t('columns.workers', { smart_count: job.workers })}`,
          },
          ...run,
          ...program,
          ...(job.excluded_nodes.length > 0
            ? [{ label: task('facts.excludedNodes'), value: job.excluded_nodes.join(', ') }]
            : []),
          { label: ui('fields.creator'), value: nameOfPerson(job.creator) },
          { label: ui('fields.createTime'), value: timeText(job.create_time) },
        ]}
      />
    </Section>
  );
}

function useOwnFacts(job: JobView): readonly Fact[] {
  const t = useDeployWords();
  const scheduleText = useScheduleText();
  const facts = useTaskFacts(job);
  const { spec, schedule } = job;
  if (spec.schedule) {
    const { cron, timeZone = 'UTC', concurrency = 'Forbid' } = spec.schedule;
    return [
      {
        label: t('schedule.title'),
        value: (
          <>
            {scheduleText(spec.schedule) ?? timeZone} <Code>{cron}</Code>
          </>
        ),
      },
      { label: t('schedule.nextRun'), value: timeText(job.next_run_time) },
      ...(job.last_run === null
        ? []
        : [
            {
              label: t('schedule.lastRun'),
              value: (
                <Link component={RouterLink} to={`/deploy/job/${job.last_run}`}>
                  {job.last_run}
                </Link>
              ),
            },
          ]),
      { label: t('schedule.missed'), value: `${job.missed_runs}` },
      { label: t('schedule.concurrency'), value: t(`schedule.concurrencies.${concurrency}`) },
    ];
  }
  return [
    ...facts,
    ...(schedule === null
      ? []
      : [
          {
            label: t('list.schedule'),
            value: (
              <Link component={RouterLink} to={`/deploy/job/${schedule}`}>
                {schedule}
              </Link>
            ),
          },
        ]),
  ];
}
