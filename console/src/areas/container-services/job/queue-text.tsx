// A job's place in the queue, and when it is expected to start.
import type { JobView } from '@gantry/contract/kinds/job.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { TwoLines } from '../../../parts/two-lines.tsx';
import { useDeployWords } from '../use-deploy-words.ts';

/** "3rd" on one line, "expected at …, from how long earlier jobs ran" below; nothing for one that does not wait. */
export function QueueText({ queue }: { queue: JobView['queue'] }) {
  const t = useDeployWords();
  if (!queue) return null;
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
