import { expect, test } from '@jest/globals';
import { matches } from './label-selector.ts';

const labels = { app: 'web', tier: 'front' };

test.each<[string, Parameters<typeof matches>[0], boolean]>([
  ['an empty selector', {}, true],
  ['equal labels', { matchLabels: { app: 'web', tier: 'front' } }, true],
  ['one label that differs', { matchLabels: { app: 'web', tier: 'back' } }, false],
  ['In with the value', { matchExpressions: [{ key: 'app', operator: 'In', values: ['db', 'web'] }] }, true],
  ['In without the label', { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }, false],
  ['NotIn with the value', { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] }, false],
  ['NotIn without the label', { matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['a'] }] }, true],
  ['Exists', { matchExpressions: [{ key: 'app', operator: 'Exists' }] }, true],
  ['DoesNotExist', { matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] }, false],
  ['an operator nobody knows', { matchExpressions: [{ key: 'app', operator: 'Like' }] }, false],
])('%s', (_, selector, expected) => {
  expect(matches(selector, labels)).toBe(expected);
});
