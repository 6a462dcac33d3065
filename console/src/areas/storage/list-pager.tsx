// A pager: which page, how many, how many in all. Page and size are in the address.
import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import Pagination from '@mui/material/Pagination';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useSearchParams } from 'react-router';
import { useStorageWords } from './use-storage-words.ts';

const SIZES = [10, 20, 50, 100] as const;
const USUAL_SIZE = 10;

interface Paging {
  readonly page: number;
  readonly size: number;
  turnTo(page: number): void;
  resize(size: number): void;
}

export function usePaging(): Paging {
  const [params, setParams] = useSearchParams();
  const set = (changed: Readonly<Record<string, number>>) =>
    setParams(
      (former) => {
        const next = new URLSearchParams(former);
        for (const [name, value] of Object.entries(changed)) next.set(name, `${value}`);
        if (next.get('page') === '1') next.delete('page');
        return next;
      },
      { replace: true },
    );
  const size = Number(params.get('size'));
  return {
    page: Math.max(1, Math.floor(Number(params.get('page'))) || 1),
    size: (SIZES as readonly number[]).includes(size) ? size : USUAL_SIZE,
    turnTo: (page) => set({ page }),
    resize: (size) => set({ size, page: 1 }),
  };
}

export function ListPager({ paging, total, totalPages }: { paging: Paging; total: number; totalPages: number }) {
  const t = useStorageWords();
  const pages = Math.max(1, totalPages);
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center', mt: 2, minHeight: 40 }}>
      <Typography variant="body2" color="text.secondary" aria-live="polite">
        {t('list.total', { smart_count: total })} · {t('list.page', { page: paging.page, pages })}
      </Typography>
      <TextField
        select
        label={t('list.perPage')}
        value={paging.size}
        onChange={({ target }) => paging.resize(Number(target.value))}
        sx={{ width: '6.5rem', ml: { md: 'auto' } }}
      >
        {SIZES.map((size) => (
          <MenuItem key={size} value={size}>
            {size}
          </MenuItem>
        ))}
      </TextField>
      <Pagination
        aria-label={t('list.pages')}
        count={Math.max(pages, paging.page)}
        page={paging.page}
        size="small"
        onChange={(_, page) => paging.turnTo(page)}
      />
    </Box>
  );
}
