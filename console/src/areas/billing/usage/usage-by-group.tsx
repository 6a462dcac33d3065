// Costs by resource, by source, or by member.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { BarList } from '@gantry/ui/chart/bar-list.tsx';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { rateText } from '@gantry/ui/format/money.ts';
import { EmptyState, ErrorState } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useSearchParams } from 'react-router';
import { Section } from '../../../parts/section.tsx';
import { useBillingWords } from '../use-billing-words.ts';
import { GroupTable } from './group-table.tsx';
import type { UsageProps } from './usage-sums.tsx';

const GROUPS = ['resource', 'source', 'member'] as const;
type Group = (typeof GROUPS)[number];
const MOST_BARS = 10;

export function UsageByGroup({ span, currency }: UsageProps) {
  const t = useBillingWords();
  const [params, setParams] = useSearchParams();
  const group = GROUPS.find((one) => one === params.get('by')) ?? 'resource';
  const found = useCall(CALLS.summarizePayments, { query: { ...span, by: group } }, { keepsPrevious: true });
  const rows = (found.data?.items ?? []).map((row) => ({ ...row, name: row.name || row.key || t('usage.nobody') }));
  const bars = rows.filter(({ total }) => Number(total) > 0).slice(0, MOST_BARS);
  const choose = (_: unknown, next: Group | null) => {
    if (next === null) return;
    setParams(
      (former) => {
        const changed = new URLSearchParams(former);
        changed.set('by', next);
        return changed;
      },
      { replace: true },
    );
  };
  return (
    <Section
      inGrid
      title={t('usage.byGroup')}
      actions={
        <ToggleButtonGroup exclusive size="small" value={group} aria-label={t('usage.groupBy')} onChange={choose}>
          {GROUPS.map((one) => (
            <ToggleButton key={one} value={one}>
              {t(`usage.groups.${one}`)}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      }
    >
      {found.error && !found.data ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      ) : !found.data ? (
        <Skeleton variant="rounded" height={200} />
      ) : rows.length === 0 ? (
        <EmptyState hint={t('usage.noneHint')} />
      ) : (
        <Box
          sx={{
            display: 'grid',
            gap: 3,
            gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) minmax(0, 1fr)' },
          }}
        >
          {bars.length > 0 && (
            <BarList
              rows={bars.map(({ name, total }) => ({ name, value: Number(total), text: rateText(total, currency) }))}
            />
          )}
          <GroupTable
            caption={t(`usage.groups.${group}`)}
            rows={rows}
            sum={found.data.extra as Record<string, string>}
            amount={(text) => rateText(text, currency)}
          />
        </Box>
      )}
    </Section>
  );
}
