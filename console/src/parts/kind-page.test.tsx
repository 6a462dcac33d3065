// One object on its page: its state and what can be done, tabs with addresses, and what there is where it is not there.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { keyOf, newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import { appAround, type Played, playAnswers, playedRefusal, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { words as ui } from '@gantry/ui/words/en.ts';
import { expect, test } from '@jest/globals';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { KindPage } from './kind-page.tsx';
import { words as parts } from './words/en.ts';

const { answer, bodies } = playAnswers();

const READ = 'GET /api/develop/v1/image/img-1';
const HISTORY = 'GET /api/develop/v1/image/img-1/history';
const ACT = 'POST /api/develop/v1/image/img-1/action';
const OVERVIEW = '/develop/template/img-1';

const image = (more: object = {}) =>
  playedResult({
    ...{ id: 'img-1', name: 'toolbox', phase: 'ready', phase_label: 'Ready', tone: 'good', reason: 'Verified' },
    ...{ message: 'A container started from it.', source: 'library/busybox', price: null, ...more },
    actions: [{ action: 'release', label: 'Delete', danger: 'destroys', spends: false }],
    conditions: [
      { type: 'Ready', status: 'True', reason: 'Verified', message: 'So it is.', since: '2026-11-22T10:00:00Z' },
    ],
  });
const states = (...data: object[]): Played => ({ body: { code: 0, message: 'ok', data } });

function open(address = OVERVIEW) {
  const client = newQueryClient();
  const nodes = [{ pname: 'image.release', peltype: 'element' }];
  client.setQueryData(keyOf(CALLS.getPermissionNodes, nodesInput('tenant')), nodes);
  const page = (
    <KindPage
      kind="image"
      read={CALLS.getImage}
      list="/develop/template"
      price={({ price }) => price}
      remedy={() => <p>Choose another source.</p>}
      tabs={{ overview: ({ source }) => <p>From {source}</p>, settings: () => <p>Nothing to set</p> }}
    />
  );
  const router = createMemoryRouter(
    [
      { path: '/develop/template/:id/:tab?', element: page },
      { path: '/develop/template', element: <p>All images</p> },
    ],
    { initialEntries: [address] },
  );
  render(<RouterProvider router={router} />, { wrapper: appAround({ parts }, client) });
  return { user: userEvent.setup(), router, path: () => router.state.location.pathname };
}
const tabs = () => screen.getAllByRole('tab').map(({ textContent }) => textContent);

test('an object has its name, its state with the reason, its price, its commands, and the tabs that its kind has', async () => {
  const price = { per: 'hour', amount: '0.5', list: '0.5', discount_percent: 0, currency: 'USD' };
  answer(READ, image({ price }));
  open();
  expect(screen.getByRole('status', { name: ui.states.loading })).toBeTruthy();
  await screen.findByRole('heading', { level: 1, name: 'toolbox' });
  screen.getByText('Ready', { selector: '[data-tone=good] > span' });
  screen.getByText('A container started from it.');
  screen.getByText('$0.50 / hour');
  screen.getByRole('button', { name: 'Delete' });
  screen.getByText('From library/busybox');
  expect(tabs()).toEqual(['Overview', 'History', 'Settings']);
});

test('an object that costs nothing now says so', async () => {
  answer(READ, image());
  open();
  await screen.findByText('No charge now');
});

test('a healthy object shows no alert; a failed one does, with what can be done about it', async () => {
  answer(READ, image({ tone: 'bad', phase_label: 'Failed', message: 'It cannot be pulled.' }));
  open();
  const alert = await screen.findByRole('alert');
  within(alert).getByText('It cannot be pulled.');
  within(alert).getByText('Choose another source.');
});

test('the conditions are told once somebody asks for the details', async () => {
  answer(READ, image());
  const { user } = open();
  const details = (await screen.findByText('Details')).closest('details');
  expect(details?.open).toBe(false);
  within(details as HTMLElement).getByText('So it is.');
  await user.click(screen.getByText('Details'));
  expect(details?.open).toBe(true);
});

test('tabs are reached by keyboard, have addresses, and the way back leads to the one before', async () => {
  answer(READ, image());
  answer(HISTORY, states());
  const { user, router, path } = open();
  const first = await screen.findByRole('tab', { name: 'Overview', selected: true });
  act(() => first.focus());
  await user.keyboard('{ArrowRight}{Enter}');
  await screen.findByRole('tab', { name: 'History', selected: true });
  await screen.findByText(ui.states.none);
  expect([path(), screen.queryByText('From library/busybox')]).toEqual([`${OVERVIEW}/history`, null]);
  await router.navigate(-1);
  await screen.findByText('From library/busybox');
  expect(path()).toBe(OVERVIEW);
});

test('an address leads to its tab, and one that is none to the first', async () => {
  answer(READ, image());
  const { router, path } = open(`${OVERVIEW}/settings`);
  await screen.findByText('Nothing to set');
  await router.navigate(`${OVERVIEW}/logs`);
  await screen.findByText('From library/busybox');
  expect(path()).toBe(OVERVIEW);
});

test('the history has each state that was, the newest first, with why', async () => {
  answer(READ, image());
  const since = '2026-11-22T10:00:00Z';
  answer(
    HISTORY,
    states(
      { phase: 'ready', phase_label: 'Ready', tone: 'good', reason: 'Verified', message: 'It started.', since },
      { phase: 'processing', phase_label: 'Processing', tone: 'progress', reason: null, message: null, since },
    ),
  );
  open(`${OVERVIEW}/history`);
  await screen.findByText('It started.');
  // A finished phase is not under way any more.
  screen.getByText('Processing', { selector: '[data-tone=neutral] > span' });
  const lines = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(lines).toEqual([expect.stringMatching(/Ready.*It started\.$/), expect.stringMatching(/Processing$/)]);
});

test('a history that cannot be read says why, and is read again', async () => {
  answer(READ, image());
  answer(HISTORY, playedRefusal('unavailable', 'Come again later.'), states());
  const { user } = open(`${OVERVIEW}/history`);
  await screen.findByText('Come again later.');
  await user.click(screen.getByRole('button', { name: ui.actions.retry }));
  await screen.findByText(ui.states.none);
});

test('a missing object leads to the list', async () => {
  answer(READ, { ...playedRefusal('not_found', 'There is no such image.'), status: 404 });
  const { user } = open();
  await screen.findByText('This does not exist, or it has been deleted.');
  await user.click(screen.getByRole('link', { name: 'Back to the list' }));
  await screen.findByText('All images');
});

test('a failed read says why, and is retried', async () => {
  answer(READ, playedRefusal('unavailable', 'Come again later.'), image());
  const { user } = open();
  await screen.findByText('Come again later.');
  await user.click(screen.getByRole('button', { name: ui.actions.retry }));
  await screen.findByRole('heading', { level: 1, name: 'toolbox' });
});

test('after it is given up one is on the list', async () => {
  answer(READ, image());
  answer(ACT, image());
  const { user, path } = open();
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByRole('textbox'), 'toolbox');
  await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
  await screen.findByText('All images');
  await waitFor(() => expect([path(), bodies(ACT)]).toEqual(['/develop/template', [{ action: 'release' }]]));
});
