// Starts and failures by the hour, as bars; the failures are hatched. An hour that nobody counted has no bar and no zero.
import type { Overview } from '@gantry/contract/areas/admin/admin-home.ts';
import { Chart } from '@gantry/ui/chart/chart.tsx';
import { namedPlaces } from '@gantry/ui/chart/places.ts';
import { useMemo } from 'react';
import { useHomeWords } from '../parts/use-home-words.ts';
import { hourText } from './hour-text.ts';

type Hours = NonNullable<Overview['computing']>['hours'];

export function HourChart({ hours }: { hours: Hours }) {
  const t = useHomeWords();
  const label = t('hours.hour');
  const places = useMemo(
    () =>
      namedPlaces(
        hours.map(({ at }) => at),
        label,
        { labelled: hours.map(({ at }) => at), textOf: hourText },
      ),
    [hours, label],
  );
  const lines = useMemo(
    () => [
      { name: t('hours.starts'), points: hours.map(({ starts }) => starts) },
      { name: t('hours.failures'), points: hours.map(({ failures }) => failures), isBad: true },
    ],
    [hours, t],
  );
  return (
    <Chart
      label={t('hours.title')}
      form="bars"
      unit="count"
      textOf={String}
      height={240}
      places={{ ...places, textOf: (place) => hourText(hours[place]?.at ?? '') }}
      lines={lines}
    />
  );
}
