// The kinds whose objects run to an end: their workers are queued, billed and tried again alike (`operator/src/running`).
import { dataProcess } from './data-process.ts';
import { evaluation } from './evaluation.ts';
import { fineTune } from './fine-tune.ts';
import { job } from './job.ts';

export const TASKS = [job, dataProcess, fineTune, evaluation] as const;
export const TASK_KINDS: readonly string[] = TASKS.map(({ kind }) => kind);
