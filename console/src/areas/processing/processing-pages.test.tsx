// The pages of data processing: the list, the form with its preview, and the units of a task.
import type { LineageView } from '@gantry/contract/areas/lineage/lineage.ts';
import type { ProcessPreviewView, ProcessUnitView } from '@gantry/contract/areas/processing/processing.ts';
import { API_VERSION } from '@gantry/contract/define-kind.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { DataProcessView } from '@gantry/contract/kinds/data-process.ts';
import { keyOf, newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import { playLayout } from '@gantry/ui/testing/play-layout.ts';
import { answer, answerOf, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { words as files } from '../../parts/files/words/en.ts';
import { words as metrics } from '../../parts/metrics/words/en.ts';
import { words as task } from '../../parts/task/words/en.ts';
import { words as parts } from '../../parts/words/en.ts';
import { words as workload } from '../../parts/workload/words/en.ts';
import { ProcessingListPage } from './processing-list-page.tsx';
import { ProcessingPage } from './processing-page.tsx';
import { ProcessingCreatePage } from './processing-pages.ts';
import { words } from './words/en.ts';

const time = '2026-11-29T00:00:00Z';
const TASK: DataProcessView = {
  ...{ id: 'dpr-1', name: 'handbook', phase: 'success', phase_label: 'Success', tone: 'good', status: 'success' },
  ...{ reason: 'Succeeded', message: 'The new version of the dataset is ready.', conditions: [], generation: 1 },
  ...{ create_time: time, creator: null, specification: '1 core, 2 GiB', gpu: null, workers: 1, cards: 0 },
  ...{ priority: 'Normal', host: null, price: null, cost: '$0.02', start_time: time, end_time: time },
  ...{ running_seconds: 60, queue: null, excluded_nodes: [], runs: [], type: 'QaPairs', type_label: 'QA pairs' },
  ...{ model: 'acme/chat', input: { dataset: 'dst-1', name: 'sea', version: 2 } },
  output: { dataset: 'dst-9', name: 'sea-qa', version: 1, is_ready: true, rows: 12 },
  progress: { step: null, done: 6, of: 10, failed: 2, skipped: 1, rejected: 3, tokens: 1234, percent: 90, time },
  outcome: {
    problem: '<b>The table</b> cannot be read.',
    removed: [
      { what: 'Duplicate', label: 'Duplicates', count: 1200 },
      { what: 'TooShort', label: 'Too short', count: 3 },
    ],
    masked: [{ what: 'email', label: 'Email addresses', count: 4 }],
  },
  actions: [
    { action: 'runAgain', label: 'Run again', danger: 'none', spends: true },
    { action: 'tryAgain', label: 'Retry failed', danger: 'none', spends: true },
  ],
  spec: { type: 'QaPairs', input: { dataset: 'dst-1' }, output: { name: 'sea-qa' }, maxTokens: 5000 },
} as unknown as DataProcessView;
const unit = (label: string, more: Partial<ProcessUnitView>): ProcessUnitView => ({
  ...{ unit: label, label, state: 'done', reason: null, reason_label: null, rows: 3, rejected: 0, run: 1, time },
  ...more,
});
const UNITS = [
  unit('sea.pdf p. 1', { state: 'failed', reason: 'ModelBusy', reason_label: 'The model was busy.', rows: 0 }),
  unit('sea.pdf p. 2', {}),
];
const PREVIEW: ProcessPreviewView = {
  columns: [{ name: 'text', type: 'VARCHAR' }],
  rows: [['<img src=x onerror=alert(1)>'], [null]],
  ...{ cut: [], units: { count: 40, is_exact: false } },
  estimate: {
    tokens: {
      ...{ input: 10_000, output: 2000 },
      arithmetic: {
        ...{ sampledUnits: 10, scaledBy: 4, requests: 40, textTokens: 8000, instructionTokens: 2000 },
        answerTokensEach: 50,
      },
    },
    time: { seconds: 80, start_seconds: 20, steps: 40, seconds_each: 1.5, timed_requests: null },
    lines: [
      { what: 'inputTokens', quantity: 10_000, price: '1.00', amount: '0.01' },
      { what: 'outputTokens', quantity: 2000, price: '0.00', amount: '0.00' },
      { what: 'worker', quantity: 80, price: '0.09', amount: '0.002' },
    ],
    ...{ total: '0.012', currency: 'USD' },
  },
  prompts: [{ label: 'sea.pdf p. 1', body: '{"messages":[]}', input_tokens: 250 }],
};
const ESTIMATE = {
  ...{ currency: 'USD', per_hour: '0.1', per_month: '73', lines: [], available: '5', needed: '0.1' },
  ...{ balance_after: '4.9', hours_left: 49, affordable: true, refusal: null, unpriced: [], most_in_all: null },
};

const thing = { digest: null, is_own: true, sources: 0, uses: 0, create_time: time, gone_time: null };
const LINEAGE: LineageView = {
  nodes: [
    { ...thing, kind: 'process', key: 'run', name: 'dpr-1', id: 'dpr-1', version: '2', level: 0 },
    { ...thing, kind: 'dataset', key: 'read', name: 'sea', id: 'dst-1', version: '2', level: -1 },
    { ...thing, kind: 'dataset', key: 'made', name: 'sea-qa', id: 'dst-9', version: '1', level: 1 },
  ],
  edges: [
    { from: 1, to: 0, time },
    { from: 0, to: 2, time },
  ],
  more: false,
};

playLayout();
const fetched = playNetwork();
let sent: string[];
let bodies: Record<string, unknown>;
let previewed: () => Response;
let lineage: () => Response;
const listOf = (data: readonly object[]) =>
  answer({
    ...{ code: 0, message: 'ok', data },
    paginated: { ...{ page: 1, size: 10, total_num: data.length, total_page: 1, num: data.length }, extra: {} },
  });
const BASE = '/api/data/v1/data/dataset';
beforeEach(() => {
  sent = [];
  bodies = {};
  previewed = () => answerOf(PREVIEW);
  lineage = () => answerOf(LINEAGE);
  const rows: readonly (readonly [RegExp, () => Response])[] = [
    [/processing\/preview$/, () => previewed()],
    [/processing\/dpr-3\/unit/, () => listOf([])],
    [/processing\/dpr-3/, () => answerOf({ ...TASK, id: 'dpr-3', phase: 'success', tone: 'good' })],
    [/processing\/dpr-1\/unit/, () => listOf(UNITS)],
    [/^POST .*action$/, () => answerOf(TASK)],
    [/^POST .*processing$/, () => answerOf({ ...TASK, id: 'dpr-2' })],
    [/processing\/dpr-1/, () => answerOf(TASK)],
    [/processing\?/, () => listOf([TASK])],
    [/lineage/, () => lineage()],
    [/dst-1\/version/, () => listOf([{ version: 2, state: 'ready' }])],
    [/library|dataset\?/, () => listOf([{ id: 'dst-1', name: 'sea' }])],
    [/estimate$/, () => answerOf(ESTIMATE)],
    [/organization\/me$/, () => answerOf({ org_id: 'acme' })],
    [/v1\/models/, () => answer({ data: [{ id: 'acme/chat' }] })],
  ];
  fetched.mockImplementation(async (url, init) => {
    const call = `${init?.method ?? 'GET'} ${String(url).replace(BASE, '')}`;
    sent.push(call);
    if (init?.body) bodies[call] = JSON.parse(String(init.body));
    return rows.find(([known]) => known.test(`${init?.method ?? 'GET'} ${url}`))?.[1]() ?? listOf([]);
  });
});

function open(path: string) {
  const client = newQueryClient();
  const nodes = [...Object.values(CALLS).map(({ id }) => id), 'dataProcess.runAgain', 'dataProcess.tryAgain'];
  client.setQueryData(
    keyOf(CALLS.getPermissionNodes, nodesInput('tenant')),
    nodes.map((pname) => ({ pname, peltype: 'element' as const })),
  );
  const router = createMemoryRouter(
    [
      { path: '/data/processing', element: <ProcessingListPage /> },
      { path: '/data/processing/create', element: <ProcessingCreatePage /> },
      { path: '/data/processing/:id/:tab?', element: <ProcessingPage /> },
    ],
    { initialEntries: [path] },
  );
  const areas = { processing: words, parts, files, metrics, task, workload };
  render(<RouterProvider router={router} />, { wrapper: appAround(areas, client) });
  return { user: userEvent.setup(), address: () => router.state.location.pathname };
}

test('the list has the name, type, input and output dataset, status, logs and creation time of a task', async () => {
  open('/data/processing');
  const href = async (name: string) => (await screen.findByRole('link', { name })).getAttribute('href');
  expect(await href('handbook')).toBe('/data/processing/dpr-1');
  expect(await href('sea')).toBe('/data/space/dst-1/files?version=2');
  expect(await href('sea-qa')).toBe('/data/space/dst-9/files?version=1');
  expect(await href('Log of handbook')).toBe('/data/processing/dpr-1/logs');
  for (const text of ['QA pairs', 'Success', '6 / 10']) expect(screen.getAllByText(text).length).toBeGreaterThan(0);
});

test('a page shows progress counted from units, tokens of the budget, and cost', async () => {
  open('/data/processing/dpr-1');
  expect(await screen.findByText('6 of 10 units')).toBeTruthy();
  expect(screen.getByRole('progressbar', { name: words.progress.bar }).getAttribute('aria-valuenow')).toBe('90');
  for (const text of ['1,234', '5,000', '$0.02']) expect(screen.getByText(text)).toBeTruthy();
  for (const [label, value] of [
    [words.progress.skipped, '1'],
    [words.progress.pending, '1'],
    [words.fields.removed, 'Duplicates: 1,200 · Too short: 3'],
    [words.fields.masked, 'Email addresses: 4'],
    [words.fields.problem, '<b>The table</b> cannot be read.'],
  ] as const)
    expect(screen.getByText(label).nextElementSibling?.textContent).toBe(value);
});

test('units that ended without a list are said to have none, and not to be awaited', async () => {
  open('/data/processing/dpr-3/units');
  expect(await screen.findByText(words.units.unlisted)).toBeTruthy();
  expect(screen.queryByText(words.units.empty)).toBeNull();
});

test('units have states and reasons, are narrowed by state, and failed ones are tried again', async () => {
  const { user } = open('/data/processing/dpr-1/units');
  expect(await screen.findByText('The model was busy.')).toBeTruthy();
  expect(screen.getByText('Done: 6 · Failed: 2 · Skipped: 1 · Pending: 1')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: words.units.tryAgain }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText('Retry 2 failed units?')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: words.units.tryAgain }));
  await waitFor(() => expect(bodies['POST /processing/dpr-1/action']).toEqual({ action: 'tryAgain' }));
});

