// The way from a deployment to the form of its evaluation.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { ModelDeploymentView } from '@gantry/contract/kinds/model-deployment.ts';
import { keyOf, newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import { appAround } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { EvaluateButton } from './evaluate-button.tsx';
import { words } from './words/en.ts';

function show(task: ModelDeploymentView['task'], nodes: readonly string[]) {
  const client = newQueryClient();
  client.setQueryData(
    keyOf(CALLS.getPermissionNodes, nodesInput('tenant')),
    nodes.map((pname) => ({ pname, peltype: 'element' as const })),
  );
  render(
    <MemoryRouter>
      <EvaluateButton deployment={{ id: 'dpl-1', task }} />
    </MemoryRouter>,
    { wrapper: appAround({ 'model-deployments': words }, client) },
  );
}

test('a deployment leads to the form of its evaluation', async () => {
  show('Generate', ['createEvaluation']);
  expect((await screen.findByRole('link', { name: words.evaluate })).getAttribute('href')).toBe(
    '/model/evaluation/create?subject=dpl-1',
  );
});

test.each([
  ['embeddings', 'Embed', ['createEvaluation']],
  ['people who may create none', 'Generate', []],
] as const)('there is no such way for %s', (_, task, nodes) => {
  show(task, nodes);
  expect(screen.queryByRole('link')).toBeNull();
});
