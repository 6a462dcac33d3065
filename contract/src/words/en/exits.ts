// How a program ended.

export const codes = {
  '126': 'exit code 126: the command exists but cannot be executed',
  '127': 'exit code 127: the image has no such command',
  '134': 'exit code 134: the program aborted (SIGABRT)',
  '137': 'exit code 137: the program was killed (SIGKILL), but not for exceeding its memory limit',
  '139': 'exit code 139: the program accessed invalid memory (SIGSEGV)',
  '143': 'exit code 143: the program was told to stop (SIGTERM)',
};

export const anyCode = 'exit code %{code}';

/** `lines`: the last ones that the program wrote. */
export const afterLines = '%{ended}, after it wrote “%{lines}”';

/** `lines`: what the container runtime says. */
export const notStarted = '%{ended}: %{lines}';

export const otherEnds = {
  NotStarted: 'not started',
  InputsNotFetched: 'the files of its input did not arrive',
  DoesNotFit: 'the training did not fit into memory',
  NotRestored: 'not restored',
  StartError: 'the program could not be started',
  Stopped: 'stopped on request',
  OOMKilled: 'out of memory',
  RootFull: 'root file system full',
  Evicted: 'evicted by its node',
  NodeGone: 'its node is gone',
  Deleted: 'its Pod was deleted',
  Displaced: 'removed from its node by the platform',
  Lost: 'its node lost track of it',
};
