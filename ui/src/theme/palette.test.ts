// Text can be read wherever it stands, in both schemes and with every accent.
import { expect, test } from '@jest/globals';
import { ACCENTS, CHOSEN, NEUTRALS, PAPERS, STATUSES, TINT } from './palette.ts';

const READABLE = 4.5;
const SCHEMES = ['light', 'dark'] as const;

const channelsOf = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
const lightOf = (channels: readonly number[]): number => {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
/** By WCAG 2.2. */
const contrast = (one: readonly number[], other: readonly number[]): number => {
  const [low = 0, high = 0] = [lightOf(one), lightOf(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};
/** `color` over `ground`, as far as it covers it. */
const over = (color: string, ground: string, share: number): number[] => {
  const under = channelsOf(ground);
  return channelsOf(color).map((channel, at) => channel * share + (under[at] ?? 0) * (1 - share));
};

const groundsOf = (scheme: (typeof SCHEMES)[number]): string[] => [
  ...Object.values(PAPERS[scheme]),
  NEUTRALS[scheme][1],
  NEUTRALS[scheme][2],
];

test.each(SCHEMES)('text, second text and icons read on every ground of the %s scheme', (scheme) => {
  for (const ground of groundsOf(scheme)) {
    for (const step of [7, 8, 9] as const)
      expect(contrast(channelsOf(NEUTRALS[scheme][step]), channelsOf(ground))).toBeGreaterThanOrEqual(READABLE);
    expect(contrast(channelsOf(NEUTRALS[scheme][6]), channelsOf(ground))).toBeGreaterThanOrEqual(3);
  }
});

test.each(SCHEMES)('text and second text read on what is chosen in the %s scheme', (scheme) => {
  const cover = scheme === 'light' ? '#000000' : '#ffffff';
  for (const ground of Object.values(PAPERS[scheme]))
    for (const step of [7, 9] as const)
      expect(contrast(channelsOf(NEUTRALS[scheme][step]), over(cover, ground, CHOSEN[scheme]))).toBeGreaterThanOrEqual(
        READABLE,
      );
});

test.each(SCHEMES)('a state reads on every ground of the %s scheme, and on its own tint there', (scheme) => {
  for (const ground of groundsOf(scheme))
    for (const color of Object.values(STATUSES[scheme])) {
      expect(contrast(channelsOf(color), channelsOf(ground))).toBeGreaterThanOrEqual(READABLE);
      expect(contrast(channelsOf(color), over(color, ground, TINT[scheme]))).toBeGreaterThanOrEqual(READABLE);
    }
});

test.each(Object.entries(ACCENTS))('%s reads on every ground and on its tint, and white reads on it', (_, accent) => {
  for (const scheme of SCHEMES)
    for (const ground of groundsOf(scheme)) {
      expect(contrast(channelsOf(accent[scheme]), channelsOf(ground))).toBeGreaterThanOrEqual(READABLE);
      expect(contrast(channelsOf(accent[scheme]), over(accent[scheme], ground, TINT[scheme]))).toBeGreaterThanOrEqual(
        READABLE,
      );
    }
  for (const filled of [accent.light, accent.filled])
    expect(contrast([255, 255, 255], channelsOf(filled))).toBeGreaterThanOrEqual(READABLE);
});
