// A discount: what it is, who had it and what it saved them, and its effect on last month.

import type { DiscountUse } from '@gantry/contract/areas/billing/admin-discount.ts';
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import ArrowBack from '@mui/icons-material/ArrowBack';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { RecordContextProvider } from 'react-admin';
import { Link, useParams } from 'react-router';
import { FactList } from '../../parts/fact-list.tsx';
import { MoneyText, TimeText } from '../../parts/field-value.tsx';
import { PageLoading } from '../../parts/page-loading.tsx';
import { Panel } from '../../parts/panel.tsx';
import { PlainRows } from '../../parts/plain-rows.tsx';
import { useAsk } from '../../parts/use-ask.ts';
import { useBillingWords } from '../../parts/use-billing-words.ts';
import { NotFound } from '../../shell/not-found.tsx';
import { useTableWords } from '../../table-words.ts';
import { resourceOf } from '../../tables.ts';

type Discount = AdminRow<'discounts'>;

const FACTS: Record<Discount['type'], readonly string[]> = {
  organization: ['organization_name', 'organization_id'],
  plan: ['plan'],
  sku: ['sku'],
  code: ['code', 'uses', 'most_uses'],
};
const COMMON = ['percent', 'state', 'valid_from', 'valid_to', 'reason', 'created_by', 'created_at'];

export function DiscountPage() {
  const { id = '', type = '' } = useParams();
  const t = useBillingWords();
  const words = useTableWords('discounts');
  const path = `discounts/${encodeURIComponent(id)}`;
  const { data: discount, error, refetch } = useAsk<Discount>(path);
  const use = useAsk<DiscountUse>(`${path}/use`);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!discount) return <PageLoading />;
  // The address names what it is for: a made-up one shows nothing.
  if (discount.type !== type) return <NotFound />;
  return (
    <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
      <Box>
        <Button component={Link} to={`/${resourceOf('discounts')}`} size="small" startIcon={<ArrowBack />}>
          {t('discount.back')}
        </Button>
        <Typography variant="h1" sx={{ overflowWrap: 'anywhere' }}>
          {words.choice('type', discount.type)}: {discount.organization_name || targetOf(discount, words.choice)} ·{' '}
          {t('discount.off', { percent: discount.percent })} ·{' '}
          {discount.source === null ? t('discount.anySource') : words.choice('source', discount.source)}
        </Typography>
      </Box>
      <Card sx={{ p: 2 }}>
        <RecordContextProvider value={discount}>
          <FactList name="discounts" fields={[...FACTS[discount.type], ...COMMON]} />
        </RecordContextProvider>
      </Card>
      {use.error && <ErrorState error={use.error} onRetry={() => void use.refetch()} />}
      {use.isPending && <PageLoading />}
      {use.data && <Use use={use.data} />}
    </Box>
  );
}

const targetOf = ({ type, target }: Discount, choice: (field: string, value: string) => string): string =>
  type === 'plan' ? choice('plan', target) : target;

function Use({ use }: { use: DiscountUse }) {
  const t = useBillingWords();
  const { totals, organizations, organization_count: total, redemptions, last_month: last } = use;
  const money = [
    { key: 'list', title: t('discount.list'), isNumber: true },
    { key: 'saved', title: t('discount.saved'), isNumber: true },
  ];
  return (
    <>
      <Panel title={t('discount.use')}>
        {totals.length === 0 ? (
          <Typography color="text.secondary">{t('discount.noUse')}</Typography>
        ) : (
          <>
            {totals.map(({ currency, saved, organizations: counted }) => (
              <Typography key={currency} sx={{ mb: 1 }}>
                {t('discount.saved')}: <MoneyText amount={saved} currency={currency} /> · {t('discount.organizations')}:{' '}
                {counted}
              </Typography>
            ))}
            <PlainRows
              label={t('discount.use')}
              columns={[
                { key: 'organization', title: t('discount.organization') },
                ...money,
                { key: 'first', title: t('discount.first') },
                { key: 'last', title: t('discount.last') },
              ]}
              rows={organizations.map((row) => ({
                key: row.organization_id,
                cells: [
                  row.organization_name || row.organization_id,
                  ...savedCells(row),
                  <TimeText key="first" time={row.first_at} />,
                  <TimeText key="last" time={row.last_at} />,
                ],
              }))}
            />
            {total > organizations.length && (
              <Typography color="text.secondary">
                {t('discount.more', { shown: organizations.length, total })}
              </Typography>
            )}
          </>
        )}
      </Panel>
      {redemptions.length > 0 && (
        <Panel title={t('discount.redemptions')}>
          <PlainRows
            label={t('discount.redemptions')}
            columns={[
              { key: 'organization', title: t('discount.organization') },
              { key: 'by', title: t('discount.by') },
              { key: 'at', title: t('discount.redeemed') },
            ]}
            rows={redemptions.map((row) => ({
              key: row.organization_id,
              cells: [
                row.organization_name || row.organization_id,
                row.account_name,
                <TimeText key="at" time={row.redeemed_at} />,
              ],
            }))}
          />
        </Panel>
      )}
      <Panel title={t('discount.lastMonth', { month: last.month })}>
        {last.posted.map(({ currency, saved }) => (
          <Typography key={`posted ${currency}`}>
            {t('discount.posted')}: <MoneyText amount={saved} currency={currency} />
          </Typography>
        ))}
        {last.alone.map(({ currency, saved }) => (
          <Typography key={`alone ${currency}`}>
            {t('discount.alone')}: <MoneyText amount={saved} currency={currency} />
          </Typography>
        ))}
        {last.skus.length === 0 ? (
          <Typography color="text.secondary">{t('discount.noMonth')}</Typography>
        ) : (
          <PlainRows
            label={t('discount.lastMonth', { month: last.month })}
            columns={[{ key: 'sku', title: t('discount.sku') }, ...money]}
            rows={last.skus.map((row) => ({
              key: `${row.sku} ${row.currency}`,
              cells: [row.sku, ...savedCells(row)],
            }))}
          />
        )}
      </Panel>
    </>
  );
}

const savedCells = ({ currency, list, saved }: { currency: string; list: string; saved: string }): ReactNode[] => [
  <MoneyText key="list" amount={list} currency={currency} />,
  <MoneyText key="saved" amount={saved} currency={currency} />,
];
