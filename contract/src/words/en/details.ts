// The operator's words within a reason's sentence.

export const details = {
  diskDeleted: 'it is being deleted',
  diskMade: 'it is being created',
  diskAssigned: 'it is being assigned',
  hostPrepared: 'it is being prepared',
  volumeGone: 'its volume is gone',
  endedWithCode: 'it ended with %{ended}; the next try is at %{at}',
  restoreLate:
    'it had not ended after %{minutes} minute, so its GPUs were released; the next try is at %{at} |||| it had not ended after %{minutes} minutes, so its GPUs were released; the next try is at %{at}',
  notPlacedThere: 'the scheduler does not place it there',
  nodeNotInCluster: 'the node is not in the cluster',
  nodeClosed: 'the node accepts no new instances',
  nodesUnready: 'they are not ready',
  nodesCordoned: 'they are cordoned, so nothing new starts on them',
  nodesTainted: 'their taints do not allow it (%{taints})',
  nodesTaken: 'they serve other organisations',
  nodesExcluded: 'they are excluded after failures',
  nodesClosed:
    'not ready: %{unready}; cordoned: %{cordoned}; with a taint that does not allow it: %{tainted}; serving other organisations: %{taken}; excluded after failures: %{excluded}',
  freeGpus:
    'it needs %{wanted} × %{model}, and %{free} is free |||| it needs %{wanted} × %{model}, and %{free} are free',
  freeCores: 'it needs %{wanted} core; free: %{free} |||| it needs %{wanted} cores; free: %{free}',
  freeMemory: 'it needs %{wanted} GiB of memory, and %{free} GiB is free',
  freeRoot: "it needs %{wanted} GiB of the node's own disk, and %{free} GiB is free",
  freePods: 'the node has reached its limit of Pods',
  quotaGpus:
    '%{requested} GPU is requested, and %{used} of the %{limit} GPUs that it may use are in use |||| %{requested} GPUs are requested, and %{used} of the %{limit} GPUs that it may use are in use',
  quotaCores: '%{requested} CPU cores are requested, and %{used} of the %{limit} that it may use are in use',
  quotaMemory: '%{requested} GiB of memory are requested, and %{used} of the %{limit} GiB that it may use are in use',
  quotaStorage: '%{requested} GiB of storage are requested, and %{used} of the %{limit} GiB that it may use are in use',
  quotaOther: '%{resource}: %{requested} requested, %{used} of %{limit} in use',
  missedAway: 'the operator was not running',
  missedOverlap: 'the previous run had not ended',
  missedLate:
    'it could not be started within %{minutes} minute: %{why} |||| it could not be started within %{minutes} minutes: %{why}',
  killedForMemory: 'worker %{worker} used more than its %{memoryGi} GiB of memory and was killed',
};
