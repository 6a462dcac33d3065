// The operator's metrics, one line each. Labels are kinds and verbs, never names of objects.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type ReconcileResult = 'settled' | 'refused' | 'conflict' | 'notLeading' | 'slowed' | 'failed' | 'error';

const QUICK_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics() {
  const registry = new Registry();
  // Event loop lag and resident memory are among them.
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    queueDepth: new Gauge({
      name: 'gantry_queue_depth',
      help: 'Keys waiting for a worker.',
      labelNames: ['kind', 'priority'],
      registers,
    }),
    queueWait: new Histogram({
      name: 'gantry_queue_wait_seconds',
      help: 'From a key being due to a worker taking it.',
      labelNames: ['kind'],
      buckets: QUICK_SECONDS,
      registers,
    }),
    reconcile: new Histogram({
      name: 'gantry_reconcile_seconds',
      help: 'One reconcile, with all its rounds and writes.',
      labelNames: ['kind', 'result'],
      buckets: QUICK_SECONDS,
      registers,
    }),
    requests: new Counter({
      name: 'gantry_api_requests_total',
      help: 'Requests to the API server; code 0 is no answer. Creates, applies, patches and deletes are the writes.',
      labelNames: ['verb', 'kind', 'subresource', 'code'],
      registers,
    }),
    informerFailures: new Counter({
      name: 'gantry_informer_failures_total',
      help: 'Lists and watches that ended by anything but the server closing them in time.',
      labelNames: ['kind'],
      registers,
    }),
    informerCorrections: new Counter({
      name: 'gantry_informer_corrections_total',
      help: 'Objects that a checking list found different from the cache.',
      labelNames: ['kind'],
      registers,
    }),
    cacheObjects: new Gauge({
      name: 'gantry_cache_objects',
      help: 'Objects held.',
      labelNames: ['kind'],
      registers,
    }),
    events: new Counter({
      name: 'gantry_events_total',
      help: 'Kubernetes events, by what became of them.',
      labelNames: ['result'],
      registers,
    }),
    failing: new Gauge({
      name: 'gantry_failing_objects',
      help: 'Objects whose plan fails: a fault of the operator. Alert where it is not 0.',
      labelNames: ['kind'],
      registers,
    }),
    slowed: new Gauge({
      name: 'gantry_slowed_objects',
      help: 'Objects that are written too often, and are followed slowly. Alert where it is not 0 for five minutes.',
      labelNames: ['kind'],
      registers,
    }),
    lastResortEnds: new Counter({
      name: 'gantry_last_resort_ends_total',
      help: 'Containers ended past their plan, which failed or did not get to it. Alert on any.',
      labelNames: ['kind', 'why'],
      registers,
    }),
    leading: new Gauge({ name: 'gantry_leading', help: '1 while leadership is sure.', registers }),
  };
}
export type Metrics = ReturnType<typeof createMetrics>;
