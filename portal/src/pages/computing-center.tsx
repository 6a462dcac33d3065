// The computing market: every GPU model on offer, filtered, ordered and compared by what the address says.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import type { PageModule } from '../page-module.ts';
import { Calculator } from '../parts/calculator.tsx';
import { Comparison } from '../parts/comparison.tsx';
import { FIELDS } from '../parts/field-style.ts';
import { MarketTable } from '../parts/market-table.tsx';
import { countsOf, MOST_COMPARED, ORDERS, type Order, searchOf, shownModels, viewOf } from '../parts/market-view.ts';
import { PageTitle } from '../parts/page-title.tsx';
import { usePortalWords } from '../parts/use-portal-words.ts';

const MEMORIES = [16, 24, 40, 48, 80] as const;

export const page: PageModule<'computingCenter'> = {
  isLive: true,
  head: (t, { data: { listMarket: market } }) => ({
    title: t('market.title'),
    description: t('market.line'),
    linkedData: (market?.models ?? []).flatMap(({ name, price: { hour } }) =>
      hour === null
        ? []
        : [
            {
              '@type': 'Product',
              name,
              offers: { '@type': 'Offer', price: hour.amount, priceCurrency: hour.currency },
            },
          ],
    ),
  }),
  Page({ data: { listMarket: market }, language, site }) {
    const t = usePortalWords();
    // The address is read once the page is in a browser: every visitor gets the same one.
    const [view, setView] = useState(() => viewOf(''));
    useEffect(() => setView(viewOf(location.search)), []);
    const change = (part: Partial<typeof view>) => {
      const next = { ...view, ...part };
      setView(next);
      history.replaceState(null, '', `${location.pathname}${searchOf(next)}`);
    };
    if (!market) return <PageTitle title={t('market.title')} line={t('market.failed')} />;
    const regions = new Map(market.models.flatMap((one) => one.regions.map(({ region, name }) => [region, name])));
    const counts = countsOf(market.models);
    const models = shownModels(market.models, view);
    const compared = market.models.filter(({ id }) => view.compared.includes(id));
    const compare = (id: string) =>
      change({
        compared: view.compared.includes(id)
          ? view.compared.filter((one) => one !== id)
          : [...view.compared, id].slice(-MOST_COMPARED),
      });
    return (
      <>
        <PageTitle title={t('market.title')} line={t('market.line')} />
        <Box component="form" role="search" onSubmit={(event) => event.preventDefault()} sx={{ ...FIELDS, my: 3 }}>
          <label>
            {t('market.search')}
            <input type="search" name="q" value={view.q} onChange={({ target }) => change({ q: target.value })} />
          </label>
          <label>
            {t('market.memory')}
            <select
              name="memory"
              value={view.memory}
              onChange={({ target }) => change({ memory: Number(target.value) })}
            >
              <option value={0}>{t('market.any')}</option>
              {MEMORIES.map((memory) => (
                <option key={memory} value={memory}>
                  {t('market.atLeast', { memory })}
                </option>
              ))}
            </select>
          </label>
          <label>
            {t('market.region')}
            <select name="region" value={view.region} onChange={({ target }) => change({ region: target.value })}>
              <option value="">{t('market.any')}</option>
              {[...regions].map(([region, name]) => (
                <option key={region} value={region}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label>
            {t('market.gpus')}
            <select name="gpus" value={view.gpus} onChange={({ target }) => change({ gpus: Number(target.value) })}>
              <option value={0}>{t('market.any')}</option>
              {counts.map((gpus) => (
                <option key={gpus} value={gpus}>
                  {gpus}
                </option>
              ))}
            </select>
          </label>
          <label>
            {t('market.order')}
            <select name="order" value={view.order} onChange={({ target }) => change({ order: target.value as Order })}>
              {ORDERS.map((order) => (
                <option key={order} value={order}>
                  {t(`market.orders.${order}`)}
                </option>
              ))}
            </select>
          </label>
          <Box component="label" sx={{ flexDirection: 'row !important', alignItems: 'center' }}>
            <input
              type="checkbox"
              checked={view.isFree}
              onChange={({ target }) => change({ isFree: target.checked })}
            />
            {t('market.onlyFree')}
          </Box>
        </Box>
        {models.length > 0 ? (
          <MarketTable
            {...{ models, language, site }}
            currency={market.currency}
            compared={view.compared}
            gpus={view.gpus || 1}
            region={view.region}
            onCompare={compare}
          />
        ) : (
          <Typography>{market.models.length === 0 ? t('market.none') : t('market.noneFound')}</Typography>
        )}
        {compared.length > 1 && <Comparison models={compared} currency={market.currency} />}
        {market.models.length > 0 && <Calculator models={market.models} currency={market.currency} />}
        <Typography variant="body2" color="text.secondary" sx={{ mt: 4, maxWidth: '46rem' }}>
          {t('market.reserves')} {t('market.stopped')} {t('market.formula')}
        </Typography>
      </>
    );
  },
};
