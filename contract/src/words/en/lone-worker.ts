// What tasks of one worker say of it, whichever they are.

export const reasons = {
  Ending: 'The worker is being stopped.',
  NotEnoughForAll: 'No node has room for the worker now.',
  WorkersStarting: 'The worker is starting.',
  NotAllPlaced: 'The worker could not be placed. The task waits until it fits.',
  NeverStarted:
    'The worker did not start within %{minutes} minute, and no retry is left. |||| The worker did not start within %{minutes} minutes, and no retry is left.',
  NotAllStarted:
    'The worker did not start within %{minutes} minute. The task is queued again. |||| The worker did not start within %{minutes} minutes. The task is queued again.',
  ProgramFailed: 'The worker failed: %{ended}.',
  RetriesUsed: 'The worker failed: %{ended}. The task has started %{times} times.',
  RetryAt: 'The worker failed: %{ended}. The task starts again at %{at} (try %{try} of %{tries}).',
  OutOfMemory: 'The worker used more than its %{memoryGi} GiB of memory and was killed. Raise spec.memoryGi.',
  NodeLost: 'Node %{node} does not answer. The worker is not billed meanwhile.',
  NodeFailed: 'Node %{node} failed. The task starts again on another node; this does not use up a retry.',
  WorkerTaken: 'The worker was removed from its node. The task starts again; this does not use up a retry.',
};
