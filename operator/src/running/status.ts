// The status of a task: what its books say, its phase, why, and its place in the queue.
import { CAN_START } from '@gantry/contract/billing/credit.ts';
import { type Condition, sentence, type Words } from '@gantry/contract/define-kind.ts';
import type { Task, TaskStatus } from '@gantry/contract/fields/task.ts';
import { nextCondition } from '@gantry/contract/next-condition.ts';
import type { Books } from './books.ts';
import { explain } from './explain.ts';
import type { Facts } from './facts.ts';
import { stageOf } from './phase.ts';
import { queueOf } from './queue.ts';
import type { Ran, RunningReason, Stage, Trouble } from './ran.ts';

/** The task as it will be once its books are written. */
export function recorded<Owner extends Task>(owner: Owner, books: Books): Owner {
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

const written = ({ run, workers, runs, excludedNodes, intervals }: Books): TaskStatus => ({
  ...(run && { run }),
  ...(workers.length > 0 && { workers: [...workers] }),
  ...(runs.length > 0 && { runs: [...runs] }),
  ...(excludedNodes.length > 0 && { excludedNodes: [...excludedNodes] }),
  ...(intervals.length > 0 && { intervals: [...intervals] }),
});

export function statusOf(f: Facts, books: Books): TaskStatus {
  const stage = stageOf(f);
  const queue = stage === 'queued' ? queueOf(f.status.queue, f.seen.place, f.seen.durations, f.now) : undefined;
  const why = explain(f, stage, queue);
  return {
    ...worded(f, stage, why),
    ...written(books),
    ...(queue && { queue }),
  };
}

/** The fields that all kinds have. */
export function worded(
  { ran, owner, status, now, isQueueUsed, isTemplate, hopeless }: Facts,
  stage: Stage,
  { reason, args }: Trouble,
): TaskStatus {
  const message = sentence(wordsOf(ran, reason), 'en', args);
  return {
    phase: ran.phase(stage, owner),
    reason,
    ...(Object.keys(args).length > 0 && { reasonArgs: args }),
    message,
    ...(owner.metadata.generation !== undefined && { observedGeneration: owner.metadata.generation }),
    conditions: [
      ...startCondition({ ran, hopeless, status, now }),
      ...(isTemplate ? [] : queueCondition({ ran, owner, status, now, isQueueUsed })),
      nextCondition(
        status.conditions,
        { type: 'Complete', status: COMPLETE[stage] ?? 'Unknown', reason, message, args },
        now,
      ),
    ],
  };
}

/** While only another spec, quota or node lets it start, billing reserves nothing for it. */
function startCondition({
  ran,
  hopeless,
  status,
  now,
}: Pick<Facts, 'ran' | 'hopeless' | 'status' | 'now'>): Condition[] {
  if (!hopeless) return [];
  const { reason, args } = hopeless;
  const message = sentence(wordsOf(ran, reason), 'en', args);
  return [nextCondition(status.conditions, { type: CAN_START, status: 'False', reason, message, args }, now)];
}

const COMPLETE: Partial<Record<Stage, Condition['status']>> = {
  succeeded: 'True',
  failed: 'False',
  stopped: 'False',
};

type Queued = Pick<Facts, 'ran' | 'owner' | 'status' | 'now' | 'isQueueUsed'>;

function queueCondition({ ran, owner, status, now, isQueueUsed: isUsed }: Queued): Condition[] {
  // A host's tasks need no queue: it is the organisation's alone.
  if (owner.spec.host !== undefined) return [];
  const reason = isUsed ? 'QueueUsed' : 'NoQueue';
  const message = sentence(ran.reasons[reason], 'en', {});
  return [
    nextCondition(status.conditions, { type: 'Queued', status: isUsed ? 'True' : 'False', reason, message }, now),
  ];
}

/** Also of a reason that is the kind's own. */
const wordsOf = ({ reasons }: Ran, reason: RunningReason): Words => (reasons as Record<RunningReason, Words>)[reason];
