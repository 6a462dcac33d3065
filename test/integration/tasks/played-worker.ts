// A worker as `agent task` starts one: for each unit it asks a model once, and names its work on fd 3, in parts of four units. It may die
// after so many answers, or lie beside its work.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';

const JOURNAL = 3;
const OF_PART = 4;
const [root = '', model = ''] = process.argv.slice(2);
const recipe: { units: number; kept: string[]; diesAfter?: number; lies?: boolean } = JSON.parse(
  readFileSync(`${root}/in/recipe.json`, 'utf8'),
);
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const tell = (line: object) => writeSync(JOURNAL, `${JSON.stringify(line)}\n`);

function named(path: string, text: string) {
  mkdirSync(`${root}/${path.slice(0, path.lastIndexOf('/'))}`, { recursive: true });
  writeFileSync(`${root}/${path}.new`, text);
  renameSync(`${root}/${path}.new`, `${root}/${path}`);
  return { path, sha256: sha256(text), bytes: Buffer.byteLength(text) };
}

async function ask(unit: string, text: string): Promise<string> {
  for (;;) {
    const headers = { 'content-type': 'application/json', 'gantry-unit': `${unit}/0` };
    const answer = await fetch(`${model}/v1/chat/completions`, { method: 'POST', headers, body: text });
    if (answer.ok) return answer.text();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const all = Array.from({ length: recipe.units }, (_, at) => ({ unit: sha256(`unit ${at}`), label: `unit ${at}` }));
const kept = new Set(recipe.kept);
tell({ type: 'plan', units: all.length, kept: kept.size });
if (recipe.lies) {
  writeSync(JOURNAL, 'no JSON\n{"type":"part"}\n[1]\n{"type":"progress","step":"x","done":1e999,"of":2}\n');
  symlinkSync('/etc/passwd', `${root}/out/passwd`);
  const one = {
    sha256: sha256('x'),
    bytes: 1,
    units: [{ unit: sha256('x'), label: 'x', state: 'done', rows: 1, rejected: 0 }],
  };
  for (const path of ['out/passwd', 'out/../in/door', '/etc/passwd', 'out/missing']) {
    tell({ type: 'part', path, ...one });
    tell({ type: 'output', name: path.replaceAll('/', '-'), path, ...one });
  }
  tell({ type: 'part', ...named('out/parts/other.json', 'other bytes'), ...{ ...one, bytes: 11 } });
}
let answers = 0;
const due = all.filter(({ unit }) => !kept.has(unit));
for (let at = 0; at < due.length; at += OF_PART) {
  const units = due.slice(at, at + OF_PART);
  const rows: string[] = [];
  for (const { unit, label } of units) {
    rows.push(await ask(unit, JSON.stringify({ messages: [{ role: 'user', content: label }] })));
    if (++answers === recipe.diesAfter) process.kill(process.pid, 'SIGKILL');
  }
  tell({
    type: 'part',
    ...named(`out/parts/${units[0]?.unit}.json`, rows.join('\n')),
    units: units.map((one) => ({ ...one, state: 'done', rows: 1, rejected: 0 })),
  });
}
tell({ type: 'output', name: 'data.jsonl', ...named('out/version/data.jsonl', 'all rows\n'), rows: all.length });
tell({ type: 'done', rows: all.length, rejected: 0 });
