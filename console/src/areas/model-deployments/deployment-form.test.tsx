// How a deployment would be served, beside its form: on several nodes too, which can then be set by hand.

import type { DeploymentFitView } from '@gantry/contract/areas/models/models.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { keyOf, newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import { answer, answerOf, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { words as parts } from '../../parts/words/en.ts';
import { words as workload } from '../../parts/workload/words/en.ts';
import { DeploymentCreatePage } from './deployment-pages.ts';
import { words } from './words/en.ts';

const FIT: DeploymentFitView = {
  ...{ fits: true, reason: null, message: null, engine: 'vllm', gpu: { model: 'H100', count: 8 } },
  ...{ nodes_per_replica: 2, cores: 64, memory_gi: 500, context_length: 8192, tensor_parallel_size: 8 },
  arithmetic: ['2 nodes with 8 × H100, 90% of the memory: 1152 GiB'],
};
const fetched = playNetwork();
let estimates: { spec: { replicas: number } }[];
beforeEach(() => {
  estimates = [];
  fetched.mockImplementation(async (url, init) => {
    const path = String(url);
    if (path.includes(CALLS.fitDeployment.path)) return answerOf(FIT);
    if (init?.body) estimates.push(JSON.parse(String(init.body)));
    const paginated = { page: 1, size: 1000, total_num: 0, total_page: 0, num: 0 };
    return answer({ code: 0, message: 'ok', data: [], result: null, paginated });
  });
});

const NODES = Object.values(CALLS).map(({ id }) => ({ pname: id, peltype: 'element' as const }));

function show(address: string) {
  const client = newQueryClient();
  client.setQueryData(keyOf(CALLS.getPermissionNodes, nodesInput('tenant')), NODES);
  const routes = [{ path: '/new', element: <DeploymentCreatePage /> }];
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  const all = { 'model-deployments': words, parts, workload };
  return render(<RouterProvider router={router} />, { wrapper: appAround(all, client) });
}

test('a replica on several nodes is shown, costs what all of them do, and is set by hand', async () => {
  show('/new?model=mdl-1&version=1.0');
  expect(await screen.findByText(/vLLM on 2 nodes with 8 × H100/)).toBeTruthy();
  await waitFor(() => expect(estimates.at(-1)?.spec.replicas).toBe(2));
  expect(screen.queryByLabelText(words.facts.nodes)).toBeNull();
  await userEvent.setup().click(screen.getByRole('button', { name: words.fit.byHand }));
  expect((await screen.findByLabelText<HTMLInputElement>(words.facts.nodes)).value).toBe('2');
  expect(screen.getByText(words.form.nodesHint)).toBeTruthy();
});

test('what was typed comes back when one returns to the page, without values of the environment', async () => {
  sessionStorage.clear();
  const user = userEvent.setup();
  const { unmount } = show('/new');
  await user.type(await screen.findByLabelText(/^Name/), 'answers');
  await user.click(screen.getByRole('button', { name: words.form.addEnv }));
  await user.type(screen.getByLabelText(words.form.envName), 'HF_TOKEN');
  await user.type(screen.getByLabelText(words.form.envValue), 'secret-word');
  unmount();
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('secret-word');
  show('/new');
  expect((await screen.findByLabelText<HTMLInputElement>(/^Name/)).value).toBe('answers');
  expect(screen.getByText(new RegExp(workload.draft.env))).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>(words.form.envName).value).toBe('HF_TOKEN');
  expect(screen.getByLabelText<HTMLInputElement>(words.form.envValue).value).toBe('');
});
