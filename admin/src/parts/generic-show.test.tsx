import { playAnswers, playedRefusal } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { createTheme, ThemeProvider } from '@mui/material/styles';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { ResourceContextProvider } from 'react-admin';
import { Route, Routes } from 'react-router';
import { staffAround } from '../testing/played-staff.tsx';
import { AdminShow } from './generic-show.tsx';

const { answer } = playAnswers();
const GET = 'GET /api/admin/users/acc-1';
const SHOW = '/manage/user/users/acc-1/show';

const show = () =>
  render(
    <ThemeProvider theme={createTheme()}>
      <ResourceContextProvider value="manage/user/users">
        <Routes>
          <Route path="/manage/user/users/:id/show" element={<AdminShow>the page</AdminShow>} />
          <Route path="*" element="elsewhere" />
        </Routes>
      </ResourceContextProvider>
    </ThemeProvider>,
    { wrapper: staffAround({ path: SHOW }) },
  );

test('a server that failed is asked again on the same page', async () => {
  answer(
    GET,
    { ...playedRefusal('internal', 'The server failed.'), status: 500 },
    { body: { id: 'acc-1', name: 'ann' } },
  );
  show();
  expect(await screen.findByText('The server failed.')).toBeTruthy();
  expect(screen.getByTestId('here').textContent).toBe(SHOW);
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('the page')).toBeTruthy();
});

test('a row that does not exist leads to the list', async () => {
  answer(GET, { ...playedRefusal('not_found', 'No such account.'), status: 404 });
  show();
  await waitFor(() => expect(screen.getByTestId('here').textContent).toBe('/manage/user/users'));
});
