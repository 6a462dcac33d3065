// The cost of each day.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { ChartCard } from '@gantry/ui/chart/chart-card.tsx';
import { namedPlaces } from '@gantry/ui/chart/places.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { rateText } from '@gantry/ui/format/money.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { EmptyState, ErrorState } from '@gantry/ui/widgets/states.tsx';
import Skeleton from '@mui/material/Skeleton';
import { useMemo } from 'react';
import { Section } from '../../../parts/section.tsx';
import { useBillingWords } from '../use-billing-words.ts';
import { dayLabels, daysOf } from './days-of.ts';
import type { UsageProps } from './usage-sums.tsx';

const CHART_PX = 260;

export function UsageByDay({ span, currency }: UsageProps) {
  const t = useBillingWords();
  const ui = useUiWords();
  const days = useCall(CALLS.summarizePayments, { query: { ...span, by: 'day' } }, { keepsPrevious: true });
  const rows = useMemo(() => daysOf(days.data?.items ?? [], span), [days.data, span]);
  const places = useMemo(() => {
    const names = rows.map(({ day }) => day);
    return namedPlaces(names, ui('chart.time'), dayLabels(names, span));
  }, [rows, span, ui]);
  // Up to nine billion, six decimals of an amount survive as a number.
  const lines = useMemo(() => [{ name: t('usage.cost'), points: rows.map(({ total }) => Number(total)) }], [rows, t]);
  if (rows.length > 0 && days.data && days.data.items.length > 0)
    return (
      <ChartCard
        title={t('usage.byDay')}
        lead={t('usage.byDayLead')}
        form="bars"
        unit="amount"
        height={CHART_PX}
        places={places}
        lines={lines}
        // Cents alone would be the same at each step where little was spent.
        textOf={(value) => rateText(value.toFixed(6), currency)}
        tickOf={(value) => rateText(value.toFixed(6), currency)}
      />
    );
  return (
    <Section inGrid title={t('usage.byDay')} lead={t('usage.byDayLead')}>
      {days.error && !days.data ? (
        <ErrorState error={days.error} onRetry={() => void days.refetch()} />
      ) : days.data ? (
        <EmptyState hint={t('usage.noneHint')} />
      ) : (
        <Skeleton variant="rounded" height={CHART_PX} />
      )}
    </Section>
  );
}