test('a preview tells rows as text, and tokens, time and money with their arithmetic, before anything is made', async () => {
  const { user } = open('/data/processing/create?dataset=dst-1');
  await user.click(await screen.findByRole('button', { name: words.preview.show }));
  expect(await screen.findByText('<img src=x onerror=alert(1)>')).toBeTruthy();
  for (const text of [
    'about 40 units',
    '10,000 input + 2,000 output',
    'Input: 8,000 of text + 2,000 of instructions = 10,000',
    'Output: 40 requests × 50 = 2,000',
    'From 10 units, scaled by 4.',
    'about 1 min 20 s',
    '20 s to start + 40 steps × 1.5 s = 80 s',
    words.preview.timeAssumed,
    words.preview.isEstimate,
  ])
    expect(screen.getByText(text)).toBeTruthy();
  const table = screen.getByRole('table', { name: words.preview.money });
  const cells = within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    );
  expect(cells).toEqual([
    ['Input tokens', '10,000', '$1.00 per million', '$0.01'],
    ['Output tokens', '2,000', '$0.00 per million', '$0.00'],
    ['Worker', '1 min 20 s', '$0.09 per hour', '$0.002'],
    ['Total', '', '', '$0.012'],
  ]);
  expect(bodies['POST /processing/preview']).toMatchObject({
    ...{ cores: 1, memoryGi: 2 },
    ...{ type: 'QaPairs', input: { dataset: 'dst-1' }, qa: { rules: 'Model', pairsPerChunk: 3 } },
  });
  expect(
    sent.filter((call) => call.startsWith('POST') && !call.includes('preview') && !call.includes('estimate')),
  ).toEqual([]);
});

