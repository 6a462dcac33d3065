// Row E4: a tenant's PromQL through the gateway, never asked before and asked again, beside the same query at Prometheus alone.
import { MONITOR_ROUTES } from '@gantry/contract/areas/monitoring/monitor.ts';
import { openDatabase } from '../../api/src/platform/db/open.ts';
import { scopeQuery } from '../../api/src/platform/prometheus/scope-query.ts';
import { startMemoryGateway } from '../support/memory-gateway.ts';
import { startPrometheusServer } from '../support/prometheus-server.ts';
import type { Pair } from './measure.ts';
import { startMeasuredPostgres } from './measured-postgres.ts';
import { sized } from './stage.ts';
import { median } from './statistics.ts';
import { pairsOf, timesMs, Wire } from './wire.ts';

const NAMESPACE = 'org-acmeorgs';
const QUERY = 'sum by (pod) (rate(requests_total[5m]))';
const PODS = 50;
const HOURS = 6;
const STEP_S = 60;
const PAIRS = 5;
const EACH = sized(40);
const AGAIN = sized(400);

export interface QueryTimes {
  /** Medians of rounds, in ms. */
  readonly cold: readonly Pair[];
  readonly againMs: readonly number[];
}

export async function askedQueries(): Promise<QueryTimes> {
  const end = Math.floor(Date.now() / 1_000 / STEP_S) * STEP_S;
  const prometheus = await startPrometheusServer({ samples: samplesUntil(end) });
  const server = await startMeasuredPostgres();
  const db = await openDatabase({ url: await server.createDatabase('queries') });
  const flags = [`--prometheus-url=${prometheus.url}`];
  const gateway = await startMemoryGateway({ db, flags });
  const ours = new Wire(gateway.url, { authorization: `Bearer ${gateway.tokens.owner}` });
  const peer = new Wire(prometheus.url, {});
  const scoped = scopeQuery(QUERY, NAMESPACE);
  if ('refused' in scoped) throw new Error(`the query is refused: ${scoped.refused}`);
  // Each window is another one, and of one length.
  let asked = 0;
  const next = () => {
    const to = end - (asked++ % (2 * HOURS * 60)) * STEP_S;
    return { from: to - (HOURS / 2) * 3_600, to };
  };
  const ask = ({ from, to }: { from: number; to: number }) =>
    ours.ask({
      method: 'POST',
      path: `/api${MONITOR_ROUTES.query.path}`,
      body: { query: QUERY, start: iso(from), end: iso(to), step: STEP_S },
    });
  const raw = ({ from, to }: { from: number; to: number }) =>
    peer.ask({
      path: `/api/v1/query_range?${new URLSearchParams({ query: scoped.query, start: `${from}`, end: `${to}`, step: `${STEP_S}` })}`,
    });
  try {
    const medianOf = async (once: () => Promise<unknown>) => median(await timesMs(EACH, once));
    await medianOf(() => ask(next()));
    const cold = await pairsOf(PAIRS, {
      ours: () => medianOf(() => ask(next())),
      peer: () => medianOf(() => raw(next())),
    });
    const window = next();
    await ask(window);
    return { cold, againMs: await timesMs(AGAIN, () => ask(window)) };
  } finally {
    ours.close();
    peer.close();
    await gateway.stop();
    await server.end();
    await prometheus.end();
  }
}

const iso = (seconds: number): string => new Date(seconds * 1_000).toISOString();

/** OpenMetrics: counters of many Pods, a sample each minute. */
function samplesUntil(end: number): string {
  const lines = Array.from({ length: PODS }, (_, pod) =>
    Array.from({ length: 3 * HOURS * 60 }, (_, minute) => {
      const at = end - (3 * HOURS * 60 - minute) * STEP_S;
      return `requests_total{namespace="${NAMESPACE}",pod="p-${pod}"} ${minute * (pod + 1)} ${at}`;
    }),
  );
  return ['# TYPE requests counter', ...lines.flat(), '# EOF', ''].join('\n');
}
