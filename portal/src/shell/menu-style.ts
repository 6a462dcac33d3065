// A menu of the header: it opens without scripts.

const whole = { position: 'relative', fontSize: 14 } as const;

const summary = {
  cursor: 'pointer',
  px: 1,
  py: 0.75,
  borderRadius: 1,
  whiteSpace: 'nowrap',
  '&:hover': { bgcolor: 'action.hover' },
} as const;

const list = {
  position: 'absolute',
  right: 0,
  zIndex: 1,
  m: 0,
  mt: 0.5,
  p: 0.5,
  listStyle: 'none',
  minWidth: 140,
  bgcolor: 'background.paper',
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
  boxShadow: 3,
} as const;

const item = {
  display: 'block',
  px: 1.5,
  py: 1,
  borderRadius: 1,
  color: 'text.primary',
  textDecoration: 'none',
  '&:hover': { bgcolor: 'action.hover' },
  '&[aria-current]': { fontWeight: 600 },
} as const;

/** An item that does something, instead of leading somewhere. */
const button = {
  width: '100%',
  border: 0,
  bgcolor: 'transparent',
  font: 'inherit',
  textAlign: 'start',
  cursor: 'pointer',
} as const;

export const MENU = { whole, summary, list, item, button } as const;
