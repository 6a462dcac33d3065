// The palette's results: rows in their groups that match the typed text. Pure.
export type RowGroup = 'pages' | 'instances' | 'hosts' | 'disks' | 'commands';

export interface PaletteRow {
  readonly id: string;
  readonly group: RowGroup;
  readonly label: string;
  /** Beside the label. */
  readonly hint?: string;
  /** More that it is found by. */
  readonly words?: readonly string[];
  run(): void;
}

const GROUPS: readonly RowGroup[] = ['pages', 'instances', 'hosts', 'disks', 'commands'];

/**
 * Every typed word must be in the label, the hint or the other words; rows that begin with the text come first in their group.
 */
export function matchingRows(rows: readonly PaletteRow[], text: string): readonly PaletteRow[] {
  const typed = text.trim().toLowerCase();
  const parts = typed.split(/\s+/);
  const matches = rows.filter(({ label, hint = '', words = [] }) => {
    const searched = [label, hint, ...words].join(' ').toLowerCase();
    return parts.every((part) => searched.includes(part));
  });
  const rank = ({ group, label }: PaletteRow): number =>
    GROUPS.indexOf(group) * 2 + (typed !== '' && label.toLowerCase().startsWith(typed) ? 0 : 1);
  return [...matches].sort((a, b) => rank(a) - rank(b));
}

/** The row that an arrow leads to: round from the end to the beginning. */
export const stepped = (at: number, by: number, count: number): number => (count === 0 ? 0 : (at + by + count) % count);
