// The rows of a version's table, from any place; narrowed and sorted as the address says.
import type { DatasetType } from '@gantry/contract/areas/datasets/dataset-facets.ts';
import type { DatasetDetailView } from '@gantry/contract/areas/datasets/datasets.ts';
import type { DatasetRowsView } from '@gantry/contract/areas/datasets/tables.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { EmptyState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import ArrowDown from '@mui/icons-material/ArrowDownward';
import ArrowUp from '@mui/icons-material/ArrowUpward';
import Sortable from '@mui/icons-material/UnfoldMore';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useSearchParams } from 'react-router';
import { useAsked } from '../../../parts/use-asked.ts';
import { useDatasetWords } from '../use-dataset-words.ts';
import { AskedState } from './asked-state.tsx';
import { CellTable } from './cell-table.tsx';
import { filtersIn, filterText, type RowFilter, type Sort, sortIn } from './filters.ts';
import { OfTable, type TableOf } from './of-table.tsx';
import { OwnRows } from './own-rows.tsx';
import { documentViewOf, type OwnView, ownViewOf } from './own-view.ts';
import { paragraphsIn } from './paragraphs.ts';
import { PAGE_ROWS, RowPager } from './row-pager.tsx';
import { SaveTable } from './save-table.tsx';

export function RowsTab({ dataset }: { dataset: DatasetDetailView }) {
  return (
    <OfTable
      dataset={dataset}
      actions={(of, { parts }) => <SaveTable name={dataset.name} of={of} content="data" parts={parts} />}
    >
      {(of) => <Rows of={of} type={dataset.type} />}
    </OfTable>
  );
}

const numberIn = (params: URLSearchParams, name: string): number | undefined => {
  const text = params.get(name) ?? '';
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined;
};

/** Paragraphs of the address: of the one document that it shows. */
const useMarked = () => paragraphsIn(useSearchParams()[0].get('paragraph'));

/** Of a page. Those that are read take more room than those of a table, and a document's are read one by one. */
const sizeFor = (view: OwnView | undefined): number =>
  view === undefined ? PAGE_ROWS : view.kind === 'document' ? 1 : 20;

/** What its columns say decides how its rows are shown. */
function Rows({ of, type }: { of: TableOf; type: DatasetType }) {
  const isRead = useMarked() !== undefined;
  const { data, isLoading } = useCall(
    CALLS.getDatasetStatistics,
    { params: paramsOf(of) },
    { enabled: type !== 'file' || isRead },
  );
  if (isLoading) return <LoadingRows />;
  return <Shown of={of} own={data && ((isRead && documentViewOf(data.columns)) || ownViewOf(type, data.columns))} />;
}

function Shown({ of, own }: { of: TableOf; own: OwnView | undefined }) {
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
  const view = params.get('view') === 'table' ? undefined : own;
  const size = sizeFor(view);
  const marked = row === undefined || row === 0 ? undefined : row - 1;
  const from = numberIn(params, 'from') ?? (marked === undefined ? 0 : marked - (marked % size));
  const turn = (to: number) => change((next) => next.set('from', `${to}`));
  const paging = { of, from, size, view, onTurn: turn };
  const choice = own && (
    <ViewChoice
      own={own}
      isTable={view === undefined}
      onTable={(isTable) => change((next) => (isTable ? next.set('view', 'table') : next.delete('view')))}
    />
  );
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
      // They are of what was shown.
      next.delete('paragraph');
      for (const one of kept) next.append('filter', JSON.stringify(one));
    });
  if (filters.length === 0 && sort === undefined)
    return (
      <>
        {choice}
        <InOrder
          {...paging}
          marked={marked}
          head={head}
          onJump={(to) => change((next) => next.set('row', `${to + 1}`))}
        />
      </>
    );
  return (
    <>
      {choice}
      <Narrowed filters={filters} onOnly={only} />
      <FoundRows {...paging} filters={filters} sort={sort} head={head} />
    </>
  );
}

/** The table, or how such rows read best. */
function ViewChoice({ own, isTable, onTable }: { own: OwnView; isTable: boolean; onTable(isTable: boolean): void }) {
  const t = useDatasetWords();
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      aria-label={t('table.view')}
      value={isTable ? 'table' : 'own'}
      onChange={(_, chosen: 'table' | 'own' | null) => chosen && onTable(chosen === 'table')}
      sx={{ display: 'flex', mb: 1 }}
    >
      <ToggleButton value="own">{t(`table.views.${own.kind}`)}</ToggleButton>
      <ToggleButton value="table">{t('table.views.table')}</ToggleButton>
    </ToggleButtonGroup>
  );
}

interface PageProps {
  of: TableOf;
  from: number;
  size: number;
  view: OwnView | undefined;
  head(column: string): React.ReactNode;
  onTurn(from: number): void;
}

const paramsOf = ({ id, version }: TableOf) => ({ id, version: `${version}` });

function InOrder({
  of,
  from,
  size,
  view,
  marked,
  head,
  onTurn,
  onJump,
}: PageProps & { marked: number | undefined; onJump(row: number): void }) {
  const input = { params: paramsOf(of), query: { from, size } };
  const { data, error, isPreparing, refetch } = useAsked(CALLS.listDatasetRows, input);
  if (!data || error) return <AskedState error={error} isPreparing={isPreparing} onRetry={() => void refetch()} />;
  return (
    <>
      <RowPager from={from} total={data.total} size={size} onTurn={onTurn} onJump={onJump} />
      <Cells view={view} answer={data} numbers={data.rows.map((_, at) => from + at)} {...{ of, marked, head }} />
    </>
  );
}

type FoundProps = PageProps & { filters: readonly RowFilter[]; sort: Sort | undefined };

function FoundRows({ of, from, size, view, filters, sort, head, onTurn }: FoundProps) {
  const { data, error, isPreparing, refetch } = useAsked(CALLS.findDatasetRows, {
    params: paramsOf(of),
    body: { filters: [...filters], ...(sort && { sort: { ...sort } }), from, size },
  });
  if (!data || error) return <AskedState error={error} isPreparing={isPreparing} onRetry={() => void refetch()} />;
  return (
    <>
      <RowPager from={from} total={data.total} size={size} onTurn={onTurn} />
      <Cells view={view} answer={data} numbers={data.numbers} of={of} marked={undefined} head={head} />
    </>
  );
}

interface CellsProps extends Pick<PageProps, 'of' | 'view' | 'head'> {
  answer: Pick<DatasetRowsView, 'columns' | 'rows' | 'cut'>;
  numbers: readonly number[];
  marked: number | undefined;
}

function Cells({ view, head, ...shown }: CellsProps) {
  const t = useDatasetWords();
  const paragraphs = useMarked();
  if (shown.answer.rows.length === 0) return <EmptyState title={t('table.noRows')} hint={t('table.noRowsHint')} />;
  if (view) return <OwnRows view={view} label={t('tabs.rows')} paragraphs={paragraphs} {...shown} />;
  return <CellTable label={t('tabs.rows')} head={head} {...shown} />;
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
