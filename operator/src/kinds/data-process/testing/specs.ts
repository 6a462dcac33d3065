import { fc } from '../../../../../test/support/seeded-fast-check.ts';

const work = fc.constantFrom(
  { type: 'QaPairs', qa: { pairsPerChunk: 3, rules: 'Headings' } },
  { type: 'QaPairs', model: 'chat', qa: { pairsPerChunk: 1, rules: 'Model', prompt: 'Ask briefly.' } },
  { type: 'KnowledgeBase', model: 'embed', chunks: { maxTokens: 512 } },
  { type: 'KnowledgeGraph', model: 'acme/chat', graph: { entityTypes: ['Person'] } },
  { type: 'Clean', clean: { duplicates: 'Near', maskPersonalData: true, minChars: 1 } },
  {
    type: 'Split',
    split: {
      seed: 1,
      parts: [
        { name: 'a', percent: 90 },
        { name: 'b', percent: 10 },
      ],
    },
  },
  { type: 'Convert', convert: { format: 'JsonLines' } },
);

/** Specs that the API server lets pass, defaults filled in. */
export const specs: fc.Arbitrary<object> = fc
  .tuple(
    work,
    fc.record({
      power: fc.constantFrom('Running', 'Running', 'Suspended', 'Stopped'),
      runCount: fc.nat(2),
      input: fc.constantFrom({ dataset: 'dst-in' }, { dataset: 'dst-in', version: 2 }),
      output: fc.constantFrom({ dataset: 'dst-out' }, { name: 'made' }),
      maxRejectedPercent: fc.constantFrom(0, 10),
      maxTokens: fc.constantFrom(null, 1000),
      cores: fc.constantFrom(0.5, 4),
      memoryGi: fc.constantFrom(0.25, 16),
      host: fc.constantFrom(null, null, 'gone'),
      priority: fc.constantFrom('Low', 'Normal', 'High'),
      maxRunMinutes: fc.constantFrom(null, 1, 60),
      retries: fc.nat(2),
    }),
  )
  .map(([one, common]) => ({ ...common, ...one }));
