// A service as a form holds it, and the bodies that are made of it: of a new one, and of a change.
import type { InputOf } from '@gantry/contract/http/call.ts';
import type { CALLS } from '@gantry/contract/http/calls.ts';
import type { ServiceView } from '@gantry/contract/kinds/container-service.ts';
import { changeBetween } from '../../../parts/workload/run-values.ts';
import {
  firstReplicas,
  ONE_REPLICA,
  type ScalingValues,
  scalingBody,
  scalingOf,
  withoutUnsetReplicas,
} from '../../../parts/workload/scaling-values.ts';
import { ANY_IMAGE, numberOrNull, placeOf } from '../../../parts/workload/workload-values.ts';
import { EMPTY_PROGRAM, type ProgramValues, programBody, programOf } from '../form/program-values.ts';

export type ServiceBody = InputOf<NonNullable<typeof CALLS.createService.facts>>['body'];
export type ServiceChange = NonNullable<InputOf<NonNullable<typeof CALLS.updateService.facts>>['body']>;

export const ACCESSES = ['Members', 'Tokens', 'Public'] as const;

type Maybe = number | undefined;

export interface ServiceValues extends ProgramValues, ScalingValues {
  /** Whether it is published, and whether a readiness path is asked: what they take stays in the form. */
  isPublished: boolean;
  publish: { port: Maybe; access: (typeof ACCESSES)[number] };
  /** An empty path: it is enough that the port accepts connections. */
  readiness: { path: string; port: Maybe; timeoutSeconds: Maybe };
}

export const EMPTY_SERVICE: ServiceValues = {
  ...EMPTY_PROGRAM,
  ...ONE_REPLICA,
  ports: [{ name: 'http', port: 8080 }],
  isPublished: true,
  publish: { port: 8080, access: 'Members' },
  readiness: { path: '', port: undefined, timeoutSeconds: 2 },
};

export function serviceBody(values: ServiceValues): ServiceBody {
  const { isPublished, publish, readiness } = values;
  const { path, port, timeoutSeconds } = readiness;
  const hasReadiness = path.trim() !== '' || port !== undefined;
  return {
    ...programBody(values),
    ...(isPublished && { publish: { port: numberOrNull(publish.port), access: publish.access } }),
    ...scalingBody(values),
    ...(hasReadiness && {
      readiness: {
        ...(path.trim() !== '' && { path: path.trim() }),
        ...(port !== undefined && { port }),
        timeoutSeconds: numberOrNull(timeoutSeconds),
      },
    }),
  };
}

export function serviceChange(before: ServiceValues, after: ServiceValues): ServiceChange {
  return withoutUnsetReplicas(changeBetween(serviceBody(before), serviceBody(after))) as ServiceChange;
}

/** `isCopy`: for another service, which has no secrets yet. */
export function serviceValuesOf(
  { id, name, spec }: Pick<ServiceView, 'id' | 'name' | 'spec'>,
  isCopy = false,
): ServiceValues {
  const { publish, readiness } = spec;
  const empty = EMPTY_SERVICE;
  return {
    ...programOf(spec, id, name, isCopy),
    isPublished: publish !== undefined,
    publish: { port: publish?.port ?? spec.ports?.[0]?.port, access: publish?.access ?? 'Members' },
    ...scalingOf(spec, empty),
    readiness: {
      path: readiness?.path ?? '',
      port: readiness?.port,
      timeoutSeconds: readiness?.timeoutSeconds ?? empty.readiness.timeoutSeconds,
    },
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
  const count = firstReplicas(values);
  if (!place || count === undefined || !Number.isInteger(count) || count < 0) return undefined;
  return {
    place: { ...place, replicas: count },
    cost: { ...place, image: ANY_IMAGE, ports: [{ port: 80 }], replicas: count },
    count,
  };
}
