// Tabs and their addresses: each has one, and unknown ones lead nowhere.
import { expect, test } from '@jest/globals';
import { render } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { PageTabs, tabAt } from './page-tabs.tsx';

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

test('the tab that is shown comes into view, also where the row is longer than the screen', () => {
  const seen: string[] = [];
  Element.prototype.scrollIntoView = function (this: Element) {
    seen.push(this.textContent ?? '');
  };
  const tabs = (shown: string) => (
    <PageTabs label="Tabs" path="/a" tabs={TABS} shown={shown} labelOf={(name) => name}>
      content
    </PageTabs>
  );
  const { rerender } = render(tabs('profile'), { wrapper: MemoryRouter });
  rerender(tabs('keys'));
  expect(seen.at(-1)).toBe('keys');
});
