// The policy for an idle object, as forms hold it: the organisation's, or its own.
import type { IdleDoes } from '@gantry/contract/fields/idle.ts';
import { numberOrNull } from './workload-values.ts';

export interface IdleValues {
  /** Empty: as the organisation has it. */
  idle: { does: '' | IdleDoes; afterMinutes: number | undefined };
}

const MINUTES = 60;

export const NO_IDLE: IdleValues['idle'] = { does: '', afterMinutes: MINUTES };

export const idleBody = ({ does, afterMinutes }: IdleValues['idle']) =>
  does === '' ? {} : { idle: { does, afterMinutes: numberOrNull(afterMinutes) } };

export const idleOf = (
  idle: { does: IdleDoes; afterMinutes?: number | undefined } | undefined,
): IdleValues['idle'] => ({ does: idle?.does ?? '', afterMinutes: idle?.afterMinutes ?? MINUTES });
