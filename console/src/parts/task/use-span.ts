// A stretch of time in words: "2 h 5 min", "42 s".
import { useTaskWords } from './use-task-words.ts';

const SECOND_MS = 1000;
const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;

/** Its two largest units; never negative. */
export function useSpan(): (ms: number) => string {
  const t = useTaskWords();
  return (ms) => {
    const all = Math.max(0, Math.floor(ms / SECOND_MS));
    const [days, hours] = [Math.floor(all / DAY_S), Math.floor((all % DAY_S) / HOUR_S)];
    const [minutes, seconds] = [Math.floor((all % HOUR_S) / MINUTE_S), all % MINUTE_S];
    if (days > 0) return t('span.days', { days, hours });
    if (hours > 0) return t('span.hours', { hours, minutes });
    return minutes > 0 ? t('span.minutes', { minutes, seconds }) : t('span.seconds', { seconds });
  };
}
