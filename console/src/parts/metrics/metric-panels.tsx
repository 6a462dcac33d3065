// The metrics of objects, or of the Pods of one, a panel each: what was answered, or why nothing was.
import type { MonitorMetricsView } from '@gantry/contract/areas/monitoring/monitor.ts';
import type { ObjectMetric } from '@gantry/contract/monitor/metrics.ts';
import { type Line, spreadOf } from '@gantry/ui/chart/line.ts';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { MetricPanel } from './metric-panel.tsx';
import { useMetricsWords } from './use-metrics-words.ts';
import type { Window } from './use-window.ts';

/** What is rented here comes first. */
const GPU_FIRST: readonly ObjectMetric[] = ['gpu', 'gpu_memory', 'gpu_power', 'gpu_temperature', 'gpu_cards'];
const rank = (metric: ObjectMetric): number => GPU_FIRST.indexOf(metric) + 1 || GPU_FIRST.length + 1;

interface MetricPanelsProps {
  answer: { data?: MonitorMetricsView | undefined; error: unknown; refetch: () => unknown };
  window: Window;
  /** The name that people see of an object; its id by default. */
  nameOf?: (object: string) => string;
}

const has = ({ lines }: { lines: readonly Line[] }) => lines.some((line) => spreadOf(line) !== undefined);

export function MetricPanels({
  answer: { data, error, refetch },
  window,
  nameOf = (object) => object,
}: MetricPanelsProps) {
  const t = useMetricsWords();
  const earlier = t('earlier');
  const panels = useMemo(
    () =>
      [...(data?.metrics ?? [])]
        .sort((one, other) => rank(one.metric) - rank(other.metric))
        .map(({ metric, unit, series, shifted }) => ({
          metric,
          unit,
          lines: [
            ...series.map(({ object, points }): Line => ({ name: nameOf(object), points })),
            ...(shifted ?? []).map(({ object, points }): Line => ({ name: `${nameOf(object)} ${earlier}`, points })),
          ],
        })),
    [data, nameOf, earlier],
  );
  if (!data)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={2} height={260} />;
  if (!panels.some(has)) return <EmptyState title={t('nothing')} />;
  const [known, missing] = [panels.filter(has), panels.filter((panel) => !has(panel))];
  return (
    <>
      <Box
        sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' } }}
      >
        {known.map(({ metric, unit, lines }) => (
          <MetricPanel
            key={metric}
            title={t(`names.${metric}`)}
            unit={unit}
            start={data.start}
            step={data.step}
            lines={lines}
            warnings={data.warnings}
            onZoom={window.zoom}
          />
        ))}
      </Box>
      {missing.length > 0 && (
        <Typography variant="body2" color="text.secondary" sx={{ mt: 2 }}>
          {t('withoutData', { names: missing.map(({ metric }) => t(`names.${metric}`)).join(', ') })}
        </Typography>
      )}
    </>
  );
}
