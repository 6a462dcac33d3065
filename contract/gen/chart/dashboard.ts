// The Grafana dashboard of the platform: a table of rows and panels over metrics that its parts have. test/house/metrics.test.ts looks
// for every name among theirs.

interface Query {
  readonly expr: string;
  /** Grafana's own template, such as {{kind}}. */
  readonly legend: string;
}
interface PanelFacts {
  readonly words: string;
  /** Grafana's name of it. */
  readonly unit: 'reqps' | 'ops' | 's' | 'short' | 'percentunit' | 'Bps' | 'bytes';
  readonly queries: readonly Query[];
}

/** Other programs have metrics of these names, too. */
const GATEWAY = '{job=~"(.*/)?gantry-gateway"}';
const QUANTILE = 0.95;
const quantile = (metric: string, by: string, of = ''): string =>
  `histogram_quantile(${QUANTILE}, sum by (le, ${by}) (rate(${metric}_bucket${of}[5m])))`;
const rate = (metric: string, by: string): string => `sum by (${by}) (rate(${metric}[5m]))`;

const ROWS: Readonly<Record<string, Readonly<Record<string, PanelFacts>>>> = {
  Gateway: {
    'Calls by class of status': {
      words: 'What is answered; 5xx are faults of ours.',
      unit: 'reqps',
      queries: [{ expr: rate(`http_request_duration_seconds_count${GATEWAY}`, 'status'), legend: '{{status}}' }],
    },
    'Slowest routes, 95th percentile': {
      words: 'From the request being read to its answer being handed to the network.',
      unit: 's',
      queries: [
        { expr: `topk(8, ${quantile('http_request_duration_seconds', 'route', GATEWAY)})`, legend: '{{route}}' },
      ],
    },
    'Calls under way': {
      words: 'Streams among them.',
      unit: 'short',
      queries: [{ expr: `sum by (pod) (http_requests_in_flight${GATEWAY})`, legend: '{{pod}}' }],
    },
    'Memory and event loop': {
      words: 'A loop that lags for long answers nobody in time.',
      unit: 'short',
      queries: [
        { expr: `max by (pod) (nodejs_eventloop_lag_p99_seconds${GATEWAY})`, legend: 'lag, s, {{pod}}' },
        { expr: `max by (pod) (process_resident_memory_bytes${GATEWAY}) / 1073741824`, legend: 'memory, Gi, {{pod}}' },
      ],
    },
  },
  Money: {
    'Faults in the books': {
      words: 'Anything but 0 is an alert.',
      unit: 'short',
      queries: [{ expr: 'max(gantry_books_faults)', legend: 'faults' }],
    },
    'Since the books were checked': {
      words: 'And since their last block was sealed.',
      unit: 's',
      queries: [
        { expr: 'time() - max(gantry_books_checked_timestamp_seconds)', legend: 'checked' },
        { expr: 'time() - max(gantry_books_sealed_timestamp_seconds)', legend: 'sealed' },
      ],
    },
    Metering: {
      words: 'Intervals and the slices that they are billed in; failures are tried again.',
      unit: 'ops',
      queries: [
        { expr: 'sum(rate(gantry_metering_intervals_total[5m]))', legend: 'intervals' },
        { expr: 'sum(rate(gantry_metering_slices_total[5m]))', legend: 'slices' },
        { expr: 'sum(rate(gantry_metering_failures_total[5m]))', legend: 'failures' },
      ],
    },
    'Used and not billed': {
      words: 'Intervals that nothing has a price for, and what looked wrong.',
      unit: 'short',
      queries: [
        { expr: 'sum(gantry_metering_unpriced_intervals)', legend: 'without a price' },
        { expr: 'sum(increase(gantry_metering_anomalies_total[1h]))', legend: 'anomalies in an hour' },
      ],
    },
  },
  Operator: {
    'Who leads': {
      words: 'One does; nothing happens while none does.',
      unit: 'short',
      queries: [{ expr: 'max by (pod) (gantry_leading)', legend: '{{pod}}' }],
    },
    'Wait for a worker, 95th percentile': {
      words: 'From a change to somebody looking at it.',
      unit: 's',
      queries: [{ expr: quantile('gantry_queue_wait_seconds', 'kind'), legend: '{{kind}}' }],
    },
    'One reconcile, 95th percentile': {
      words: 'With all its rounds and writes.',
      unit: 's',
      queries: [{ expr: quantile('gantry_reconcile_seconds', 'kind'), legend: '{{kind}}' }],
    },
    'Objects that are not well': {
      words: 'Plans that fail, and objects that are written too often.',
      unit: 'short',
      queries: [
        { expr: 'max by (kind) (gantry_failing_objects)', legend: 'failing {{kind}}' },
        { expr: 'max by (kind) (gantry_slowed_objects)', legend: 'slowed {{kind}}' },
      ],
    },
    'Requests to the API server': {
      words: 'Code 0 is no answer.',
      unit: 'reqps',
      queries: [{ expr: rate('gantry_api_requests_total', 'verb, code'), legend: '{{verb}} {{code}}' }],
    },
    Objects: {
      words: 'Held in the cache.',
      unit: 'short',
      queries: [{ expr: 'max by (kind) (gantry_cache_objects)', legend: '{{kind}}' }],
    },
  },
  'Saves, registry, door': {
    'Saves by end': {
      words: 'Root file systems and homes.',
      unit: 'ops',
      queries: [{ expr: rate('gantry_agent_saves_total', 'of, phase'), legend: '{{of}} {{phase}}' }],
    },
    'A save, 95th percentile': {
      words: 'The attempt that succeeded.',
      unit: 's',
      queries: [{ expr: quantile('gantry_agent_save_seconds', 'of'), legend: '{{of}}' }],
    },
    'Sent to the registry': {
      words: 'Compressed; failed attempts too.',
      unit: 'Bps',
      queries: [{ expr: 'sum(rate(gantry_agent_sent_bytes_total[5m]))', legend: 'sent' }],
    },
    'Tokens of the registry': {
      words: 'By how a request ended.',
      unit: 'reqps',
      queries: [{ expr: rate('gantry_registry_tokens_total', 'result'), legend: '{{result}}' }],
    },
    'Connections through the door': {
      words: 'And how long ago it last saw the cluster.',
      unit: 'short',
      queries: [
        { expr: 'sum(gantry_door_connections)', legend: 'connections' },
        { expr: 'max(gantry_door_stale_seconds)', legend: 'stale, s' },
      ],
    },
    'Logins at the door': {
      words: 'And what was denied behind it.',
      unit: 'ops',
      queries: [
        { expr: 'sum(rate(gantry_door_logins_total[5m]))', legend: 'logins' },
        { expr: 'sum(rate(gantry_door_denied_total[5m]))', legend: 'denied' },
      ],
    },
  },
};

