// Headings of a table; above cards, where there are no columns, a list of what they can be ordered by.
// biome-ignore-all lint/a11y/useSemanticElements: rows are placed by transform, which parts of a <table> can not be
// biome-ignore-all lint/a11y/useFocusableInteractive: a row and a cell have no focus, what is in them has
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import TableSortLabel from '@mui/material/TableSortLabel';
import TextField from '@mui/material/TextField';
import { memo } from 'react';
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
                <TableSortLabel
                  active={isSorted}
                  direction={isSorted ? sorting.type : 'asc'}
                  onClick={() => onSort({ by: sort, type: isSorted && sorting.type === 'asc' ? 'desc' : 'asc' })}
                >
                  {label}
                </TableSortLabel>
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
    <Checkbox
      checked={state === 'all'}
      indeterminate={state === 'some'}
      onChange={() => set(state !== 'all')}
      slotProps={{ input: { 'aria-label': t('actions.selectAll') } }}
    />
  );
}

/** Above cards. */
export function CardsHead<Row>({ columns, sorting, onSort, selection }: HeadProps<Row>) {
  const t = useUiWords();
  const sortable = onSort ? columns.filter(({ sort }) => sort !== undefined) : [];
  if (!selection && sortable.length === 0) return null;
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        minHeight: 56,
        px: 1,
        borderBottom: 1,
        borderColor: 'divider',
      }}
    >
      {selection && (
        <FormControlLabel
          sx={{ ml: 0 }}
          control={
            <Checkbox
              checked={selection.state === 'all'}
              indeterminate={selection.state === 'some'}
              onChange={() => selection.set(selection.state !== 'all')}
            />
          }
          label={t('actions.selectAll')}
        />
      )}
      {sortable.length > 0 && (
        <TextField
          select
          label={t('table.order')}
          value={sorting ? `${sorting.by} ${sorting.type}` : ''}
          onChange={({ target }) => {
            const [by = '', type] = target.value.split(' ');
            onSort?.({ by, type: type === 'asc' ? 'asc' : 'desc' });
          }}
          sx={{ ml: 'auto', width: 'auto', minWidth: '9rem', maxWidth: '60%' }}
        >
          {sortable.flatMap(({ label, sort }) =>
            (['asc', 'desc'] as const).map((type) => (
              <MenuItem key={`${sort} ${type}`} value={`${sort} ${type}`}>
                {label} {type === 'asc' ? '↑' : '↓'}
              </MenuItem>
            )),
          )}
        </TextField>
      )}
    </Box>
  );
}
