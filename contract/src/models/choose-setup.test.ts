// How models are fitted: rows for what a person meets, and laws over every model, wish and pool.
import { describe, expect, test } from '@jest/globals';
import { fc } from '../../../test/support/seeded-fast-check.ts';
import { modelDeployment } from '../kinds/model-deployment.ts';
import { arithmeticOf, chooseSetup, type Place, type ServedFacts } from './choose-setup.ts';
import { ENGINE_FACTS, ENGINES, TASKS } from './engines.ts';

const GIB = 1024 ** 3;
const H100: Place = { model: 'H100', cardBytes: 80 * GIB, cards: 8, free: 8, cores: 12, memoryGi: 128 };
const L40S: Place = { model: 'L40S', cardBytes: 45 * GIB, cards: 4, free: 4, cores: 8, memoryGi: 64 };
const POOL = [H100, L40S];
const wish = { task: 'Generate', engine: 'auto', setup: 'Automatic' } as const;
/** Llama 3.1 8B: 16 GB of weights, 128 KiB of cache for a token. */
const EIGHT: ServedFacts = {
  format: 'safetensors',
  sizeBytes: 16 * GIB,
  weightBytes: 15 * GIB,
  kvTokenBytes: 131_072,
  contextLength: 131_072,
};
const SEVENTY: ServedFacts = { ...EIGHT, sizeBytes: 141 * GIB, weightBytes: 131 * GIB, kvTokenBytes: 327_680 };
const TINY: ServedFacts = {
  format: 'gguf',
  sizeBytes: 500_000,
  weightBytes: 400_000,
  kvTokenBytes: 512,
  contextLength: 2048,
};

