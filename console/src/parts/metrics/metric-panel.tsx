// One metric over time.
import type { PanelChart } from '@gantry/contract/monitor/panels.ts';
import { timesOf } from '@gantry/ui/format/series-csv.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { type ReactNode, Suspense } from 'react';
import { lazyPart } from '../lazy-part.ts';
import type { Marks } from './dense-chart.tsx';
import { type Line, spreadOf } from './line.ts';
import { SeriesPanel, textOr } from './series-panel.tsx';
import { unitText } from './unit-text.ts';
import { useMetricsWords } from './use-metrics-words.ts';

const DenseChart = lazyPart(() => import('./dense-chart.tsx'), 'DenseChart');
const CHART_PX = 260;

interface MetricPanelProps extends Marks {
  title: string;
  unit: string;
  chart?: PanelChart;
  /** Buttons besides its own. */
  actions?: ReactNode;
  /** The start of the answer, RFC 3339, and its step in seconds. */
  start: string;
  step: number;
  lines: readonly Line[];
  warnings?: readonly string[];
  onZoom: (startMs: number, endMs: number) => void;
}

export function MetricPanel({
  title,
  unit,
  chart = 'lines',
  actions,
  start,
  step,
  lines,
  warnings = [],
  limits,
  spans,
  onZoom,
}: MetricPanelProps) {
  const t = useMetricsWords();
  const textOf = unitText(unit);
  const startMs = Date.parse(start);
  const stepMs = step * 1_000;
  return (
    <SeriesPanel
      title={title}
      lines={lines}
      textOf={textOf}
      over={{ label: t('time'), textAt: (at) => timeText(startMs + at * stepMs) }}
      placesOf={() => timesOf(startMs, stepMs, lines)}
      actions={actions}
      warnings={warnings}
      chart={(known) => (
        <>
          {chart === 'lines' && (
            <Suspense fallback={<Skeleton variant="rounded" height={CHART_PX} />}>
              <DenseChart
                startMs={startMs}
                stepMs={stepMs}
                lines={known}
                timeLabel={t('time')}
                textOf={textOf}
                {...(limits && { limits })}
                {...(spans && { spans })}
                onZoom={onZoom}
              />
            </Suspense>
          )}
          {chart === 'value' && <Newest lines={known} textOf={textOf} />}
        </>
      )}
    />
  );
}

interface NewestProps {
  lines: readonly Line[];
  textOf: (value: number) => string;
}

/** The newest value of each series, to be read from afar. */
function Newest({ lines, textOf }: NewestProps) {
  const t = useMetricsWords();
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 4, rowGap: 1, mb: 1 }}>
      {lines.map((line) => (
        <div key={line.name}>
          <Typography sx={{ fontSize: 32, lineHeight: 1.3 }}>
            {textOr(spreadOf(line)?.last, textOf, t('noData'))}
          </Typography>
          {lines.length > 1 && (
            <Typography variant="body2" color="text.secondary" sx={{ overflowWrap: 'anywhere' }}>
              {line.name}
            </Typography>
          )}
        </div>
      ))}
    </Box>
  );
}
