// How the program of a job logs by MLflow's calls (`spec.tracking`): each worker's Pod has `agent track` (agent/task/README.md) beside the
// program, and the gateway follows the one of worker 0.
//
// A run is recorded (`status.run.seq`). The gateway writes `status.tracking`: `run` is that seq, `door` the SHA-256, in hex, of a token that
// the gateway alone knows, one for each run. The run waits for it, and its Pods have the agent with this door, whatever the spec says later.
import { TASK_ASK, TASK_PORT } from './data-task.ts';

/** What the gateway writes into the status of a job; the operator writes all else. */
export const TRACKING_ANSWERS = { Job: ['tracking'] } as const satisfies Readonly<Record<string, readonly string[]>>;

/** The container of the agent. */
export const TRACKER = 'tracking';
/** Where the program finds it, inside its Pod. */
export const TRACKING_URI = `http://${TASK_ASK}`;
/** How long the agent waits for the gateway after the program's end: within the grace of the Pod. */
export const TRACKING_GRACE_S = 20;
/** The program cannot listen there. */
export const TRACKING_PORTS: readonly number[] = [Number(TASK_ASK.split(':')[1]), TASK_PORT];
