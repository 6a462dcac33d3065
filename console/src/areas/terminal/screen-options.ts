// How a terminal looks and behaves, as a person chose it on this machine.
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
