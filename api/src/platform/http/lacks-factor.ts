// If staff need a second factor, those without one act as staff by no route: not by those of staff, and not by routes that let staff see
// more than others.
import type { Caller } from './caller.ts';

export type StaffSecondFactor = 'optional' | 'required';

export const lacksFactor = (caller: Pick<Caller, 'account'>, staffSecondFactor: StaffSecondFactor): boolean =>
  staffSecondFactor === 'required' && !caller.account.hasSecondFactor;
