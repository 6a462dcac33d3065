// How one payment goes on: what the person has still to do, and what became of it. The gateway asks the provider; the page asks it.

import type { PAYMENT_ROUTES } from '@gantry/contract/areas/billing/payments.ts';
import { statusWords } from '@gantry/contract/billing/payments.ts';
import type { OutputOf } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { keyOf, useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { moneyText } from '@gantry/ui/format/money.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { wayToDraft } from '../../../parts/draft.ts';
import { Section } from '../../../parts/section.tsx';
import { forgetWayBack, wayBackFrom } from '../../../parts/way-back.ts';
import { useBillingWords } from '../use-billing-words.ts';
import { isOpen, severityOf } from './payment-state.ts';
import { PaymentStep } from './payment-step.tsx';
import type { Offered } from './recharge-form.tsx';

export type SeenPayment = OutputOf<typeof PAYMENT_ROUTES.getRecharge>;

const EVERY_MS = 3000;
/** Banks take days. */
const TRANSFER_EVERY_MS = 60_000;
/** Reads that a finished payment changes. */
const CHANGED = [
  CALLS.getWalletBalances,
  CALLS.listTransactions,
  CALLS.getMyOrganization,
  CALLS.listPaymentMethods,
  CALLS.estimateCost,
];

export function PaymentPanel({ id, channels }: { id: string; channels: Offered['channels'] }) {
  const t = useBillingWords();
  const client = useQueryClient();
  const [everyMs, setEveryMs] = useState<number | undefined>(EVERY_MS);
  const found = useCall(
    CALLS.getRecharge,
    { params: { id } },
    { staleMs: 0, ...(everyMs !== undefined && { everyMs }) },
  );
  const payment = found.data;
  const isDone = payment !== undefined && !isOpen(payment.status);
  const isTransfer = payment?.next?.type === 'transfer';
  useEffect(() => {
    setEveryMs(isDone ? undefined : isTransfer ? TRANSFER_EVERY_MS : EVERY_MS);
    if (!isDone) return;
    for (const call of CHANGED) void client.invalidateQueries({ queryKey: keyOf(call) });
  }, [isDone, isTransfer, client]);
  useLeadBack(payment);

  if (!payment)
    return found.error ? (
      <ErrorState error={found.error} onRetry={() => void found.refetch()} />
    ) : (
      <LoadingRows rows={4} />
    );
  const amount = moneyText(payment.amount, payment.currency);
  return (
    <Section inGrid title={t('payment.title', { amount })} actions={<Status payment={payment} />}>
      <Box sx={{ display: 'grid', gap: 2, maxWidth: 560 }}>
        {payment.is_test && isOpen(payment.status) && <Alert severity="warning">{t('recharge.test')}</Alert>}
        <Alert severity={severityOf(payment)} role="status" aria-live="polite">
          {payment.message}
        </Alert>
        {isOpen(payment.status) ? (
          <>
            <PaymentStep payment={payment} channels={channels} onAnswered={() => void found.refetch()} />
            {isTransfer && <Onward payment={payment} />}
            {payment.next !== null && <GiveUp id={id} isAsked={isTransfer} onDone={() => void found.refetch()} />}
          </>
        ) : (
          <Onward payment={payment} />
        )}
      </Box>
    </Section>
  );
}

/** Whoever left something to pay for it continues there. */
function useLeadBack(payment: SeenPayment | undefined): void {
  const t = useBillingWords();
  const toast = useToast();
  const navigate = useNavigate();
  const back = payment?.status === 'paid' ? wayBackFrom(payment.id) : undefined;
  const amount = payment && moneyText(payment.amount, payment.currency);
  const lead = useEffectEvent((way: string) => {
    forgetWayBack();
    toast.success(t('payment.paid', { amount: amount ?? '' }));
    void navigate(way, { replace: true });
  });
  useEffect(() => {
    if (back !== undefined) lead(back);
  }, [back]);
}

function Status({ payment: { status, failure } }: { payment: SeenPayment }) {
  const { tone, [useLanguage()]: label } = statusWords(status, failure);
  return <PhaseChip tone={tone} label={label} />;
}

/** `isAsked`: money may be on its way already, and then nothing is left that it belongs to. */
export function GiveUp({ id, isAsked, onDone }: { id: string; isAsked: boolean; onDone(): void }) {
  const t = useBillingWords();
  const [isAsking, setAsking] = useState(false);
  const give = useCommand(CALLS.giveUpRecharge, { success: false, onSuccess: onDone });
  const giveUp = () => give.mutate({ params: { id } });
  return (
    <>
      <Button
        color="inherit"
        // Its words stand where those above it do.
        sx={{ justifySelf: 'start', ml: -1 }}
        loading={give.isPending}
        onClick={() => (isAsked ? setAsking(true) : giveUp())}
      >
        {t('payment.giveUp')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('payment.giveUpTitle')}
          confirmLabel={t('payment.giveUpConfirm')}
          isDangerous
          isBusy={give.isPending}
          error={give.error}
          onConfirm={giveUp}
          onClose={() => setAsking(false)}
        >
          {t('payment.giveUpLead')}
        </ConfirmDialog>
      )}
    </>
  );
}

/** The links after a payment is over, or while it takes days. */
function Onward({ payment }: { payment: SeenPayment }) {
  const t = useBillingWords();
  const back = wayBackFrom(payment.id);
  const unsent = back ?? wayToDraft('instance');
  const again = new URLSearchParams({
    amount: payment.amount.replace(/\.00$/, ''),
    channel: payment.payment_channel,
    // The next attempt leads back too.
    ...(back !== undefined && { missing: payment.amount }),
  });
  return (
    <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
      {payment.status === 'paid_failed' ? (
        <Button component={Link} to={`/manage/billing/recharge?${again}`} variant="contained">
          {t('payment.again')}
        </Button>
      ) : (
        <>
          {unsent !== undefined && (
            <Button component={Link} to={unsent} variant="contained">
              {t(back === undefined ? 'payment.toInstance' : 'payment.back')}
            </Button>
          )}
          <Button component={Link} to="/manage/billing" variant={unsent === undefined ? 'contained' : 'text'}>
            {t('payment.toBalance')}
          </Button>
        </>
      )}
      <Button component={Link} to="/manage/billing/transactions">
        {t('payment.toTransactions')}
      </Button>
    </Box>
  );
}
