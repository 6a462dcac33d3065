import { AT, common, SOUND_NAMESPACE, soundObject } from './parts.ts';

export const sound = soundObject(
  'Organization',
  'acme',
  {
    displayName: 'Acme',
    description: 'Vision research',
    members: [{ account: 'ann', role: 'owner' }],
    quota: {
      gpus: 8,
      cores: 128,
      memoryGi: 1024,
      storageGi: 10_240,
      modelsGi: 1024,
      instances: 100,
      disks: 1000,
      hosts: 100,
      jobs: 2000,
      services: 100,
    },
  },
  { ...common('ready', 'Ready'), namespace: SOUND_NAMESPACE, probedAt: AT },
);
