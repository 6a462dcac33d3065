// A preview asks the organisation's data server for rows and tokens, and adds whether it fits, how long it takes and what it costs.
import { Readable } from 'node:stream';
import { tunePreviewBody } from '@gantry/contract/areas/tuning/tuning.ts';
import { micros } from '@gantry/contract/fields/money.ts';
import { expect, test } from '@jest/globals';
import type { Tuned } from '../../core/data-server/server-answers.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { previewOf, type TunePreviewParts, timedBy } from './preview.ts';

const GIB = 1024 ** 3;
const caller = { organization: { id: 'acme' } } as Caller;
const CONFIG = JSON.stringify({
  ...{ num_hidden_layers: 32, hidden_size: 4096, intermediate_size: 11_008, vocab_size: 32_000 },
  num_attention_heads: 32,
});
const sha = (letter: string) => letter.repeat(64);
const file = (path: string, letter: string, bytes = 9) => ({ path, sha256: sha(letter), bytes });
const base = {
  ...{ model: 'mdl-1', name: 'Llama', version: 'v1', parameters: 6_738_415_616, weightBytes: 13_476_831_232 },
  files: [
    ...[file('config.json', 'c', CONFIG.length), file('tokenizer.json', '1'), file('tokenizer_config.json', '2')],
    ...[file('chat_template.jinja', '3'), file('model.safetensors', '4'), file('sub/tokenizer.json', '5')],
  ],
};
const answer: Tuned = {
  examples: [
    {
      ...{ set: 0, row: 1, tokens: 7, isTooLong: false },
      pieces: [{ tokens: [[1, '<s>']], isTrained: false, isCut: false }],
    },
    { set: 1, row: 2, pieces: [], tokens: 0, isTooLong: false, reason: 'NoAnswer' },
  ],
  sets: [
    { rows: 10_000, sampled: 1000, usable: 1000, tokens: 500_000, longest: 900, cut: 0, unusable: {} },
    { rows: 4, sampled: 4, usable: 3, tokens: 30, longest: 12, cut: 1, unusable: { NoAnswer: 1 } },
  ],
  isExact: false,
};
const wish = tunePreviewBody.parse({
  base: { model: 'mdl-1', version: 'v1' },
  datasets: [{ dataset: 'dst-1' }, { dataset: 'dst-2', weight: 2 }],
  gpu: { model: 'NVIDIA-H100-80GB-HBM3', count: 1 },
  memoryGi: 64,
});
const never = new AbortController().signal;
const parts = (more: Partial<TunePreviewParts> = {}): TunePreviewParts => ({
  datasets: { input: async (_, { dataset }) => ({ dataset, version: 3, parts: [{ sha256: sha('a'), bytes: 5 }] }) },
  models: { base: async () => base },
  blobs: { read: async () => Readable.from([Buffer.from(CONFIG)]) },
  data: { tune: async () => answer },
  cards: () => [{ model: 'NVIDIA-H100-80GB-HBM3', bytes: 80 * GIB }],
  timed: () => undefined,
  workerPrice: (organization, { gpu }, workers = 1) => ({
    perHour: micros(organization === 'acme' ? 2_000_000 * (gpu?.count ?? 0) * workers : 0),
    currency: 'USD',
  }),
  ...more,
});
const preview = (more?: Partial<TunePreviewParts>, body: object = {}, language: 'en' | 'zh' | 'ja' = 'en') =>
  previewOf(parts(more), caller, { ...wish, ...body }, language, never);

test('the data server gets the rows and the files of the tokenizer, and no weights', async () => {
  const asked: unknown[] = [];
  await preview({
    data: {
      async tune(...given) {
        asked.push(...given.slice(0, 4));
        return answer;
      },
    },
  });
  const part = { sha256: sha('a'), bytes: 5 };
  expect(asked).toEqual([
    'acme',
    [[part], [part]],
    {
      tokenizer: { sha256: sha('1'), bytes: 9 },
      config: { sha256: sha('2'), bytes: 9 },
      template: { sha256: sha('3'), bytes: 9 },
    },
    { objective: 'SFT', columns: { prompt: 'question', answer: 'answer' }, maxLength: 2048 },
  ]);
});

test('examples and what the rows are come with the names of their datasets, and reasons as sentences', async () => {
  const { examples, sets, is_exact } = await preview({}, {}, 'ja');
  expect(examples).toMatchObject([
    {
      dataset: 'dst-1',
      row: 1,
      pieces: [{ tokens: [[1, '<s>']], is_trained: false }],
      reason: null,
      reason_label: null,
    },
    { dataset: 'dst-2', row: 2, pieces: [], reason: 'NoAnswer', reason_label: '回答がありません。' },
  ]);
  expect(sets).toMatchObject([
    { dataset: 'dst-1', version: 3, rows: 10_000, mean_tokens: 500, unusable: [] },
    { dataset: 'dst-2', mean_tokens: 10, too_long: 1, unusable: [{ reason: 'NoAnswer', rows: 1 }] },
  ]);
  expect(is_exact).toBe(false);
});

