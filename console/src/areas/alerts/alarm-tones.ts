// How a status of an alarm looks.

import type { AlarmStatus } from '@gantry/contract/areas/alerts/alerts.ts';
import type { Tone } from '@gantry/contract/define-kind.ts';

export const ALARM_TONES: Readonly<Record<AlarmStatus, Tone>> = {
  inactive: 'neutral',
  firing: 'bad',
  shielded: 'warning',
  resolved: 'good',
  closed: 'neutral',
};