const CASES: Readonly<Record<string, { given: Parameters<typeof chooseSetup>; is: object }>> = {
  'a model of 8B goes on the smallest card that has room for its context': {
    given: [wish, EIGHT, POOL],
    is: { setup: { engine: 'vllm', gpu: { model: 'L40S', count: 1 }, tensorParallel: 1 } },
  },
  'a model of 70B is split over as many cards as it needs': {
    given: [wish, SEVENTY, POOL],
    is: { setup: { gpu: { model: 'L40S', count: 4 }, tensorParallel: 4 } },
  },
  'free cards come before others': {
    given: [wish, EIGHT, [{ ...L40S, free: 0 }, H100]],
    is: { setup: { gpu: { model: 'H100', count: 1 } } },
  },
  'a small GGUF model needs no card': {
    given: [wish, TINY, POOL],
    is: { setup: { engine: 'llama.cpp', contextLength: 2048, tensorParallel: 1 } },
  },
  'a card that is wished for is taken': {
    given: [{ ...wish, gpu: { model: 'H100', count: 2 } }, EIGHT, POOL],
    is: { setup: { gpu: { model: 'H100', count: 2 }, contextLength: 131_072 } },
  },
  // vLLM 0.25.1 was started so on an H100 (2026-11-27): its own count of what fits beside the weights was 93,216 tokens.
  'the context that is left over is what a real engine has room for': {
    given: [
      { ...wish, gpu: { model: 'H100', count: 1 }, memoryFraction: 0.35 },
      { ...EIGHT, weightBytes: 16_060_522_496, kvTokenBytes: 131_072 },
      [{ ...H100, cardBytes: 81_559 * 1024 ** 2 }],
    ],
    is: { setup: { contextLength: 89_344, overheadBytes: 2 * GIB } },
  },
  'a card that is too small says which one would do': {
    given: [{ ...wish, gpu: { model: 'L40S', count: 1 } }, SEVENTY, POOL],
    is: {
      reason: 'DoesNotFit',
      args: { weightsGi: '131', roomGi: '40.5', advice: 'It would fit on 2 × H100.' },
    },
  },
  'a long context takes more cards': {
    given: [{ ...wish, contextLength: 1_000_000 }, EIGHT, [L40S]],
    is: { setup: { gpu: { model: 'L40S', count: 4 }, contextLength: 1_000_000 } },
  },
  'where nothing is large enough, that is the answer': {
    given: [wish, { ...SEVENTY, weightBytes: 2000 * GIB }, POOL],
    is: { reason: 'DoesNotFit' },
  },
  'an engine that cannot read the files is refused with those that can': {
    given: [{ ...wish, engine: 'vllm' }, TINY, POOL],
    is: { reason: 'FormatUnsupported', args: { engine: 'vLLM', format: 'gguf', engines: 'llama.cpp' } },
  },
  'files that no engine reads': { given: [wish, { ...TINY, format: 'other' }, POOL], is: { reason: 'NoEngine' } },
  'an engine that does not do the task': {
    given: [{ ...wish, engine: 'sglang', task: 'Rerank' }, EIGHT, POOL],
    is: { reason: 'TaskUnsupported', args: { engines: 'vLLM' } },
  },
  'a manual setup without a card, of an engine that needs one': {
    given: [{ ...wish, setup: 'Manual', engine: 'vllm', cores: 1, memoryGi: 1 }, EIGHT, POOL],
    is: { reason: 'EngineNeedsGpu' },
  },
  'cards that no node has': {
    given: [{ ...wish, gpu: { model: 'B200', count: 1 } }, EIGHT, POOL],
    is: { reason: 'UnknownGpuModel', args: { model: 'B200', models: 'H100, L40S' } },
  },
  'more cards than a node has': {
    given: [{ ...wish, gpu: { model: 'L40S', count: 8 } }, EIGHT, POOL],
    is: { reason: 'TooManyGpus', args: { count: '8', model: 'L40S', most: '4' } },
  },
  'a split over more cards than there are': {
    given: [{ ...wish, gpu: { model: 'H100', count: 2 }, tensorParallel: 4 }, EIGHT, POOL],
    is: { reason: 'SplitTooWide', args: { split: '4', count: '2' } },
  },
  'a manual setup is taken as it is written': {
    given: [
      {
        ...{ task: 'Generate', engine: 'vllm', setup: 'Manual', gpu: { model: 'H100', count: 2 } },
        ...{ cores: 6, memoryGi: 48, tensorParallel: 2, contextLength: 4096, memoryFraction: 0.8 },
      },
      EIGHT,
      POOL,
    ],
    is: {
      setup: { engine: 'vllm', cores: 6, memoryGi: 48, tensorParallel: 2, contextLength: 4096, memoryFraction: 0.8 },
    },
  },
  'a model that no node has room for is spread over as few whole nodes as it needs': {
    given: [wish, { ...SEVENTY, weightBytes: 750 * GIB }, [H100, H100, H100, H100, L40S]],
    is: { setup: { engine: 'vllm', gpu: { model: 'H100', count: 8 }, nodes: 2, tensorParallel: 8 } },
  },
  'one node comes before several, even with a shorter context': {
    given: [wish, { ...SEVENTY, weightBytes: 555 * GIB }, [H100, H100]],
    is: { setup: { gpu: { model: 'H100', count: 8 }, roomBytes: Math.floor(8 * 80 * GIB * 0.9) } },
  },
  'where there are too few nodes, that is the answer': {
    given: [wish, { ...SEVENTY, weightBytes: 1500 * GIB }, [H100, H100]],
    is: { reason: 'DoesNotFit' },
  },
  'cards that are wished for are spread over the nodes that they take': {
    given: [{ ...wish, gpu: { model: 'L40S', count: 2 } }, SEVENTY, [L40S, L40S]],
    is: { setup: { gpu: { model: 'L40S', count: 2 }, nodes: 2, tensorParallel: 2 } },
  },
  'a number of nodes that is wished for is taken': {
    given: [{ ...wish, nodesPerReplica: 2 }, EIGHT, [H100, H100, L40S]],
    is: { setup: { gpu: { model: 'H100', count: 1 }, nodes: 2 } },
  },
  'more nodes than there are': {
    given: [{ ...wish, gpu: { model: 'H100', count: 8 }, nodesPerReplica: 4 }, EIGHT, [H100, H100, L40S]],
    is: { reason: 'TooFewNodes', args: { nodes: '4', count: '8', model: 'H100', most: '2' } },
  },
  'several nodes, of an engine that runs on one': {
    given: [{ ...wish, nodesPerReplica: 2 }, TINY, [H100, H100]],
    is: { reason: 'EngineOnOneNode', args: { engine: 'llama.cpp', engines: 'vLLM, SGLang' } },
  },
  'several nodes without a card': {
    given: [{ ...wish, nodesPerReplica: 2 }, TINY, []],
    is: { reason: 'EngineOnOneNode' },
  },
  'a manual setup is on one node unless it says otherwise': {
    given: [
      {
        ...{ task: 'Generate', engine: 'vllm', setup: 'Manual', gpu: { model: 'L40S', count: 2 } },
        ...{ cores: 6, memoryGi: 48 },
      },
      SEVENTY,
      [L40S, L40S],
    ],
    is: { reason: 'DoesNotFit', args: { advice: 'It would fit on 4 × L40S.' } },
  },
  'a large GGUF model gets memory, and no card that its engine leaves idle': {
    given: [wish, { ...TINY, weightBytes: 30 * GIB }, POOL],
    is: { setup: { engine: 'llama.cpp', memoryGi: 33.5, tensorParallel: 1 } },
  },
  'cards for an engine that leaves them idle': {
    given: [{ ...wish, gpu: { model: 'H100', count: 1 } }, TINY, POOL],
    is: { reason: 'EngineWithoutGpu', args: { engine: 'llama.cpp' } },
  },
  'cards for a build of it that computes on them': {
    given: [{ ...wish, gpu: { model: 'H100', count: 1 } }, TINY, POOL, ['llama.cpp']],
    is: { setup: { engine: 'llama.cpp', gpu: { model: 'H100', count: 1 } } },
  },
  'a large GGUF model gets a card where its engine computes on one': {
    given: [wish, { ...TINY, weightBytes: 30 * GIB }, POOL, ['llama.cpp']],
    is: { setup: { engine: 'llama.cpp', gpu: { count: 1 } } },
  },
  'a model is split over no more cards than its heads can be': {
    given: [wish, { ...SEVENTY, attentionHeads: 14 }, POOL],
    is: { setup: { gpu: { model: 'H100', count: 2 }, tensorParallel: 2 } },
  },
  'a split that the heads of a model cannot take': {
    given: [{ ...wish, gpu: { model: 'H100', count: 4 } }, { ...EIGHT, attentionHeads: 14 }, POOL],
    is: { reason: 'SplitUneven', args: { heads: '14', split: '4' } },
  },
  'cards of which one split uses as many as the heads can take': {
    given: [{ ...wish, gpu: { model: 'H100', count: 4 }, tensorParallel: 2 }, { ...EIGHT, attentionHeads: 14 }, POOL],
    is: { setup: { gpu: { count: 4 }, tensorParallel: 2 } },
  },
  'a split over all nodes of an engine that splits so': {
    given: [
      { ...wish, engine: 'sglang', gpu: { model: 'H100', count: 4 }, nodesPerReplica: 2 },
      { ...EIGHT, attentionHeads: 12 },
      [H100, H100],
    ],
    is: { reason: 'SplitUneven', args: { heads: '12', split: '8' } },
  },
  'adapters take room beside the model': {
    given: [wish, { ...EIGHT, adapterBytes: 40 * GIB }, POOL],
    is: { setup: { gpu: { model: 'H100', count: 1 }, weightBytes: 55 * GIB } },
  },
  'adapters for a task in which no request can ask for one': {
    given: [{ ...wish, task: 'Embed', adapters: [{ name: 'a', model: 'mdl-2', version: '1' }] }, TINY, POOL],
    is: { reason: 'AdaptersUnsupported', args: { engine: 'llama.cpp', task: 'Embed' } },
  },
  'an argument of the platform in another spelling': {
    given: [{ ...wish, extraArgs: ['--seed', '--served_model_name=x'] }, EIGHT, POOL],
    is: { reason: 'ArgumentReserved' },
  },
  'too little memory without a card': {
    given: [{ ...wish, memoryGi: 0.125 }, TINY, POOL],
    is: { reason: 'DoesNotFit', args: { advice: 'It would fit with 0.5 GiB of memory.' } },
  },
};

