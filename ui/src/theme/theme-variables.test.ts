// The theme as the browser has it.
import { expect, test } from '@jest/globals';
import { ACCENTS, appTheme } from './theme.ts';
import { themeVariables } from './theme-variables.ts';

const MAIN = '--mui-palette-primary-main';

function valuesIn(scheme: 'light' | 'dark', accent: keyof typeof ACCENTS): Record<string, string> {
  const sheet = document.createElement('style');
  sheet.textContent = themeVariables(appTheme(accent));
  document.head.replaceChildren(sheet);
  document.documentElement.dataset.scheme = scheme;
  const style = getComputedStyle(document.documentElement);
  return { main: style.getPropertyValue(MAIN), scheme: style.getPropertyValue('color-scheme') };
}

test.each([
  ['in the light scheme it has the light accent', 'light', 'indigo'],
  ['in the dark one the dark', 'dark', 'indigo'],
  ['another accent has its own', 'light', 'rust'],
  ['in the dark, too', 'dark', 'rust'],
] as const)('%s', (_, scheme, accent) => {
  expect(valuesIn(scheme, accent)).toEqual({ main: ACCENTS[accent][scheme], scheme });
});

test('no rule is empty, and none has what a sheet can not say', () => {
  const text = themeVariables(appTheme());
  expect(text).not.toMatch(/\{\}|undefined|\[object|NaN/);
});
