// The pages of datasets: what a dataset is, its versions and their difference, uploads that go on, and what is refused.
import type { DatasetDetailView, DatasetVersionView } from '@gantry/contract/areas/datasets/datasets.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { keyOf, newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import { playLayout } from '@gantry/ui/testing/play-layout.ts';
import { answer, answerOf, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { words as ui } from '@gantry/ui/words/en.ts';
import { beforeEach, expect, test } from '@jest/globals';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { words as files } from '../../parts/files/words/en.ts';
import { words as parts } from '../../parts/words/en.ts';
import { SpacePage } from './dataset-list-pages.tsx';
import { DatasetPage } from './dataset-page.tsx';
import { words } from './words/en.ts';

const time = '2026-11-29T00:00:00Z';
const VERSION: DatasetVersionView = {
  ...{ version: 2, state: 'ready', step: null, source: 'upload', source_ref: null, message: 'Second thoughts' },
  ...{ problem: null, digest: 'd'.repeat(64), format: 'jsonl', rows: null, profile: null },
  ...{ file_count: 3, size_bytes: 2048, received_bytes: 2048, creator: null, create_time: time, ready_time: time },
};
const FIRST: DatasetVersionView = { ...VERSION, version: 1, message: '', digest: 'e'.repeat(64), rows: 1234567 };
const DATASET: DatasetDetailView = {
  ...{ id: 'dst-1', is_own: true, name: 'sea', type: 'qa', state: 'ready', license: 'mit', language: ['en'] },
  ...{ tags: [], shelved: false, managers_only: false, downloads: 3, version_count: 2, latest_version: 2 },
  ...{ source: 'upload', format: 'jsonl', rows: null, size_bytes: 2048, create_time: time, update_time: time },
  card: '# The sea\n\n<img src=x onerror=alert(1)> [click](javascript:alert(1))',
  latest: VERSION,
};

playLayout();
const fetched = playNetwork();
let sent: string[];
let shown: DatasetDetailView;
let versions: DatasetVersionView[];
let listed: object[];
let refusal: string | undefined;
const listOf = (data: object[], extra: object = {}) =>
  answer({
    ...{ code: 0, message: 'ok', data },
    paginated: { ...{ page: 1, size: 100, total_num: data.length, total_page: 1, num: data.length }, extra },
  });
const DIFFERENCE = {
  ...{ version: 2, with: 1, equal: false, unchanged: 1, size_bytes: 1024, rows: -5 },
  ...{ added: { count: 1, paths: ['new.jsonl'] }, removed: { count: 0, paths: [] } },
  changed: { count: 1, paths: ['b.jsonl'] },
};
const ANSWERS: readonly (readonly [RegExp, (call: string) => Response])[] = [
  [/version\/2\/diff/, () => answerOf(DIFFERENCE)],
  [/version\/\d+\/file/, () => listOf(listed)],
  [/dst-1\/version\?/, () => listOf(versions)],
  [/dst-1\/version\//, () => answerOf(versions[0])],
  [/^GET (\?|\/library)/, () => listOf([shown], { used_bytes: 1024, quota_bytes: 4096 })],
];
beforeEach(() => {
  sent = [];
  shown = DATASET;
  versions = [VERSION, FIRST];
  listed = [{ path: 'a.jsonl', size_bytes: 8, received_bytes: 0, sha256: null }];
  refusal = undefined;
  fetched.mockImplementation(async (url, init) => {
    const call = `${init?.method} ${String(url).replace('/api/data/v1/data/dataset', '')}`;
    sent.push(call);
    if (init?.method !== 'GET')
      return refusal === undefined
        ? answerOf('ok')
        : answer({ code: 40900, error: 'model_in_use', message: refusal }, 409);
    return ANSWERS.find(([path]) => path.test(call))?.[1](call) ?? answerOf(shown);
  });
});

function open(path: string) {
  const client = newQueryClient();
  const nodes = Object.values(CALLS).map(({ id }) => ({ pname: id, peltype: 'element' as const }));
  client.setQueryData(keyOf(CALLS.getPermissionNodes, nodesInput('tenant')), nodes);
  const router = createMemoryRouter(
    [
      { path: '/data/space', element: <SpacePage /> },
      { path: '/data/space/:id/:tab?', element: <DatasetPage /> },
    ],
    { initialEntries: [path] },
  );
  render(<RouterProvider router={router} />, { wrapper: appAround({ datasets: words, parts, files }, client) });
  return router;
}

test('the list shows what there is, how much of the quota it takes, and is narrowed by type', async () => {
  open('/data/space');
  expect((await screen.findByRole('link', { name: 'sea' })).getAttribute('href')).toBe('/data/space/dst-1');
  expect(screen.getByText('1.00 KiB of 4.00 KiB used')).toBeTruthy();
  fireEvent.change(screen.getByLabelText(words.fields.type), { target: { value: 'rag' } });
  await waitFor(() => expect(sent.some((call) => call.includes('type=rag'))).toBe(true));
});

test('a dataset says what it is, and shows its card without anything that acts', async () => {
  open('/data/space/dst-1');
  expect(await screen.findByRole('heading', { name: 'The sea' })).toBeTruthy();
  for (const text of ['QA pairs', 'JSON Lines', 'mit', 'Version 2']) expect(screen.getByText(text)).toBeTruthy();
  expect(document.body.innerHTML).not.toMatch(/onerror|javascript:/);
});

test('an empty dataset says what to do, and the button opens the upload', async () => {
  shown = { ...DATASET, state: 'empty', version_count: 0, latest_version: null, latest: null };
  open('/data/space/dst-1');
  fireEvent.click(await screen.findByRole('button', { name: words.uploadFiles }));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByRole('button', { name: words.upload }));
  expect(await dialog.findByText(words.noFiles)).toBeTruthy();
  expect(sent.some((call) => call.startsWith('POST'))).toBe(false);
});

test('a dataset of others offers nothing that would change it', async () => {
  shown = { ...DATASET, is_own: false };
  open('/data/space/dst-1/versions');
  expect(await screen.findByText('Second thoughts')).toBeTruthy();
  for (const name of [words.newVersion, ui.actions.edit, ui.actions.delete])
    expect(screen.queryByRole('button', { name })).toBeNull();
});

test('the newest version is compared with the one before, in words', async () => {
  open('/data/space/dst-1/versions');
  const status = await screen.findByText(/1 file added/);
  expect(status.textContent).toBe('1 file added · 0 removed · 1 changed · 1 unchanged · +1.00 KiB · -5 rows');
  expect(screen.getByText('new.jsonl')).toBeTruthy();
  expect(screen.getByText('b.jsonl')).toBeTruthy();
  expect(sent).toContain('GET /dst-1/version/2/diff?with=1');
});

test('a version says its message, its rows and its size', async () => {
  open('/data/space/dst-1/versions');
  expect(await screen.findByText('Second thoughts')).toBeTruthy();
  expect(screen.getByText(/3 files · 2\.00 KiB · 1,234,567 rows/)).toBeTruthy();
});

test('an upload that was left goes on with the same files, and with no others', async () => {
  versions = [{ ...VERSION, version: 3, state: 'processing', step: 'uploading', digest: null, received_bytes: 0 }];
  open('/data/space/dst-1/versions');
  const input = await screen.findByLabelText(files.files);
  fireEvent.change(input, { target: { files: [new File(['other'], 'a.jsonl')] } });
  expect(await screen.findByText(files.resumeNone)).toBeTruthy();
});

test('a version that failed says why', async () => {
  versions = [
    { ...VERSION, state: 'failed', digest: null, problem: { error: 'model_gone', message: 'The hub has it no more.' } },
  ];
  open('/data/space/dst-1/versions');
  expect(await screen.findByText('The hub has it no more.')).toBeTruthy();
});

test('what uses a version keeps it, and the question says so', async () => {
  open('/data/space/dst-1/versions');
  const section = within(await screen.findByRole('region', { name: 'Version 2' }));
  fireEvent.click(section.getByRole('button', { name: ui.actions.delete }));
  refusal = 'Fine-tuning ftn-1 uses it.';
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByRole('button', { name: ui.actions.delete }));
  expect(await dialog.findByText('Fine-tuning ftn-1 uses it.')).toBeTruthy();
  expect(sent).toContain('DELETE /dst-1/version/2');
});

test('files are those of the version in the address', async () => {
  open('/data/space/dst-1/files?version=1');
  await waitFor(() => expect(sent.some((call) => call.startsWith('GET /dst-1/version/1/file'))).toBe(true));
  const choice = await screen.findByLabelText<HTMLSelectElement>(words.fields.version);
  expect(choice.value).toBe('1');
});

test('a dataset that does not exist leads back to the list', async () => {
  fetched.mockImplementation(async () => answer({ code: 40400, error: 'not_found', message: 'There is none.' }, 404));
  open('/data/space/dst-9');
  expect((await screen.findByRole('link', { name: parts.page.toList })).getAttribute('href')).toBe('/data/space');
});
