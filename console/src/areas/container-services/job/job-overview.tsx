// A job's facts: what it is, where it stands, its times and its cost.
import type { JobView } from '@gantry/contract/kinds/job.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { type Fact, FactList } from '../../../parts/fact-list.tsx';
import { Section } from '../../../parts/section.tsx';
import { usePeople } from '../../../parts/workload/use-people.ts';
import { Code } from '../code.tsx';
import { useProgramFacts } from '../program-facts.tsx';
import { useDeployWords } from '../use-deploy-words.ts';
import { RunningTime } from './running-time.tsx';
import { useScheduleText } from './use-schedule-text.ts';

export function JobOverview({ job }: { job: JobView }) {
  const t = useDeployWords();
  const ui = useUiWords();
  const nameOfPerson = usePeople();
  const program = useProgramFacts(job);
  const { spec } = job;
  const own = useOwnFacts(job);
  return (
    <Section title={t('facts.overview')}>
      <FactList
        facts={[
          ...own,
          {
            label: t('columns.specification'),
            value: `${job.specification} · ${t('columns.workers', { smart_count: job.workers })}`,
          },
          { label: t('run.priority'), value: t(`priorities.${job.priority ?? 'Normal'}`) },
          {
            label: t('run.limits'),
            value: `${
              spec.maxRunMinutes === undefined ? t('run.noLimit') : t('run.limit', { smart_count: spec.maxRunMinutes })
            } · ${t('run.tries', { smart_count: spec.retries ?? 0 })}`,
          },
          ...program,
          ...(job.excluded_nodes.length > 0
            ? [{ label: t('facts.excludedNodes'), value: job.excluded_nodes.join(', ') }]
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
  const { queue, spec, runs, schedule } = job;
  const cost = { label: t('columns.cost'), value: job.cost ?? t('facts.noCost') };
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
  const exit = runs[0]?.exit_label;
  return [
    ...(queue
      ? [
          {
            label: t('queue.title'),
            value: `${t('queue.position', { position: queue.position })} · ${t('queue.ahead', {
              smart_count: queue.ahead_gpus,
            })}`,
          },
          {
            label: t('queue.start'),
            value:
              queue.start_time === null
                ? t('queue.noEstimate')
                : t('queue.expected', { time: timeText(queue.start_time), basis: queue.basis_label }),
          },
        ]
      : []),
    { label: t('facts.started'), value: timeText(job.start_time) },
    { label: t('facts.ended'), value: timeText(job.end_time) },
    { label: t('columns.running'), value: <RunningTime from={job.start_time} to={job.end_time} /> },
    ...(exit ? [{ label: t('facts.exit'), value: exit }] : []),
    cost,
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
