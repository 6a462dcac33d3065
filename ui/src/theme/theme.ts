// The apps' looks, for MUI: type, space, and how each of its components is drawn. Colours are in palette.ts; README.md has the rules.
import { createTheme, type Shadows, type Theme } from '@mui/material/styles';
import {
  ACCENTS,
  type Accent,
  CHOSEN,
  DEFAULT_ACCENT,
  NEUTRALS,
  PAPERS,
  type Shades,
  STATUSES,
  TINT,
} from './palette.ts';

type Neutrals = Readonly<Record<keyof (typeof NEUTRALS)['light'], string>>;

declare module '@mui/material/styles' {
  // Themes that have variables for the browser, as ours does.
  interface CssThemeVariables {
    enabled: true;
  }
  interface TypeBackground {
    raised: string;
  }
  interface Palette {
    neutral: Neutrals;
    filled: { main: string };
  }
  interface PaletteOptions {
    neutral?: Neutrals;
    filled?: { main: string };
  }
}

/** As `plain.css` has them, which the portal lacks. */
const SANS =
  'var(--font-sans, system-ui, -apple-system, "Segoe UI", Roboto, "PingFang SC", "Hiragino Sans", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif)';
/** The font that comes along is for where all characters have to show: those of some machines have no underscores. */
export const MONO = '"JetBrains Mono", ui-monospace, "SFMono-Regular", Menlo, Consolas, "Liberation Mono", monospace';

/** Where the keyboard is. */
const FOCUS = { outline: '2px solid var(--mui-palette-primary-main)', outlineOffset: 2 } as const;
const FOCUSED = '&.Mui-focusVisible, &:focus-visible';
const FOCUS_INSIDE = { ...FOCUS, outlineOffset: -2 } as const;

const rem = (px: number): string => `${px / 16}rem`;
const heading = (px: number) => ({ fontSize: rem(px), fontWeight: 600, lineHeight: 1.4, letterSpacing: '-0.011em' });

/** Three heights: flat, which has a border instead; a menu; a dialog. */
const SHADOWS = ['none', ...Array.from({ length: 24 }, (_, at) => `var(--elevation-${at < 16 ? 1 : 2})`)] as Shadows;
const RAISED = { backgroundColor: 'var(--mui-palette-background-raised)' } as const;
const SECOND_TEXT = 'var(--mui-palette-text-secondary)';

const tintOf = (color: string) => `rgba(var(--mui-palette-${color}-mainChannel) / var(--tint))`;
const COLORS = ['primary', 'success', 'warning', 'error', 'info'] as const;

/** Colours of a text by their path, as `sx` has them, too: Typography itself knows `textSecondary` alone, and says nothing. */
const COLOR_PATHS = {
  'text.primary': 'var(--mui-palette-text-primary)',
  'text.secondary': 'var(--mui-palette-text-secondary)',
  'success.main': 'var(--mui-palette-success-main)',
  'warning.main': 'var(--mui-palette-warning-main)',
  'error.main': 'var(--mui-palette-error-main)',
} as const;

const paletteOf = (scheme: 'light' | 'dark', shades: Shades) => {
  const [neutral, paper, status] = [NEUTRALS[scheme], PAPERS[scheme], STATUSES[scheme]];
  return {
    palette: {
      neutral,
      primary: { main: shades[scheme] },
      filled: { main: scheme === 'light' ? shades.light : (shades.filled ?? shades.light) },
      background: { default: neutral[1], paper: paper.flat, raised: paper.raised },
      text: { primary: neutral[9], secondary: neutral[7] },
      success: { main: status.success },
      warning: { main: status.warning },
      error: { main: status.error },
      info: { main: status.info },
      divider: neutral[3],
      // MUI's own of the dark scheme leave too little contrast to second text.
      action: {
        selected: `rgba(${scheme === 'light' ? '0, 0, 0' : '255, 255, 255'}, ${CHOSEN[scheme]})`,
        selectedOpacity: CHOSEN[scheme],
      },
    },
  };
};

