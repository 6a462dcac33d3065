// The meaning of each power of an instance, one row each; every rule about rest and return is derived from these.
import type { gpuInstancePhases } from './gpu-instance-phases.ts';

type Phase = keyof typeof gpuInstancePhases;

interface Rest {
  /** The phase on the way there, and the one at rest. */
  to: Phase;
  at: Phase;
  /** At rest its cards are another's to take. */
  freesGpu: boolean;
  /** At rest data disks with one writer, and the notebook token, stay its own. */
  keepsDisks: boolean;
  /** The phase on the way back, and why that run began. */
  returns: { phase: Phase; cause: 'resume' | 'start' | 'restore' };
}

/** Powers at rest. The only other one is Running. */
export const RESTS = {
  Stopped: {
    to: 'stopping',
    at: 'stopped',
    freesGpu: true,
    keepsDisks: true,
    returns: { phase: 'resuming', cause: 'resume' },
  },
  ShutDown: {
    to: 'shuttingDown',
    at: 'shutDown',
    freesGpu: true,
    keepsDisks: false,
    returns: { phase: 'starting', cause: 'start' },
  },
  Hibernated: {
    to: 'hibernating',
    at: 'shutDown',
    freesGpu: true,
    keepsDisks: false,
    returns: { phase: 'restoring', cause: 'restore' },
  },
} as const satisfies Record<string, Rest>;
export type RestingPower = keyof typeof RESTS;

/** Undefined for Running, and for what no schema admits. */
export const restOf = (power: string | undefined): Rest | undefined =>
  power !== undefined && Object.hasOwn(RESTS, power) ? RESTS[power as RestingPower] : undefined;

/** The cause of a run after that rest; also for an unrecorded rest, as after a shutdown. */
export const returnFrom = (power: string | undefined): Rest['returns'] => (restOf(power) ?? RESTS.ShutDown).returns;

const ALL: readonly Rest[] = Object.values(RESTS);
/** Phases of an instance at rest. */
export const AT_REST: ReadonlySet<string> = new Set(ALL.map(({ at }) => at));
/** Phases in which an instance holds no card. */
export const WITHOUT_GPU: ReadonlySet<string> = new Set([
  ...ALL.filter(({ freesGpu }) => freesGpu).map(({ at }) => at),
  'released',
]);
