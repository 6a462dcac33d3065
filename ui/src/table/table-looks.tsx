// How a table looks, as classes that are there from its first drawing on: worked out once, not each time that a row changes.
import { color, symbol } from '../theme/looks.ts';
import { sheetOf } from '../theme/sheet.ts';
import { HEAD_PX, ROW_PX } from './sizes.ts';

const shade = (action: 'hover' | 'selected') =>
  `linear-gradient(${color(`action-${action}`)}, ${color(`action-${action}`)})`;

const ARROW = symbol('M13 4h-2v12l-5.5-5.5L4 12l8 8 8-8-1.5-1.5L13 16z', 18);

const BOTH = {
  '.data-table': {
    overflow: 'auto',
    contain: 'strict',
    // The outline is drawn within, where nothing cuts it off.
    '&:focus-visible': { outlineOffset: '-2px' },
    // As wide as its columns need at least.
    '& [data-sheet]': { minWidth: 'min-content' },
    '& [data-index]': {
      position: 'absolute',
      insetInline: 0,
      borderTop: `1px solid ${color('divider')}`,
      backgroundColor: color('background-paper'),
      // Laid over what is opaque: the last cell lies over others.
      '&:hover, &:focus-within': { backgroundImage: shade('hover') },
      '&[data-selected]': { backgroundImage: shade('selected') },
    },
    // As MUI's Link, which is too much for every row.
    '& a:not([class])': {
      color: color('primary-main'),
      textDecorationColor: `rgba(${color('primary-mainChannel')} / 0.4)`,
      '&:hover': { textDecorationColor: 'inherit' },
    },
  },
  '.data-table-frame': {
    overflow: 'hidden',
    border: `1px solid ${color('divider')}`,
    borderRadius: 8,
    backgroundColor: color('background-paper'),
  },
} as const;

const LINES = {
  '.data-table-lines': {
    '& [role=row]': { display: 'grid', gridTemplateColumns: 'var(--tracks)', alignItems: 'center' },
    '& [data-head]': { position: 'sticky', top: 0, zIndex: 1, backgroundColor: color('background-paper') },
    '& [data-head] [role=row]': { height: HEAD_PX, fontSize: 13, fontWeight: 600, color: color('text-secondary') },
    '& [data-index]': { height: ROW_PX, fontSize: 14, lineHeight: 1.43 },
    '& [data-cell]': {
      paddingInline: 12,
      minWidth: 0,
      // Outlines of what is in it are not cut off.
      overflow: 'clip',
      overflowClipMargin: '6px',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
    },
    '& [data-sort]': {
      display: 'inline-flex',
      flexDirection: 'inherit',
      alignItems: 'center',
      // Its first part may be the arrow, which has another line than the words of its neighbours.
      verticalAlign: 'bottom',
      padding: 0,
      border: 0,
      background: 'none',
      font: 'inherit',
      color: 'inherit',
      cursor: 'pointer',
      '&::after': {
        content: '""',
        width: 18,
        height: 18,
        margin: '0 4px',
        background: 'currentColor',
        mask: ARROW,
        opacity: 0,
        transition: 'opacity 200ms, transform 200ms',
        '@media (forced-colors: active)': { background: 'CanvasText' },
      },
      '&:hover, &:focus-visible': { color: color('text-primary') },
      '&:hover::after, &:focus-visible::after': { opacity: 0.5 },
    },
    '& [aria-sort=ascending], & [aria-sort=descending]': { color: color('text-primary') },
    '& :is([aria-sort=ascending], [aria-sort=descending]) > [data-sort]::after': { opacity: 1 },
    '& :not([aria-sort=descending]) > [data-sort]::after': { transform: 'rotate(180deg)' },
    // A heading's arrow then stands before it: words and numbers end at the same edge.
    '& [data-align=end]': { textAlign: 'end', flexDirection: 'row-reverse' },
    // Where there is no room for all, what can be done stays in sight.
    '& [data-cell]:last-child': {
      position: 'sticky',
      insetInlineEnd: 0,
      backgroundColor: color('background-paper'),
      backgroundImage: 'inherit',
    },
  },
} as const;

const CARDS = {
  '[data-above-cards]': {
    display: 'flex',
    alignItems: 'center',
    gap: 8,
    minHeight: 56,
    paddingInline: 8,
    borderBottom: `1px solid ${color('divider')}`,
    '& > label': { display: 'flex', alignItems: 'center', fontSize: '0.9375rem', cursor: 'pointer' },
    '& > .plain-field': { marginInlineStart: 'auto', minWidth: '9rem', maxWidth: '60%' },
  },
  '.data-table-cards': {
    '& [data-index]': { display: 'flex', alignItems: 'flex-start', gap: 4, padding: 12, fontSize: 14 },
    '& [data-index="0"]': { borderTop: 0 },
    '& [data-select]': { marginTop: -8, marginLeft: -8 },
    '& [data-card]': {
      flex: 1,
      minWidth: 0,
      display: 'grid',
      gridTemplateColumns: 'auto 1fr',
      columnGap: 16,
      rowGap: 6,
    },
    '& [data-line]': {
      display: 'grid',
      gridColumn: '1 / -1',
      gridTemplateColumns: 'subgrid',
      alignItems: 'center',
      minHeight: 24,
    },
    '& [data-label]': { fontSize: 13, color: color('text-secondary') },
    '& [data-value]': {
      minWidth: 0,
      overflowWrap: 'anywhere',
      justifySelf: 'end',
      textAlign: 'end',
      gridColumn: '2',
    },
    '& [data-title] [data-value]': {
      gridColumn: '1 / -1',
      justifySelf: 'start',
      textAlign: 'start',
      fontWeight: 600,
    },
  },
} as const;

/** The same element each time, which React then leaves alone. */
export const TABLE_LOOKS = <style>{sheetOf({ ...BOTH, ...LINES, ...CARDS })}</style>;
