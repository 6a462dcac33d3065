// The gate of a deployment: its numbers on the page, its fields in the form.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { ModelDeploymentView } from '@gantry/contract/kinds/model-deployment.ts';
import { keyOf, newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import { answer, answerOf, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { words as parts } from '../../parts/words/en.ts';
import { words as workload } from '../../parts/workload/words/en.ts';
import { DeploymentCreatePage } from './deployment-pages.ts';
import { GateSection } from './gate-section.tsx';
import { words } from './words/en.ts';

const EVALUATION = {
  ...{ id: 'evl-1', name: 'support quality', baseline: 0 },
  tasks: [
    { name: 'letters', metric: 'F1' },
    { name: 'numbers', metric: 'ExactMatch' },
  ],
};
const NUMBERS = 'Its F1 is 0.7, that of tiny 1.0 is 0.8; the difference lies between −0.15 and −0.05.';
const gated = (reason: string): ModelDeploymentView =>
  ({
    ...{ id: 'dpl-1', name: 'chat', task: 'Generate' },
    conditions: [{ type: 'SetupChosen', status: 'False', reason, message: NUMBERS }],
    spec: {
      gate: { evaluation: 'evl-1', metric: 'F1', margin: 0.02, notWorseThan: { model: 'mdl-1', version: '1.0' } },
    },
  }) as unknown as ModelDeploymentView;

const fetched = playNetwork();
let created: { gate?: unknown } | undefined;
beforeEach(() => {
  sessionStorage.clear();
  created = undefined;
  fetched.mockImplementation(async (url, init) => {
    const path = String(url);
    const data = path.includes('/evaluation') ? [EVALUATION, { ...EVALUATION, id: 'evl-2', baseline: null }] : [];
    if (init?.method === 'POST' && path.endsWith('/model/v1/model/deploy')) {
      created = JSON.parse(String(init.body));
      return answerOf({ id: 'dpl-2' });
    }
    const paginated = { page: 1, size: 1000, total_num: data.length, total_page: 1, num: data.length, extra: {} };
    return answer({ code: 0, message: 'ok', data, result: null, paginated });
  });
});

function show(element: ReactNode) {
  const client = newQueryClient();
  client.setQueryData(
    keyOf(CALLS.getPermissionNodes, nodesInput('tenant')),
    Object.values(CALLS).map(({ id }) => ({ pname: id, peltype: 'element' as const })),
  );
  const routes = [
    { path: '/new', element },
    { path: '*', element: null },
  ];
  const router = createMemoryRouter(routes, { initialEntries: ['/new?model=mdl-1&version=1.0'] });
  const all = { 'model-deployments': words, parts, workload };
  render(<RouterProvider router={router} />, { wrapper: appAround(all, client) });
}

test.each([
  ['GateNotPassed', words.gate.states.closed, true],
  ['GateNotEvaluated', words.gate.states.waiting, true],
  ['Chosen', words.gate.states.open, false],
])('a gate with the reason %s says: %s', async (reason, state, hasNumbers) => {
  show(<GateSection deployment={gated(reason)} />);
  expect(await screen.findByText(state)).toBeTruthy();
  expect(screen.queryByText(NUMBERS) !== null).toBe(hasNumbers);
  expect(await screen.findByText('support quality')).toBeTruthy();
  expect(screen.getByRole('link', { name: words.gate.look }).getAttribute('href')).toBe('/model/evaluation/evl-1');
});

test('what the page begins with is not said again by the gate', async () => {
  show(<GateSection deployment={{ ...gated('GateNotPassed'), message: NUMBERS }} />);
  expect(await screen.findByText(words.gate.states.closed)).toBeTruthy();
  expect(screen.queryByText(NUMBERS)).toBeNull();
});

test('a form with a gate offers evaluations that have a baseline, and tasks of the metric', async () => {
  show(<DeploymentCreatePage />);
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText(/^Name/), 'chat');
  await user.click(screen.getByLabelText(words.gate.isOn));
  await user.click(screen.getByRole('button', { name: words.form.submit }));
  expect(await screen.findByText(words.gate.chooseEvaluation)).toBeTruthy();
  const gate = within(screen.getByRole('region', { name: words.gate.title }));
  const choose = async (label: RegExp, option: string) => {
    await user.click(gate.getByRole('combobox', { name: label }));
    const options = (await screen.findAllByRole('option')).map(({ textContent }) => textContent);
    await user.click(screen.getByRole('option', { name: option }));
    return options;
  };
  expect(await choose(/^Evaluation/, 'support quality')).toEqual(['support quality']);
  await choose(/^Metric/, 'F1');
  expect(await choose(/^Task/, 'letters')).toEqual([words.gate.anyTask, 'letters']);
  await user.click(screen.getByRole('button', { name: words.form.submit }));
  await waitFor(() => expect(created?.gate).toEqual({ evaluation: 'evl-1', metric: 'F1', task: 0, margin: 0 }));
});
