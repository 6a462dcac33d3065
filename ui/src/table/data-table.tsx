// A list of any length: only visible rows are in the page. Columns are data; below 768 px a row becomes a card. Rows keep their
// height and their place while others change, so that nothing moves under the pointer.
// biome-ignore-all lint/a11y/useSemanticElements: rows are placed by transform, which parts of a <table> cannot be
// biome-ignore-all lint/a11y/useFocusableInteractive: a row and a cell have no focus, what is in them has
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { LoadedList } from '../client/use-api.tsx';
import { useUiWords } from '../i18n/use-words.tsx';
import { useRowPx } from '../theme/app-theme.tsx';
import { EmptyState, ErrorState, LoadingTable } from '../widgets/states.tsx';
import { stillThere, toggled } from './row-selection.ts';
import { CardsHead, type SelectionOfAll, TableHead } from './table-head.tsx';
import { TableRow } from './table-row.tsx';
import { useFittedTracks } from './use-fitted-tracks.ts';
import { useMore } from './use-more.ts';
import { useRowFocus } from './use-row-focus.ts';

/** The height of a table's headings. */
const HEAD_PX = 36;

/** Keep the array of them the same from one drawing to the next: rows whose object is the same are then left alone. */
export interface Column<Row> {
  readonly id: string;
  /** Empty: there is no heading, such as of buttons whose cells say it themselves. */
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  /** Until the content is measured, and the least thereafter: a track of CSS grid, such as `8rem`, `2fr`, `minmax(10rem, 2fr)`. */
  readonly width?: string;
  readonly align?: 'start' | 'end';
  /** The API's sort key. */
  readonly sort?: string;
  /** Neither on a card nor in a narrow window. */
  readonly isWideOnly?: boolean;
}

export interface Sorting {
  readonly by: string;
  readonly type: 'asc' | 'desc';
}

export interface DataTableProps<Row> {
  /** The table's name for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  list: Pick<
    LoadedList<Row>,
    'items' | 'total' | 'isLoading' | 'isLoadingMore' | 'hasMore' | 'error' | 'more' | 'again'
  >;
  idOf: (row: Row) => string;
  nameOf: (row: Row) => string;
  /** Shown if there are no rows. */
  empty?: ReactNode;
  sorting?: Sorting;
  onSort?: (sorting: Sorting) => void;
  selected?: ReadonlySet<string>;
  onSelect?: (selected: ReadonlySet<string>) => void;
  /** The height of the scrolling part. */
  maxHeight?: string | number;
}

/** Until a card is drawn. */
const CARD_PX = 168;
const OVERSCAN = 4;
/** Typical window height outside the rows. */
const AROUND_PX = 320;
const CARDS_BELOW = '(max-width: 767.95px)';
const FEWER_COLUMNS_BELOW = '(max-width: 1359.95px)';
const NOTHING: ReadonlySet<string> = new Set();
const SELECT_TRACK = '2.75rem';
const USUAL_TRACK = 'minmax(7rem, 1fr)';

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { empty } = props;
  // New rows are rendered in small steps, so that clicks and keys are handled in between.
  const list = useDeferredValue(props.list);
  if (list.error && list.items.length === 0) return <ErrorState error={list.error} onRetry={list.again} />;
  if (list.isLoading) return <LoadingTable />;
  if (list.items.length === 0) return <Paper variant="outlined">{empty ?? <EmptyState />}</Paper>;
  return (
    <>
      <FilledTable {...props} list={list} />
      {list.error && (
        <Box sx={{ mt: 1 }}>
          <ErrorState error={list.error} onRetry={list.again} />
        </Box>
      )}
    </>
  );
}

function FilledTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, list, idOf, nameOf, sorting, onSort, selected = NOTHING, onSelect } = props;
  const { maxHeight = 'max(24rem, calc(100dvh - 20rem))' } = props;
  const t = useUiWords();
  const rowPx = useRowPx();
  const isCards = useMediaQuery(CARDS_BELOW, { noSsr: true });
  const isNarrow = useMediaQuery(FEWER_COLUMNS_BELOW, { noSsr: true }) || isCards;
  const scroller = useRef<HTMLDivElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const { items } = list;
  const ids = useIds(items, idOf);
  const shown = useMemo(() => columns.filter(({ isWideOnly }) => !(isNarrow && isWideOnly)), [columns, isNarrow]);
  const headPx = isCards ? 0 : HEAD_PX;

  const held = useRef<number>(undefined);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    // Until it is laid out: else its rows would come after, all at once.
    initialRect: { width: 0, height: innerHeight - AROUND_PX },
    estimateSize: () => (isCards ? CARD_PX : rowPx),
    // Invisible rows are rendered after visible ones.
    overscan: useDeferredValue(OVERSCAN, 0),
    paddingStart: headPx,
    scrollPaddingStart: headPx,
    // The row with the focus stays, wherever one scrolls.
    rangeExtractor: useCallback(
      (range: Range) => withIndex(defaultRangeExtractor(range), held.current, range.count),
      [],
    ),
    // Heights of lines are all the same; those of cards stay with their objects.
    ...(isCards && { getItemKey: ids.at }),
  });
  // When the heights change, for cards or another density, they begin anew.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heights depend on it
  useLayoutEffect(() => rows.measure(), [isCards, rowPx, rows]);
  useMore(scroller, list);

  const focus = useRowFocus({
    scroller,
    indexOf: ids.indexOf,
    count: items.length,
    rowsPerPage: Math.max(1, Math.floor(((rows.scrollRect?.height ?? 0) - headPx) / rowPx) - 1),
    reveal: (index) => rows.scrollToIndex(index, { align: 'auto' }),
  });
  held.current = focus.index;

  const fitted = useFittedTracks(sheet, shown as readonly Column<never>[], items.length, !isCards);
  const { toggle, all } = useSelecting(ids, items.length, selected, onSelect);
  const barPx = useScrollbarHeight(scroller);
  const head = { columns: shown, sorting, onSort, selection: all };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (focus.onKeyDown(event) || !onSelect || !event.currentTarget.contains(event.target as HTMLElement)) return;
    const target = event.target as HTMLElement;
    const id = target.closest<HTMLElement>('[data-index]')?.dataset.id;
    if (event.key === ' ' && id !== undefined && target.matches('a')) toggle(id, event.shiftKey);
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey) && !target.matches('input[type=text]'))
      all?.set(true);
    else if (event.key === 'Escape' && selected.size > 0) all?.set(false);
    else return;
    event.preventDefault();
  };
  return (
    <div className="data-table-frame">
      {isCards && <CardsHead {...head} columns={columns} />}
      <div
        ref={scroller}
        className={`data-table ${isCards ? 'data-table-cards' : 'data-table-lines'}`}
        role="table"
        aria-label={label}
        aria-rowcount={list.total === undefined ? -1 : list.total + (isCards ? 0 : 1)}
        aria-busy={list.isLoadingMore}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions can be reached by keyboard
        tabIndex={0}
        onKeyDown={onKeyDown}
        onFocus={focus.onFocus}
        onBlur={focus.onBlur}
        style={{
          maxHeight,
          height: rows.getTotalSize() + barPx,
          ['--tracks' as string]: tracksOf(shown, fitted, onSelect !== undefined),
          ['--head-height' as string]: `${HEAD_PX}px`,
          ['--row-height' as string]: `${rowPx}px`,
        }}
      >
        <div data-sheet ref={sheet}>
          {!isCards && <TableHead {...head} />}
          <div role="rowgroup" style={{ position: 'relative', height: rows.getTotalSize() - headPx }}>
            {rows.getVirtualItems().map(({ index, start }) => {
              const row = items[index];
              if (row === undefined) return null;
              const id = ids.at(index);
              return (
                <TableRow
                  key={id}
                  row={row}
                  id={id}
                  columns={shown}
                  isCard={isCards}
                  index={index}
                  number={index + (isCards ? 1 : 2)}
                  topPx={start - headPx}
                  measure={isCards ? rows.measureElement : undefined}
                  isSelected={selected.has(id)}
                  selectLabel={onSelect && t('table.selectRow', { name: nameOf(row) })}
                  onToggle={toggle}
                />
              );
            })}
          </div>
        </div>
      </div>
      {list.isLoadingMore && (
        <Typography role="status" variant="body2" color="text.secondary" sx={{ p: 1, textAlign: 'center' }}>
          {t('table.loadingMore')}
        </Typography>
      )}
    </div>
  );
}

