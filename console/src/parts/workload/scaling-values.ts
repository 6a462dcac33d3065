// How many replicas serve and how they are replaced, as the forms of services and deployments hold it, and as the API takes it.
import { numberOrNull } from './workload-values.ts';

export const METRICS = ['CPU', 'GPU', 'InFlight', 'RequestsPerSecond', 'PromQL'] as const;
type Metric = (typeof METRICS)[number];
type Maybe = number | undefined;

/** Members have the body's names, so that an error appears at its field. */
export interface ScalingValues {
  /** Whether their number follows the work. */
  isScaled: boolean;
  replicas: Maybe;
  autoscaling: {
    min: Maybe;
    max: Maybe;
    metrics: { type: Metric; target: Maybe; query: string }[];
    scaleDownSeconds: Maybe;
    idleSeconds: Maybe;
    schedules: { cron: string; timeZone: string; minutes: Maybe; min: Maybe }[];
  };
  update: { maxUnavailable: Maybe; maxSurge: Maybe; deadlineMinutes: Maybe };
  wake: { requests: Maybe; seconds: Maybe };
}

export const ONE_REPLICA: ScalingValues = {
  isScaled: false,
  replicas: 1,
  autoscaling: {
    min: 1,
    max: 3,
    metrics: [{ type: 'InFlight', target: 10, query: '' }],
    scaleDownSeconds: 300,
    idleSeconds: 600,
    schedules: [],
  },
  update: { maxUnavailable: 0, maxSurge: 1, deadlineMinutes: 15 },
  wake: { requests: 100, seconds: 120 },
};

/** The body has a number of replicas or the rules of autoscaling; the values of the other are not sent. */
export const scalingBody = ({ isScaled, replicas, autoscaling, update, wake }: ScalingValues) => ({
  ...(isScaled ? { autoscaling: autoscalingBody(autoscaling) } : { replicas: numberOrNull(replicas) }),
  update: {
    maxUnavailable: numberOrNull(update.maxUnavailable),
    maxSurge: numberOrNull(update.maxSurge),
    deadlineMinutes: numberOrNull(update.deadlineMinutes),
  },
  wake: { requests: numberOrNull(wake.requests), seconds: numberOrNull(wake.seconds) },
});

function autoscalingBody({
  min,
  max,
  metrics,
  scaleDownSeconds,
  idleSeconds,
  schedules,
}: ScalingValues['autoscaling']) {
  return {
    min: numberOrNull(min),
    max: numberOrNull(max),
    ...(metrics.length > 0 && {
      metrics: metrics.map(({ type, target, query }) => ({
        type,
        target: numberOrNull(target),
        ...(type === 'PromQL' && { query: query.trim() }),
      })),
    }),
    scaleDownSeconds: numberOrNull(scaleDownSeconds),
    idleSeconds: numberOrNull(idleSeconds),
    ...(schedules.length > 0 && {
      schedules: schedules.map(({ cron, timeZone, minutes, min: least }) => ({
        cron: cron.trim().replace(/\s+/g, ' '),
        timeZone,
        minutes: numberOrNull(minutes),
        min: numberOrNull(least),
      })),
    }),
  };
}

interface ScalingSpec {
  replicas?: Maybe;
  autoscaling?:
    | {
        min?: Maybe;
        max?: Maybe;
        metrics?: readonly { type: Metric; target: number; query?: string | undefined }[] | undefined;
        scaleDownSeconds?: Maybe;
        idleSeconds?: Maybe;
        schedules?:
          | readonly { cron: string; timeZone?: string | undefined; minutes: number; min: number }[]
          | undefined;
      }
    | undefined;
  update?: Partial<ScalingValues['update']> | undefined;
  wake?: Partial<ScalingValues['wake']> | undefined;
}

/** `empty`: what stands for what is not set. */
export const scalingOf = (
  { replicas, autoscaling, update, wake }: ScalingSpec,
  empty: ScalingValues,
): ScalingValues => ({
  isScaled: autoscaling !== undefined,
  replicas: replicas ?? empty.replicas,
  autoscaling: autoscaling
    ? {
        // As the contract has it where it is not said.
        min: autoscaling.min ?? ONE_REPLICA.autoscaling.min,
        max: autoscaling.max ?? ONE_REPLICA.autoscaling.max,
        metrics: (autoscaling.metrics ?? []).map(({ type, target, query = '' }) => ({ type, target, query })),
        scaleDownSeconds: autoscaling.scaleDownSeconds ?? ONE_REPLICA.autoscaling.scaleDownSeconds,
        idleSeconds: autoscaling.idleSeconds ?? ONE_REPLICA.autoscaling.idleSeconds,
        schedules: (autoscaling.schedules ?? []).map(({ cron, timeZone = 'UTC', minutes, min }) => ({
          cron,
          timeZone,
          minutes,
          min,
        })),
      }
    : empty.autoscaling,
  update: { ...empty.update, ...update },
  wake: { ...empty.wake, ...wake },
});

/** The number of replicas has a default, and cannot be removed; with autoscaling nobody reads it. */
export function withoutUnsetReplicas<Change extends object>(change: Change): Change {
  const { replicas, ...others } = change as Change & { replicas?: number | null };
  return replicas === null ? (others as Change) : change;
}

/** So many there are at first. */
export const firstReplicas = ({ isScaled, replicas, autoscaling }: Omit<ScalingValues, 'update' | 'wake'>): Maybe =>
  isScaled ? Math.max(autoscaling.min ?? 1, 1) : replicas;
