import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';

/** Before its first container runs: of a start that is late it is not told, and it may. */
const BEFORE: readonly string[] = ['preparing', 'creating', 'createFailed'];
/** What `last_exit` says of a program that ended; all else is what kept one from starting, or took its node. */
const ENDED = /^(OOMKilled|RootFull|exit code \d+)$/;

/** Whether a program has begun that could be interrupted, or has left something. */
export const isBegun = ({ phase, reason, run }: Pick<InstanceView, 'phase' | 'reason' | 'run'>): boolean =>
  ENDED.test(run?.last_exit ?? '') || !(BEFORE.includes(phase) || reason === 'NetworkFailed');
