// A new disk without the money for it, against an API whose answers are played: the way to pay, and back to what was typed.
import { storeSession } from '@gantry/ui/session/session.ts';
import { appAround, playAnswers, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { wayToDraft } from '../../parts/draft.ts';
import { words as parts } from '../../parts/words/en.ts';
import { CreateDiskDialog } from './create-disk-dialog.tsx';
import { words as storage } from './words/en.ts';

const { answer } = playAnswers();
const LACKING = {
  currency: 'USD',
  lines: [],
  per_hour: '0.0014',
  per_month: '1.00',
  needed: '0.0014',
  available: '0.00',
  affordable: false,
  refusal: 'not_enough_credit',
};
const onClose = jest.fn();

let router: ReturnType<typeof createMemoryRouter>;
function load() {
  cleanup();
  router = createMemoryRouter(
    [
      { path: '/gpu/storage', element: <CreateDiskDialog onClose={onClose} /> },
      { path: '*', element: null },
    ],
    { initialEntries: ['/gpu/storage?create=1'] },
  );
  render(<RouterProvider router={router} />, { wrapper: appAround({ parts, storage }) });
}
const name = () => screen.getByLabelText(/^Name/) as HTMLInputElement;

beforeEach(() => {
  onClose.mockReset();
  sessionStorage.clear();
  storeSession({ token: 'tok', accountId: 'acc-1', organizationId: 'org-1' });
  answer('GET /api/iam/v1/oauth/front?console=tenant', {
    body: { code: 0, message: 'ok', data: [{ pname: 'recharge', peltype: 'element' }] },
  });
  answer('POST /api/paybill/v1/estimate', playedResult(LACKING));
  load();
  fireEvent.change(name(), { target: { value: 'datasets' } });
});

test('the way to pay names what is missing, and the dialog opens again with its input', async () => {
  await screen.findByRole('link', { name: 'Top up' });
  // Once the person's rights are known.
  await waitFor(() => expect(screen.getByRole('link', { name: 'Top up' }).getAttribute('aria-disabled')).toBeNull());
  fireEvent.click(screen.getByRole('link', { name: 'Top up' }));
  expect(router.state.location).toMatchObject({ pathname: '/manage/billing/recharge', search: '?missing=0.0014' });
  expect(wayToDraft('disk')).toBe('/gpu/storage?create=1');
  load();
  await screen.findByText(/We restored your earlier input/);
  expect(name().value).toBe('datasets');
});

test('a dialog that is closed keeps nothing', () => {
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onClose).toHaveBeenCalledTimes(1);
  expect(wayToDraft('disk')).toBeUndefined();
});
