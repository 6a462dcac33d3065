// One card, and what can be done with it.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import CreditCard from '@mui/icons-material/CreditCard';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useBillingWords } from '../use-billing-words.ts';
import { cardName, isExpired, type OwnCard } from './own-card.ts';

const CHANGED = [CALLS.listPaymentMethods, CALLS.getAutoRecharge, CALLS.getMyOrganization];

export function CardRow({ card }: { card: OwnCard }) {
  const t = useBillingWords();
  const ui = useUiWords();
  const [isDeleting, setDeleting] = useState(false);
  const choose = useCommand(CALLS.updatePaymentMethod, { success: t('cards.chosen'), invalidates: CHANGED });
  const remove = useCommand(CALLS.removePaymentMethod, {
    isQuiet: true,
    success: t('cards.deleted'),
    invalidates: CHANGED,
    onSuccess: () => setDeleting(false),
  });
  const params = { id: card.payment_id };
  const name = cardName(card);
  return (
    <Box
      component="li"
      sx={{
        p: 2,
        display: 'flex',
        gap: 2,
        alignItems: 'center',
        flexWrap: 'wrap',
        '& + &': { borderTop: '1px solid', borderColor: 'divider' },
      }}
    >
      <CreditCard color="action" aria-hidden />
      <Box sx={{ flex: '1 1 12rem' }}>
        <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
          <Typography sx={{ fontWeight: 600, fontVariantNumeric: 'tabular-nums' }}>{name}</Typography>
          {card.is_default && <Chip size="small" color="primary" label={t('cards.default')} />}
          {isExpired(card, new Date()) && <Chip size="small" color="error" label={ui('time.expired')} />}
        </Box>
        <Typography variant="body2" color="text.secondary">
          {t('cards.expires', { date: card.exp_time })}
        </Typography>
      </Box>
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', ml: 'auto' }}>
        {!card.is_default && (
          <Guarded node="updatePaymentMethod">
            <Button
              size="small"
              aria-label={`${t('cards.choose')}: ${name}`}
              loading={choose.isPending}
              onClick={() => choose.mutate({ params, body: { is_default: true } })}
            >
              {t('cards.choose')}
            </Button>
          </Guarded>
        )}
        <Guarded node="removePaymentMethod">
          <Button
            size="small"
            color="error"
            aria-label={`${ui('actions.delete')}: ${name}`}
            onClick={() => setDeleting(true)}
          >
            {ui('actions.delete')}
          </Button>
        </Guarded>
      </Box>
      {isDeleting && (
        <ConfirmDialog
          title={t('cards.deleteTitle', { name })}
          lost={card.is_default ? [t('cards.lostAuto')] : []}
          confirmLabel={ui('actions.delete')}
          isDangerous
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ params })}
          onClose={() => setDeleting(false)}
        >
          {t('cards.deleteHint')}
        </ConfirmDialog>
      )}
    </Box>
  );
}
