import { fc } from '../../../../../test/support/seeded-fast-check.ts';

const work = fc.constantFrom(
  { subjects: [{ deployment: 'chat' }], tasks: [{ dataset: 'dst-in', metric: 'ExactMatch' }] },
  {
    subjects: [{ deployment: 'chat' }, { deployment: 'chat', adapter: 'tuned' }],
    tasks: [{ dataset: 'dst-in', version: 2, metric: 'Pairwise', columns: { prompt: 'q' } }],
    ...{ judge: { deployment: 'judge' }, baseline: 0 },
    performance: { concurrency: [1, 4], promptTokens: 128, answerTokens: 64, seconds: 20 },
  },
);

/** Specs that the API server lets pass, defaults filled in. */
export const specs: fc.Arbitrary<object> = fc
  .tuple(
    work,
    fc.record({
      power: fc.constantFrom('Running', 'Running', 'Suspended', 'Stopped'),
      runCount: fc.nat(2),
      seed: fc.constantFrom(0, 7),
      answerTokens: fc.constantFrom(16, 256),
      maxRejectedPercent: fc.constantFrom(0, 10),
      cores: fc.constantFrom(0.5, 4),
      memoryGi: fc.constantFrom(0.25, 16),
      host: fc.constantFrom(null, null, 'gone'),
      priority: fc.constantFrom('Low', 'Normal', 'High'),
      maxRunMinutes: fc.constantFrom(null, 1, 60),
      retries: fc.nat(2),
    }),
  )
  .map(([one, common]) => ({ ...common, ...one }));
