// One screen for a wall: the numbers and the market, without the header.
import Typography from '@mui/material/Typography';
import type { PageModule } from '../page-module.ts';
import { MarketTable } from '../parts/market-table.tsx';
import { Numbers } from '../parts/numbers.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { usePortalWords } from '../parts/use-portal-words.ts';

const MOST_MODELS = 8;

export const page: PageModule<'overviewPage'> = {
  head: (t) => ({ title: t('overview.title'), description: t('home.sentence') }),
  Page({ data: { readOverview: overview, listMarket: market }, language, site, brand }) {
    const t = usePortalWords();
    return (
      <>
        <PageTitle title={brand.name} line={t('home.sentence')} />
        <Typography component="div" sx={{ my: 4 }}>
          {overview ? <Numbers overview={overview} /> : t('market.failed')}
        </Typography>
        {market && (
          <MarketTable
            {...{ language, site }}
            models={market.models.slice(0, MOST_MODELS)}
            currency={market.currency}
            compared={[]}
            gpus={1}
            region=""
          />
        )}
      </>
    );
  },
};
