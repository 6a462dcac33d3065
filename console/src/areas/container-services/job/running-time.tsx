// How long a run takes, or has taken.
import { useNow } from '../../../parts/use-now.ts';
import { useSpan } from '../use-span.ts';

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
