// The time of a run: queued, starting, running, and each of its workers. The same is there as a table.
import { timeText } from '@gantry/ui/format/time.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { PlainTable } from '../plain-table.tsx';
import { Section } from '../section.tsx';
import { useNow } from '../use-now.ts';
import { type Bar, barsOf, type RunBars } from './bars-of.ts';
import type { TaskRun as Run } from './task.ts';
import { useSpan } from './use-span.ts';
import { useTaskWords } from './use-task-words.ts';

const EVERY_MS = 1000;
/** Told apart without colours too: by pattern. */
const LOOKS = {
  queued: {
    backgroundImage: 'repeating-linear-gradient(45deg, var(--mui-palette-text-disabled) 0 2px, transparent 2px 6px)',
    outline: '1px solid var(--mui-palette-divider)',
  },
  starting: {
    backgroundImage: 'repeating-linear-gradient(90deg, var(--mui-palette-info-main) 0 4px, transparent 4px 6px)',
  },
  running: { backgroundColor: 'var(--mui-palette-success-main)' },
} as const;
const STATES = Object.keys(LOOKS) as (keyof typeof LOOKS)[];

/** Newest first. */
export function RunTimeLine({ runs }: { runs: readonly Run[] }) {
  const t = useTaskWords();
  const isPassing = runs.some(({ end_time }) => end_time === null);
  const now = useNow(EVERY_MS, isPassing);
  return (
    <Section title={t('timeLine.title')}>
      <Box aria-hidden sx={{ display: 'flex', gap: 2, flexWrap: 'wrap', mb: 1.5 }}>
        {STATES.map((state) => (
          <Box key={state} sx={{ display: 'flex', gap: 1, alignItems: 'center' }}>
            <Box sx={{ width: 20, height: 12, ...LOOKS[state] }} />
            <Typography variant="caption">{t(`timeLine.${state}`)}</Typography>
          </Box>
        ))}
      </Box>
      {runs.map((run) => (
        <OneRun key={run.number} run={run} now={now} />
      ))}
    </Section>
  );
}

function OneRun({ run, now }: { run: Run; now: number }) {
  const t = useTaskWords();
  const bars = barsOf(run, now);
  if (!bars) return null;
  return (
    <Box sx={{ mb: 2 }}>
      <Typography variant="body2" sx={{ fontWeight: 600 }}>
        {t('timeLine.run', { number: run.number, cause: run.cause_label })}
      </Typography>
      <Box aria-hidden>
        <Line label={t('timeLine.all')} bars={bars.run} />
        {bars.workers.map(({ rank, bars: own }) => (
          <Line key={rank} label={t('timeLine.worker', { rank })} bars={own} />
        ))}
        <Box sx={{ display: 'flex', justifyContent: 'space-between', pl: '6.5rem' }}>
          <Typography variant="caption" color="text.secondary">
            {timeText(bars.fromMs)}
          </Typography>
          <Typography variant="caption" color="text.secondary">
            {run.end_time === null ? t('timeLine.now') : timeText(bars.toMs)}
          </Typography>
        </Box>
      </Box>
      <AsTable run={run} bars={bars} />
    </Box>
  );
}

function Line({ label, bars }: { label: string; bars: readonly Bar[] }) {
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: '6rem 1fr', gap: 1, alignItems: 'center', my: 0.5 }}>
      <Typography variant="caption" noWrap>
        {label}
      </Typography>
      <Box sx={{ position: 'relative', height: 14, bgcolor: 'action.hover', borderRadius: 0.5, overflow: 'hidden' }}>
        {bars.map(({ state, left, width }) => (
          <Box
            key={state}
            style={{ left: `${left}%`, width: `${width}%` }}
            sx={{ position: 'absolute', top: 0, bottom: 0, minWidth: 2, ...LOOKS[state] }}
          />
        ))}
      </Box>
    </Box>
  );
}

function AsTable({ run, bars }: { run: Run; bars: RunBars }) {
  const t = useTaskWords();
  const span = useSpan();
  const rows = [
    ...bars.run.map((bar) => ({ who: t('timeLine.all'), ...bar })),
    ...bars.workers.flatMap(({ rank, bars: own }) =>
      own.map((bar) => ({ who: t('timeLine.worker', { rank }), ...bar })),
    ),
  ];
  return (
    <Box component="details">
      <Typography component="summary" variant="caption" sx={{ cursor: 'pointer' }}>
        {t('timeLine.asTable')}
      </Typography>
      <PlainTable
        label={t('timeLine.run', { number: run.number, cause: run.cause_label })}
        rows={rows}
        keyOf={({ who, state }) => `${who} ${state}`}
        columns={[
          { label: t('timeLine.who'), cell: ({ who }) => who },
          { label: t('timeLine.what'), cell: ({ state }) => t(`timeLine.${state}`) },
          { label: t('timeLine.from'), cell: ({ fromMs }) => timeText(fromMs) },
          { label: t('timeLine.lasted'), cell: ({ fromMs, toMs }) => span(toMs - fromMs) },
        ]}
      />
    </Box>
  );
}
