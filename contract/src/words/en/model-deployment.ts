// Words of ModelDeployment. What it says as a service does, the service says.
import { actions as service, reasons as serviceReasons, rules as serviceRules } from './container-service.ts';

export const name = 'Deployment';
export const many = 'Deployments';

export const reasons = {
  ...serviceReasons,
  HostNotFound: 'spec.host, spec.hostTag: this organisation has no host with the name or tag %{host}.',
  Stopped: 'The deployment is stopped: it has no replicas and costs nothing.',
  Asleep: 'The deployment sleeps until a request comes. It costs nothing meanwhile.',
  ScaledToZero: 'The deployment has no replicas because spec.replicas is 0.',
  Releasing: 'The deployment and everything that belongs to it are being deleted.',
  UpdateFailed:
    'Revision %{revision} does not answer after %{minutes} minute: %{detail}. The replicas of the previous revision keep running. Correct the deployment. |||| Revision %{revision} does not answer after %{minutes} minutes: %{detail}. The replicas of the previous revision keep running. Correct the deployment.',
  ProbeFailing: 'The engine does not answer a request at port %{port}.',
  ImageBeingVerified: 'The image with the source %{image} is being verified; the deployment starts once that is done.',
  Refused: 'The cluster refuses the deployment: %{detail}',
  NameTaken: 'Another object already has the name %{name}. Delete it, or give the deployment another name.',
  ChoosingSetup: 'The model is being looked up, and its setup chosen.',
  FetchingModel: "The model's files are being copied to the node: %{sizeGi} GiB.",
  StoreOff: 'This installation stores no models.',
  ModelNotFound: "spec.model: there is no model %{id} in this organisation's space or in the library.",
  VersionNotFound: 'spec.version: the model %{id} has no version %{version} that is ready.',
  AdapterNotFound: 'spec.adapters: the model %{id} of %{adapter} has no version %{version} that is ready.',
  NoEngine: 'No engine reads files of this format (%{format}): use a version in SafeTensors or GGUF.',
  FormatUnsupported: 'spec.engine: %{engine} does not read files of this format (%{format}). Choose %{engines}.',
  TaskUnsupported: 'spec.task: %{engine} does not do %{task}. Choose %{engines}.',
  EngineNeedsGpu: 'spec.gpu: %{engine} needs a GPU.',
  ArgumentReserved: 'spec.extraArgs: the platform sets %{argument} itself.',
  EngineWithoutGpu: 'spec.gpu: %{engine} runs without GPUs here. Remove them.',
  TemplateDiffers:
    'spec.adapters: %{adapter} was trained with another chat template than version %{version} of %{model} has. Serve it beside the version that it was trained on.',
  TemplateGiven:
    'spec.extraArgs: %{argument} gives version %{version} of %{model} another chat template than it was trained with. Remove it.',
  GateNotPassed:
    'spec.gate: version %{version} of %{model} is not shown to be good enough. Its %{metric} is %{value}, that of %{baseline} is %{other}; the difference lies between %{low} and %{high}, and may be −%{margin} at worst.',
  GateNotEvaluated:
    'spec.gate: the evaluation %{evaluation} has not yet compared version %{version} of %{model} with %{baseline} by %{metric}. It is served once it has, and is good enough.',
  AdaptersUnsupported: 'spec.adapters: %{engine} has no adapters for %{task}.',
  SplitUneven: 'spec.tensorParallel: %{heads} attention heads cannot be split evenly over %{split} GPUs.',
  TooManyGpus: 'spec.gpu: no node has %{count} × %{model}; at most %{most} fit on one.',
  SplitTooWide: 'spec.tensorParallel: %{split} is more than the %{count} GPUs of a replica.',
  TooFewNodes:
    'spec.nodesPerReplica: %{nodes} nodes with %{count} × %{model} are requested, but there are only %{most}.',
  EngineOnOneNode: 'spec.nodesPerReplica: %{engine} runs on one node only. For several nodes, choose %{engines}.',
  NeedsGroups:
    'A replica needs %{nodes} nodes with %{count} × %{model} each, but LeaderWorkerSet is not installed in this cluster.',
  SetupIncomplete: 'spec.%{field}: a manual setup needs it.',
  DoesNotFit:
    'The model does not fit: weights %{weightsGi} GiB + context %{cacheGi} GiB + engine %{overheadGi} GiB = %{needGi} GiB, but there are %{roomGi} GiB. %{advice}',
};

export const actions = {
  start: service.start,
  stop: service.stop,
  restart: service.restart,
  rollback: service.rollback,
  edit: service.edit,
  clone: service.clone,
  release: service.release,
};

export const setup = {
  weights: 'Weights: %{gi} GiB',
  cache: 'Context: %{tokens} tokens × %{kib} KiB = %{gi} GiB',
  overhead: 'Engine: %{gi} GiB',
  onGpus: '%{count} × %{model}, %{percent}% of the memory: %{gi} GiB',
  onNodes: '%{nodes} nodes with %{count} × %{model}, %{percent}% of the memory: %{gi} GiB',
  onCpu: 'Without a GPU, memory: %{gi} GiB',
  fitsOn: 'It would fit on %{count} × %{model}.',
  fitsOnNodes: 'It would fit on %{nodes} nodes with %{count} × %{model}.',
  fitsContext: 'It would fit with a context of %{tokens} tokens.',
  fitsMemory: 'It would fit with %{gi} GiB of memory.',
  fitsNowhere: 'No node has enough: use a smaller or more quantised version.',
};

export const rules = {
  nameLength: serviceRules.nameLength,
  name: serviceRules.name,
  reservedArgument: 'extraArgs: the platform sets this argument itself',
  tensorParallel: 'spec.tensorParallel cannot be more than spec.gpu.count',
  nodesPerReplica: 'spec.nodesPerReplica: replicas run on at most 64 nodes in all',
  nodeLabels: 'nodeLabels: labels of the model cache belong to the platform',
  manual: 'spec.setup: Manual needs engine, cores and memoryGi',
};
