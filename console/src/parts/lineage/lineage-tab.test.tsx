// The lineage tab: a map and lists of what a thing came from and what became of it, opened further at each node; what is gone said as such;
// what would change if it were wrong; the export.
import { EXPORT_IS_CUT, type LineageNodeView, type LineageView } from '@gantry/contract/areas/lineage/lineage.ts';
import { playLayout } from '@gantry/ui/testing/play-layout.ts';
import { answer, answerOf, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type FunctionComponent, useEffect } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { NODE_SIZE, type Structure } from '../graph/layout-of.ts';
import { words } from '../words/en.ts';

const saveAnswer = jest.fn<(response: Response) => Promise<void>>();
jest.unstable_mockModule('../save-answer.ts', () => ({ saveAnswer }));
const laidOut: Structure[] = [];
jest.unstable_mockModule('../graph/layout-aside.ts', () => ({
  layoutAside: async (structure: Structure) => {
    laidOut.push(structure);
    return structure.nodes.map((id, at) => ({ id, x: at, y: 0 }));
  },
}));
const setCenter = jest.fn();
/** Draws each node where a browser would, without its canvas. */
jest.unstable_mockModule('@xyflow/react', () => ({
  ...{ Background: () => null, Handle: () => null, Position: {} },
  ReactFlow: ({ nodes, nodeTypes, onNodeClick, onInit }: PlayedFlow) => {
    useEffect(() => onInit({ setCenter, getZoom: () => 1 }), [onInit]);
    return nodes.map((node) => {
      const Node = nodeTypes[node.type] as FunctionComponent<object>;
      return (
        <div key={node.id} data-testid={`on map ${node.id}`} role="none" onClick={() => onNodeClick(undefined, node)}>
          <Node {...node} />
        </div>
      );
    });
  },
}));
interface PlayedFlow {
  nodes: { id: string; type: string }[];
  nodeTypes: Record<string, unknown>;
  onNodeClick(event: unknown, node: object): void;
  onInit(flow: object): void;
}
const { LineageTab } = await import('./lineage-tab.tsx');

const time = '2026-11-27T00:00:00Z';
const node = (key: string, more: Partial<LineageNodeView>): LineageNodeView => ({
  ...{ key, kind: 'model', name: 'tiny', digest: 'a'.repeat(64), is_own: true, level: 0, sources: 0, uses: 0 },
  ...{ id: 'mdl-1', version: '1.0', create_time: '2026-11-26T00:00:00Z', gone_time: null },
  ...more,
});
const run = node('run', {
  kind: 'finetune',
  name: 'teach',
  id: 'ftn-1',
  version: '2',
  digest: null,
  level: -1,
  sources: 3,
  uses: 1,
});
const gone = node('gone', {
  kind: 'deployment',
  name: 'old chat',
  id: 'dep-old',
  version: null,
  level: 1,
  gone_time: time,
});
const chat = node('chat', { kind: 'deployment', name: 'chat', id: 'dep-chat', version: null, level: 1 });
const FIRST: LineageView = {
  nodes: [node('one', { sources: 1, uses: 1 }), node('two', { version: '2.0', uses: 1 }), run, gone, chat],
  edges: [
    { from: 0, to: 3, time },
    { from: 1, to: 4, time },
    { from: 2, to: 0, time },
  ],
  more: false,
};

playLayout();
const fetched = playNetwork();
let answers: Record<string, () => Response>;
let asked: string[];
beforeEach(() => {
  asked = [];
  laidOut.length = 0;
  saveAnswer.mockReset();
  setCenter.mockReset();
  answers = { 'kind=model&id=mdl-1': () => answerOf(FIRST) };
  fetched.mockImplementation(async (url) => {
    const path = String(url).replace('/api/data/v1/lineage', '').replace(/^\?/, '');
    asked.push(path);
    return answers[path]?.() ?? answer({ code: 40400, error: 'not_found', message: 'There is no such thing.' }, 404);
  });
});

