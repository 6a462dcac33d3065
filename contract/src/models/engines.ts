// The engines that serve models, as rows of facts: what they run, what they can serve, and how they are told. A new engine is a row.
import { REGISTRY } from '../names.ts';

export const ENGINES = ['vllm', 'sglang', 'llama.cpp'] as const;
export type Engine = (typeof ENGINES)[number];
export const TASKS = ['Generate', 'Embed', 'Rerank'] as const;
export type ModelTask = (typeof TASKS)[number];
/** Over how many a replica may be spread. */
export const MOST_NODES = 16;

/** The container's folder with the model's files, read-only. */
export const MODEL_FOLDER = '/models/model';
const ADAPTER_FOLDER = '/models/adapters';
/** The folder of an adapter, by the name that requests give it. */
export const adapterFolder = (name: string): string => `${ADAPTER_FOLDER}/${name}`;
/** As the path of a file in what is delivered: below `/models`. */
export const MODELS_ROOT = '/models';

/** The options passed to an engine. */
export interface EngineWish {
  /** The served name, by which requests name the model. */
  name: string;
  task: ModelTask;
  /** For a GGUF model: the path of its first file. */
  entry: string | undefined;
  /** Each with its first file, where it is GGUF. */
  adapters: readonly { name: string; entry?: string | undefined }[];
  /** The number of one node's GPUs that share each layer. */
  tensorParallel: number;
  /** Over how many nodes the replica is spread. */
  nodes: number;
  /** A replica has GPUs. */
  hasGpu: boolean;
  contextLength: number | undefined;
  memoryFraction: number;
  extraArgs: readonly string[];
}

export interface EngineFacts {
  /** As people write it. */
  label: string;
  image: string;
  port: number;
  /** Answers 2xx once requests are served. */
  health: string;
  formats: readonly string[];
  /** `cpu`: it needs no GPU. */
  devices: readonly ('gpu' | 'cpu')[];
  tasks: readonly ModelTask[];
  /** It can split a model over several GPUs. */
  splits: boolean;
  /** The memory that one process takes on each card besides weights and cache. */
  overheadBytes: number;
  /** The command of the node that answers requests. */
  command(wish: EngineWish): string[];
  /** The command of a replica's other nodes. Absent: the engine runs on one node. */
  worker?(wish: EngineWish): string[];
}

const GIB = 1024 ** 3;
const flag = (name: string, value: string | number | undefined): string[] =>
  value === undefined ? [] : [name, `${value}`];
const when = (is: boolean, ...words: string[]): string[] => (is ? words : []);

/** Without it, vLLM cuts off at once what it is answering. Less than what a Pod has between its SIGTERM and its SIGKILL. */
const VLLM_DRAINS_SECONDS = 20;
/** Otherwise vLLM refuses adapters of more than 16. Room for it is taken from the cards; `extraArgs` may say another. */
const VLLM_MAX_LORA_RANK = 64;

/**
 * vLLM gives each node some of the layers, and is started alike on each; the first one answers. Kubernetes fills the variables in. They
 * wait for each other for as long as it may take to bring the model's files to every node.
 */
const vllm = ({ name, task, adapters, nodes, ...wish }: EngineWish, ...ofNode: string[]): string[] => [
  ...['vllm', 'serve', MODEL_FOLDER, '--served-model-name', name, '--host', '0.0.0.0', '--port', '8000'],
  ...['--tensor-parallel-size', `${wish.tensorParallel}`, '--gpu-memory-utilization', `${wish.memoryFraction}`],
  ...when(nodes > 1, '--pipeline-parallel-size', `${nodes}`, '--distributed-executor-backend', 'mp'),
  ...when(nodes > 1, '--nnodes', `${nodes}`, '--node-rank', '$(LWS_WORKER_INDEX)'),
  ...when(nodes > 1, '--master-addr', '$(LWS_LEADER_ADDRESS)', '--distributed-timeout-seconds', '86400'),
  ...flag('--max-model-len', wish.contextLength),
  // Else it says nothing of tokens that it had in its cache, and they cost as much as others.
  ...(task === 'Generate' ? ['--enable-prompt-tokens-details'] : ['--runner', 'pooling']),
  ...['--shutdown-timeout', `${VLLM_DRAINS_SECONDS}`],
  ...when(adapters.length > 0, '--enable-lora', '--max-lora-rank', `${VLLM_MAX_LORA_RANK}`, '--lora-modules'),
  ...adapters.map((one) => `${one.name}=${adapterFolder(one.name)}`),
  ...ofNode,
  ...wish.extraArgs,
];
/** SGLang splits each layer over the GPUs of all nodes, and is started alike on each. Kubernetes fills the variables in. */
const sglang: EngineFacts['command'] = ({ name, task, adapters, nodes, ...wish }) => [
  ...['python3', '-m', 'sglang.launch_server', '--model-path', MODEL_FOLDER, '--served-model-name', name],
  ...['--host', '0.0.0.0', '--port', '30000', '--enable-metrics', '--tp-size', `${wish.tensorParallel * nodes}`],
  ...when(nodes > 1, '--nnodes', `${nodes}`, '--node-rank', '$(LWS_WORKER_INDEX)'),
  ...when(nodes > 1, '--dist-init-addr', '$(LWS_LEADER_ADDRESS):20000'),
  ...['--mem-fraction-static', `${wish.memoryFraction}`],
  ...flag('--context-length', wish.contextLength),
  ...when(task === 'Embed', '--is-embedding'),
  ...when(adapters.length > 0, '--lora-paths'),
  ...adapters.map((one) => `${one.name}=${adapterFolder(one.name)}`),
  ...wish.extraArgs,
];

