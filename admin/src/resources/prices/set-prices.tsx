// Sets prices from a moment on: tomorrow, unless another is chosen.
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useDataProvider, useNotify, useRefresh } from 'react-admin';
import { useNavigate } from 'react-router';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { useBillingWords } from '../../parts/use-billing-words.ts';
import type { AdminData } from '../../providers/data-provider.ts';
import { resourceOf } from '../../tables.ts';

interface SetPricesProps {
  prices: readonly { sku: string; amount: string }[];
  onClose(): void;
}

export function SetPrices({ prices, onClose }: SetPricesProps) {
  const t = useBillingWords();
  const data = useDataProvider<AdminData>();
  const notify = useNotify();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const [from, setFrom] = useState(tomorrow);
  // After a refusal the others are not set a second time.
  const [done, setDone] = useState(0);
  const send = async (reason: string) => {
    const at = new Date(from);
    if (Number.isNaN(at.getTime()) || at.getTime() <= Date.now()) throw new Error(t('price.fromRule'));
    for (const [index, price] of prices.entries()) {
      if (index < done) continue;
      await data.ask('prices', { method: 'POST', body: { ...price, valid_from: at.toISOString(), reason } });
      setDone(index + 1);
    }
    notify(t('price.done', { smart_count: prices.length }), { type: 'success' });
    refresh();
    void navigate(`/${resourceOf('prices')}`);
  };
  return (
    <ReasonDialog
      title={t('price.setTitle', { smart_count: prices.length })}
      confirmLabel={t('price.set')}
      onConfirm={send}
      onClose={onClose}
    >
      <Typography>{t('price.setText')}</Typography>
      <ul>
        {prices.map(({ sku, amount }) => (
          <li key={`${sku} ${amount}`}>
            {sku}: {amount}
          </li>
        ))}
      </ul>
      <TextField
        type="datetime-local"
        label={t('price.from')}
        value={from}
        onChange={({ target }) => setFrom(target.value)}
        required
        slotProps={{ inputLabel: { shrink: true } }}
      />
    </ReasonDialog>
  );
}

/** At midnight here, as the field writes it. */
function tomorrow(): string {
  const at = new Date();
  at.setHours(24, 0, 0, 0);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
