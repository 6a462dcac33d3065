// The table of a task's stages: the first that holds wins. Its kind has a phase for each.
import { type Facts, isDone } from './facts.ts';
import { isJustAsked } from './queue.ts';
import { STAGES, type Stage } from './ran.ts';
import { SUCCEEDED } from './retries.ts';

const hasEndedWell = ({ status }: Facts): boolean => status.run?.exit === SUCCEEDED;
/** Still something of it that has to end. */
const isEnding = ({ run, batch, workers }: Facts): boolean =>
  run !== undefined && (batch !== undefined || workers.some(({ isOver }) => !isOver));

const ROWS: Record<Stage, (f: Facts) => boolean> = {
  releasing: (f) => f.deleting && (f.seen.pods.length > 0 || f.seen.batchJobs.length > 0),
  released: (f) => f.deleting,
  lost_contact: (f) => f.run !== undefined && f.workers.some(({ phase, isOver }) => phase === 'lost' && !isOver),
  stopping: (f) => f.power === 'Stopped' && isEnding(f),
  stopped: (f) => f.power === 'Stopped' && !isDone(f),
  suspending: (f) => f.power === 'Suspended' && isEnding(f),
  suspended: (f) => f.power === 'Suspended' && !isDone(f),
  scheduled: (f) => f.isTemplate,
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

export const stageOf = (f: Facts): Stage => STAGES.find((stage) => ROWS[stage](f)) ?? 'preparing';
