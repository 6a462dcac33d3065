// A payment by card that is not done: a card has to be typed, or the bank of one that is known asks who pays.

import { moneyText } from '@gantry/ui/format/money.ts';
import { LOCALES } from '@gantry/ui/i18n/language.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import { useEffect, useState } from 'react';
import type { SeenPayment } from '../recharge/payment-panel.tsx';
import { useBillingWords } from '../use-billing-words.ts';
import { type CardOffer, ProviderForm } from './provider-form.tsx';
import { loadProvider } from './stripe-js.ts';

interface CardStepProps {
  payment: SeenPayment;
  offer: CardOffer;
  clientSecret: string;
  onAnswered(): void;
}

export function CardStep({ payment, offer, clientSecret, onAnswered }: CardStepProps) {
  const t = useBillingWords();
  const wants = useWhatIsWanted(offer, clientSecret);
  if (wants === undefined) return <Skeleton variant="rounded" height={320} />;
  if (wants === 'bank') return <BankStep offer={offer} clientSecret={clientSecret} onAnswered={onAnswered} />;
  return (
    <ProviderForm
      kind="payment"
      offer={offer}
      clientSecret={clientSecret}
      submitLabel={t('payment.pay', { amount: moneyText(payment.amount, payment.currency) })}
      returnUrl={`${location.origin}/manage/billing?payment=${encodeURIComponent(payment.id)}`}
      onAnswered={onAnswered}
    />
  );
}

/** The provider knows whether it already has a card. If it cannot be asked, its form says so itself. */
function useWhatIsWanted({ script_url: script, publishable_key: key }: CardOffer, clientSecret: string) {
  const locale = LOCALES[useLanguage()];
  const [wants, setWants] = useState<'card' | 'bank'>();
  useEffect(() => {
    let isOver = false;
    const look = async () => {
      if (script === null || key === null) return 'card';
      const provider = await loadProvider(script, key, locale);
      const { paymentIntent } = await provider.retrievePaymentIntent(clientSecret);
      return paymentIntent?.status === 'requires_action' ? 'bank' : 'card';
    };
    look().then(
      (found) => !isOver && setWants(found as 'card' | 'bank'),
      () => !isOver && setWants('card'),
    );
    return () => {
      isOver = true;
    };
  }, [script, key, clientSecret, locale]);
  return wants;
}

function BankStep({ offer, clientSecret, onAnswered }: Omit<CardStepProps, 'payment'>) {
  const t = useBillingWords();
  const locale = LOCALES[useLanguage()];
  const [isBusy, setBusy] = useState(false);
  const [isLost, setLost] = useState(false);
  const ask = async () => {
    setBusy(true);
    setLost(false);
    try {
      const provider = await loadProvider(offer.script_url ?? '', offer.publishable_key ?? '', locale);
      await provider.handleNextAction({ clientSecret });
      onAnswered();
    } catch {
      setLost(true);
    }
    setBusy(false);
  };
  return (
    <>
      {isLost && <Alert severity="error">{t('card.notReached')}</Alert>}
      <Button variant="contained" sx={{ justifySelf: 'start' }} loading={isBusy} onClick={() => void ask()}>
        {t('payment.confirmAtBank')}
      </Button>
    </>
  );
}
