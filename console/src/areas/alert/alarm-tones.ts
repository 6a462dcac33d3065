// How a status of an alarm looks.

import type { Tone } from '@gantry/contract/define-kind.ts';
import type { AlarmStatus } from '@gantry/contract/http/alerts.ts';

export const ALARM_TONES: Readonly<Record<AlarmStatus, Tone>> = {
  inactive: 'neutral',
  firing: 'bad',
  shielded: 'warning',
  resolved: 'good',
  closed: 'neutral',
};
