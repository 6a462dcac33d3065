// The gateway's side of a data server against the real one: what arrives becomes parts, and the parts answer.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { systemClock } from '@gantry/kube/clock.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataServers } from '../../api/src/core/data-server/data-servers.ts';
import {
  ID,
  MemoryStore,
  ServedOrganization,
  TOKEN,
} from '../../api/src/core/data-server/testing/served-organization.ts';
import { aside } from '../../api/src/platform/aside/aside.ts';
import { runCommand } from '../support/command.ts';
import { dataWorkerPython, serveData } from '../support/data-worker.ts';

let python: string;
let folder: string;
let server: ChildProcess;
let acme: ServedOrganization;
let servers: DataServers;
const store = new MemoryStore();
const never = new AbortController().signal;

beforeAll(async () => {
  python = await dataWorkerPython();
  folder = await mkdtemp(join(tmpdir(), 'gantry-data-server-'));
  await writeFile(`${folder}/token`, TOKEN);
  acme = new ServedOrganization(0);
  acme.port = await serve();
  servers = new DataServers({ cluster: acme, blobs: store, aside, clock: systemClock });
}, 300_000);
afterAll(async () => {
  servers?.stop();
  acme?.stop();
  await kill();
  await rm(folder, { recursive: true, force: true });
});

async function serve(): Promise<number> {
  const served = await serveData(python, folder);
  ({ server } = served);
  return served.port;
}

