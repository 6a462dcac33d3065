import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';

/** Phases before its first container runs; a late start is not known from them. */
const BEFORE: readonly string[] = ['preparing', 'creating', 'createFailed'];
/** `last_exit` of a program that ended; others are why one did not start, or a lost node. */
const ENDED = /^(OOMKilled|RootFull|exit code \d+)$/;

/** Whether a program has begun that could be interrupted, or has left something. */
export const isBegun = ({ phase, reason, run }: Pick<InstanceView, 'phase' | 'reason' | 'run'>): boolean =>
  ENDED.test(run?.last_exit ?? '') || !(BEFORE.includes(phase) || reason === 'NetworkFailed');
