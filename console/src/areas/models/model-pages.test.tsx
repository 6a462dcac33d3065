// The pages of models: what a model's files say, its card as readers see it, uploads that go on, and what the list is narrowed by.

import type { ModelDetailView, ModelVersionView } from '@gantry/contract/areas/models/models.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { keyOf, newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import { answerOf, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { words as ui } from '@gantry/ui/words/en.ts';
import { beforeEach, expect, test } from '@jest/globals';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { words as files } from '../../parts/files/words/en.ts';
import { words as parts } from '../../parts/words/en.ts';
import { SpacePage } from './model-list-pages.tsx';
import { ModelPage } from './model-page.tsx';
import { missingOf } from './version-section.tsx';
import { words as model } from './words/en.ts';

const VERSION: ModelVersionView = {
  ...{ name: '1.0', state: 'uploading', source: 'upload', repository: null, revision: null, problem: null },
  ...{ format: null, structure: null, parameters: null, quantisation: null, context_length: null },
  ...{ weight_bytes: null, kv_token_bytes: null, size_bytes: 8, received_bytes: 0, creator: 'acc-1' },
  files: [{ path: 'model.gguf', size_bytes: 8, received_bytes: 0, sha256: null }],
  ...{ create_time: '2026-11-26T00:00:00Z', ready_time: null, cached_on: null },
};
const MODEL: ModelDetailView = {
  ...{ id: 'mdl-1', is_own: true, name: 'tiny', state: 'ready', license: 'mit', language: ['en'], tags: [] },
  ...{
    shelved: false,
    deployed: false,
    downloads: 3,
    version_count: 1,
    latest_version: '1.0',
    size_bytes: 8,
    format: 'gguf',
  },
  ...{ structure: 'llama', parameters: 8_030_261_248, quantisation: 'Q4_K', context_length: 8192 },
  ...{ weight_bytes: 1024, kv_token_bytes: 64, create_time: VERSION.create_time, update_time: VERSION.create_time },
  card: '# Tiny\n\n<img src=x onerror=alert(1)> [click](javascript:alert(1))',
  versions: [VERSION],
};

const fetched = playNetwork();
let sent: string[];
let shown: ModelDetailView;
let deployed: object[];
/** The list of deployments is refused. */
let isAway: boolean;
beforeEach(() => {
  sent = [];
  shown = MODEL;
  deployed = [];
  isAway = false;
  fetched.mockImplementation(async (url, init) => {
    const call = `${init?.method} ${String(url).replace('/api/model/v1', '')}`;
    sent.push(call);
    if (call.startsWith('GET /model/mdl-1/version/1.0/upload')) return answerOf({ offset: 0, complete: false });
    if (call.startsWith('PUT ')) return answerOf({ offset: 8, complete: true });
    if (call.startsWith('GET /model/deployment') && isAway)
      return new Response(JSON.stringify({ code: 50001, error: 'internal', message: 'Not now.' }), { status: 400 });
    if (call.startsWith('GET /model/deployment'))
      return new Response(
        JSON.stringify({
          ...{ code: 0, message: 'ok', data: deployed },
          paginated: { page: 1, size: 1000, total_num: deployed.length, total_page: 1, num: deployed.length },
        }),
      );
    if (call === 'GET /hub-token')
      return answerOf({ hub: 'https://hub.example', is_set: false, creator: null, create_time: null });
    if (call.startsWith('GET /model/space'))
      return new Response(
        JSON.stringify({
          ...{ code: 0, message: 'ok', data: [MODEL] },
          paginated: {
            ...{ page: 1, size: 100, total_num: 1, total_page: 1, num: 1 },
            extra: { facets: { license: [{ value: 'mit', count: 1 }] }, used_bytes: 1024, quota_bytes: 4096 },
          },
        }),
      );
    return answerOf(shown);
  });
});

function open(path: string) {
  const client = newQueryClient();
  const nodes = Object.values(CALLS).map(({ id }) => ({ pname: id, peltype: 'element' as const }));
  client.setQueryData(keyOf(CALLS.getPermissionNodes, nodesInput('tenant')), nodes);
  const router = createMemoryRouter(
    [
      { path: '/model/space', element: <SpacePage /> },
      { path: '/model/space/:id/:tab?', element: <ModelPage /> },
    ],
    { initialEntries: [path] },
  );
  render(<RouterProvider router={router} />, { wrapper: appAround({ models: model, parts, files }, client) });
  return router;
}

