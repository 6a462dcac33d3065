// Which rows are shown, of how many: to the ones before, the next ones, or straight to one.
import { numberText } from '@gantry/ui/format/number.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useDatasetWords } from '../use-dataset-words.ts';

export const PAGE_ROWS = 50;

interface RowPagerProps {
  from: number;
  total: number;
  /** Rows that are shown at once. */
  size?: number;
  /** The first row, from 0. */
  onTurn(from: number): void;
  /** A row that is jumped to, from 0; absent where rows have no numbers of their own. */
  onJump?: (row: number) => void;
}

export function RowPager({ from, total, size = PAGE_ROWS, onTurn, onJump }: RowPagerProps) {
  const t = useDatasetWords();
  const countText = numberText;
  const [typed, setTyped] = useState('');
  const row = Number(typed);
  const isRow = Number.isInteger(row) && row >= 1 && row <= total;
  const jump = () => isRow && onJump?.(row - 1);
  const last = Math.min(total, from + size);
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', my: 1 }}>
      <Typography variant="body2" role="status">
        {total === 0
          ? t('table.noRows')
          : size === 1
            ? t('table.shownOne', { row: countText(from + 1), total: countText(total) })
            : t('table.shown', { first: countText(from + 1), last: countText(last), total: countText(total) })}
      </Typography>
      <Button size="small" disabled={from <= 0} onClick={() => onTurn(Math.max(0, from - size))}>
        {t('table.before')}
      </Button>
      <Button size="small" disabled={last >= total} onClick={() => onTurn(from + size)}>
        {t('table.next')}
      </Button>
      {onJump && (
        <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', ml: { md: 'auto' } }}>
          <TextField
            label={t('table.toRow')}
            size="small"
            value={typed}
            error={typed !== '' && !isRow}
            onChange={({ target }) => setTyped(target.value)}
            onKeyDown={({ key }) => key === 'Enter' && jump()}
            slotProps={{ htmlInput: { inputMode: 'numeric' } }}
            sx={{ width: '8rem' }}
          />
          <Button disabled={!isRow} onClick={jump}>
            {t('table.go')}
          </Button>
        </Box>
      )}
    </Box>
  );
}
