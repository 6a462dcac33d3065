// Many series over time.
import { timeText } from '@gantry/ui/format/time.ts';
import { axisText, axisUnit } from '@gantry/ui/format/time-range.ts';
import { useMemo } from 'react';
import type { Line } from './line.ts';
import { Plot } from './plot.tsx';

export interface Marks {
  /** Values that rules compare with: dashed lines across. */
  readonly limits?: readonly number[];
  /** When something lasted: shaded from top to bottom. */
  readonly spans?: readonly { readonly fromMs: number; readonly toMs: number }[];
}

interface DenseChartProps extends Marks {
  startMs: number;
  stepMs: number;
  lines: readonly Line[];
  /** The word for it. */
  timeLabel: string;
  textOf: (value: number) => string;
  /** A part of it was chosen; both are the same for one point. */
  onZoom: (startMs: number, endMs: number) => void;
}

const SECOND_MS = 1000;

export function DenseChart({ startMs, stepMs, lines, timeLabel, textOf, limits, spans, onZoom }: DenseChartProps) {
  const count = lines[0]?.points.length ?? 0;
  const axis = useMemo(() => {
    const unit = axisUnit(count * stepMs);
    return {
      label: timeLabel,
      places: Array.from({ length: count }, (_, at) => (startMs + at * stepMs) / SECOND_MS),
      isTime: true,
      textOf: (at: number) => timeText(at * SECOND_MS),
      shortOf: (at: number) => axisText(at * SECOND_MS, unit),
    };
  }, [startMs, stepMs, count, timeLabel]);
  const shaded = useMemo(
    () => spans?.map(({ fromMs, toMs }) => [fromMs / SECOND_MS, toMs / SECOND_MS] as const),
    [spans],
  );
  return (
    <Plot
      axis={axis}
      lines={lines}
      textOf={textOf}
      {...(limits && { limits })}
      {...(shaded && { spans: shaded })}
      together="metrics"
      onChosen={(from, to) => onZoom(from * SECOND_MS, to * SECOND_MS)}
    />
  );
}