test('it says whether it fits, by the shape in config.json, and what a run takes and costs', async () => {
  const { memory, estimate, preset } = await preview();
  expect(memory).toMatchObject({
    device: 'gpu',
    room_bytes: Math.floor(80 * GIB * 0.94),
    fits: true,
    is_assumed: false,
  });
  expect(memory.lines.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(memory.bytes);
  expect(memory.lines[0]?.message).toBe('Weights: 6738415616 parameters × 2 bytes = 12.55 GiB');
  // 10,000 rows, and 3 usable ones of 4 twice.
  expect(estimate).toMatchObject({ examples: 10_006, steps: 3753, price: '2.00', currency: 'USD' });
  expect(Number(estimate.total)).toBeCloseTo((2 * estimate.time.seconds) / 3600, 4);
  expect(estimate.time).toMatchObject({ timed_runs: null, token_operations: 6 * base.parameters });
  expect(preset).toMatchObject({ method: 'LoRA' });
});

test('what does not fit has examples all the same, and says what would fit, in the language of whoever asks', async () => {
  const { memory, examples } = await preview({}, { method: 'Full' }, 'zh');
  expect(memory).toMatchObject({
    fits: false,
    instead: [{ message: '使用 LoRA 可以容纳。', change: { method: 'LoRA' } }],
  });
  expect(examples).toHaveLength(2);
});

test('rows that were all counted take no more memory than the longest of them', async () => {
  const { memory } = await preview({ data: { tune: async () => ({ ...answer, isExact: true }) } });
  expect(memory.lines.find(({ what }) => what === 'activations')?.message).toContain(`${8 * 900} tokens`);
});

test('runs of the same base, in the same way, go before what is assumed', async () => {
  const task = (tokensPerSecond: number | undefined, more: object = {}) => ({
    spec: { ...wish, ...more },
    status: { training: { tokensPerSecond } },
  });
  const eight = { gpu: { model: 'NVIDIA-H100-80GB-HBM3', count: 8 } };
  const others = [
    ...[task(9, { method: 'Full' }), task(9, { objective: 'DPO' }), task(9, { gpu: { model: 'L4', count: 1 } })],
    ...[task(9, { base: { model: 'mdl-1', version: 'v2' } }), task(9, { gpu: undefined }), task(undefined), task(0)],
  ];
  const timed = timedBy([...others, task(24_000, eight), task(4000), task(100)], wish);
  expect(timed).toEqual({ tokensPerSecond: 3000, runs: 3 });
  expect(timedBy(others, wish)).toBeUndefined();
  const { estimate } = await preview({ timed: () => timed });
  expect(estimate.time).toMatchObject({ timed_runs: 3, rate: 3000, seconds_each: 1.3 });
});

test('a base whose shape nobody knows is assumed to be usual', async () => {
  for (const config of ['', 'nope', '[]', '{"hidden_size":-1}', `{"a":${'['.repeat(1000)}`]) {
    const { memory } = await preview({ blobs: { read: async () => Readable.from([Buffer.from(config)]) } });
    expect(memory).toMatchObject({ is_assumed: true, fits: true });
  }
});

test('GPUs that do not say how much memory they have may fit or not, and prices that nobody knows are not said', async () => {
  const { memory, estimate } = await preview({
    cards: () => [],
    workerPrice: () => ({ perHour: undefined, currency: 'USD' }),
  });
  expect(memory).toMatchObject({ room_bytes: null, fits: null, instead: [] });
  expect(estimate).toMatchObject({ price: null, total: null });
});

test('what cannot be trained is refused before a data server is asked', async () => {
  const data = {
    tune: async () => {
      throw new Error('it was asked');
    },
  };
  const gone =
    (reason: 'InputsGone' | 'InputsArriving' | 'InputsUnreadable', args = {}) =>
    async () => ({ reason, args });
  const refused = (more: Partial<TunePreviewParts>, body?: object) => preview({ data, ...more }, body);
  await expect(refused({ models: { base: gone('InputsGone') } })).rejects.toMatchObject({ problem: 'not_found' });
  await expect(refused({ datasets: { input: gone('InputsGone') } })).rejects.toMatchObject({
    problem: 'not_found',
    args: { what: 'dst-1' },
  });
  await expect(refused({ datasets: { input: gone('InputsArriving') } })).rejects.toMatchObject({
    problem: 'dataset_preparing',
  });
  await expect(refused({ datasets: { input: gone('InputsUnreadable') } })).rejects.toMatchObject({
    problem: 'dataset_no_table',
  });
  const unreadable = gone('InputsUnreadable', { detail: 'no weights' });
  await expect(refused({ models: { base: unreadable } })).rejects.toMatchObject({
    problem: 'base_untrainable',
    args: { why: 'no weights' },
  });
  const other = (more: object) => ({ models: { base: async () => ({ ...base, ...more }) } });
  for (const more of [
    { files: [...base.files, file('adapter_config.json', '6')] },
    { parameters: undefined },
    { files: [file('tokenizer.json', '1', 65 * 1024 ** 2)] },
  ])
    await expect(refused(other(more))).rejects.toMatchObject({ problem: 'base_untrainable' });
  await expect(preview({ data: undefined })).rejects.toMatchObject({ problem: 'dataset_no_table' });
});

test.each<[field: string, body: object]>([
  ['columns', { columns: {} }],
  ['columns', { columns: { prompt: 'q' } }],
  ['columns', { columns: { messages: 'm', prompt: 'q' } }],
  ['columns', { objective: 'DPO', columns: { prompt: 'q', answer: 'a' } }],
  ['method', { method: 'QLoRA', gpu: undefined }],
])('rules of the kind name the field: %s', async (field, body) => {
  await expect(preview({}, body)).rejects.toMatchObject({ problem: 'invalid_field', field });
});

test('a data server that answers for other tables is asked again later', async () => {
  await expect(preview({ data: { tune: async () => ({ ...answer, sets: [] }) } })).rejects.toMatchObject({
    problem: 'unavailable',
  });
});
