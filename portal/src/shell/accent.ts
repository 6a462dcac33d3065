// The installation's accent, made lighter or darker until text in it, and text on it, can be read (WCAG: 4.5).
import { NEUTRALS, PAPERS, type Shades } from '@gantry/ui/theme/palette.ts';

const READABLE = 4.5;
const STEP = 0.04;
/** The page's backgrounds on which links stand, and the text of main buttons on light. */
const [LIGHT, DARK] = [NEUTRALS.light[1], PAPERS.dark.flat];
const [BLACK, WHITE] = ['#000000', '#ffffff'];

/** Of `#rrggbb`. */
export const shadesOf = (color: string): Shades => ({
  light: towards(color, BLACK, LIGHT),
  dark: towards(color, WHITE, DARK),
});

function towards(color: string, end: string, background: string): string {
  for (let share = 0; share < 1; share += STEP) {
    const mixed = mixedOf(color, end, share);
    if (contrastOf(mixed, background) >= READABLE) return mixed;
  }
  return end;
}

const channelsOf = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

function mixedOf(color: string, end: string, share: number): string {
  const ends = channelsOf(end);
  const mixed = channelsOf(color).map((own, at) => Math.round(own + ((ends[at] ?? 0) - own) * share));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** By WCAG 2.2. */
export function contrastOf(one: string, other: string): number {
  const [high = 0, low = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
