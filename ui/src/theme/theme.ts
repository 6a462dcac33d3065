// The apps' looks: two schemes, one accent that a tenant may choose, a scale of type and space. Colours are chosen so that text
// has a contrast of at least 4.5 on its background.
import { createTheme, type Theme } from '@mui/material/styles';

declare module '@mui/material/styles' {
  // Themes that have variables for the browser, as ours does.
  interface CssThemeVariables {
    enabled: true;
  }
}

/** The accents that a tenant may choose: on light, and on dark. */
export const ACCENTS = {
  indigo: { light: '#3f51b5', dark: '#9fa8ff' },
  teal: { light: '#00695f', dark: '#4fd1c1' },
  plum: { light: '#7b1fa2', dark: '#d7a3ee' },
  rust: { light: '#a8401a', dark: '#ffab8a' },
  slate: { light: '#37546a', dark: '#a9c4d8' },
} as const;
export type Accent = keyof typeof ACCENTS;
/** The colours of an accent: on light, and on dark. */
export interface Shades {
  readonly light: string;
  readonly dark: string;
}
export const DEFAULT_ACCENT: Accent = 'indigo';

const FONTS = [
  'Inter',
  'system-ui',
  '-apple-system',
  '"Segoe UI"',
  'Roboto',
  '"Noto Sans"',
  '"Noto Sans CJK SC"',
  '"PingFang SC"',
  '"Hiragino Sans"',
  '"Microsoft YaHei"',
  'sans-serif',
].join(',');
/** Fonts that every machine has. Where all characters have to show, `console/src/parts/mono-font.ts` brings a font along. */
export const MONO = 'ui-monospace, "SFMono-Regular", Menlo, Consolas, "Liberation Mono", monospace';

/** Where the keyboard is. */
const FOCUS = { outline: '2px solid var(--mui-palette-primary-main)', outlineOffset: 2 } as const;
const FOCUSED = '&.Mui-focusVisible, &:focus-visible';
const FOCUS_INSIDE = { ...FOCUS, outlineOffset: -2 } as const;

const rem = (px: number): string => `${px / 16}rem`;
const heading = (px: number, weight = 600) => ({ fontSize: rem(px), fontWeight: weight, lineHeight: 1.35 });

/** Colours of a text by their path, as `sx` has them, too: Typography itself knows `textSecondary` alone, and says nothing. */
const COLOR_PATHS = {
  'text.primary': 'var(--mui-palette-text-primary)',
  'text.secondary': 'var(--mui-palette-text-secondary)',
  'success.main': 'var(--mui-palette-success-main)',
  'warning.main': 'var(--mui-palette-warning-main)',
  'error.main': 'var(--mui-palette-error-main)',
} as const;

/** For `ThemeProvider`; the scheme follows the system until a person chooses. */
export const appTheme = (accent: Accent | Shades = DEFAULT_ACCENT): Theme => {
  const shades = typeof accent === 'string' ? ACCENTS[accent] : accent;
  return createTheme({
    cssVariables: { colorSchemeSelector: 'data-scheme' },
    colorSchemes: {
      light: {
        palette: {
          primary: { main: shades.light },
          background: { default: '#f6f7f9', paper: '#ffffff' },
          text: { primary: '#1a2027', secondary: '#50606f' },
          success: { main: '#1b7a3d' },
          warning: { main: '#9a5b00' },
          error: { main: '#c0262d' },
          info: { main: '#1461a8' },
          divider: '#dfe3e8',
        },
      },
      dark: {
        palette: {
          primary: { main: shades.dark },
          background: { default: '#0f1419', paper: '#181f26' },
          text: { primary: '#e8edf2', secondary: '#a7b4c1' },
          success: { main: '#6fce8f' },
          warning: { main: '#f0b45b' },
          error: { main: '#ff8a85' },
          info: { main: '#7fbcf5' },
          divider: '#2c3742',
        },
      },
    },
    breakpoints: { values: { xs: 0, sm: 480, md: 768, lg: 1200, xl: 1600 } },
    shape: { borderRadius: 8 },
    typography: {
      fontFamily: FONTS,
      h1: heading(24),
      h2: heading(18),
      h3: heading(16),
      h4: heading(14),
      body1: { fontSize: rem(15) },
      body2: { fontSize: rem(14) },
      caption: { fontSize: rem(13) },
      button: { textTransform: 'none', fontWeight: 600 },
    },
    components: {
      // The ripple showed where the focus is. Components have `outline: 0` in classes of their own, which a global rule does not outweigh.
      MuiButtonBase: {
        defaultProps: { disableRipple: true },
        styleOverrides: { root: { [FOCUSED]: FOCUS } },
      },
      MuiChip: { styleOverrides: { root: { [FOCUSED]: FOCUS } } },
      MuiSlider: { styleOverrides: { thumb: { [FOCUSED]: FOCUS } } },
      // What surrounds these cuts off what is drawn outside of them.
      ...Object.fromEntries(
        ['MuiTab', 'MuiMenuItem', 'MuiListItemButton', 'MuiAccordionSummary', 'MuiCardActionArea'].map((name) => [
          name,
          { styleOverrides: { root: { [FOCUSED]: FOCUS_INSIDE } } },
        ]),
      ),
      MuiButton: { defaultProps: { disableElevation: true } },
      MuiPaper: { defaultProps: { elevation: 0 }, styleOverrides: { root: { backgroundImage: 'none' } } },
      MuiCard: { defaultProps: { variant: 'outlined' } },
      MuiTypography: {
        variants: Object.entries(COLOR_PATHS).map(([color, value]) => ({ props: { color }, style: { color: value } })),
      },
      // Its default colour is too pale on the page.
      MuiToggleButton: {
        styleOverrides: {
          root: {
            '&:not(.Mui-selected):not(.Mui-disabled)': { color: 'var(--mui-palette-text-secondary)' },
            [FOCUSED]: FOCUS_INSIDE,
          },
        },
      },
      MuiTextField: { defaultProps: { size: 'small', fullWidth: true } },
      MuiTooltip: { defaultProps: { arrow: true } },
      MuiLink: { defaultProps: { underline: 'always' } },
      MuiCssBaseline: {
        styleOverrides: {
          ':focus-visible': FOCUS,
          // The browser's own blue is not ours, and hardly shows in the dark. Whatever has a colour keeps it.
          ':where(a:not([class]))': { color: 'var(--mui-palette-primary-main)' },
          '@media (prefers-reduced-motion: reduce)': {
            '*, *::before, *::after': {
              animationDuration: '0.01ms !important',
              transition: 'none !important',
            },
          },
        },
      },
    },
  });
};
