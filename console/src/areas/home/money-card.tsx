// The current cost per hour, how long the balance lasts, and the cost of this month. For people who pay.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { moneyText, rateText } from '@gantry/ui/format/money.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useSettings } from '@gantry/ui/session/use-settings.ts';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import Skeleton from '@mui/material/Skeleton';
import { Link } from 'react-router';
import { useTimeLeft } from '../../parts/time-left.ts';
import { Facts } from './facts.tsx';
import { HomeCard } from './home-card.tsx';
import { useHomeWords } from './use-home-words.ts';

/** Usage is counted by the second: the amounts follow. */
const EVERY_MS = 30_000;

/** Until the organisation is known only the space is reserved. */
export function MoneyCard({ organizationId }: { organizationId: string | undefined }) {
  const isKnown = organizationId !== undefined;
  const t = useHomeWords();
  const ui = useUiWords();
  const { data: settings } = useSettings();
  const wallet = useCall(CALLS.getWalletBalances, {}, { enabled: isKnown, everyMs: EVERY_MS });
  const caps = useCall(CALLS.getSpendCaps, {}, { enabled: isKnown });
  const idle = useCall(CALLS.getIdleSavings, { params: { org_id: organizationId ?? '' } }, { enabled: isKnown });
  const timeLeft = useTimeLeft();
  const { data } = wallet;
  if (wallet.error && !data) {
    return (
      <HomeCard title={t('money.title')}>
        <ErrorState error={wallet.error} onRetry={() => void wallet.refetch()} />
      </HomeCard>
    );
  }
  const waiting = <Skeleton width="5rem" />;
  return (
    <HomeCard title={t('money.title')} more={{ to: '/manage/billing', label: t('money.more') }}>
      <Facts
        facts={[
          ...(settings?.market === 'overseas'
            ? [
                {
                  label: t('money.balance'),
                  value: data ? moneyText(data.balance, data.currency) : waiting,
                  isLarge: true,
                },
              ]
            : []),
          {
            label: t('money.perHour'),
            value: data ? ui('price.perHour', { amount: rateText(data.per_hour, data.currency) }) : waiting,
          },
          {
            label: t('money.lasts'),
            value: data ? timeLeft(data.hours_left) : waiting,
          },
          {
            label: t('money.month'),
            value: caps.data ? moneyText(caps.data.organization.spent, caps.data.currency) : waiting,
          },
          ...(idle.data?.saved ?? []).map(({ amount, currency }) => ({
            label: t('money.saved'),
            value: (
              <MuiLink component={Link} to="/manage/organization/idle">
                {moneyText(amount, currency)}
              </MuiLink>
            ),
          })),
        ]}
      />
      {data && !data.in_credit && (
        <Alert severity="warning" sx={{ mt: 2 }}>
          {t('money.outOfCredit')}
        </Alert>
      )}
      <Box sx={{ mt: 2 }}>
        <Button component={Link} to="/manage/billing/recharge" variant="outlined" size="small">
          {t('money.recharge')}
        </Button>
      </Box>
    </HomeCard>
  );
}
