// The cost of a time range: by day, by group, and by object.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { isTimeRange, spanOf, TIME_RANGES, type TimeRange } from '@gantry/ui/format/time-range.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { BillingFrame } from '../billing-frame.tsx';
import { useBillingWords } from '../use-billing-words.ts';
import { UsageByDay } from './usage-by-day.tsx';
import { UsageByGroup } from './usage-by-group.tsx';
import { UsageObjects } from './usage-objects.tsx';
import { UsageSums } from './usage-sums.tsx';

const USUAL: TimeRange = 'd30';

export function UsagePage() {
  const t = useBillingWords();
  const ui = useUiWords();
  const [params, setParams] = useSearchParams();
  const asked = params.get('range') ?? '';
  const range = isTimeRange(asked) ? asked : USUAL;
  const { from, to } = useMemo(() => spanOf(range, new Date()), [range]);
  const span = useMemo(() => ({ start: from.toISOString(), end: to.toISOString() }), [from, to]);
  const { data: wallet } = useCall(CALLS.getWalletBalances, {});
  const currency = wallet?.currency ?? '';
  return (
    <BillingFrame
      tab="usage"
      buttons={
        <TextField
          select
          label={t('filters.range')}
          value={range}
          onChange={({ target }) =>
            setParams(
              (former) => {
                const changed = new URLSearchParams(former);
                changed.set('range', target.value);
                return changed;
              },
              { replace: true },
            )
          }
          sx={{ width: 190 }}
        >
          {TIME_RANGES.map((one) => (
            <MenuItem key={one} value={one}>
              {ui(`time.ranges.${one}`)}
            </MenuItem>
          ))}
        </TextField>
      }
    >
      <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <UsageSums span={span} currency={currency} />
        <UsageByDay span={span} currency={currency} />
        <UsageByGroup span={span} currency={currency} />
        <UsageObjects span={span} currency={currency} />
      </Box>
    </BillingFrame>
  );
}
