// The requested share of what exists, and how busy it really is. A missing measurement is not shown as zero.

import type { Overview } from '@gantry/contract/areas/admin/admin-home.ts';
import { numberText } from '@gantry/ui/format/number.ts';
import Box from '@mui/material/Box';
import { PlainRows } from '../parts/plain-rows.tsx';
import { useHomeWords } from '../parts/use-home-words.ts';
import { HomeCard } from './home-card.tsx';
import { partStyle } from './patterns.tsx';

type Computing = NonNullable<Overview['computing']>;

const percentOf = (amount: number, of: number): number | undefined =>
  of > 0 ? Math.round((amount / of) * 100) : undefined;

export function UsageCard({ requested, measured }: Pick<Computing, 'requested' | 'measured'>) {
  const t = useHomeWords();
  return (
    <HomeCard title={t('usage.title')} help={t('usage.help')}>
      <PlainRows
        label={t('usage.title')}
        columns={[
          { key: 'resource', title: t('usage.resource') },
          { key: 'requested', title: t('usage.requested') },
          { key: 'measured', title: t('usage.measured') },
        ]}
        rows={requested.map(({ resource, amount, of }) => {
          const percent = percentOf(amount, of);
          const busy = measured?.[resource] ?? null;
          return {
            key: resource,
            cells: [
              t(`usage.${resource}`),
              percent === undefined ? (
                t('noData')
              ) : (
                <Box key="bar" sx={{ minWidth: 140 }}>
                  <Box sx={{ fontVariantNumeric: 'tabular-nums' }}>
                    <strong>{percent}%</strong> {t('usage.of', { amount: shown(amount), all: shown(of) })}
                  </Box>
                  <Box aria-hidden sx={{ height: 8, border: 1, borderColor: 'divider' }}>
                    <div style={{ ...partStyle('used'), width: `${Math.min(100, percent)}%`, height: '100%' }} />
                  </Box>
                </Box>
              ),
              busy === null ? t('noData') : `${Math.round(busy)}%`,
            ],
          };
        })}
      />
    </HomeCard>
  );
}

const shown = (amount: number): string => numberText(amount, 1);
