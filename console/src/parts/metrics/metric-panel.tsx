// One metric over time: its chart, what each series spans in words, and all of it as a table and as CSV.
import type { PanelChart } from '@gantry/contract/monitor/panels.ts';
import { seriesCsv } from '@gantry/ui/format/series-csv.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { lazyPart } from '../lazy-part.ts';
import { PlainTable } from '../plain-table.tsx';
import { saveFile } from '../save-file.ts';
import { Section } from '../section.tsx';
import type { Marks } from './dense-chart.tsx';
import { type Line, spreadOf } from './line.ts';
import { unitText } from './unit-text.ts';
import { useMetricsWords } from './use-metrics-words.ts';

const DenseChart = lazyPart(() => import('./dense-chart.tsx'), 'DenseChart');
const CHART_PX = 260;
/** The most rows, the newest ones; the file has all. */
const MOST_ROWS = 120;

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
  const known = useMemo(() => lines.filter((line) => spreadOf(line) !== undefined), [lines]);
  const missing = lines.filter((line) => !known.includes(line));
  return (
    <Section
      title={title}
      inGrid
      actions={
        <>
          {known.length > 0 && (
            <Button size="small" onClick={() => void saveCsv(title, startMs, stepMs, lines)}>
              {t('csv')}
            </Button>
          )}
          {actions}
        </>
      }
    >
      {warnings.length > 0 && <Alert severity="warning">{t('partial', { why: warnings.join('; ') })}</Alert>}
      {known.length === 0 ? (
        <Typography color="text.secondary">{t('noData')}</Typography>
      ) : (
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
          <PlainTable
            label={title}
            keyOf={({ name }) => name}
            rows={known}
            columns={[
              { label: t('series'), cell: ({ name }) => name },
              { label: t('last'), cell: (line) => textOr(spreadOf(line)?.last, textOf, t('noData')), isEnd: true },
              { label: t('least'), cell: (line) => textOr(spreadOf(line)?.least, textOf, ''), isEnd: true },
              { label: t('most'), cell: (line) => textOr(spreadOf(line)?.most, textOf, ''), isEnd: true },
            ]}
          />
          {missing.length > 0 && (
            <Typography variant="body2" color="text.secondary" sx={{ mt: 1 }}>
              {t('noDataOf', { names: missing.map(({ name }) => name).join(', ') })}
            </Typography>
          )}
          <Values title={title} startMs={startMs} stepMs={stepMs} lines={known} textOf={textOf} />
        </>
      )}
    </Section>
  );
}

/** The newest value of each series, to be read from afar. */
function Newest({ lines, textOf }: Pick<ValuesProps, 'lines' | 'textOf'>) {
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

interface ValuesProps {
  title: string;
  startMs: number;
  stepMs: number;
  lines: readonly Line[];
  textOf: (value: number) => string;
}

function Values({ title, startMs, stepMs, lines, textOf }: ValuesProps) {
  const t = useMetricsWords();
  const [isOpen, setOpen] = useState(false);
  const length = lines[0]?.points.length ?? 0;
  const rows = Array.from({ length: Math.min(MOST_ROWS, length) }, (_, at) => length - 1 - at);
  return (
    <Box component="details" onToggle={(event) => setOpen(event.currentTarget.open)} sx={{ mt: 1 }}>
      <Typography component="summary" variant="body2" sx={{ cursor: 'pointer' }}>
        {t('table', { smart_count: rows.length })}
      </Typography>
      {isOpen && (
        <PlainTable
          label={t('valuesOf', { title })}
          keyOf={(at) => at}
          rows={rows}
          columns={[
            { label: t('time'), cell: (at) => timeText(startMs + at * stepMs) },
            ...lines.map(({ name, points }) => ({
              label: name,
              cell: (at: number) => textOr(points[at], textOf, t('noData')),
              isEnd: true,
            })),
          ]}
        />
      )}
    </Box>
  );
}

const textOr = (value: number | null | undefined, textOf: (value: number) => string, none: string): string =>
  value === null || value === undefined ? none : textOf(value);

async function saveCsv(title: string, startMs: number, stepMs: number, lines: readonly Line[]): Promise<void> {
  const text = await seriesCsv(startMs, stepMs, lines);
  saveFile(new Blob([text], { type: 'text/csv' }), `${title}.csv`);
}
