// The tabs of a version's table: cells stay text, each row has an address, bars lead to their rows, and what is not there yet is said.
import type { DatasetDetailView } from '@gantry/contract/areas/datasets/datasets.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { keyOf, newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import { answer, answerOf, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { words as ui } from '@gantry/ui/words/en.ts';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { words as files } from '../../../parts/files/words/en.ts';
import { words as parts } from '../../../parts/words/en.ts';
import { DatasetPage } from '../dataset-page.tsx';
import { words } from '../words/en.ts';

const time = '2026-11-29T00:00:00Z';
const PROFILE = { state: 'ready', step: null, done: null, of: null, problem: null, rejected: 2, parts: 2 };
const VERSION = {
  ...{ version: 2, state: 'ready', step: null, source: 'upload', source_ref: null, message: '', problem: null },
  ...{ digest: 'd'.repeat(64), format: 'jsonl', rows: 120, profile: PROFILE, file_count: 1, size_bytes: 2048 },
  ...{ received_bytes: 2048, creator: null, create_time: time, ready_time: time },
};
const DATASET = {
  ...{ id: 'dst-1', is_own: true, name: 'sea', type: 'file', state: 'ready', license: null, language: [], tags: [] },
  ...{ shelved: false, managers_only: false, downloads: 0, version_count: 2, latest_version: 2, source: 'upload' },
  ...{ format: 'jsonl', rows: 120, size_bytes: 2048, create_time: time, update_time: time, card: '', latest: VERSION },
} as unknown as DatasetDetailView;
const COLUMNS = [
  { name: 'text', type: 'VARCHAR' },
  { name: 'n', type: 'BIGINT' },
];
const HOSTILE = '<img src=x onerror=alert(1)>';
const PAGE = {
  columns: COLUMNS,
  rows: [
    [HOSTILE, null],
    ['long…', { a: 1 }],
  ],
  cut: [[1, 0, 70_000]],
  total: 120,
};

const fetched = playNetwork();
let sent: string[];
let bodies: unknown[];
let profile: object | null;
let cellLength: number | null;
let type: string;
let page: object;
let cell: string;
let statistics: object | undefined;
/** The answers of questions, one after the other; the last one stays. */
let asked: Response[];
// A browser would save a file.
HTMLAnchorElement.prototype.click = () => {};
beforeEach(() => {
  sent = [];
  bodies = [];
  profile = PROFILE;
  type = 'file';
  page = PAGE;
  cell = 'the whole text';
  cellLength = null;
  statistics = undefined;
  asked = [];
  const answers: readonly (readonly [RegExp, () => Response])[] = [
    [/version\?/, () => answer({ code: 0, message: 'ok', data: [VERSION] })],
    [/\/row\?/, () => answerOf(page)],
    [/\/cell\?/, () => answerOf({ value: cell, length: cellLength })],
    [/\/rejected\?/, () => answerOf({ columns: COLUMNS, rows: [['bad', 7]], cut: [], total: 1 })],
    [/\/statistics/, () => answerOf(statistics ?? (type === 'file' ? STATISTICS : { ...STATISTICS, ...page }))],
    [/version\/2$/, () => answerOf({ ...VERSION, profile })],
    [/^POST/, () => (asked.length > 1 ? asked.shift() : asked[0]?.clone()) ?? answerOf('ok')],
  ];
  fetched.mockImplementation(async (url, init) => {
    const call = `${init?.method} ${String(url).replace('/api/data/v1/data/dataset', '')}`;
    sent.push(call);
    if (init?.body) bodies.push(JSON.parse(String(init.body)));
    return (
      answers.find(([path]) => path.test(call))?.[1]() ??
      answerOf({ ...DATASET, type, latest: { ...VERSION, profile } })
    );
  });
});
const STATISTICS = {
  ...{ rows: 120, rejected: 2, rejected_kept: 2, duplicates: 5, is_cut: false },
  languages: [
    { language: 'en', rows: 3 },
    { language: 'und', rows: 1 },
  ],
  columns: [
    {
      ...{ name: 'n', type: 'BIGINT', nulls: 12, distinct: 9, min: 1, max: 9, mean: 4.5678, deviation: 1 },
      ...{ quartiles: null, shortest: null, longest: null, mean_length: null, lengths: null, values: null },
      ...{ values_more: null, histogram: { edges: [1, 5, 9], counts: [70, 38] } },
    },
  ],
  problems: [
    { path: 'b.jsonl', message: 'It is no JSON.' },
    { path: 'c.pdf', code: 'Locked', message: 'c.pdf is locked with a password.' },
  ],
};

