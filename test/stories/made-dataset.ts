// Datasets made of a dataset, in the Pods of a cluster: three documents in three languages become pairs of questions and answers, and a
// knowledge base whose citations open the right paragraph. The worker is killed, the object store is away for a while, an edit costs its
// difference, and nothing is paid twice.
import { setTimeout as elapse } from 'node:timers/promises';
import { DATASET_ROUTES } from '@gantry/contract/areas/datasets/datasets.ts';
import { DATASET_TABLE_ROUTES } from '@gantry/contract/areas/datasets/tables.ts';
import { COMPLETION_ROUTES } from '@gantry/contract/areas/inference/completions.ts';
import type { KnowledgeAnswer } from '@gantry/contract/areas/inference/model-calls.ts';
import { PROCESSING_ROUTES } from '@gantry/contract/areas/processing/processing.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import type { DataProcess } from '@gantry/contract/kinds/data-process.ts';
import { expect } from '@jest/globals';
import { waitUntil } from '../faults/wait-until.ts';
import type { HttpClient } from '../support/http-client.ts';
import { isSoak } from '../support/soak.ts';
import { uploadDataset } from '../support/upload-dataset.ts';
import type { Tracked, Tracker } from './tracked.ts';

const READY_WITHIN_MS = 420_000;
const EVERY_MS = 500;
const WRITTEN = { limitMs: 60_000, everyMs: EVERY_MS };
/** Long enough that the next worker asks for what it reads. */
const AWAY_MS = 10_000;

/** Each has two headings with a paragraph below. */
const DOCUMENTS = {
  'en.md':
    '# Where is the ferry?\n\nThe ferry leaves from pier seven.\n\n# What does it cost?\n\nA ticket costs four crowns.\n',
  'zh.md': '# 渡轮在哪里？\n\n渡轮从七号码头出发。\n\n# 票价是多少？\n\n一张票四克朗。\n',
  'ja.md':
    '# フェリーはどこですか？\n\nフェリーは七番桟橋から出ます。\n\n# 料金はいくらですか？\n\n切符は四クローネです。\n',
};
const EDITED = { ...DOCUMENTS, 'en.md': DOCUMENTS['en.md'].replace('pier seven', 'pier nine') };

interface Making {
  /** Pays, and may call /v1. */
  client: HttpClient;
  /** Of another organisation. */
  stranger: HttpClient;
  /** The gateway, and API tokens of both for programs. */
  search: { url: string; tokens: { own: string; stranger: string } };
  tasks: Tracker<DataProcess>;
  namespace: string;
  /** A deployment that makes embeddings, as /v1 names it. */
  model: string;
  /** One that answers in words. */
  chat: string;
  /** Takes the Pod of a task away, without a word to its worker. */
  takePod(task: string): Promise<void>;
  /** Takes the object store away; resolves with what brings it back. */
  takeStore(): Promise<() => Promise<void>>;
}

