// A tenant's scaling query to Prometheus: one number, soon, or none.
import type { Clock } from '@gantry/kube/clock.ts';
import { onlyNumber, type Prometheus } from '../../platform/prometheus/prometheus.ts';
import type { AutoscalerParts } from './autoscaler.ts';

const LIMITS = { deadlineMs: 3_000, mostBytes: 64 * 1024, mostSeries: 1 };

/** Undefined without Prometheus. */
export const askOneNumber = (
  prometheus: Pick<Prometheus, 'instant'> | undefined,
  clock: Pick<Clock, 'now'>,
): AutoscalerParts['ask'] =>
  prometheus &&
  (async (query, signal) => onlyNumber(await prometheus.instant(query, clock.now(), { signal, ...LIMITS })));
