// The colours of a log: escape sequences that set them (ECMA-48 SGR: 16 and 256 colours, true colours) become styles. Every other
// sequence and every control character is left out: a log moves no cursor. Total over whatever a program writes.
// biome-ignore-all lint/suspicious/noControlCharactersInRegex: they are looked for

/** Colours are CSS, made of numbers alone. */
export interface Style {
  readonly color?: string;
  readonly background?: string;
  readonly isBold?: boolean;
  readonly isDim?: boolean;
  readonly isItalic?: boolean;
  readonly isUnderlined?: boolean;
  readonly isStruck?: boolean;
  readonly isInverse?: boolean;
}
export interface Span {
  readonly text: string;
  readonly style: Style;
}
export interface StyledLine {
  readonly text: string;
  /** Absent: all of it is plain. */
  readonly spans?: readonly Span[];
  /** For the line after it. */
  readonly end: Style;
}

export const PLAIN: Style = {};

/** CSI … (its letters tell which), OSC … up to BEL or ST, other escapes; what hides or turns text; controls but the tab. */
const CONTROL =
  /\u001b\[([0-?]*)[ -/]*([@-~])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]?|[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const MOST_PARAMETERS = 64;

export function parseLine(line: string, start: Style): StyledLine {
  if (start === PLAIN && !hasControl(line)) return { text: line, end: PLAIN };
  const spans: Span[] = [];
  let style = start;
  let from = 0;
  let text = '';
  const add = (part: string) => {
    if (part === '') return;
    text += part;
    spans.push({ text: part, style });
  };
  for (const found of line.matchAll(CONTROL)) {
    add(line.slice(from, found.index));
    from = found.index + found[0].length;
    if (found[2] === 'm') style = styled(style, found[1] ?? '');
  }
  add(line.slice(from));
  const isPlain = spans.every((span) => span.style === PLAIN);
  return { text, ...(!isPlain && { spans }), end: style };
}

// Not `test`: it would move where `matchAll` begins.
const hasControl = (line: string): boolean => line.search(CONTROL) !== -1;

/** One parameter that stands alone, and its effect. */
const PLAIN_CODES: Readonly<Record<number, (style: Style) => Style>> = {
  1: (style) => ({ ...style, isBold: true }),
  2: (style) => ({ ...style, isDim: true }),
  3: (style) => ({ ...style, isItalic: true }),
  4: (style) => ({ ...style, isUnderlined: true }),
  7: (style) => ({ ...style, isInverse: true }),
  9: (style) => ({ ...style, isStruck: true }),
  22: ({ isBold: _bold, isDim: _dim, ...style }) => style,
  23: ({ isItalic: _, ...style }) => style,
  24: ({ isUnderlined: _, ...style }) => style,
  27: ({ isInverse: _, ...style }) => style,
  29: ({ isStruck: _, ...style }) => style,
  39: ({ color: _, ...style }) => style,
  49: ({ background: _, ...style }) => style,
};

function styled(start: Style, parameters: string): Style {
  const codes = parameters.split(/[;:]/, MOST_PARAMETERS).map(Number);
  let style = start;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const { color, used } = extended(codes.slice(at + 1));
      at += used;
      if (color) style = { ...style, [code === 38 ? 'color' : 'background']: color };
    } else if (code === 0) style = PLAIN;
    else if (PLAIN_CODES[code]) style = PLAIN_CODES[code](style);
    else style = { ...style, ...basic(code) };
  }
  return Object.keys(style).length === 0 ? PLAIN : style;
}

/** The sixteen: 30 to 37, 90 to 97, and as grounds 40 to 47, 100 to 107. */
function basic(code: number): Style {
  const tens = Math.floor(code / 10);
  const index = code % 10;
  if (index > 7) return PLAIN;
  if (tens === 3) return { color: named(index) };
  if (tens === 9) return { color: named(index + 8) };
  if (tens === 4) return { background: named(index) };
  return tens === 10 ? { background: named(index + 8) } : PLAIN;
}

/** After 38 or 48: `5;n`, one of 256, or `2;r;g;b`. */
function extended([kind, ...values]: readonly number[]): { color?: string; used: number } {
  if (kind === 5) {
    const [index] = values;
    return isByte(index) ? { color: ofCube(index), used: 2 } : { used: 2 };
  }
  if (kind !== 2) return { used: values.length + 1 };
  const rgb = values.slice(0, 3);
  return rgb.length === 3 && rgb.every(isByte) ? { color: `rgb(${rgb.join(' ')})`, used: 4 } : { used: 4 };
}

const isByte = (value: number | undefined): value is number =>
  value !== undefined && Number.isInteger(value) && value >= 0 && value <= 255;
const named = (index: number): string => `var(--ansi-${index})`;

/** xterm's: sixteen names, a cube of 6 × 6 × 6, and 24 greys. */
function ofCube(index: number): string {
  if (index < 16) return named(index);
  if (index >= 232)
    return `rgb(${Array(3)
      .fill(8 + (index - 232) * 10)
      .join(' ')})`;
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  const cube = index - 16;
  return `rgb(${[Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(level).join(' ')})`;
}
