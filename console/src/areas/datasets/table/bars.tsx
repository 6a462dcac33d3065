// Bars that lie one below the other, each a link to its rows: told in words too, and reached by the keyboard.
import { numberText } from '@gantry/ui/format/number.ts';
import Box from '@mui/material/Box';
import { Link } from 'react-router';
import { useDatasetWords } from '../use-dataset-words.ts';
import { type RowFilter, rowsPath } from './filters.ts';
import type { TableOf } from './of-table.tsx';

export interface Bar {
  readonly label: string;
  readonly count: number;
  readonly filter: RowFilter;
}

export function Bars({ of, column, bars }: { of: TableOf; column: string; bars: readonly Bar[] }) {
  const t = useDatasetWords();
  const countText = numberText;
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <Box
      component="ul"
      aria-label={column}
      sx={{ listStyle: 'none', m: 0, p: 0, maxHeight: '18rem', overflow: 'auto' }}
    >
      {bars.map(({ label, count, filter }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two bars may have one label, and none changes its place
        <li key={at}>
          <Box
            component={Link}
            to={rowsPath(of.id, of.version, filter)}
            title={t('statistics.showRows', { label, count: countText(count) })}
            sx={{
              ...{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) 40% 4.5rem', gap: 1, alignItems: 'center' },
              ...{ py: 0.25, px: 0.5, borderRadius: 0.5, color: 'inherit', textDecoration: 'none', fontSize: 13 },
              '&:hover, &:focus-visible': { bgcolor: 'action.hover' },
            }}
          >
            <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
              {label}
            </Box>
            <Box
              component="span"
              sx={{ height: 12, borderRadius: 0.5, bgcolor: 'primary.main' }}
              style={{ width: `${Math.max(count === 0 ? 0 : 1, (100 * count) / most)}%` }}
            />
            <Box component="span" sx={{ textAlign: 'end', fontVariantNumeric: 'tabular-nums' }}>
              {countText(count)}
            </Box>
          </Box>
        </li>
      ))}
    </Box>
  );
}
