// Looks of what a list has in every row, and of what a page's first moment has: MUI's own, as classes of one stylesheet that is there
// from the beginning. MUI's components work their styles out each time they are drawn, which is what scrolling through ten thousand
// rows mostly did.
import { color, symbol } from './looks.ts';
import { PLAIN_FIELD_LOOKS } from './plain-field-looks.ts';

const faint = (channel: string, opacity: number | string) => `rgba(${color(channel)} / ${opacity})`;
const HOVER = color('action-hoverOpacity');
const EMPTY = symbol('M19 5v14H5V5h14m0-2H5c-1.1 0-2 .9-2 2v14c0 1.1.9 2 2 2h14c1.1 0 2-.9 2-2V5c0-1.1-.9-2-2-2z');
const TICKED = symbol(
  'M19 3H5c-1.11 0-2 .9-2 2v14c0 1.1.89 2 2 2h14c1.11 0 2-.9 2-2V5c0-1.1-.89-2-2-2zm-9 14l-5-5 1.41-1.41L10 14.17l7.59-7.59L19 8l-9 9z',
);
const PARTLY = symbol('M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zm2 8v2h10v-2z');
const SPIN = { '@keyframes plain-spin': { to: { transform: 'rotate(360deg)' } } };
const WHEEL = {
  width: 14,
  height: 14,
  boxSizing: 'border-box',
  border: '2px solid currentColor',
  borderRightColor: 'transparent',
  borderRadius: '50%',
  animation: 'plain-spin 1.4s linear infinite',
};
const tone = (name: string) => ({ color: color(`${name}-main`), borderColor: faint(`${name}-mainChannel`, 0.7) });
const BARE = { margin: 0, background: 'none', font: 'inherit', cursor: 'pointer', boxSizing: 'border-box' } as const;

export const PLAIN_LOOKS = {
  ...SPIN,
  ...PLAIN_FIELD_LOOKS,
  '.plain-box': {
    ...BARE,
    appearance: 'none',
    display: 'block',
    width: 42,
    height: 42,
    padding: 9,
    borderRadius: '50%',
    color: color('text-secondary'),
    '&::before': { content: '""', display: 'block', width: 24, height: 24, background: 'currentColor', mask: EMPTY },
    '&:checked, &:indeterminate': { color: color('primary-main') },
    '&:checked::before': { mask: TICKED },
    '&:indeterminate::before': { mask: PARTLY },
    '&:hover': { backgroundColor: faint('text-primaryChannel', HOVER) },
    '&:is(:checked, :indeterminate):hover': { backgroundColor: faint('primary-mainChannel', HOVER) },
    // A background is the page's own then, and a tick made of it not to be seen: the browser's is.
    '@media (forced-colors: active)': {
      appearance: 'auto',
      width: 24,
      height: 24,
      margin: 9,
      '&::before': { display: 'none' },
    },
  },
  '.plain-button': {
    ...BARE,
    position: 'relative',
    minWidth: 64,
    padding: '3px 9px',
    border: `1px solid ${faint('primary-mainChannel', 0.5)}`,
    borderRadius: 8,
    color: color('primary-main'),
    fontSize: '0.8125rem',
    fontWeight: 600,
    lineHeight: 1.75,
    '&:hover': { borderColor: color('primary-main'), backgroundColor: faint('primary-mainChannel', HOVER) },
    '&:disabled': {
      color: color('action-disabled'),
      borderColor: color('action-disabledBackground'),
      backgroundColor: 'transparent',
      cursor: 'default',
    },
    '&[aria-busy=true]': { color: 'transparent' },
    '&[aria-busy=true]::after': {
      content: '""',
      ...WHEEL,
      position: 'absolute',
      inset: 0,
      margin: 'auto',
      color: color('action-disabled'),
    },
  },
  '.plain-icon-button': {
    ...BARE,
    display: 'flex',
    padding: 5,
    border: 0,
    borderRadius: '50%',
    color: color('action-active'),
    '&:hover': { backgroundColor: faint('action-activeChannel', HOVER) },
    '& svg': { width: 20, height: 20, fill: 'currentColor' },
    '&[data-size=medium]': { padding: 8 },
  },
  '.plain-chip': {
    display: 'inline-flex',
    alignItems: 'center',
    maxWidth: '100%',
    height: 24,
    boxSizing: 'border-box',
    border: `1px solid ${color('Chip-defaultBorder')}`,
    borderRadius: 16,
    color: color('text-primary'),
    fontSize: '0.8125rem',
    lineHeight: 1.5,
    whiteSpace: 'nowrap',
    verticalAlign: 'middle',
    '& > :first-child': { flex: 'none', marginLeft: 2, marginRight: -4 },
    '& > svg': { width: 18, height: 18, fill: 'currentColor' },
    '& > i': WHEEL,
    '& > span': { overflow: 'hidden', textOverflow: 'ellipsis', padding: '0 7px' },
    '&[data-tone=neutral] > svg': { color: color('Chip-defaultIconColor') },
    '&[data-tone=progress]': tone('info'),
    '&[data-tone=good]': tone('success'),
    '&[data-tone=warning]': tone('warning'),
    '&[data-tone=bad]': tone('error'),
  },
} as const;
