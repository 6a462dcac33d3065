// Words of GpuInstance.
import * as credit from './credit.ts';

export const name = 'Instance';

export const reasons = {
  Running: 'The instance is running.',
  AtRest: 'The instance is at rest; its home disk is kept.',
  NeverRan: 'The instance is at rest and has never run. Its home disk is created at the first start.',
  HomeGone:
    'The instance is at rest, and its home disk was deleted from outside. Start it, then hard-reboot it, to get an empty one.',
  Hibernated: 'The instance is hibernated; its home is kept.',
  Ending: 'The container is being stopped.',
  Releasing: 'What belongs to the instance is being removed.',
  Released: 'Everything is removed; the last use is being billed.',
  NothingRan: 'Nothing has run yet, so there is nothing to save.',
  RootSaved: 'The whole root file system is saved whenever the container ends.',
  SavingRoot: 'What the container changed is being saved.',
  SavingHome: 'The home disk is on node %{node} alone; it is being saved, so that it can come back on any node.',
  SaveRetrying: 'What is to be kept is not saved yet, and nothing is given up; it is tried again: %{detail}',
  AgentAway: 'The agent of node %{node} does not answer; what is to be kept is saved when it is back.',
  NoAgentOnNode:
    'Node %{node} has no agent: only the home disk at /root is kept, and other files are lost when the container ends.',
  SaveFailed: 'What run %{run} had changed outside /root could not be saved: %{detail}',
  ContainerGone:
    'The container of run %{run} was gone from its node before it was saved; what it had changed outside /root is lost.',
  RootLost: 'What run %{run} had changed outside /root went with its node; the last save before it is what is left.',
  HomeOnNode: 'The home disk is on node %{node} alone: the instance can run nowhere else.',
  HomeNotSaved: 'The home disk stays on node %{node}, since it could not be saved: %{detail}',
  Exporting: 'The container is stopped to be saved as an image; it starts again after that.',
  RestoringHome: 'The saved home is being put on a new disk.',
  HomeNotRestored: 'The saved home could not be put on its new disk: %{detail}',
  KeysAccepted: 'Every key in spec.sshKeys can log in until it expires.',
  KeyMalformed: 'spec.sshKeys[%{remark}].publicKey: %{rule}; it cannot log in, and the other keys can.',
  KeyExpiryMalformed:
    'spec.sshKeys[%{remark}].expiresAt: %{value} is not a date and time such as 2027-01-31T09:00:00Z. This key cannot log in; the other keys can.',
  RestartNeeded: '%{fields}: the change takes effect the next time the instance starts.',
  HomeFull: 'The home disk at /root is full (%{total} GiB). Delete files, or raise spec.homeDisk.sizeGi.',
  DataDiskFull: 'The disk %{disk} is full (%{total} GiB). Delete files, or make the disk larger.',
  RootNearlyFull:
    'Files outside the disks take up %{used} of %{limit} GiB. At the limit the container is ended. Delete files, or move them to /root or a data disk.',
  DisksHaveRoom: 'The disks of the instance have room again.',
  GpuFault:
    'Node %{node} reports a fatal GPU error: %{detail}. A hard reboot starts the instance again, on another node if this one accepts no new instances.',
  HomeNotGrown: 'spec.homeDisk.sizeGi: the home disk could not be made larger: %{detail}',
  StorageClassNotFound: 'spec.homeDisk.storageClassName: there is no storage class %{name}.',
  ImageBeingVerified: 'The Image with the source %{image} is being verified; the instance starts when that is done.',
  Scheduling: 'A place is being found.',
  PullingImage: 'Node %{node} is fetching the image and preparing the container.',
  WaitingForReady: 'The container runs; it is not ready yet.',
  WaitingForGpus:
    'Needs %{count} × %{model}; %{free} free on %{nodes} node; waiting before you: %{ahead}. |||| Needs %{count} × %{model}; %{free} free on %{nodes} nodes; waiting before you: %{ahead}.',
  TooManyGpus: 'Needs %{count} × %{model} on one node; the largest node has %{most}.',
  UnknownGpuModel: 'No node has the GPU model %{model}. There are: %{models}.',
  WaitingForRoom:
    'Needs %{cores} core and %{memoryGi} GiB on one node; free on the roomiest: %{freeCores} CPU and %{freeMemoryGi} GiB; waiting before you: %{ahead}. |||| Needs %{cores} cores and %{memoryGi} GiB on one node; free on the roomiest: %{freeCores} CPU and %{freeMemoryGi} GiB; waiting before you: %{ahead}.',
  WaitingForRootRoom:
    'Needs %{rootGi} GiB of one node’s own disk for the root file system; the roomiest node has %{freeRootGi} GiB free; waiting before you: %{ahead}.',
  ...credit.reasons,
  UsageNotPosted: 'Fifty runs are not billed yet; the next starts when they are.',
  HostNotFound: 'spec.host: there is no host %{host} in this organisation.',
  DiskNotFound: 'spec.disks: there is no disk %{disk} in this organisation.',
  DiskInUse: 'spec.disks: the disk %{disk} takes one writer, and %{by} has it.',
  DiskOnHost: 'spec.disks: the disk %{disk} belongs to the host %{host}; an instance on that host can use it.',
  DiskNotReady: 'spec.disks: the disk %{disk} cannot be mounted now: %{detail}',
  HostNotReady: 'spec.host: the host %{host} is not ready: %{detail}',
  HostExpired: 'spec.host: the time paid for the host %{host} is over.',
  WaitingForDisk: 'The home disk is being provided.',
  HomeElsewhere:
    'The home disk is on node %{node} alone, where the instance cannot run now: %{detail}. It starts as soon as it can. To move the home disk to another node, set spec.power to Hibernated, then to Running.',
  DiskFailed: 'The home disk cannot be provided: %{detail}',
  HomeLost: 'The home disk was deleted from outside; a hard reboot starts with an empty one.',
  NoAgent: 'The platform image %{image} cannot be pulled. Platform staff must fix this; the node keeps trying.',
  ImageNotFound: 'The image %{image} cannot be pulled: %{detail}',
  BadConfig: 'The container cannot be made: %{detail}',
  StartError: 'The program cannot be started: %{detail}',
  QuotaExceeded: "The organisation's quota is used up: %{detail}",
  Refused: 'The cluster refuses the container: %{detail}',
  NameTaken: 'Another object already has the name %{name}. Delete it, or give the instance another name.',
  ExitedOften: 'The program ended %{exits} times in a row, last with %{ended}. The next start is at %{at}.',
  StartsAfterExits: 'The program ended %{exits} times in a row, last with %{ended}. It is being started again.',
  WaitingAfterExit: 'The program ended: %{ended}. The next start is at %{at}.',
  NodeRefused: 'The node did not keep the container (%{cause}); the next try is at %{at}.',
  OutOfMemory:
    'The program used more than its %{memoryGi} GiB of memory and was killed (exit code 137); the next start is at %{at}. Raise spec.memoryGi, or make the program use less.',
  RootFull:
    'The container wrote more than %{limitGi} GiB outside its disks, and its node ended it; the next start is at %{at}. Keep large files at /root or on a data disk.',
  Evicted: 'The node had to let the instance go; it starts again, elsewhere if need be.',
  CreateTimeout:
    'The instance was not ready %{minutes} minute after it was given a node. It keeps trying; a hard reboot starts over. |||| The instance was not ready %{minutes} minutes after it was given a node. It keeps trying; a hard reboot starts over.',
  PortSilent:
    'Port %{port} did not answer for %{seconds} second. The container is running and is billed. |||| Port %{port} did not answer for %{seconds} seconds. The container is running and is billed.',
  NotebookSilent:
    'Port %{port} did not answer for %{seconds} second. The container can be used, and is billed since one could log in. |||| Port %{port} did not answer for %{seconds} seconds. The container can be used, and is billed since one could log in.',
  NetworkFailed: 'The node could not set up the network of the container. It keeps trying; a hard reboot starts over.',
  NodeLost: 'Node %{node} does not answer. Only its storage is billed meanwhile.',
  WaitsForNode: 'Node %{node} does not answer; the wish is carried out when the node is back or removed.',
  NodeGone: 'The node is gone; the instance moves to another.',
};

