// Golden facts of the estimate of fine-tuning: what it takes on one GPU, on eight, on four nodes, with QLoRA, and without a GPU.
import { expect, test } from '@jest/globals';
import { sentence } from '../define-kind.ts';
import { fitTune, type TuneWish } from './tune-fit.ts';
import { tuneLength } from './tune-length.ts';
import { adapterParameters, assumedShape, bytesOf, memorySaid, tuneMemory } from './tune-memory.ts';
import { choosePreset } from './tune-presets.ts';
import { TUNE_ADVICE, TUNE_MEMORY } from './tune-words.ts';

const GIB = 1024 ** 3;
const LLAMA_7B = {
  ...{ parameters: 6_738_415_616, weightBytes: 13_476_831_232 },
  shape: {
    ...{ layers: 32, hidden: 4096, inner: 11_008, vocabulary: 32_000, keysAndValues: 8192 },
    ...{ isTied: false, isAssumed: false },
  },
};
const LLAMA_8B = {
  ...{ parameters: 8_030_261_248, weightBytes: 16_060_522_496 },
  shape: { ...LLAMA_7B.shape, inner: 14_336, vocabulary: 128_256, keysAndValues: 2048 },
};
/** That of the examples: a random Llama which trains in seconds. */
const TINY = {
  ...{ parameters: 115_000, weightBytes: 460_000 },
  shape: { ...LLAMA_7B.shape, layers: 2, hidden: 64, inner: 128, vocabulary: 512, keysAndValues: 64 },
};
const CARDS = [
  { model: 'NVIDIA-L4', bytes: 24 * GIB },
  { model: 'NVIDIA-H100-80GB-HBM3', bytes: 80 * GIB },
  { model: 'NVIDIA-H200', bytes: 141 * GIB },
];
const [L4, H100, H200] = CARDS.map(({ model }) => model) as [string, string, string];
const PARAMETERS = { batch: 8, accumulate: 1, maxLength: 2048, rank: 16 };
const wish = (more: Partial<TuneWish> = {}): TuneWish => ({
  ...{ objective: 'SFT', method: 'LoRA', parameters: PARAMETERS, workers: 1, memoryGi: 64 },
  ...more,
});
const on = (model: string, count = 1) => ({ gpu: { model, count } });
const gib = (bytes = 0) => Math.round((bytes / GIB) * 10) / 10;

test('an adapter of rank 16 on all linear layers of Llama 2 7B has the parameters that peft counts', () => {
  expect(adapterParameters(LLAMA_7B, 16)).toBe(39_976_960);
});

test('a shape that nobody says is that of usual models of the size', () => {
  expect(assumedShape(7e9)).toMatchObject({ layers: 33, hidden: 4208, isAssumed: true });
  for (const parameters of [1, 100, 115_000, 1e9, 2e12]) {
    const { layers, hidden, inner, vocabulary } = assumedShape(parameters);
    expect(Math.min(layers, hidden, inner, vocabulary)).toBeGreaterThan(0);
  }
});

const takes = (of: Parameters<typeof fitTune>[0], more: Partial<TuneWish>) => {
  const { lines, bytes, room, fits } = fitTune(of, wish(more), CARDS);
  return {
    ...Object.fromEntries(lines.map((line) => [line.what, gib(line.bytes)])),
    all: gib(bytes),
    room: gib(room),
    fits,
  };
};

test('LoRA of 8B on one GPU has weights of 16 bits, and states of the adapter alone', () => {
  expect(takes(LLAMA_8B, on(H100))).toEqual({
    ...{ weights: 15, adapter: 0.2, gradients: 0.2, optimizer: 0.3, activations: 7.5, logits: 19.6, program: 1.5 },
    ...{ all: 44.2, room: 75.2, fits: true },
  });
});

