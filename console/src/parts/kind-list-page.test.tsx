// A list of a kind: its rows by scrolling or page by page, what is there where none are, and commands for all that is selected.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { DiskView } from '@gantry/contract/kinds/data-disk.ts';
import { keyOf, newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import type { Column } from '@gantry/ui/table/data-table.tsx';
import { playLayout } from '@gantry/ui/testing/play-layout.ts';
import { appAround, type Played, playAnswers, playedRefusal } from '@gantry/ui/testing/played-app.tsx';
import { words as ui } from '@gantry/ui/words/en.ts';
import { expect, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { KindListPage } from './kind-list-page.tsx';
import { type UseRows, useGrowingRows, usePagedRows } from './list-rows.tsx';
import { words as parts } from './words/en.ts';

playLayout();
const { answer, calls } = playAnswers();

const ORDER = 'order_by=create_time&order_type=desc';
const GROWING = `GET /api/stor/v1/data-disk?${ORDER}&page=1&size=100`;
const paged = (page: number, size = 10) => `GET /api/stor/v1/data-disk?${ORDER}&page=${page}&size=${size}`;

const disk = (name: string) => ({
  ...{ id: `dsk-${name}`, name },
  actions: [{ action: 'release', label: 'Delete', danger: 'destroys', spends: false }],
});
const listed = (names: readonly string[], total = names.length, page = 1, size = 100): Played => ({
  body: {
    ...{ code: 0, message: 'ok', data: names.map(disk) },
    paginated: { page, size, total_num: total, total_page: Math.ceil(total / size), num: names.length, extra: {} },
  },
});
const COLUMNS: readonly Column<DiskView>[] = [{ id: 'name', label: 'Name', cell: ({ name }) => <b>{name}</b> }];

function open(useRows: UseRows = useGrowingRows, address = '/gpu/storage') {
  const client = newQueryClient();
  const nodes = [{ pname: 'dataDisk.release', peltype: 'element' }];
  client.setQueryData(keyOf(CALLS.getPermissionNodes, nodesInput('tenant')), nodes);
  const page = (
    <KindListPage
      kind="dataDisk"
      list={CALLS.listDisks}
      useRows={useRows}
      columns={COLUMNS}
      title="Disks"
      lead="Where data is."
      search="Search"
      create={<button type="button">New</button>}
      empty={{ title: 'No disk yet', hint: 'Make one.', actions: null }}
    />
  );
  const router = createMemoryRouter([{ path: '/gpu/storage', element: page }], { initialEntries: [address] });
  render(<RouterProvider router={router} />, { wrapper: appAround({ parts }, client) });
  return { user: userEvent.setup(), address: () => `${router.state.location.pathname}${router.state.location.search}` };
}

test('all rows are there as one scrolls', async () => {
  answer(GROWING, listed(['data', 'models']));
  open();
  await screen.findByText('data');
  screen.getByText('models');
  expect(screen.queryByRole('navigation', { name: 'List pages' })).toBeNull();
});

test('a paged list says how many there are, and turns its pages in the address', async () => {
  answer(paged(1), listed(['data'], 11, 1, 10));
  answer(paged(2), listed(['models'], 11, 2, 10));
  const { user, address } = open(usePagedRows);
  await screen.findByText('data');
  screen.getByText('11 in total · Page 1 of 2');
  await user.click(screen.getByRole('button', { name: 'Go to page 2' }));
  await screen.findByText('models');
  screen.getByText('11 in total · Page 2 of 2');
  expect([address(), screen.queryByText('data')]).toEqual(['/gpu/storage?page=2', null]);
});

test('by keyboard, another size begins with the first page', async () => {
  answer(paged(2), listed(['models'], 11, 2, 10));
  answer(paged(1, 20), listed(['data', 'models'], 11, 1, 20));
  const { user, address } = open(usePagedRows, '/gpu/storage?page=2');
  await screen.findByText('models');
  act(() => screen.getByRole('combobox', { name: 'Per page' }).focus());
  await user.keyboard('{Enter}{ArrowDown}{Enter}');
  await screen.findByText('data');
  expect(address()).toBe('/gpu/storage?size=20');
});

test.each([
  ['as one scrolls', useGrowingRows, GROWING],
  ['page by page', usePagedRows, paged(1)],
])('where there are none one is told what to do first; what cannot be read says why: %s', async (_, useRows, call) => {
  answer(call, playedRefusal('unavailable', 'Come again later.'), listed([]));
  const { user } = open(useRows);
  await screen.findByText('Come again later.');
  await user.click(screen.getByRole('button', { name: ui.actions.retry }));
  await screen.findByText('No disk yet');
});

test('a filter that leaves nothing can be taken away', async () => {
  answer(`GET /api/stor/v1/data-disk?search=zzz&${ORDER}&page=1&size=10`, listed([], 0, 1, 10));
  answer(paged(1), listed(['data'], 1, 1, 10));
  const { user } = open(usePagedRows, '/gpu/storage?search=zzz');
  await user.click((await screen.findAllByRole('button', { name: ui.states.clearFilter }))[0] as HTMLElement);
  await screen.findByText('data');
});

test('one command applies to the selection, and objects that left the page are no longer selected', async () => {
  answer(paged(1), listed(['data'], 11, 1, 10));
  answer(paged(2), listed(['models'], 11, 2, 10));
  const { user } = open(usePagedRows);
  await user.click(await screen.findByRole('checkbox', { name: /data/ }));
  await screen.findByRole('button', { name: 'Delete (1)' });
  await user.click(screen.getByRole('button', { name: 'Go to page 2' }));
  await screen.findByText('models');
  expect(screen.queryByRole('button', { name: 'Delete (1)' })).toBeNull();
  expect(calls(paged(2))).toBe(1);
});
