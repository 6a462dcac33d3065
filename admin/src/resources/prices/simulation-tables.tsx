// A simulation: everybody's total, and each SKU's and organisation's, as billed, at today's and at the proposed prices.
import type { PriceItem, PriceSimulation } from '@gantry/contract/areas/billing/admin-prices.ts';
import Alert from '@mui/material/Alert';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { MoneyText } from '../../parts/field-value.tsx';
import { NamedText } from '../../parts/named-option.tsx';
import { Panel } from '../../parts/panel.tsx';
import { PlainRows } from '../../parts/plain-rows.tsx';
import { useBillingWords } from '../../parts/use-billing-words.ts';

type Costs = PriceSimulation['totals'][number];

const COSTS = ['billed', 'now', 'proposed'] as const;

interface SimulationProps {
  simulation: PriceSimulation;
  items: readonly PriceItem[];
}

function useCostColumns() {
  const t = useBillingWords();
  return [...COSTS, 'difference' as const].map((key) => ({ key, title: t(`price.${key}`), isNumber: true }));
}

/** Everybody's sums, and what is not in them. */
export function SimulationTotals({ simulation: { month, totals, not_metered }, items }: SimulationProps) {
  const t = useBillingWords();
  const costColumns = useCostColumns();
  return (
    <>
      {not_metered.length > 0 && (
        <Alert severity="info">
          {t('price.notMetered', { skus: not_metered.map((sku) => nameOf(items, sku)).join(', ') })}
        </Alert>
      )}
      {totals.length === 0 ? (
        <Alert severity="info" role="status">
          {t('price.noUsage')}
        </Alert>
      ) : (
        <Panel title={t('price.totals', { month })}>
          <PlainRows
            label={t('price.totals', { month })}
            columns={[{ key: 'currency', title: t('price.currency') }, ...costColumns]}
            rows={totals.map((row) => ({ key: row.currency, cells: [row.currency, ...costCells(row)] }))}
          />
        </Panel>
      )}
    </>
  );
}

export function SimulationTables({ simulation, items }: SimulationProps) {
  const t = useBillingWords();
  const costColumns = useCostColumns();
  const { totals, skus, organizations, organization_count: total } = simulation;
  return (
    <>
      <SimulationTotals simulation={simulation} items={items} />
      {totals.length > 0 && (
        <>
          <Panel title={t('price.skus')}>
            <PlainRows
              label={t('price.skus')}
              columns={[
                { key: 'sku', title: t('price.sku') },
                { key: 'region', title: t('price.region') },
                { key: 'quantity', title: t('price.quantity'), isNumber: true },
                { key: 'priceNow', title: t('price.priceNow'), isNumber: true },
                { key: 'priceProposed', title: t('price.priceProposed'), isNumber: true },
                ...costColumns,
              ]}
              rows={skus.map((row) => ({
                key: `${row.sku} ${row.region} ${row.currency}`,
                cells: [
                  <NamedText key="sku" name={nameOf(items, row.sku)} id={row.sku} />,
                  row.region,
                  t(`price.usage.${row.per}`, { quantity: row.quantity, unit: t(`price.unit.${row.unit}`) }),
                  <MoneyText key="now" amount={row.price_now} currency={row.currency} isExact />,
                  <MoneyText key="proposed" amount={row.price_proposed} currency={row.currency} isExact />,
                  ...costCells(row),
                ],
              }))}
            />
          </Panel>
          <Panel title={t('price.organizations')}>
            <PlainRows
              label={t('price.organizations')}
              columns={[{ key: 'organization', title: t('price.organization') }, ...costColumns]}
              rows={organizations.map((row) => ({
                key: `${row.organization_id} ${row.currency}`,
                cells: [
                  <NamedText key="organization" name={row.organization_name} id={row.organization_id} />,
                  ...costCells(row),
                ],
              }))}
            />
            {total > organizations.length && (
              <Typography color="text.secondary">{t('price.more', { shown: organizations.length, total })}</Typography>
            )}
          </Panel>
        </>
      )}
    </>
  );
}

const nameOf = (items: readonly PriceItem[], sku: string): string =>
  items.find((item) => item.sku === sku)?.name ?? sku;

/** The difference says its sign also where it is more. */
function costCells({ currency, difference, ...row }: Costs): ReactNode[] {
  const isMore = !difference.startsWith('-') && /[1-9]/.test(difference);
  return [
    ...COSTS.map((key) => <MoneyText key={key} amount={row[key]} currency={currency} />),
    <span key="difference">
      {isMore && '+'}
      <MoneyText amount={difference} currency={currency} />
    </span>,
  ];
}
