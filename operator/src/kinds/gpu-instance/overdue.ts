// Ends an instance's container if its plan fails or is not reached: only in certain cases.
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { restOf } from '@gantry/contract/kinds/gpu-instance-powers.ts';
import { creditOf } from '../../credit.ts';
import type { Overdue } from '../../define-controller.ts';
import { isOutOfCredit } from './credit-facts.ts';
import type { InstanceSettings } from './desired.ts';

/** A plan that fails from the start writes down no use, so credit for it would never run out. */
const UNBILLED_MS = 15 * 60_000;

export function overdue(
  owner: GpuInstance,
  { podUID, failingMs }: { podUID: string; failingMs: number },
  { creditGate }: Pick<InstanceSettings, 'creditGate'>,
): Overdue | undefined {
  const { metadata, spec, status } = owner;
  if (metadata.deletionTimestamp !== undefined || restOf(spec.power)) return 'ended';
  if (creditGate === 'off') return undefined;
  if (isOutOfCredit(owner, creditOf(owner, creditGate, 0))) return 'ended';
  const isBilled = status?.intervals?.some(({ subjectUID }) => subjectUID === podUID) ?? false;
  return !isBilled && failingMs >= UNBILLED_MS ? 'unbilled' : undefined;
}