describe('a setup', () => {
  test.each(Object.entries(CASES))('%s', (_, { given, is }) => {
    expect(chooseSetup(...given)).toMatchObject(is);
  });
});

const place: fc.Arbitrary<Place> = fc.record({
  model: fc.constantFrom('A', 'B', 'C'),
  cardBytes: fc.integer({ min: 8, max: 180 }).map((gi) => gi * GIB),
  cards: fc.constantFrom(1, 2, 4, 8),
  free: fc.nat(8),
  cores: fc.integer({ min: 1, max: 64 }),
  memoryGi: fc.integer({ min: 1, max: 512 }),
});
const optional = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
const facts = fc.record({
  format: fc.constantFrom('safetensors', 'gguf', 'other'),
  sizeBytes: fc.integer({ min: 1, max: 2000 }).map((gi) => gi * GIB),
  weightBytes: optional(fc.integer({ min: 1, max: 2 * 10 ** 12 })),
  kvTokenBytes: optional(fc.integer({ min: 0, max: 10 ** 7 })),
  contextLength: optional(fc.integer({ min: 1, max: 2 ** 21 })),
  attentionHeads: optional(fc.integer({ min: 1, max: 128 })),
  adapterBytes: optional(fc.integer({ min: 0, max: 10 ** 11 })),
});
const wishes = fc.record({
  task: fc.constantFrom(...TASKS),
  engine: fc.constantFrom('auto' as const, ...ENGINES),
  setup: fc.constantFrom('Automatic' as const, 'Manual' as const),
  gpu: optional(fc.record({ model: fc.constantFrom('A', 'B', 'Z'), count: fc.constantFrom(1, 2, 8) })),
  cores: optional(fc.constantFrom(0.1, 4, 512)),
  memoryGi: optional(fc.constantFrom(0.0625, 16, 8192)),
  contextLength: optional(fc.integer({ min: 1, max: 2 ** 24 })),
  tensorParallel: optional(fc.constantFrom(1, 2)),
  nodesPerReplica: optional(fc.constantFrom(1, 2, 3, 16)),
  memoryFraction: optional(fc.constantFrom(0.1, 0.5, 0.99)),
});

