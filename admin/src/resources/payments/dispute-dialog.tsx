// The settlement of a dispute that an earlier version only noted.
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useDataProvider, useRefresh } from 'react-admin';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { useBillingWords } from '../../parts/use-billing-words.ts';
import { type GivenAnswer, useGiven } from '../../parts/use-given.ts';
import type { AdminData } from '../../providers/data-provider.ts';

export function DisputeDialog({ payment, onClose }: { payment: AdminRow<'payments'>; onClose(): void }) {
  const t = useBillingWords();
  const data = useDataProvider<AdminData>();
  const given = useGiven();
  const refresh = useRefresh();
  const [booking, setBooking] = useState<'now' | 'by_hand'>('now');
  const send = async (reason: string) => {
    const path = `payments/${encodeURIComponent(payment.id)}/disputes`;
    given(await data.ask<GivenAnswer>(path, { method: 'POST', body: { booking, reason } }), t('payment.decided'));
    refresh();
  };
  return (
    <ReasonDialog
      title={t('payment.disputesTitle')}
      confirmLabel={t('payment.disputes')}
      onConfirm={send}
      onClose={onClose}
    >
      <Typography>{t('payment.disputesText')}</Typography>
      <RadioGroup value={booking} onChange={(_, value) => setBooking(value as typeof booking)}>
        <FormControlLabel value="now" control={<Radio />} label={t('payment.now')} />
        <FormControlLabel value="by_hand" control={<Radio />} label={t('payment.byHand')} />
      </RadioGroup>
    </ReasonDialog>
  );
}
