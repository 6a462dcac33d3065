import { fc } from '../../../../../test/support/seeded-fast-check.ts';

/** Specs that the API server lets pass, defaults filled in. */
export const specs: fc.Arbitrary<object> = fc.record({
  sizeGi: fc.integer({ min: 1, max: 3 }),
  access: fc.constantFrom('Single', 'Many'),
  files: fc.constantFrom(null, { until: '2026-11-21T10:20:00Z' }),
});
