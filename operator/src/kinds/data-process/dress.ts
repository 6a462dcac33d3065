// The program of a data processing task's worker, and how much it writes.
import { MI, quantity } from '@gantry/contract/fields/quantity.ts';
import type { DataProcess } from '@gantry/contract/kinds/data-process.ts';
import { TASK_ASK, TASK_ROOT } from '@gantry/contract/kinds/data-task.ts';
import type { Ran, RunSettings } from '../../running/ran.ts';
import { taskDress } from '../../running/task-dress.ts';
import { mebibytes } from '../../tenant-pods.ts';

export interface ProcessSettings extends RunSettings {
  /** Of the data worker, which also is the data server's. */
  dataServerImage: string;
}

/** What the worker writes, beside what its input takes: as often its size, and this besides. */
const WORK_TIMES: Readonly<Partial<Record<DataProcess['spec']['type'], number>>> = { KnowledgeBase: 6, Convert: 16 };
const LEAST_WORK_TIMES = 4;
const WORK_BYTES = 1024 * MI;

export const dress: Ran['dress'] = (task, _run, _seen, settings) => {
  const { spec, status } = task as DataProcess;
  const { dataServerImage, ...common } = settings as ProcessSettings;
  const { inputs } = status ?? {};
  const command = [
    '/usr/bin/python3',
    '-m',
    'gantry_worker',
    'task',
    `--root=${TASK_ROOT}`,
    `--ask=http://${TASK_ASK}`,
    `--memory-mb=${Math.floor(quantity(mebibytes(spec.memoryGi)) / MI)}`,
  ];
  const workBytes = (inputs?.bytes ?? 0) * (WORK_TIMES[spec.type] ?? LEAST_WORK_TIMES) + WORK_BYTES;
  return taskDress(task, inputs ?? {}, { image: dataServerImage, command, workBytes }, common);
};
