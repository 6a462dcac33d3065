// The phase of a service: first match wins, in the contract's order.
import { containerService, type ServicePhase } from '@gantry/contract/kinds/container-service.ts';
import type { Facts } from './facts.ts';
import type { Trouble } from './trouble.ts';

/** Replicas stuck on a silent node keep nobody waiting. */
export const isEndingNow = ({ replicas }: Facts): boolean =>
  replicas.some(({ endedAt, isLost }) => endedAt === undefined && !isLost);

const isKept = ({ workload, former }: Facts): boolean => workload !== undefined || former !== undefined;
const isAtRest = (f: Facts): boolean => f.owner.spec.power !== 'Running' || f.credit.isOut;
const wasAsleep = ({ status }: Facts): boolean => status.phase === 'sleeping' || status.phase === 'waking';

/** It is kept from being made on purpose, until something else is measured: nothing has failed. */
const WAITS: readonly Trouble['reason'][] = ['GateNotPassed', 'GateNotEvaluated'];
const isAtFault = ({ trouble }: Facts): boolean => trouble !== undefined && !WAITS.includes(trouble.reason);

const ROWS: Record<ServicePhase, (f: Facts) => boolean> = {
  releasing: (f) => f.deleting && (f.seen.pods.length > 0 || isKept(f) || f.seen.service !== undefined),
  released: (f) => f.deleting,
  stopping: (f) => isAtRest(f) && isEndingNow(f),
  stopped: isAtRest,
  sleeping: (f) => f.wanted === 0,
  failed: (f) => f.ready === 0 && (f.isLate || (isAtFault(f) && f.live.length === 0)),
  partialSuccess: (f) => f.ready > 0 && (f.isLate || (f.isComplete && f.covered < f.wanted)),
  deploying: (f) => !f.isComplete && !wasAsleep(f) && (f.live.length > 0 || isKept(f)),
  waking: (f) => !f.isComplete && wasAsleep(f),
  active: (f) => f.isComplete,
  preparing: () => true,
};

/** Walks the contract's order, so that the table in the contract is the law. */
export function phaseOf(facts: Facts): ServicePhase {
  const order = Object.keys(containerService.phases) as ServicePhase[];
  return order.find((phase) => ROWS[phase](facts)) ?? 'preparing';
}