test('a preview says that the form has changed since, and that the estimate is over the budget', async () => {
  const { user } = open('/data/processing/create?dataset=dst-1');
  await user.click(await screen.findByRole('button', { name: words.preview.show }));
  await screen.findByText('about 40 units');
  await user.type(screen.getByLabelText(words.fields.budget), '500');
  expect(await screen.findByText(words.preview.overBudget)).toBeTruthy();
  expect(screen.queryByText(words.preview.outdated)).toBeNull();
  await user.type(screen.getByLabelText(words.form.columns), 'text');
  expect(await screen.findByText(words.preview.outdated)).toBeTruthy();
});

test('an estimate whose model is not known has no total, and one without a model has no tokens', async () => {
  const { estimate } = PREVIEW;
  const [, , worker] = estimate.lines;
  const unknown = { what: 'inputTokens', quantity: 9, price: null, amount: null };
  const first = { ...estimate, lines: [unknown, worker], total: null };
  previewed = () => answerOf({ ...PREVIEW, estimate: first });
  const { user } = open('/data/processing/create?dataset=dst-1');
  await user.click(await screen.findByRole('button', { name: words.preview.show }));
  // Its price, its amount, and the total.
  expect(await screen.findAllByText(words.preview.noPrice)).toHaveLength(3);
  const second = { ...estimate, tokens: null, lines: [worker], total: '0.002' };
  previewed = () => answerOf({ ...PREVIEW, estimate: second });
  await user.type(screen.getByLabelText(words.form.columns), 'text');
  await user.click(screen.getByRole('button', { name: words.preview.again }));
  expect(await screen.findByText(words.preview.noTokens)).toBeTruthy();
  expect(screen.getByText(words.preview.timeOfRows)).toBeTruthy();
});

