// Typing into a list's search, with an address that follows late.
import { useFilters } from '@gantry/ui/table/use-filters.ts';
import { afterEach, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { SearchField } from './search-field.tsx';

afterEach(cleanup);

const typed = () => screen.getByLabelText<HTMLInputElement>('Search');
const type = (value: string) => fireEvent.change(typed(), { target: { value } });

test('a search is in the address, with the first page, and can be cleared from elsewhere', async () => {
  let clear: () => void = () => {};
  function List() {
    const filters = useFilters(['search'], { by: 'name', type: 'asc' });
    clear = filters.clear;
    return (
      <>
        <SearchField label="Search" value={filters.values.search} onSearch={(text) => filters.set('search', text)} />
        <output>{filters.values.search}</output>
      </>
    );
  }
  const router = createMemoryRouter([{ path: '*', element: <List /> }], {
    initialEntries: ['/gpu/storage?page=3&size=20'],
  });
  render(<RouterProvider router={router} />);
  type('data');
  // The page follows the address a moment later; nobody clears text that is not shown yet.
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('data'));
  expect(router.state.location.search).toBe('?size=20&search=data');
  expect(typed().value).toBe('data');
  act(() => clear());
  await waitFor(() => expect(typed().value).toBe(''));
});

test('input stays while the address follows', async () => {
  const asked: string[] = [];
  const field = (value: string) => <SearchField label="Search" value={value} onSearch={(text) => asked.push(text)} />;
  const { rerender } = render(field(''));
  type('da');
  await waitFor(() => expect(asked).toEqual(['da']));
  type('data');
  rerender(field('da'));
  expect(typed().value).toBe('data');
  await waitFor(() => expect(asked).toEqual(['da', 'data']));
});
