import { fc } from '../../../../../test/support/seeded-fast-check.ts';

const CARDS = { model: 'H100', count: 8 };
const work = fc.constantFrom(
  { objective: 'SFT', method: 'LoRA', output: { name: 'made', gguf: false } },
  { objective: 'SFT', method: 'QLoRA', gpu: { model: 'H100', count: 1 }, output: { model: 'mdl-out', gguf: false } },
  { objective: 'DPO', method: 'Full', gpu: CARDS, output: { model: 'mdl-out', form: 'Merged', gguf: true } },
);

const parameters = {
  ...{ batch: 8, accumulate: 1, schedule: 'Cosine', warmup: 0.03, rank: 16, alpha: 32, dropout: 0 },
  ...{ maxLength: 2048, beta: 0.1, seed: 0 },
};

/** Specs that the API server lets pass, defaults filled in. */
export const specs: fc.Arbitrary<object> = fc
  .tuple(
    work,
    fc.record({
      power: fc.constantFrom('Running', 'Running', 'Suspended', 'Stopped'),
      runCount: fc.nat(2),
      saveCount: fc.nat(2),
      base: fc.constantFrom({ model: 'mdl-base', version: 'main' }),
      datasets: fc.constantFrom([{ dataset: 'dst-in', weight: 1 }], [{ dataset: 'dst-in', version: 2, weight: 0.5 }]),
      parameters: fc.constantFrom(parameters, { ...parameters, maxSteps: 10 }),
      checkpoints: fc.constantFrom({ keep: 3 }, { keep: 1, everySteps: 5 }),
      workers: fc.constantFrom(1, 1, 2),
      cores: fc.constantFrom(0.5, 4),
      memoryGi: fc.constantFrom(0.25, 16),
      host: fc.constantFrom(null, null, 'gone'),
      priority: fc.constantFrom('Low', 'Normal', 'High'),
      maxRunMinutes: fc.constantFrom(null, 1, 60),
      retries: fc.nat(2),
    }),
  )
  .map(([one, common]) => ({ ...common, ...one }));
