import { fc } from '../../../../../test/support/seeded-fast-check.ts';

/** Specs that the API server lets pass, defaults filled in. */
export const specs: fc.Arbitrary<object> = fc.record({
  objects: fc.record({ kind: fc.constantFrom('GpuInstance', 'Job') }),
  metric: fc.constant('GpuTemperature'),
  state: fc.constantFrom('Enabled', 'Disabled'),
  rules: fc.constant([{ type: 'Threshold', compare: 'Above', value: 85, level: 'Critical' }]),
});
