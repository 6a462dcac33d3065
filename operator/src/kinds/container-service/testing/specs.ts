import { fc } from '../../../../../test/support/seeded-fast-check.ts';

/** Specs that the API server lets pass, defaults filled in. */
export const specs: fc.Arbitrary<object> = fc.record({ image: fc.constant('library/busybox:1.36') });
