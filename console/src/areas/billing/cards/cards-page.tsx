// The cards that the organisation pays with.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { BillingFrame } from '../billing-frame.tsx';
import { useBillingWords } from '../use-billing-words.ts';
import { AddCard } from './add-card.tsx';
import { CardRow } from './card-row.tsx';

export function CardsPage() {
  const t = useBillingWords();
  const [isAdding, setAdding] = useState(false);
  const cards = useCall(CALLS.listPaymentMethods, {});
  useReturnFromBank();
  const add = (
    <Guarded node="addPaymentMethod">
      <Button variant="outlined" onClick={() => setAdding(true)}>
        {t('cards.add')}
      </Button>
    </Guarded>
  );
  return (
    <BillingFrame tab="cards" {...(cards.data && cards.data.length > 0 && { buttons: add })}>
      {cards.error && !cards.data ? (
        <ErrorState error={cards.error} onRetry={() => void cards.refetch()} />
      ) : !cards.data ? (
        <LoadingRows rows={3} height={72} />
      ) : (
        <Paper variant="outlined" component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {cards.data.length === 0 && (
            <li>
              <EmptyState title={t('cards.none')} hint={t('cards.noneHint')}>
                {add}
              </EmptyState>
            </li>
          )}
          {cards.data.map((card) => (
            <CardRow key={card.payment_id} card={card} />
          ))}
        </Paper>
      )}
      {isAdding && <AddCard onClose={() => setAdding(false)} />}
    </BillingFrame>
  );
}

/** A bank that took the whole page sends people back with the card in the address: it is taken over then. */
function useReturnFromBank(): void {
  const t = useBillingWords();
  const [params, setParams] = useSearchParams();
  const added = params.get('added');
  const taken = useRef<string>(undefined);
  const { mutate } = useCommand(CALLS.updatePaymentMethod, {
    success: t('cards.added'),
    invalidates: [CALLS.listPaymentMethods],
  });
  useEffect(() => {
    if (added === null || taken.current === added) return;
    taken.current = added;
    setParams({}, { replace: true });
    mutate({ params: { id: added }, body: {} });
  }, [added, mutate, setParams]);
}
