// Rows E1 to E3: policies of two hundred organisations, evaluated by us over a plain Prometheus, and the same rules in a Prometheus of
// its own beside it, over the same cards, at the same time. What fires when, what either costs, and how late a notice is written.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as elapse } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { AlertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import { organizationOf } from '@gantry/contract/names.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { eq } from 'drizzle-orm';
import { AlarmStore } from '../../api/src/alerts/alarm-store.ts';
import { Evaluator } from '../../api/src/alerts/evaluator.ts';
import { openDatabase } from '../../api/src/db/open.ts';
import { alarms, alertNotices } from '../../api/src/db/schema/alerts.ts';
import { Prometheus } from '../../api/src/monitor/prometheus.ts';
import { endingWithUs } from '../support/ending-with-us.ts';
import { freePorts } from '../support/free-ports.ts';
import { startPrometheusServer } from '../support/prometheus-server.ts';
import { INTERVAL_MS, LIMIT, namespaceOf, podOf } from './hot-cards.ts';
import { startMeasuredPostgres } from './measured-postgres.ts';
import { isRehearsal, sized } from './stage.ts';

const POLICIES = sized(10_000);
const INTERVAL_S = INTERVAL_MS / 1_000;
/** An hour; a rehearsal plays three minutes. */
const CYCLES = isRehearsal ? 12 : 240;
/** So long both sides warm up: their first cycles read the disk. */
const WARM_CYCLES = 2;
/** Our looks at the outbox are in the CPU that is counted: often enough for E3, and no more. */
const LOOK_MS = 1_000;
const LIMITS = { deadlineMs: 10_000, mostSeries: 200_000, mostBytes: 128 * 1024 * 1024 };

export interface Watched {
  /** Episodes that only one side has seen, or whose beginnings lie more than an interval apart. */
  readonly differing: number;
  readonly episodes: number;
  /** CPU of our process, its SQL and its Prometheus, and of the Prometheus with native rules. */
  readonly cpuMs: { ours: number; peer: number };
  /** From the sample that meets a rule to the notice's row. */
  readonly lateMs: readonly number[];
}

/** In how many cycles a rule has to be met, and not met, in a row. */
const metOf = (card: number): number => 1 + (card % 3);
const endsOf = (card: number): number => 1 + (card % 2);

const policies: AlertPolicy[] = Array.from({ length: POLICIES }, (_, card) => ({
  apiVersion: 'gantry.dev/v1alpha1',
  kind: 'AlertPolicy',
  metadata: { name: `p-${card}`, namespace: namespaceOf(card), uid: `uid-${card}` },
  spec: {
    state: 'Enabled',
    objects: { kind: 'GpuInstance', names: [`card-${card}`] },
    metric: 'GpuTemperature',
    aggregation: 'Last',
    periodSeconds: INTERVAL_S,
    rules: [{ type: 'Threshold', compare: 'Above', value: LIMIT, level: 'Warning' }],
    begins: { met: metOf(card), of: metOf(card) },
    endsAfter: endsOf(card),
    convergence: { waitSeconds: 0, repeatMinutes: 0, mostPerHour: 20 },
    channels: [{ type: 'Bell', afterMinutes: 0 }],
  },
}));

const native = {
  groups: Array.from({ length: Math.ceil(POLICIES / 500) }, (_, group) => ({
    name: `group-${group}`,
    interval: `${INTERVAL_S}s`,
    rules: policies.slice(group * 500, (group + 1) * 500).map((_policy, at) => {
      const card = group * 500 + at;
      return {
        alert: `p-${card}`,
        expr: `DCGM_FI_DEV_GPU_TEMP{namespace="${namespaceOf(card)}",pod="${podOf(card)}"} > ${LIMIT}`,
        for: `${(metOf(card) - 1) * INTERVAL_S}s`,
        keep_firing_for: `${(endsOf(card) - 1) * INTERVAL_S}s`,
      };
    }),
  })),
};