/** Hears of reads that a toast would tell of. */
const failed = jest.fn();

function open(path: string) {
  failed.mockReset();
  const client = newQueryClient(failed);
  const nodes = Object.values(CALLS).map(({ id }) => ({ pname: id, peltype: 'element' as const }));
  client.setQueryData(keyOf(CALLS.getPermissionNodes, nodesInput('tenant')), nodes);
  const router = createMemoryRouter([{ path: '/data/space/:id/:tab?', element: <DatasetPage /> }], {
    initialEntries: [`/data/space/dst-1/${path}`],
  });
  render(<RouterProvider router={router} />, { wrapper: appAround({ datasets: words, parts, files }, client) });
  return router;
}
const table = (name: string) => screen.findByRole('table', { name });

test('cells are text, whatever they hold', async () => {
  open('rows');
  const rows = await table(words.tabs.rows);
  expect(within(rows).getByText(HOSTILE)).toBeTruthy();
  expect(within(rows).getByText('{"a":1}')).toBeTruthy();
  expect(within(rows).getByText('null')).toBeTruthy();
  expect(document.querySelector('img')).toBeNull();
  expect(screen.getByText('Rows 1 to 50 of 120')).toBeTruthy();
});

test('a long cell is read whole when somebody asks', async () => {
  open('rows');
  fireEvent.click(await screen.findByRole('button', { name: 'Show all (70,000 characters): Row 2, text' }));
  expect(await screen.findByText('the whole text')).toBeTruthy();
  expect(sent).toContain('GET /dst-1/version/2/cell?row=1&column=text');
});

test('a whole cell that is cut even so says what is missing', async () => {
  cellLength = 2_000_000;
  open('rows');
  fireEvent.click(await screen.findByRole('button', { name: 'Show all (70,000 characters): Row 2, text' }));
  expect((await screen.findByRole('note')).textContent).toMatch(/^The first 14 of 2,000,000 characters/);
});

test('a cell that would fill the screen is cut here, and can be read whole too', async () => {
  page = { ...PAGE, rows: [['x'.repeat(1000), 1]], cut: [] };
  open('rows');
  expect(await screen.findByText(`${'x'.repeat(300)}…`)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Show all (1,000 characters): Row 1, text' })).toBeTruthy();
});

test('a row has an address, whose page shows it marked', async () => {
  const router = open('rows?row=102');
  const rows = await table(words.tabs.rows);
  expect(sent).toContain('GET /dst-1/version/2/row?from=100&size=50');
  const current = rows.querySelector('[aria-current]');
  expect(current?.textContent).toContain('102');
  fireEvent.change(screen.getByLabelText(words.table.toRow), { target: { value: '60' } });
  fireEvent.click(screen.getByRole('button', { name: words.table.go }));
  await waitFor(() => expect(router.state.location.search).toBe('?row=60'));
  await waitFor(() => expect(sent).toContain('GET /dst-1/version/2/row?from=50&size=50'));
});

test('a bar leads to its rows, which are narrowed until the filter is removed', async () => {
  const router = open('statistics');
  const bar = await screen.findByTitle('Show the 70 rows: 1 – 5');
  asked = [answerOf({ ...PAGE, numbers: [3, 90], total: 70 })];
  fireEvent.click(bar);
  const rows = await table(words.tabs.rows);
  expect(within(rows).getByRole('link', { name: '91' }).getAttribute('href')).toBe(
    '/data/space/dst-1/rows?version=2&row=91',
  );
  expect(bodies).toEqual([{ filters: [{ column: 'n', at_least: 1, below: 5 }], from: 0, size: 50 }]);
  expect(screen.getByText('n ≥ 1, n < 5')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: ui.states.clearFilter }));
  await waitFor(() => expect(router.state.location.search).toBe('?version=2'));
});

