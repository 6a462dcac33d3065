// GPU models in rows: what is free, what a card costs, and the way to the console's form with the card chosen.
import { pathOf, type Site } from '@gantry/contract/areas/portal/pages.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { exactText } from '@gantry/ui/format/money.ts';
import Box from '@mui/material/Box';
import type { MarketModel } from './market-view.ts';
import { StartButton } from './start-button.tsx';
import { stockText } from './stock-text.ts';
import { TABLE } from './table-style.ts';
import { usePortalWords } from './use-portal-words.ts';
import { Scrolled } from './wide-table.tsx';

interface Props {
  models: readonly MarketModel[];
  currency: string;
  language: Language;
  site: Site;
  compared: readonly string[];
  /** Of one instance. */
  gpus: number;
  /** Empty: any. */
  region: string;
  /** Undefined where nothing can be compared. */
  onCompare?: (id: string) => void;
}

export function MarketTable({ models, currency, language, site, compared, gpus, region, onCompare }: Props) {
  const t = usePortalWords();
  return (
    <Scrolled aria-label={t('tabs.computingCenter')}>
      <Box component="table" sx={[TABLE, CARDS]}>
        <thead>
          <tr>
            <th scope="col">{t('market.model')}</th>
            <th scope="col">{t('market.memory')}</th>
            <th scope="col">{t('market.free')}</th>
            <th scope="col">{t('market.hour')}</th>
            <th scope="col">{t('market.month')}</th>
            <th scope="col">{t('market.available')}</th>
            <th scope="col">
              <Box component="span" sx={HIDDEN}>
                {t('market.start')}
              </Box>
            </th>
          </tr>
        </thead>
        <tbody>
          {models.map((model) => (
            <tr key={model.id}>
              <th scope="row">
                <a href={pathOf({ name: 'computing', language, params: { id: model.id } })}>
                  <bdi>{model.name}</bdi>
                </a>
                {model.note !== null && (
                  <Box component="p" sx={{ m: 0, color: 'text.secondary', fontWeight: 400, fontSize: 13 }}>
                    <bdi>{model.note}</bdi>
                  </Box>
                )}
              </th>
              <td data-label={t('market.memory')}>{model.memory_gi === null ? '–' : `${model.memory_gi} GiB`}</td>
              <td data-label={t('market.free')}>
                {stockText(t, model.free)}
                <Box component="span" sx={{ display: 'block', color: 'text.secondary', fontSize: 13 }}>
                  {model.regions.map(({ name, free }) => `${name}: ${stockText(t, free)}`).join(' · ')}
                </Box>
              </td>
              <td data-label={t('market.hour')}>
                {model.price.hour ? exactText(model.price.hour.amount, currency) : t('market.noPrice')}
              </td>
              <td data-label={t('market.month')}>
                {model.price.month ? exactText(model.price.month.amount, currency) : '–'}
              </td>
              <td data-label={t('market.available')}>
                {model.availability.percent === null ? '–' : `${model.availability.percent.toFixed(1)}%`}
              </td>
              <td>
                <Box sx={{ display: 'flex', gap: 1.5, alignItems: 'center', justifyContent: 'end' }}>
                  {onCompare && (
                    <Box component="label" sx={{ display: 'flex', gap: 0.5, alignItems: 'center', fontSize: 14 }}>
                      <input
                        type="checkbox"
                        checked={compared.includes(model.id)}
                        onChange={() => onCompare(model.id)}
                        aria-label={`${t('market.compare')}: ${model.name}`}
                      />
                      {t('market.compare')}
                    </Box>
                  )}
                  {model.free.step === 'none' ? (
                    <Box component="span" sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
                      {t('market.taken')}
                    </Box>
                  ) : (
                    <StartButton {...{ site, language, gpus, region }} model={model.id} />
                  )}
                </Box>
              </td>
            </tr>
          ))}
        </tbody>
      </Box>
    </Scrolled>
  );
}

/** A card for each model where the window is narrow, so that prices and Start need no scrolling. */
const CARDS = {
  '@media (max-width: 767.95px)': {
    '&, & tbody': { display: 'block' },
    '& thead': { position: 'absolute', clipPath: 'inset(50%)' },
    '& tbody tr': {
      ...{ display: 'grid', gridTemplateColumns: 'repeat(2, minmax(0, 1fr))', gap: 1.5, p: 2, mb: 1.5 },
      ...{ bgcolor: 'background.paper', border: 1, borderColor: 'divider', borderRadius: 1 },
    },
    '& tbody th, & tbody td': { p: 0, border: 0 },
    '& tbody th, & tbody td:last-child': { gridColumn: '1 / -1' },
    '& td[data-label]::before': {
      content: 'attr(data-label)',
      display: 'block',
      fontSize: 13,
      color: 'text.secondary',
    },
  },
} as const;

/** MUI takes a 1 for the whole. */
const HIDDEN = {
  position: 'absolute',
  width: '1px',
  height: '1px',
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
} as const;
