// Ends a worker's container if the task's plan fails or is not reached: only in certain cases.
import type { Task } from '@gantry/contract/fields/task.ts';
import { creditOf } from '../credit.ts';
import type { Overdue } from '../define-controller.ts';
import { openIn } from '../metering.ts';
import type { RunSettings } from './ran.ts';

/** A plan that fails from the start writes down no use, so credit for it would never run out. */
const UNBILLED_MS = 15 * 60_000;

export function overdue(
  owner: Task,
  { podUID, failingMs }: { podUID: string; failingMs: number },
  { creditGate }: Pick<RunSettings, 'creditGate'>,
): Overdue | undefined {
  const { metadata, spec, status } = owner;
  if (metadata.deletionTimestamp !== undefined || spec.power !== 'Running') return 'ended';
  if (creditGate === 'off') return undefined;
  if (creditOf(owner, creditGate, 0).isOut) return 'ended';
  const isCounted = status?.workers?.some((one) => one.podUID === podUID && one.startedAt !== undefined) ?? false;
  const isBilled = isCounted && openIn(status?.intervals ?? []) !== undefined;
  return !isBilled && failingMs >= UNBILLED_MS ? 'unbilled' : undefined;
}