export async function becomesKnowledge({
  client,
  stranger,
  search,
  tasks,
  namespace,
  model,
  chat,
  takePod,
  takeStore,
}: Making) {
  const { id: source } = await client.must(DATASET_ROUTES.createDataset, { body: { name: 'ferry' } });
  await sent(client, source, DOCUMENTS);

  const begin = async (displayName: string, spec: object): Promise<Tracked<DataProcess>> => {
    const small = { cores: 0.25, memoryGi: 1 };
    const body = { displayName, input: { dataset: source }, output: { name: displayName }, ...small, ...spec };
    return tasks.known(namespace, (await client.must(KIND_ROUTES.dataProcess.create, { body: body as never })).id);
  };
  const madeBy = async (task: Tracked<DataProcess>) => {
    const { status } = await task.reaches('success', READY_WITHIN_MS);
    return whole(client, { id: status.output?.dataset ?? '', version: status.output?.version ?? 0 });
  };

  const pairs = await begin('ferry-pairs', { type: 'QaPairs', qa: { rules: 'Headings' } });
  const params = await madeBy(pairs);
  const questions = await columnOf(client, params, 'question');
  expect(questions.toSorted()).toEqual(
    Object.values(DOCUMENTS)
      .flatMap((text) => [...text.matchAll(/^# (.*)$/gm)].map(([, heading]) => heading))
      .toSorted(),
  );

  if (isSoak) {
    const input = { input: { dataset: params.id } };
    const parts = ['train', 'test'].map((name) => ({ name, percent: 50 }));
    const [split, converted, graph] = await Promise.all([
      begin('ferry-parts', { ...input, type: 'Split', split: { parts, seed: 0 } }),
      begin('ferry-file', {
        ...input,
        type: 'Convert',
        convert: { format: 'JsonLines', columns: ['answer', 'question'] },
      }),
      begin('ferry-graph', { type: 'KnowledgeGraph', graph: { entityTypes: ['place'] }, model: chat }),
    ]);
    for (const made of await Promise.all([split, converted].map(madeBy)))
      expect((await columnOf(client, made, 'question')).toSorted()).toEqual(questions.toSorted());
    // What a model of one layer takes for an entity is chance: each document was asked of it, and is done or rejected with a reason.
    const { status } = await graph.becomes(
      'over',
      ({ status: { phase } }) => phase === 'success' || phase === 'failed',
      READY_WITHIN_MS,
    );
    const { done = 0, failed = 0, of, tokens = 0 } = status.progress ?? {};
    expect([done + failed, of, tokens > 0]).toEqual([3, 3, true]);
  }

  const unpaid = await paidFor(client, model);
  const base = await begin('ferry-base', { type: 'KnowledgeBase', model, chunks: { maxTokens: 32, overlap: 0 } });
  await base.reaches('processing', READY_WITHIN_MS);
  await takePod(base.name);
  const bringBack = await takeStore();
  await elapse(AWAY_MS);
  await bringBack();
  const known = await madeBy(base);
  const { knowledge } = await client.must(DATASET_ROUTES.getDatasetVersion, { params: known });
  const chunks = await columnOf(client, known, 'text');
  expect([knowledge?.model, knowledge?.chunks, new Set(chunks).size]).toEqual([model, chunks.length, chunks.length]);

  const ask = (token: string, query: string) =>
    fetch(`${search.url}/v1/knowledge/${known.id}/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      // The vectors of a model of one layer have no direction.
      body: JSON.stringify({ query, k: 1, by: 'words' }),
    });
  for (const [file, query, part] of [
    ['en.md', 'the ferry leaves from pier seven', 'pier seven'],
    ['zh.md', '渡轮从七号码头出发', '七号码头'],
    ['ja.md', 'フェリーは七番桟橋から出ます', '七番桟橋'],
  ]) {
    const answer = await ask(search.tokens.own, `${query}`);
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
    const { data } = (await answer.json()) as KnowledgeAnswer;
    expect(data).toMatchObject([{ text: expect.stringContaining(`${part}`), citation: { file } }]);
    expect(chunks[data[0]?.chunk ?? -1]).toContain(part);
  }
  expect((await ask(search.tokens.stranger, 'ferry')).status).toBe(404);
  const foreign = await Promise.all([
    stranger.call(KIND_ROUTES.dataProcess.read, { params: { id: base.name } }),
    stranger.call(PROCESSING_ROUTES.listDataProcessUnits, { params: { id: base.name } }),
    stranger.call(DATASET_TABLE_ROUTES.listDatasetRows, { params: known }),
  ]);
  expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404]);

  // Each chunk is paid once, although its worker was killed and its files were away.
  const tokens = await tokensOf({ ...search, model }, chunks);
  const first = unpaid + 2 * tokens;
  await waitUntil('its tokens and ours are written', async () => (await paidFor(client, model)) >= first, WRITTEN);
  expect(await paidFor(client, model)).toBe(first);
  await sent(client, source, EDITED);
  await client.must(KIND_ROUTES.dataProcess.act, { params: { id: base.name }, body: { action: 'runAgain' } });
  await waitUntil(
    'the edited document is known',
    async () => {
      const { status } = base.last;
      return status.output?.version === known.version + 1 && status.output.digest !== undefined;
    },
    { limitMs: READY_WITHIN_MS, everyMs: EVERY_MS },
  );
  const again = await whole(client, { ...known, version: known.version + 1 });
  const changed = (await columnOf(client, again, 'text')).filter((text) => !chunks.includes(text));
  expect(changed).toEqual([expect.stringContaining('pier nine')]);
  await waitUntil('the tokens of the edit are written', async () => (await paidFor(client, model)) > first, WRITTEN);
  expect((await paidFor(client, model)) - first).toBeLessThan(tokens / 2);
}

/** What the model counts where it is asked for the vectors of all at once. */
async function tokensOf(
  { url, tokens, model }: { url: string; tokens: { own: string }; model: string },
  input: readonly string[],
): Promise<number> {
  const answer = await fetch(`${url}/v1/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens.own}` },
    body: JSON.stringify({ model, input }),
  });
  const { usage } = (await answer.json()) as { usage: { prompt_tokens: number } };
  return usage.prompt_tokens;
}

async function sent(client: HttpClient, id: string, documents: Readonly<Record<string, string>>): Promise<void> {
  const files = Object.entries(documents).map(([path, text]) => {
    const bytes = Buffer.from(text);
    return { path, size: bytes.length, read: (from: number, to: number) => bytes.subarray(from, to) };
  });
  await whole(client, { id, version: (await uploadDataset(client, id, files)).version });
}

/** Once its table is there. */
async function whole(client: HttpClient, params: { id: string; version: number }) {
  await waitUntil(
    `the table of version ${params.version}`,
    async () => {
      const { problem, profile } = await client.must(DATASET_ROUTES.getDatasetVersion, { params });
      if (problem ?? profile?.problem) throw new Error(JSON.stringify({ problem, profile }));
      return profile?.state === 'ready';
    },
    { limitMs: READY_WITHIN_MS, everyMs: EVERY_MS },
  );
  return params;
}

async function columnOf(
  client: HttpClient,
  params: { id: string; version: number },
  column: string,
): Promise<string[]> {
  const { columns, rows } = await client.must(DATASET_TABLE_ROUTES.listDatasetRows, { params });
  const at = columns.findIndex(({ name }) => name === column);
  return rows.map((row) => `${row[at]}`);
}

/** The tokens of what was asked of a model, once they are written. */
async function paidFor(client: HttpClient, model: string): Promise<number> {
  const { rows } = await client.must(COMPLETION_ROUTES.getTokenUsage);
  const own = rows.filter((row) => model.endsWith(`/${row.model}`));
  return own.reduce((all, { prompt_tokens }) => all + prompt_tokens, 0);
}
