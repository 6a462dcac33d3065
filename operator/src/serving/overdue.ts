// Ends a service's replicas if its plan fails or is not reached: only in certain cases.
import type { ContainerService } from '@gantry/contract/kinds/container-service.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { creditOf } from '../credit.ts';
import type { Overdue } from '../define-controller.ts';
import { openIn } from '../metering.ts';
import type { ServiceSettings } from './desired.ts';

/** A plan that fails from the start writes down no use, so credit for it would never run out. */
const UNBILLED_MS = 15 * 60_000;

export function overdue(
  owner: ContainerService,
  { podUID, failingMs }: { podUID: string; failingMs: number },
  { creditGate }: Pick<ServiceSettings, 'creditGate'>,
): Overdue | undefined {
  const { metadata, spec, status } = owner;
  if (metadata.deletionTimestamp !== undefined || spec.power === 'Stopped') return 'ended';
  if (creditGate === 'off') return undefined;
  if (creditOf(owner, creditGate, 0).isOut) return 'ended';
  const isCounted = status?.pods?.some(({ uid, billedFrom }) => uid === podUID && billedFrom !== undefined) ?? false;
  const isBilled = isCounted && openIn(status?.intervals ?? []) !== undefined;
  return !isBilled && failingMs >= UNBILLED_MS ? 'unbilled' : undefined;
}

/** Requests go to these addresses, and the next Pod that has one may be another tenant's. */
export function stale({ status }: ContainerService, pods: readonly Pod[]): readonly string[] {
  const answers = new Set(
    pods
      .filter(({ status: seen }) => seen?.containerStatuses?.some(({ state }) => state?.running))
      .map(({ status: seen }) => seen?.podIP),
  );
  return (status?.pods ?? []).every(({ podIP }) => podIP === undefined || answers.has(podIP)) ? [] : ['pods'];
}
