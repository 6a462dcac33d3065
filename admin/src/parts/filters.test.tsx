// The query that a list's filters send to the server: moments in UTC, several choices at once.
import { playAnswers } from '@gantry/ui/testing/played-app.tsx';
import { expect, jest, test } from '@jest/globals';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Form } from 'react-admin';
import type { tableOf } from '../tables.ts';
import { staffAround } from '../testing/played-staff.tsx';
import { useFilters } from './filters.tsx';

playAnswers();

function Filters({ name }: { name: Parameters<typeof tableOf>[0] }) {
  return useFilters(name);
}

function show(name: Parameters<typeof tableOf>[0], record: object) {
  const sent = jest.fn<(values: object) => void>();
  render(
    <Form record={record as never} onSubmit={sent as never}>
      <Filters name={name} />
      <button type="submit">Send</button>
    </Form>,
    { wrapper: staffAround() },
  );
  return async () => {
    // An open menu hides it.
    fireEvent.click(screen.getByRole('button', { name: 'Send', hidden: true }));
    await waitFor(() => expect(sent).toHaveBeenCalled());
    return sent.mock.lastCall?.[0];
  };
}

test('the audit log is filtered by a moment that is chosen in local time and sent in UTC', async () => {
  const send = show('audit-log', {});
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-03-01T10:30' } });
  expect(await send()).toMatchObject({ from: new Date('2026-03-01T10:30').toISOString() });
});

test('a choice holds several values, and an address that names one alone is understood', async () => {
  const send = show('real-auths', { state: 'pending' });
  fireEvent.mouseDown(screen.getByRole('combobox', { name: 'State' }));
  fireEvent.click(screen.getByRole('option', { name: 'Manual review' }));
  expect(await send()).toMatchObject({ state: ['pending', 'manualReview'] });
});
