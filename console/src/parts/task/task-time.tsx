// In a list: how long the newest run takes or has taken; of a task that waits, its place in the queue and when it may start.
import { timeText } from '@gantry/ui/format/time.ts';
import { TwoLines } from '../two-lines.tsx';
import { RunningTime } from './running-time.tsx';
import type { Task } from './task.ts';
import { useTaskWords } from './use-task-words.ts';

export function TaskTime({ task: { queue, start_time: start, end_time: end } }: { task: Task }) {
  if (queue) return <QueueText queue={queue} />;
  return <TwoLines first={<RunningTime from={start} to={end} />} second={start === null ? '' : timeText(start)} />;
}

/** "3rd" on one line, "expected at …, from how long earlier ones ran" below. */
function QueueText({ queue }: { queue: NonNullable<Task['queue']> }) {
  const t = useTaskWords();
  const expected =
    queue.start_time === null
      ? t('queue.noEstimate')
      : t('queue.expected', { time: timeText(queue.start_time), basis: queue.basis_label });
  return (
    <TwoLines
      first={t('queue.position', { position: queue.position })}
      second={expected}
      title={`${t('queue.ahead', { smart_count: queue.ahead_gpus })} ${expected}`}
    />
  );
}
