// Facts of a task, one line each: its place in the queue, its times and its cost; and how it is run.
import { timeText } from '@gantry/ui/format/time.ts';
import type { Fact } from '../fact-list.tsx';
import type { RunSettings } from './run-settings.ts';
import { RunningTime } from './running-time.tsx';
import type { Task } from './task.ts';
import { useTaskWords } from './use-task-words.ts';

export function useTaskFacts({ queue, runs, start_time: start, end_time: end, cost }: Task): readonly Fact[] {
  const t = useTaskWords();
  const exit = runs[0]?.exit_label;
  return [
    ...(queue
      ? [
          {
            label: t('queue.title'),
            value: `${t('queue.position', { position: queue.position })} · ${t('queue.ahead', {
              smart_count: queue.ahead_gpus,
            })}`,
          },
          {
            label: t('queue.start'),
            value:
              queue.start_time === null
                ? t('queue.noEstimate')
                : t('queue.expected', { time: timeText(queue.start_time), basis: queue.basis_label }),
          },
        ]
      : []),
    { label: t('facts.started'), value: timeText(start) },
    { label: t('facts.ended'), value: timeText(end) },
    { label: t('columns.running'), value: <RunningTime from={start} to={end} /> },
    ...(exit ? [{ label: t('facts.exit'), value: exit }] : []),
    { label: t('columns.cost'), value: cost ?? t('facts.noCost') },
  ];
}

type Settings = { readonly [Name in keyof RunSettings]?: RunSettings[Name] | undefined };

/** Priority and limits. */
export function useRunFacts({ priority = 'Normal', maxRunMinutes, retries = 0 }: Settings): readonly Fact[] {
  const t = useTaskWords();
  const limit = maxRunMinutes === undefined ? t('run.noLimit') : t('run.limit', { smart_count: maxRunMinutes });
  return [
    { label: t('run.priority'), value: t(`priorities.${priority}`) },
    { label: t('run.limits'), value: `${limit} · ${t('run.tries', { smart_count: retries })}` },
  ];
}
