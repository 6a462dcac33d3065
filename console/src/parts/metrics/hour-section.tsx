// A number of an object over the last hour: its newest value and what it spans as text, and a chart with gaps where there is no data.
import { ChartCard } from '@gantry/ui/chart/chart-card.tsx';
import { timePlaces } from '@gantry/ui/chart/places.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { type ReactNode, useMemo } from 'react';

const CHART_PX = 140;
const SECOND_MS = 1000;

interface HourSectionProps {
  title: string;
  /** Below the title. */
  lead?: ReactNode;
  /** One a step, oldest first; null where it is not known. */
  points: readonly (number | null)[];
  /** The end of the newest step. */
  endTime: string;
  stepSeconds: number;
  /** Instead of the chart, where no point is known. */
  none: string;
  /** Of the values: it decides the steps of the axis; a plain number by default. */
  unit?: string;
  textOf(value: number): string;
}

const tickOf = (value: number): string => `${Number(value.toPrecision(3))}`;

export function HourSection({ points, endTime, stepSeconds, unit, ...rest }: HourSectionProps) {
  const t = useUiWords();
  const label = t('chart.time');
  const { title } = rest;
  const places = useMemo(() => {
    const stepMs = stepSeconds * SECOND_MS;
    return timePlaces(Date.parse(endTime) - (points.length - 1) * stepMs, stepMs, points.length, label);
  }, [points.length, endTime, stepSeconds, label]);
  const lines = useMemo(() => [{ name: title, points }], [title, points]);
  return (
    <ChartCard
      {...rest}
      lines={lines}
      places={places}
      unit={unit ?? 'cores'}
      height={CHART_PX}
      {...(unit === undefined && { tickOf })}
    />
  );
}
