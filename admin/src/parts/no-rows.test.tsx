// A list without rows says why: it could not be read, or there are none.
import { answer, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { words as ui } from '@gantry/ui/words/en.ts';
import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { ListBase, ResourceContextProvider } from 'react-admin';
import { resourceOf } from '../tables.ts';
import { staffAround } from '../testing/played-staff.tsx';
import { GenericTable } from './generic-table.tsx';

const fetched = playNetwork();
const REFUSED = 'The list cannot be read now.';

const show = () =>
  render(
    <ResourceContextProvider value={resourceOf('mails')}>
      <ListBase>
        <GenericTable />
      </ListBase>
    </ResourceContextProvider>,
    { wrapper: staffAround() },
  );

test('a list that could not be read says so alone, with a way to try again', async () => {
  fetched.mockImplementation(async () => answer({ code: 50000, error: 'internal', message: REFUSED }, 500));
  show();
  expect((await screen.findByRole('alert')).textContent).toContain(REFUSED);
  expect(screen.getByRole('button', { name: ui.actions.retry })).toBeTruthy();
  expect(screen.queryByText(ui.states.none)).toBeNull();
});

test('a list that has none says that', async () => {
  fetched.mockImplementation(async () => new Response('[]', { headers: { 'Content-Range': 'mails */0' } }));
  show();
  expect(await screen.findByText(ui.states.none)).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});