function open(kind: 'model' | 'deployment' = 'model') {
  const router = createMemoryRouter([
    { path: '/', element: <LineageTab kind={kind} id="mdl-1" /> },
    { path: '/model/*', element: 'another page' },
  ]);
  render(<RouterProvider router={router} />, { wrapper: appAround({ parts: words }) });
  return { user: userEvent.setup(), address: () => router.state.location.pathname };
}
const table = (name: string) => screen.findByRole('table', { name });
const rowsOf = async (name: string) =>
  within(await table(name))
    .getAllByRole('row')
    .slice(1);
const onMap = (key: string) => screen.findByTestId(`on map ${key}`);

test('lists say what came from what, the living first, with links that the keyboard reaches; what is gone is no link', async () => {
  const { user, address } = open();
  const [first, second] = await rowsOf(words.lineage.became);
  expect(first?.textContent).toMatch(/^chatDeploymenttiny 2.0–/);
  expect(second?.textContent).toMatch(/^old chatDeleted/);
  expect(within(second as HTMLElement).queryByRole('link')).toBeNull();
  expect((await rowsOf(words.lineage.from)).map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^teach 2Fine-tuning–tiny 1.0/),
  ]);
  const link = within(first as HTMLElement).getByRole('link', { name: 'chat' });
  act(() => link.focus());
  await user.keyboard('{Enter}');
  expect(address()).toBe('/model/deployment/dep-chat');
});

test('the map has the same things: what is gone is struck out, a click leads to the page of what is there', async () => {
  const { address } = open();
  expect((await onMap('gone')).textContent).toBe(`old chatDeployment · ${words.lineage.isGone}`);
  expect((await onMap('one')).textContent).toBe('tiny 1.0Model');
  expect(laidOut).toEqual([
    {
      nodes: ['one', 'two', 'run', 'gone', 'chat'],
      edges: [
        ['one', 'gone'],
        ['two', 'chat'],
        ['run', 'one'],
      ],
    },
  ]);
  fireEvent.click(await onMap('gone'));
  fireEvent.click(await onMap('one'));
  expect(address()).toBe('/');
  fireEvent.click(await onMap('chat'));
  expect(address()).toBe('/model/deployment/dep-chat');
});

test.each(['map', 'list'])('more is shown at a node when somebody asks for it, from the %s', async (where) => {
  const read = node('read', { kind: 'dataset', name: 'rows', id: 'dst-1', version: '3', level: -1 });
  answers['kind=finetune&id=ftn-1&version=2&direction=up'] = () =>
    answerOf({ nodes: [{ ...run, level: 0 }, read], edges: [{ from: 1, to: 0, time }], more: false });
  const { user } = open();
  const name = words.lineage.showSourcesOf.replace('%{count}', '3').replace('%{name}', 'teach 2');
  const button = await screen.findByRole('button', { name });
  await onMap('run');
  expect(asked).toEqual(['kind=model&id=mdl-1']);
  if (where === 'list') await user.click(button);
  else fireEvent.click(within(await onMap('run')).getByText('+3'));
  expect((await onMap('read')).textContent).toBe('rows 3Dataset');
  const link = await within(await table(words.lineage.from)).findByRole('link', { name: 'rows 3' });
  expect(link.getAttribute('href')).toBe('/data/space/dst-1/files?version=3');
  expect(screen.queryByRole('button', { name })).toBeNull();
  expect(within(await onMap('run')).queryByText(/\+/)).toBeNull();
  expect(asked).toHaveLength(2);
  // Everything may have moved: the node is in the middle of the map. It is the third one.
  expect(setCenter).toHaveBeenLastCalledWith(2 + NODE_SIZE.width / 2, NODE_SIZE.height / 2, { zoom: 1 });
});

test('what cannot be shown is said, and may be asked for again', async () => {
  const { user } = open();
  const name = words.lineage.showSourcesOf.replace('%{count}', '3').replace('%{name}', 'teach 2');
  await user.click(await screen.findByRole('button', { name }));
  expect(await screen.findByText('There is no such thing.')).toBeTruthy();
  expect(screen.getByRole('button', { name })).toBeTruthy();
});

