import { fc } from '../../../../../test/support/seeded-fast-check.ts';

/** Specs that the API server lets pass, defaults filled in. */
export const specs: fc.Arbitrary<object> = fc.record({
  source: fc.constant('rented'),
  gpu: fc.constantFrom({ model: 'H100', count: 8 }, { model: 'H100', count: 4 }),
  nodes: fc.integer({ min: 1, max: 2 }),
  months: fc.integer({ min: 1, max: 2 }),
  autoRenew: fc.boolean(),
});
