// One metric over time.
import type { PanelChart } from '@gantry/contract/monitor/panels.ts';
import type { Marks } from '@gantry/ui/chart/chart.tsx';
import { ChartCard } from '@gantry/ui/chart/chart-card.tsx';
import type { Line } from '@gantry/ui/chart/line.ts';
import { timePlaces } from '@gantry/ui/chart/places.ts';
import { unitText } from '@gantry/ui/chart/unit-text.ts';
import { timesOf } from '@gantry/ui/format/series-csv.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { type ReactNode, useMemo } from 'react';
import { saveFile } from '../save-file.ts';

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

const SHOWS = { lines: 'chart', value: 'value', table: 'table' } as const;

export function MetricPanel({ chart = 'lines', start, step, lines, unit, ...rest }: MetricPanelProps) {
  const t = useUiWords();
  const [startMs, stepMs] = [Date.parse(start), step * 1_000];
  const count = lines[0]?.points.length ?? 0;
  const label = t('chart.time');
  const places = useMemo(() => timePlaces(startMs, stepMs, count, label), [startMs, stepMs, count, label]);
  return (
    <ChartCard
      {...rest}
      shows={SHOWS[chart]}
      unit={unit}
      textOf={unitText(unit)}
      lines={lines}
      places={places}
      file={{ places: () => timesOf(startMs, stepMs, lines), save: saveFile }}
    />
  );
}
