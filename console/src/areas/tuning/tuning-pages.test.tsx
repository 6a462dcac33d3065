// The pages of fine-tuning: the list, the form with its preview and estimate, and a run with its curves and checkpoints.
import type { CheckpointView, TunePreviewView } from '@gantry/contract/areas/tuning/tuning.ts';
import { API_VERSION } from '@gantry/contract/define-kind.ts';
import type { TrainingCurveView } from '@gantry/contract/fields/training-curve.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { FineTuneView } from '@gantry/contract/kinds/fine-tune.ts';
import { keyOf, newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import { playLayout } from '@gantry/ui/testing/play-layout.ts';
import { answer, answerOf, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { words as curves } from '../../parts/curves/words/en.ts';
import { words as metrics } from '../../parts/metrics/words/en.ts';
import { words as task } from '../../parts/task/words/en.ts';
import { words as parts } from '../../parts/words/en.ts';
import { words as workload } from '../../parts/workload/words/en.ts';
import { words } from './words/en.ts';

const drawn = jest.fn<(lines: readonly { name: string; points: readonly unknown[] }[]) => null>();
jest.unstable_mockModule('@gantry/ui/chart/chart.tsx', () => ({
  Chart: ({ lines }: { lines: Parameters<typeof drawn>[0] }) => drawn(lines) ?? null,
}));
const { TuningListPage } = await import('./tuning-list-page.tsx');
const { TuningPage } = await import('./tuning-page.tsx');
const { TuningCreatePage } = await import('./tuning-pages.ts');

const time = '2026-11-29T00:00:00Z';
const RUN = {
  ...{ number: 1, cause: 'first', cause_label: 'First run', queue_time: time, admit_time: time, start_time: time },
  ...{ end_time: null, exit: null, exit_label: null, exit_code: null, workers: [] },
};
const TASK = {
  ...{ id: 'ftn-1', name: 'support', phase: 'training', phase_label: 'Training', tone: 'good', status: 'training' },
  ...{ reason: 'Running', message: 'The model is being trained.', conditions: [], generation: 1 },
  ...{ create_time: time, creator: null, specification: '2 cores, 8 GiB', gpu: null, workers: 1, cards: 0 },
  ...{ priority: 'Normal', host: null, price: null, cost: '$0.02', start_time: time, end_time: null },
  ...{ running_seconds: null, queue: null, excluded_nodes: [], runs: [RUN] },
  ...{ objective: 'SFT', objective_label: 'Supervised (SFT)', method: 'LoRA', method_label: 'LoRA' },
  base: { model: 'mdl-1', version: '1.0', name: 'tiny' },
  datasets: [
    { dataset: 'dst-1', version: 2, weight: 0.5 },
    { dataset: 'dst-2', version: null, weight: null },
  ],
  output: { model: 'mdl-9', name: null, version: 'v3', is_ready: true, form: 'Adapter', ended: 'EarlyStop' },
  progress: { step: 'training', step_label: 'Training now', done: 30, of: 100, time },
  training: {
    ...{ step: 30, of: 100, percent: 30, epoch: 0.9, loss: 1.25, learning_rate: 0.00015, eval_loss: 1.5 },
    ...{ tokens: 65_536, tokens_per_second: 2048.5, seconds_left: 140, time },
  },
  checkpoint: { step: 20, size: 2048, time },
  rehearsal: { peak_memory_mi: 512, seconds_per_step: 1.5, longest: 900 },
  saved: { model: 'mdl-9', version: 'v2', is_ready: true, step: 20, time },
  is_saving: false,
  outcome: { problem: null, rows: 120, rejected: 3 },
  actions: [
    { action: 'stop', label: 'Stop', danger: 'interrupts', spends: false },
    { action: 'save', label: 'Save checkpoint as version', danger: 'none', spends: true },
  ],
  spec: {
    ...{ base: { model: 'mdl-1', version: '1.0' }, datasets: [{ dataset: 'dst-1', version: 2, weight: 0.5 }] },
    ...{ method: 'LoRA', output: { model: 'mdl-9' } },
  },
} as unknown as FineTuneView;
const point = (step: number, more: object = {}) => ({
  ...{ step, run: 1, epoch: null, loss: 3 - step / 10, eval_loss: null, learning_rate: 0.001, grad_norm: null },
  ...{ tokens: 100 * step, tokens_per_second: 50, is_broken: false, time },
  ...more,
});
const CURVE: TrainingCurveView = {
  points: [point(1), point(2, { eval_loss: 2.9 }), point(3), point(4, { loss: null, is_broken: true })],
  of: 100,
  runs: [
    { run: 1, resumed_from: null },
    { run: 2, resumed_from: 2 },
  ],
  logged: null,
};
const CHECKPOINTS: CheckpointView[] = [
  {
    ...{ run: 1, step: 40, state: 'failed', size_bytes: 2048, create_time: time, kept_time: null },
    problem: { error: 'blob_missing', message: 'It was not stored.' },
  },
  { run: 1, step: 20, state: 'kept', size_bytes: 1024, problem: null, create_time: time, kept_time: time },
];
const GIB = 1024 ** 3;
const PREVIEW: TunePreviewView = {
  examples: [
    {
      ...{ dataset: 'dst-1', row: 7, tokens: 4, is_too_long: true, reason: null, reason_label: null },
      pieces: [
        {
          tokens: [
            [5, '<img src=x onerror=alert(1)>'],
            [6, ' there?'],
          ],
          ...{ is_trained: false, is_cut: false },
        },
        {
          tokens: [
            [8, 'By'],
            [9, ' bus.'],
          ],
          ...{ is_trained: true, is_cut: false },
        },
      ],
    },
  ],
  sets: [
    {
      ...{ dataset: 'dst-1', version: 2, rows: 1000, sampled: 100, usable: 98, mean_tokens: 40.4, longest: 900 },
      too_long: 3,
      unusable: [{ reason: 'NoAnswer', reason_label: 'There is no answer.', rows: 2 }],
    },
  ],
  is_exact: false,
  memory: {
    ...{ device: 'worker', bytes: 9 * GIB, room_bytes: 7.6 * GIB, host: null, fits: false, is_assumed: true },
    lines: [{ what: 'weights', bytes: 9 * GIB, message: 'Weights: 9 parameters × 4 bytes = 9 GiB' }],
    instead: [
      { message: 'A batch of 2 would fit.', change: { parameters: { batch: 2, accumulate: 4 } } },
      { message: 'Nothing else would.', change: {} },
    ],
  },
  estimate: {
    ...{ examples: 980, steps: 375, tokens: 120_000, tokens_per_step: 320, price: '0.36', total: '0.04' },
    currency: 'USD',
    time: {
      ...{ seconds: 405, start_seconds: 30, seconds_each: 1, timed_runs: null, token_operations: 4000, rate: 9000 },
    },
  },
  preset: {
    method: 'Full',
    parameters: { batch: 4, accumulate: 2, maxLength: 512, rank: 16, alpha: 32, learningRate: 0.001 },
  },
};
const ESTIMATE = {
  ...{ currency: 'USD', per_hour: '0.1', per_month: '73', lines: [], available: '5', needed: '0.1' },
  ...{ balance_after: '4.9', hours_left: 49, affordable: true, refusal: null, unpriced: [], most_in_all: null },
};
const version = (name: string, more: object = {}) => ({
  ...{ name, state: 'ready', format: 'safetensors', files: [], source: 'upload', repository: null },
  ...more,
});
const VERSIONS = [
  version('1.0'),
  version('lora', { files: [{ path: 'adapter_config.json' }] }),
  version('gguf', { format: 'gguf' }),
];

const DEPLOYMENTS = [
  {
    ...{ id: 'dpl-1', name: 'chat', model: { id: 'mdl-1', version: '1.0' } },
    adapters: [{ name: 'ftn-1', model: 'mdl-9', version: 'v3' }],
  },
];

playLayout();
const fetched = playNetwork();
let sent: string[];
let bodies: Record<string, unknown>;
let previewed: () => Response;
let curve: TrainingCurveView;
let shown: FineTuneView;
let checkpoints: CheckpointView[];
const listOf = (data: readonly object[]) =>
  answer({
    ...{ code: 0, message: 'ok', data },
    paginated: { ...{ page: 1, size: 10, total_num: data.length, total_page: 1, num: data.length }, extra: {} },
  });
beforeEach(() => {
  // A form's draft.
  sessionStorage.clear();
  sent = [];
  bodies = {};
  drawn.mockClear();
  previewed = () => answerOf(PREVIEW);
  curve = CURVE;
  shown = TASK;
  checkpoints = CHECKPOINTS;
  const rows: readonly (readonly [RegExp, () => Response])[] = [
    [/fine-tune\/preview$/, () => previewed()],
    [/ftn-1\/curve/, () => answerOf(curve)],
    [/ftn-1\/checkpoint/, () => answerOf(checkpoints)],
    [/^POST .*action$/, () => answerOf(TASK)],
    [/^POST .*fine-tune$/, () => answerOf({ ...TASK, id: 'ftn-2' })],
    [/fine-tune\/ftn-/, () => answerOf(shown)],
    [/fine-tune\?/, () => listOf([TASK])],
    [/model\/mdl-1(\?|$)/, () => answerOf({ id: 'mdl-1', versions: VERSIONS })],
    [/\/version\/2\/statistics/, () => answerOf({ columns: [{ name: 'ask' }] })],
    [/dst-1\/version/, () => listOf([{ version: 2, state: 'ready', profile: { state: 'ready' } }])],
    [/dataset(\/library)?\?/, () => listOf([{ id: 'dst-1', name: 'letters' }])],
    [/model(\/space|\/library)?\?/, () => listOf([{ id: 'mdl-9', name: 'helper', state: 'ready' }])],
    [/deploy(ment)?\?/, () => listOf(DEPLOYMENTS)],
    [/estimate$/, () => answerOf(ESTIMATE)],
    [/organization\/me$/, () => answerOf({ org_id: 'acme' })],
  ];
  fetched.mockImplementation(async (url, init) => {
    const call = `${init?.method ?? 'GET'} ${url}`;
    sent.push(call);
    if (init?.body) bodies[call.replace(/^(\w+) .*\/model\/v1\/model/, '$1 ')] = JSON.parse(String(init.body));
    return rows.find(([known]) => known.test(call))?.[1]() ?? listOf([]);
  });
});

function open(path: string) {
  const client = newQueryClient();
  const nodes = [...Object.values(CALLS).map(({ id }) => id), 'fineTune.save', 'fineTune.stop'];
  client.setQueryData(
    keyOf(CALLS.getPermissionNodes, nodesInput('tenant')),
    nodes.map((pname) => ({ pname, peltype: 'element' as const })),
  );
  const router = createMemoryRouter(
    [
      { path: '/model/finetune', element: <TuningListPage /> },
      { path: '/model/finetune/create', element: <TuningCreatePage /> },
      { path: '/model/finetune/:id/:tab?', element: <TuningPage /> },
    ],
    { initialEntries: [path] },
  );
  const areas = { tuning: words, parts, metrics, task, workload, curves };
  render(<RouterProvider router={router} />, { wrapper: appAround(areas, client) });
  return { user: userEvent.setup(), address: () => router.state.location.pathname };
}
const FORM = '/model/finetune/create?model=mdl-1&version=1.0&dataset=dst-1&datasetVersion=2';
const href = async (name: string) => (await screen.findByRole('link', { name })).getAttribute('href');

test('the list has the base, the training dataset, the progress and the output version of a task', async () => {
  open('/model/finetune');
  expect(await href('support')).toBe('/model/finetune/ftn-1');
  expect(await href('helper')).toBe('/model/space/mdl-9');
  expect(await href('tiny')).toBe('/model/space/mdl-1');
  expect(await href('letters')).toBe('/data/space/dst-1/files?version=2');
  for (const text of ['LoRA · Supervised (SFT)', 'Training', '30 / 100', 'v3', '1.0'])
    expect(screen.getAllByText(text).length).toBeGreaterThan(0);
});

test('a preview shows examples in tokens as text, marks those that are trained on, and says what cannot be used', async () => {
  open(FORM);
  const example = within(await screen.findByRole('group', { name: 'letters, row 7' }));
  expect(example.getByText('<img src=x onerror=alert(1)>').closest('mark')).toBeNull();
  expect(example.getByText(/^By$/).closest('mark')?.textContent).toBe('By bus.');
  expect(example.getByText(/^By$/).getAttribute('title')).toBe('8');
  expect(example.getByText(words.preview.isCut)).toBeTruthy();
  expect(screen.getByText('letters: 2 sampled rows cannot be used. There is no answer.')).toBeTruthy();
  const [, row] = within(screen.getByRole('table', { name: words.preview.sets })).getAllByRole('row');
  expect(row?.textContent).toBe('letters · Version 21,00098 / 100409003');
  expect(screen.getByText(words.preview.isSampled)).toBeTruthy();
  expect(bodies['POST /fine-tune/preview']).toMatchObject({
    ...{ base: { model: 'mdl-1', version: '1.0' }, datasets: [{ dataset: 'dst-1', version: 2, weight: 1 }] },
    ...{ cores: 2, memoryGi: 8, workers: 1, columns: { prompt: 'question', answer: 'answer' } },
  });
});

test('an estimate has steps, tokens, time and money with their arithmetic', async () => {
  open(FORM);
  for (const text of [
    ...['375', '120,000', 'about 6 min 45 s', '$0.04', '375 steps × 320 tokens = 120,000 tokens'],
    ...['30 s to start + 375 steps × 1 s = 405 s', '0.1125 h × $0.36 / hour = $0.04'],
    ...['Assumed: 4,000 operations per token, 9,000 operations per second', '980 rows in each epoch, by their weights'],
    ...['Weights: 9 parameters × 4 bytes = 9 GiB', words.fit.assumed],
  ])
    expect(await screen.findByText(text)).toBeTruthy();
  expect(
    sent.filter((call) => call.startsWith('POST') && !call.includes('preview') && !call.includes('estimate')),
  ).toEqual([]);
});

test('what does not fit says so, and what would fit is taken with one press', async () => {
  const { user } = open(FORM);
  expect(await screen.findByText('Does not fit: needs 9.00 GiB, and each worker has 7.60 GiB.')).toBeTruthy();
  const advice = within(screen.getByRole('list', { name: words.fit.instead }));
  expect(advice.getAllByRole('button')).toHaveLength(1);
  await user.click(advice.getByRole('button', { name: 'Use this: A batch of 2 would fit.' }));
  const value = (label: string) => (screen.getByLabelText(new RegExp(`^${label}`)) as HTMLInputElement).value;
  expect([value(words.parameters.batch), value(words.parameters.accumulate)]).toEqual(['2', '4']);
  await waitFor(() =>
    expect(bodies['POST /fine-tune/preview']).toMatchObject({ parameters: { batch: 2, accumulate: 4 } }),
  );
});

test('the recommended settings of a base fill the form in', async () => {
  const { user } = open(FORM);
  await user.click(await screen.findByRole('button', { name: words.fit.presetTake }));
  expect((screen.getByRole('radio', { name: /^Full/ }) as HTMLInputElement).checked).toBe(true);
  expect((screen.getByLabelText(/^Learning rate/) as HTMLInputElement).value).toBe('0.001');
  expect(screen.getByRole('button', { name: words.fit.presetTaken })).toBeTruthy();
});

test('a preview that is refused shows the server’s sentence', async () => {
  previewed = () =>
    answer({ code: 42294, error: 'base_untrainable', message: 'This version cannot be trained: it is broken.' }, 422);
  open(FORM);
  expect(await screen.findAllByText('This version cannot be trained: it is broken.')).toHaveLength(2);
});

test('a form without a base asks for no preview', async () => {
  open('/model/finetune/create');
  expect(await screen.findAllByText(words.preview.incomplete)).toHaveLength(2);
  expect(sent.filter((call) => call.includes('preview'))).toEqual([]);
});

test('versions that cannot be trained are offered as such, and QLoRA waits for a GPU', async () => {
  const { user } = open(FORM);
  const [, versionField] = await screen.findAllByRole('combobox', { name: /^(Model|Version)/ });
  await screen.findByText('Weights: 9 parameters × 4 bytes = 9 GiB');
  await user.click(versionField as HTMLElement);
  const options = within(await screen.findByRole('listbox')).getAllByRole('option');
  expect(options.map(({ textContent, ariaDisabled }) => [textContent, ariaDisabled])).toEqual([
    ['1.0', null],
    ['lora (an adapter)', 'true'],
    ['gguf (not SafeTensors)', 'true'],
  ]);
  await user.keyboard('{Escape}');
  expect((screen.getByRole('radio', { name: /^QLoRA/ }) as HTMLInputElement).disabled).toBe(true);
});

test('by keyboard, a task is made; what is missing is said at its field', async () => {
  const { user, address } = open('/model/finetune/create?model=mdl-1&version=1.0');
  const submit = await screen.findByRole('button', { name: words.form.submit });
  await user.click(submit);
  expect(await screen.findByText(words.form.chooseDataset)).toBeTruthy();
  expect(screen.getByText(words.form.nameOutput)).toBeTruthy();
  // The contract's rule is told beside the form's own ones, and the first field at fault has the focus.
  const name = screen.getByRole('textbox', { name: /^Name\W*$/ });
  expect(name.getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(name);
  await user.click(screen.getAllByRole('combobox', { name: /^Dataset/ })[0] as HTMLElement);
  await user.keyboard('{Enter}');
  await user.type(name, 'support');
  await user.type(screen.getByLabelText(new RegExp(`^${words.form.outputName}`)), 'support-1');
  submit.focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(address()).toBe('/model/finetune/ftn-2'));
  expect(bodies['POST /fine-tune']).toMatchObject({
    ...{
      displayName: 'support',
      base: { model: 'mdl-1', version: '1.0' },
      datasets: [{ dataset: 'dst-1', weight: 1 }],
    },
    ...{ objective: 'SFT', method: 'LoRA', output: { name: 'support-1', gguf: false } },
    parameters: { epochs: 3, batch: 8, maxLength: 2048 },
  });
});

test('a run says how far it is, what it has lost and learned, and how long is left', async () => {
  open('/model/finetune/ftn-1');
  expect(await screen.findByText('Training now · Step 30 of 100 · 2 min 20 s left')).toBeTruthy();
  const figures: [string, string][] = [
    [curves.curves.loss, '1.25'],
    [curves.curves.eval_loss, '1.5'],
    [words.progress.tokens, '65,536'],
  ];
  for (const [label, value] of figures)
    expect(screen.getAllByText(label).map((one) => one.nextElementSibling?.textContent)).toContain(value);
  expect(screen.getByText(/Training stopped early.*3 rows could not be used/)).toBeTruthy();
});

test('a run that has ended does nothing any more', async () => {
  shown = { ...TASK, end_time: time };
  open('/model/finetune/ftn-1');
  expect(await screen.findByText('Step 30 of 100')).toBeTruthy();
});

test('curves have losses in one chart, the learning rate and the speed, and say where a run went on or broke', async () => {
  const { user } = open('/model/finetune/ftn-1');
  await user.click(await screen.findByRole('button', { name: `${curves.curves.loss} as a table` }));
  const losses = screen.getByRole('table', { name: curves.curves.loss });
  expect(within(losses).getByText(curves.curves.eval_loss)).toBeTruthy();
  await waitFor(() => expect(drawn.mock.calls.length).toBeGreaterThanOrEqual(3));
  const charts = drawn.mock.calls.map(([lines]) => lines.map(({ name }) => name).join());
  expect([...new Set(charts)].sort()).toEqual(['Learning rate', 'Loss,Evaluation loss', 'Tokens per second']);
  // The newest that was measured: neither the gap of the evaluation, nor the loss that was no number.
  const cells = within(losses).getAllByRole('cell');
  expect(cells.map(({ textContent }) => textContent)).toEqual([...['2.7', '2.7', '2.9'], ...['2.9', '2.9', '2.9']]);
  expect(screen.getByText('Run 2 continued after step 2.')).toBeTruthy();
  expect(screen.getByText('At step 4 the loss was not a number.')).toBeTruthy();
});

test('a run without a point says that curves come', async () => {
  curve = { ...CURVE, points: [], runs: [] };
  open('/model/finetune/ftn-1');
  expect(await screen.findByText(curves.curves.none)).toBeTruthy();
});

test('what a program logged by MLflow stands beside the curves, as text', async () => {
  const logged = {
    params: [{ name: 'optimizer', value: '<b>adamw</b>' }],
    tags: [{ name: 'note', value: 'first' }],
    metrics: [{ name: 'eval/accuracy', value: 0.512345, step: 20 }],
    artifacts: [{ name: 'notes/hello.txt', size_bytes: 2048 }],
  };
  curve = { ...CURVE, points: [], runs: [], logged };
  open('/model/finetune/ftn-1');
  const cells = within(await screen.findByRole('table', { name: curves.logged.title })).getAllByRole('cell');
  expect(cells.map(({ textContent }) => textContent)).toEqual([
    ...['eval/accuracy', 'Metric', '0.5123 at step 20', 'optimizer', 'Parameter', '<b>adamw</b>'],
    ...['note', 'Tag', 'first', 'notes/hello.txt', 'Artifact', '2.00 KiB'],
  ]);
});

test('versions that were made lead to their model, and to the form of a deployment', async () => {
  open('/model/finetune/ftn-1');
  const query = new URLSearchParams((await href('Deploy version v3'))?.split('?')[1]);
  expect(Object.fromEntries(query)).toEqual({
    ...{ model: 'mdl-1', version: '1.0', adapter: 'ftn-1', adapterModel: 'mdl-9', adapterVersion: 'v3' },
  });
  expect(new URLSearchParams((await href('Deploy version v2'))?.split('?')[1]).get('adapterVersion')).toBe('v2');
});

test('a version that is served is evaluated beside its base, and one that is not is deployed first', async () => {
  open('/model/finetune/ftn-1');
  const query = new URLSearchParams((await href('Evaluate version v3'))?.split('?')[1]);
  expect([...query]).toEqual([
    ['subject', 'dpl-1'],
    ['subject', 'dpl-1:ftn-1'],
    ['baseline', '0'],
  ]);
  expect(screen.queryByRole('link', { name: 'Evaluate version v2' })).toBeNull();
});

test('checkpoints have their states and why one failed, and the newest one is saved as a version', async () => {
  const { user } = open('/model/finetune/ftn-1/checkpoints');
  const table = await screen.findByRole('table', { name: words.checkpoints.title });
  expect(within(table).getAllByRole('row')).toHaveLength(3);
  expect(within(table).getByText('1.00 KiB')).toBeTruthy();
  expect(within(table).getByText('It was not stored.')).toBeTruthy();
  const section = screen.getByRole('region', { name: words.checkpoints.title });
  await user.click(within(section).getByRole('button', { name: 'Save checkpoint as version' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/The checkpoint of step 20 becomes a version/)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Save checkpoint as version' }));
  await waitFor(() => expect(bodies['POST /fine-tune/ftn-1/action']).toEqual({ action: 'save' }));
});

test('a task without a checkpoint says when the first one comes', async () => {
  checkpoints = [];
  open('/model/finetune/ftn-1/checkpoints');
  expect(await screen.findByText(words.checkpoints.none)).toBeTruthy();
});

test('the settings of a task are what kubectl applies', async () => {
  open('/model/finetune/ftn-1/settings');
  const yaml = await screen.findByRole('group', { name: workload.manifest.title });
  expect(yaml.textContent).toContain(`apiVersion: ${API_VERSION}\nkind: FineTune\nmetadata:\n  name: ftn-1\n`);
});
