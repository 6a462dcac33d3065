// The range in a few statistics: its cost, and how much was used.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { rateText } from '@gantry/ui/format/money.ts';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import { StatisticsRow } from '../../../parts/statistics-row.tsx';
import { useBillingWords } from '../use-billing-words.ts';
import { hoursText } from './hours-text.ts';

export interface UsageProps {
  span: { start: string; end: string };
  currency: string;
}

export function UsageSums({ span, currency }: UsageProps) {
  const t = useBillingWords();
  const sums = useCall(CALLS.showUsage, { query: { ...span, by: 'resource', size: 1 } }, { keepsPrevious: true });
  if (sums.error && !sums.data) return <ErrorState error={sums.error} onRetry={() => void sums.refetch()} />;
  const extra = sums.data?.extra as Record<string, string> | undefined;
  const statistics = [
    [t('usage.cost'), rateText(extra?.total, currency)],
    [t('usage.saved'), rateText(extra?.discount, currency)],
    [t('usage.gpuHours'), hoursText(extra?.gpu_hours)],
    [t('usage.coreHours'), hoursText(extra?.core_hours)],
    [t('usage.memoryHours'), hoursText(extra?.memory_gib_hours)],
    [t('usage.storageHours'), hoursText(extra?.storage_gib_hours)],
  ] as const;
  return <StatisticsRow statistics={statistics} isPending={!sums.data} />;
}
