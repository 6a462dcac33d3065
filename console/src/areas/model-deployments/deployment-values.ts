// A deployment as a form holds it, and the bodies that are made of it: of a new one, and of a change.

import type { DeploymentFitView } from '@gantry/contract/areas/models/models.ts';
import type { InputOf } from '@gantry/contract/http/call.ts';
import type { CALLS } from '@gantry/contract/http/calls.ts';
import type { ModelDeploymentView } from '@gantry/contract/kinds/model-deployment.ts';
import type { Engine, ModelTask } from '@gantry/contract/models/engines.ts';
import { type IdleValues, idleBody, idleOf, NO_IDLE } from '../../parts/workload/idle-values.ts';
import { changeBetween, type Variable, variablesOf } from '../../parts/workload/run-values.ts';
import {
  ONE_REPLICA,
  type ScalingValues,
  scalingBody,
  scalingOf,
  withoutUnsetReplicas,
} from '../../parts/workload/scaling-values.ts';
import { joinCommand, splitCommand } from '../../parts/workload/split-command.ts';
import { numberOrNull } from '../../parts/workload/workload-values.ts';

export type DeploymentBody = InputOf<NonNullable<typeof CALLS.createDeployment.facts>>['body'];
export type DeploymentChange = NonNullable<InputOf<NonNullable<typeof CALLS.updateDeployment.facts>>['body']>;

type Gate = NonNullable<ModelDeploymentView['spec']['gate']>;

export interface DeploymentValues extends ScalingValues, IdleValues {
  displayName: string;
  model: string;
  version: string;
  task: ModelTask;
  engine: Engine | 'auto';
  setup: 'Automatic' | 'Manual';
  /** An empty model: it is chosen. */
  gpuModel: string;
  gpuCount: number | undefined;
  contextLength: number | undefined;
  /** Fields of a manual setup alone, from here on. */
  cores: number | undefined;
  memoryGi: number | undefined;
  nodesPerReplica: number | undefined;
  tensorParallel: number | undefined;
  memoryFraction: number | undefined;
  /** As a shell reads it. */
  extraArgs: string;
  /** Empty: the shared pool. */
  host: string;
  /** Counts where no host is named; empty for none. */
  hostTag: string;
  /** As `key=value`, separated by commas. */
  nodeLabels: string;
  /** Served beside the model. */
  adapters: { name: string; model: string; version: string }[];
  env: Variable[];
  /** Some requests and answers are kept. */
  collects: boolean;
  collectPercent: number | undefined;
  /** Empty: as the deployment. */
  dataset: string;
  /** Another version has to be shown to be good enough. */
  isGated: boolean;
  gate: {
    evaluation: string;
    metric: Gate['metric'];
    /** The number of a task; empty: each that has the metric. */
    task: string;
    /** An empty model: whatever the baseline is. */
    notWorseThan: { model: string; version: string };
    margin: number | undefined;
  };
}

export const EMPTY_DEPLOYMENT: DeploymentValues = {
  displayName: '',
  model: '',
  version: '',
  task: 'Generate',
  engine: 'auto',
  setup: 'Automatic',
  gpuModel: '',
  gpuCount: 1,
  contextLength: undefined,
  cores: undefined,
  memoryGi: undefined,
  nodesPerReplica: undefined,
  tensorParallel: undefined,
  memoryFraction: undefined,
  extraArgs: '',
  host: '',
  hostTag: '',
  nodeLabels: '',
  ...ONE_REPLICA,
  // Whoever lets it follow the work mostly wants it to sleep.
  autoscaling: { ...ONE_REPLICA.autoscaling, min: 0, max: 1 },
  idle: NO_IDLE,
  adapters: [],
  env: [],
  collects: false,
  collectPercent: 5,
  dataset: '',
  isGated: false,
  gate: { evaluation: '', metric: 'ExactMatch', task: '', notWorseThan: { model: '', version: '' }, margin: 0 },
};

/** A link may name the model, and an adapter that is served beside it. */
export function firstDeployment(query: URLSearchParams): DeploymentValues {
  const named = (name: string) => query.get(name) ?? '';
  const adapter = { name: named('adapter'), model: named('adapterModel'), version: named('adapterVersion') };
  return {
    ...EMPTY_DEPLOYMENT,
    model: named('model'),
    version: named('version'),
    adapters: adapter.model === '' ? [] : [adapter],
  };
}

/** The values that decide how it is served. */
export const servedOf = (values: DeploymentValues) => {
  const { model, version, task, engine, setup, gpuModel, gpuCount, contextLength, host, hostTag } = values;
  const { cores, memoryGi, nodesPerReplica, tensorParallel, memoryFraction } = values;
  return {
    model,
    version,
    task,
    engine,
    setup,
    ...(gpuModel !== '' && { gpu: { model: gpuModel, count: gpuCount as number } }),
    ...present({ contextLength }),
    ...(setup === 'Manual' && present({ cores, memoryGi, nodesPerReplica, tensorParallel, memoryFraction })),
    ...(host !== '' && { host }),
    ...(hostTag !== '' && { hostTag }),
  };
};

