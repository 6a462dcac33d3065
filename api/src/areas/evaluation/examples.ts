// Examples of a run: where those of each task lie in their table, and pages of them. The table is what a worker in a tenant's Pod wrote:
// it is one example for each subject of each row, in the order of tasks, rows and subjects, or it is refused.
import type { EvaluationExampleView } from '@gantry/contract/areas/evaluation/evaluation.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Asking, TableCell, TablePage, TablePart, Tables } from '../../core/tables/tables.ts';
import type { ExamplePlaces } from '../../platform/db/schema/evaluations.ts';

interface Reading {
  tables: Pick<Tables, 'pageOf' | 'linesOf'>;
  part: TablePart;
  /** How many subjects each row has an example of. */
  subjects: number;
}

/** Of a page of the table. */
const ROWS_AT_ONCE = 100;
const PLACE_COLUMNS = ['task', 'row', 'subject', 'score', 'error'] as const;
const COLUMNS = [
  ...PLACE_COLUMNS,
  ...(['prompt', 'expected', 'answer', 'is_right', 'ms', 'prompt_tokens', 'completion_tokens'] as const),
] as const;
const MOST_LINE = 4_096;

type Row = Readonly<Record<(typeof PLACE_COLUMNS)[number], unknown>>;

const refused = (detail: string) => problem('table_unreadable', { detail });

/** Throws table_unreadable where it is not as it should be. */
export async function placesIn({ tables, part, subjects }: Reading, asking: Asking): Promise<ExamplePlaces[]> {
  const found: ExamplePlaces[] = [];
  let number = 0;
  let group: Row[] = [];
  for await (const row of rowsOf(tables.linesOf([part], 'jsonl', asking, PLACE_COLUMNS))) {
    group.push(row);
    number += 1;
    if (group.length < subjects) continue;
    place(group, { found, first: number - subjects });
    group = [];
  }
  if (group.length > 0) throw refused('its last example is missing');
  return found;
}

/** The examples of one row of a dataset. */
function place(group: readonly Row[], { found, first }: { found: ExamplePlaces[]; first: number }): void {
  const [one] = group;
  const isGroup = group.every(
    ({ task, row, subject }, at) => `${subject}` === `${at}` && task === one?.task && row === one?.row,
  );
  if (!isGroup) throw refused('its examples are not in order');
  const task = Number(one?.task);
  const last = found.at(-1);
  const places = last?.task === task ? last : { task, first, rows: 0, different: [] };
  if (places !== last) {
    if (!Number.isSafeInteger(task) || task <= (last?.task ?? -1)) throw refused('its tasks are not in order');
    found.push(places);
  }
  if (group.some(({ score }) => score !== one?.score)) places.different.push(places.rows);
  places.rows += 1;
}

/** A line at a time; one that is longer than such a row can be is none of ours. */
async function* rowsOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Row> {
  const decoder = new TextDecoder();
  let left = '';
  for await (const piece of pieces) {
    const lines = (left + decoder.decode(piece, { stream: true })).split('\n');
    left = lines.pop() ?? '';
    if (left.length > MOST_LINE) throw refused('a row is too long');
    for (const line of lines) yield JSON.parse(line) as Row;
  }
  if (left !== '') yield JSON.parse(left) as Row;
}

/** The rows of the dataset that a page has, as the first of their examples in the table, and how many there are in all. */
export function wantedPlaces(
  places: readonly ExamplePlaces[],
  subjects: number,
  { page, size, task, only }: { page: number; size: number; task?: number | undefined; only?: 'different' | undefined },
): { places: { at: number; isDifferent: boolean }[]; total: number } {
  const some = places.filter((one) => task === undefined || one.task === task);
  const countOf = ({ rows, different }: ExamplePlaces) => (only ? different.length : rows);
  const total = some.reduce((sum, one) => sum + countOf(one), 0);
  const wanted: { at: number; isDifferent: boolean }[] = [];
  let skipped = (page - 1) * size;
  for (const one of some) {
    const count = countOf(one);
    const differs = new Set(one.different);
    for (let at = skipped; at < count && wanted.length < size; at++) {
      const row = only ? (one.different[at] ?? 0) : at;
      wanted.push({ at: one.first + row * subjects, isDifferent: only !== undefined || differs.has(row) });
    }
    skipped = Math.max(0, skipped - count);
  }
  return { places: wanted, total };
}

/** Throws as `Tables.pageOf` does. */
export async function examplesAt(
  { tables, part, subjects }: Reading,
  wanted: readonly { at: number; isDifferent: boolean }[],
  asking: Asking,
): Promise<EvaluationExampleView[]> {
  const found: EvaluationExampleView[] = [];
  for (let next = 0; next < wanted.length; ) {
    const from = wanted[next]?.at ?? 0;
    const beyond = wanted.findIndex(({ at }, number) => number > next && at + subjects > from + ROWS_AT_ONCE);
    const some = wanted.slice(next, beyond < 0 ? undefined : beyond);
    const size = (some.at(-1)?.at ?? from) + subjects - from;
    const bytes = await tables.pageOf([part], { from, size, columns: COLUMNS }, asking);
    const { rows } = JSON.parse(new TextDecoder().decode(bytes)) as TablePage;
    for (const { at, isDifferent } of some)
      found.push(exampleOf(rows.slice(at - from, at - from + subjects), isDifferent));
    next += some.length;
  }
  return found;
}

function exampleOf(rows: readonly (readonly TableCell[])[], isDifferent: boolean): EvaluationExampleView {
  const answers = rows.map((cells) => {
    const of = (name: (typeof COLUMNS)[number]) => cells[COLUMNS.indexOf(name)] ?? null;
    return {
      ...{ subject: Number(of('subject')), answer: textIn(of('answer')), score: numberIn(of('score')) },
      ...{ is_right: of('is_right') === null ? null : of('is_right') === true, ms: numberIn(of('ms')) },
      ...{ prompt_tokens: countIn(of('prompt_tokens')), completion_tokens: countIn(of('completion_tokens')) },
      error: textIn(of('error')),
      ...{ task: Number(of('task')), row: Number(of('row')) },
      ...{ prompt: textIn(of('prompt')) ?? '', expected: textIn(of('expected')) },
    };
  });
  const { task = 0, row = 0, prompt = '', expected = null } = answers[0] ?? {};
  return {
    ...{ task, row, prompt, expected, is_different: isDifferent },
    answers: answers.map(({ task: _task, row: _row, prompt: _prompt, expected: _expected, ...answer }) => answer),
  };
}

const textIn = (cell: TableCell): string | null => (cell === null ? null : `${cell}`);
/** Large integers are texts. */
function numberIn(cell: TableCell): number | null {
  const value = cell === null ? Number.NaN : Number(cell);
  return Number.isFinite(value) ? value : null;
}
const countIn = (cell: TableCell): number | null => {
  const value = numberIn(cell);
  return value !== null && Number.isSafeInteger(value) && value >= 0 ? value : null;
};
