// A deployment as a form holds it, and the bodies that are made of it: of a new one, and of a change.
import type { InputOf } from '@gantry/contract/http/call.ts';
import type { CALLS } from '@gantry/contract/http/calls.ts';
import type { ModelDeploymentView } from '@gantry/contract/kinds/model-deployment.ts';
import type { Engine, ModelTask } from '@gantry/contract/models/engines.ts';

export type DeploymentBody = InputOf<NonNullable<typeof CALLS.createDeployment.facts>>['body'];
export type DeploymentChange = NonNullable<InputOf<NonNullable<typeof CALLS.updateDeployment.facts>>['body']>;

export interface DeploymentValues {
  displayName: string;
  model: string;
  version: string;
  task: ModelTask;
  engine: Engine | 'auto';
  /** An empty model: it is chosen. */
  gpuModel: string;
  gpuCount: number | undefined;
  contextLength: number | undefined;
  replicas: number | undefined;
  sleeps: boolean;
  idleMinutes: number | undefined;
}

export const EMPTY_DEPLOYMENT: DeploymentValues = {
  displayName: '',
  model: '',
  version: '',
  task: 'Generate',
  engine: 'auto',
  gpuModel: '',
  gpuCount: 1,
  contextLength: undefined,
  replicas: 1,
  sleeps: false,
  idleMinutes: 10,
};

const SECONDS = 60;

/** What decides how it is served. */
export const servedOf = ({ model, version, task, engine, gpuModel, gpuCount, contextLength }: DeploymentValues) => ({
  model,
  version,
  task,
  engine,
  ...(gpuModel !== '' && { gpu: { model: gpuModel, count: gpuCount as number } }),
  ...(contextLength !== undefined && { contextLength }),
});

export function deploymentBody(values: DeploymentValues): DeploymentBody {
  const { displayName, replicas, sleeps, idleMinutes } = values;
  const most = Math.max(1, replicas ?? 1);
  return {
    displayName,
    ...servedOf(values),
    ...(sleeps
      ? { autoscaling: { min: 0, max: most, idleSeconds: Math.round((idleMinutes as number) * SECONDS) } }
      : { replicas: replicas as number }),
  };
}

/** Only what differs; null takes an optional field away. */
export function deploymentChange(before: DeploymentValues, after: DeploymentValues): DeploymentChange {
  const [was, is] = [deploymentBody(before), deploymentBody(after)] as [
    Record<string, unknown>,
    Record<string, unknown>,
  ];
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const changed = fields.filter((field) => JSON.stringify(was[field]) !== JSON.stringify(is[field]));
  const change = Object.fromEntries(changed.map((field) => [field, is[field] ?? null]));
  // It has a default, and cannot be removed; while it scales by itself nobody reads it.
  if (change.replicas === null) delete change.replicas;
  return change as DeploymentChange;
}

export function deploymentValuesOf(
  { id, name, spec }: Pick<ModelDeploymentView, 'id' | 'name' | 'spec'>,
  isCopy = false,
): DeploymentValues {
  const { model, version, task, engine, gpu, contextLength, replicas, autoscaling } = spec;
  const empty = EMPTY_DEPLOYMENT;
  return {
    displayName: isCopy ? '' : (spec.displayName ?? name ?? id),
    model,
    version,
    task: task ?? empty.task,
    engine: engine ?? empty.engine,
    gpuModel: gpu?.model ?? '',
    gpuCount: gpu?.count ?? empty.gpuCount,
    contextLength,
    replicas: autoscaling ? (autoscaling.max ?? 1) : (replicas ?? 1),
    sleeps: autoscaling?.min === 0,
    idleMinutes: autoscaling ? (autoscaling.idleSeconds ?? 600) / SECONDS : empty.idleMinutes,
  };
}
