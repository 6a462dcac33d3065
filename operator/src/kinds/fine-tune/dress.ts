// The program of a fine-tuning task's workers: it rehearses alone, then all of them train together; and how much each writes.
import { MI } from '@gantry/contract/fields/quantity.ts';
import type { FineTune } from '@gantry/contract/kinds/fine-tune.ts';
import { gangVariables } from '../../running/desired.ts';
import type { Ran } from '../../running/ran.ts';
import { taskDress } from '../../running/task-dress.ts';
import { type TrainerSettings, trainerCommand } from '../../running/trainer.ts';

/** Of the base's size, in what type its weights are: a checkpoint of all weights has them and Adam's two numbers of 32 bits for each. */
const FULL_CHECKPOINT = 5;
/** The whole model and its GGUF, as files, and as often again while they are written. An adapter's checkpoints are small beside that. */
const RESULT = 2;
const ADAPTER = 2;
/** Rows become tokens, of which each takes more than a letter. */
const ROWS = 4;
const WORK_BYTES = 1024 * MI;

/** What a worker writes. Of checkpoints one more than are kept: the oldest goes once the next one is whole. */
export function workBytesOf({ spec, status }: Pick<FineTune, 'spec' | 'status'>): number {
  const { bytes = 0, baseBytes = 0 } = status?.inputs ?? {};
  const { method, checkpoints } = spec;
  const trained = method === 'Full' ? FULL_CHECKPOINT * (checkpoints.keep + 1) : ADAPTER;
  return baseBytes * (trained + RESULT) + Math.max(0, bytes - baseBytes) * ROWS + WORK_BYTES;
}

export const dress: Ran['dress'] = (task, { seq }, _seen, settings) => {
  const { trainerImage, ...common } = settings as TrainerSettings;
  const owner = task as FineTune;
  return taskDress(
    task,
    owner.status?.inputs ?? {},
    {
      image: trainerImage,
      command: trainerCommand('train'),
      rehearsal: trainerCommand('rehearse'),
      env: Object.entries(gangVariables(owner, seq)).map(([name, from]) => ({ name, ...from })),
      workBytes: workBytesOf(owner),
      sharesMemory: true,
    },
    common,
  );
};
