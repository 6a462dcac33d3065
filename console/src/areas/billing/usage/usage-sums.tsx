// The range in a few figures: its cost, and how much was used.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { rateText } from '@gantry/ui/format/money.ts';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
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
  const figures = [
    [t('usage.cost'), rateText(extra?.total, currency)],
    [t('usage.saved'), rateText(extra?.discount, currency)],
    [t('usage.gpuHours'), hoursText(extra?.gpu_hours)],
    [t('usage.coreHours'), hoursText(extra?.core_hours)],
    [t('usage.memoryHours'), hoursText(extra?.memory_gib_hours)],
    [t('usage.storageHours'), hoursText(extra?.storage_gib_hours)],
  ] as const;
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        display: 'grid',
        gap: 2,
        gridTemplateColumns: { xs: '1fr 1fr', md: 'repeat(3, 1fr)', lg: 'repeat(6, 1fr)' },
      }}
    >
      {figures.map(([name, value]) => (
        <Paper key={name} variant="outlined" sx={{ p: 2, display: 'flex', flexDirection: 'column', minWidth: 0 }}>
          <Typography component="dt" variant="body2" color="text.secondary" sx={{ flex: 1 }}>
            {name}
          </Typography>
          <Typography
            component="dd"
            sx={{
              m: 0,
              fontSize: '1.25rem',
              fontWeight: 600,
              fontVariantNumeric: 'tabular-nums',
              overflowWrap: 'anywhere',
            }}
          >
            {sums.data ? value : <Skeleton width="4rem" />}
          </Typography>
        </Paper>
      ))}
    </Box>
  );
}
