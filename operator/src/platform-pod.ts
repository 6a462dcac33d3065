// Common parts of the platform's Pods that work for one object: they run once, without an account, and may end at once.
import { PLATFORM_PRIORITY_CLASS } from '@gantry/contract/names.ts';

/** A part of a Pod's `spec`. */
export const PLATFORM_POD = {
  restartPolicy: 'Never',
  priorityClassName: PLATFORM_PRIORITY_CLASS,
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  terminationGracePeriodSeconds: 1,
  securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
} as const;
