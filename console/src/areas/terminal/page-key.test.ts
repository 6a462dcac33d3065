import { expect, test } from '@jest/globals';
import { pageKey } from './page-key.ts';

const pressed = (keys: string) => {
  const parts = keys.split('+');
  return {
    code: parts.at(-1) ?? '',
    ctrlKey: parts.includes('Ctrl'),
    shiftKey: parts.includes('Shift'),
    altKey: parts.includes('Alt'),
    metaKey: parts.includes('Meta'),
  };
};

test.each([
  ['Ctrl+Shift+KeyE', 'leave'],
  ['Ctrl+Shift+KeyC', 'copy'],
  ['Ctrl+Shift+KeyV', 'paste'],
  ['Ctrl+Shift+KeyF', 'search'],
  ['Ctrl+Shift+Minus', 'smaller'],
  ['Tab', undefined],
  ['Escape', undefined],
  ['Ctrl+KeyE', undefined],
  ['Ctrl+KeyC', undefined],
  ['Ctrl+Alt+Shift+KeyE', undefined],
  ['Meta+KeyC', undefined],
])('%s is the page’s: %s', (keys, meant) => {
  expect(pageKey(pressed(keys))).toBe(meant);
});
