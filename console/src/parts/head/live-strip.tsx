// What an object uses now and how that has gone, on top of its page while it runs: GPUs first, and what the run has cost.
import type { MonitorMetricsView } from '@gantry/contract/areas/monitoring/monitor.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { PriceView } from '@gantry/contract/kind-api.ts';
import type { MonitorType, ObjectMetric } from '@gantry/contract/monitor/metrics.ts';
import { SparkLine } from '@gantry/ui/chart/spark-line.tsx';
import { unitText } from '@gantry/ui/chart/unit-text.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { rateText } from '@gantry/ui/format/money.ts';
import { gibibytesText } from '@gantry/ui/format/size.ts';
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import type { ReactNode } from 'react';
import { useNow } from '../use-now.ts';
import { usePartsWords } from '../use-parts-words.ts';
import { runCost } from './run-cost.ts';

export interface Live {
  readonly type: MonitorType;
  /** Of all its Pods together, as far as it is known. */
  readonly cores?: number | undefined;
  readonly memoryGi?: number | undefined;
  readonly hasGpu: boolean;
  /** When its run began; RFC 3339. */
  readonly since?: string | null;
  readonly price?: PriceView | null;
  /** What has been billed for it, with its currency; instead of an estimate. */
  readonly cost?: string | null;
}

const EVERY_MS = 30_000;
const MINUTE_MS = 60_000;
const WINDOW_MS = 30 * MINUTE_MS;
const GPU: readonly ObjectMetric[] = ['gpu', 'gpu_memory'];
const ALWAYS: readonly ObjectMetric[] = ['cpu', 'memory'];
const GI = 2 ** 30;

/** Nothing at all where nothing is measured and nothing is paid. */
export function LiveStrip({ id, live }: { id: string; live: Live }) {
  const t = usePartsWords();
  const now = useNow(EVERY_MS);
  const end = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  const at = (ms: number) => new Date(ms).toISOString();
  const metrics = [...(live.hasGpu ? GPU : []), ...ALWAYS];
  const body = { metrics, type: live.type, object: id, start: at(end - WINDOW_MS), end: at(end) };
  const { data } = useCall(CALLS.monitorPodQuery, { body }, { keepsPrevious: true });
  const cost = useCost(live, now);
  const cells = metrics.flatMap((metric) => {
    const points = joined(data, metric);
    return points === undefined ? [] : [{ metric, points }];
  });
  if (cells.length === 0 && cost === undefined) return null;
  return (
    <Paper
      variant="outlined"
      component="section"
      aria-label={t('head.live')}
      sx={{
        display: 'grid',
        gridTemplateColumns: {
          xs: 'repeat(2, minmax(0, 1fr))',
          md: `repeat(${cells.length + (cost ? 1 : 0)}, minmax(0, 1fr))`,
        },
        mb: 2,
        overflow: 'hidden',
        '& > *': { boxShadow: '1px 1px 0 0 var(--mui-palette-divider)' },
        // The last of an odd number has the whole line of a narrow screen.
        '& > :last-child:nth-of-type(odd)': { gridColumn: { xs: '1 / -1', md: 'auto' } },
      }}
    >
      {cells.map(({ metric, points }) => (
        <Cell
          key={metric}
          label={t(`head.${metric as 'gpu' | 'gpu_memory' | 'cpu' | 'memory'}`)}
          text={nowText(metric, points, live, t)}
        >
          <SparkLine points={points} unit={UNITS[metric] ?? 'none'} limit={limitOf(metric, live)} />
        </Cell>
      ))}
      {cost !== undefined && <Cell label={t('head.cost')} text={cost} />}
    </Paper>
  );
}

const Cell = ({ label, text, children }: { label: string; text: string; children?: ReactNode }) => (
  <Box sx={{ px: 2, py: 1.25, minWidth: 0 }}>
    <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{label}</Box>
    <Box sx={{ fontSize: 16, fontWeight: 600, lineHeight: 1.4, fontVariantNumeric: 'tabular-nums' }}>{text}</Box>
    {children}
  </Box>
);

const UNITS: { readonly [Metric in ObjectMetric]?: string } = {
  gpu: 'percent',
  gpu_memory: 'bytes',
  cpu: 'cores',
  memory: 'bytes',
};

/** Of all Pods: the mean of percentages, else the sum. Undefined without any data. */
function joined(data: MonitorMetricsView | undefined, metric: ObjectMetric): (number | null)[] | undefined {
  const series = data?.metrics.find((one) => one.metric === metric)?.series ?? [];
  const length = series[0]?.points.length ?? 0;
  const points = Array.from({ length }, (_, at) => {
    const known = series.map((one) => one.points[at] ?? null).filter((point) => point !== null);
    if (known.length === 0) return null;
    const sum = known.reduce((one, other) => one + other, 0);
    return metric === 'gpu' ? sum / known.length : sum;
  });
  return points.some((point) => point !== null) ? points : undefined;
}

function limitOf(metric: ObjectMetric, { cores, memoryGi }: Live): number | null {
  if (metric === 'cpu') return cores ?? null;
  return metric === 'memory' && memoryGi !== undefined ? memoryGi * GI : null;
}

function nowText(
  metric: ObjectMetric,
  points: readonly (number | null)[],
  live: Live,
  t: ReturnType<typeof usePartsWords>,
): string {
  const last = points.findLast((point) => point !== null);
  if (last === null || last === undefined) return '–';
  const used = metric === 'gpu' ? `${Math.round(last)}%` : unitText(UNITS[metric] ?? 'none')(last);
  const limit = limitOf(metric, live);
  if (limit === null) return used;
  return t('head.of', { used, limit: metric === 'memory' ? gibibytesText(limit / GI) : `${limit}` });
}

function useCost({ cost, price, since }: Live, now: number): string | undefined {
  const t = usePartsWords();
  if (cost) return cost;
  const about = price && since ? runCost(price, now - Date.parse(since)) : undefined;
  return price && about !== undefined ? t('head.about', { amount: rateText(about, price.currency) }) : undefined;
}
