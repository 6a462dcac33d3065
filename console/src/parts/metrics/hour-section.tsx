// A number of an object over the last hour: its least and greatest value as text, and a chart with gaps where there is no data.

import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { Suspense } from 'react';
import { lazyPart } from '../lazy-part.ts';
import { Section } from '../section.tsx';
import { axisOf } from '../usage/axis.ts';
import { useMetricsWords } from './use-metrics-words.ts';

const HourChart = lazyPart(() => import('../usage/hour-chart.tsx'), 'HourChart');
const CHART_PX = 180;
const SECOND_MS = 1000;

interface HourSectionProps {
  title: string;
  /** One a step, oldest first; null where it is not known. */
  points: readonly (number | null)[];
  /** The end of the newest step. */
  endTime: string;
  stepSeconds: number;
  /** Instead of the chart, where no point is known. */
  none: string;
  textOf(value: number): string;
}

export function HourSection({ title, points, endTime, stepSeconds, none, textOf }: HourSectionProps) {
  const t = useMetricsWords();
  const known = points.filter((point) => point !== null);
  if (known.length === 0)
    return (
      <Section inGrid title={title}>
        <Typography variant="body2" color="text.secondary">
          {none}
        </Typography>
      </Section>
    );
  const [least, most] = [Math.min(...known), Math.max(...known)];
  return (
    <Section inGrid title={title}>
      <Typography variant="body2" color="text.secondary">
        {least === most
          ? t('traffic.always', { value: textOf(most) })
          : t('traffic.between', { least: textOf(least), most: textOf(most) })}
      </Typography>
      <Suspense fallback={<Skeleton variant="rounded" height={CHART_PX} />}>
        <HourChart
          points={points}
          endMs={Date.parse(endTime)}
          stepMs={stepSeconds * SECOND_MS}
          axis={axisOf('cores', most)}
          height={CHART_PX}
          textOf={textOf}
        />
      </Suspense>
    </Section>
  );
}
