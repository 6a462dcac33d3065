import { common, SOUND_NAMESPACE, soundObject } from './parts.ts';

export const sound = soundObject(
  'Beacon',
  'north',
  { creator: 'ann', port: 80, sticky: true },
  common('lit', 'Shining'),
  SOUND_NAMESPACE,
);
