import { fc } from '../../../../../test/support/seeded-fast-check.ts';

const schedule = fc.record({
  cron: fc.constantFrom('* * * * *', '*/5 * * * *', '30 2 * * *', '0 0 30 2 *', '61 * * * *'),
  timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'Nowhere/Land'),
  concurrency: fc.constantFrom('Allow', 'Forbid', 'Replace'),
  startWithinMinutes: fc.constantFrom(1, 10, 1440),
  keep: fc.constantFrom(1, 3),
});

/** Specs that the API server lets pass, defaults filled in. */
export const specs: fc.Arbitrary<object> = fc.record({
  power: fc.constantFrom('Running', 'Running', 'Suspended', 'Stopped'),
  runCount: fc.nat(2),
  image: fc.constantFrom('library/busybox:1.36', 'registry.gantry.internal/official/busybox:1.36'),
  workers: fc.constantFrom(1, 2, 3),
  gpu: fc.constantFrom(null, { model: 'H100', count: 1 }, { model: 'H100', count: 16 }),
  cores: fc.constantFrom(0.5, 4),
  memoryGi: fc.constantFrom(0.25, 16),
  priority: fc.constantFrom('Low', 'Normal', 'High'),
  env: fc.constantFrom(null, [{ name: 'RANK', value: 'mine' }]),
  tracking: fc.constantFrom(null, null, null, true),
  mounts: fc.constantFrom(null, null, [{ from: 'data', as: 'ReadWrite', mountPath: '/data' }]),
  maxRunMinutes: fc.constantFrom(null, 1, 60),
  retries: fc.nat(2),
  schedule: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: schedule }),
});