export async function watchedPolicies(): Promise<Watched> {
  const [port = 0] = await freePorts(1);
  const cards = fileURLToPath(new URL('hot-cards.ts', import.meta.url));
  const exporter = spawn(...endingWithUs(process.execPath, [cards, `${POLICIES}`, `${port}`]), { stdio: 'ignore' });
  const config = {
    global: { scrape_interval: `${INTERVAL_S}s` },
    scrape_configs: [{ job_name: 'cards', static_configs: [{ targets: [`127.0.0.1:${port}`] }] }],
  };
  const [plain, ruled, server] = await Promise.all([
    startPrometheusServer({ config }),
    startPrometheusServer({ config, rules: native }),
    startMeasuredPostgres(),
  ]);
  const db = await openDatabase({ url: await server.createDatabase('alerts') });
  const ending = new AbortController();
  try {
    const prometheus = new Prometheus({ url: plain.url });
    const evaluator = new Evaluator({
      store: new AlarmStore(db),
      clock: systemClock,
      log: { warn: (facts, text) => console.error(text, facts) },
      policies: () =>
        policies.map((policy) => ({ organizationId: organizationOf(policy.metadata.namespace ?? '') ?? '', policy })),
      exists: () => true,
      ask: (query, at, signal) => prometheus.instant(query, at, { ...LIMITS, signal }),
      scope: (query) => ({ query }),
      objectOf: ({ pod = '' }) => ({ kind: 'GpuInstance', name: pod.replace(/-1$/, '') }),
      platform: async () => [],
      isGone: () => false,
      evaluated: () => undefined,
    });
    const noticed = new Map<string, number>();
    const running = evaluator.run(ending.signal);
    await elapse(WARM_CYCLES * INTERVAL_MS);
    const began = Date.now();
    const before = await Promise.all([plain, ruled].map(({ pid }) => cpuMsOf(pid)));
    const { cpuMs, serverMs } = await server.cost(async () => {
      for (let end = performance.now() + CYCLES * INTERVAL_MS; performance.now() < end; await elapse(LOOK_MS)) {
        const rows = await db.sql
          .select({ id: alertNotices.alarmId })
          .from(alertNotices)
          .where(eq(alertNotices.transition, 'fired'));
        for (const { id } of rows) if (id !== null && !noticed.has(id)) noticed.set(id, Date.now());
      }
    });
    const after = await Promise.all([plain, ruled].map(({ pid }) => cpuMsOf(pid)));
    ending.abort();
    await running;
    const [plainMs = 0, ruledMs = 0] = after.map((ms, at) => ms - (before[at] ?? 0));
    const parts = { evaluator: cpuMs - serverMs, SQL: serverMs, Prometheus: plainMs };
    console.log(`ours in ms: ${JSON.stringify(parts)}`);
    const rows = await db.sql.select().from(alarms);
    // Those that began before, or may not have come to both sides yet, count for neither.
    const span = { from: began + 4 * INTERVAL_MS, to: Date.now() - 6 * INTERVAL_MS };
    const ours = rows.flatMap(({ policy, firedAt }) => (firedAt ? [{ policy, at: firedAt.getTime() }] : []));
    const theirs = await nativeEpisodes(new Prometheus({ url: ruled.url }), began);
    return {
      differing: differing(ours, theirs, span),
      episodes: ours.filter(({ at }) => at >= span.from && at <= span.to).length,
      cpuMs: { ours: cpuMs + plainMs, peer: ruledMs },
      lateMs: await lateness(prometheus, rows, noticed, began),
    };
  } finally {
    ending.abort();
    exporter.kill('SIGKILL');
    await db.close();
    await Promise.all([plain.end(), ruled.end(), server.end()]);
  }
}

interface Episode {
  policy: string;
  at: number;
}

/** When each of Prometheus's own alerts began to fire. */
async function nativeEpisodes(prometheus: Prometheus, began: number): Promise<Episode[]> {
  const range = { start: Math.floor(began / INTERVAL_MS) * INTERVAL_MS, end: Date.now(), stepMs: INTERVAL_MS };
  const { series } = await prometheus.range('ALERTS{alertstate="firing"}', range, LIMITS);
  return series.flatMap(({ labels, points }) =>
    points.flatMap((point, at): Episode[] =>
      point !== null && (at === 0 || points[at - 1] === null)
        ? [{ policy: labels.alertname ?? '', at: range.start + at * INTERVAL_MS }]
        : [],
    ),
  );
}

function differing(
  ours: readonly Episode[],
  theirs: readonly Episode[],
  { from, to }: { from: number; to: number },
): number {
  const within = ({ at }: Episode) => at >= from && at <= to;
  const alone = (some: readonly Episode[], others: readonly Episode[]) => {
    const of = Map.groupBy(others, ({ policy }) => policy);
    return (
      some
        .filter(within)
        // A range's step rounds a beginning up.
        .filter(({ policy, at }) => !of.get(policy)?.some((other) => Math.abs(other.at - at) <= INTERVAL_MS)).length
    );
  };
  return alone(ours, theirs) + alone(theirs, ours);
}

/** Of rules that one sample meets. */
async function lateness(
  prometheus: Prometheus,
  rows: readonly (typeof alarms.$inferSelect)[],
  noticed: ReadonlyMap<string, number>,
  began: number,
): Promise<number[]> {
  const late: number[] = [];
  for (const { id, policy, firedAt } of rows) {
    const card = Number(policy.slice(2));
    const seen = noticed.get(id);
    if (metOf(card) !== 1 || seen === undefined || !firedAt || firedAt.getTime() < began) continue;
    if (late.length >= MOST_SAMPLED) break;
    const { series } = await prometheus.instant(
      `timestamp(DCGM_FI_DEV_GPU_TEMP{pod="${podOf(card)}"})`,
      firedAt.getTime(),
    );
    const at = series[0]?.value;
    if (at !== undefined) late.push(seen - at * 1_000);
  }
  return late;
}

const MOST_SAMPLED = 500;

/** All threads of a process, in user mode and in the kernel. */
async function cpuMsOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
  return 10 * (Number(fields[11]) + Number(fields[12]));
}
