// The pages of datasets: what a dataset is, its versions and their difference, uploads that go on, and what is refused.
import type { DatasetDetailView, DatasetVersionView } from '@gantry/contract/areas/datasets/datasets.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { keyOf, newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import { playLayout } from '@gantry/ui/testing/play-layout.ts';
import { answer, answerOf, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { words as ui } from '@gantry/ui/words/en.ts';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { words as files } from '../../parts/files/words/en.ts';
import { words as parts } from '../../parts/words/en.ts';
import { words } from './words/en.ts';

const time = '2026-11-29T00:00:00Z';
const VERSION: DatasetVersionView = {
  ...{ version: 2, state: 'ready', step: null, source: 'upload', source_ref: null, message: 'Second thoughts' },
  ...{ problem: null, digest: 'd'.repeat(64), format: 'jsonl', rows: null, profile: null, knowledge: null },
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
let bodies: Record<string, unknown>;
let refusal: string | undefined;
/** Before the usual ones. */
let answers: Row[];
/** Uploads that were begun, by their keys. */
const begun: string[] = [];
jest.unstable_mockModule('../../parts/files/running-uploads.ts', () => ({
  startUpload: (key: string) => void begun.push(key),
  stopUpload: () => {},
  useRunningUpload: () => undefined,
}));
const { SpacePage } = await import('./dataset-list-pages.tsx');
const { DatasetPage } = await import('./dataset-page.tsx');
const listOf = (data: object[], extra: object = {}, pages = 1) =>
  answer({
    ...{ code: 0, message: 'ok', data },
    paginated: { ...{ page: 1, size: 100, total_num: data.length, total_page: pages, num: data.length }, extra },
  });
const DIFFERENCE = {
  ...{ version: 2, with: 1, equal: false, unchanged: 1, size_bytes: 1024, rows: -5 },
  ...{ added: { count: 1, paths: ['new.jsonl'] }, removed: { count: 0, paths: [] } },
  changed: { count: 1, paths: ['b.jsonl'] },
};
type Row = readonly [RegExp, (call: string) => Response];
const ANSWERS: readonly Row[] = [
  [/version\/2\/diff/, () => answerOf(DIFFERENCE)],
  [/version\/\d+\/file/, () => listOf(listed)],
  [/dst-1\/version\?/, () => listOf(versions)],
  [/dst-1\/version\//, () => answerOf(versions[0])],
  [/out-billing-config/, () => answerOf({ currency: 'USD', stored: { model: null, dataset: null } })],
  [/hub-token/, () => answerOf({ hub: 'https://hub.example', is_set: true, creator: null, create_time: null })],
  [/s3-credentials/, () => answerOf([{ name: 'stored-keys', creator: 'ann', create_time: time }])],
  [/data-disk/, () => listOf([{ id: 'dsk-1', name: 'tides' }])],
  [/^GET (\?|\/library)/, () => listOf([shown], { used_bytes: 1024, quota_bytes: 4096 })],
];
// A browser would save a file.
HTMLAnchorElement.prototype.click = () => {};
beforeEach(() => {
  sent = [];
  shown = DATASET;
  versions = [VERSION, FIRST];
  listed = [{ path: 'a.jsonl', size_bytes: 8, received_bytes: 0, sha256: null }];
  refusal = undefined;
  answers = [];
  bodies = {};
  begun.length = 0;
  fetched.mockImplementation(async (url, init) => {
    const path = String(url).replace('/api/data/v1/data/dataset', '').replace('/api/data/v1/data/s3', '/s3');
    const call = `${init?.method} ${path}`;
    sent.push(call);
    if (init?.body) bodies[call] = JSON.parse(String(init.body));
    const own = answers.find(([known]) => known.test(call));
    if (own) return own[1](call);
    if (init?.method !== 'GET')
      return refusal === undefined
        ? answerOf('ok')
        : answer({ code: 40900, error: 'model_in_use', message: refusal }, 409);
    return ANSWERS.find(([known]) => known.test(call))?.[1](call) ?? answerOf(shown);
  });
});

function open(path: string, may = Object.values(CALLS).map(({ id }) => id)) {
  const client = newQueryClient();
  const nodes = may.map((id) => ({ pname: id, peltype: 'element' as const }));
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

const PROFILE = { state: 'ready', step: null, done: null, of: null, problem: null, rejected: 0, parts: 1 };

test('a dataset is processed or trained on, and each of its versions that has a table processed, by a task that the form begins with', async () => {
  const read = { ...VERSION, profile: PROFILE as unknown as DatasetVersionView['profile'] };
  shown = { ...DATASET, latest: read };
  versions = [read, FIRST];
  open('/data/space/dst-1/versions');
  await screen.findByText('Second thoughts');
  expect(screen.getAllByRole('link', { name: words.process }).map((link) => link.getAttribute('href'))).toEqual([
    '/data/processing/create?dataset=dst-1&version=2',
    '/data/processing/create?dataset=dst-1&version=2',
  ]);
  expect(screen.getByRole('link', { name: words.tune }).getAttribute('href')).toBe(
    '/model/finetune/create?dataset=dst-1&datasetVersion=2',
  );
  cleanup();
  open('/data/space/dst-1/files?version=1');
  const [one] = await screen.findAllByRole('link', { name: words.process });
  expect(one?.getAttribute('href')).toBe('/data/processing/create?dataset=dst-1&version=1');
});

test('nobody is offered to process what has no table, or may not create a task', async () => {
  open('/data/space/dst-1');
  await screen.findByText(words.about);
  expect(screen.queryByRole('link', { name: words.process })).toBeNull();
  cleanup();
  shown = { ...DATASET, latest: { ...VERSION, profile: PROFILE as unknown as DatasetVersionView['profile'] } };
  open('/data/space/dst-1', ['createDataset']);
  await screen.findByText(words.about);
  expect(screen.queryByRole('link', { name: words.process })).toBeNull();
});

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

test('a dataset says how programs read it: its table, or its files where there is none', async () => {
  const at = `${location.origin}/api/data/v1/data/dataset/dst-1/version/2`;
  open('/data/space/dst-1');
  expect(await screen.findByText(new RegExp(`"${at}/archive" \\| tar -x$`))).toBeTruthy();
  cleanup();
  shown = { ...DATASET, managers_only: true, latest: { ...VERSION, profile: TABLE } };
  open('/data/space/dst-1');
  expect(await screen.findAllByText((text) => text.includes(`"${at}/table?format=jsonl"`))).toHaveLength(2);
  expect(screen.getByText(words.programs.leadManagers)).toBeTruthy();
});

test.each([
  ['free', null, words.terms.free],
  ['priced', '0.05', 'Keeping files costs $0.05 / GiB per month, charged by the hour.'],
])('what is charged is said before a dataset is made: %s', async (_, rate, said) => {
  answers.push([/out-billing-config/, () => answerOf({ currency: 'USD', stored: { model: '9', dataset: rate } })]);
  open('/data/space');
  fireEvent.click((await screen.findAllByRole('button', { name: words.new }))[0] as HTMLElement);
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText(said)).toBeTruthy();
  expect(dialog.getByText(words.terms.questions)).toBeTruthy();
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

/** The dialog of a new version, with this source chosen. */
async function newVersionFrom(source: string) {
  open('/data/space/dst-1');
  fireEvent.click(await screen.findByRole('button', { name: words.newVersion }));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.mouseDown(dialog.getByRole('combobox', { name: files.source.label }));
  const option = await screen.findByRole('option', { name: source });
  await waitFor(() => expect(option.getAttribute('aria-disabled')).toBeNull());
  fireEvent.click(option);
  const type = (label: string, value: string) =>
    fireEvent.change(dialog.getByRole('textbox', { name: new RegExp(`^${label}`) }), { target: { value } });
  return { dialog, type, fetchIt: () => fireEvent.click(dialog.getByRole('button', { name: words.fetch })) };
}

test('a version is fetched from the hub', async () => {
  const { dialog, type, fetchIt } = await newVersionFrom(files.source.hub);
  expect(dialog.getByText(/Fetched from https:\/\/hub\.example/)).toBeTruthy();
  type(files.source.repository, ' openai/gsm8k ');
  type(files.source.include, '*.parquet, main/*');
  fetchIt();
  await waitFor(() =>
    expect(bodies).toEqual({
      'POST /dst-1/import': {
        ...{ repository: 'openai/gsm8k', revision: 'main', include: ['*.parquet', 'main/*'], message: '' },
      },
    }),
  );
});

test('a version is copied from a disk of the organisation', async () => {
  const { dialog, type, fetchIt } = await newVersionFrom(files.source.disk);
  fireEvent.mouseDown(dialog.getByRole('combobox', { name: new RegExp(`^${files.source.disk}`) }));
  fireEvent.click(await screen.findByRole('option', { name: 'tides' }));
  type(files.source.folder, '/data/train');
  fetchIt();
  await waitFor(() =>
    expect(bodies).toEqual({
      'POST /dst-1/import-from-disk': { disk: 'dsk-1', folder: '/data/train', include: [], message: '' },
    }),
  );
});

test('a version is copied from a bucket, with keys that are stored on the way and not shown', async () => {
  const { dialog, type, fetchIt } = await newVersionFrom(words.s3.bucket);
  type(words.s3.address, 's3://data/train');
  fireEvent.mouseDown(dialog.getByRole('combobox', { name: words.s3.credentials }));
  expect(await screen.findByRole('option', { name: 'stored-keys' })).toBeTruthy();
  fireEvent.click(screen.getByRole('option', { name: words.s3.new }));
  type(words.s3.name, 'mine');
  type(words.s3.accessKey, 'AK');
  const secret = dialog.getByLabelText<HTMLInputElement>(new RegExp(`^${words.s3.secretKey}`));
  expect(secret.type).toBe('password');
  fireEvent.change(secret, { target: { value: 'SK' } });
  fetchIt();
  await waitFor(() =>
    expect(bodies).toEqual({
      'PUT /s3-credentials': { name: 'mine', access_key: 'AK', secret_key: 'SK' },
      'POST /dst-1/import-from-s3': {
        ...{ address: 's3://data/train', endpoint: '', region: 'us-east-1', path_style: true, credentials: 'mine' },
        ...{ include: [], message: '' },
      },
    }),
  );
});

test('what a source refuses stands at its field', async () => {
  const { dialog, type, fetchIt } = await newVersionFrom(words.s3.bucket);
  type(words.s3.address, 'data');
  const body = { code: 40000, error: 'invalid_field', message: 'It begins with s3://.', field: 'address' };
  answers.push([/^POST/, () => answer(body, 400)]);
  fetchIt();
  expect(await dialog.findByText('It begins with s3://.')).toBeTruthy();
});

test('collected requests become a version where they are', async () => {
  const { dialog } = await newVersionFrom(words.sources.collected);
  expect(dialog.getByRole('link', { name: words.collectedLink }).getAttribute('href')).toBe('/model/collected');
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: words.fetch }).disabled).toBe(true);
});

test('stored keys are named and deleted, and new ones replace them', async () => {
  open('/data/space');
  fireEvent.click(await screen.findByRole('button', { name: words.s3.open }));
  fireEvent.click(await screen.findByRole('button', { name: `${ui.actions.delete}: stored-keys` }));
  const question = within(await screen.findByRole('dialog', { name: /stored-keys/ }));
  fireEvent.click(question.getByRole('button', { name: ui.actions.delete }));
  await waitFor(() => expect(sent).toContain('DELETE /s3-credentials/stored-keys'));
});

test('a version that is fetched says from where and how far it is', async () => {
  const fetching = { state: 'processing', step: 'fetching', source: 'hub', digest: null } as const;
  versions = [{ ...VERSION, ...fetching, source_ref: 'openai/gsm8k@main', received_bytes: 1024 }];
  open('/data/space/dst-1/versions');
  expect(await screen.findByText(/Hub · openai\/gsm8k@main/)).toBeTruthy();
  expect(screen.getByRole('progressbar', { name: words.steps.fetching }).getAttribute('aria-valuenow')).toBe('50');
  expect(screen.getByText('1.00 KiB of 2.00 KiB')).toBeTruthy();
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

const TABLE = { state: 'ready', step: null, done: null, of: null, problem: null, rejected: 0, parts: 1 } as const;
const COLUMNS = ['id', 'text'].map((name) => ({ name, type: 'VARCHAR' }));
const ROW_DIFFERENCE = {
  rows: { added: 1, removed: 0, changed: 30, same: 9, before: 39, after: 40 },
  columns: { added: [{ name: 'language', type: 'VARCHAR' }], removed: [], changed: [] },
  changed_columns: [{ name: 'text', rows: 30 }],
  added: { columns: COLUMNS, rows: [['7', '<b>new</b>']], cut: [] },
  removed: { columns: COLUMNS, rows: [], cut: [] },
  changed: {
    columns: [...COLUMNS, { name: 'same', type: 'VARCHAR' }],
    rows: [['3', ['before', 'after'], null]],
    cut: [],
  },
};

test('rows of two versions are compared by a key, when somebody asks', async () => {
  versions = [VERSION, FIRST].map((each) => ({ ...each, profile: TABLE }));
  answers.push([/version\/2\/statistics/, () => answerOf({ columns: COLUMNS })]);
  answers.push([/version\/2\/compare/, () => answerOf(ROW_DIFFERENCE)]);
  open('/data/space/dst-1/versions');
  const field = await screen.findByRole('combobox', { name: words.difference.key });
  await waitFor(() => expect(sent.some((call) => call.endsWith('/statistics'))).toBe(true));
  fireEvent.keyDown(field, { key: 'ArrowDown' });
  fireEvent.click(await screen.findByRole('option', { name: 'id' }));
  expect(bodies).toEqual({});
  fireEvent.click(screen.getByRole('button', { name: words.difference.compareRows }));
  const status = await screen.findByText(/1 row added/);
  expect(status.textContent).toBe('1 row added · 0 removed · 30 changed · 9 unchanged · 39 → 40 in total');
  expect(bodies).toEqual({ 'POST /dst-1/version/2/compare': { with: 1, key: ['id'] } });
  expect(screen.getByText('New columns: language (VARCHAR)')).toBeTruthy();
  expect(screen.getByText('Columns with changes: text (30)')).toBeTruthy();
  const changed = screen.getByRole('table', { name: words.difference.rowsChanged });
  expect([changed.querySelector('del')?.textContent, changed.querySelector('ins')?.textContent]).toEqual([
    ...['before', 'after'],
  ]);
  expect(within(changed).queryByText('same')).toBeNull();
  expect(screen.getByText('<b>new</b>')).toBeTruthy();
  expect(screen.getByText('Only the first 1 are shown.')).toBeTruthy();
  expect(screen.queryByText(words.difference.rowsRemoved)).toBeNull();
});

test('rows of versions without tables are not compared', async () => {
  open('/data/space/dst-1/versions');
  expect(await screen.findByText(words.difference.noTables)).toBeTruthy();
});

test('rows can be compared as soon as the newest table is there, on a page that is open', async () => {
  const tableIs = (state: 'running' | 'ready') => {
    const of = { state, step: null, done: null, of: null, problem: null, rejected: 0, parts: 1 } as const;
    const newest = { ...VERSION, profile: of };
    versions = [newest, { ...FIRST, profile: { ...of, state: 'ready' } }];
    shown = { ...DATASET, latest: newest };
  };
  tableIs('running');
  open('/data/space/dst-1/versions');
  expect(await screen.findByText(words.difference.noTables)).toBeTruthy();
  tableIs('ready');
  expect(await screen.findByRole('button', { name: words.difference.compareRows })).toBeTruthy();
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

test('an upload of thousands of files goes on with one that is listed last', async () => {
  versions = [{ ...VERSION, version: 3, state: 'processing', step: 'uploading', digest: null, received_bytes: 0 }];
  const wanted = { path: 'z.jsonl', size_bytes: 5, received_bytes: 0, sha256: null };
  answers.push([/version\/3\/file\?page=1&/, () => listOf(listed, { cursor: 'c1' }, 2)]);
  answers.push([/version\/3\/file\?page=2&.*cursor=c1/, () => listOf([wanted], {}, 2)]);
  open('/data/space/dst-1/versions');
  const input = await screen.findByLabelText(files.files);
  fireEvent.change(input, { target: { files: [new File(['fives'], 'z.jsonl')] } });
  await waitFor(() => expect(begun).toEqual(['dataset dst-1 3']));
  expect(screen.queryByText(files.resumeNone)).toBeNull();
});

test('all files of a version are downloaded as one archive, which the server packs', async () => {
  open('/data/space/dst-1/files');
  fireEvent.click(await screen.findByRole('button', { name: /Download all.*2\.00 KiB/ }));
  await waitFor(() => expect(sent).toContain('GET /dst-1/version/2/archive'));
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
