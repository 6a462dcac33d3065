// Why something that costs is not made, or does not run on: billing's answers. Their words are every kind's that costs.
import type { Condition, KubeObject } from '../define-kind.ts';
import { reasons } from '../words/en/credit.ts';

export type CreditReason = keyof typeof reasons;

export const isCreditReason = (reason: string): reason is CreditReason => Object.hasOwn(reasons, reason);

/** Running objects end for these too: the money is gone. The others only hold back new starts. */
const ENDING: readonly string[] = ['OutOfCredit', 'SpendCapReached'] satisfies CreditReason[];
export const endsWhatRuns = (reason: string): boolean => ENDING.includes(reason);

/** The operator's word that only another spec, quota or node lets it start: the condition stands while that is so. */
export const CAN_START = 'CanStart';

/** Nothing is reserved for it. */
export const cannotStart = ({
  status,
}: KubeObject & { status?: { conditions?: readonly Condition[] | undefined } }): boolean =>
  status?.conditions?.some((one) => one.type === CAN_START && one.status === 'False') ?? false;
