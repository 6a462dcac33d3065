// Words of GpuInstance.
import * as credit from './credit.ts';

export const name = 'Instance';
export const many = 'Instances';

export const reasons = {
  Running: 'The instance is running.',
  AtRest: 'The instance is not running; its home disk is kept.',
  NeverRan: 'The instance has never run. Its home disk is created at the first start.',
  HomeGone:
    'The instance is not running, and its home disk was deleted outside Gantry. To get an empty one, start the instance, then hard-reboot it.',
  Hibernated: 'The instance is hibernated; its home is kept.',
  Ending: 'The container is being stopped.',
  Releasing: 'The instance and everything that belongs to it are being deleted.',
  Released: 'Everything has been deleted; the final usage is being billed.',
  NothingRan: 'Nothing has run yet, so there is nothing to save.',
  RootSaved: 'The whole root file system is saved whenever the container ends.',
  SavingRoot: "The container's changes are being saved.",
  SavingHome: 'The home disk is on node %{node} alone; it is being saved so that it can be restored on any node.',
  SaveRetrying: 'Saving failed and will be retried; nothing has been discarded: %{detail}',
  AgentAway: 'The agent on node %{node} does not answer; saving continues when it is back.',
  NoAgentOnNode:
    'Node %{node} has no agent: only the home disk at /root is kept, and other files are lost when the container ends.',
  SaveFailed: 'The changes that run %{run} made outside /root could not be saved: %{detail}',
  ContainerGone:
    'The container of run %{run} disappeared from its node before it was saved; its changes outside /root are lost.',
  RootLost:
    'The changes that run %{run} made outside /root were lost with its node; only the last save before it is left.',
  HomeOnNode: 'The home disk is on node %{node} alone, so the instance can run only there.',
  HomeNotSaved: 'The home disk stays on node %{node} because it could not be saved: %{detail}',
  Exporting: 'The container is stopped, saved as an image and then started again.',
  RestoringHome: 'The saved home is being restored to a new disk.',
  HomeNotRestored: 'The saved home could not be restored to its new disk: %{detail}',
  KeysAccepted: 'Every key in spec.sshKeys can log in until it expires.',
  KeyMalformed: 'spec.sshKeys[%{remark}].publicKey: %{rule}. This key cannot log in; the other keys can.',
  KeyExpiryMalformed:
    'spec.sshKeys[%{remark}].expiresAt: %{value} is not a date and time such as 2027-01-31T09:00:00Z. This key cannot log in; the other keys can.',
  RestartNeeded: '%{fields}: the change takes effect the next time the instance starts.',
  HomeFull: 'The home disk at /root is full (%{total} GiB). Delete files, or raise spec.homeDisk.sizeGi.',
  DataDiskFull: 'The disk %{disk} is full (%{total} GiB). Delete files, or enlarge the disk.',
  RootNearlyFull:
    'Files outside the disks take up %{used} of %{limit} GiB. At the limit, the container is terminated. Delete files, or move them to /root or a data disk.',
  DisksHaveRoom: 'The disks of the instance have free space again.',
  GpuFault:
    'Node %{node} reports a fatal GPU error: %{detail}. A hard reboot starts the instance again, on another node if this one accepts no new instances.',
  HomeNotGrown: 'spec.homeDisk.sizeGi: the home disk could not be enlarged: %{detail}',
  StorageClassNotFound: 'spec.homeDisk.storageClassName: there is no storage class %{name}.',
  ImageBeingVerified: 'The image with the source %{image} is being verified; the instance starts once that is done.',
  Scheduling: 'Looking for a node.',
  PullingImage: 'Node %{node} is pulling the image and preparing the container.',
  WaitingForReady: 'The container is running but not ready yet.',
  WaitingForGpus:
    'Needs %{count} × %{model}; %{free} free on %{nodes} node; ahead of you: %{ahead}. |||| Needs %{count} × %{model}; %{free} free on %{nodes} nodes; ahead of you: %{ahead}.',
  TooManyGpus: 'Needs %{count} × %{model} on one node; the largest node has %{most}. Choose at most %{most}.',
  UnknownGpuModel: 'No node has the GPU model %{model}. The cluster has: %{models}.',
  NodesClosed: 'Suitable nodes exist, but none of them accepts it now: %{detail}.',
  WaitingForRoom:
    'Needs %{cores} core and %{memoryGi} GiB on one node; the node with the most room has %{freeCores} CPU and %{freeMemoryGi} GiB free; ahead of you: %{ahead}. |||| Needs %{cores} cores and %{memoryGi} GiB on one node; the node with the most room has %{freeCores} CPU and %{freeMemoryGi} GiB free; ahead of you: %{ahead}.',
  WaitingForRootRoom:
    'The root file system needs %{rootGi} GiB of one node’s own disk; the node with the most room has %{freeRootGi} GiB free; ahead of you: %{ahead}.',
  WaitingForPlaces: 'Every node with room for it has reached its limit of Pods; ahead of you: %{ahead}.',
  ...credit.reasons,
  UsageNotPosted: 'Fifty runs are waiting to be billed; the next starts once they are.',
  HostNotFound: 'spec.host: there is no host %{host} in this organisation.',
  DiskNotFound: 'spec.disks: there is no disk %{disk} in this organisation.',
  DiskInUse: 'spec.disks: the disk %{disk} allows only one writer, currently %{by}.',
  DiskOnHost: 'spec.disks: the disk %{disk} belongs to the host %{host}; an instance on that host can use it.',
  DiskNotReady: 'spec.disks: the disk %{disk} cannot be mounted now: %{detail}',
  HostNotReady: 'spec.host: the host %{host} is not ready: %{detail}',
  HostExpired: 'spec.host: the host %{host} has expired.',
  WaitingForDisk: 'The home disk is being provisioned.',
  HomeElsewhere:
    'The home disk is on node %{node} alone, where the instance cannot run now: %{detail}. It starts as soon as it can. To move the home disk to another node, set spec.power to Hibernated, then to Running.',
  DiskFailed: 'The home disk cannot be provisioned: %{detail}',
  HomeLost: 'The home disk was deleted outside Gantry; a hard reboot creates an empty one.',
  NoAgent: 'The platform image %{image} cannot be pulled. Platform staff must fix this; the node keeps trying.',
  ImageNotFound: 'The image %{image} cannot be pulled: %{detail}',
  BadConfig: 'The container cannot be created: %{detail}',
  StartError: 'The program cannot be started: %{detail}',
  GivenBack:
    'The container cannot be started, so its GPUs were released: %{detail}. The next try is at %{at}; an edit is tried at once.',
  GivenBackLate:
    'The container had not started %{minutes} minute after it was assigned a node, so its GPUs were released. The next try is at %{at}; an edit is tried at once. |||| The container had not started %{minutes} minutes after it was assigned a node, so its GPUs were released. The next try is at %{at}; an edit is tried at once.',
  QuotaExceeded:
    "The organisation's quota does not allow it: %{detail}. Request less, release what is not needed, or ask the provider for a larger quota.",
  Refused: 'The cluster refuses the container: %{detail}',
  NameTaken: 'Another object already has the name %{name}. Delete it, or give the instance another name.',
  ExitedOften: 'The program ended %{exits} times in a row, last with %{ended}. The next start is at %{at}.',
  StartsAfterExits: 'The program ended %{exits} times in a row, last with %{ended}. It is being started again.',
  WaitingAfterExit: 'The program ended: %{ended}. The next start is at %{at}.',
  NodeRefused: 'The node rejected the container (%{cause}); the next attempt is at %{at}.',
  OutOfMemory:
    'The program used more than its %{memoryGi} GiB of memory and was killed (exit code 137); the next start is at %{at}. Raise spec.memoryGi, or make the program use less.',
  RootFull:
    'The container wrote more than %{limitGi} GiB outside its disks, and its node ended it; the next start is at %{at}. Keep large files at /root or on a data disk.',
  Evicted: 'The node evicted the instance; it starts again, on another node if necessary.',
  CreateTimeout:
    'The instance was not ready %{minutes} minute after it was assigned a node. It keeps trying; a hard reboot starts over. |||| The instance was not ready %{minutes} minutes after it was assigned a node. It keeps trying; a hard reboot starts over.',
  PortSilent:
    'Port %{port} did not answer for %{seconds} second. The container is running and is billed. |||| Port %{port} did not answer for %{seconds} seconds. The container is running and is billed.',
  NotebookSilent:
    'Port %{port} did not answer for %{seconds} second. The container can be used, and has been billed since login became possible. |||| Port %{port} did not answer for %{seconds} seconds. The container can be used, and has been billed since login became possible.',
  NetworkFailed: 'The node could not set up the network of the container. It keeps trying; a hard reboot starts over.',
  NodeLost: "Node %{node} does not answer. Meanwhile, only the instance's storage is billed.",
  WaitsForNode: 'Node %{node} does not answer; the request is carried out once the node is back or removed.',
  NodeGone: 'The node is gone; the instance is moving to another.',
};

export const actions = {
  start: 'Start',
  restore: 'Restore',
  resume: 'Resume',
  stop: 'Stop',
  hibernate: 'Hibernate',
  shutdown: 'Shut down',
  hardReboot: 'Hard reboot',
  rotateNotebookToken: 'Rotate notebook token',
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
export const cores = '%{cores} core |||| %{cores} cores';

export const rules = {
  notebookPortTwice: 'spec.notebookPort is also in spec.ports: list each port only once',
  publicKey: 'publicKey must be an OpenSSH public key',
  nameLength: 'metadata.name may have at most 50 characters: the names of its Pods are longer',
  name: 'metadata.name must be lower-case letters, digits and -, starting with a letter',
  rebootCountGrows: 'rebootCount can only grow',
  notebookTokenCountGrows: 'notebookTokenCount can only grow',
  homeGrows: 'homeDisk.sizeGi can only grow',
  homeClassFixed: 'homeDisk.storageClassName cannot be changed',
};
