// One GPU model of the market.
import { pathOf } from '@gantry/contract/areas/portal/pages.ts';
import { exactText } from '@gantry/ui/format/money.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { PageModule } from '../page-module.ts';
import { Calculator } from '../parts/calculator.tsx';
import { Facts } from '../parts/facts.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { StartButton } from '../parts/start-button.tsx';
import { stockText } from '../parts/stock-text.ts';
import { TABLE } from '../parts/table-style.ts';
import { usePortalWords } from '../parts/use-portal-words.ts';
import { Scrolled } from '../parts/wide-table.tsx';

export const page: PageModule<'computing'> = {
  isLive: true,
  head: (t, { data: { readMarketModel: model } }) => ({
    title: model.name,
    description: t('market.describe', { name: model.name }),
    linkedData: [
      {
        '@type': 'Product',
        name: model.name,
        category: 'GPU',
        ...(model.vendor !== null && { brand: { '@type': 'Brand', name: model.vendor } }),
        ...(model.price.hour && {
          offers: {
            '@type': 'Offer',
            price: model.price.hour.amount,
            priceCurrency: model.price.hour.currency,
            availability: `https://schema.org/${model.free.step === 'none' ? 'OutOfStock' : 'InStock'}`,
          },
        }),
      },
    ],
  }),
  Page({ data: { readMarketModel: model }, language, site }) {
    const t = usePortalWords();
    const { currency, facts, free, stopped } = model;
    const amount = (price: { amount: string } | null) => (price ? exactText(price.amount, currency) : '–');
    const described: readonly (readonly [string, string])[] = [
      [t('market.memory'), model.memory_gi === null ? '–' : `${model.memory_gi} GiB`],
      [t('market.hour'), amount(model.price.hour)],
      [t('market.month'), amount(model.price.month)],
      [t('market.free'), stockText(t, free)],
      [t('market.mostGpus'), `${model.most_gpus}`],
      [t('market.available'), model.availability.percent === null ? '–' : `${model.availability.percent.toFixed(1)}%`],
      ...(facts
        ? ([
            [t('market.tflops'), `${facts.tflops}`],
            [t('market.bandwidth'), `${facts.memory_gb_per_second} GB/s`],
            [t('market.source'), facts.source],
          ] as const)
        : []),
      [t('market.homeMonth'), amount(stopped.home_gi_month)],
      [t('market.savedMonth'), amount(stopped.saved_gi_month)],
    ];
    return (
      <>
        <Box
          component="a"
          href={pathOf({ name: 'computingCenter', language })}
          sx={{ color: 'primary.main', fontSize: 14 }}
        >
          {t('market.all')}
        </Box>
        <PageTitle title={model.name} line={model.note ?? undefined} />
        <Box sx={{ my: 3 }}>
          {free.step === 'none' ? (
            <Typography>{t('market.taken')}</Typography>
          ) : (
            <StartButton {...{ site, language }} model={model.id} gpus={1} region="" isLarge />
          )}
        </Box>
        <Facts facts={described} />
        <Typography variant="h2" sx={{ mt: 4, mb: 1 }}>
          {t('market.regions')}
        </Typography>
        <Scrolled aria-label={t('market.regions')}>
          <Box component="table" sx={TABLE}>
            <thead>
              <tr>
                <th scope="col">{t('market.region')}</th>
                <th scope="col">{t('market.free')}</th>
                <th scope="col">{t('market.card')}</th>
                <th scope="col">{t('market.instance')}</th>
                <th scope="col">{t('market.host')}</th>
              </tr>
            </thead>
            <tbody>
              {model.regions.map((region) => (
                <tr key={region.region}>
                  <th scope="row">
                    <bdi>{region.name}</bdi>
                  </th>
                  <td>{stockText(t, region.free)}</td>
                  <td>{amount(region.card.hour)}</td>
                  <td>{amount(region.instance.hour)}</td>
                  <td>{amount(region.host_month)}</td>
                </tr>
              ))}
            </tbody>
          </Box>
        </Scrolled>
        <Calculator models={[model]} currency={currency} />
        <Typography variant="body2" color="text.secondary" sx={{ mt: 4, maxWidth: '46rem' }}>
          {t('market.reserves')} {t('market.stopped')} {t('market.formula')}
        </Typography>
      </>
    );
  },
};
