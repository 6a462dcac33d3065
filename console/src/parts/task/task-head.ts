// The head of a task's page: what it uses while it runs, and the next step once it has begun.
import type { JobView } from '@gantry/contract/kinds/job.ts';
import type { MonitorType } from '@gantry/contract/monitor/metrics.ts';
import type { Live } from '../head/live-strip.tsx';
import type { NextStep } from '../head/next-step.tsx';
import { usePartsWords } from '../use-parts-words.ts';
import type { Task } from './task.ts';

interface Sized extends Pick<JobView, 'gpu' | 'price'> {
  readonly spec: { readonly cores: number; readonly memoryGi: number };
  readonly workers: number;
}

/** `type`: of its metrics. Undefined unless it runs. */
export function taskLive(type: MonitorType, task: Task & Sized): Live | undefined {
  if (task.start_time === null || task.end_time !== null) return undefined;
  const { spec, workers, gpu, cost, price, start_time: since } = task;
  return {
    ...{ type, hasGpu: gpu !== null, since, price, cost },
    cores: spec.cores * workers,
    memoryGi: spec.memoryGi * workers,
  };
}

/** `result`: the page of what it has made, if there is one; until then its log is of interest. */
export function useTaskNext(pathOf: (task: Task) => string): (task: Task, result?: string) => NextStep | undefined {
  const t = usePartsWords();
  return (task, result) => {
    if (result !== undefined) return { label: t('head.result'), to: result };
    return task.runs.length > 0 ? { label: t('head.log'), to: `${pathOf(task)}/logs` } : undefined;
  };
}
