// A grant or an adjustment of a wallet. Above the installation's amount it waits for a second person, and the answer says so.
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import Alert from '@mui/material/Alert';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useDataProvider, useRefresh } from 'react-admin';
import { AmountField, isAmount } from '../../parts/amount-field.tsx';
import { MoneyText } from '../../parts/field-value.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { staffMoney } from '../../parts/staff-money.ts';
import { useBillingWords } from '../../parts/use-billing-words.ts';
import { type GivenAnswer, useGiven } from '../../parts/use-given.ts';
import type { AdminData } from '../../providers/data-provider.ts';

type Wallet = AdminRow<'wallets'>;

/** The sign is chosen in words: nobody types a minus by mistake. */
const ADJUSTMENTS = {
  add: { of: 'cash', sign: '' },
  take: { of: 'cash', sign: '-' },
  takeCredits: { of: 'credits', sign: '-' },
} as const;
type Adjustment = keyof typeof ADJUSTMENTS;

interface TransferDialogProps {
  kind: 'grant' | 'adjust';
  wallet: Wallet;
  onClose(): void;
}

export function TransferDialog({ kind, wallet, onClose }: TransferDialogProps) {
  const t = useBillingWords();
  const data = useDataProvider<AdminData>();
  const given = useGiven();
  const refresh = useRefresh();
  const [typed, setTyped] = useState('');
  const [which, setWhich] = useState<Adjustment>('add');
  const { currency, name, id } = wallet;
  const { of, sign } = kind === 'grant' ? ({ of: 'credits', sign: '' } as const) : ADJUSTMENTS[which];
  const send = async (reason: string) => {
    if (!isAmount(typed)) throw new Error(t('amountRule'));
    const amount = `${sign}${typed}`;
    const path = `wallets/${encodeURIComponent(id)}/transfer`;
    const body = { kind, amount, ...(kind === 'adjust' && { of }), reason };
    given(
      await data.ask<GivenAnswer>(path, { method: 'POST', body }),
      t('wallet.done', { amount: staffMoney(amount, currency) }),
    );
    refresh();
  };
  return (
    <ReasonDialog
      title={t(`wallet.${kind}Title`, { name: name || id })}
      confirmLabel={t(`wallet.${kind}`)}
      isDangerous={sign === '-'}
      onConfirm={send}
      onClose={onClose}
    >
      <Typography>{t(`wallet.${kind}Text`)}</Typography>
      {kind === 'adjust' && (
        <RadioGroup value={which} onChange={(_, value) => setWhich(value as Adjustment)}>
          {(Object.keys(ADJUSTMENTS) as Adjustment[]).map((each) => (
            <FormControlLabel key={each} value={each} control={<Radio />} label={t(`wallet.${each}`)} />
          ))}
        </RadioGroup>
      )}
      <AmountField value={typed} currency={currency} onChange={setTyped} />
      {isAmount(typed) && (
        <Alert severity={sign === '-' ? 'warning' : 'info'} icon={false}>
          <MoneyText amount={`${sign}${typed}`} currency={currency} />
        </Alert>
      )}
    </ReasonDialog>
  );
}