test('one of several versions can be looked at alone', async () => {
  answers['kind=model&id=mdl-1&version=2.0'] = () =>
    answerOf({ nodes: [node('two', { version: '2.0' }), chat], edges: [{ from: 0, to: 1, time }], more: false });
  const { user } = open();
  await user.selectOptions(await screen.findByLabelText(words.lineage.version), '2.0');
  await waitFor(async () => expect(await rowsOf(words.lineage.became)).toHaveLength(1));
  expect(screen.getByText(words.lineage.fromNothing)).toBeTruthy();
});

test('of the library a deployment names the model and its digest, without a link', async () => {
  answers['kind=deployment&id=mdl-1'] = () =>
    answerOf({
      nodes: [
        node('own', { kind: 'deployment', name: 'chat', version: null }),
        node('shelf', { name: 'Qwen', is_own: false, id: null, version: null, create_time: null, level: -1, uses: 9 }),
      ],
      edges: [{ from: 1, to: 0, time }],
      more: true,
    });
  open('deployment');
  const [row] = await rowsOf(words.lineage.from);
  expect(within(row as HTMLElement).getByText('Qwen (library)')).toBeTruthy();
  expect(within(row as HTMLElement).getByTitle('a'.repeat(64)).textContent).toBe('a'.repeat(12));
  expect(within(row as HTMLElement).queryByRole('link')).toBeNull();
  expect(within(row as HTMLElement).queryByRole('button')).toBeNull();
  expect(screen.queryByLabelText(words.lineage.version)).toBeNull();
  expect(screen.getByText(words.lineage.becameNothing)).toBeTruthy();
  expect(screen.getByText(words.lineage.more)).toBeTruthy();
});

test('what would change is listed in the order of the server: running deployments first, what is gone last', async () => {
  answers['/impact?kind=model&id=mdl-1'] = () =>
    answerOf({
      nodes: [
        { ...chat, level: 4, is_running: true },
        { ...run, key: 'later', name: 'again', level: 1, is_running: false },
        { ...gone, level: 1, is_running: false },
      ],
      more: true,
    });
  const { user } = open();
  const button = await screen.findByRole('button', { name: words.lineage.impact });
  expect(asked).not.toContain('/impact?kind=model&id=mdl-1');
  await user.click(button);
  expect((await rowsOf(words.lineage.impact)).map((row) => row.textContent)).toEqual([
    `chatDeployment${words.lineage.running}4`,
    'again 2Fine-tuning–1',
    `old chat${words.lineage.isGone}Deployment–1`,
  ]);
  expect(screen.getByText(/deployments: 1\. Present, with these: 2\. Deleted or replaced: 1\./)).toBeTruthy();
  expect(screen.getByText(words.lineage.more)).toBeTruthy();
  await user.click(button);
  expect(screen.queryByRole('table', { name: words.lineage.impact })).toBeNull();
});

test('the export is saved as the server names it, and says where it lacks something', async () => {
  answers['/export?kind=model&id=mdl-1'] = () => new Response('{}\n', { headers: { [EXPORT_IS_CUT]: 'true' } });
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: words.lineage.export }));
  expect(await screen.findByText(words.lineage.exportCut)).toBeTruthy();
  expect(saveAnswer).toHaveBeenCalledTimes(1);
});

test('something that is not ready has no lineage yet', async () => {
  answers = {};
  open();
  expect(await screen.findByText(words.lineage.none)).toBeTruthy();
});

test('a failure says what the server says', async () => {
  answers['kind=model&id=mdl-1'] = () => answer({ code: 40000, error: 'x', message: 'Not now.' }, 400);
  open();
  expect(await screen.findByText('Not now.')).toBeTruthy();
  expect(screen.queryByText(words.lineage.none)).toBeNull();
});
