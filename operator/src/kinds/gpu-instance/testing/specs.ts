import { fc } from '../../../../../test/support/seeded-fast-check.ts';

/** Specs that the API server lets pass, defaults filled in. */
export const specs: fc.Arbitrary<object> = fc.record({
  power: fc.constantFrom('Running', 'Stopped', 'ShutDown', 'Hibernated'),
  rebootCount: fc.nat(2),
  image: fc.constantFrom('pytorch/pytorch:2.4.0', 'registry.gantry.internal/official/busybox:1.36'),
  gpu: fc.constantFrom(null, { model: 'H100', count: 1 }),
  cores: fc.constantFrom(0.5, 4),
  memoryGi: fc.constantFrom(0.25, 16),
  homeDisk: fc.record({ sizeGi: fc.integer({ min: 1, max: 3 }) }),
  notebookPort: fc.constantFrom(null, 8888),
});
