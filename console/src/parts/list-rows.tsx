// How a list's rows are read, with what stands below them: all of them as one scrolls, or a page that one turns to.
import type { Call } from '@gantry/contract/http/call.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { type LoadedList, useCall, useList } from '@gantry/ui/client/use-api.tsx';
import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import Pagination from '@mui/material/Pagination';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { type ReactNode, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type * as z from 'zod';
import { usePartsWords } from './use-parts-words.ts';

/** A list's call, as far as its page needs it. */
export interface ListFacts<Row> extends RouteFacts {
  query: z.ZodObject;
  answer: { list: z.ZodType<Row> };
}

interface Rows<Row> {
  readonly list: LoadedList<Row>;
  readonly foot?: ReactNode;
}
/** `query` is without page and size. */
export type UseRows = <Row>(call: Call<ListFacts<Row>>, query: Readonly<Record<string, string>>) => Rows<Row>;

export const useGrowingRows: UseRows = (call, query) => ({ list: useList(call, { query }) });

const SIZES = [10, 20, 50, 100] as const;
const USUAL_SIZE = 10;
const NO_ROWS: readonly never[] = [];

/** Page and size are in the address. */
export const usePagedRows: UseRows = (call, query) => {
  const paging = usePaging();
  const { page, size } = paging;
  const { data, isPending, error, refetch } = useCall(
    call,
    { query: { ...query, page, size } },
    { keepsPrevious: true },
  );
  const items = data?.items ?? NO_ROWS;
  const list = useMemo(
    () => ({
      items,
      total: data?.items.length,
      extra: data?.extra,
      isLoading: isPending,
      isEmpty: data?.items.length === 0,
      isLoadingMore: false,
      hasMore: false,
      error,
      more: () => {},
      again: () => void refetch(),
    }),
    [items, data, isPending, error, refetch],
  );
  return { list, foot: data && <ListPager paging={paging} total={data.total} totalPages={data.totalPages} /> };
};

interface Paging {
  readonly page: number;
  readonly size: number;
  turnTo(page: number): void;
  resize(size: number): void;
}

function usePaging(): Paging {
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

function ListPager({ paging, total, totalPages }: { paging: Paging; total: number; totalPages: number }) {
  const t = usePartsWords();
  const pages = Math.max(1, totalPages);
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center', mt: 2, minHeight: 40 }}>
      <Typography variant="body2" color="text.secondary" aria-live="polite">
        {t('pager.total', { smart_count: total })} · {t('pager.page', { page: paging.page, pages })}
      </Typography>
      <TextField
        select
        label={t('pager.perPage')}
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
        aria-label={t('pager.pages')}
        count={Math.max(pages, paging.page)}
        page={paging.page}
        size="small"
        onChange={(_, page) => paging.turnTo(page)}
      />
    </Box>
  );
}
