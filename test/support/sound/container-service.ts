import { AT, common, metered, type Resting, SOUND_NAMESPACE, soundObject, UID } from './parts.ts';

const TEMPLATE = {
  image: 'library/nginx:1.27',
  command: ['nginx'],
  gpu: { model: 'NVIDIA-H100-80GB-HBM3', count: 1 },
  cores: 4,
  memoryGi: 16,
  host: 'big',
  env: [{ name: 'MODE', value: 'serve' }],
  secretEnv: [{ name: 'TOKEN', secret: 'web-env', key: 'TOKEN' }],
  ports: [{ name: 'web', port: 8080 }],
};

export const sound = soundObject(
  'ContainerService',
  'web',
  {
    displayName: 'web',
    creator: 'ann',
    power: 'Running',
    restartCount: 1,
    ...TEMPLATE,
    publish: { port: 8080, access: 'Tokens' },
    replicas: 2,
    autoscaling: {
      min: 0,
      max: 4,
      metrics: [
        { type: 'InFlight', target: 10 },
        { type: 'PromQL', target: 100, query: 'sum(queue_length)' },
      ],
      scaleDownSeconds: 300,
      idleSeconds: 600,
      schedules: [{ cron: '0 8 * * 1-5', timeZone: 'Europe/Berlin', minutes: 600, min: 2 }],
    },
    readiness: { path: '/healthz', port: 8080, timeoutSeconds: 2 },
    update: { maxUnavailable: 0, maxSurge: 1, deadlineMinutes: 15 },
    wake: { requests: 100, seconds: 120 },
    idle: { does: 'Warn', afterMinutes: 60 },
  },
  {
    ...common('active', 'Active'),
    url: 'https://web.acme.tenants.example',
    address: `web-service.${SOUND_NAMESPACE}.svc`,
    revision: 2,
    revisions: [
      {
        revision: 2,
        at: AT,
        hash: 'abcdef0123456789',
        outcome: 'good',
        image: TEMPLATE.image,
        template: JSON.stringify(TEMPLATE),
      },
      {
        revision: 77,
        at: AT,
        hash: '0123456789abcdef',
        outcome: 'bad',
        image: TEMPLATE.image,
        template: JSON.stringify(TEMPLATE),
      },
    ],
    replicas: { wanted: 2, ready: 1, updated: 1, total: 2 },
    pods: [
      {
        name: 'web-service-6d4cf56db6-abcde',
        uid: UID,
        revision: 2,
        part: 1,
        node: 'node-0',
        podIP: '10.0.0.7',
        phase: 'ready',
        readyAt: AT,
        restarts: 1,
      },
    ],
    readyAt: AT,
    asleepSince: AT,
    scaling: { replicas: 2, because: 'InFlight', value: 15, at: AT },
    traffic: { lastRequestAt: AT },
    ...metered(
      { resource: 'memory', quantity: 0.125, exact: { count: 128, unit: 'Mi' } },
      { resource: 'gpu', model: 'NVIDIA-H100-80GB-HBM3', quantity: 2 },
      { resource: 'cpu', quantity: 8 },
    ),
    credit: { until: '2026-11-21T11:00:00Z', postedSeq: 1, cost: '12.34 USD', replicas: 2 },
  },
  SOUND_NAMESPACE,
);

export const resting: Resting = () => ({ spec: { ...sound.spec, power: 'Stopped' }, status: { phase: 'stopped' } });
