// The newest scores of an evaluation: side by side, against the baseline, under load, and by what each subject was served.

import type { EvaluationScoresView } from '@gantry/contract/areas/evaluation/evaluation.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { EvaluationView } from '@gantry/contract/kinds/evaluation.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { numberText } from '@gantry/ui/format/number.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { PlainTable } from '../../parts/plain-table.tsx';
import { Section } from '../../parts/section.tsx';
import { comparisonPath } from './paths.ts';
import { ScoreTable } from './score-table.tsx';
import { StampTable } from './stamp-table.tsx';
import { SubjectHead } from './subject-head.tsx';
import { useSubjectName } from './use-deployments.ts';
import { useEvaluationWords } from './use-evaluation-words.ts';
import { useFigures } from './use-figures.ts';

type Scores = Omit<EvaluationScoresView, 'currency'> & { currency: string };
type Comparison = Scores['comparisons'][number];

const TONES = { better: 'good', worse: 'bad', no_difference: 'neutral' } as const;

export function EvaluationScores({ task }: { task: EvaluationView }) {
  const t = useEvaluationWords();
  const { data, error, refetch } = useCall(CALLS.getEvaluationScores, { params: { id: task.id } });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingRows />;
  if (data.run === null)
    return (
      <Section title={t('scores.title')}>
        <EmptyState title={t('scores.noneYet')} hint={t('scores.noneYetHint')} />
      </Section>
    );
  return <Shown task={task} scores={data} />;
}

function Shown({ task, scores }: { task: EvaluationView; scores: Scores }) {
  const t = useEvaluationWords();
  const nameOf = useSubjectName();
  const { run, time, subjects, tasks, baseline, comparisons, currency } = scores;
  const columns = subjects.map((subject, at) => ({
    key: `${at}`,
    head: (
      <SubjectHead subject={subject}>
        {at === baseline && (
          <Typography variant="caption" component="div">
            {t('fields.baseline')}
          </Typography>
        )}
      </SubjectHead>
    ),
  }));
  const isOlder = task.runs[0] !== undefined && task.runs[0].number !== run;
  const changed = subjects.filter(({ is_changed: isChanged }) => isChanged);
  return (
    <>
      <Section
        title={t('scores.title')}
        lead={[
          t('scores.ofRun', { run: `${run}`, time: timeText(time) }),
          ...(isOlder ? [t('scores.older')] : []),
        ].join(' ')}
        actions={
          <Button component={Link} to={comparisonPath([task.id])} variant="outlined">
            {t('compare.withOthers')}
          </Button>
        }
      >
        {changed.length > 0 && (
          <Alert severity="warning" sx={{ mb: 2 }}>
            {t('scores.changed', { names: changed.map(nameOf).join(', ') })}
          </Alert>
        )}
        <ScoreTable
          label={t('scores.title')}
          columns={columns}
          rows={tasks.map((one, number) => ({
            task: one,
            cells: subjects.map(
              (_, at) => scores.scores.find(({ subject, task: of }) => subject === at && of === number) ?? null,
            ),
          }))}
          currency={currency}
          below={(row, column) => {
            const found = comparisons.find(({ subject, task: of }) => subject === column && of === row);
            return found && <Verdict comparison={found} />;
          }}
        />
      </Section>
      {comparisons.length > 0 && <Comparisons scores={scores} />}
      {scores.loads.length > 0 && <Loads scores={scores} />}
      <Section title={t('stamps.title')} lead={t('stamps.lead')}>
        <StampTable columns={columns} subjects={subjects} />
      </Section>
    </>
  );
}

function Verdict({ comparison: { verdict } }: { comparison: Comparison }) {
  const t = useEvaluationWords();
  return <PhaseChip label={t(`verdicts.${verdict}`)} tone={TONES[verdict]} message={t(`verdictHints.${verdict}`)} />;
}

function Comparisons({ scores: { subjects, tasks, baseline, comparisons } }: { scores: Scores }) {
  const t = useEvaluationWords();
  const figures = useFigures();
  const number = numberText;
  const nameOf = useSubjectName();
  const named = (at: number | null) => {
    const subject = at === null ? undefined : subjects[at];
    return subject ? nameOf(subject) : '–';
  };
  return (
    <Section
      title={t('comparisons.title', { name: named(baseline) })}
      lead={`${t('comparisons.lead')} ${t('verdictHints.no_difference')}`}
    >
      <PlainTable
        label={t('comparisons.label')}
        rows={comparisons}
        keyOf={({ subject, task }) => `${subject} ${task}`}
        columns={[
          { label: t('fields.task'), cell: ({ task }) => tasks[task]?.name ?? '–' },
          { label: t('fields.subject'), cell: ({ subject }) => named(subject) },
          { label: t('comparisons.verdict'), cell: (one) => <Verdict comparison={one} /> },
          { label: t('comparisons.difference'), cell: ({ difference }) => figures.difference(difference), isEnd: true },
          { label: t('scores.interval'), cell: figures.differenceInterval, isEnd: true },
          { label: t('comparisons.better'), cell: ({ better }) => number(better), isEnd: true },
          { label: t('comparisons.worse'), cell: ({ worse }) => number(worse), isEnd: true },
          { label: t('comparisons.rows'), cell: ({ n }) => number(n), isEnd: true },
        ]}
      />
    </Section>
  );
}

function Loads({ scores: { subjects, loads } }: { scores: Scores }) {
  const t = useEvaluationWords();
  const figures = useFigures();
  const number = numberText;
  const nameOf = useSubjectName();
  return (
    <Section title={t('loads.title')} lead={t('loads.lead')}>
      <PlainTable
        label={t('loads.title')}
        rows={loads}
        keyOf={({ subject, concurrency }) => `${subject} ${concurrency}`}
        columns={[
          {
            label: t('fields.subject'),
            cell: ({ subject }) => {
              const found = subjects[subject];
              return found ? nameOf(found) : '–';
            },
          },
          { label: t('loads.concurrency'), cell: ({ concurrency }) => number(concurrency), isEnd: true },
          { label: t('loads.requests'), cell: ({ requests }) => number(requests), isEnd: true },
          { label: t('loads.failed'), cell: ({ failed }) => number(failed), isEnd: true },
          { label: t('loads.rate'), cell: ({ tokens_per_second: rate }) => figures.rate(rate), isEnd: true },
          {
            label: t('loads.first'),
            cell: ({ ttft_p50_ms: p50, ttft_p99_ms: p99 }) => `${figures.time(p50)} / ${figures.time(p99)}`,
            isEnd: true,
          },
          {
            label: t('loads.answer'),
            cell: ({ p50_ms: p50, p99_ms: p99 }) => `${figures.time(p50)} / ${figures.time(p99)}`,
            isEnd: true,
          },
        ]}
      />
    </Section>
  );
}
