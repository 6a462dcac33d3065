// Rows E1 to E3: policies of two hundred organisations, evaluated by us over a plain Prometheus, and the same rules in a Prometheus of
// its own beside it, over the same cards, at the same time. What fires when, what either costs, and how late a notice is written.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as elapse } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { and, eq, gte, isNull, max } from 'drizzle-orm';
import { type Database, openDatabase } from '../../api/src/platform/db/open.ts';
import { alarms, alertCycles, alertNotices } from '../../api/src/platform/db/schema/alerts.ts';
import { Prometheus } from '../../api/src/platform/prometheus/prometheus.ts';
import { SMALL_NURSERY } from '../../hack/platform.ts';
import { endingWithUs } from '../support/ending-with-us.ts';
import { eventually } from '../support/eventually.ts';
import { freePorts } from '../support/free-ports.ts';
import { startPrometheusServer } from '../support/prometheus-server.ts';
import { INTERVAL_MS, LIMIT, namespaceOf, podOf } from './hot-cards.ts';
import { startMeasuredPostgres } from './measured-postgres.ts';
import { isRehearsal, sized } from './stage.ts';
import { endsOf, metOf, policiesOf } from './watched-evaluator.ts';

const POLICIES = sized(10_000);
const policies = policiesOf(POLICIES);
const INTERVAL_S = INTERVAL_MS / 1_000;
/** An hour; a rehearsal plays three minutes. */
const CYCLES = isRehearsal ? 12 : 240;
/** So long both sides warm up: their first cycles read the disk. */
const WARM_CYCLES = 2;
/** Only the server's part of our looks at the outbox is counted: often enough for E3, and no more. */
const LOOK_MS = 1_000;
const EVALUATOR = fileURLToPath(new URL('watched-evaluator.ts', import.meta.url));
const LIMITS = { deadlineMs: 10_000, mostSeries: 200_000, mostBytes: 128 * 1024 * 1024 };

export interface Watched {
  /** Episodes that only one side has seen, or whose beginnings lie more than an interval apart. */
  readonly differing: number;
  readonly episodes: number;
  /** CPU of our evaluator, its SQL and its Prometheus, and of the Prometheus with native rules. */
  readonly cpuMs: { ours: number; peer: number };
  /** From the sample that meets a rule to the notice's row. */
  readonly lateMs: readonly number[];
}

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
  const url = await server.createDatabase('alerts');
  const db = await openDatabase({ url });
  const evaluator = spawn(
    ...endingWithUs(process.execPath, [SMALL_NURSERY, EVALUATOR, `${POLICIES}`, plain.url, url]),
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  try {
    const noticed = new Map<string, number>();
    await eventually('the evaluator counts', async () => (await db.sql.select().from(alertCycles)).length > 0, 60_000);
    await elapse(WARM_CYCLES * INTERVAL_MS);
    const began = Date.now();
    const pids = [evaluator.pid ?? 0, plain.pid, ruled.pid];
    const before = await Promise.all(pids.map(cpuMsOf));
    const { serverMs } = await server.cost(async () => {
      for (let end = performance.now() + CYCLES * INTERVAL_MS; performance.now() < end; await elapse(LOOK_MS)) {
        for (const id of await newest(db)) if (!noticed.has(id)) noticed.set(id, Date.now());
      }
    });
    const after = await Promise.all(pids.map(cpuMsOf));
    const [evaluatorMs = 0, plainMs = 0, ruledMs = 0] = after.map((ms, at) => ms - (before[at] ?? 0));
    evaluator.kill('SIGKILL');
    const parts = { evaluator: evaluatorMs, SQL: serverMs, Prometheus: plainMs };
    console.log(`ours in ms: ${JSON.stringify(parts)}; theirs: ${ruledMs}`);
    const rows = await db.sql.select().from(alarms);
    // Those that began before, or may not have come to both sides yet, count for neither.
    const span = { from: began + 4 * INTERVAL_MS, to: Date.now() - 6 * INTERVAL_MS };
    const ours = rows.flatMap(({ policy, firedAt }) => (firedAt ? [{ policy, at: firedAt.getTime() }] : []));
    const theirs = await nativeEpisodes(new Prometheus({ url: ruled.url }), began);
    return {
      differing: differing(ours, theirs, span),
      episodes: ours.filter(({ at }) => at >= span.from && at <= span.to).length,
      cpuMs: { ours: evaluatorMs + serverMs + plainMs, peer: ruledMs },
      lateMs: await lateness(new Prometheus({ url: plain.url }), rows, noticed, began),
    };
  } finally {
    evaluator.kill('SIGKILL');
    exporter.kill('SIGKILL');
    await db.close();
    await Promise.all([plain.end(), ruled.end(), server.end()]);
  }
}

/** Alarms of the notices that were due last: those of a cycle and of the one before, as a cycle is written in several parts. */
async function newest({ sql: db }: Database): Promise<string[]> {
  const { alarmId, transition, dueAt, sentAt, endedAt } = alertNotices;
  const waits = [eq(transition, 'fired'), isNull(sentAt), isNull(endedAt)];
  const [last] = await db
    .select({ at: max(dueAt) })
    .from(alertNotices)
    .where(and(...waits));
  if (!last?.at) return [];
  const since = new Date(last.at.getTime() - INTERVAL_MS);
  const rows = await db
    .select({ id: alarmId })
    .from(alertNotices)
    .where(and(...waits, gte(dueAt, since)));
  return rows.flatMap(({ id }) => id ?? []);
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

/** The lateness of rules that one sample meets. */
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
