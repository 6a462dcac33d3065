// How the cluster itself is, over time: each panel as a chart or as a table of its newest values.
import type { ClusterMetricsView } from '@gantry/contract/areas/monitoring/admin-monitor.ts';
import { seriesCsv, timesOf } from '@gantry/ui/format/series-csv.ts';
import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import Skeleton from '@mui/material/Skeleton';
import TextField from '@mui/material/TextField';
import { lazy, Suspense } from 'react';

import { useSearchParams } from 'react-router';
import { PageLoading } from '../../parts/page-loading.tsx';
import { Panel } from '../../parts/panel.tsx';
import { PlainRows } from '../../parts/plain-rows.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useAsk } from '../../parts/use-ask.ts';
import type { words } from '../../words/en/operation.ts';

const PanelChart = lazy(async () => ({ default: (await import('./panel-chart.tsx')).PanelChart }));
const RANGES = { h1: 1, h24: 24, d7: 168, d30: 720 } as const;
type RangeName = keyof typeof RANGES;
const EVERY_MS = 30_000;
const CHART_PX = 200;

export function ClusterMetrics() {
  const t = useOperationWords();
  const [params, setParams] = useSearchParams();
  const asked = params.get('range') ?? '';
  const range = Object.hasOwn(RANGES, asked) ? (asked as RangeName) : 'h1';
  const { data, error, refetch } = useAsk<ClusterMetricsView>(`cluster-metrics?hours=${RANGES[range]}`, {
    everyMs: EVERY_MS,
  });
  return (
    <Box sx={{ py: 2 }}>
      <TextField
        select
        size="small"
        label={t('metrics.hours')}
        value={range}
        onChange={({ target }) => setParams({ range: target.value }, { replace: true })}
        sx={{ width: 200, mb: 2 }}
      >
        {(Object.keys(RANGES) as RangeName[]).map((name) => (
          <MenuItem key={name} value={name}>
            {t(`metrics.ranges.${name}`)}
          </MenuItem>
        ))}
      </TextField>
      {data ? (
        <Box
          sx={{
            display: 'grid',
            gap: 2,
            gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
          }}
        >
          {data.panels.map((panel) => (
            <OnePanel key={panel.panel} panel={panel} startMs={Date.parse(data.start)} stepMs={data.step * 1_000} />
          ))}
        </Box>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <PageLoading />
      )}
    </Box>
  );
}

interface OnePanelProps {
  panel: ClusterMetricsView['panels'][number];
  startMs: number;
  stepMs: number;
}

function OnePanel({ panel: { panel, series }, startMs, stepMs }: OnePanelProps) {
  const t = useOperationWords();
  const title = t(`metrics.panels.${panel}`);
  // A series without data is a column, too.
  const saveCsv = async () =>
    saveFile(`${title}.csv`, [await seriesCsv(timesOf(startMs, stepMs, series), series)], 'text/csv');
  const known = series.filter(({ points }) => points.some((point) => point !== null));
  return (
    <Panel
      title={title}
      actions={
        known.length > 0 && (
          <Button size="small" aria-label={t('metrics.csv', { title })} onClick={() => void saveCsv()}>
            CSV
          </Button>
        )
      }
    >
      {known.length === 0 ? (
        t('metrics.noData')
      ) : (
        <>
          <Suspense fallback={<Skeleton variant="rounded" height={CHART_PX} />}>
            <PanelChart series={known} startMs={startMs} stepMs={stepMs} height={CHART_PX} />
          </Suspense>
          <PlainRows
            label={title}
            columns={[
              { key: 'name', title: t('metrics.series') },
              { key: 'value', title: t('metrics.now'), isNumber: true },
            ]}
            rows={known.map(({ name, points }) => ({
              key: name,
              cells: [name, points.at(-1) === null ? t('metrics.noData') : shown(points.at(-1) ?? 0)],
            }))}
          />
        </>
      )}
    </Panel>
  );
}

const shown = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 2 });

const useOperationWords = () => useAreaWords<typeof words>('operation');