test('a column is sorted by its heading', async () => {
  open('rows');
  asked = [answerOf({ ...PAGE, numbers: [5, 4], total: 120 })];
  fireEvent.click(await screen.findByRole('button', { name: 'Sort by n, ascending' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Sort by n, descending' }));
  await waitFor(() =>
    expect(bodies.at(-1)).toEqual({ filters: [], sort: { column: 'n', descending: true }, from: 0, size: 50 }),
  );
});

test('statistics say what is in the table, and which files could not be read', async () => {
  open('statistics');
  expect(await screen.findByText('English 75% · unknown 25%')).toBeTruthy();
  expect(screen.getByText(/12 null \(10%\) · about 9 different values · 1 – 9 · mean 4\.568/)).toBeTruthy();
  expect(screen.getByText('b.jsonl: It is no JSON.')).toBeTruthy();
  expect(screen.getByText(`c.pdf: ${words.statistics.reasons.Locked}`)).toBeTruthy();
  expect(screen.getByRole('link', { name: '2' }).getAttribute('href')).toBe('/data/space/dst-1/rejected?version=2');
});

test('a SELECT is answered, and a refusal says why', async () => {
  open('query');
  const field = await screen.findByLabelText(words.table.sql);
  asked = [answerOf({ columns: [{ name: 'count', type: 'BIGINT' }], rows: [[42]], cut: [], more: true })];
  fireEvent.change(field, { target: { value: 'SELECT count(*) FROM data' } });
  fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
  expect(within(await table(words.table.answer)).getByText('42')).toBeTruthy();
  expect(bodies).toEqual([{ sql: 'SELECT count(*) FROM data' }]);
  asked = [answer({ code: 42216, error: 'dataset_query_refused', message: 'One SELECT alone.' }, 422)];
  fireEvent.change(field, { target: { value: 'DROP TABLE data' } });
  fireEvent.click(screen.getByRole('button', { name: words.table.run }));
  expect(await screen.findByText('One SELECT alone.')).toBeTruthy();
});

test('a search that finds nothing says what to do, and so do rows that a filter leaves out', async () => {
  asked = [answerOf({ columns: COLUMNS, rows: [], cut: [], numbers: [], next: null, total: 0 })];
  const router = open('search?text=fish');
  expect(await screen.findByText(words.table.noneFound)).toBeTruthy();
  void router.navigate('/data/space/dst-1/rows?filter={"column":"n","below":0}');
  expect(await screen.findByText(words.table.noRowsHint)).toBeTruthy();
});

test('a search goes on where it ended', async () => {
  open('search?text=fish');
  asked = [
    answerOf({ ...PAGE, rows: [['fish', 1]], cut: [], numbers: [7], next: 60 }),
    answerOf({ ...PAGE, rows: [], cut: [], numbers: [], next: null }),
  ];
  fireEvent.click(await screen.findByRole('button', { name: 'Continue from row 61' }));
  expect(await screen.findByText(/0 rows found from row 61 on\. The whole table is searched\./)).toBeTruthy();
  expect(bodies.at(-1)).toEqual({ text: 'fish', from: 60, size: 50 });
});

test('while the data server is being prepared, the page says so', async () => {
  asked = [answer({ code: 50373, error: 'dataset_preparing', message: 'Not yet.', args: { percent: 40 } }, 503)];
  open('search?text=fish');
  expect(await screen.findByText(/being loaded: 40%/)).toBeTruthy();
  expect(failed).not.toHaveBeenCalled();
});

test('a table is saved as lines, or as Parquet part by part', async () => {
  open('rows');
  const save = await screen.findByRole('button', { name: words.table.save });
  for (const [format, query] of [
    ['JSON Lines', 'format=jsonl&of=data'],
    ['Parquet, part 2 of 2', 'format=parquet&of=data&part=1'],
  ] as const) {
    fireEvent.click(save);
    fireEvent.click(await screen.findByRole('menuitem', { name: format }));
    await waitFor(() => expect(sent).toContain(`GET /dst-1/version/2/table?${query}`));
  }
});

/** A dataset of a type, with rows of these columns. */
function typed(kind: string, columns: readonly string[], rows: unknown[][], cut: number[][] = []) {
  type = kind;
  page = { columns: columns.map((name) => ({ name, type: 'VARCHAR' })), rows, cut, total: rows.length };
}

test('pairs read as questions with their answers, and as a table when somebody asks', async () => {
  typed('qa', ['question', 'answer', 'topic'], [[HOSTILE, 'No.', 'safety']]);
  const router = open('rows');
  const rows = within(await screen.findByRole('list', { name: words.tabs.rows }));
  for (const text of [words.table.question, HOSTILE, words.table.reply, 'No.', 'topic:', 'safety'])
    expect(rows.getByText(text)).toBeTruthy();
  expect(document.querySelector('img')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: words.table.views.table }));
  expect(await table(words.tabs.rows)).toBeTruthy();
  expect(router.state.location.search).toBe('?view=table');
});

test('variables of prompts are marked', async () => {
  typed('prompt', ['prompt'], [['Translate {{ text }} for {person}.']]);
  open('rows');
  await screen.findByRole('list', { name: words.tabs.rows });
  expect([...document.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual([
    ...['{{ text }}', '{person}'],
  ]);
});

test('a document is read whole, part by part, and its pages one by one', async () => {
  typed('rag', ['file', 'page', 'text'], [['tides.pdf', '3', 'The begin…']], [[0, 2, 9000]]);
  cell = `${'a'.repeat(3999)}\n${'b'.repeat(10)}`;
  cellLength = 2_000_000;
  open('rows');
  expect(await screen.findByText('tides.pdf')).toBeTruthy();
  expect(screen.getByText('Row 1 of 1')).toBeTruthy();
  expect(sent).toContain('GET /dst-1/version/2/row?from=0&size=1');
  expect(await screen.findByText('Part 1 of 2 of this text')).toBeTruthy();
  expect(screen.getByRole('note').textContent).toMatch(/^The first 4,010 of 2,000,000 characters/);
  fireEvent.click(screen.getByRole('button', { name: words.table.partNext }));
  expect(screen.getByText('b'.repeat(10))).toBeTruthy();
  expect(sent).toContain('GET /dst-1/version/2/cell?row=0&column=text');
});

test('rejected rows have a tab where there are some', async () => {
  open('rejected');
  expect(within(await table(words.tabs.rejected)).getByText('bad')).toBeTruthy();
  expect(screen.getByRole('tab', { name: words.tabs.rejected })).toBeTruthy();
});

test.each([
  ['nothing here reads data', null, words.table.none],
  ['it is being read', { ...PROFILE, state: 'running', step: 'statistics' }, words.table.steps.statistics],
  ['it failed', { ...PROFILE, state: 'failed', problem: { error: 'x', message: 'Too wide.' } }, 'Too wide.'],
])('a version without a table says so: %s', async (_, now, text) => {
  profile = now;
  open('rows');
  expect(await screen.findByText(text)).toBeTruthy();
  expect(screen.queryByRole('table')).toBeNull();
});

test('paragraphs of the address are marked in their document, whatever type its dataset has, in the part that they are in', async () => {
  const scrolled = jest.fn();
  Element.prototype.scrollIntoView = scrolled;
  typed('file', ['file', 'kind', 'page', 'text'], []);
  const columns = ['file', 'kind', 'page', 'text'].map((name) => ({ name, type: 'VARCHAR' }));
  statistics = { ...STATISTICS, columns };
  const text = `${'First.\n\n'.repeat(1000)}${HOSTILE}\n\nThe last.`;
  asked = [answerOf({ columns, rows: [['a.pdf', 'pdf', 3, text]], cut: [], numbers: [7], total: 1 })];
  const filter = (column: string, equals: unknown) => `filter=${JSON.stringify({ column, equals })}`;
  open(`rows?version=2&${filter('file', 'a.pdf')}&${filter('page', 3)}&paragraph=1001-1001`);
  expect((await screen.findByText(HOSTILE)).tagName).toBe('MARK');
  expect(screen.getByText('Part 3 of 3 of this text')).toBeTruthy();
  expect(scrolled).toHaveBeenCalled();
  expect(document.querySelector('img')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: words.table.partBefore }));
  expect(document.querySelector('mark')).toBeNull();
});

test('of a later piece of a text without pages nothing is marked: its paragraphs are counted from the beginning', async () => {
  typed('rag', ['file', 'kind', 'page', 'text'], []);
  const columns = ['file', 'kind', 'page', 'text'].map((name) => ({ name, type: 'VARCHAR' }));
  asked = [answerOf({ columns, rows: [['a.md', 'markdown', 2, 'One.\n\nTwo.']], cut: [], numbers: [7], total: 1 })];
  open(`rows?version=2&filter=${JSON.stringify({ column: 'page', equals: 2 })}&paragraph=2`);
  expect(await screen.findByText(/Two\./)).toBeTruthy();
  expect(document.querySelector('mark')).toBeNull();
});
