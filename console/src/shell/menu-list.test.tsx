// The sidebar's groups: closing one is remembered, and where one is, is shown even so.
import { appAround, playAnswers, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { AREAS } from '../areas.ts';
import { MenuList } from './menu-list.tsx';
import { loadMenuRows, MenuRowsContext } from './menu-rows.ts';
import { PagesContext } from './pages.tsx';
import { words as shell } from './words/en.ts';

const { answer } = playAnswers();
const rows = await loadMenuRows(AREAS);
const PATHS = ['/home', '/develop/instance', '/develop/file', '/manage/billing'];
const pages = PATHS.map((path) => ({ path, menu: path.slice(1) as 'home', load: async () => ({ Page: () => null }) }));

beforeEach(() => {
  localStorage.clear();
  answer('GET /api/settings', playedResult({ console_variant: 'full' }));
  const nodes = PATHS.map((path) => ({ pname: path.slice(1), peltype: 'menu' }));
  answer('GET /api/iam/v1/oauth/front?console=tenant', { body: { code: 0, message: 'ok', data: nodes } });
});

async function show(at: string) {
  const menus = (
    <PagesContext value={pages}>
      <MenuRowsContext value={rows}>
        <MenuList />
      </MenuRowsContext>
    </PagesContext>
  );
  const router = createMemoryRouter(
    pages.map((page) => ({ path: page.path, handle: page, element: menus })),
    { initialEntries: [at] },
  );
  render(<RouterProvider router={router} />, { wrapper: appAround({ shell }) });
  return screen.findByRole('button', { name: 'Development' });
}
const links = () => screen.getAllByRole('link').map(({ textContent }) => textContent);

test('a group that was closed stays closed at the next visit', async () => {
  const heading = await show('/home');
  expect(links()).toEqual(['Home', 'Instances', 'File system', 'Billing']);
  await userEvent.click(heading);
  expect(heading.getAttribute('aria-expanded')).toBe('false');
  expect(links()).toEqual(['Home', 'Billing']);
  cleanup();
  await show('/home');
  expect(links()).toEqual(['Home', 'Billing']);
});

test('a closed group shows the entry of the page that is open', async () => {
  await userEvent.click(await show('/develop/instance'));
  expect(links()).toEqual(['Home', 'Instances', 'Billing']);
});
