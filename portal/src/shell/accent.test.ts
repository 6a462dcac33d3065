// An accent can be read in both schemes, whichever colour staff chose.

import { NEUTRALS, PAPERS } from '@gantry/ui/theme/palette.ts';
import { expect, test } from '@jest/globals';
import { contrastOf, shadesOf } from './accent.ts';

test.each(['#1a56db', '#ffff00', '#ffffff', '#000000', '#808080', '#00FF7f', '#0f1419'])('%s can be read', (color) => {
  const { light, dark } = shadesOf(color);
  expect(contrastOf(light, '#ffffff')).toBeGreaterThanOrEqual(4.5);
  expect(contrastOf(light, NEUTRALS.light[1])).toBeGreaterThanOrEqual(4.5);
  expect(contrastOf(dark, PAPERS.dark.flat)).toBeGreaterThanOrEqual(4.5);
});

test('a colour that can be read already stays', () => expect(shadesOf('#1a56db').light).toBe('#1a56db'));
