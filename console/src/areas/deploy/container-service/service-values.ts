// A service as a form holds it, and the bodies that are made of it: of a new one, and of a change.
import type { InputOf } from '@gantry/contract/http/call.ts';
import type { CALLS } from '@gantry/contract/http/calls.ts';
import type { ServiceView } from '@gantry/contract/kinds/container-service.ts';
import { ANY_IMAGE, numberOrNull, placeOf } from '../../../parts/workload/workload-values.ts';
import { changeBetween, EMPTY_PROGRAM, type ProgramValues, programBody, programOf } from '../form/program-values.ts';

export type ServiceBody = InputOf<NonNullable<typeof CALLS.createService.facts>>['body'];
export type ServiceChange = NonNullable<InputOf<NonNullable<typeof CALLS.updateService.facts>>['body']>;

export const METRICS = ['CPU', 'GPU', 'InFlight', 'RequestsPerSecond', 'PromQL'] as const;
export type Metric = (typeof METRICS)[number];
export const ACCESSES = ['Members', 'Tokens', 'Public'] as const;

type Maybe = number | undefined;

export interface ServiceValues extends ProgramValues {
  /** Whether it is published, and whether a readiness path is asked: what they take stays in the form. */
  isPublished: boolean;
  publish: { port: Maybe; access: (typeof ACCESSES)[number] };
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
  /** An empty path: it is enough that the port accepts connections. */
  readiness: { path: string; port: Maybe; timeoutSeconds: Maybe };
  update: { maxUnavailable: Maybe; maxSurge: Maybe; deadlineMinutes: Maybe };
  wake: { requests: Maybe; seconds: Maybe };
}

export const EMPTY_SERVICE: ServiceValues = {
  ...EMPTY_PROGRAM,
  ports: [{ name: 'http', port: 8080 }],
  isPublished: true,
  publish: { port: 8080, access: 'Members' },
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
  readiness: { path: '', port: undefined, timeoutSeconds: 2 },
  update: { maxUnavailable: 0, maxSurge: 1, deadlineMinutes: 15 },
  wake: { requests: 100, seconds: 120 },
};

function autoscalingBody({
  min,
  max,
  metrics,
  scaleDownSeconds,
  idleSeconds,
  schedules,
}: ServiceValues['autoscaling']) {
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

export function serviceBody(values: ServiceValues): ServiceBody {
  const { isPublished, publish, isScaled, replicas, autoscaling, readiness, update, wake } = values;
  const { path, port, timeoutSeconds } = readiness;
  const hasReadiness = path.trim() !== '' || port !== undefined;
  return {
    ...programBody(values),
    ...(isPublished && { publish: { port: numberOrNull(publish.port), access: publish.access } }),
    // What is given back from an automatic number stays valid, and is not used.
    ...(isScaled ? { autoscaling: autoscalingBody(autoscaling) } : { replicas: numberOrNull(replicas) }),
    ...(hasReadiness && {
      readiness: {
        ...(path.trim() !== '' && { path: path.trim() }),
        ...(port !== undefined && { port }),
        timeoutSeconds: numberOrNull(timeoutSeconds),
      },
    }),
    update: {
      maxUnavailable: numberOrNull(update.maxUnavailable),
      maxSurge: numberOrNull(update.maxSurge),
      deadlineMinutes: numberOrNull(update.deadlineMinutes),
    },
    wake: { requests: numberOrNull(wake.requests), seconds: numberOrNull(wake.seconds) },
  };
}

export function serviceChange(before: ServiceValues, after: ServiceValues): ServiceChange {
  const change = changeBetween(serviceBody(before), serviceBody(after));
  // The number of replicas has a default, and cannot be removed; with autoscaling nobody reads it.
  if (change.replicas === null) delete change.replicas;
  return change as ServiceChange;
}

/** `isCopy`: for another service, which has no secrets yet. */
export function serviceValuesOf(
  { id, name, spec }: Pick<ServiceView, 'id' | 'name' | 'spec'>,
  isCopy = false,
): ServiceValues {
  const { publish, autoscaling, readiness, update, wake } = spec;
  const empty = EMPTY_SERVICE;
  return {
    ...programOf(spec, id, name, isCopy),
    isPublished: publish !== undefined,
    publish: { port: publish?.port ?? spec.ports?.[0]?.port, access: publish?.access ?? 'Members' },
    isScaled: autoscaling !== undefined,
    replicas: spec.replicas ?? empty.replicas,
    autoscaling: autoscaling
      ? {
          min: autoscaling.min ?? empty.autoscaling.min,
          max: autoscaling.max ?? empty.autoscaling.max,
          metrics: (autoscaling.metrics ?? []).map(({ type, target, query = '' }) => ({ type, target, query })),
          scaleDownSeconds: autoscaling.scaleDownSeconds ?? empty.autoscaling.scaleDownSeconds,
          idleSeconds: autoscaling.idleSeconds ?? empty.autoscaling.idleSeconds,
          schedules: (autoscaling.schedules ?? []).map(({ cron, timeZone = 'UTC', minutes, min }) => ({
            cron,
            timeZone,
            minutes,
            min,
          })),
        }
      : empty.autoscaling,
    readiness: {
      path: readiness?.path ?? '',
      port: readiness?.port,
      timeoutSeconds: readiness?.timeoutSeconds ?? empty.readiness.timeoutSeconds,
    },
    update: { ...empty.update, ...update },
    wake: { ...empty.wake, ...wake },
  };
}

/** The inputs for price and place, for so many replicas as there are at first; undefined while a number is missing. */
export function serviceSize(
  values: Pick<
    ServiceValues,
    'gpu' | 'cores' | 'memoryGi' | 'host' | 'ports' | 'isScaled' | 'replicas' | 'autoscaling'
  >,
) {
  const place = placeOf(values);
  const count = values.isScaled ? Math.max(values.autoscaling.min ?? 1, 1) : values.replicas;
  if (!place || count === undefined || !Number.isInteger(count) || count < 0) return undefined;
  return {
    place: { ...place, replicas: count },
    cost: { ...place, image: ANY_IMAGE, ports: [{ port: 80 }], replicas: count },
    count,
  };
}
