// The cost of each day.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { EmptyState, ErrorState } from '@gantry/ui/widgets/states.tsx';
import Skeleton from '@mui/material/Skeleton';
import { Suspense, useMemo } from 'react';
import { lazyPart } from '../../../parts/lazy-part.ts';
import { Section } from '../../../parts/section.tsx';
import { useBillingWords } from '../use-billing-words.ts';
import { dayLabels, daysOf } from './days-of.ts';
import type { UsageProps } from './usage-sums.tsx';

const CHART_PX = 260;
const CostChart = lazyPart(() => import('./cost-chart.tsx'), 'CostChart');

export function UsageByDay({ span, currency }: UsageProps) {
  const t = useBillingWords();
  const days = useCall(CALLS.summarizePayments, { query: { ...span, by: 'day' } }, { keepsPrevious: true });
  const rows = useMemo(
    () => daysOf(days.data?.items ?? [], span).map(({ day, total }) => ({ name: day, total })),
    [days.data, span],
  );
  const labels = useMemo(
    () =>
      dayLabels(
        rows.map(({ name }) => name),
        span,
      ),
    [rows, span],
  );
  const waiting = <Skeleton variant="rounded" height={CHART_PX} />;
  return (
    <Section inGrid title={t('usage.byDay')} lead={t('usage.byDayLead')}>
      {days.error && !days.data ? (
        <ErrorState error={days.error} onRetry={() => void days.refetch()} />
      ) : !days.data ? (
        waiting
      ) : days.data.items.length === 0 ? (
        <EmptyState hint={t('usage.noneHint')} />
      ) : (
        <Suspense fallback={waiting}>
          <CostChart rows={rows} currency={currency} height={CHART_PX} label={t('usage.byDay')} labels={labels} />
        </Suspense>
      )}
    </Section>
  );
}