test('what is chosen always fits, is what was wished for, and is within the schema; a refusal has all its words', () => {
  fc.assert(
    fc.property(wishes, facts, fc.array(place, { maxLength: 4 }), (wished, known, places) => {
      const answer = chooseSetup(wished, known, places);
      if ('reason' in answer) {
        const gaps = [...(modelDeployment.reasons[answer.reason]?.en.matchAll(/%\{(\w+)\}/g) ?? [])].map(
          ([, gap]) => gap,
        );
        expect(Object.keys(answer.args)).toEqual(expect.arrayContaining(gaps));
        return;
      }
      const { setup } = answer;
      const generation = { generation: 1, wish: 'w', at: '2026-01-01T00:00:00Z' };
      expect(() => modelDeployment.status.shape.setup.parse({ ...setup, ...generation })).not.toThrow();
      expect(ENGINE_FACTS[setup.engine].formats).toContain(known.format);
      expect(setup.contextLength).toBeGreaterThan(0);
      for (const field of ['cores', 'memoryGi', 'contextLength', 'tensorParallel', 'memoryFraction'] as const)
        if (wished[field] !== undefined && !(field === 'tensorParallel' && !setup.gpu))
          expect(setup[field]).toBe(wished[field]);
      if (wished.gpu) expect(setup.gpu).toEqual(wished.gpu);
      expect(ENGINE_FACTS[setup.engine].devices).toContain(setup.gpu ? 'gpu' : 'cpu');
      if (setup.gpu && known.attentionHeads) expect(known.attentionHeads % setup.tensorParallel).toBe(0);
      const isKnown = !setup.gpu || places.some(({ model }) => model === setup.gpu?.model);
      const { weightBytes = 0, cacheBytes = 0, overheadBytes = 0, roomBytes = 0 } = setup;
      if (isKnown) expect(weightBytes + cacheBytes + overheadBytes).toBeLessThanOrEqual(roomBytes + 1);
      expect(arithmeticOf(setup)).toHaveLength(4);
    }),
    { numRuns: 2000 },
  );
});

test('a replica is spread as it was wished for, over no more nodes than have its cards', () => {
  fc.assert(
    fc.property(wishes, facts, fc.array(place, { maxLength: 6 }), (wished, known, places) => {
      const answer = chooseSetup(wished, known, places);
      if (!('setup' in answer) || !answer.setup.gpu) return;
      const { gpu, nodes = 1, engine } = answer.setup;
      if (wished.nodesPerReplica !== undefined) expect(nodes).toBe(wished.nodesPerReplica);
      if (nodes === 1) return;
      expect(ENGINE_FACTS[engine].worker).toBeDefined();
      const same = places.filter(({ model }) => model === gpu.model);
      const having = same.filter(({ cards }) => cards >= gpu.count).length;
      expect(same.length === 0 ? nodes : having).toBeGreaterThanOrEqual(nodes);
    }),
    { numRuns: 2000 },
  );
});

test('what just does not fit is not written as what does', () => {
  const onOne = (weightBytes: number) =>
    chooseSetup({ ...wish, gpu: { model: 'L40S', count: 1 } }, { ...EIGHT, weightBytes }, [L40S]);
  let [fits, over] = [0, 45 * GIB];
  while (over - fits > 1) {
    const middle = Math.floor((fits + over) / 2);
    if ('setup' in onOne(middle)) fits = middle;
    else over = middle;
  }
  const { needGi, roomGi } = (onOne(over) as { args: Record<string, string> }).args;
  expect(Number(needGi)).toBeGreaterThan(Number(roomGi));
});

test('more room never turns a model that fits into one that does not', () => {
  fc.assert(
    fc.property(facts, fc.array(place, { maxLength: 3 }), place, (known, places, one) => {
      const more = { ...one, model: 'D' };
      if ('setup' in chooseSetup(wish, known, places))
        expect(chooseSetup(wish, known, [...places, more])).toHaveProperty('setup');
    }),
    { numRuns: 1000 },
  );
});
