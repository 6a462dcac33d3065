// How a plain field looks: as MUI's outlined one does, whose label moves up where something is typed. What it depends on the
// browser knows, so that nothing is drawn twice for it.
import { color, symbol } from './looks.ts';

/** The label is above; so it is with what the browser fills in. */
const RAISED = '&:has(select, input:focus, input:not(:placeholder-shown), input:-webkit-autofill)';
const ARROW = symbol('M7 10l5 5 5-5z');
const TIMING = '200ms cubic-bezier(0, 0, 0.2, 1)';

export const PLAIN_FIELD_LOOKS = {
  '.plain-field': {
    position: 'relative',
    // Its longest choice does not make a column of a grid wider.
    minWidth: 0,
    fontSize: '0.9375rem',
    '& label': {
      position: 'absolute',
      insetInlineStart: 0,
      top: 0,
      zIndex: 1,
      maxWidth: 'calc(100% - 24px)',
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
      pointerEvents: 'none',
      lineHeight: '1.4375em',
      color: color('text-secondary'),
      transformOrigin: 'top left',
      transform: 'translate(14px, 9px)',
      transition: `color ${TIMING}, transform ${TIMING}, max-width ${TIMING}`,
    },
    '& [data-box]': {
      position: 'relative',
      display: 'flex',
      alignItems: 'center',
      borderRadius: 8,
      lineHeight: '1.4375em',
      cursor: 'text',
    },
    '& [data-box]:has(button)': { paddingRight: 14 },
    '& :is(input, select)': {
      flex: 1,
      minWidth: 0,
      height: '1.4375em',
      boxSizing: 'content-box',
      margin: 0,
      padding: '8.5px 14px',
      border: 0,
      outline: 0,
      background: 'none',
      color: color('text-primary'),
      font: 'inherit',
      textOverflow: 'ellipsis',
      '&:-webkit-autofill': { borderRadius: 'inherit' },
      '&::placeholder': { color: color('text-secondary'), opacity: 0 },
      '&:focus::placeholder': { opacity: 1 },
      '&::-webkit-search-decoration': { appearance: 'none' },
    },
    '& select': { appearance: 'none', paddingRight: 32, cursor: 'pointer' },
    // Of its own: the browser's are the system's, and a select draws no ::after.
    '& [data-box]:has(select)::after': {
      content: '""',
      position: 'absolute',
      insetInlineEnd: 7,
      width: 24,
      height: 24,
      pointerEvents: 'none',
      background: color('action-active'),
      mask: ARROW,
      // A background is the page's own then.
      '@media (forced-colors: active)': { background: 'CanvasText' },
    },
    '& option': { color: color('text-primary'), backgroundColor: color('background-paper') },
    '& button': { marginLeft: 8, marginRight: -3 },
    '& fieldset': {
      position: 'absolute',
      inset: '-5px 0 0',
      margin: 0,
      padding: '0 8px',
      minWidth: 0,
      overflow: 'hidden',
      pointerEvents: 'none',
      textAlign: 'left',
      border: `1px solid rgba(${color('common-onBackgroundChannel')} / 0.23)`,
      borderRadius: 8,
    },
    '& legend': {
      display: 'block',
      width: 'auto',
      maxWidth: 0.01,
      height: 11,
      padding: 0,
      overflow: 'hidden',
      whiteSpace: 'nowrap',
      fontSize: '0.75em',
      visibility: 'hidden',
      transition: 'max-width 50ms cubic-bezier(0, 0, 0.2, 1)',
    },
    '& legend span': { display: 'inline-block', padding: '0 5px' },
    [RAISED]: {
      '& label': { maxWidth: 'calc(133% - 32px)', transform: 'translate(14px, -9px) scale(0.75)' },
      '& legend': { maxWidth: '100%', transition: 'max-width 100ms cubic-bezier(0, 0, 0.2, 1) 50ms' },
    },
    '& [data-box]:hover fieldset': { borderColor: color('text-primary') },
    '&:has(:is(input, select):focus) label': { color: color('primary-main') },
    '& [data-box]:has(:is(input, select):focus) fieldset': { borderColor: color('primary-main'), borderWidth: 2 },
    '& p': { margin: '4px 14px 0', fontSize: '0.8125rem', lineHeight: 1.66, color: color('error-main') },
    // Whatever else it is.
    '&:has(input[aria-invalid=true])': {
      '& label': { color: color('error-main') },
      '& [data-box] fieldset': { borderColor: color('error-main') },
    },
  },
  '[data-scheme=dark] .plain-field input:-webkit-autofill': {
    WebkitBoxShadow: '0 0 0 100px #266798 inset',
    WebkitTextFillColor: '#fff',
    caretColor: '#fff',
  },
} as const;
