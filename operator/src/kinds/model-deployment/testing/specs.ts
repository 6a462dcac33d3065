import { fc } from '../../../../../test/support/seeded-fast-check.ts';

const count = fc.constantFrom(0, 1, 2, 3);

/** Specs that the API server lets pass, defaults filled in. */
export const specs: fc.Arbitrary<object> = fc.record({
  power: fc.constantFrom('Running', 'Running', 'Stopped'),
  restartCount: fc.nat(2),
  model: fc.constantFrom('mdl-1', 'mdl-2'),
  version: fc.constantFrom('1.0', '2.0'),
  task: fc.constantFrom('Generate', 'Embed', 'Rerank'),
  engine: fc.constantFrom('auto', 'vllm', 'sglang', 'llama.cpp'),
  setup: fc.constantFrom('Automatic', 'Manual'),
  gpu: fc.constantFrom(null, { model: 'H100', count: 1 }),
  nodesPerReplica: fc.constantFrom(null, null, 1, 2),
  cores: fc.constantFrom(null, 0.5),
  memoryGi: fc.constantFrom(null, 0.25),
  adapters: fc.constantFrom(null, [{ name: 'lora', model: 'mdl-3', version: '1' }]),
  extraArgs: fc.constantFrom(null, ['--verbose']),
  host: fc.constantFrom(null, null, 'gone'),
  hostTag: fc.constantFrom(null, null, 'train'),
  gate: fc.constantFrom(null, { evaluation: 'evl-1', metric: 'F1', margin: 0 }),
  dataReflow: fc.constantFrom(null, { percent: 5 }),
  nodeLabels: fc.constantFrom(null, { zone: 'a' }),
  replicas: count,
  autoscaling: fc.constantFrom(null, null, { min: 0, max: 3, scaleDownSeconds: 300, idleSeconds: 600 }),
  update: fc.record({
    maxUnavailable: fc.constantFrom(0, 1),
    maxSurge: fc.constantFrom(1, 2),
    deadlineMinutes: fc.constantFrom(1, 15),
  }),
});
