// The destinations of notifications, as a policy lists them. Pure.
import type { AlertChannel, AlertLevel, AlertPolicySpec } from '@gantry/contract/kinds/alert-policy.ts';

type Channel = AlertPolicySpec['channels'][number];

/** A row of the outbox names its channel by this. */
export const channelKey = ({ type, to }: Pick<Channel, 'type' | 'to'>): string =>
  to === undefined ? type : `${type}/${to}`;

export function channelOf(key: string): { type: AlertChannel; to: string | undefined } {
  const at = key.indexOf('/');
  return at < 0
    ? { type: key as AlertChannel, to: undefined }
    : { type: key.slice(0, at) as AlertChannel, to: key.slice(at + 1) };
}

export const hears = ({ levels }: Pick<Channel, 'levels'>, level: AlertLevel): boolean =>
  levels === undefined || levels.length === 0 || levels.includes(level);