/** For `ThemeProvider`; the scheme follows the system until a person chooses. */
export const appTheme = (accent: Accent | Shades = DEFAULT_ACCENT): Theme => {
  const shades: Shades = typeof accent === 'string' ? ACCENTS[accent] : accent;
  return createTheme({
    cssVariables: { colorSchemeSelector: 'data-scheme' },
    colorSchemes: { light: paletteOf('light', shades), dark: paletteOf('dark', shades) },
    breakpoints: { values: { xs: 0, sm: 480, md: 768, lg: 1200, xl: 1600 } },
    shape: { borderRadius: 8 },
    shadows: SHADOWS,
    typography: {
      fontFamily: SANS,
      h1: heading(20),
      h2: heading(16),
      h3: heading(14),
      h4: heading(13),
      body1: { fontSize: rem(14), lineHeight: 1.5 },
      body2: { fontSize: rem(13), lineHeight: 1.5 },
      caption: { fontSize: rem(12), lineHeight: 1.5 },
      button: { textTransform: 'none', fontWeight: 500, fontSize: rem(13) },
    },
    components: {
      // The ripple showed where the focus is. Components have `outline: 0` in classes of their own, which a global rule does not outweigh.
      MuiButtonBase: {
        defaultProps: { disableRipple: true },
        styleOverrides: { root: { [FOCUSED]: FOCUS } },
      },
      MuiSlider: { styleOverrides: { thumb: { [FOCUSED]: FOCUS } } },
      // What surrounds these cuts off what is drawn outside of them.
      ...Object.fromEntries(
        ['MuiListItemButton', 'MuiAccordionSummary', 'MuiCardActionArea'].map((name) => [
          name,
          { styleOverrides: { root: { [FOCUSED]: FOCUS_INSIDE } } },
        ]),
      ),
      MuiTab: {
        styleOverrides: {
          root: {
            minHeight: 40,
            minWidth: 0,
            padding: '8px 12px',
            '&.Mui-selected': { color: 'var(--mui-palette-text-primary)' },
            [FOCUSED]: FOCUS_INSIDE,
          },
        },
      },
      MuiTabs: { styleOverrides: { root: { minHeight: 40 } } },
      MuiMenuItem: {
        styleOverrides: {
          root: {
            fontSize: rem(13),
            minHeight: 32,
            margin: '0 4px',
            padding: '4px 8px',
            borderRadius: 6,
            // A finger needs more.
            '@media (pointer: coarse)': { minHeight: 44 },
            [FOCUSED]: FOCUS_INSIDE,
          },
        },
      },
      MuiButton: {
        defaultProps: { disableElevation: true },
        styleOverrides: {
          root: { borderRadius: 6, lineHeight: rem(20), padding: '6px 12px', minWidth: 0 },
        },
        variants: [
          { props: { size: 'small' }, style: { padding: '4px 10px' } },
          { props: { size: 'large' }, style: { padding: '10px 16px', fontSize: rem(14) } },
          {
            props: { variant: 'contained', color: 'primary' },
            style: {
              '&:not(.Mui-disabled)': {
                color: '#ffffff',
                backgroundColor: 'var(--mui-palette-filled-main)',
                '&:hover': { backgroundColor: 'color-mix(in srgb, var(--mui-palette-filled-main) 88%, #000000)' },
              },
            },
          },
          {
            props: { variant: 'outlined', color: 'primary' },
            style: {
              padding: '5px 11px',
              '&:not(.Mui-disabled)': {
                color: 'var(--mui-palette-text-primary)',
                borderColor: 'var(--mui-palette-neutral-4)',
                backgroundColor: 'var(--mui-palette-background-paper)',
                '&:hover': {
                  borderColor: 'var(--mui-palette-neutral-5)',
                  backgroundColor: 'var(--mui-palette-neutral-2)',
                },
              },
            },
          },
          { props: { variant: 'outlined', size: 'small' }, style: { padding: '3px 9px' } },
        ],
      },
      MuiIconButton: { styleOverrides: { root: { borderRadius: 6 } } },
      MuiOutlinedInput: {
        styleOverrides: {
          root: {
            borderRadius: 6,
            // Phones magnify the page for a smaller one.
            '@media (pointer: coarse)': { fontSize: rem(16) },
          },
          notchedOutline: { borderColor: 'var(--mui-palette-neutral-4)' },
        },
      },
      MuiPaper: { defaultProps: { elevation: 0 }, styleOverrides: { root: { backgroundImage: 'none' } } },
      MuiPopover: { styleOverrides: { paper: RAISED } },
      MuiAutocomplete: { styleOverrides: { paper: RAISED } },
      MuiDialog: { styleOverrides: { paper: { ...RAISED, borderRadius: 12 } } },
      MuiDialogTitle: { styleOverrides: { root: { ...heading(16), padding: '20px 24px 12px' } } },
      MuiCard: { defaultProps: { variant: 'outlined' } },
      MuiCardContent: { styleOverrides: { root: { padding: 16, '&:last-child': { paddingBottom: 16 } } } },
      MuiTypography: {
        variants: Object.entries(COLOR_PATHS).map(([color, value]) => ({ props: { color }, style: { color: value } })),
      },
      MuiChip: {
        styleOverrides: {
          root: { borderRadius: 6, fontSize: rem(12), fontWeight: 500, [FOCUSED]: FOCUS },
        },
        variants: [
          {
            props: { color: 'default' },
            style: { borderColor: 'transparent', backgroundColor: 'var(--mui-palette-neutral-3)' },
          },
          { props: { size: 'small' }, style: { height: 22 } },
          ...COLORS.map((color) => ({
            props: { color },
            style: {
              borderColor: 'transparent',
              color: `var(--mui-palette-${color}-main)`,
              backgroundColor: tintOf(color),
              '& .MuiChip-icon, & .MuiChip-deleteIcon': { color: 'inherit' },
            },
          })),
        ],
      },
      MuiAlert: {
        styleOverrides: {
          root: { padding: '4px 12px', fontSize: rem(13) },
          action: { paddingTop: 0, alignItems: 'center' },
        },
        variants: (['success', 'warning', 'error', 'info'] as const).map((severity) => ({
          props: { severity, variant: 'standard' as const },
          style: {
            color: 'var(--mui-palette-text-primary)',
            // Over the page, whatever it lies on.
            backgroundColor: 'var(--mui-palette-background-paper)',
            backgroundImage: `linear-gradient(${tintOf(severity)}, ${tintOf(severity)})`,
            '& .MuiAlert-icon': { color: `var(--mui-palette-${severity}-main)` },
          },
        })),
      },
      MuiTableCell: {
        styleOverrides: {
          root: {
            height: 'var(--row-height, 36px)',
            padding: '2px 12px',
            fontSize: rem(13),
            borderColor: 'var(--mui-palette-divider)',
          },
          head: { fontSize: rem(12), fontWeight: 500, lineHeight: 1.4, color: SECOND_TEXT },
        },
      },
      // Its default colour is too pale on the page.
      MuiToggleButton: {
        styleOverrides: {
          root: {
            '&:not(.Mui-selected):not(.Mui-disabled)': { color: SECOND_TEXT },
            [FOCUSED]: FOCUS_INSIDE,
          },
        },
      },
      MuiTextField: { defaultProps: { size: 'small', fullWidth: true } },
      MuiSkeleton: { styleOverrides: { root: { backgroundColor: 'var(--mui-palette-neutral-3)' } } },
      MuiLinearProgress: {
        styleOverrides: { root: { borderRadius: 4, backgroundColor: 'var(--mui-palette-neutral-3)' } },
      },
      MuiTooltip: {
        styleOverrides: {
          tooltip: {
            fontSize: rem(12),
            fontWeight: 400,
            borderRadius: 6,
            color: 'var(--mui-palette-neutral-1)',
            backgroundColor: 'var(--mui-palette-neutral-9)',
          },
        },
      },
      MuiLink: { defaultProps: { underline: 'always' } },
      MuiCssBaseline: {
        styleOverrides: {
          ':root': {
            '--tint': TINT.light,
            // In the dark a shadow does not show: there a line surrounds what is raised.
            '--elevation-1': '0 1px 2px rgb(20 22 31 / 0.1), 0 8px 24px -4px rgb(20 22 31 / 0.16)',
            '--elevation-2': '0 2px 4px rgb(20 22 31 / 0.08), 0 24px 64px -8px rgb(20 22 31 / 0.28)',
          },
          '[data-scheme="dark"]': {
            '--tint': TINT.dark,
            '--elevation-1': '0 0 0 1px rgb(255 255 255 / 0.1)',
            '--elevation-2': '0 0 0 1px rgb(255 255 255 / 0.1)',
          },
          // Digits of one width: numbers below each other can be compared, and one that counts does not tremble.
          body: { fontVariantNumeric: 'tabular-nums', WebkitFontSmoothing: 'antialiased' },
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
