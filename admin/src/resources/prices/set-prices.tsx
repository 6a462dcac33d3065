// Sets prices from a moment on: tomorrow, unless another is chosen.
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useDataProvider, useRefresh } from 'react-admin';
import { useNavigate } from 'react-router';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { useBillingWords } from '../../parts/use-billing-words.ts';
import { type GivenAnswer, useGiven } from '../../parts/use-given.ts';
import type { AdminData } from '../../providers/data-provider.ts';
import { resourceOf } from '../../tables.ts';

export interface ProposedPrice {
  readonly sku: string;
  readonly amount: string;
  readonly region?: string;
  readonly currency?: string;
}

interface SetPricesProps {
  prices: readonly ProposedPrice[];
  /** Set before a refusal of another: they are not set a second time, even if the dialog was closed in between. */
  isDone(price: ProposedPrice): boolean;
  onDone(price: ProposedPrice): void;
  onClose(): void;
}

export function SetPrices({ prices, isDone, onDone, onClose }: SetPricesProps) {
  const t = useBillingWords();
  const data = useDataProvider<AdminData>();
  const given = useGiven();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const [from, setFrom] = useState(tomorrow);
  const send = async (reason: string) => {
    const at = new Date(from);
    if (Number.isNaN(at.getTime()) || at.getTime() <= Date.now()) throw new Error(t('price.fromRule'));
    let waits: string | null = null;
    for (const price of prices) {
      if (isDone(price)) continue;
      const body = { ...price, valid_from: at.toISOString(), reason };
      const { approval_id = null } = await data.ask<GivenAnswer>('prices', { method: 'POST', body });
      waits = approval_id ?? waits;
      onDone(price);
    }
    given({ approval_id: waits }, t('price.done', { smart_count: prices.length }));
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
        {prices.map((price) => (
          <li key={JSON.stringify(price)}>
            {t('price.line', {
              sku: price.sku,
              amount: price.amount,
              region: price.region ?? t('price.everyRegion'),
              currency: price.currency ?? t('price.usualCurrency'),
            })}
            {isDone(price) && ` (${t('price.already')})`}
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
