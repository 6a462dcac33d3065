// Sets prices from a moment on: tomorrow, unless another is chosen.
import type { PriceItems, PriceSimulation } from '@gantry/contract/areas/billing/admin-prices.ts';
import Alert from '@mui/material/Alert';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { useDataProvider, useRefresh } from 'react-admin';
import { useNavigate } from 'react-router';
import { MoneyText } from '../../parts/field-value.tsx';
import { LocalMoment } from '../../parts/local-moment.tsx';
import { NamedText } from '../../parts/named-option.tsx';
import { PageLoading } from '../../parts/page-loading.tsx';
import { PlainRows } from '../../parts/plain-rows.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { useBillingWords } from '../../parts/use-billing-words.ts';
import { type GivenAnswer, useGiven } from '../../parts/use-given.ts';
import type { AdminData } from '../../providers/data-provider.ts';
import { resourceOf } from '../../tables.ts';
import { PriceNow, perOf } from './price-now.tsx';
import { SimulationTotals } from './simulation-tables.tsx';

export interface ProposedPrice {
  readonly sku: string;
  readonly amount: string;
  readonly region?: string;
  readonly currency?: string;
}

interface SetPricesProps {
  prices: readonly ProposedPrice[];
  known: PriceItems;
  /** Set before a refusal of another: they are not set a second time, even if the dialog was closed in between. */
  isDone(price: ProposedPrice): boolean;
  onDone(price: ProposedPrice): void;
  onClose(): void;
}

export function SetPrices({ prices, known, isDone, onDone, onClose }: SetPricesProps) {
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
      isWide
      onConfirm={send}
      onClose={onClose}
    >
      <Typography>{t('price.setText')}</Typography>
      <PlainRows
        label={t('price.set')}
        columns={[
          { key: 'item', title: t('price.sku') },
          { key: 'region', title: t('price.region') },
          { key: 'now', title: t('price.priceNow'), isNumber: true },
          { key: 'proposed', title: t('price.priceProposed'), isNumber: true },
        ]}
        rows={prices.map((price) => {
          const { sku, amount, region = '', currency = known.currency } = price;
          const item = known.items.find((one) => one.sku === sku);
          return {
            key: JSON.stringify(price),
            cells: [
              <NamedText key="item" name={item?.name} id={sku} />,
              region === ''
                ? t('price.everywhere')
                : (known.regions.find((one) => one.region === region)?.name ?? region),
              <PriceNow key="now" items={known.items} row={{ sku, region, currency }} />,
              <Fragment key="proposed">
                <MoneyText amount={amount} currency={currency} isExact /> {item && t(perOf(item))}
                {isDone(price) && ` (${t('price.already')})`}
              </Fragment>,
            ],
          };
        })}
      />
      <LastMonth prices={prices} known={known} />
      <LocalMoment label={t('price.from')} value={from} onChange={setFrom} required />
    </ReasonDialog>
  );
}

/** What last month's usage would have cost at today's and at these prices, by currency. */
function LastMonth({ prices, known }: Pick<SetPricesProps, 'prices' | 'known'>) {
  const data = useDataProvider<AdminData>();
  const { data: simulation, error } = useQuery({
    queryKey: ['admin', 'prices/simulate', prices],
    queryFn: ({ signal }) => data.ask<PriceSimulation>('prices/simulate', { method: 'POST', body: { prices }, signal }),
  });
  if (error) return <Alert severity="warning">{error.message}</Alert>;
  if (!simulation) return <PageLoading />;
  return <SimulationTotals simulation={simulation} items={known.items} />;
}

/** At midnight here, as the field writes it. */
function tomorrow(): string {
  const at = new Date();
  at.setHours(24, 0, 0, 0);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
