// An auditor clears submissions by keyboard: data, reasons, the decision, and the next.

import { words as tables } from '@gantry/contract/words/en/admin.ts';
import { newQueryClient, useApi } from '@gantry/ui/client/use-api.tsx';
import { answer, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { CoreAdminContext, RecordContextProvider } from 'react-admin';
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router';
import { adminData } from '../../providers/data-provider.ts';
import { words as audit } from '../../words/en/audit.ts';
import { words as shell } from '../../words/en/shell.ts';
import { REJECTIONS, TAKES } from './reasons.ts';
import { Review } from './review.tsx';

const fetched = playNetwork();
let sent: { path: string; body: { result: number; reason: string; version?: string } }[];
let watched: object;
let refusal: object | undefined;

const ROW = {
  id: 'rna-1',
  account_id: 'acc-1',
  account_name: 'zhang',
  account_locale: 'zh',
  type: 1,
  state: 'pending',
  name: '<img src=x onerror=alert(1)>',
  document: 'passport',
  id_card: null,
  document_country: 'CN',
  document_number: 'E123',
  document_picture: null,
  phone: null,
  enterprise_name: null,
  credit_code: null,
  contact_name: null,
  license_picture: null,
  id_front_picture: null,
  id_back_picture: null,
  submitted_at: '2026-01-01T00:00:00.000Z',
  first_approved_by: null,
  first_approved_at: null,
  first_reason: null,
  decided_at: null,
  decided_by: null,
  reason: null,
  version: 'v1',
} as const;

beforeEach(() => {
  sent = [];
  refusal = undefined;
  watched = { id: 'rna-1', state: 'pending', decided_by: null, reviewers: 1, others: [], next: 'rna-2', waiting: 4 };
  fetched.mockImplementation(async (url, init) => {
    const path = String(url);
    if (path.endsWith('/watch')) return answer(watched);
    if (init?.method !== 'PUT') return answer({ id: 'acc-1', name: 'zhang' });
    const body = JSON.parse(String(init.body));
    sent.push({ path, body });
    if (refusal) return answer(refusal, 409);
    return answer({ ...ROW, state: body.result === 1 ? 'approved' : 'rejected' });
  });
});
afterEach(() => void fetched.mockReset());

function Around({ children }: { children: ReactNode }) {
  const api = useApi();
  return (
    <CoreAdminContext dataProvider={adminData(api)} queryClient={newQueryClient()}>
      {children}
    </CoreAdminContext>
  );
}

const Here = () => <p data-testid="here">{useLocation().pathname}</p>;

async function show(row: object = ROW) {
  const element = (
    <Around>
      <RecordContextProvider value={row as never}>
        <Review row={row as never} mayDecide />
      </RecordContextProvider>
      <Here />
    </Around>
  );
  const router = createMemoryRouter([{ path: '*', element }]);
  render(<RouterProvider router={router} />, { wrapper: appAround({ audit, shell, tables }) });
  await screen.findByText('4 more waiting');
}
const press = (key: string, on: Element | Window = window) => act(() => void fireEvent.keyDown(on, { key }));
const field = () => screen.getByLabelText<HTMLTextAreaElement>('Reason');

test('A and Enter approve, with the version that was seen, and the next opens', async () => {
  await show();
  press('a');
  press('Enter');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({
    path: '/api/admin/real-auths/rna-1',
    body: { result: 1, reason: 'The data and the pictures match.', version: 'v1' },
  });
  await waitFor(() => expect(screen.getByTestId('here').textContent).toBe('/manage/audit/real-auths/rna-2/show'));
});

test('R, a number and Enter reject with a reason in the person’s language', async () => {
  await show();
  press('r');
  expect(screen.getByText('The document has expired.')).toBeTruthy();
  press('4');
  expect(field().value).toBe(REJECTIONS[3]?.zh);
  press('Enter');
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ result: 2, reason: REJECTIONS[3]?.zh }));
});

test('M takes a new submission for manual review, with a reason for the log', async () => {
  await show();
  press('m');
  expect(screen.getByText('Only the audit log keeps it.')).toBeTruthy();
  press('1');
  press('Enter');
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ result: 3, reason: TAKES[0]?.en }));
});

test('a submission under manual review is decided, and not taken again', async () => {
  watched = { ...watched, state: 'manualReview' };
  await show({ ...ROW, state: 'manualReview' });
  expect(screen.getByRole('button', { name: 'Approve (A)' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Manual review (M)' })).toBeNull();
  press('m');
  expect(screen.queryByLabelText('Reason')).toBeNull();
});

test('a reason of one’s own is typed without pressing keys of the page', async () => {
  await show();
  press('r');
  press('1', field());
  press('a', field());
  expect(field().value).toBe('');
  fireEvent.change(field(), { target: { value: 'Not you.' } });
  press('Enter', field());
  await waitFor(() => expect(sent[0]?.body.reason).toBe('Not you.'));
});

test('Enter without a reason sends nothing, and Escape goes back', async () => {
  await show();
  press('r');
  press('Enter');
  expect(await screen.findByText('Please give a reason')).toBeTruthy();
  press('Escape');
  press('Enter');
  expect(screen.queryByLabelText('Reason')).toBeNull();
  expect(sent).toEqual([]);
});

test('a refusal stays with its sentence, and the page with it', async () => {
  refusal = {
    code: 40944,
    error: 'real_auth_decided',
    message: 'bea has already decided this submission.',
    request_id: 'r',
  };
  await show();
  press('a');
  press('Enter');
  expect(await screen.findByText('bea has already decided this submission.')).toBeTruthy();
  expect(screen.getByTestId('here').textContent).toBe('/');
});

test('says who else has it open, and that somebody has decided', async () => {
  watched = { ...watched, others: [{ account_id: 'acc-2', name: 'bea' }], state: 'rejected', decided_by: 'bea' };
  await show();
  expect(screen.getByText('bea also has this open.')).toBeTruthy();
  expect(screen.getByText('bea has decided this submission in the meantime.')).toBeTruthy();
  press('a');
  expect(screen.queryByLabelText('Reason')).toBeNull();
});

test('what a tenant wrote is text', async () => {
  await show();
  expect(screen.getByText('<img src=x onerror=alert(1)>')).toBeTruthy();
  expect(document.querySelector('img')).toBeNull();
});

test('Enter within a word that is being composed sends nothing', async () => {
  await show();
  press('r');
  fireEvent.change(field(), { target: { value: '不清楚' } });
  act(() => void fireEvent.keyDown(field(), { key: 'Enter', isComposing: true }));
  act(() => void fireEvent.keyDown(field(), { key: 'Enter', keyCode: 229 }));
  press('Escape');
  await waitFor(() => expect(screen.queryByLabelText('Reason')).toBeNull());
  expect(sent).toEqual([]);
});

test('Enter on a focused reason chooses it and sends nothing', async () => {
  await show();
  press('a');
  const [, second] = screen.getAllByRole('button', { name: /^\d/ });
  press('Enter', second);
  press('Escape');
  await waitFor(() => expect(screen.queryByLabelText('Reason')).toBeNull());
  expect(sent).toEqual([]);
});
