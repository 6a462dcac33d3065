// Words of ModelDeployment. What it says as a service does, the service says.
import type * as en from '../en/model-deployment.ts';
import type { Shape } from '../join.ts';
import { actions as service, reasons as serviceReasons, rules as serviceRules } from './container-service.ts';

export const name = '部署';
export const many = '部署';

export const reasons: Shape<typeof en.reasons> = {
  ...serviceReasons,
  HostNotFound: 'spec.host、spec.hostTag：该组织没有名称或标签为 %{host} 的主机。',
  Stopped: '部署已停止：没有副本，不计费。',
  Asleep: '部署正在休眠，收到请求后唤醒，期间不计费。',
  ScaledToZero: 'spec.replicas 为 0，部署没有副本。',
  Releasing: '正在删除部署及其所有资源。',
  UpdateFailed:
    '修订版本 %{revision} 在 %{minutes} 分钟后仍无响应：%{detail}。上一修订版本的副本继续运行。请修正部署。',
  ProbeFailing: '引擎在端口 %{port} 上没有响应请求。',
  ImageBeingVerified: '来源为 %{image} 的镜像正在验证，完成后部署将启动。',
  Refused: '集群拒绝了该部署：%{detail}',
  NameTaken: '名称 %{name} 已被其他对象占用。请删除它，或为部署换一个名称。',
  ChoosingSetup: '正在查找模型并选择配置。',
  FetchingModel: '正在将模型文件复制到节点：%{sizeGi} GiB。',
  StoreOff: '本平台未启用模型存储。',
  ModelNotFound: 'spec.model：该组织的空间和模型库中都没有模型 %{id}。',
  VersionNotFound: 'spec.version：模型 %{id} 没有就绪的版本 %{version}。',
  AdapterNotFound: 'spec.adapters：%{adapter} 的模型 %{id} 没有就绪的版本 %{version}。',
  NoEngine: '没有引擎能读取此格式（%{format}）的文件：请使用 SafeTensors 或 GGUF 格式的版本。',
  FormatUnsupported: 'spec.engine：%{engine} 无法读取此格式（%{format}）的文件。请选择 %{engines}。',
  TaskUnsupported: 'spec.task：%{engine} 不支持 %{task}。请选择 %{engines}。',
  EngineNeedsGpu: 'spec.gpu：%{engine} 需要 GPU。',
  ArgumentReserved: 'spec.extraArgs：%{argument} 由平台自行设置。',
  EngineWithoutGpu: 'spec.gpu：%{engine} 在此不使用 GPU，请移除。',
  TemplateDiffers:
    'spec.adapters：%{adapter} 训练时使用的聊天模板与 %{model} 的版本 %{version} 不同。请将它与训练它所用的版本一起部署。',
  TemplateGiven: 'spec.extraArgs：%{argument} 会使 %{model} 的版本 %{version} 使用与训练时不同的聊天模板。请将其移除。',
  GateNotPassed:
    'spec.gate：尚未证明模型 %{model} 的版本 %{version} 足够好。其 %{metric} 为 %{value}，%{baseline} 为 %{other}；差值介于 %{low} 与 %{high} 之间，而最差只允许 −%{margin}。',
  GateNotEvaluated:
    'spec.gate：评估任务 %{evaluation} 尚未按 %{metric} 将模型 %{model} 的版本 %{version} 与 %{baseline} 比较。比较完成且结果足够好后才会部署。',
  AdaptersUnsupported: 'spec.adapters：%{engine} 在 %{task} 任务中不支持适配器。',
  SplitUneven: 'spec.tensorParallel：%{heads} 个注意力头无法平均分到 %{split} 张 GPU。',
  TooManyGpus: 'spec.gpu：没有节点配有 %{count} × %{model}，单个节点最多 %{most} 张。',
  SplitTooWide: 'spec.tensorParallel：%{split} 超过每个副本的 GPU 数量 %{count}。',
  TooFewNodes: 'spec.nodesPerReplica：需要 %{nodes} 个配有 %{count} × %{model} 的节点，但只有 %{most} 个。',
  EngineOnOneNode: 'spec.nodesPerReplica：%{engine} 只能在单个节点上运行。如需多个节点，请选择 %{engines}。',
  NeedsGroups: '每个副本需要 %{nodes} 个节点，每个节点配有 %{count} × %{model}，但此集群未安装 LeaderWorkerSet。',
  SetupIncomplete: 'spec.%{field}：手动配置必须填写。',
  DoesNotFit:
    '模型无法放入内存：权重 %{weightsGi} GiB + 上下文 %{cacheGi} GiB + 引擎 %{overheadGi} GiB = %{needGi} GiB，而可用 %{roomGi} GiB。%{advice}',
};

export const actions: Shape<typeof en.actions> = {
  start: service.start,
  stop: service.stop,
  restart: service.restart,
  rollback: service.rollback,
  edit: service.edit,
  clone: service.clone,
  release: service.release,
};

export const setup: Shape<typeof en.setup> = {
  weights: '权重：%{gi} GiB',
  cache: '上下文：%{tokens} 个 token × %{kib} KiB = %{gi} GiB',
  overhead: '引擎：%{gi} GiB',
  onGpus: '%{count} × %{model}，显存的 %{percent}%：%{gi} GiB',
  onNodes: '%{nodes} 个节点，各有 %{count} × %{model}，显存的 %{percent}%：%{gi} GiB',
  onCpu: '不使用 GPU，内存：%{gi} GiB',
  fitsOn: '使用 %{count} × %{model} 即可。',
  fitsOnNodes: '使用 %{nodes} 个各有 %{count} × %{model} 的节点即可。',
  fitsContext: '将上下文设为 %{tokens} 个 token 即可。',
  fitsMemory: '内存达到 %{gi} GiB 即可。',
  fitsNowhere: '没有足够大的节点：请使用更小或量化程度更高的版本。',
};

export const rules: Shape<typeof en.rules> = {
  nameLength: serviceRules.nameLength,
  name: serviceRules.name,
  reservedArgument: 'extraArgs：该参数由平台设置',
  tensorParallel: 'spec.tensorParallel 不能大于 spec.gpu.count',
  nodesPerReplica: 'spec.nodesPerReplica：所有副本合计最多在 64 个节点上运行',
  nodeLabels: 'nodeLabels：模型缓存的标签归平台使用',
  manual: 'spec.setup：Manual 需要 engine、cores 和 memoryGi',
};
