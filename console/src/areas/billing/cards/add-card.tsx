// A new card: the provider's form takes it, then the gateway takes it over.

import type { PAYMENT_ROUTES } from '@gantry/contract/areas/billing/payments.ts';
import type { OutputOf } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useEffect, useId, useRef, useState } from 'react';
import { useBillingWords } from '../use-billing-words.ts';
import { ProviderForm } from './provider-form.tsx';

type Begun = OutputOf<typeof PAYMENT_ROUTES.addPaymentMethod>;

export function AddCard({ onClose }: { onClose(): void }) {
  const t = useBillingWords();
  const ui = useUiWords();
  const id = useId();
  const offered = useCall(CALLS.listPaymentChannels, {});
  const offer = offered.data?.channels.find(({ payment_channel: name }) => name === 'card');
  const { begun, begin, error } = useBegun();
  const take = useCommand(CALLS.updatePaymentMethod, {
    isQuiet: true,
    success: t('cards.added'),
    invalidates: [CALLS.listPaymentMethods, CALLS.getMyOrganization],
    onSuccess: onClose,
  });
  const wrong = take.error ?? error ?? offered.error;
  // One that was refused is over: the next try is another.
  const isOver = take.isError || error !== null;
  const secret = begun?.next.client_secret;
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby={id}>
      <DialogTitle id={id}>{t('cards.add')}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        {offer?.is_test && <Alert severity="warning">{t('recharge.test')}</Alert>}
        {wrong && <Alert severity="error">{sentenceOf(wrong)}</Alert>}
        {isOver ? (
          <Button
            variant="contained"
            sx={{ justifySelf: 'start' }}
            onClick={() => {
              take.reset();
              begin();
            }}
          >
            {t('cards.tryAgain')}
          </Button>
        ) : begun && offer && secret !== undefined ? (
          <ProviderForm
            key={begun.payment_id}
            kind="setup"
            offer={offer}
            clientSecret={secret}
            submitLabel={t('cards.add')}
            returnUrl={`${location.origin}/manage/billing/cards?added=${encodeURIComponent(begun.payment_id)}`}
            onAnswered={() => take.mutate({ params: { id: begun.payment_id }, body: {} })}
          />
        ) : (
          !wrong && <LoadingRows rows={5} height={44} />
        )}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button onClick={onClose}>{ui('actions.cancel')}</Button>
      </DialogActions>
    </Dialog>
  );
}

/** Begins once when it is shown, however often the page is drawn. */
function useBegun() {
  const [begun, setBegun] = useState<Begun>();
  const { mutate, error } = useCommand(CALLS.addPaymentMethod, { isQuiet: true, success: false, onSuccess: setBegun });
  const hasBegun = useRef(false);
  const begin = () => {
    setBegun(undefined);
    mutate({ body: { payment_channel: 'card' } });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    begin();
  }, []);
  return { begun, begin, error };
}
