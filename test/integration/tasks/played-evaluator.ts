// An evaluator as `agent task` starts one: it asks each subject three rows of each task, in parts of two answers, and says scores that the
// test knows. It may die after so many answers. `examples` is a table that is taken as it is.
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';

const JOURNAL = 3;
const ROWS = 3;
const OF_PART = 2;
const [root = '', ask = '', examples = '', diesAfter = '0'] = process.argv.slice(2);
interface Recipe {
  subjects: { key: string; model: string }[];
  tasks: { key: string; metric: string; parts: string[] }[];
  baseline?: string;
  done: { path: string; units: string[] }[];
}
const recipe: Recipe = JSON.parse(readFileSync(`${root}/in/recipe.json`, 'utf8'));
const tell = (line: object) => writeSync(JOURNAL, `${JSON.stringify(line)}\n`);
const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

function named(path: string) {
  const bytes = readFileSync(`${root}/${path}`);
  return { path, sha256: sha256(bytes), bytes: bytes.length };
}

async function asked(model: string, text: string, unit?: string): Promise<string> {
  for (;;) {
    const answer = await fetch(`${ask}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(unit !== undefined && { 'gantry-unit': `${unit}/0` }) },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: text }], temperature: 0 }),
    });
    if (answer.ok) return answer.text();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

for (const { parts } of recipe.tasks) for (const part of parts) readFileSync(`${root}/${part}`);
for (const { path } of recipe.done) readFileSync(`${root}/${path}`);
const kept = new Set(recipe.done.flatMap(({ units }) => units));
const wanted = recipe.subjects.flatMap(({ model }) =>
  recipe.tasks.flatMap(({ key }) =>
    Array.from({ length: ROWS }, (_, row) => {
      const text = `task ${key}, row ${row}`;
      return { unit: sha256(`${model} ${text}`), model, text };
    }),
  ),
);
const due = wanted.filter(({ unit }) => !kept.has(unit));
tell({ type: 'plan', units: wanted.length, kept: kept.size });
mkdirSync(`${root}/out/parts`, { recursive: true });
let answers = 0;
for (let at = 0; at < due.length; at += OF_PART) {
  const some = due.slice(at, at + OF_PART);
  const said: string[] = [];
  for (const { unit, model, text } of some) {
    said.push(await asked(model, text, unit));
    if (++answers === Number(diesAfter)) process.kill(process.pid, 'SIGKILL');
  }
  const path = `out/parts/${some[0]?.unit}.parquet`;
  writeFileSync(`${root}/${path}`, said.join('\n'));
  const units = some.map(({ unit, text }) => ({ unit, label: text, state: 'done', rows: 1, rejected: 0 }));
  tell({ type: 'part', ...named(path), units });
  tell({ type: 'progress', step: 'asking', done: kept.size + answers, of: wanted.length });
}
// A measurement has no unit: it is asked each time.
for (const { key, model } of recipe.subjects) {
  await asked(model, 'how fast?');
  const load = { requests: 1, failed: 0, tokensPerSecond: 12.5, ttftP50Ms: 20, ttftP99Ms: 30, p50Ms: 40, p99Ms: 50 };
  tell({ type: 'load', subject: key, concurrency: 1, ...load });
}
for (const [task, { key, metric }] of recipe.tasks.entries())
  for (const [subject, { key: of }] of recipe.subjects.entries()) {
    const value = (subject + 1) / (task + 2);
    const tokens = { promptTokens: 30, completionTokens: 6, p50Ms: 40, p99Ms: 50 };
    tell({ type: 'score', subject: of, task: key, metric, value, low: 0, high: 1, n: ROWS, ...tokens });
    if (recipe.baseline === undefined || of === recipe.baseline) continue;
    const difference = { difference: 0.25, low: -0.125, high: 0.5, n: ROWS, better: 1, worse: 0 };
    const line = { type: 'comparison', subject: of, baseline: recipe.baseline, task: key, metric, ...difference };
    tell({ ...line, verdict: 'no_difference' });
  }
tell({ type: 'score', subject: '9', task: '0', metric: 'F1', value: 2, low: 0, high: 1, n: 1 });
copyFileSync(examples, `${root}/out/examples.parquet`);
const rows = recipe.subjects.length * recipe.tasks.length * ROWS;
tell({ type: 'output', name: 'examples', ...named('out/examples.parquet'), rows });
tell({ type: 'done', rows, rejected: 0 });