export const ENGINE_FACTS: Readonly<Record<Engine, EngineFacts>> = {
  vllm: {
    label: 'vLLM',
    image: 'vllm/vllm-openai:v0.25.1',
    port: 8000,
    health: '/health',
    formats: ['safetensors'],
    devices: ['gpu'],
    tasks: ['Generate', 'Embed', 'Rerank'],
    splits: true,
    overheadBytes: 2 * GIB,
    command: (wish) => vllm(wish),
    worker: (wish) => vllm(wish, '--headless'),
  },
  sglang: {
    label: 'SGLang',
    image: 'lmsysorg/sglang:v0.5.3',
    port: 30000,
    health: '/health',
    formats: ['safetensors'],
    devices: ['gpu'],
    tasks: ['Generate', 'Embed'],
    splits: true,
    overheadBytes: 2 * GIB,
    command: sglang,
    worker: sglang,
  },
  'llama.cpp': {
    label: 'llama.cpp',
    image: `${REGISTRY}/official/llama.cpp:0.7.0`,
    port: 8080,
    health: '/health',
    formats: ['gguf'],
    // Debian builds it without CUDA: a card would be paid for and not used. `engine-images.ts` adds cards to another build.
    devices: ['cpu'],
    tasks: ['Generate', 'Embed', 'Rerank'],
    splits: false,
    overheadBytes: GIB / 4,
    command: ({ name, task, entry = '', adapters, ...wish }) => [
      ...['llama-server', '--model', `${MODEL_FOLDER}/${entry}`, '--alias', name],
      ...['--host', '0.0.0.0', '--port', '8080', '--metrics', '--no-webui'],
      ...flag('--ctx-size', wish.contextLength),
      ...when(task === 'Embed', '--embeddings', '--pooling', 'mean'),
      ...when(task === 'Rerank', '--reranking'),
      ...when(wish.hasGpu, '--n-gpu-layers', '999'),
      // At nought, each request says which it wants. With --lora-init-without-apply all of them answer those that say nothing.
      ...adapters.flatMap((one) => ['--lora-scaled', `${adapterFolder(one.name)}/${one.entry ?? ''}:0`]),
      ...wish.extraArgs,
    ],
  },
};

/** Arguments that the platform sets: others would leave it without its health, its name, its port or its other nodes. */
const RESERVED = [
  ...['-m', '-a', '-c', '--model', '--model-path', '--alias', '--served-model-name', '--host', '--port'],
  ...['--api-key', '--api-key-file', '--ssl-.*', '--root-path', '--ctx-size', '--max-model-len', '--context-length'],
  ...['--tensor-parallel-size', '-tp', '--tp', '--tp-size', '--gpu-memory-utilization', '--mem-fraction-static'],
  ...['--pipeline-parallel-size', '-pp', '--pp', '--pp-size', '--distributed-executor-backend', '--headless'],
  ...['--nnodes', '--node-rank', '--dist-init-addr', '--nccl-init-addr', '--master-addr', '--master-port'],
];
/** Released as a rule of the kind, and so kept as it is: `isReservedArgument` says more. */
export const RESERVED_ARGUMENT = `^(${RESERVED.join('|')})(=.*)?$`;

const dashed = (letter: string): string => (letter === '-' ? '[-_]' : letter);
/** Engines take underscores for dashes, and those in Python any beginning of a name that no other name shares. */
function spellings(name: string): string {
  if (!name.startsWith('--') || name.includes('*')) return name;
  const [first = '', second = '', ...others] = [...name.slice(2)].map(dashed);
  return `--${first}${second}${others.map((letter) => `(${letter}`).join('')}${')?'.repeat(others.length)}`;
}
/** A file of arguments may come with a model. */
const SPELLINGS = [...RESERVED, '--ssl_.*', '--config'].map(spellings).join('|');
const SPELLED = new RegExp(`^(${SPELLINGS})(=|$)`);
/** Whether an engine would read it as one that the platform sets, however it is written. */
export const isReservedArgument = (argument: string): boolean => SPELLED.test(argument);

/** The port on which a replica's first container takes in the model's files, before its engine starts. */
export const RECEIVER_PORT = 8479;
/** That container's name, and the one that brings the agent. */
export const RECEIVER = 'weights';
export const INSTALLER = 'agent';
