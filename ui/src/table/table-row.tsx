// One row: a line of cells, or a card. It renders again when its object, its place or its selection changes.
// biome-ignore-all lint/a11y/useSemanticElements: rows are placed by transform, which parts of a <table> cannot be
// biome-ignore-all lint/a11y/useFocusableInteractive: a row and a cell have no focus, what is in them has
import { memo, type ReactNode } from 'react';
import type { Column } from './data-table.tsx';

interface TableRowProps<Row> {
  row: Row;
  id: string;
  columns: readonly Column<Row>[];
  isCard: boolean;
  index: number;
  /** Counted from 1, with the row of headings. */
  number: number;
  topPx: number;
  /** Measures the element's height, if heights differ. */
  measure?: ((element: HTMLElement | null) => void) | undefined;
  isSelected: boolean;
  /** Absent: there is no selecting. */
  selectLabel?: string | undefined;
  onToggle: (id: string, isRange: boolean) => void;
}

export const TableRow = memo(TableRowOf) as unknown as typeof TableRowOf;

function TableRowOf<Row>(props: TableRowProps<Row>) {
  const { row, id, columns, isCard, index, number, topPx, measure, isSelected, selectLabel, onToggle } = props;
  return (
    // Plain elements, styled from above: hundreds a second may be drawn.
    <div
      ref={measure}
      role="row"
      aria-rowindex={number}
      data-index={index}
      data-id={id}
      data-selected={isSelected || undefined}
      style={{ transform: `translateY(${topPx}px)` }}
    >
      {selectLabel !== undefined && (
        <div role="cell" data-select>
          <input
            type="checkbox"
            className="plain-box"
            aria-label={selectLabel}
            checked={isSelected}
            onChange={({ nativeEvent }) => onToggle(id, (nativeEvent as MouseEvent).shiftKey)}
          />
        </div>
      )}
      <Cells columns={columns} row={row} isCard={isCard} />
    </div>
  );
}

// A row that only moves keeps its cells.
const Cells = memo(CellsOf) as unknown as typeof CellsOf;

function CellsOf<Row>({ columns, row, isCard }: Pick<TableRowProps<Row>, 'columns' | 'row' | 'isCard'>): ReactNode {
  if (!isCard)
    return columns.map(({ id, cell, align }) => (
      <div key={id} role="cell" data-cell data-align={align}>
        {cell(row)}
      </div>
    ));
  // A label beside nothing says nothing.
  const lines = columns.map(({ id, label, cell }) => ({ id, label, value: cell(row) })).filter(isShown);
  return (
    <div data-card>
      {lines.map(({ id, label, value }, at) => (
        // The first says what the card is of, and needs no label.
        <div key={id} role="cell" data-line data-title={at === 0 || undefined}>
          {at > 0 && label !== '' && <span data-label>{label}</span>}
          <div data-value>{value}</div>
        </div>
      ))}
    </div>
  );
}

const isShown = ({ value }: { value: ReactNode }): boolean => value !== null && value !== undefined && value !== false;
