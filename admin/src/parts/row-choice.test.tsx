// A form that needs an organisation's ID lets staff choose by name; who may not read organisations types the ID.
import { playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { staffAround } from '../testing/played-staff.tsx';
import { TimeText } from './field-value.tsx';
import { RowChoice } from './row-choice.tsx';

const fetched = playNetwork();

function Form() {
  const [id, setId] = useState('');
  return (
    <>
      <RowChoice name="organizations" label="Organisation" value={id} onChange={setId} />
      <output>{id}</output>
    </>
  );
}

const asked = () => fetched.mock.calls.map(([url]) => decodeURIComponent(String(url)));

test('a row is chosen by its name, which the server searches, and the form keeps its ID', async () => {
  fetched.mockImplementation(async () =>
    Response.json([{ id: 'y5x0zjm3', name: 'Acme Robotics' }], { headers: { 'Content-Range': 'organizations 0-0/1' } }),
  );
  render(<Form />, { wrapper: staffAround({ nodes: ['manage/organization', 'manage/user'] }) });
  const field = await screen.findByRole('combobox');
  act(() => field.focus());
  fireEvent.change(field, { target: { value: 'robo' } });
  await waitFor(() => expect(asked().some((url) => url.includes('"q":"robo"'))).toBe(true));
  const option = await screen.findByRole('option');
  expect(option.textContent).toBe('Acme Roboticsy5x0zjm3');
  fireEvent.click(option);
  expect((field as HTMLInputElement).value).toBe('Acme Robotics');
  expect(screen.getByRole('status').textContent).toBe('y5x0zjm3');
});

test('who may not read the list types the ID', async () => {
  render(<Form />, { wrapper: staffAround() });
  fireEvent.change(await screen.findByLabelText(/^Organisation \(ID\)/), { target: { value: ' acme ' } });
  expect(screen.getByRole('status').textContent).toBe('acme');
  expect(asked()).toEqual([]);
});

test('what has always applied says so, and shows no date of 1970', async () => {
  render(<TimeText time="1970-01-01T00:00:00.000Z" />, { wrapper: staffAround() });
  expect(await screen.findByText('from the beginning')).toBeTruthy();
});
