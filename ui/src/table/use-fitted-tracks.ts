// Column widths by content. Lines are separate grids, which know nothing of each other: their cells are measured together, and all get
// the same tracks. Widths only grow while a list is shown, so that columns do not move to and fro.
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Column } from './data-table.tsx';

/** What the cells of a column take, in px: whole, and without what a person may miss. */
export interface Wanted {
  readonly whole: number;
  readonly least: number;
}

/** A name of a thousand letters does not take the room of the other columns. */
const MOST_PX = 480;
const REM_PX = 16;
const USUAL_PX = 7 * REM_PX;

/** The least width of a column of texts, in px: of `minmax(9rem, 3fr)`, `2fr`. Undefined for a width that is fixed. */
export function leastPx(width: string | undefined): number | undefined {
  if (width !== undefined && !width.includes('fr')) return undefined;
  const rem = /([\d.]+)rem/.exec(width ?? '')?.[1];
  return rem === undefined ? USUAL_PX : Number(rem) * REM_PX;
}

/**
 * Where there is room, nothing is cut, and what is left is shared out by width. Where there is none, first second lines give way, and
 * columns of texts down to their least; numbers and states stay whole. Buttons at the end get what they want and no more.
 */
export function tracksFor(
  columns: readonly Pick<Column<never>, 'width' | 'id' | 'align'>[],
  wanted: readonly Wanted[],
) {
  return columns.map(({ id, width, align }, at) => {
    const { whole = 0, least = 0 } = wanted[at] ?? {};
    // A number without its rest says something else.
    const kept = align === 'end' ? whole : least;
    const px = Math.min(Math.ceil(whole), MOST_PX);
    if (id === 'actions') return `${px}px`;
    return `minmax(${Math.min(px, Math.ceil(kept), leastPx(width) ?? MOST_PX)}px, ${px}fr)`;
  });
}

/** Undefined until something was measured, and where nothing is laid out. `count` is the number of rows. */
export function useFittedTracks(
  sheet: { readonly current: HTMLElement | null },
  columns: readonly Column<never>[],
  count: number,
  isOn: boolean,
): readonly string[] | undefined {
  const [fitted, setFitted] = useState<{ columns: object; tracks: readonly string[] }>();
  const widest = useRef<{ columns: object; fonts: object; wanted: readonly Wanted[] }>(undefined);
  const fonts = useFonts();
  // biome-ignore lint/correctness/useExhaustiveDependencies: more rows may need more room
  useLayoutEffect(() => {
    if (!isOn || !sheet.current) return;
    const now = measured(sheet.current, columns.length);
    if (now.every(({ whole }) => whole === 0)) return;
    const isSame = widest.current?.columns === columns && widest.current.fonts === fonts;
    const former = isSame ? (widest.current?.wanted ?? []) : [];
    const wanted = now.map(({ whole, least }, at) => ({
      whole: Math.max(whole, former[at]?.whole ?? 0),
      least: Math.max(least, former[at]?.least ?? 0),
    }));
    widest.current = { columns, fonts, wanted };
    if (wanted.some(({ whole, least }, at) => whole !== former[at]?.whole || least !== former[at]?.least))
      setFitted({ columns, tracks: tracksFor(columns, wanted) });
  }, [sheet, columns, count, isOn, fonts]);
  return fitted?.columns === columns ? fitted.tracks : undefined;
}

/** Another object once a font has come: it is wider or narrower than what stood for it. */
function useFonts(): object {
  const [fonts, setFonts] = useState<object>({});
  useEffect(() => {
    const again = () => setFonts({});
    document.fonts?.addEventListener('loadingdone', again);
    return () => document.fonts?.removeEventListener('loadingdone', again);
  }, []);
  return fonts;
}

const widthOf = (element: Element): number => element.getBoundingClientRect().width;

/** What the cells of each column want at most. */
function measured(sheet: HTMLElement, columns: number): Wanted[] {
  sheet.dataset.measuring = '';
  const wanted = Array.from({ length: columns }, () => ({ whole: 0, least: 0 }));
  for (const row of sheet.querySelectorAll('[role="row"]'))
    for (const [at, cell] of row.querySelectorAll<HTMLElement>(':scope > [data-cell]').entries()) {
      const column = wanted[at];
      if (!column) continue;
      const whole = widthOf(cell);
      const lines = cell.querySelector<HTMLElement>(':scope > .two-lines');
      const first = lines?.firstElementChild;
      column.whole = Math.max(column.whole, whole);
      column.least = Math.max(column.least, lines && first ? whole - widthOf(lines) + widthOf(first) : whole);
    }
  delete sheet.dataset.measuring;
  return wanted;
}
