// How a terminal looks and behaves, as a person chose it on this machine.
import type { ITheme } from '@xterm/xterm';

const KEY = 'gantry_terminal';

export interface ScreenOptions {
  readonly fontSize: number;
  /** Also keeps the output as text for screen readers; rendering is slower. */
  readonly isRead: boolean;
}

const FONT_SIZES = { least: 10, most: 28 } as const;
const START: ScreenOptions = { fontSize: 14, isRead: false };

export const fontSizeWithin = (size: number): number =>
  Math.min(FONT_SIZES.most, Math.max(FONT_SIZES.least, Math.round(size)));

export function readScreenOptions(): ScreenOptions {
  try {
    const { fontSize, isRead } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<ScreenOptions>;
    return {
      fontSize: typeof fontSize === 'number' ? fontSizeWithin(fontSize) : START.fontSize,
      isRead: isRead === true,
    };
  } catch {
    return START;
  }
}

export const keepScreenOptions = (options: ScreenOptions): void => localStorage.setItem(KEY, JSON.stringify(options));

/** Colours of both schemes have a contrast of 4.5 at least on their ground, the bright ones too. */
export const SCREEN_THEMES: Readonly<Record<'light' | 'dark', ITheme>> = {
  dark: {
    background: '#0f1419',
    foreground: '#e8edf2',
    cursor: '#e8edf2',
    cursorAccent: '#0f1419',
    selectionBackground: '#3b4d63',
    black: '#7d8894',
    red: '#ff8a85',
    green: '#6fce8f',
    yellow: '#f0b45b',
    blue: '#7fbcf5',
    magenta: '#d7a3ee',
    cyan: '#4fd1c1',
    white: '#d5dde5',
    brightBlack: '#94a0ac',
    brightRed: '#ffa6a2',
    brightGreen: '#93dfab',
    brightYellow: '#f6ca88',
    brightBlue: '#a3cff8',
    brightMagenta: '#e3bff4',
    brightCyan: '#82e0d4',
    brightWhite: '#ffffff',
  },
  light: {
    background: '#ffffff',
    foreground: '#1a2027',
    cursor: '#1a2027',
    cursorAccent: '#ffffff',
    selectionBackground: '#c5d3ea',
    black: '#1a2027',
    red: '#c0262d',
    green: '#1b7a3d',
    yellow: '#8a5200',
    blue: '#1461a8',
    magenta: '#7b1fa2',
    cyan: '#00695f',
    white: '#5c6873',
    brightBlack: '#50606f',
    brightRed: '#a81f26',
    brightGreen: '#176634',
    brightYellow: '#744500',
    brightBlue: '#0f508c',
    brightMagenta: '#661a87',
    brightCyan: '#00574f',
    brightWhite: '#3f4a54',
  },
};