test('each of eight GPUs, and of 32 on four nodes, takes what one takes, and the adapter once more while it is exchanged', () => {
  expect(adapterParameters(LLAMA_8B, 16)).toBe(41_943_040);
  const [one = 0, eight, four] = [{ workers: 1, ...on(H100) }, on(H100, 8), { workers: 4, ...on(H100, 8) }].map(
    (more) => fitTune(LLAMA_8B, wish(more), CARDS).bytes,
  );
  expect([eight, four]).toEqual([one + 4 * 41_943_040, one + 4 * 41_943_040]);
});

test('QLoRA of 8B with one row at a time fits on a GPU of 24 GiB', () => {
  // 6,979,588,096 × 0.516 bytes, and 2 × 128,256 × 4096 × 4 bytes of the first and last layer, which stay as they are.
  expect(takes(LLAMA_8B, { ...on(L4), method: 'QLoRA', parameters: { ...PARAMETERS, batch: 1 } })).toMatchObject({
    ...{ weights: 3.4, embeddings: 3.9, all: 12.8, fits: true },
  });
});

test('all weights of 7B fit on one GPU of 141 GiB, with 18 bytes for each', () => {
  const one = { ...on(H200), method: 'Full', parameters: { ...PARAMETERS, batch: 1 } } as const;
  expect(takes(LLAMA_7B, one)).toMatchObject({
    weights: 25.1,
    copies: 12.6,
    gradients: 25.1,
    optimizer: 50.2,
    all: 116,
    fits: true,
  });
  const exchanged = bytesOf(
    tuneMemory(LLAMA_7B, { ...PARAMETERS, objective: 'SFT', method: 'Full', hasGpu: true, devices: 8 }),
  );
  const alone = bytesOf(
    tuneMemory(LLAMA_7B, { ...PARAMETERS, objective: 'SFT', method: 'Full', hasGpu: true, devices: 1 }),
  );
  expect(exchanged - alone).toBe(4 * LLAMA_7B.parameters);
});

test('DPO sees two answers at once, and with all weights the base besides', () => {
  const [sft, dpo] = (['SFT', 'DPO'] as const).map((objective) =>
    tuneMemory(LLAMA_7B, { ...PARAMETERS, objective, method: 'Full', hasGpu: true, devices: 1 }),
  );
  const of = (lines: typeof sft, what: string) => lines?.find((one) => one.what === what)?.bytes ?? 0;
  expect(of(dpo, 'activations')).toBe(2 * of(sft, 'activations'));
  expect(gib(of(dpo, 'reference'))).toBe(25.1);
  expect(
    tuneMemory(LLAMA_7B, { ...PARAMETERS, objective: 'DPO', method: 'LoRA', hasGpu: true, devices: 1 }),
  ).not.toContainEqual(expect.objectContaining({ what: 'reference' }));
});

test('the tiny model of the examples fits into a worker of 1 GiB, as measured', () => {
  const { bytes, fits } = fitTune(TINY, wish({ memoryGi: 1, parameters: { ...PARAMETERS, maxLength: 256 } }), CARDS);
  expect({ mib: Math.round(bytes / 2 ** 20 / 10) * 10, fits }).toEqual({ mib: 510, fits: true });
});

test('rows that are shorter than the limit take no more than the longest of them', () => {
  const { bytes } = fitTune(LLAMA_8B, wish(on(H100)), CARDS, 500);
  expect(bytes).toBe(
    fitTune(LLAMA_8B, wish({ ...on(H100), parameters: { ...PARAMETERS, maxLength: 500 } }), CARDS).bytes,
  );
});

test('nobody knows whether it fits on GPUs that do not say how much memory they have', () => {
  expect(fitTune(LLAMA_8B, wish(on('other')), CARDS)).toMatchObject({ room: undefined, fits: undefined, instead: [] });
});

test('the weights have to pass through the memory beside the GPUs', () => {
  const { bytes, room = 0, host, fits } = fitTune(LLAMA_8B, wish({ ...on(H100), memoryGi: 8 }), CARDS);
  expect({ card: bytes < room, host: [gib(host?.bytes), gib(host?.room)], fits }).toEqual({
    card: true,
    host: [17, 7.6],
    fits: false,
  });
});

