// How many replicas a service should have. Pure. It follows the algorithm of Kubernetes' HorizontalPodAutoscaler where that has a
// rule (tolerance, several metrics, missing ones, stabilisation), and adds schedules and sleep.
import { isWithin } from '@gantry/contract/fields/schedule.ts';
import type { ContainerServiceSpec, SCALING_METRICS } from '@gantry/contract/kinds/container-service-schema.ts';

export type Autoscaling = NonNullable<ContainerServiceSpec['autoscaling']>;
export type Metric = (typeof SCALING_METRICS)[number];

/** Why there are to be so many; `status.scaling.because`. */
export type Cause = Metric | 'Schedule' | 'Request' | 'Idle' | 'Min' | 'Max' | 'NoData';

export interface Decision {
  replicas: number;
  because: Cause;
  /** The measured value of the metric that decided, over all replicas. */
  value?: number;
}

/** The wish of a moment, before the window of stabilisation. */
export interface Asked {
  at: number;
  replicas: number;
}

export interface Seen {
  now: number;
  /** How many there are to be at present. */
  current: number;
  /** The values of each of `autoscaling.metrics`, over all replicas together; undefined if unknown. */
  measured: readonly (number | undefined)[];
  /** The requests in flight in all gateways. Undefined if one of them has not been heard: it may be serving somebody. */
  inFlight: number | undefined;
  /** When the last request came, or when it was last woken, if that is later. */
  lastActiveAt: number;
  /** It is being started, woken or changed: loading a model may take longer than the idle time. */
  isStarting: boolean;
  /** Requests wake it: without an address nothing could. */
  isPublished: boolean;
  /** Oldest first; must reach back to when this service was first looked at. */
  asked: readonly Asked[];
}

/** As the HPA: a load this close to its target changes nothing. */
const TOLERANCE = 0.1;
const MOST_FACTOR = 2;
const MOST_MORE = 4;

/** `asked` is what goes into `Seen.asked` of later decisions. */
export function decideReplicas(autoscaling: Autoscaling, seen: Seen): { decision: Decision; asked: Asked } {
  const { max } = autoscaling;
  const { now, current } = seen;
  const scheduled = scheduledMin(autoscaling, now);
  const floor = Math.min(Math.max(autoscaling.min, scheduled), max);
  const wanted = wantedBy(autoscaling, seen, floor);
  const asked = { at: now, replicas: wanted.replicas };
  const decide = (decision: Decision) => ({ decision, asked });
  if (mayBeZero(autoscaling, seen, floor)) {
    if (current === 0 && (seen.inFlight ?? 0) === 0) return decide({ replicas: 0, because: 'Idle' });
    if (isIdle(autoscaling, seen)) return decide({ replicas: 0, because: 'Idle' });
  }
  const most = Math.max(current * MOST_FACTOR, current + MOST_MORE);
  const since = now - autoscaling.scaleDownSeconds * 1000;
  const stable = Math.max(
    wanted.replicas,
    ...seen.asked.filter(({ at }) => at > since).map(({ replicas }) => replicas),
  );
  const least = Math.max(floor, 1);
  const held = Math.min(current, stable);
  const free = wanted.replicas >= current ? Math.min(wanted.replicas, most) : Math.max(wanted.replicas, held);
  const replicas = Math.min(Math.max(free, least), max);
  if (replicas === max && wanted.replicas > max) return decide({ ...wanted, replicas, because: 'Max' });
  if (replicas === floor && free <= floor) {
    if (scheduled > autoscaling.min) return decide({ replicas, because: 'Schedule' });
    if (wanted.because !== 'NoData') return decide({ replicas, because: 'Min' });
  }
  return decide({ ...wanted, replicas });
}

/** The largest number that a metric asks for. While one is unknown the others may only raise the number. */
function wantedBy({ metrics = [] }: Autoscaling, { measured, current }: Seen, floor: number): Decision {
  if (metrics.length === 0) return { replicas: Math.max(floor, 1), because: 'Min' };
  const least = Math.max(current, 1);
  let most: Decision | undefined;
  let isUnknown = false;
  metrics.forEach(({ type, target }, at) => {
    const value = measured[at];
    if (value === undefined || !Number.isFinite(value)) {
      isUnknown = true;
      return;
    }
    const load = value / (target * least);
    const isClose = Math.abs(load - 1) <= TOLERANCE;
    // Beyond any bound of replicas nothing depends on the number.
    const replicas = isClose ? least : Math.min(Math.ceil(Math.max(0, value) / target), Number.MAX_SAFE_INTEGER);
    if (!most || replicas > most.replicas) most = { replicas, because: type, value };
  });
  if (!most) return { replicas: least, because: 'NoData' };
  return isUnknown && most.replicas < least ? { replicas: least, because: 'NoData' } : most;
}

const mayBeZero = ({ min }: Autoscaling, { isPublished }: Seen, floor: number): boolean =>
  min === 0 && floor === 0 && isPublished;

const isIdle = ({ idleSeconds }: Autoscaling, { now, inFlight, isStarting, lastActiveAt }: Seen): boolean =>
  !isStarting && inFlight === 0 && now - lastActiveAt >= idleSeconds * 1000;

const scheduledMin = ({ schedules = [] }: Autoscaling, now: number): number =>
  Math.max(0, ...schedules.filter((one) => isWithin(one, one.minutes, now)).map(({ min }) => min));
