// The splash stands before any script, so it repeats colours of the theme.
import { expect, test } from '@jest/globals';
import { read } from './source-files.ts';

test.each(['console', 'admin'])('each colour of the splash of the %s is one of the theme', (app) => {
  const colours = read(`${app}/index.html`).match(/#[0-9a-f]{6}\b/g) ?? [];
  expect(new Set(colours).size).toBe(4);
  const theme = read('ui/src/theme/palette.ts');
  expect(colours.filter((colour) => !theme.includes(`'${colour}'`))).toEqual([]);
});