async function kill(): Promise<void> {
  if (server?.exitCode === null && server.signalCode === null) {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
}

const PEOPLE = 'id,name,city\n1,Ann,Oslo\n2,Bo,Bergen\n3,Cy,Oslo\n';
const CHANGED = 'id,name,city\n1,Ann,Oslo\n2,Bo,Oslo\n4,Di,Narvik\n';
const LINES = '{"id": 1, "text": "first"}\n{"id": 2, "text": "second"}\nno JSON at all\n';

const wishOf = (out: string, ...files: [name: string, content: string][]) => ({
  out,
  inputs: files.map(([name, content]) => ({ name, ...store.add(Buffer.from(content)) })),
});

/** Reads a version, and keeps its parts as others do. */
async function kept(wish: ReturnType<typeof wishOf>) {
  const steps: string[] = [];
  const facts = await servers.profile(ID, wish, ({ step }) => steps.push(step), never);
  const parts = [];
  for (const part of facts.parts) {
    const stored = store.add(await buffer(servers.part(ID, part.path, 0, never)));
    expect(stored).toMatchObject({ sha256: part.sha256, bytes: part.bytes });
    parts.push({ ...part, ...stored });
  }
  return { facts, steps, parts, data: parts.filter(({ kind }) => kind === 'data') };
}

test('a CSV and a table of JSON Lines become parts with facts, and what could not be read is kept beside them', async () => {
  const people = await kept(wishOf('out/people', ['people.csv', PEOPLE]));
  expect(people.facts).toMatchObject({ kind: 'csv', rows: 3, rejected: 0 });
  expect(people.facts.columns.map(({ name }) => name)).toEqual(['id', 'name', 'city']);
  expect(people.steps).toContain('sending');
  const lines = await kept(wishOf('out/lines', ['lines.jsonl', LINES]));
  expect(lines.facts).toMatchObject({ kind: 'jsonl', rows: 2, rejected: 1 });
  expect(lines.parts.map(({ kind }) => kind).toSorted()).toEqual(['data', 'rejected']);
});

test('parts of the store answer queries, searches and differences, whether the server has them or not', async () => {
  const [before, after] = [
    await kept(wishOf('out/before', ['people.csv', PEOPLE])),
    await kept(wishOf('out/after', ['people.csv', CHANGED])),
  ];
  const table = { data: before.data };
  const sql = 'SELECT city, count(*) AS n FROM data GROUP BY city ORDER BY city';
  const asked = () => servers.query(ID, table, sql, never);
  expect(await asked()).toMatchObject({
    rows: '[["Bergen",1],["Oslo",2]]',
    more: false,
  });
  expect(await servers.search(ID, before.data, { text: 'berg', from: 0, limit: 10 }, never)).toMatchObject({
    numbers: [1],
    next: null,
  });
  const difference = await servers.diff(ID, before.data, after.data, { key: ['id'], limit: 10 }, never);
  expect(difference.rows).toEqual({ added: 1, removed: 1, changed: 1, same: 1, before: 3, after: 3 });
  expect(difference.changedColumns).toEqual({ city: 1 });
  await rm(`${folder}/data/in`, { recursive: true });
  expect(await asked()).toMatchObject({ more: false });
});

test('a knowledge base is searched by vectors, by words and by both, once its files are there', async () => {
  const documents = [
    'Mount Fuji is the highest mountain of Japan.',
    'The Nile flows to the Mediterranean.',
    '港口于六点开放。',
  ];
  const question = 'Which peak is the tallest?';
  const program = [
    'import json, sys; from pathlib import Path; from tests.base import base_of, concept_vector',
    'base_of(Path(sys.argv[1]), tuple(json.loads(sys.argv[2]))); print(json.dumps(concept_vector(sys.argv[3])))',
  ].join('\n');
  const made = await runCommand(python, ['-c', program, `${folder}/made`, JSON.stringify(documents), question], {
    cwd: 'data-worker',
  });
  expect(made).toMatchObject({ code: 0 });
  const vector = JSON.parse(made.stdout) as number[];
  const stored = async (name: string) => store.add(await readFile(`${folder}/made/in/base/${name}`));
  const base = {
    chunks: [await stored('chunks.parquet')],
    ...{ vectors: await stored('vectors.npy'), words: await stored('words.sqlite') },
  };
  await servers.bring(ID, [...base.chunks, base.vectors, base.words], never);
  const asked = (wish: object) => servers.retrieve(ID, base, { k: 2, ...wish }, never);
  const place = { file: 'facts.md', page: 1, row: null, isCut: false };
  // It has none of the words of the question.
  expect((await asked({ vector }))[0]).toMatchObject({
    ...{ ...place, chunk: 0, text: documents[0], paragraph_first: 1, vector: { rank: 1 }, words: null },
  });
  expect(await asked({ text: '港口' })).toMatchObject([{ ...place, chunk: 2, vector: null, words: { rank: 1 } }]);
  const both = await asked({ vector, text: 'Nile', k: 3 });
  expect(new Set(both.map(({ chunk }) => chunk))).toEqual(new Set([0, 1, 2]));
  expect(both.find(({ chunk }) => chunk === 1)).toMatchObject({ words: { rank: 1 } });
  await expect(asked({ vector: [...vector, 1] })).rejects.toMatchObject({ problem: 'dataset_query_refused' });
  const broken = { ...base, vectors: store.add(Buffer.from('no vectors')) };
  await expect(servers.retrieve(ID, broken, { vector, k: 1 }, never)).rejects.toThrow(
    'Build the knowledge base again.',
  );
});

test('rows are shown as tokens of a base, with what of them is trained on', async () => {
  const { data } = await kept(wishOf('out/pairs', ['pairs.csv', 'question,answer\nhello world,bye\nhello,\n']));
  const words = ['<s>', '</s>', '[UNK]', 'hello', 'world', 'bye', 'U', 'A'];
  const vocab = Object.fromEntries(words.map((word, at) => [word, at]));
  const special = ['<s>', '</s>'].map((content, id) => ({
    ...{ id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true },
  }));
  const nothing = { truncation: null, padding: null, normalizer: null, post_processor: null, decoder: null };
  const tokenizer = {
    ...{ version: '1.0', ...nothing, added_tokens: special, pre_tokenizer: { type: 'Whitespace' } },
    model: { type: 'WordLevel', vocab, unk_token: '[UNK]' },
  };
  const template =
    '{{ bos_token }}{% for m in messages %}{% if m.role == "user" %}U {{ m.content }} A {% else %}{{ m.content }}</s>{% endif %}{% endfor %}';
  const stored = (text: string) => store.add(Buffer.from(text));
  const base = {
    tokenizer: stored(JSON.stringify(tokenizer)),
    config: stored(JSON.stringify({ bos_token: '<s>', eos_token: '</s>' })),
    template: stored(template),
  };
  const wish = { objective: 'SFT', columns: { prompt: 'question', answer: 'answer' }, maxLength: 64 };
  const tuned = (of: typeof base) => servers.tune(ID, [data], of, wish, never);
  const found = await tuned(base);
  expect(found.examples[0]?.pieces.map(({ tokens, isTrained }) => [tokens.map(([id]) => id), isTrained])).toEqual([
    [[0, 6, 3, 4, 7], false],
    [[5, 1], true],
  ]);
  expect(found).toMatchObject({
    examples: [
      { row: 1, tokens: 7 },
      { row: 2, reason: 'NoAnswer' },
    ],
    sets: [{ rows: 2, sampled: 2, usable: 1, tokens: 7, longest: 7, unusable: { NoAnswer: 1 } }],
    isExact: true,
  });
  await expect(tuned({ ...base, template: stored('{{ raise_exception("No.") }}') })).rejects.toThrow(
    'template fails: No.',
  );
});

test.each([
  [
    'several statements',
    'SELECT 1; SELECT 2',
    'dataset_query_refused',
    'A query must be a single SELECT that changes nothing.',
  ],
  ['a file', "SELECT * FROM read_csv('/etc/passwd')", 'dataset_query_refused', 'A query can read only its tables'],
  ['what is not SQL', 'SELEC', 'dataset_query_refused', 'syntax error'],
])('a query of %s is refused with the reason', async (_, sql, code, why) => {
  const { data } = await kept(wishOf('out/people', ['people.csv', PEOPLE]));
  const refused = { problem: code, args: { why: expect.stringContaining(why) } };
  await expect(servers.query(ID, { data }, sql, never)).rejects.toMatchObject(refused);
});

test('data that is no table says so', async () => {
  const wish = wishOf('out/none', ['none.jsonl', '']);
  await expect(servers.profile(ID, wish, () => {}, never)).rejects.toMatchObject({ problem: 'dataset_profile_failed' });
});

test('a server that is killed while it reads is asked again, and goes on with what it has', async () => {
  // So many take seconds: a busy machine that does not run this process for one of them hears of its steps all the same.
  const many = 2_000_000;
  const rows = Array.from({ length: many }, (_, id) => `${id},name ${id},${id % 7}`);
  const wish = wishOf('out/large', ['large.csv', `id,name,city\n${rows.join('\n')}\n`]);
  let kills = 0;
  const steps: string[] = [];
  const facts = await servers.profile(
    ID,
    wish,
    ({ step }) => {
      steps.push(step);
      if (step === 'sending' || kills++ > 0) return;
      void kill().then(async () => {
        acme.port = await serve();
        acme.answers();
      });
    },
    never,
  );
  expect(kills).toBeGreaterThan(0);
  expect(facts).toMatchObject({ rows: many, rejected: 0 });
  // What it had was not sent again: nothing of it, all of it, and once more that all of it is there.
  expect(steps.filter((step) => step === 'sending')).toHaveLength(3);
});

test('what a version has left there is removed', async () => {
  const wish = wishOf('out/people', ['people.csv', PEOPLE]);
  await kept(wish);
  await servers.forget(ID, wish);
  const left = await Promise.all(['in', 'out'].map((name) => readdir(`${folder}/data/${name}`)));
  expect(left.flat()).not.toContain('people');
});
