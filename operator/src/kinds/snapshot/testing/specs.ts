import { fc } from '../../../../../test/support/seeded-fast-check.ts';

/** Specs that the API server lets pass, defaults filled in. */
export const specs: fc.Arbitrary<object> = fc.record({
  instance: fc.constant('dev'),
  of: fc.constantFrom('Root', 'Home', 'Log'),
});
