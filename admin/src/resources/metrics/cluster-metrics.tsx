// How the cluster itself is, over time: a chart each.
import type { ClusterMetricsView } from '@gantry/contract/areas/monitoring/admin-monitor.ts';
import { ChartCard } from '@gantry/ui/chart/chart-card.tsx';
import { timePlaces } from '@gantry/ui/chart/places.ts';
import { unitText } from '@gantry/ui/chart/unit-text.ts';
import { timesOf } from '@gantry/ui/format/series-csv.ts';
import { useAreaWords, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { PageLoading } from '../../parts/page-loading.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useAsk } from '../../parts/use-ask.ts';
import type { words } from '../../words/en/operation.ts';

const RANGES = { h1: 1, h24: 24, d7: 168, d30: 720 } as const;
type RangeName = keyof typeof RANGES;
const EVERY_MS = 30_000;

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

function OnePanel({ panel: { panel, unit, series }, startMs, stepMs }: OnePanelProps) {
  const t = useOperationWords();
  const ui = useUiWords();
  const count = series[0]?.points.length ?? 0;
  const label = ui('chart.time');
  const places = useMemo(() => timePlaces(startMs, stepMs, count, label), [startMs, stepMs, count, label]);
  return (
    <ChartCard
      title={t(`metrics.panels.${panel}`)}
      unit={unit}
      textOf={unitText(unit)}
      lines={series}
      places={places}
      // A series without data is a column, too.
      file={{
        places: () => timesOf(startMs, stepMs, series),
        save: (csv, name) => saveFile(name, [csv], csv.type),
      }}
    />
  );
}

const useOperationWords = () => useAreaWords<typeof words>('operation');
