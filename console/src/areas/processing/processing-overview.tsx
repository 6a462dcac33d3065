// A task's facts: what it reads and makes, how far it is, its times and its cost.

import type { DataProcessView } from '@gantry/contract/kinds/data-process.ts';
import { numberText } from '@gantry/ui/format/number.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Typography from '@mui/material/Typography';
import { type Fact, FactList } from '../../parts/fact-list.tsx';
import { Section } from '../../parts/section.tsx';
import { useRunFacts, useTaskFacts } from '../../parts/task/use-task-facts.tsx';
import { useTaskWords } from '../../parts/task/use-task-words.ts';
import { UsedBar } from '../../parts/used-bar.tsx';
import { usePeople } from '../../parts/workload/use-people.ts';
import { DatasetLink } from './dataset-link.tsx';
import { useProcessingWords } from './use-processing-words.ts';

interface OverviewProps {
  task: DataProcessView;
}

export function ProcessingOverview({ task }: OverviewProps) {
  const t = useProcessingWords();
  const words = useTaskWords();
  const ui = useUiWords();
  const nameOfPerson = usePeople();
  const times = useTaskFacts(task);
  const run = useRunFacts(task.spec);
  const made = useMadeFacts(task);
  return (
    <>
      <Progress task={task} />
      <Section title={t('facts.overview')}>
        <FactList
          isDense
          facts={[
            ...made,
            ...times,
            { label: t('fields.specification'), value: task.specification },
            ...(task.host === null ? [] : [{ label: t('facts.place'), value: task.host }]),
            ...run,
            ...(task.excluded_nodes.length > 0
              ? [{ label: words('facts.excludedNodes'), value: task.excluded_nodes.join(', ') }]
              : []),
            { label: ui('fields.creator'), value: nameOfPerson(task.creator) },
            { label: ui('fields.createTime'), value: timeText(task.create_time) },
          ]}
        />
      </Section>
    </>
  );
}

function useMadeFacts(task: DataProcessView): readonly Fact[] {
  const t = useProcessingWords();
  const number = numberText;
  const { type_label: type, input, output, model, spec, progress, outcome } = task;
  const counted = (counts: NonNullable<DataProcessView['outcome']>['removed']) =>
    counts.map(({ label, count }) => `${label}: ${number(count)}`).join(' · ');
  const version = (of: number | null) => (of === null ? '' : ` · ${t('fields.version', { version: of })}`);
  const rows = output.rows === null ? '' : ` · ${t('fields.rows', { smart_count: output.rows })}`;
  return [
    { label: t('fields.type'), value: type },
    {
      label: t('fields.input'),
      value: (
        <>
          <DatasetLink id={input.dataset} name={input.name} version={input.version} />
          {input.version === null ? ` · ${t('fields.newestVersion')}` : version(input.version)}
        </>
      ),
    },
    {
      label: t('fields.output'),
      value: (
        <>
          <DatasetLink id={output.dataset} name={output.name} version={output.is_ready ? output.version : null} />
          {version(output.version)}
          {rows}
        </>
      ),
    },
    ...(model === null
      ? []
      : [
          { label: t('fields.model'), value: model },
          { label: t('fields.tokens'), value: number(progress?.tokens ?? null) },
          {
            label: t('fields.budget'),
            value: spec.maxTokens === undefined ? t('fields.noBudget') : number(spec.maxTokens),
          },
        ]),
    { label: t('fields.maxRejected'), value: `${spec.maxRejectedPercent ?? 0}%` },
    ...(outcome?.removed.length ? [{ label: t('fields.removed'), value: counted(outcome.removed) }] : []),
    ...(outcome?.masked.length ? [{ label: t('fields.masked'), value: counted(outcome.masked) }] : []),
    ...(outcome?.problem ? [{ label: t('fields.problem'), value: outcome.problem }] : []),
  ];
}

function Progress({ task: { progress } }: OverviewProps) {
  const t = useProcessingWords();
  const number = numberText;
  if (progress === null) return null;
  const { done, failed, skipped, of, rejected, time } = progress;
  return (
    <Section title={t('fields.progress')} lead={t('progress.counted', { time: timeText(time) })}>
      <Typography aria-live="polite" sx={{ fontWeight: 600 }}>
        {t('progress.units', { done: number(done), of: number(of) })}
      </Typography>
      <UsedBar used={done + failed + skipped} total={of} label={t('progress.bar')} />
      <FactList
        facts={[
          { label: t('progress.done'), value: number(done) },
          { label: t('progress.failed'), value: number(failed) },
          { label: t('progress.skipped'), value: number(skipped) },
          { label: t('progress.pending'), value: number(Math.max(0, of - done - failed - skipped)) },
          { label: t('progress.rejected'), value: number(rejected) },
        ]}
      />
    </Section>
  );
}
