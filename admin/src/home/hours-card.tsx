// Starts and failures of the last day: the chart, which loads by itself, and the same figures as a table.
import type { Overview } from '@gantry/contract/areas/admin/admin-home.ts';
import { UNSEEN } from '@gantry/ui/widgets/unseen.ts';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import { lazy, Suspense, useState } from 'react';
import { PlainRows } from '../parts/plain-rows.tsx';
import { useHomeWords } from '../parts/use-home-words.ts';
import { HomeCard } from './home-card.tsx';
import { hourText } from './hour-text.ts';

const HourChart = lazy(async () => ({ default: (await import('./hour-chart.tsx')).HourChart }));

export function HoursCard({ hours }: { hours: NonNullable<Overview['computing']>['hours'] }) {
  const t = useHomeWords();
  const [isTable, setTable] = useState(false);
  const rows = (
    <PlainRows
      label={t('hours.title')}
      columns={[
        { key: 'at', title: t('hours.hour') },
        { key: 'starts', title: t('hours.starts'), isNumber: true },
        { key: 'failures', title: t('hours.failures'), isNumber: true },
      ]}
      rows={hours.map(({ at, starts, failures }) => ({
        key: at,
        cells: [
          <time key="at" dateTime={at}>
            {hourText(at)}
          </time>,
          starts ?? t('noData'),
          failures ?? t('noData'),
        ],
      }))}
    />
  );
  return (
    <HomeCard
      title={t('hours.title')}
      isWide
      note={
        <Button size="small" sx={{ fontSize: '0.85em' }} onClick={() => setTable(!isTable)}>
          {t(isTable ? 'chart' : 'table')}
        </Button>
      }
    >
      {hours.every(({ starts }) => starts === null) ? (
        t('noData')
      ) : isTable ? (
        rows
      ) : (
        <>
          <Suspense fallback={<Skeleton variant="rounded" height={240} />}>
            <HourChart hours={hours} />
          </Suspense>
          <div style={UNSEEN}>{rows}</div>
        </>
      )}
    </HomeCard>
  );
}
