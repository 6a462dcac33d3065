// A query of PromQL as it is answered now: drawn, or the sentence that says why not.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { PanelChart, PanelUnit } from '@gantry/contract/monitor/panels.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import { type ReactNode, useMemo } from 'react';
import { MetricPanel } from '../../parts/metrics/metric-panel.tsx';
import type { Window } from '../../parts/metrics/use-window.ts';
import { Section } from '../../parts/section.tsx';
import { seriesNames } from './series-name.ts';
import { useMonitorWords } from './use-monitor-words.ts';

interface QueryPanelProps {
  title: string;
  query: string;
  unit?: PanelUnit;
  chart?: PanelChart;
  window: Window;
  /** Its own buttons. */
  actions?: ReactNode;
}

const CHART_PX = 240;

export function QueryPanel({ title, query, unit = 'none', chart = 'lines', window, actions }: QueryPanelProps) {
  const t = useMonitorWords();
  const { start, end } = window.asked;
  const { data, error, refetch } = useCall(
    CALLS.monitorQuery,
    { body: { query, start, end } },
    { keepsPrevious: true },
  );
  const lines = useMemo(() => {
    const series = data?.series ?? [];
    const names = seriesNames(series);
    return series.map(({ points }, at) => ({ name: names[at] ?? '', points }));
  }, [data]);
  if (data && !error && lines.length > 0)
    return (
      <MetricPanel
        title={title}
        unit={unit}
        chart={chart}
        start={data.start}
        step={data.step}
        lines={lines}
        warnings={data.warnings}
        actions={actions}
        onZoom={window.zoom}
      />
    );
  return (
    <Section title={title} inGrid actions={actions}>
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <LoadingRows rows={1} height={CHART_PX} />
      ) : (
        <EmptyState title={t('metric.noSeries')} />
      )}
    </Section>
  );
}