test.each<[what: string, of: typeof LLAMA_8B, more: Partial<TuneWish>, advice: object[]]>([
  [
    'a smaller batch, shorter rows or another GPU',
    LLAMA_8B,
    { ...on(L4), method: 'QLoRA' },
    [
      { parameters: { batch: 2, accumulate: 4 } },
      { parameters: { maxLength: 512 } },
      { gpu: { model: H100, count: 1 } },
    ],
  ],
  ['LoRA instead of all weights', LLAMA_8B, { ...on(H100), method: 'Full' }, [{ method: 'LoRA' }]],
  [
    'shorter rows where one at a time is too much',
    LLAMA_8B,
    { ...on(L4), parameters: { ...PARAMETERS, batch: 1, maxLength: 16_384 } },
    [{ parameters: { maxLength: 2048 } }, { gpu: { model: H100, count: 1 } }],
  ],
  ['more memory without a GPU', LLAMA_8B, { memoryGi: 8 }, [{ memoryGi: 302 }]],
  [
    'more memory beside a GPU, for the weights on their way',
    LLAMA_8B,
    { ...on(H100), memoryGi: 8 },
    [{ method: 'QLoRA' }, { memoryGi: 18 }],
  ],
  ['nothing', { ...LLAMA_8B, parameters: 2e12 }, on(H200), [{}]],
])('what does not fit says what would: %s', (_, of, more, advice) => {
  const { fits, instead } = fitTune(of, wish(more), CARDS);
  expect({ fits, advice: instead.map(({ change }) => change) }).toEqual({ fits: false, advice });
});

test.each(
  (['Full', 'LoRA', 'QLoRA'] as const).flatMap((method) =>
    (['SFT', 'DPO'] as const).flatMap((objective) =>
      [on(L4, 8), on(H100), {}].map((gpu) => ({ method, objective, ...gpu })),
    ),
  ),
)('what is advised for $objective by $method fits', (more) => {
  for (const base of [LLAMA_7B, LLAMA_8B])
    for (const memoryGi of [4, 64, 512]) {
      const given = wish({ ...more, memoryGi });
      for (const { change } of fitTune(base, given, CARDS).instead.filter(
        ({ change: it }) => Object.keys(it).length > 0,
      )) {
        const parameters = { ...PARAMETERS, ...change.parameters };
        expect(fitTune(base, { ...given, ...change, parameters }, CARDS)).toMatchObject({ fits: true, instead: [] });
      }
    }
});

test('its lines and its advice are sentences in every language', () => {
  const [line] = tuneMemory(LLAMA_7B, { ...PARAMETERS, objective: 'SFT', method: 'LoRA', hasGpu: true, devices: 1 });
  expect(line && memorySaid(line).message).toBe('Weights: 6738415616 parameters × 2 bytes = 12.55 GiB');
  const { instead } = fitTune(LLAMA_8B, wish({ ...on(H100), method: 'Full' }), CARDS);
  expect(instead[0]?.said.message).toBe('LoRA would fit.');
  for (const words of [...Object.values(TUNE_MEMORY), ...Object.values(TUNE_ADVICE)])
    for (const language of ['en', 'zh', 'ja'] as const)
      expect(sentence(words, language, { gi: '1', count: '2', each: '3' })).toBeTruthy();
});

/** 500 tokens each. */
const ROWS = { rows: 10_000, sampled: 1000, usable: 1000, tokens: 500_000, weight: 1 };
const long = (more: Partial<TuneWish & { cores: number }> = {}) => ({ ...wish(more), cores: 8, ...more });

test.each<[what: string, more: Partial<TuneWish>, expected: object]>([
  ['one GPU', on(H100), { steps: 3750, tokens: 15_000_000, tokensPerStep: 4000, secondsEach: 0.7, seconds: 2688 }],
  [
    'eight GPUs',
    on(H100, 8),
    { steps: 471, tokens: 15_072_000, tokensPerStep: 32_000, secondsEach: 0.77, seconds: 426 },
  ],
  ['four nodes', { ...on(H100, 8), workers: 4 }, { steps: 120, tokens: 15_360_000, secondsEach: 0.81, seconds: 161 }],
  ['QLoRA', { ...on(L4), method: 'QLoRA' }, { steps: 3750, secondsEach: 7.6, operationsPerToken: 48_181_567_488 }],
  ['no GPU', {}, { steps: 3750, secondsEach: 1600, operationsPerToken: 32_121_044_992 }],
])('three epochs of 10,000 rows: %s', (_, more, expected) => {
  expect(tuneLength(LLAMA_8B, long(more), [ROWS])).toMatchObject({ by: 'operations', ...expected });
});

