// What the gateway answers for a data task (`data-task.ts`): whether its inputs are listed, and why its results cannot be kept.
import { listOf } from '@gantry/contract/fields/stored.ts';
import type { Task } from '@gantry/contract/fields/task.ts';
import { INPUTS_LISTED, OUTPUT_MADE, TASK_EXITS } from '@gantry/contract/kinds/data-task.ts';
import type { Args } from '@gantry/contract/said.ts';
import type { Exit, Trouble } from './ran.ts';

/** Why the gateway lists no inputs for the spec as it is: one of `reasons`, or nothing. */
export function answerOf({ metadata, status }: Task, reasons: readonly string[]): Trouble | undefined {
  const {
    reason,
    args = {},
    ...answer
  } = listOf(status?.conditions).find(({ type }) => type === INPUTS_LISTED) ?? ({} as { [key in string]?: undefined });
  const isCurrent = answer.status === 'False' && answer.observedGeneration === metadata.generation;
  return isCurrent && reasons.includes(reason ?? '') ? { reason: reason as Trouble['reason'], args } : undefined;
}

interface Listed {
  inputs?: { run: number; bytes: number } | undefined;
}

/** Of the run that is recorded. */
export const areListed = ({ status }: Task): boolean => {
  const { inputs } = (status ?? {}) as Listed;
  return inputs !== undefined && inputs.run === status?.run?.seq;
};

/** What files take at the rate at which the gateway is sure to send them. */
const BYTES_A_MS = 5_000;

export const arrivesMs = ({ status }: Task): number =>
  Math.ceil((((status ?? {}) as Listed).inputs?.bytes ?? 0) / BYTES_A_MS);

/** What the gateway says of results that it cannot keep. */
const refusedArgs = ({ status }: Task): Args =>
  listOf(status?.conditions).find(({ type }) => type === OUTPUT_MADE)?.args ?? {};

/** What the program wrote last. */
export const lastWords = ({ status }: Task): Args => ({ detail: status?.run?.lastLines ?? '–' });

/** Exit codes that all data tasks have. */
export const COMMON_EXITS: Readonly<Record<number, Exit>> = {
  [TASK_EXITS.inputsUnreadable]: { reason: 'InputsUnreadable', args: lastWords, isRetried: false },
  [TASK_EXITS.nothingDone]: { reason: 'NothingDone', isRetried: false },
  [TASK_EXITS.quotaExceeded]: { reason: 'StorageFull', args: refusedArgs, isRetried: false },
  [TASK_EXITS.outputRefused]: { reason: 'OutputRefused', args: refusedArgs, isRetried: false },
  [TASK_EXITS.resultsNotFetched]: { reason: 'ResultsNotFetched', isRetried: true },
};
