// Tabs and their addresses: each has one, and unknown ones lead nowhere.
import { expect, test } from '@jest/globals';
import { tabAt } from './page-tabs.tsx';

const TABS = [{ name: 'profile' }, { name: 'realName', slug: 'real-name' }, { name: 'keys' }];

test.each([
  ['without an end the first is shown', undefined, 'profile'],
  ['by its own name', 'keys', 'keys'],
  ['by its slug', 'real-name', 'realName'],
  ['not by its name, where it has a slug', 'realName', undefined],
  ['not by what every object has', 'toString', undefined],
  ['not by an empty end', '', undefined],
])('%s', (_, slug, name) => {
  expect(tabAt(TABS, slug)?.name).toBe(name);
});