test('all weights take six operations for each parameter and token, and what is computed again two more', () => {
  const of = (more: Partial<TuneWish>) =>
    tuneLength(LLAMA_8B, long({ method: 'Full', ...more }), [ROWS]).operationsPerToken;
  expect([of({}), of(on(H100)), of({ objective: 'DPO' })]).toEqual([6, 8, 8].map((n) => n * LLAMA_8B.parameters));
});

test('the tiny model of the examples takes half a minute without a GPU, most of it to start', () => {
  const parameters = { ...PARAMETERS, maxLength: 256, maxSteps: 60 };
  const sets = [{ rows: 20, sampled: 20, usable: 20, tokens: 480, weight: 1 }];
  expect(tuneLength(TINY, { ...long({ method: 'Full' }), cores: 1, parameters }, sets)).toMatchObject({
    ...{ steps: 60, tokens: 11_520, startSeconds: 31, secondsEach: 0.11, seconds: 38 },
  });
});

test('runs that were timed go before what is assumed', () => {
  expect(tuneLength(LLAMA_8B, long(on(H100, 8)), [ROWS], 4000)).toMatchObject({
    by: 'runs',
    secondsEach: 1,
    seconds: 534,
  });
});

test('weights mix datasets as the trainer does, and rows that cannot be used are not counted', () => {
  const half = { ...ROWS, usable: 500, tokens: 100_000 };
  const steps = (...sets: (typeof ROWS)[]) => tuneLength(LLAMA_8B, long(on(H100)), sets).steps;
  expect(steps(ROWS, { ...half, weight: 0.5 })).toBe(3 * Math.ceil((10_000 + 2500) / 8));
  expect(steps({ ...half, weight: 2.25 })).toBe(3 * Math.ceil(11_250 / 8));
  expect(tuneLength(LLAMA_8B, long(on(H100)), [{ ...ROWS, usable: 0, tokens: 0 }])).toMatchObject({
    examples: 0,
    steps: 1,
    tokens: 0,
  });
  expect(tuneLength(LLAMA_8B, long(on(H100)), [{ ...ROWS, sampled: 0, usable: 0, tokens: 0 }])).toMatchObject({
    examples: 0,
  });
});

test('what is begun with fits: all weights of small bases, adapters of large ones, fewer bits where there is less memory', () => {
  const of = (base: typeof LLAMA_8B, more: Partial<TuneWish>) => {
    const found = choosePreset(base, wish(more), CARDS);
    if (found) expect(fitTune(base, wish({ ...more, ...found }), CARDS).fits).toBe(true);
    return found && [found.method, found.parameters.batch, found.parameters.accumulate, found.parameters.maxLength];
  };
  expect(of(TINY, {})).toEqual(['Full', 16, 1, 512]);
  expect(of(LLAMA_8B, on(H100))).toEqual(['LoRA', 8, 4, 4096]);
  expect(of(LLAMA_8B, on(L4))).toEqual(['LoRA', 1, 32, 2048]);
  expect(of({ ...LLAMA_8B, parameters: 30e9 }, on(L4))).toEqual(['QLoRA', 1, 32, 1024]);
  expect(of({ ...LLAMA_8B, parameters: 70e9 }, on(L4))).toBeUndefined();
  expect(of(LLAMA_8B, {})).toEqual(['LoRA', 2, 4, 512]);
  expect(choosePreset({ ...LLAMA_8B, contextLength: 1024 }, wish(on(H100)), CARDS)?.parameters.maxLength).toBe(1024);
});
