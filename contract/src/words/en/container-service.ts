// Words of ContainerService.
import * as credit from './credit.ts';

export const name = 'Service';
export const many = 'Services';

export const reasons = {
  Active: 'All replicas are ready: %{wanted}.',
  Stopped: 'The service is stopped.',
  Asleep: 'The service sleeps until a request comes. It costs nothing meanwhile.',
  ScaledToZero: 'The service has no replicas because spec.replicas is 0.',
  Waking: 'A request came: the first replica is starting.',
  Ending: 'The replicas are being stopped.',
  Releasing: 'The service and everything that belongs to it are being deleted.',
  Released: 'Everything has been deleted; the final usage is being billed.',
  Rolling:
    '%{updated} of %{wanted} replicas are of revision %{revision}. |||| %{updated} of %{wanted} replicas are of revision %{revision}.',
  Scaling: '%{ready} of %{wanted} replicas are ready.',
  UpdateFailed:
    'Revision %{revision} is not ready after %{minutes} minute: %{detail}. The replicas of the previous revision keep running. Correct the service, or roll it back. |||| Revision %{revision} is not ready after %{minutes} minutes: %{detail}. The replicas of the previous revision keep running. Correct the service, or roll it back.',
  UpdateGivenBack:
    'Revision %{revision} is not ready after %{minutes} minute, so its replicas were stopped and their GPUs are free: %{detail}. The replicas of the previous revision keep running. Change it or restart it to try again. |||| Revision %{revision} is not ready after %{minutes} minutes, so its replicas were stopped and their GPUs are free: %{detail}. The replicas of the previous revision keep running. Change it or restart it to try again.',
  NotReady: 'No replica is ready: %{detail}',
  GivenBack:
    'No replica started within %{minutes} minute, so all of them were stopped and their GPUs are free. Change it or restart it to try again. The reason was: %{detail} |||| No replica started within %{minutes} minutes, so all of them were stopped and their GPUs are free. Change it or restart it to try again. The reason was: %{detail}',
  ReplicasFailing: '%{ready} of %{wanted} replicas are ready: %{detail}',
  ProbeFailing: 'The program does not answer at port %{port}.',
  ProgramEnds: 'the program ended: %{ended}',
  CreditForSome: 'Credit covers %{covered} of %{wanted} replicas: %{detail}',
  WaitingForGpus: 'Needs %{count} × %{model}; %{free} are free.',
  TooManyGpus: 'Needs %{count} × %{model} on one node; the largest node has %{most}. Choose at most %{most}.',
  UnknownGpuModel: 'No node has the GPU model %{model}. The cluster has: %{models}.',
  NodesClosed: 'Suitable nodes exist, but none of them accepts it now: %{detail}.',
  WaitingForRoom: 'No node has room for a replica: %{detail}',
  PullingImage: 'The image is being pulled, and the containers are being prepared.',
  ...credit.reasons,
  UsageNotPosted: 'Fifty usage intervals are waiting to be billed; no more replicas start until they are.',
  HostNotFound: 'spec.host: there is no host %{host} in this organisation.',
  HostNotReady: 'spec.host: the host %{host} is not ready: %{detail}',
  HostExpired: 'spec.host: the host %{host} has expired.',
  ImageNotFound: 'The image %{image} cannot be pulled: %{detail}',
  ImageBeingVerified: 'The image with the source %{image} is being verified; the service starts once that is done.',
  BadConfig: 'The container cannot be created: %{detail}',
  SecretMissing: 'spec.secretEnv: the Secret %{secret} or its key %{key} does not exist.',
  QuotaExceeded:
    "The organisation's quota does not allow it: %{detail}. Request less, release what is not needed, or ask the provider for a larger quota.",
  Refused: 'The cluster refuses the service: %{detail}',
  NameTaken: 'Another object already has the name %{name}. Delete it, or give the service another name.',
  OutOfMemory:
    'A replica used more than its %{memoryGi} GiB of memory and was killed. Raise spec.memoryGi, or make the program use less.',
  NodeLost: 'Node %{node} does not answer; its replicas are not billed meanwhile, and new ones replace them.',
};

export const actions = {
  start: 'Start',
  stop: 'Stop',
  restart: 'Restart',
  rollback: 'Roll back',
  edit: 'Edit',
  clone: 'Clone',
  login: 'Open terminal',
  release: 'Release',
};

export const replicas = {
  waiting: 'Waiting',
  starting: 'Starting',
  ready: 'Ready',
  failing: 'Failing',
  ending: 'Ending',
};

export const outcomes = {
  rolling: 'Rolling out',
  good: 'Completed',
  bad: 'Never completed',
};

export const causes = {
  CPU: 'CPU use',
  GPU: 'GPU use',
  InFlight: 'Requests in flight',
  RequestsPerSecond: 'Requests per second',
  PromQL: 'Your query',
  Schedule: 'A schedule',
  Request: 'A request came',
  Idle: 'Idle',
  Min: 'The minimum',
  Max: 'The maximum',
  NoData: 'No data: unchanged',
};

export const rules = {
  restartCountGrows: 'restartCount can only grow',
  query: 'query is required for PromQL, and not allowed for anything else',
  minMax: 'autoscaling.min cannot be greater than max',
  scheduleMax: 'autoscaling.schedules: min cannot be greater than max',
  path: 'path must begin with / and have no spaces',
  updateMoves: 'update: maxUnavailable and maxSurge cannot both be 0',
  nameLength: 'metadata.name may have at most 40 characters: the names of its Pods are longer',
  name: 'metadata.name must be lower-case letters, digits and -, starting with a letter',
  publishedPort: 'spec.publish.port must be one of spec.ports',
  portNeeded: 'spec.ports: name the port that the service listens on',
  variableTwice: 'spec.secretEnv: a variable is in spec.env or in spec.secretEnv, not in both',
};
