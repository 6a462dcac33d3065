// How long a run takes, or has taken, and the columns of its times.
import { timeText } from '@gantry/ui/format/time.ts';
import type { PlainColumn } from '../plain-table.tsx';
import { useNow } from '../use-now.ts';
import type { TaskRun } from './task.ts';
import { useSpan } from './use-span.ts';
import type { useTaskWords } from './use-task-words.ts';

const SECOND_MS = 1000;

interface RunningTimeProps {
  from: string | null;
  /** Null: it goes on. */
  to: string | null;
}

export function RunningTime({ from, to }: RunningTimeProps) {
  const isPassing = from !== null && to === null;
  const now = useNow(SECOND_MS, isPassing);
  const span = useSpan();
  if (from === null) return <span>–</span>;
  return <span>{span((to === null ? now : Date.parse(to)) - Date.parse(from))}</span>;
}

type Timed = Pick<TaskRun, 'start_time' | 'end_time' | 'exit_label'>;

/** Columns of a run, or of one of its workers. */
export const timeColumns = (t: ReturnType<typeof useTaskWords>): readonly PlainColumn<Timed>[] => [
  { label: t('facts.started'), cell: ({ start_time }) => timeText(start_time) },
  { label: t('facts.ended'), cell: ({ end_time }) => timeText(end_time) },
  { label: t('columns.running'), cell: ({ start_time, end_time }) => <RunningTime from={start_time} to={end_time} /> },
  { label: t('facts.exit'), cell: ({ exit_label }) => exit_label ?? '–' },
];
