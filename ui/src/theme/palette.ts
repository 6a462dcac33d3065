// The colours of both schemes. Text has a contrast of at least 4.5 on every ground that it stands on, also on the tint of its own
// colour (`palette.test.ts`).

/** The colours of an accent: of text and lines, on light and on dark; and of what is filled with it on dark, below white. */
export interface Shades {
  readonly light: string;
  readonly dark: string;
  /** Absent: as on light. */
  readonly filled?: string;
}

/** The accents that a tenant may choose. The first is that of the logo. */
export const ACCENTS = {
  cobalt: { light: '#2c54d4', dark: '#8ea9ff', filled: '#3f66e6' },
  teal: { light: '#0b6b61', dark: '#4fcfbf', filled: '#0e776c' },
  plum: { light: '#7b2fa6', dark: '#d3a4ee', filled: '#8b3fb8' },
  rust: { light: '#a8431c', dark: '#ffad8c', filled: '#b04a22' },
  slate: { light: '#3b5468', dark: '#a9c2d6', filled: '#4a667c' },
} as const satisfies Readonly<Record<string, Shades>>;
export type Accent = keyof typeof ACCENTS;
export const DEFAULT_ACCENT: Accent = 'cobalt';

/**
 * Nine steps from the page to its text, with a trace of blue: 1 page, 2 what is sunk or under the pointer, 3 divider, 4 edge of a
 * control, 5 edge under the pointer, 6 placeholder and idle icon, 7 second text, 8 text of a label, 9 text.
 */
export const NEUTRALS = {
  light: {
    1: '#f9f9fb',
    2: '#f3f3f7',
    3: '#e9eaef',
    4: '#d5d7e1',
    5: '#b4b7c6',
    6: '#72778c',
    7: '#5a5f73',
    8: '#363a4a',
    9: '#14161f',
  },
  dark: {
    1: '#0b0c10',
    2: '#1a1c23',
    3: '#262932',
    4: '#343845',
    5: '#4c5161',
    6: '#868ca0',
    7: '#9ba1b4',
    8: '#c9cdda',
    9: '#eceef4',
  },
} as const;

/** What lies on the page: flat on it, and raised above it, such as a menu or a dialog. */
export const PAPERS = {
  light: { flat: '#ffffff', raised: '#ffffff' },
  dark: { flat: '#121419', raised: '#1a1c23' },
} as const;

export const STATUSES = {
  light: { success: '#17743a', warning: '#8f5300', error: '#bb2530', info: '#1a5fb0' },
  dark: { success: '#63d08b', warning: '#f0b35a', error: '#ff8d89', info: '#7fb8f7' },
} as const;

/** How far the colour of text covers what is chosen. */
export const CHOSEN = { light: 0.08, dark: 0.1 } as const;

/** The share of its colour in a tint. */
export const TINT = { light: 0.1, dark: 0.16 } as const;
