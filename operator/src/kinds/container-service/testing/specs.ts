import { fc } from '../../../../../test/support/seeded-fast-check.ts';

const count = fc.constantFrom(0, 1, 2, 3);

/** Specs that the API server lets pass, defaults filled in. */
export const specs: fc.Arbitrary<object> = fc.record({
  power: fc.constantFrom('Running', 'Running', 'Stopped'),
  restartCount: fc.nat(2),
  image: fc.constantFrom('vllm/vllm-openai:v0.9.0', 'registry.gantry.internal/official/busybox:1.36'),
  command: fc.constantFrom(null, ['serve', '--port', '8000']),
  gpu: fc.constantFrom(null, { model: 'H100', count: 1 }),
  cores: fc.constantFrom(0.5, 4),
  memoryGi: fc.constantFrom(0.25, 16),
  host: fc.constantFrom(null, null, 'gone'),
  env: fc.constantFrom(null, [{ name: 'MODEL', value: 'small' }]),
  secretEnv: fc.constantFrom(null, [{ name: 'TOKEN', secret: 'mine', key: 'token' }]),
  ports: fc.constantFrom([{ port: 8000 }], [{ name: 'http', port: 8000 }, { port: 9000 }]),
  publish: fc.constantFrom(null, { port: 8000, access: 'Members' }),
  replicas: count,
  autoscaling: fc.constantFrom(
    null,
    null,
    { min: 0, max: 3, scaleDownSeconds: 300, idleSeconds: 600 },
    { min: 2, max: 3 },
  ),
  readiness: fc.constantFrom(null, { path: '/healthz', timeoutSeconds: 2 }),
  update: fc.record({
    maxUnavailable: fc.constantFrom(0, 1),
    maxSurge: fc.constantFrom(1, 2),
    deadlineMinutes: fc.constantFrom(1, 15),
  }),
});
