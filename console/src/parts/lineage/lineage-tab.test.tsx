// The lineage tab: what a thing came from and what became of it, with links to what is there, and what is gone said as such.
import type { LineageView } from '@gantry/contract/areas/lineage/lineage.ts';
import { answer, answerOf, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { words } from '../words/en.ts';
import { LineageTab } from './lineage-tab.tsx';

type Node = LineageView['nodes'][number];
const node = (more: Partial<Node>): Node => ({
  ...{ kind: 'model', name: 'tiny', digest: 'a'.repeat(64), is_own: true, level: 0, id: 'mdl-1', version: '1.0' },
  ...{ create_time: '2026-11-26T00:00:00Z', gone_time: null },
  ...more,
});
const time = '2026-11-27T00:00:00Z';
const fetched = playNetwork();
let shown: Response;
let asked: string[];
beforeEach(() => {
  asked = [];
  fetched.mockImplementation(async (url) => {
    asked.push(String(url));
    return shown;
  });
});

function open(kind: 'model' | 'deployment' = 'model') {
  const router = createMemoryRouter([
    { path: '/', element: <LineageTab kind={kind} id="mdl-1" /> },
    { path: '/model/deployment/:id', element: 'the deployment' },
  ]);
  render(<RouterProvider router={router} />, { wrapper: appAround({ parts: words }) });
  return { user: userEvent.setup(), router };
}

test('what came from a model is listed, the living first, with links that the keyboard reaches', async () => {
  shown = answerOf({
    nodes: [
      node({}),
      node({ version: '2.0', digest: 'b'.repeat(64) }),
      node({ kind: 'deployment', name: 'old chat', id: 'dep-old', version: null, level: 1, gone_time: time }),
      node({ kind: 'deployment', name: 'chat', id: 'dep-chat', version: null, level: 1 }),
    ],
    edges: [
      { from: 0, to: 2, via: null, time },
      { from: 1, to: 3, via: null, time },
    ],
    more: false,
  });
  const { user, router } = open();
  const table = await screen.findByRole('table', { name: words.lineage.became });
  const [, first, second] = within(table).getAllByRole('row');
  expect(first?.textContent).toContain('chat');
  expect(first?.textContent).toContain('2.0');
  expect(second?.textContent).toMatch(/old chatDeleted or replaced 2026/);
  expect(within(second as HTMLElement).queryByRole('link')).toBeNull();
  expect(screen.getByText(words.lineage.fromNothing)).toBeTruthy();
  expect(asked).toEqual(['/api/data/v1/lineage?kind=model&id=mdl-1']);
  await user.tab();
  await user.tab();
  expect(document.activeElement?.textContent).toBe('chat');
  await user.keyboard('{Enter}');
  expect(router.state.location.pathname).toBe('/model/deployment/dep-chat');
});

test('of the library a deployment names the model and its digest, without a link', async () => {
  shown = answerOf({
    nodes: [
      node({ kind: 'deployment', name: 'chat', version: null }),
      node({ name: 'Qwen', is_own: false, id: null, version: null, create_time: null, level: -1 }),
    ],
    edges: [{ from: 1, to: 0, via: null, time }],
    more: true,
  });
  open('deployment');
  const table = await screen.findByRole('table', { name: words.lineage.from });
  expect(within(table).getByText('Qwen (library)')).toBeTruthy();
  expect(within(table).getByTitle('a'.repeat(64)).textContent).toBe('a'.repeat(12));
  expect(within(table).queryByRole('link')).toBeNull();
  // All belong to the one that the page is of.
  expect(within(table).queryByRole('columnheader', { name: words.lineage.of })).toBeNull();
  expect(screen.getByText(words.lineage.becameNothing)).toBeTruthy();
  expect(screen.getByText(words.lineage.more)).toBeTruthy();
});

test('something that is not ready has no lineage yet', async () => {
  shown = answer({ code: 40400, error: 'not_found', message: 'There is no mdl-1.' }, 404);
  open();
  expect(await screen.findByText(words.lineage.none)).toBeTruthy();
});

test('a failure says what the server says', async () => {
  shown = answer({ code: 40000, error: 'x', message: 'Not now.' }, 400);
  open();
  expect(await screen.findByText('Not now.')).toBeTruthy();
  expect(screen.queryByText(words.lineage.none)).toBeNull();
});
