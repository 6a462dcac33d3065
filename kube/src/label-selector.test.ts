import { expect, test } from '@jest/globals';
import { selects } from './label-selector.ts';

test.each([
  [undefined, {}, true],
  ['a', { a: '' }, true],
  ['a', {}, false],
  ['!a', {}, true],
  ['!a', { a: '1' }, false],
  ['a=1', { a: '1' }, true],
  ['a==1', { a: '2' }, false],
  ['a!=1', {}, true],
  ['a!=1', { a: '1' }, false],
  ['gantry.dev/kind=Widget,!b', { 'gantry.dev/kind': 'Widget' }, true],
  ['gantry.dev/kind=Widget,!b', { 'gantry.dev/kind': 'Widget', b: '' }, false],
])('%s on %j: %s', (selector, labels, expected) => {
  expect(selects(selector)(labels as Record<string, string>)).toBe(expected);
});

test.each(['a in (1,2)', '!a=1', 'a=b=c'])('%s is refused rather than misread', (selector) => {
  expect(() => selects(selector)).toThrow('is not understood');
});