test('a preview whose input is not there shows the server’s sentence', async () => {
  previewed = () => answer({ code: 40400, error: 'not_found', message: 'spec.input.dataset: there is no dst-1.' }, 404);
  const { user } = open('/data/processing/create?dataset=dst-1');
  await user.click(await screen.findByRole('button', { name: words.preview.show }));
  expect(await screen.findByText('spec.input.dataset: there is no dst-1.')).toBeTruthy();
});

test('by keyboard, a task is made of the fields of its type; what is missing is said at its field', async () => {
  const { user, address } = open('/data/processing/create?dataset=dst-1');
  const submit = await screen.findByRole('button', { name: words.form.submit });
  await user.click(submit);
  expect(await screen.findByText(words.form.nameOutput)).toBeTruthy();
  expect(screen.getByText(words.form.chooseModel)).toBeTruthy();
  await user.click(screen.getByRole('radio', { name: new RegExp(`^${words.types.Convert}`) }));
  await user.type(screen.getByRole('textbox', { name: /^Name\W*$/ }), 'csv');
  await user.type(screen.getByLabelText(new RegExp(`^${words.form.outputName}`)), 'sea-csv');
  submit.focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(address()).toBe('/data/processing/dpr-2'));
  expect(bodies['POST /processing']).toMatchObject({
    ...{ displayName: 'csv', type: 'Convert', input: { dataset: 'dst-1' }, output: { name: 'sea-csv' } },
    convert: { format: 'JsonLines' },
  });
});

test('the lineage of a task is what its runs have read and made', async () => {
  open('/data/processing/dpr-1/lineage');
  const linkOf = async (name: string) => (await screen.findByRole('link', { name })).getAttribute('href');
  expect(await linkOf('sea 2')).toBe('/data/space/dst-1/files?version=2');
  expect(await linkOf('sea-qa 1')).toBe('/data/space/dst-9/files?version=1');
  expect(sent).toContain('GET /api/data/v1/lineage?kind=process&id=dpr-1');
});

test('a task whose runs have made nothing names what it reads', async () => {
  lineage = () => answer({ code: 40400, error: 'not_found', message: 'There is no dpr-1.' }, 404);
  open('/data/processing/dpr-1/lineage');
  expect(await screen.findByText(parts.lineage.none)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'sea' }).getAttribute('href')).toBe('/data/space/dst-1/files?version=2');
});

test('the settings of a task are what kubectl applies', async () => {
  open('/data/processing/dpr-1/settings');
  const yaml = await screen.findByRole('group', { name: workload.manifest.title });
  expect(yaml.textContent).toBe(
    [
      ...[`apiVersion: ${API_VERSION}`, 'kind: DataProcess', 'metadata:', '  name: dpr-1', 'spec:', '  type: QaPairs'],
      ...['  input:', '    dataset: dst-1', '  output:', '    name: sea-qa', '  maxTokens: 5000', ''],
    ].join('\n'),
  );
});
