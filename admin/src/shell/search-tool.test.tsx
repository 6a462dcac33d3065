// The search over everything, by keyboard alone.
import { playAnswers } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { staffAround } from '../testing/played-staff.tsx';
import { SearchTool } from './search-tool.tsx';

const { answer, calls } = playAnswers();
const FOUND = {
  groups: [
    {
      resource: 'users',
      items: [
        { id: 'acc-1', title: 'alice', text: 'alice@example.com' },
        { id: 'acc-2', title: '<i>alina</i>', text: 'acc-2' },
      ],
      has_more: true,
    },
    {
      resource: 'instances',
      items: [{ id: 'org-acme.ins-1', title: 'alpha', text: 'ins-1 · acme · 10.0.0.7' }],
      has_more: false,
    },
  ],
};

beforeEach(() => {
  sessionStorage.clear();
  answer('GET /api/admin/search?q=al', { body: FOUND });
  answer('GET /api/admin/search?q=zz', { body: { groups: [] } });
});

const shown = () =>
  render(
    <>
      <SearchTool />
      <input aria-label="a note" />
    </>,
    { wrapper: staffAround() },
  );
const active = () => {
  const id = screen.getByRole('combobox').getAttribute('aria-activedescendant');
  return screen.getAllByRole('option').find((option) => option.id === id)?.textContent;
};

describe('the search', () => {
  test('opens by a slash and by Ctrl+K; where somebody types, a slash is a letter', async () => {
    shown();
    await userEvent.type(await screen.findByLabelText('a note'), '/');
    expect(screen.queryByRole('dialog')).toBeNull();
    await userEvent.keyboard('{Control>}k{/Control}');
    await screen.findByRole('dialog', { name: 'Search everything' });
    await userEvent.keyboard('{Escape}');
    (document.activeElement as HTMLElement).blur();
    await userEvent.keyboard('/');
    expect((await screen.findByRole('combobox')).getAttribute('value')).toBe('');
  });

  test('arrows go through all groups and around, and Enter opens what is marked', async () => {
    shown();
    await userEvent.keyboard('/');
    await userEvent.type(await screen.findByRole('combobox'), 'al');
    await screen.findByRole('option', { name: /alpha/ });
    expect(screen.getByRole('group', { name: 'Accounts' })).toBeTruthy();
    expect(screen.getByText('There are more: keep typing.')).toBeTruthy();
    // A name is text.
    expect(screen.getByText('<i>alina</i>')).toBeTruthy();
    expect(active()).toMatch(/^alice/);
    await userEvent.keyboard('{ArrowUp}');
    expect(active()).toMatch(/^alpha/);
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
    expect(active()).toMatch(/^alpha/);
    await userEvent.keyboard('{Enter}');
    expect(screen.getByTestId('here').textContent).toBe('/manage/computing/instances/org-acme.ins-1/show');
  });

  test('shows what was opened before, until something is typed', async () => {
    shown();
    await userEvent.keyboard('/');
    await userEvent.type(await screen.findByRole('combobox'), 'al');
    await userEvent.click(await screen.findByRole('option', { name: /alpha/ }));
    await userEvent.keyboard('{Control>}k{/Control}');
    await screen.findByRole('group', { name: 'Recently opened' });
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^alpha/),
    ]);
    await userEvent.type(screen.getByRole('combobox'), 'zz');
    expect(await screen.findByText('No matches.')).toBeTruthy();
    expect(screen.queryAllByRole('option')).toEqual([]);
  });

  test('asks nobody about one letter', async () => {
    shown();
    await userEvent.keyboard('/');
    await userEvent.type(await screen.findByRole('combobox'), 'a');
    expect(screen.getByText(/Two characters or more/)).toBeTruthy();
    expect(calls('GET /api/admin/search?q=a')).toBe(0);
  });

  test('Enter opens nothing of an older query, but the first answer of what is typed', async () => {
    const late = Promise.withResolvers<{ body: typeof FOUND }>();
    answer('GET /api/admin/search?q=alp', late.promise);
    shown();
    await userEvent.keyboard('/');
    await userEvent.type(await screen.findByRole('combobox'), 'al');
    await screen.findByRole('option', { name: /^alice/ });
    await userEvent.keyboard('p{Enter}');
    expect(screen.getByTestId('here').textContent).toBe('/home');
    await waitFor(() => expect(calls('GET /api/admin/search?q=alp')).toBe(1));
    await userEvent.keyboard('{Enter}');
    expect(screen.getByTestId('here').textContent).toBe('/home');
    late.resolve({ body: { groups: FOUND.groups.slice(1) } });
    await waitFor(() =>
      expect(screen.getByTestId('here').textContent).toBe('/manage/computing/instances/org-acme.ins-1/show'),
    );
  });

  test('does not open over a dialog', async () => {
    render(
      <>
        <SearchTool />
        <div role="dialog" aria-label="a question" />
      </>,
      { wrapper: staffAround() },
    );
    await screen.findByRole('dialog', { name: 'a question' });
    await userEvent.keyboard('{Control>}k{/Control}/');
    expect(screen.queryByRole('combobox')).toBeNull();
  });
});
