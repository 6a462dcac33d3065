import { fc } from '../../../../../test/support/seeded-fast-check.ts';

/** Specs that the API server lets pass, defaults filled in. */
export const specs: fc.Arbitrary<object> = fc.record({
  source: fc.constant('pytorch/pytorch:2.4.0'),
  official: fc.boolean(),
  llm: fc.boolean(),
  pullSecret: fc.constantFrom(null, 'mine'),
});
