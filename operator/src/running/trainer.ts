// The trainer's image, whose programs train models and evaluate them.
import { TASK_ROOT } from '@gantry/contract/kinds/data-task.ts';
import type { RunSettings, Trouble } from './ran.ts';

export interface TrainerSettings extends RunSettings {
  /** Empty: this installation has none yet. */
  trainerImage: string;
}

/** One of its programs, with its arguments. */
export const trainerCommand = (command: string, ...more: readonly string[]): string[] => [
  '/usr/bin/python3',
  '-m',
  'gantry_trainer',
  command,
  `--root=${TASK_ROOT}`,
  ...more,
];

/** Why nothing can run in it yet. */
export const trainerMissing = (settings: RunSettings): Trouble | undefined =>
  (settings as TrainerSettings).trainerImage === '' ? { reason: 'TrainerImageMissing', args: {} } : undefined;