const present = <Values extends object>(values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>;

/** Undefined where there are none. A label without `=` has no value. */
function labelsOf(text: string): Record<string, string> | undefined {
  const labels = wordsIn(text).map((one) => {
    const [key = '', ...value] = one.split('=');
    return [key.trim(), value.join('=').trim()];
  });
  return labels.length === 0 ? undefined : Object.fromEntries(labels);
}
const wordsIn = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

export function deploymentBody(values: DeploymentValues): DeploymentBody {
  const { displayName, adapters, env, collects, collectPercent, dataset } = values;
  const extraArgs = splitCommand(values.extraArgs);
  const nodeLabels = labelsOf(values.nodeLabels);
  return {
    displayName,
    ...servedOf(values),
    ...(values.setup === 'Manual' && extraArgs && { extraArgs }),
    ...(nodeLabels && { nodeLabels }),
    ...(collects && {
      dataReflow: { percent: collectPercent as number, ...(dataset.trim() !== '' && { dataset: dataset.trim() }) },
    }),
    ...(values.isGated && { gate: gateBody(values.gate) }),
    ...(adapters.length > 0 && {
      adapters: adapters.map(({ name, model, version }) => ({ name: name.trim(), model, version: version.trim() })),
    }),
    ...(env.length > 0 && { env: env.map(({ name, ...one }) => ({ name: name.trim(), ...one })) }),
    ...scalingBody(values),
    ...idleBody(values.idle),
  };
}

const gateBody = ({ evaluation, metric, task, notWorseThan, margin }: DeploymentValues['gate']) => ({
  ...{ evaluation, metric, ...(task !== '' && { task: Number(task) }) },
  ...(notWorseThan.model !== '' && { notWorseThan }),
  margin: numberOrNull(margin),
});

const gateOf = ({ evaluation, metric, task, notWorseThan, margin = 0 }: Gate): DeploymentValues['gate'] => ({
  ...{ evaluation, metric, task: `${task ?? ''}`, margin },
  notWorseThan: { model: notWorseThan?.model ?? '', version: notWorseThan?.version ?? '' },
});

/** The chosen setup as values that can be changed by hand. */
export const manualOf = (fit: DeploymentFitView): Partial<DeploymentValues> => ({
  setup: 'Manual',
  engine: fit.engine ?? 'auto',
  gpuModel: fit.gpu?.model ?? '',
  gpuCount: fit.gpu?.count ?? 1,
  cores: fit.cores ?? undefined,
  memoryGi: fit.memory_gi ?? undefined,
  contextLength: fit.context_length ?? undefined,
  nodesPerReplica: fit.gpu ? (fit.nodes_per_replica ?? undefined) : undefined,
  tensorParallel: fit.gpu ? (fit.tensor_parallel_size ?? undefined) : undefined,
});

/** Only what differs; null takes an optional field away. */
export const deploymentChange = (before: DeploymentValues, after: DeploymentValues): DeploymentChange =>
  withoutUnsetReplicas(changeBetween(deploymentBody(before), deploymentBody(after))) as DeploymentChange;

export function deploymentValuesOf(
  { id, name, spec }: Pick<ModelDeploymentView, 'id' | 'name' | 'spec'>,
  isCopy = false,
): DeploymentValues {
  const { model, version, task, engine, setup, gpu, contextLength, adapters = [], env, idle } = spec;
  const {
    cores,
    memoryGi,
    nodesPerReplica,
    tensorParallel,
    memoryFraction,
    extraArgs,
    host,
    hostTag,
    nodeLabels,
    dataReflow,
    gate,
  } = spec;
  const empty = EMPTY_DEPLOYMENT;
  return {
    displayName: isCopy ? '' : (spec.displayName ?? name ?? id),
    model,
    version,
    task: task ?? empty.task,
    engine: engine ?? empty.engine,
    setup: setup ?? empty.setup,
    gpuModel: gpu?.model ?? '',
    gpuCount: gpu?.count ?? empty.gpuCount,
    contextLength,
    cores,
    memoryGi,
    nodesPerReplica,
    tensorParallel,
    memoryFraction,
    extraArgs: joinCommand(extraArgs ?? []),
    host: host ?? '',
    hostTag: hostTag ?? '',
    nodeLabels: Object.entries(nodeLabels ?? {})
      .map(([key, value]) => (value === '' ? key : `${key}=${value}`))
      .join(', '),
    adapters: adapters.map(({ name, model, version }) => ({ name, model, version })),
    env: variablesOf(env),
    ...scalingOf(spec, empty),
    idle: idleOf(idle),
    collects: (dataReflow?.percent ?? 0) > 0,
    collectPercent: dataReflow?.percent || empty.collectPercent,
    dataset: dataReflow?.dataset ?? '',
    isGated: gate !== undefined,
    gate: gate ? gateOf(gate) : empty.gate,
  };
}
