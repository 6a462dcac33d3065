// The installation's numbers, as they are now.
import type { PageData } from '@gantry/contract/areas/portal/pages.ts';
import { exactText } from '@gantry/ui/format/money.ts';
import Box from '@mui/material/Box';
import { stockText } from './stock-text.ts';
import { usePortalWords } from './use-portal-words.ts';

export function Numbers({ overview }: { overview: NonNullable<PageData<'home'>['readOverview']> }) {
  const t = usePortalWords();
  const shown: readonly (readonly [string, string])[] = [
    [t('home.free'), stockText(t, overview.free)],
    [t('home.gpuModels'), `${overview.gpu_models}`],
    ...(overview.least_hour
      ? ([[t('home.from'), exactText(overview.least_hour.amount, overview.currency)]] as const)
      : []),
    [t('home.models'), `${overview.models}`],
    [t('home.datasets'), `${overview.datasets}`],
    [t('home.regions'), `${overview.regions.length}`],
  ];
  return (
    <Box component="dl" sx={SX}>
      {shown.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </Box>
  );
}

const SX = {
  m: 0,
  display: 'grid',
  gap: 2.5,
  gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', md: 'repeat(6, minmax(0, 1fr))' },
  '& > div': { display: 'flex', flexDirection: 'column-reverse', justifyContent: 'flex-end' },
  '& dt': { fontSize: 14, color: 'text.secondary' },
  '& dd': { m: 0, fontSize: 28, fontWeight: 700, letterSpacing: '-0.01em', fontVariantNumeric: 'tabular-nums' },
} as const;