const ACROSS = 24;
const [WIDTH, HEIGHT] = [8, 8];
const DATASOURCE = { type: 'prometheus', uid: '$datasource' };

/** As Grafana imports it, from a file or a ConfigMap. */
export function dashboard(): string {
  const panels: object[] = [];
  let y = 0;
  for (const [row, facts] of Object.entries(ROWS)) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title: row,
      collapsed: false,
      gridPos: { x: 0, y, w: ACROSS, h: 1 },
    });
    y += 1;
    const all = Object.entries(facts);
    for (const [index, [title, { words, unit, queries }]] of all.entries()) {
      const x = (index * WIDTH) % ACROSS;
      panels.push({
        ...{ id: panels.length + 1, type: 'timeseries', title, description: words, datasource: DATASOURCE },
        gridPos: { x, y: y + Math.floor((index * WIDTH) / ACROSS) * HEIGHT, w: WIDTH, h: HEIGHT },
        fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
        targets: queries.map(({ expr, legend }, at) => ({ refId: 'ABC'[at], expr, legendFormat: legend })),
      });
    }
    y += Math.ceil((all.length * WIDTH) / ACROSS) * HEIGHT;
  }
  const found = {
    ...{ uid: 'gantry', title: 'Gantry', tags: ['gantry'], schemaVersion: 39, version: 1, editable: true },
    ...{ refresh: '1m', time: { from: 'now-6h', to: 'now' }, timezone: 'browser' },
    templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Prometheus' }] },
    panels,
  };
  return `${JSON.stringify(found, undefined, 2)}\n`;
}
