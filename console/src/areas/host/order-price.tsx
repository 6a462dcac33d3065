// The price of renting and the balance after it; or why it would be refused.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { moneyText } from '@gantry/ui/format/money.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Skeleton from '@mui/material/Skeleton';
import { Link as RouterLink } from 'react-router';
import { missingOf } from '../../parts/missing-money.ts';
import { TopUpButton } from '../../parts/top-up-button.tsx';
import { useHostWords } from './use-host-words.ts';

export interface Order {
  readonly gpu: { readonly model: string; readonly count: number };
  readonly nodes: number;
  readonly months: number;
}

const REFUSALS = ['plan_limit', 'not_enough_credit', 'spend_cap_reached', 'member_cap_reached', 'no_price'] as const;

interface OrderPriceProps {
  /** Undefined if nothing is chosen. */
  order: Order | undefined;
  /** The host already counts in the plan. */
  isRenewal?: boolean;
  /** Keeps the form before somebody leaves to pay. */
  onLeave?: () => void;
}

/** The price of an order. */
export const useOrderPrice = (order: Order | undefined) =>
  useCall(
    CALLS.estimateCost,
    { body: { kind: 'GpuHost', spec: order ? { source: 'rented', ...order } : {} } },
    { enabled: order !== undefined, keepsPrevious: true },
  );

export function OrderPrice({ order, isRenewal, onLeave }: OrderPriceProps) {
  const t = useHostWords();
  const ui = useUiWords();
  const { data, error, refetch } = useOrderPrice(order);
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const amount = (text: string | null) => moneyText(text, data?.currency ?? 'USD');
  const rows = [
    [t('order.now'), data && amount(data.order)],
    [t('order.available'), data && amount(data.available)],
    [t('order.after'), data && amount(data.balance_after)],
  ] as const;
  const refusal = REFUSALS.find((each) => each === data?.refusal);
  return (
    <Box aria-live="polite">
      <Box component="dl" sx={{ m: 0, minHeight: 96 }}>
        {rows.map(([label, value], at) => (
          <Box key={label} sx={{ display: 'flex', justifyContent: 'space-between', gap: 2, py: 0.5 }}>
            <Box component="dt" sx={{ color: 'text.secondary' }}>
              {label}
            </Box>
            <Box component="dd" sx={{ m: 0, fontVariantNumeric: 'tabular-nums', fontWeight: at === 0 ? 600 : 400 }}>
              {order === undefined ? ui('states.unknown') : (value ?? <Skeleton width="5rem" />)}
            </Box>
          </Box>
        ))}
      </Box>
      {order && data && !data.affordable && !(isRenewal && refusal === 'plan_limit') && (
        <Alert
          severity="warning"
          sx={{ mt: 1 }}
          action={refusal === 'not_enough_credit' && <TopUpButton missing={missingOf(data)} onLeave={onLeave} />}
        >
          {refusal ? t(`refusals.${refusal}`) : t('refusals.other')}{' '}
          {refusal === 'plan_limit' && (
            <Link component={RouterLink} to="/manage/billing" color="inherit" underline="always">
              {t('order.plans')}
            </Link>
          )}
        </Alert>
      )}
    </Box>
  );
}
