import { AT, common, type Resting, SOUND_NAMESPACE, soundObject } from './parts.ts';

export const sound = soundObject(
  'AlertPolicy',
  'hot-gpu',
  {
    displayName: 'hot_gpu',
    creator: 'ann',
    state: 'Enabled',
    validUntil: '2027-11-21T11:00:00Z',
    objects: { kind: 'GpuInstance', names: ['dev'], labels: { team: 'vision' } },
    metric: 'GpuTemperature',
    aggregation: 'Maximum',
    periodSeconds: 60,
    groupBy: ['gpu'],
    filters: [{ label: 'gpu', operator: 'In', values: ['0'] }],
    rules: [{ type: 'Threshold', compare: 'Above', value: 85.5, level: 'Critical' }],
    begins: { met: 3, of: 5 },
    endsAfter: 5,
    convergence: { waitSeconds: 30, repeatMinutes: 60, mostPerHour: 20 },
    mutedUntil: '2026-11-21T11:00:00Z',
    silences: [{ cron: '0 2 * * *', timeZone: 'UTC', minutes: 60 }],
    channels: [{ type: 'Mail', to: 'ann@example.com', levels: ['Critical'], afterMinutes: 10 }],
    title: 'Hot: {{object}}',
    content: '{{object}} has {{value}}.',
  },
  { ...common('enabled', 'Watching'), firing: 0, evaluatedAt: AT },
  SOUND_NAMESPACE,
);

export const resting: Resting = () => ({ spec: sound.spec, status: { phase: 'enabled' } });
