// Why something that costs is not made, or does not run on: billing's answers. Their words are every kind's that costs.
import { reasons } from '../words/en/credit.ts';

export type CreditReason = keyof typeof reasons;

export const isCreditReason = (reason: string): reason is CreditReason => Object.hasOwn(reasons, reason);

/** Running objects end for these too: the money is gone. The others only hold back new starts. */
const ENDING: readonly string[] = ['OutOfCredit', 'SpendCapReached'] satisfies CreditReason[];
export const endsWhatRuns = (reason: string): boolean => ENDING.includes(reason);