/** Ids by index and indexes by id; the latter are rarely needed. */
function useIds<Row>(items: readonly Row[], idOf: (row: Row) => string) {
  const read = useRef(idOf);
  read.current = idOf;
  const former = useRef(0);
  return useMemo(() => {
    const at = (index: number) => read.current(items[index] as Row);
    return {
      at,
      indexOf: (id: string) => {
        // Usually only one row is looked up, and it has not moved.
        const row = items[former.current];
        if (row !== undefined && read.current(row) === id) return former.current;
        const index = items.findIndex((each) => read.current(each) === id);
        former.current = index;
        return index;
      },
      all: () => items.map(read.current),
      is: (index: number, id: string) => index < items.length && at(index) === id,
    };
  }, [items]);
}

function useSelecting(
  ids: { all(): string[]; is(index: number, id: string): boolean },
  count: number,
  selected: ReadonlySet<string>,
  onSelect: ((selected: ReadonlySet<string>) => void) | undefined,
) {
  const anchor = useRef<string>(undefined);
  const places = useRef<ReadonlyMap<string, number>>(new Map());
  const now = useRef({ ids, selected, onSelect });
  now.current = { ids, selected, onSelect };
  const toggle = useCallback((id: string, isRange: boolean) => {
    const { ids, selected, onSelect } = now.current;
    onSelect?.(toggled(selected, ids.all(), id, isRange ? anchor.current : undefined));
    anchor.current = id;
  }, []);
  useEffect(() => {
    const { selected, onSelect } = now.current;
    if (!onSelect || selected.size === 0) return;
    // Usually nothing has moved: then there is no need to go through thousands.
    if ([...selected].every((id) => places.current.has(id) && ids.is(places.current.get(id) ?? -1, id))) return;
    const all = ids.all();
    places.current = new Map(all.map((id, at) => [id, at]));
    const kept = stillThere(selected, all);
    if (kept !== selected) onSelect(kept);
  }, [ids]);
  const set = useCallback((isOn: boolean) => {
    const { ids, onSelect } = now.current;
    onSelect?.(isOn ? new Set(ids.all()) : NOTHING);
  }, []);
  // Rows that were removed stay selected for one render at most.
  const state = selected.size === 0 ? 'none' : selected.size >= count ? 'all' : 'some';
  const isSelectable = onSelect !== undefined;
  const all = useMemo<SelectionOfAll | undefined>(
    () => (isSelectable ? { state, set } : undefined),
    [isSelectable, state, set],
  );
  return { toggle, all };
}

/** The height of a horizontal scrollbar: without it rows would need a vertical one too. */
function useScrollbarHeight(scroller: { readonly current: HTMLElement | null }): number {
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const look = () => setHeight(box.offsetHeight - box.clientHeight);
    look();
    // There is no bar if nothing is laid out. The observer reports when it comes or goes: measuring after each drawing would lay out the
    // page.
    if (!('ResizeObserver' in window)) return;
    const seen = new ResizeObserver(look);
    seen.observe(box);
    return () => seen.disconnect();
  }, [scroller]);
  return height;
}

function withIndex(indexes: number[], index: number | undefined, count: number): number[] {
  if (index === undefined || index >= count || indexes.includes(index)) return indexes;
  return [...indexes, index].sort((a, b) => a - b);
}

/** Lines are separate grids: no track may depend on the content of one. */
const tracksOf = (
  columns: readonly Column<never>[],
  fitted: readonly string[] | undefined,
  isSelectable: boolean,
): string =>
  [
    ...(isSelectable ? [SELECT_TRACK] : []),
    ...(fitted ??
      columns.map(({ width = USUAL_TRACK }) => (/^[\d.]+fr$/.test(width) ? `minmax(7rem, ${width})` : width))),
  ].join(' ');
