// Topping up: the amount and the method; then, at its own address, the state of that payment.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import { useSearchParams } from 'react-router';
import { Section } from '../../../parts/section.tsx';
import { BillingFrame } from '../billing-frame.tsx';
import { useBillingWords } from '../use-billing-words.ts';
import { AutoRecharge } from './auto-recharge.tsx';
import { PaymentPanel } from './payment-panel.tsx';
import { RechargeForm } from './recharge-form.tsx';

export function RechargePage() {
  const t = useBillingWords();
  const [params] = useSearchParams();
  const payment = params.get('payment');
  const offered = useCall(CALLS.listPaymentChannels, {});
  const cards = useCall(CALLS.listPaymentMethods, {});
  const error = offered.error ?? cards.error;
  const again = () => void Promise.all([offered.refetch(), cards.refetch()]);
  return (
    <BillingFrame tab="recharge">
      {error ? (
        <ErrorState error={error} onRetry={again} />
      ) : !offered.data || !cards.data ? (
        <LoadingRows rows={8} />
      ) : payment !== null ? (
        <PaymentPanel key={payment} id={payment} channels={offered.data.channels} />
      ) : (
        <Box sx={{ display: 'grid', gap: 3, alignItems: 'start', gridTemplateColumns: { xs: '1fr', lg: '3fr 2fr' } }}>
          <Section inGrid title={t('recharge.title')}>
            <RechargeForm offered={offered.data} cards={cards.data} />
          </Section>
          <AutoRecharge cards={cards.data} currency={offered.data.currency} />
        </Box>
      )}
    </BillingFrame>
  );
}
