// The colours that an app and plain.css are drawn with.
import { afterEach, expect, test } from '@jest/globals';
import { cleanup, render } from '@testing-library/react';
import { AppTheme } from './app-theme.tsx';
import { ACCENTS } from './palette.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

test.each([
  ['the light scheme has the light accent', 'light', 'cobalt'],
  ['the dark scheme has the dark accent', 'dark', 'cobalt'],
  ['a chosen accent has its own colour', 'light', 'rust'],
  ['a chosen accent has its own colour in the dark scheme', 'dark', 'rust'],
] as const)('%s', (_, scheme, accent) => {
  localStorage.setItem('mui-mode', scheme);
  localStorage.setItem('gantry_accent', accent);
  render(<AppTheme>{null}</AppTheme>);
  const style = getComputedStyle(document.documentElement);
  expect([style.getPropertyValue('--mui-palette-primary-main'), style.getPropertyValue('color-scheme')]).toEqual([
    ACCENTS[accent][scheme],
    scheme,
  ]);
});
