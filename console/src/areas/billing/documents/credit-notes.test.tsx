// Credit notes as a person finds them below the invoices, against an API whose answers are played.
import { newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { playLayout } from '@gantry/ui/testing/play-layout.ts';
import { appAround, playAnswers } from '@gantry/ui/testing/played-app.tsx';
import { expect, jest, test } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { words as billing } from '../words/en.ts';
import { CreditNotes } from './credit-notes.tsx';

playLayout();
const played = playAnswers();
const LIST = 'GET /api/paybill/v1/credit-notes?page=1&size=100';

const note = (number: string, more: object) => ({
  ...{ id: `crn-${number}`, number, kind: 'refund', cancels: null, transaction_id: 'pay-1', currency: 'USD' },
  ...{ amount: '20.00', paid_at: '2026-11-01T00:00:00Z', date: '2026-11-22T10:00:00Z' },
  issued_at: '2026-11-22T10:00:10Z',
  ...more,
});
const show = (notes: readonly object[], client = newQueryClient()) => {
  const paginated = { page: 1, size: 100, total_num: notes.length, total_page: 1 };
  played.answer(LIST, { body: { code: 0, message: 'ok', data: notes, paginated } });
  return render(<CreditNotes />, { wrapper: appAround({ billing }, client) });
};

test('each credit note says what it is for, and has a PDF', async () => {
  show([
    note('CN-00000002', { kind: 'cancellation', cancels: 'CN-00000001', amount: '-20.00' }),
    note('CN-00000001', {}),
  ]);
  await screen.findByRole('button', { name: 'PDF of credit note CN-00000001' });
  const shown = ['Refund', '$20.00', 'Cancels CN-00000001', '-$20.00', 'CN-00000002'];
  expect(shown.filter((text) => screen.queryByText(text) === null)).toEqual([]);
});

test('the PDF of a credit note is saved under the name that the API gives it', async () => {
  const saved: string[] = [];
  URL.createObjectURL = () => 'blob:note';
  URL.revokeObjectURL = () => {};
  const click = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  played.answer('GET /api/paybill/v1/credit-notes/crn-CN-00000001/pdf', {
    headers: { 'content-disposition': 'attachment; filename="credit-note-CN-00000001.pdf"' },
    body: '%PDF',
  });
  show([note('CN-00000001', {})]);
  await userEvent.setup().click(await screen.findByRole('button', { name: 'PDF of credit note CN-00000001' }));
  await waitFor(() => expect(saved).toEqual(['credit-note-CN-00000001.pdf']));
  click.mockRestore();
});

test('nothing is shown where nothing was refunded', async () => {
  const client = newQueryClient();
  const { container } = show([], client);
  const states = () =>
    client
      .getQueryCache()
      .getAll()
      .map(({ state }) => state.status);
  await waitFor(() => expect(states()).toEqual(['success']));
  expect(container.textContent).toBe('');
});
