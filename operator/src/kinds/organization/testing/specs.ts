import { fc } from '../../../../../test/support/seeded-fast-check.ts';

/** Specs that the API server lets pass, defaults filled in. */
export const specs: fc.Arbitrary<object> = fc.record({
  members: fc.uniqueArray(
    fc.record({ account: fc.constantFrom('ann', 'bob', 'eve'), role: fc.constantFrom('owner', 'viewer') }),
    {
      selector: ({ account }) => account,
    },
  ),
  data: fc.option(
    fc.record({
      until: fc.constantFrom(
        '2026-11-21T10:10:00Z',
        '2020-01-01T00:00:00Z',
        '2099-01-01T00:00:00Z',
        '2026-02-31T00:00:00Z',
      ),
    }),
    { nil: undefined },
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