test('a model says what its files are, and shows its card without anything that acts', async () => {
  const [version = VERSION] = MODEL.versions;
  shown = { ...MODEL, versions: [{ ...version, cached_on: { nodes: 1, of: 3, copying: 1 } }] };
  open('/model/space/mdl-1');
  expect(await screen.findByText(/files on 1 of 3 nodes · being copied to 1 more$/)).toBeTruthy();
  expect(await screen.findByText('8.03B')).toBeTruthy();
  expect(screen.getByText('8,192 tokens')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Tiny' })).toBeTruthy();
  expect(document.body.innerHTML).not.toMatch(/onerror|javascript:/);
});

test('a version that can be trained leads to a fine-tuning task, and neither an adapter nor GGUF does', async () => {
  const file = { size_bytes: 8, received_bytes: 8, sha256: null };
  const ready = {
    ...VERSION,
    state: 'ready',
    format: 'safetensors',
    files: [{ ...file, path: 'model.safetensors' }],
  } as const;
  shown = {
    ...MODEL,
    versions: [
      { ...ready, files: [...ready.files] },
      { ...ready, name: 'lora', files: [{ ...file, path: 'adapter_config.json' }] },
      { ...ready, name: 'gguf', format: 'gguf', files: [...ready.files] },
      { ...ready, name: 'new', state: 'checking', files: [...ready.files] },
    ],
  };
  open('/model/space/mdl-1');
  const links = await screen.findAllByRole('link', { name: model.tune });
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/model/finetune/create?model=mdl-1&version=1.0']);
});

test('a model has a tab for its lineage, with an address of its own', async () => {
  fetched.mockImplementation(async (url) =>
    String(url).startsWith('/api/data/v1/lineage?') ? answerOf({ nodes: [], edges: [], more: false }) : answerOf(MODEL),
  );
  const router = open('/model/space/mdl-1/nothing');
  fireEvent.click(await screen.findByRole('tab', { name: parts.page.tabs.lineage }));
  expect(await screen.findByText(parts.lineage.becameNothing)).toBeTruthy();
  expect(router.state.location.pathname).toBe('/model/space/mdl-1/lineage');
});

test('a model says where it runs and how to call it: as itself, and as an adapter of another', async () => {
  const common = { phase: 'active', phase_label: 'Active', tone: 'good', message: null };
  deployed = [
    { ...common, id: 'dep-chat', name: 'chat', model: { id: 'mdl-1', name: 'tiny', version: '1.0' }, adapters: [] },
    {
      ...{ ...common, id: 'dep-base', name: 'base', model: { id: 'mdl-2', name: 'base', version: '7' } },
      adapters: [{ name: 'legal', model: 'mdl-1', version: '2.0' }],
    },
    { ...common, id: 'dep-other', name: 'other', model: { id: 'mdl-2', name: 'base', version: '7' }, adapters: [] },
  ];
  open('/model/space/mdl-1');
  const table = await screen.findByRole('table', { name: model.uses.title });
  const rows = within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    );
  expect(rows).toEqual([
    ['chat', '1.0', 'dep-chat', 'Active'],
    ['base', '2.0', 'dep-base:legal', 'Active'],
  ]);
  expect(within(table).getByRole('link', { name: 'chat' }).getAttribute('href')).toBe('/model/deployment/dep-chat');
  expect(screen.getAllByText(/"dep-chat"/)).toHaveLength(3);
});

test('a model that nothing serves says so, and shows no code', async () => {
  open('/model/space/mdl-1');
  expect(await screen.findByText(model.uses.none)).toBeTruthy();
  expect(screen.queryByText('curl')).toBeNull();
});

test('where a model runs is asked again after a failure', async () => {
  isAway = true;
  open('/model/space/mdl-1');
  const retry = await screen.findByRole('button', { name: ui.actions.retry });
  isAway = false;
  fireEvent.click(retry);
  expect(await screen.findByText(model.uses.none)).toBeTruthy();
});

test('an upload that was left goes on with the same file, and with no other', async () => {
  open('/model/space/mdl-1');
  const input = await screen.findByLabelText(files.files);
  fireEvent.change(input, { target: { files: [new File(['another'], 'model.gguf')] } });
  expect(await screen.findByText(files.resumeNone)).toBeTruthy();
  fireEvent.change(input, { target: { files: [new File(['12345678'], 'model.gguf')] } });
  await waitFor(() => expect(sent).toContain('PUT /model/mdl-1/version/1.0/upload?path=model.gguf&offset=0'));
});

test('a version that failed says why', async () => {
  const problem = { error: 'model_pickle', message: 'x.bin is a pickle file.' };
  shown = { ...MODEL, state: 'abnormal', versions: [{ ...VERSION, state: 'failed', problem }] };
  open('/model/space/mdl-1');
  expect(await screen.findByText('x.bin is a pickle file.')).toBeTruthy();
  expect(screen.queryByLabelText(files.files)).toBeNull();
});

test('the list is narrowed by what there is, with how many', async () => {
  open('/model/space');
  const licences = await screen.findByLabelText(model.facets.license);
  await waitFor(() => expect(within(licences).getByText('mit (1)')).toBeTruthy());
  expect(screen.getByText('1.00 KiB of 4.00 KiB used')).toBeTruthy();
  fireEvent.change(licences, { target: { value: 'mit' } });
  await waitFor(() => expect(sent.some((call) => call.includes('license=mit'))).toBe(true));
});

test('files that are there already are not sent again', () => {
  const listed = [
    { path: 'a/x.json', size_bytes: 2, received_bytes: 0, sha256: null },
    { path: 'y.json', size_bytes: 2, received_bytes: 2, sha256: null },
  ];
  const picked = ['x.json', 'y.json'].map((path) => ({ path, file: new File(['{}'], path) }));
  expect(missingOf(listed, picked).map(({ path }) => path)).toEqual(['a/x.json']);
});
