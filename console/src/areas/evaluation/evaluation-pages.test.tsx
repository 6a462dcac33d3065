// The pages of evaluation: the list, the form, one with its scores, stamps and examples, and several side by side.
import type {
  ComparedEvaluationsView,
  EvaluationExampleView,
  EvaluationScoresView,
} from '@gantry/contract/areas/evaluation/evaluation.ts';
import type { LineageView } from '@gantry/contract/areas/lineage/lineage.ts';
import { API_VERSION } from '@gantry/contract/define-kind.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { EvaluationView } from '@gantry/contract/kinds/evaluation.ts';
import { keyOf, newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import { playLayout } from '@gantry/ui/testing/play-layout.ts';
import { answer, answerOf, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { words as metrics } from '../../parts/metrics/words/en.ts';
import { words as task } from '../../parts/task/words/en.ts';
import { words as parts } from '../../parts/words/en.ts';
import { words as workload } from '../../parts/workload/words/en.ts';
import { ComparisonPage } from './comparison-page.tsx';
import { EvaluationListPage } from './evaluation-list-page.tsx';
import { EvaluationPage } from './evaluation-page.tsx';
import { EvaluationCreatePage } from './evaluation-pages.ts';
import { words } from './words/en.ts';

const time = '2026-11-29T00:00:00Z';
const RUN = {
  ...{ number: 2, cause: 'first', cause_label: 'First run', queue_time: time, admit_time: time, start_time: time },
  ...{ end_time: null, exit: null, exit_label: null, exit_code: null, workers: [] },
};
const TASK = {
  ...{ id: 'evl-1', name: 'quality', phase: 'evaluating', phase_label: 'Evaluating', tone: 'good' },
  ...{ status: 'evaluating', reason: 'Running', message: 'The models are being evaluated.', conditions: [] },
  ...{ generation: 1, create_time: time, creator: null, specification: '1 core, 2 GiB', gpu: null, workers: 1 },
  ...{ cards: 0, priority: 'Normal', host: null, price: null, cost: '$0.02', start_time: time, end_time: null },
  ...{ running_seconds: null, queue: null, excluded_nodes: [], runs: [RUN] },
  subjects: [
    { deployment: 'dpl-1', adapter: null, model: 'mdl-1', version: '1.0', name: 'tiny' },
    { deployment: 'dpl-1', adapter: 'sea', model: 'mdl-1', version: '1.0', name: 'tiny' },
  ],
  tasks: [{ name: 'letters', dataset: 'dst-1', version: 2, metric: 'F1', metric_label: 'F1' }],
  baseline: 0,
  progress: { step: 'asking', step_label: 'Asking', done: 30, of: 120, percent: 25, tokens: 4096, time },
  scores: [{ subject: 0, task: 0, metric: 'F1', value: 0.5, low: 0.4, high: 0.6, n: 100 }],
  examples: 2,
  outcome: null,
  actions: [{ action: 'stop', label: 'Stop', danger: 'interrupts', spends: false }],
  spec: {
    subjects: [{ deployment: 'dpl-1' }, { deployment: 'dpl-1', adapter: 'sea' }],
    tasks: [{ dataset: 'dst-1', metric: 'F1' }],
    ...{ baseline: 0, maxTokens: 10_000, seed: 7, answerTokens: 256, maxRejectedPercent: 10 },
  },
} as unknown as EvaluationView;
const DIGEST = 'ab'.repeat(32);
const subject = (more: object = {}): EvaluationScoresView['subjects'][number] => ({
  ...{ deployment: 'dpl-1', adapter: null, model: 'mdl-1', version: '1.0', name: 'tiny' },
  stamp: {
    ...{ engine: 'vllm', image: `registry/vllm@sha256:${DIGEST}`, template_hash: null, dtype: 'bf16', seed: 7 },
    gpu: { model: 'H100', count: 1 },
  },
  ...{ is_changed: false, differs: [] },
  ...more,
});
const score = (value: number) => ({
  ...{ value, low: value - 0.1, high: value + 0.1, n: 100, prompt_tokens: 5000, completion_tokens: 1200 },
  ...{ cost: '0.0012', p50_ms: 120, p99_ms: 2500 },
});
const SCORES: EvaluationScoresView = {
  ...{ run: 2, time, currency: 'USD', baseline: 0 },
  subjects: [
    subject(),
    subject({
      ...{ adapter: 'sea', differs: ['gpu', 'seed'], is_changed: true },
      stamp: { ...subject().stamp, gpu: null, seed: 8 },
    }),
    subject({ adapter: 'sky' }),
  ],
  tasks: [{ name: 'letters', dataset: 'dst-1', version: 2, metric: 'F1', metric_label: 'F1' }],
  scores: [
    { subject: 0, task: 0, ...score(0.5) },
    { subject: 1, task: 0, ...score(0.625) },
  ],
  comparisons: [
    {
      ...{ subject: 1, task: 0, difference: 0.125, low: -0.01, high: 0.26, n: 98, better: 20, worse: 8 },
      verdict: 'no_difference',
    },
  ],
  loads: [
    {
      ...{ subject: 0, concurrency: 4, requests: 80, failed: 1, tokens_per_second: 123.4, ttft_p50_ms: 50 },
      ...{ ttft_p99_ms: null, p50_ms: 900, p99_ms: 1500 },
    },
  ],
};
const told = (of: number, text: string | null, more: object = {}): EvaluationExampleView['answers'][number] => ({
  ...{
    subject: of,
    answer: text,
    score: 1,
    is_right: true,
    ms: 80,
    prompt_tokens: 9,
    completion_tokens: 3,
    error: null,
  },
  ...more,
});
const EXAMPLES: EvaluationExampleView[] = [
  {
    ...{ task: 0, row: 3, prompt: '<img src=x onerror=alert(1)>', expected: 'by bus', is_different: true },
    answers: [
      told(0, 'go by bus now'),
      told(1, 'go by boat now', { score: 0, is_right: false }),
      told(2, null, { score: null, is_right: null, error: 'ModelBusy' }),
    ],
  },
  {
    ...{ task: 0, row: 4, expected: null, is_different: false },
    prompt: JSON.stringify([{ role: 'system', content: 'Be brief.' }]),
    answers: [told(0, 'yes'), told(1, 'yes')],
  },
];
const COMPARED: ComparedEvaluationsView = {
  currency: 'USD',
  columns: [
    { ...subject(), evaluation: 'evl-1', evaluation_name: 'quality', subject: 0, time },
    { ...subject({ differs: ['dtype'] }), evaluation: 'evl-2', evaluation_name: 'later', subject: 0, time },
  ],
  rows: [{ ...(SCORES.tasks[0] as never as object), cells: [score(0.5), null] } as never],
};
const ESTIMATE = {
  ...{ currency: 'USD', per_hour: '0.1', per_month: '73', lines: [], available: '5', needed: '0.1' },
  ...{ balance_after: '4.9', hours_left: 49, affordable: true, refusal: null, unpriced: [], most_in_all: null },
};
const DEPLOYMENTS = [
  { id: 'dpl-1', served_for: null, name: 'chat', phase: 'active', task: 'Generate', adapters: [{ name: 'sea' }] },
  {
    id: 'dpl-2',
    served_for: null,
    name: 'strong',
    phase: 'finished',
    phase_label: 'Stopped',
    task: 'Generate',
    adapters: [],
  },
  { id: 'dpl-3', served_for: null, name: 'vectors', phase: 'active', task: 'Embed', adapters: [] },
];

const thing = { digest: null, is_own: true, sources: 0, uses: 0, create_time: time, gone_time: null };
const LINEAGE: LineageView = {
  nodes: [
    { ...thing, kind: 'evaluation', key: 'run', name: 'evl-1', id: 'evl-1', version: '2', level: 0 },
    { ...thing, kind: 'dataset', key: 'read', name: 'letters', id: 'dst-1', version: '2', level: -1 },
    { ...thing, kind: 'deployment', key: 'asked', name: 'chat', id: 'dpl-1', version: null, level: -1 },
  ],
  edges: [
    { from: 1, to: 0, time },
    { from: 2, to: 0, time },
  ],
  more: false,
};

playLayout();
const fetched = playNetwork();
let sent: string[];
let bodies: Record<string, unknown>;
let scores: EvaluationScoresView;
let examples: readonly EvaluationExampleView[];
let total: number;
let lineage: () => Response;
let shown: EvaluationView;
const listOf = (data: readonly object[], of = data.length) =>
  answer({
    ...{ code: 0, message: 'ok', data },
    paginated: { ...{ page: 1, size: 10, total_num: of, total_page: Math.ceil(of / 10), num: data.length }, extra: {} },
  });
beforeEach(() => {
  // A form's draft.
  sessionStorage.clear();
  sent = [];
  bodies = {};
  scores = SCORES;
  examples = EXAMPLES;
  total = EXAMPLES.length;
  shown = TASK;
  lineage = () => answer({ code: 40400, error: 'not_found', message: 'There is no evl-1.' }, 404);
  const rows: readonly (readonly [RegExp, () => Response])[] = [
    [/lineage/, () => lineage()],
    [/evaluation\/compare\?/, () => answerOf(COMPARED)],
    [/evl-1\/scores/, () => answerOf(scores)],
    [/evl-1\/examples/, () => listOf(examples, total)],
    [/^POST .*action$/, () => answerOf(TASK)],
    [/^POST .*evaluation$/, () => answerOf({ ...TASK, id: 'evl-2' })],
    [/evaluation\/evl-/, () => answerOf(shown)],
    [/evaluation\?/, () => listOf([shown, { ...TASK, id: 'evl-2', name: 'later' }])],
    [/deploy(ment)?\?/, () => listOf(DEPLOYMENTS)],
    [/\/version\/2\/statistics/, () => answerOf({ columns: [{ name: 'ask' }] })],
    [/dst-1\/version/, () => listOf([{ version: 2, state: 'ready', profile: { state: 'ready' } }])],
    [/dataset(\/library)?\?/, () => listOf([{ id: 'dst-1', name: 'letters' }])],
    [/model\/library\?/, () => listOf([{ id: 'mdl-2', name: 'small', state: 'ready' }])],
    [/library\/mdl-2$|model\/mdl-2$/, () => answerOf({ versions: [{ name: '2.0', state: 'ready' }] })],
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
  const nodes = [...Object.values(CALLS).map(({ id }) => id), 'evaluation.stop'];
  client.setQueryData(
    keyOf(CALLS.getPermissionNodes, nodesInput('tenant')),
    nodes.map((pname) => ({ pname, peltype: 'element' as const })),
  );
  const router = createMemoryRouter(
    [
      { path: '/model/evaluation', element: <EvaluationListPage /> },
      { path: '/model/comparison', element: <ComparisonPage /> },
      { path: '/model/evaluation/create', element: <EvaluationCreatePage /> },
      { path: '/model/evaluation/:id/:tab?', element: <EvaluationPage /> },
    ],
    { initialEntries: [path] },
  );
  const areas = { evaluation: words, parts, metrics, task, workload };
  render(<RouterProvider router={router} />, { wrapper: appAround(areas, client) });
  return { user: userEvent.setup(), address: () => `${router.state.location.pathname}${router.state.location.search}` };
}
const FORM = '/model/evaluation/create?subject=dpl-1&subject=dpl-1:sea&baseline=0&dataset=dst-1&datasetVersion=2';
const href = async (name: string) => (await screen.findByRole('link', { name })).getAttribute('href');
const cellsOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell'));

test('the list has subjects, tasks, progress and the first score of an evaluation', async () => {
  open('/model/evaluation');
  expect(await href('quality')).toBe('/model/evaluation/evl-1');
  expect((await screen.findAllByRole('link', { name: 'chat' }))[0]?.getAttribute('href')).toBe(
    '/model/deployment/dpl-1',
  );
  expect(await href(words.compare.open)).toBe('/model/comparison');
  for (const text of ['letters', '30 / 120', '0.500', '0.400 – 0.600'])
    expect(screen.getAllByText(text).length).toBeGreaterThan(0);
});

test('a run that has ended well has no step any more, but what it has scored', async () => {
  shown = { ...TASK, end_time: time, outcome: { problem: null, rows: 1200, rejected: 0 } } as EvaluationView;
  open('/model/evaluation');
  expect(await screen.findByText('1,200 scored')).toBeTruthy();
  cleanup();
  open('/model/evaluation/evl-1');
  expect(await screen.findByText(words.progress.scored)).toBeTruthy();
  expect(screen.queryByText('Asking · 30 / 120')).toBeNull();
});

test('a run says what it does, how far it is, and how many tokens of its budget are used', async () => {
  open('/model/evaluation/evl-1');
  expect(await screen.findByText('Asking · 30 / 120')).toBeTruthy();
  expect(screen.getByText('4,096 of 10,000')).toBeTruthy();
});

test('scores stand side by side with interval, answers, tokens, cost and times', async () => {
  open('/model/evaluation/evl-1');
  const table = await screen.findByRole('table', { name: words.scores.title });
  const heads = within(table).getAllByRole('columnheader');
  expect(heads.map(({ textContent }) => textContent)).toEqual([
    ...['Task', 'chattiny 1.0Baseline', 'chat:seatiny 1.0', 'chat:skytiny 1.0'],
  ]);
  const [[first, second, third] = []] = cellsOf(table);
  for (const text of ['0.500', '0.400 – 0.600', '100 answers', '5,000 tokens in, 1,200 out', '$0.0012'])
    expect(first?.textContent).toContain(text);
  expect(first?.textContent).toContain('p50 120 ms · p99 2.5 s');
  expect(second?.textContent).toContain(words.verdicts.no_difference);
  expect(first?.textContent).not.toContain(words.verdicts.no_difference);
  expect(third?.textContent).toBe(words.scores.none);
});

test('a comparison has its verdict in words, and the numbers behind it', async () => {
  open('/model/evaluation/evl-1');
  const table = await screen.findByRole('table', { name: words.comparisons.label });
  const [row] = cellsOf(table);
  expect(row?.map(({ textContent }) => textContent)).toEqual([
    ...['letters', 'chat:sea', expect.stringContaining('No difference shown'), '+0.125', '−0.010 – +0.260'],
    ...['20', '8', '98'],
  ]);
  expect(screen.getByRole('region', { name: 'Compared with chat' }).textContent).toContain(
    words.verdictHints.no_difference,
  );
});

test('stamps say by what each subject was served, and mark what differs', async () => {
  open('/model/evaluation/evl-1');
  const table = await screen.findByRole('table', { name: words.stamps.title });
  const rows = new Map(
    within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) => [
        within(row).getByRole('rowheader').textContent,
        within(row)
          .getAllByRole('cell')
          .map(({ textContent }) => textContent),
      ]),
  );
  const mark = expect.stringContaining(words.stamps.differs);
  expect(rows.get('GPUs')).toEqual(['1 × H100', mark, '1 × H100']);
  expect(rows.get('Seed')).toEqual(['7', mark, '7']);
  expect(rows.get('Engine')).toEqual(['vllm', 'vllm', 'vllm']);
  expect(rows.get('Engine image')?.[0]).toBe('registry/vllm@sha256:abababababab…');
  expect(screen.getByText(/Not served in the same way: GPUs, Seed\./)).toBeTruthy();
  expect(screen.getByText(/Changed while it was evaluated: chat:sea\./)).toBeTruthy();
});

test('the speed under load has a row for each subject and number of requests', async () => {
  open('/model/evaluation/evl-1');
  const [row] = cellsOf(await screen.findByRole('table', { name: words.loads.title }));
  expect(row?.map(({ textContent }) => textContent)).toEqual([
    ...['chat', '4', '80', '1', '123', '50 ms / –', '900 ms / 1.5 s'],
  ]);
});

test('an evaluation without scores says when they come, and scores of an older run say so', async () => {
  scores = { ...SCORES, run: null, subjects: [], tasks: [], scores: [], comparisons: [], loads: [] };
  open('/model/evaluation/evl-1');
  expect(await screen.findByText(words.scores.noneYet)).toBeTruthy();
});

test('scores of the run before the newest say that the newest has none', async () => {
  scores = { ...SCORES, run: 1 };
  open('/model/evaluation/evl-1');
  expect(await screen.findByText(new RegExp(words.scores.older))).toBeTruthy();
});

test('examples have the answers of all subjects as text, with what differs from the baseline’s marked', async () => {
  open('/model/evaluation/evl-1/examples');
  const example = within(await screen.findByRole('region', { name: 'letters, row 3' }));
  expect(example.getByText('<img src=x onerror=alert(1)>')).toBeTruthy();
  expect(example.getByText(words.examples.isDifferent)).toBeTruthy();
  const answered = (name: string) => example.findByRole('group', { name: `Answer of ${name}` });
  expect((await answered('chat')).querySelector('mark')).toBeNull();
  expect((await answered('chat:sea')).querySelector('mark')?.textContent).toBe('boat');
  expect((await answered('chat:sea')).textContent).toContain('Wrong · 0.000');
  expect((await answered('chat:sky')).textContent).toContain(words.errors.ModelBusy);
  const other = within(screen.getByRole('region', { name: 'letters, row 4' }));
  expect(other.getByText('system').parentElement?.textContent).toBe('system: Be brief.');
  expect(other.getByText(words.examples.same)).toBeTruthy();
});

test('examples are narrowed to those whose scores differ, and paged by the address', async () => {
  total = 25;
  const { user, address } = open('/model/evaluation/evl-1/examples');
  await user.click(await screen.findByRole('button', { name: 'Go to page 2' }));
  await waitFor(() => expect(sent.at(-1)).toContain('examples?page=2&size=10'));
  expect(address()).toBe('/model/evaluation/evl-1/examples?page=2');
  await user.selectOptions(screen.getByLabelText(words.examples.show), words.examples.different);
  await waitFor(() => expect(sent.at(-1)).toContain('examples?page=1&size=10&only=different'));
  await user.selectOptions(screen.getByLabelText(words.fields.task), 'letters · F1');
  await waitFor(() => expect(sent.at(-1)).toContain('task=0&only=different'));
});

test('a filter that leaves no example is cleared with one press', async () => {
  [examples, total] = [[], 0];
  const { user, address } = open('/model/evaluation/evl-1/examples?only=different');
  await user.click(await screen.findByRole('button', { name: /clear/i }));
  await waitFor(() => expect(address()).toBe('/model/evaluation/evl-1/examples'));
});

test('evaluations stand side by side, marked where they were served otherwise, and come and go by the address', async () => {
  const { user, address } = open('/model/comparison?ids=evl-1,evl-2');
  const table = await screen.findByRole('table', { name: words.scores.title });
  const [cells] = cellsOf(table);
  expect(cells?.map(({ textContent }) => textContent?.slice(0, 8))).toEqual(['0.5000.4', words.scores.none]);
  expect(within(table).getByRole('link', { name: 'later' }).getAttribute('href')).toBe('/model/evaluation/evl-2');
  expect(screen.getByText(/Not served in the same way: Weight type\./)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Remove later' }));
  await waitFor(() => expect(address()).toBe('/model/comparison?ids=evl-1'));
  await user.click(screen.getByRole('combobox', { name: words.compare.add }));
  await user.click(await screen.findByRole('option', { name: 'later' }));
  await waitFor(() => expect(address()).toBe('/model/comparison?ids=evl-1%2Cevl-2'));
});

test('a comparison of nothing says how to begin', async () => {
  open('/model/comparison');
  expect(await screen.findByText(words.compare.none)).toBeTruthy();
  expect(sent.some((call) => call.includes('compare'))).toBe(false);
});

test('a form that a link has filled in is sent as it is', async () => {
  const { user, address } = open(FORM);
  await user.type(await screen.findByLabelText(/^Name/), 'quality');
  await user.click(screen.getByRole('button', { name: words.form.submit }));
  await waitFor(() => expect(address()).toBe('/model/evaluation/evl-2'));
  expect(bodies['POST /evaluation']).toMatchObject({
    subjects: [{ deployment: 'dpl-1' }, { deployment: 'dpl-1', adapter: 'sea' }],
    tasks: [{ dataset: 'dst-1', version: 2, metric: 'ExactMatch', columns: { prompt: 'question', answer: 'answer' } }],
    ...{ baseline: 0, seed: 0, answerTokens: 256 },
  });
});

test('subjects are deployments that make text, and the baseline follows the subject that it is', async () => {
  const { user } = open(FORM);
  const [first] = await screen.findAllByRole('combobox', { name: /^Deployment/ });
  await user.click(first as HTMLElement);
  expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual([
    ...['chat', 'strong (Stopped)'],
  ]);
  await user.keyboard('{Escape}');
  const baseline = () => screen.getByRole('combobox', { name: /^Baseline/ }).textContent;
  expect(baseline()).toBe('1. chat');
  await user.click(
    within(screen.getByRole('group', { name: words.fields.subjects })).getByRole('button', { name: /1/ }),
  );
  expect(baseline()).toBe(words.form.noBaseline);
});

test('a subject may be a version of a model, which is deployed for the run', async () => {
  const { user, address } = open('/model/evaluation/create?subject=mdl-1@1.0&dataset=dst-1');
  await user.type(await screen.findByLabelText(/^Name/), 'quality');
  expect(await screen.findByText(words.form.versionHint)).toBeTruthy();
  const subjects = within(screen.getByRole('group', { name: words.fields.subjects }));
  expect(subjects.getByRole('combobox', { name: /^Version/ }).textContent).toBe('1.0');
  await user.click(subjects.getByRole('combobox', { name: /^Model/ }));
  await user.click(await screen.findByRole('option', { name: 'small' }));
  await user.click(screen.getByRole('button', { name: words.form.submit }));
  expect(await screen.findByText(words.form.chooseVersion)).toBeTruthy();
  await user.click(subjects.getByRole('combobox', { name: /^Version/ }));
  await user.click(await screen.findByRole('option', { name: '2.0' }));
  await user.click(screen.getByRole('button', { name: words.form.submit }));
  await waitFor(() => expect(address()).toBe('/model/evaluation/evl-2'));
  expect(bodies['POST /evaluation']).toMatchObject({ subjects: [{ model: 'mdl-2', version: '2.0' }] });
});

test('a metric that a model decides asks for a judge, and Pairwise for a baseline too', async () => {
  const { user } = open(FORM.replace('&baseline=0', ''));
  expect(screen.queryByRole('region', { name: words.fields.judge })).toBeNull();
  await user.click(await screen.findByRole('combobox', { name: /^Metric/ }));
  await user.click(await screen.findByRole('option', { name: 'Pairwise' }));
  expect(await screen.findByText(words.metricHints.Pairwise)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: words.form.submit }));
  for (const sentence of [words.form.chooseJudge, words.form.chooseBaseline])
    expect(await screen.findByText(sentence)).toBeTruthy();
});

test('an empty form says what it lacks', async () => {
  const { user } = open('/model/evaluation/create?subject=dpl-1&subject=dpl-1');
  await user.click(await screen.findByRole('button', { name: words.form.submit }));
  for (const sentence of [words.form.subjectTwice, words.form.chooseDataset])
    expect(await screen.findByText(sentence)).toBeTruthy();
  expect(bodies).not.toHaveProperty('POST /evaluation');
});

test('stopping asks first, and says what is kept', async () => {
  const { user } = open('/model/evaluation/evl-1');
  await user.click(await screen.findByRole('button', { name: 'Stop' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(words.ask.answers)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Stop' }));
  await waitFor(() => expect(bodies['POST /evaluation/evl-1/action']).toEqual({ action: 'stop' }));
});

test('the lineage of an evaluation is what its runs have asked and read', async () => {
  lineage = () => answerOf(LINEAGE);
  open('/model/evaluation/evl-1/lineage');
  const linkOf = async (name: string) => (await screen.findByRole('link', { name })).getAttribute('href');
  expect(await linkOf('chat')).toBe('/model/deployment/dpl-1');
  expect(await linkOf('letters 2')).toBe('/data/space/dst-1/files?version=2');
  expect(sent).toContain('GET /api/data/v1/lineage?kind=evaluation&id=evl-1');
});

test('an evaluation without scores names what it asks and reads', async () => {
  open('/model/evaluation/evl-1/lineage');
  const region = within(await screen.findByRole('region', { name: parts.lineage.from }));
  await region.findByRole('link', { name: 'chat' });
  expect(region.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    ...['/model/deployment/dpl-1', '/model/space/mdl-1', '/model/deployment/dpl-1', '/model/space/mdl-1'],
    '/data/space/dst-1/files?version=2',
  ]);
});

test('the settings of an evaluation are what kubectl applies', async () => {
  open('/model/evaluation/evl-1/settings');
  const yaml = await screen.findByRole('group', { name: workload.manifest.title });
  expect(yaml.textContent).toContain(`apiVersion: ${API_VERSION}\nkind: Evaluation\nmetadata:\n  name: evl-1\n`);
});
