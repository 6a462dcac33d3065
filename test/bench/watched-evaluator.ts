// The policies of rows E1 to E3. As a program: their evaluator, in a process of its own as in a gateway, whose CPU is counted.
import { fileURLToPath } from 'node:url';
import type { AlertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import { organizationOf } from '@gantry/contract/names.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { AlarmStore } from '../../api/src/areas/alerts/alarm-store.ts';
import { Evaluator } from '../../api/src/areas/alerts/evaluator.ts';
import { openDatabase } from '../../api/src/platform/db/open.ts';
import { Prometheus } from '../../api/src/platform/prometheus/prometheus.ts';
import { INTERVAL_MS, LIMIT, namespaceOf } from './hot-cards.ts';

const LIMITS = { deadlineMs: 10_000, mostSeries: 200_000, mostBytes: 128 * 1024 * 1024 };

/** In how many cycles a rule has to be met, and not met, in a row. */
export const metOf = (card: number): number => 1 + (card % 3);
export const endsOf = (card: number): number => 1 + (card % 2);

export const policiesOf = (count: number): AlertPolicy[] =>
  Array.from({ length: count }, (_, card) => ({
    apiVersion: 'gantry.dev/v1alpha1',
    kind: 'AlertPolicy',
    metadata: { name: `p-${card}`, namespace: namespaceOf(card), uid: `uid-${card}` },
    spec: {
      state: 'Enabled',
      objects: { kind: 'GpuInstance', names: [`card-${card}`] },
      metric: 'GpuTemperature',
      aggregation: 'Last',
      periodSeconds: INTERVAL_MS / 1_000,
      rules: [{ type: 'Threshold', compare: 'Above', value: LIMIT, level: 'Warning' }],
      begins: { met: metOf(card), of: metOf(card) },
      endsAfter: endsOf(card),
      convergence: { waitSeconds: 0, repeatMinutes: 0, mostPerHour: 20 },
      channels: [{ type: 'Bell', afterMinutes: 0 }],
    },
  }));

async function evaluate(count: number, prometheusUrl: string, databaseUrl: string): Promise<void> {
  const prometheus = new Prometheus({ url: prometheusUrl });
  // As the gateway gives it: the same array as long as no policy changes.
  const policies = policiesOf(count).map((policy) => ({
    organizationId: organizationOf(policy.metadata.namespace ?? '') ?? '',
    policy,
  }));
  const evaluator = new Evaluator({
    store: new AlarmStore(await openDatabase({ url: databaseUrl })),
    clock: systemClock,
    log: { warn: (facts, text) => console.error(text, facts) },
    policies: () => policies,
    exists: () => true,
    ask: (query, at, signal) => prometheus.instant(query, at, { ...LIMITS, signal }),
    scope: (query) => ({ query }),
    objectOf: ({ pod = '' }) => ({ kind: 'GpuInstance', name: pod.replace(/-1$/, '') }),
    platform: async () => [],
    lifeOf: () => 'running',
    due: () => [],
    evaluated: () => undefined,
  });
  await evaluator.run(new AbortController().signal);
}

const [, program, count, prometheusUrl = '', databaseUrl = ''] = process.argv;
if (program === fileURLToPath(import.meta.url)) await evaluate(Number(count), prometheusUrl, databaseUrl);
