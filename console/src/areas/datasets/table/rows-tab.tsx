// The rows of a version's table, from any place; narrowed and sorted as the address says.
import type { DatasetDetailView } from '@gantry/contract/areas/datasets/datasets.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import ArrowDown from '@mui/icons-material/ArrowDownward';
import ArrowUp from '@mui/icons-material/ArrowUpward';
import Sortable from '@mui/icons-material/UnfoldMore';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import { useSearchParams } from 'react-router';
import { useDatasetWords } from '../use-dataset-words.ts';
import { AskedState } from './asked-state.tsx';
import { CellTable } from './cell-table.tsx';
import { filtersIn, filterText, type RowFilter, type Sort, sortIn } from './filters.ts';
import { OfTable, type TableOf } from './of-table.tsx';
import { PAGE_ROWS, RowPager } from './row-pager.tsx';
import { SaveTable } from './save-table.tsx';
import { useAsked } from './use-asked.ts';

export function RowsTab({ dataset }: { dataset: DatasetDetailView }) {
  return (
    <OfTable dataset={dataset} actions={(of) => <SaveTable name={dataset.name} of={of} content="data" />}>
      {(of) => <Rows of={of} />}
    </OfTable>
  );
}

const numberIn = (params: URLSearchParams, name: string): number | undefined => {
  const text = params.get(name) ?? '';
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined;
};

function Rows({ of }: { of: TableOf }) {
  const [params, setParams] = useSearchParams();
  const change = (changed: (next: URLSearchParams) => void) =>
    setParams((former) => {
      const next = new URLSearchParams(former);
      for (const name of ['from', 'row']) next.delete(name);
      changed(next);
      return next;
    });
  const filters = filtersIn(params);
  const sort = sortIn(params);
  // Rows are counted from 1 where people read them.
  const row = numberIn(params, 'row');
  const marked = row === undefined || row === 0 ? undefined : row - 1;
  const from = numberIn(params, 'from') ?? (marked === undefined ? 0 : marked - (marked % PAGE_ROWS));
  const turn = (next: number) => change((own) => own.set('from', `${next}`));
  const paging = { of, from, onTurn: turn };
  const onSort = (wanted: Sort | undefined) =>
    change((next) => {
      next.delete('sort');
      next.delete('descending');
      if (wanted) next.set('sort', wanted.column);
      if (wanted?.descending) next.set('descending', 'true');
    });
  const head = (column: string) => <SortButton column={column} sort={sort} onSort={onSort} />;
  const only = (kept: readonly RowFilter[]) =>
    change((next) => {
      next.delete('filter');
      for (const one of kept) next.append('filter', JSON.stringify(one));
    });
  if (filters.length === 0 && sort === undefined)
    return (
      <InOrder {...paging} marked={marked} head={head} onJump={(to) => change((own) => own.set('row', `${to + 1}`))} />
    );
  return (
    <>
      <Narrowed filters={filters} onOnly={only} />
      <FoundRows {...paging} filters={filters} sort={sort} head={head} />
    </>
  );
}

interface PageProps {
  of: TableOf;
  from: number;
  head(column: string): React.ReactNode;
  onTurn(from: number): void;
}

const paramsOf = ({ id, version }: TableOf) => ({ id, version: `${version}` });

function InOrder({
  of,
  from,
  marked,
  head,
  onTurn,
  onJump,
}: PageProps & { marked: number | undefined; onJump(row: number): void }) {
  const t = useDatasetWords();
  const input = { params: paramsOf(of), query: { from, size: PAGE_ROWS } };
  const { data, error, isPreparing, refetch } = useAsked(CALLS.listDatasetRows, input);
  if (!data || error) return <AskedState error={error} isPreparing={isPreparing} onRetry={() => void refetch()} />;
  return (
    <>
      <RowPager from={from} total={data.total} onTurn={onTurn} onJump={onJump} />
      <CellTable
        label={t('tabs.rows')}
        answer={data}
        numbers={data.rows.map((_, at) => from + at)}
        of={of}
        marked={marked}
        head={head}
      />
    </>
  );
}

type FoundProps = PageProps & { filters: readonly RowFilter[]; sort: Sort | undefined };

function FoundRows({ of, from, filters, sort, head, onTurn }: FoundProps) {
  const t = useDatasetWords();
  const { data, error, isPreparing, refetch } = useAsked(CALLS.findDatasetRows, {
    params: paramsOf(of),
    body: { filters: [...filters], ...(sort && { sort: { ...sort } }), from, size: PAGE_ROWS },
  });
  if (!data || error) return <AskedState error={error} isPreparing={isPreparing} onRetry={() => void refetch()} />;
  return (
    <>
      <RowPager from={from} total={data.total} onTurn={onTurn} />
      <CellTable label={t('tabs.rows')} answer={data} numbers={data.numbers} of={of} head={head} />
    </>
  );
}

function Narrowed({ filters, onOnly }: { filters: readonly RowFilter[]; onOnly(kept: readonly RowFilter[]): void }) {
  const t = useDatasetWords();
  const ui = useUiWords();
  if (filters.length === 0) return null;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
      {filters.map((filter) => {
        const text = filterText(filter, 'null');
        return (
          <Chip
            key={text}
            label={text}
            title={t('table.dropFilter')}
            onDelete={() => onOnly(filters.filter((each) => each !== filter))}
          />
        );
      })}
      <Button size="small" onClick={() => onOnly([])}>
        {ui('states.clearFilter')}
      </Button>
    </Box>
  );
}

interface SortButtonProps {
  column: string;
  sort: Sort | undefined;
  onSort(sort: Sort | undefined): void;
}

/** Ascending, descending, as they are. */
function SortButton({ column, sort, onSort }: SortButtonProps) {
  const t = useDatasetWords();
  const own = sort?.column === column ? sort : undefined;
  const Icon = own === undefined ? Sortable : own.descending ? ArrowDown : ArrowUp;
  const next =
    own === undefined ? { column, descending: false } : own.descending ? undefined : { column, descending: true };
  const label = t(`table.${next === undefined ? 'unsort' : next.descending ? 'sortDown' : 'sortUp'}`, { column });
  return (
    <IconButton size="small" aria-label={label} title={label} onClick={() => onSort(next)}>
      <Icon fontSize="inherit" />
    </IconButton>
  );
}
