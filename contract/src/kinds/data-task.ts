// How the Pod of a data task and the gateway meet: the operator makes the Pod, the gateway fills it, follows it and lets it end.
//
// 1. A run is recorded (`status.run.seq`). The gateway makes the list of the run's files, and writes `status.inputs`: `run` is that seq,
//    `digest` the SHA-256 of the list as `agent receive` takes it, `bytes` what all files take. Until then the run waits, with the reasons
//    of the condition INPUTS_LISTED. The operator believes that condition for the spec that it answers (`observedGeneration`).
// 2. The Pod's init container TASK_RECEIVER listens at RECEIVER_PORT (`models/engines.ts`) and takes these files in, below TASK_ROOT/in: at
//    least TASK_FILES.recipe and TASK_FILES.door. Paths in the list begin there: `recipe.json`, `parts/…`. The recipe names them `in/…`.
// 3. The container `main` is `agent task` (agent/task/README.md), which listens at TASK_PORT. It asks for the token whose SHA-256, in hex,
//    TASK_FILES.door has; the gateway alone knows the token, one for each run. Only Pods of the platform's namespace reach these ports,
//    and the Pod reaches nothing.
// 4. The gateway stores what the journal names, writes `status.output`, and then says `over`. The exit code says how the run ended:
//    0, one of TASK_EXITS, or any other, which costs a try.
//
// A FineTune's Pod has one more init container, TASK_REHEARSAL: the trainer's first steps at the longest batch, before the bill begins. Its
// exit codes are those of the program. Where there are several workers, each has its inputs, its agent and its token's door alike, the
// gateway says `over` to each, and only the journal of rank 0 has anything.
//
// Pods of a run have the labels of all workers: LABEL.kind, LABEL.name, LABEL.run. `status.workers[0].pod` names the Pod.

/** The condition by which the gateway says whether the inputs of the run are listed. False: why not, as a reason of the kind. */
export const INPUTS_LISTED = 'InputsListed';

/** The condition by which the gateway says that nothing can be made of a run's results. Always False: why, as a reason of the kind. */
export const OUTPUT_MADE = 'OutputMade';

/** The condition by which the gateway says that the newest checkpoint of a run is not stored. Always False: why, as a reason of the kind. */
export const CHECKPOINT_KEPT = 'CheckpointKept';

/** What the gateway writes into the status of a data task, by the kind; the operator writes all else. */
export const TASK_ANSWERS = {
  DataProcess: ['inputs', 'output', 'progress', 'outcome'],
  FineTune: ['inputs', 'output', 'progress', 'outcome', 'training', 'checkpoint', 'rehearsal', 'saved'],
  Evaluation: ['inputs', 'output', 'progress', 'outcome', 'scores'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export const TASK_CONDITIONS = [INPUTS_LISTED, OUTPUT_MADE, CHECKPOINT_KEPT] as const;

/** The task's folder: `in` is what arrived, `out` and `tmp` are the worker's. */
export const TASK_ROOT = '/gantry/task';
export const TASK_PORT = 8092;
export const TASK_RECEIVER = 'inputs';
/** The init container that is the program itself, on trial. */
export const TASK_REHEARSAL = 'rehearsal';
/** Where the worker asks models, inside its Pod. */
export const TASK_ASK = '127.0.0.1:8089';
/** Files below `in` that are no data: what to do, what is kept of earlier runs, and the SHA-256 in hex of the gateway's token. */
export const TASK_FILES = { recipe: 'recipe.json', done: 'done.json', door: 'door' } as const;

/** Between the request to end and SIGKILL. The agent has ended before. */
export const TASK_GRACE_S = 120;
export const TASK_AGENT_GRACE_S = 110;

/**
 * Exit codes of the worker and of its agent, by the reason that they are. `resultsNotFetched` is the agent's: nobody fetched what was made.
 * With `quotaExceeded` and `outputRefused` the gateway ends a run whose results it cannot keep. The worker ends with the others where trying
 * again does not help, and with 1 where it may.
 */
export const TASK_EXITS = {
  inputsUnreadable: 65,
  nothingDone: 66,
  tooManyRejected: 67,
  doesNotFit: 68,
  modelNotServing: 69,
  diverged: 70,
  quotaExceeded: 73,
  outputRefused: 74,
  resultsNotFetched: 75,
} as const;
