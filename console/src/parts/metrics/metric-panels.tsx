// The metrics of objects, or of the Pods of one, a panel each: what was answered, or why nothing was.
import type { MonitorMetricsView } from '@gantry/contract/areas/monitoring/monitor.ts';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import { useMemo } from 'react';
import type { Line } from './line.ts';
import { MetricPanel } from './metric-panel.tsx';
import { useMetricsWords } from './use-metrics-words.ts';
import type { Window } from './use-window.ts';

interface MetricPanelsProps {
  answer: { data?: MonitorMetricsView | undefined; error: unknown; refetch: () => unknown };
  window: Window;
  /** The name that people see of an object; its id by default. */
  nameOf?: (object: string) => string;
}

export function MetricPanels({
  answer: { data, error, refetch },
  window,
  nameOf = (object) => object,
}: MetricPanelsProps) {
  const t = useMetricsWords();
  const earlier = t('earlier');
  const panels = useMemo(
    () =>
      (data?.metrics ?? []).map(({ metric, unit, series, shifted }) => ({
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
  if (panels.every(({ lines }) => lines.length === 0)) return <EmptyState title={t('nothing')} />;
  return (
    <Box
      sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' } }}
    >
      {panels.map(({ metric, unit, lines }) => (
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
  );
}
