import { fc } from '../../../../../test/support/seeded-fast-check.ts';

/** Specs that the API server lets pass, defaults filled in. */
export const specs: fc.Arbitrary<object> = fc.record({
  members: fc.uniqueArray(
    fc.record({ account: fc.constantFrom('ann', 'bob', 'eve'), role: fc.constantFrom('owner', 'viewer') }),
    {
      selector: ({ account }) => account,
    },
  ),
  quota: fc.record({
    gpus: fc.constantFrom(0, 8, 1000),
    cores: fc.constantFrom(1, 2000),
    memoryGi: fc.constantFrom(1, 2048),
    storageGi: fc.constantFrom(1, 10_240),
    modelsGi: fc.constantFrom(0, 1024),
    instances: fc.constantFrom(0, 100),
    disks: fc.constantFrom(0, 1000),
    hosts: fc.constantFrom(0, 100),
    jobs: fc.constantFrom(0, 100),
    services: fc.constantFrom(0, 100),
  }),
});
