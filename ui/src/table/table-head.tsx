// Headings of a table; above cards, which have no columns, a list of sort orders.
// biome-ignore-all lint/a11y/useSemanticElements: rows are placed by transform, which parts of a <table> cannot be
// biome-ignore-all lint/a11y/useFocusableInteractive: a row and a cell have no focus, what is in them has
import { memo, useId } from 'react';
import { PlainField } from '../form/plain-field.tsx';
import { useUiWords } from '../i18n/use-words.tsx';
import type { Column, Sorting } from './data-table.tsx';

interface HeadProps<Row> {
  columns: readonly Column<Row>[];
  sorting: Sorting | undefined;
  onSort: ((sorting: Sorting) => void) | undefined;
  selection: SelectionOfAll | undefined;
}

export interface SelectionOfAll {
  readonly state: 'none' | 'some' | 'all';
  set(isAll: boolean): void;
}

// While rows change the head stays as it is.
export const TableHead = memo(TableHeadOf) as unknown as typeof TableHeadOf;

function TableHeadOf<Row>({ columns, sorting, onSort, selection }: HeadProps<Row>) {
  return (
    <div role="rowgroup" data-head>
      <div role="row" aria-rowindex={1}>
        {selection && (
          <div role="columnheader" data-select>
            <SelectAll {...selection} />
          </div>
        )}
        {columns.map(({ id, label, sort, align }) => {
          const isSorted = sort !== undefined && sorting?.by === sort;
          return (
            <div
              key={id}
              role="columnheader"
              data-cell
              data-align={align}
              {...(sort !== undefined &&
                onSort && {
                  'aria-sort': isSorted ? (sorting.type === 'asc' ? 'ascending' : 'descending') : 'none',
                })}
            >
              {sort !== undefined && onSort ? (
                <button
                  type="button"
                  data-sort
                  onClick={() => onSort({ by: sort, type: isSorted && sorting.type === 'asc' ? 'desc' : 'asc' })}
                >
                  {label}
                </button>
              ) : (
                label
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function SelectAll({ state, set }: SelectionOfAll) {
  const t = useUiWords();
  return (
    <input
      type="checkbox"
      className="plain-box"
      aria-label={t('actions.selectAll')}
      checked={state === 'all'}
      // No attribute exists for this.
      ref={(box) => {
        if (box) box.indeterminate = state === 'some';
      }}
      onChange={() => set(state !== 'all')}
    />
  );
}

export function CardsHead<Row>({ columns, sorting, onSort, selection }: HeadProps<Row>) {
  const t = useUiWords();
  const id = useId();
  const sortable = onSort ? columns.filter(({ sort }) => sort !== undefined) : [];
  if (!selection && sortable.length === 0) return null;
  const order = sorting ? `${sorting.by} ${sorting.type}` : '';
  // Else the first would be shown as if it were the list's, and could not be chosen.
  const isOffered = sortable.some(({ sort }) => sort === sorting?.by);
  return (
    <div data-above-cards>
      {selection && (
        // biome-ignore lint/a11y/noLabelWithoutControl: the box is in it
        <label>
          <SelectAll {...selection} />
          {t('actions.selectAll')}
        </label>
      )}
      {sortable.length > 0 && (
        <PlainField id={id} label={t('table.order')}>
          <select
            id={id}
            value={order}
            onChange={({ target }) => {
              const [by = '', type] = target.value.split(' ');
              onSort?.({ by, type: type === 'asc' ? 'asc' : 'desc' });
            }}
          >
            {!isOffered && (
              <option value={order} disabled hidden>
                –
              </option>
            )}
            {sortable.flatMap(({ label, sort }) =>
              (['asc', 'desc'] as const).map((type) => (
                <option key={`${sort} ${type}`} value={`${sort} ${type}`}>
                  {label} {type === 'asc' ? '↑' : '↓'}
                </option>
              )),
            )}
          </select>
        </PlainField>
      )}
    </div>
  );
}
