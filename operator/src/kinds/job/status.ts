// The status of a job: what its books say, its phase, why, and its place in the queue.
import { CAN_START } from '@gantry/contract/billing/credit.ts';
import { type Condition, sentence } from '@gantry/contract/define-kind.ts';
import { type Job, type JobPhase, type JobStatus, job } from '@gantry/contract/kinds/job.ts';
import { nextCondition } from '@gantry/contract/next-condition.ts';
import type { Books } from './books.ts';
import { explain } from './explain.ts';
import type { Facts, Trouble } from './facts.ts';
import { phaseOf } from './phase.ts';
import { queueOf } from './queue.ts';

/** The job as it will be once its books are written. */
export function recorded(owner: Job, books: Books): Job {
  const {
    run: _run,
    workers: _workers,
    runs: _runs,
    excludedNodes: _nodes,
    intervals: _intervals,
    ...status
  } = owner.status ?? {};
  return { ...owner, status: { ...status, ...written(books) } };
}

const written = ({ run, workers, runs, excludedNodes, intervals }: Books): JobStatus => ({
  ...(run && { run }),
  ...(workers.length > 0 && { workers: [...workers] }),
  ...(runs.length > 0 && { runs: [...runs] }),
  ...(excludedNodes.length > 0 && { excludedNodes: [...excludedNodes] }),
  ...(intervals.length > 0 && { intervals: [...intervals] }),
});

export function statusOf(f: Facts, books: Books): JobStatus {
  const phase = phaseOf(f);
  const queue = phase === 'queued' ? queueOf(f.status.queue, f.seen.place, f.seen.durations, f.now) : undefined;
  const why = explain(f, phase, queue);
  return {
    ...worded(f, phase, why),
    ...written(books),
    ...(queue && { queue }),
  };
}

/** The fields that all kinds have. */
export function worded(
  { owner, status, now, isQueueUsed, hopeless }: Facts,
  phase: JobPhase,
  { reason, args }: Trouble,
): JobStatus {
  const message = sentence(job.reasons[reason], 'en', args);
  return {
    phase,
    reason,
    ...(Object.keys(args).length > 0 && { reasonArgs: args }),
    message,
    ...(owner.metadata.generation !== undefined && { observedGeneration: owner.metadata.generation }),
    conditions: [
      ...startCondition({ hopeless, status, now }),
      ...(owner.spec.schedule ? [] : [queueCondition(status, now, isQueueUsed, owner.spec.host !== undefined)].flat()),
      nextCondition(
        status.conditions,
        { type: 'Complete', status: COMPLETE[phase] ?? 'Unknown', reason, message, args },
        now,
      ),
    ],
  };
}

/** While only another spec, quota or node lets it start, billing reserves nothing for it. */
function startCondition({ hopeless, status, now }: Pick<Facts, 'hopeless' | 'status' | 'now'>): Condition[] {
  if (!hopeless) return [];
  const { reason, args } = hopeless;
  const message = sentence(job.reasons[reason], 'en', args);
  return [nextCondition(status.conditions, { type: CAN_START, status: 'False', reason, message, args }, now)];
}

const COMPLETE: Partial<Record<JobPhase, Condition['status']>> = {
  succeeded: 'True',
  failed: 'False',
  stopped: 'False',
};

function queueCondition(status: JobStatus, now: number, isUsed: boolean, isOnHost: boolean): Condition[] {
  // A host's jobs need no queue: it is the organisation's alone.
  if (isOnHost) return [];
  const reason = isUsed ? 'QueueUsed' : 'NoQueue';
  const message = sentence(job.reasons[reason], 'en', {});
  return [
    nextCondition(status.conditions, { type: 'Queued', status: isUsed ? 'True' : 'False', reason, message }, now),
  ];
}