export const actions = {
  start: 'Start',
  restore: 'Restore',
  resume: 'Resume',
  stop: 'Stop',
  hibernate: 'Hibernate',
  shutdown: 'Shut down',
  hardReboot: 'Hard reboot',
  edit: 'Edit',
  login: 'Log in',
  exportTemplate: 'Export as image',
  release: 'Release',
};

export const health = {
  normal: 'Normal',
  abnormal: 'Abnormal',
  notReady: 'Not ready',
};

/** After a number. */
export const cores = 'cores';

export const rules = {
  portNameTwice: 'ports: two ports cannot have the same name',
  notebookPortTwice: 'spec.notebookPort is also in spec.ports: name a port once',
  variableName: 'name must be a variable name: letters, digits and _, not starting with a digit',
  variablesSize: 'env may hold at most 32 KiB in total',
  commandSize: 'command may hold at most 32 KiB in total',
  publicKey: 'publicKey must be an OpenSSH public key',
  nameLength: 'metadata.name may have at most 50 characters: Pods add the number of their run',
  name: 'metadata.name must be lower-case letters, digits and -, starting with a letter',
  rebootCountGrows: 'rebootCount only grows',
  homeGrows: 'homeDisk.sizeGi can only grow',
  homeClassFixed: 'homeDisk.storageClassName cannot be changed',
};
