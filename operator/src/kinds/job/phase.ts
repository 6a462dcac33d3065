// The phase table of a job: first match wins, in the contract's order.
import { type JobPhase, job } from '@gantry/contract/kinds/job.ts';
import { type Facts, isDone } from './facts.ts';
import { isJustAsked } from './queue.ts';
import { SUCCEEDED } from './retries.ts';

const hasEndedWell = ({ status }: Facts): boolean => status.run?.exit === SUCCEEDED;
const isSchedule = ({ owner }: Facts): boolean => owner.spec.schedule !== undefined;
/** Still something of it that has to end. */
const isEnding = ({ run, batch, workers }: Facts): boolean =>
  run !== undefined && (batch !== undefined || workers.some(({ isOver }) => !isOver));

const ROWS: Record<JobPhase, (f: Facts) => boolean> = {
  releasing: (f) => f.deleting && (f.seen.pods.length > 0 || f.seen.batchJobs.length > 0),
  released: (f) => f.deleting,
  lost_contact: (f) => f.run !== undefined && f.workers.some(({ phase, isOver }) => phase === 'lost' && !isOver),
  stopping: (f) => f.power === 'Stopped' && isEnding(f),
  stopped: (f) => f.power === 'Stopped' && !isDone(f),
  suspending: (f) => f.power === 'Suspended' && isEnding(f),
  suspended: (f) => f.power === 'Suspended' && !isDone(f),
  scheduled: (f) => isSchedule(f),
  failed: (f) => isDone(f) && !hasEndedWell(f),
  succeeded: (f) => isDone(f),
  running: (f) => f.run?.startedAt !== undefined,
  starting: (f) => f.run?.admittedAt !== undefined,
  queued: (f) => (f.batch !== undefined && (f.run?.queuedAt !== undefined || !isJustAsked(f))) || waitsForRoom(f),
  preparing: () => true,
};

const ROOM: readonly string[] = ['NotEnoughForAll', 'WaitingForGpus', 'UnknownGpuModel', 'NodesClosed', 'NotFitting'];
/** Without a queue, a run waits for room by itself; one that never gets any, without credit. */
const waitsForRoom = ({ trouble, hopeless, credit }: Facts): boolean =>
  (hopeless !== undefined || !credit.isUnpaid) && trouble !== undefined && ROOM.includes(trouble.reason);

/** Walks the contract's order, so that the table in the contract is the law. */
export function phaseOf(f: Facts): JobPhase {
  const order = Object.keys(job.phases) as JobPhase[];
  return order.find((phase) => ROWS[phase](f)) ?? 'preparing';
}
