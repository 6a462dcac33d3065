// The wallet in amounts, and whether the organisation has credit.

import type { WalletView } from '@gantry/contract/areas/billing/wallet.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { moneyText, rateText } from '@gantry/ui/format/money.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { Section } from '../../../parts/section.tsx';
import { useTimeLeft } from '../../../parts/time-left.ts';
import { useOrganization } from '../../../parts/use-me.ts';
import { isExpired } from '../cards/own-card.ts';
import { FactsList } from '../facts-list.tsx';
import { useBillingWords } from '../use-billing-words.ts';

/** Usage is counted by the second: the amounts follow. */
const EVERY_MS = 30_000;

export function WalletPanel() {
  const t = useBillingWords();
  const wallet = useCall(CALLS.getWalletBalances, {}, { everyMs: EVERY_MS });
  return (
    <Section inGrid title={t('wallet.title')} actions={wallet.data && <CreditStatus wallet={wallet.data} />}>
      {wallet.error && !wallet.data ? (
        <ErrorState error={wallet.error} onRetry={() => void wallet.refetch()} />
      ) : wallet.data ? (
        <WalletAmounts wallet={wallet.data} />
      ) : (
        <Skeleton variant="rounded" sx={{ height: { xs: 430, md: 206 } }} />
      )}
    </Section>
  );
}

function CreditStatus({ wallet: { in_credit, reason } }: { wallet: WalletView }) {
  const t = useBillingWords();
  if (in_credit) return <PhaseChip tone="good" label={t('wallet.inCredit')} />;
  const isCapped = reason === 'SpendCapReached';
  return (
    <PhaseChip
      tone="bad"
      label={t(isCapped ? 'wallet.capped' : 'wallet.outOfCredit')}
      message={t(isCapped ? 'wallet.cappedHint' : 'wallet.outOfCreditHint')}
    />
  );
}

function WalletAmounts({ wallet }: { wallet: WalletView }) {
  const t = useBillingWords();
  const ui = useUiWords();
  const amount = (text: string) => moneyText(text, wallet.currency);
  const timeLeft = useTimeLeft();
  const card = useOrganization().data?.card_info;
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', md: 'auto 1fr' }, columnGap: 8 }}>
      <Box>
        <Typography variant="body2" color="text.secondary">
          {t('wallet.balance')}
        </Typography>
        <Typography sx={{ fontSize: '2rem', fontWeight: 600, lineHeight: 1.3, fontVariantNumeric: 'tabular-nums' }}>
          {amount(wallet.balance)}
        </Typography>
        <Typography variant="body2" color="text.secondary">
          {t('wallet.availableIs', { amount: amount(wallet.available) })}
        </Typography>
      </Box>
      <FactsList
        columns={2}
        facts={[
          { name: t('wallet.cash'), value: amount(wallet.cash) },
          { name: t('wallet.credits'), value: amount(wallet.credits) },
          { name: t('wallet.held'), value: amount(wallet.held), hint: t('wallet.heldHint') },
          { name: t('wallet.debt'), value: amount(wallet.debt) },
          {
            name: t('wallet.perHour'),
            value: ui('price.perHour', { amount: rateText(wallet.per_hour, wallet.currency) }),
          },
          {
            name: t('wallet.hoursLeft'),
            value: timeLeft(wallet.hours_left),
          },
          { name: t('wallet.accrued'), value: amount(wallet.accrued), hint: t('wallet.accruedHint') },
          { name: t('wallet.overdraft'), value: amount(wallet.overdraft), hint: t('wallet.overdraftHint') },
          ...(card
            ? [
                {
                  name: t('wallet.card'),
                  value: `•••• ${card.last4}`,
                  hint: isExpired(card, new Date()) ? ui('time.expired') : t('cards.expires', { date: card.exp_time }),
                },
              ]
            : []),
        ]}
      />
    </Box>
  );
}
