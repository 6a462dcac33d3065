// The way in which a published service handles a request now. Pure.
import { isCreditReason } from '@gantry/contract/billing/credit.ts';
import type { ContainerService } from '@gantry/contract/kinds/container-service.ts';

/** `serves`: by a ready replica. `waits`: one will be ready. The others answer at once. */
export type Stand = 'serves' | 'waits' | 'stopped' | 'unpaid' | 'failing';

/** `hasReady`: a replica of it can be reached. */
export function standOf({ metadata, spec, status }: ContainerService, hasReady: boolean): Stand {
  if (metadata.deletionTimestamp !== undefined || spec.power !== 'Running') return 'stopped';
  if (hasReady) return 'serves';
  if (isUnpaid(status?.reason)) return 'unpaid';
  if (status?.phase === 'failed') return 'failing';
  // Nobody wakes what was set to nothing by hand.
  if (!spec.autoscaling && spec.replicas === 0) return 'stopped';
  return 'waits';
}

/** Waiting brings no credit. Billing's first answer comes by itself. */
const isUnpaid = (reason = ''): boolean => isCreditReason(reason) && reason !== 'WaitingForCredit';
