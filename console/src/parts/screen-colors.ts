// The sixteen colours of terminals and logs in both schemes. Each has a contrast of 4.5 at least on its ground, the bright ones too.
const NAMES = [
  'black',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'white',
  'brightBlack',
  'brightRed',
  'brightGreen',
  'brightYellow',
  'brightBlue',
  'brightMagenta',
  'brightCyan',
  'brightWhite',
] as const;

type Palette = Readonly<
  Record<
    (typeof NAMES)[number] | 'background' | 'foreground' | 'cursor' | 'cursorAccent' | 'selectionBackground',
    string
  >
>;

/** As xterm has them. */
export const SCREEN_THEMES: Readonly<Record<'light' | 'dark', Palette>> = {
  dark: {
    background: '#0b0c10',
    foreground: '#eceef4',
    cursor: '#eceef4',
    cursorAccent: '#0b0c10',
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
    foreground: '#14161f',
    cursor: '#14161f',
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

const variablesOf = (palette: Palette): Readonly<Record<`--ansi-${string}`, string>> => ({
  '--ansi-ground': palette.background,
  '--ansi-text': palette.foreground,
  '--ansi-found': palette.selectionBackground,
  ...Object.fromEntries(NAMES.map((name, index) => [`--ansi-${index}`, palette[name]])),
});

/** The same as variables of CSS. */
export const SCREEN_COLORS = { light: variablesOf(SCREEN_THEMES.light), dark: variablesOf(SCREEN_THEMES.dark) };
