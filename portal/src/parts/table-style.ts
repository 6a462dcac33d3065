/** A table of facts; it scrolls within its own box where the window is narrow. */
export const TABLE = {
  width: '100%',
  borderCollapse: 'collapse',
  fontSize: 15,
  '& th, & td': { textAlign: 'left', verticalAlign: 'top', px: 1.5, py: 1.25, borderBottom: 1, borderColor: 'divider' },
  '& thead th': { fontSize: 13, fontWeight: 600, color: 'text.secondary', whiteSpace: 'nowrap' },
  '& td': { fontVariantNumeric: 'tabular-nums' },
  '& a:not([class])': { color: 'primary.main', fontWeight: 600 },
} as const;
