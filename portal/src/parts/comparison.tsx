// Up to four GPU models side by side.

import { exactText } from '@gantry/ui/format/money.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { MarketModel } from './market-view.ts';
import { stockText } from './stock-text.ts';
import { TABLE } from './table-style.ts';
import { usePortalWords } from './use-portal-words.ts';
import { Scrolled } from './wide-table.tsx';

export function Comparison({ models, currency }: { models: readonly MarketModel[]; currency: string }) {
  const t = usePortalWords();
  const amount = (value: string | null | undefined) => (value == null ? '–' : exactText(value, currency));
  const rows: readonly (readonly [label: string, of: (model: MarketModel) => string])[] = [
    [t('market.memory'), ({ memory_gi }) => (memory_gi === null ? '–' : `${memory_gi} GiB`)],
    [t('market.tflops'), ({ facts }) => `${facts?.tflops ?? '–'}`],
    [t('market.bandwidth'), ({ facts }) => (facts ? `${facts.memory_gb_per_second} GB/s` : '–')],
    [t('market.hour'), ({ price }) => amount(price.hour?.amount)],
    [t('market.perGi'), ({ hour_per_gi }) => amount(hour_per_gi)],
    [t('market.perTflop'), ({ facts }) => amount(facts?.hour_per_tflop)],
    [t('market.free'), ({ free }) => stockText(t, free)],
    [t('market.mostGpus'), ({ most_gpus }) => `${most_gpus}`],
    [t('market.source'), ({ facts }) => facts?.source ?? '–'],
  ];
  return (
    <Box component="section" aria-labelledby="comparison" sx={{ mt: 4 }}>
      <Typography variant="h2" id="comparison" sx={{ mb: 1 }}>
        {t('market.comparison')}
      </Typography>
      <Scrolled aria-labelledby="comparison">
        <Box component="table" sx={TABLE}>
          <thead>
            <tr>
              <td />
              {models.map(({ id, name }) => (
                <th key={id} scope="col">
                  <bdi>{name}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([label, of]) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {models.map((model) => (
                  <td key={model.id}>{of(model)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </Box>
      </Scrolled>
    </Box>
  );
}
