// The form of a policy: short until more is needed, and each fault at its field.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { FIELD_RULES } from '@gantry/contract/http/field-rules.ts';
import { keyOf, newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import { appAround, playAnswers, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { words as workload } from '../../parts/workload/words/en.ts';
import { PolicyCreatePage } from './policy-create-page.tsx';
import { PolicyEditPage } from './policy-edit-page.tsx';
import { words } from './words/en.ts';

// The editor's modules are each another's copy under Jest.
jest.unstable_mockModule('../../parts/promql-field.tsx', () => ({ PromqlField: () => null }));
const { answer, bodies } = playAnswers();
const CREATE = 'POST /api/monitor/v1/alert/policies';

beforeEach(() => {
  answer('GET /api/monitor/v1/observe/topov2/', playedResult({ nodes: [], edges: [] }));
  answer('GET /api/monitor/v1/alert/contacts', { body: { code: 0, message: 'ok', data: [] } });
  answer('GET /api/auth/v1/account/me', playedResult({ email: 'ann@example.org' }));
  answer(CREATE, playedResult({ id: 'alp-1' }));
});

function open(at = '/monitor/policy/create?template=hotGpu') {
  const client = newQueryClient();
  const granted = ['createPolicy', 'alertPolicy.edit'].map((pname) => ({ pname, peltype: 'element' as const }));
  client.setQueryData(keyOf(CALLS.getPermissionNodes, nodesInput('tenant')), granted);
  const routes = [
    { path: '/monitor/policy/create', element: <PolicyCreatePage /> },
    { path: '/monitor/policy/:id', element: <p>made</p> },
    { path: '/monitor/policy/:id/edit', element: <PolicyEditPage /> },
  ];
  const router = createMemoryRouter(routes, { initialEntries: [at] });
  render(<RouterProvider router={router} />, { wrapper: appAround({ alerts: words, workload }, client) });
  return client;
}
const fold = (title: string) =>
  screen.getByText(title, { selector: 'summary' }).closest('details') as HTMLDetailsElement;
// By labels and texts: looking roles up takes seconds on so long a form.
const field = (label: string, at = 0) => screen.getAllByLabelText(new RegExp(`^${label}`))[at] as HTMLInputElement;
const fill = (element: HTMLElement, value: string) => fireEvent.change(element, { target: { value } });
const press = (text: string) => fireEvent.click(screen.getByText(text, { selector: 'button' }));

test('a policy is made with filters, two rules, a silence and an escalation; a fault opens what hides its field', async () => {
  open();
  const { form } = words;
  expect([form.convergence, form.silences, form.validity, form.words].map((title) => fold(title).open)).toEqual(
    Array(4).fill(false),
  );
  // The template groups by GPU.
  expect(fold(form.narrow).open).toBe(true);
  fill(field('Name'), 'hot');
  press(form.addFilter);
  fill(field(form.label), 'gpu');
  const values = screen.getByLabelText(form.values, { selector: 'input' });
  for (const value of ['a,b', '0']) {
    fill(values, value);
    fireEvent.keyDown(values, { key: 'Enter' });
  }
  press(form.addRule);
  press(form.addSilence);
  fireEvent.click(screen.getByLabelText(form.escalation));
  fill(field(form.after, 1), '30');
  fill(field(form.wait), '');
  fireEvent.click(fold(form.convergence).querySelector('summary') as HTMLElement);
  press(form.submit);
  await waitFor(() => expect(screen.getAllByText(FIELD_RULES.empty.en)).toHaveLength(2));
  expect(fold(form.convergence).open).toBe(true);
  expect([0, 1].map((at) => field(form.value, at).getAttribute('aria-invalid'))).toEqual(['false', 'true']);
  expect(bodies(CREATE)).toEqual([]);

  fill(field(form.wait), '45');
  fill(field(form.value, 1), '95');
  press(form.submit);
  await screen.findByText('made');
  expect(bodies(CREATE)).toEqual([
    expect.objectContaining({
      objects: { kind: 'GpuInstance' },
      groupBy: ['gpu'],
      filters: [{ label: 'gpu', operator: 'In', values: ['a,b', '0'] }],
      rules: [
        { type: 'Threshold', compare: 'Above', value: 85, level: 'Critical' },
        { type: 'Threshold', compare: 'Above', value: 95, level: 'Warning' },
      ],
      convergence: { waitSeconds: 45, repeatMinutes: 0, mostPerHour: 20 },
      silences: [expect.objectContaining({ cron: '0 22 * * *', minutes: 480 })],
      channels: [
        { type: 'Bell', afterMinutes: 0 },
        { type: 'Mail', afterMinutes: 30 },
      ],
    }),
  ]);
});

test('whoever has no e-mail address is told so before the alarm', async () => {
  answer('GET /api/auth/v1/account/me', playedResult({ email: null }));
  open();
  await screen.findByText(words.form.noMail);
  fill(field(words.form.mailTo), 'bob@example.org');
  await screen.findByText(words.form.mailToHint);
});

test.each([
  ['their own policy is told so', 'acc-1', words.form.noMail],
  ['somebody else’s policy is told whom it notifies', 'acc-2', words.form.mailToHint],
])('whoever has no e-mail address and edits %s', async (_, creator, hint) => {
  const me = { account_id: 'acc-1', email: null };
  answer('GET /api/auth/v1/account/me', playedResult(me));
  const spec = { objects: { kind: 'GpuInstance' }, metric: 'Failed', rules: [], channels: [{ type: 'Mail' }] };
  const policy = { id: 'alp-1', name: 'hot', generation: 1, creator, actions: [], conditions: [], spec };
  answer('GET /api/monitor/v1/alert/policies/alp-1', playedResult(policy));
  const client = open('/monitor/policy/alp-1/edit');
  client.setQueryData(keyOf(CALLS.getMe, {}), me);
  await screen.findByText(hint);
});
