// Faults of the platform itself: read from what the gateway knows anyway, each time that somebody looks.
import { statfs } from 'node:fs/promises';
import { isEvaluated } from '@gantry/contract/alerts/is-evaluated.ts';
import type { Condition, KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { instantOf } from '@gantry/contract/fields/date-time.ts';
import { gpuFaultsOf } from '@gantry/contract/gpu-conditions.ts';
import { type AlertPolicy, alertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { rfc3339 } from '@gantry/contract/next-condition.ts';
import { RECONCILED } from '@gantry/contract/reconcile-sentences.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Node } from '@gantry/kube/core-objects.ts';
import { count, desc, eq, ne, sql } from 'drizzle-orm';
import type { Database } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import { alarms, alertCycles } from '../../platform/db/schema/alerts.ts';
import { proofs } from '../../platform/db/schema/approvals.ts';
import type { PlatformAlarms } from './overview.ts';

/** An evaluator counts a cycle within a second of its end; a hand-over takes 20. */
const LATE_MS = 60_000;
const FULL_SHARE = 0.9;

interface Parts {
  db: Pick<Database, 'sql'>;
  clock: Pick<Clock, 'now'>;
  nodes(): readonly Node[];
  list(facts: KindFacts): readonly KubeObject[];
  /** The folder in which PGlite keeps its files; empty with PostgreSQL. */
  dataDir: string;
  /** How large PostgreSQL's database may become; 0: nobody said. */
  databaseSizeGi: number;
}

type Alarm = PlatformAlarms['alarms'][number];

export async function platformAlarms(parts: Parts): Promise<PlatformAlarms> {
  const [firing] = await parts.db.sql.select({ count: count() }).from(alarms).where(eq(alarms.status, 'firing'));
  const found = await Promise.all([nodes(parts), books(parts), evaluator(parts), plans(parts), disk(parts)]);
  return { alarms: found.flat(), firing: firing?.count ?? 0 };
}

interface One {
  what: string;
  since?: string | undefined;
}

/** Since the first of them. */
function alarmOf(name: Alarm['name'], ones: readonly One[]): Alarm[] {
  const [first] = ones;
  const since = ones.flatMap(({ since }) => since ?? []).sort()[0] ?? null;
  return first ? [{ name, count: ones.length, what: first.what, since }] : [];
}

async function nodes(parts: Parts): Promise<Alarm[]> {
  const all = parts.nodes();
  return [
    ...alarmOf(
      'nodeLost',
      all.flatMap(({ metadata, status }): One[] => {
        const condition = status?.conditions?.find(({ type, status: is }) => type === 'Ready' && is !== 'True');
        return condition ? [{ what: metadata.name, since: condition.lastTransitionTime }] : [];
      }),
    ),
    ...alarmOf(
      'gpuFailed',
      all.flatMap((node): One[] => {
        const first = gpuFaultsOf(node).at(-1);
        if (!first) return [];
        return [{ what: node.metadata.name, since: Number.isFinite(first.since) ? rfc3339(first.since) : undefined }];
      }),
    ),
  ];
}

async function books({ db }: Parts): Promise<Alarm[]> {
  const [last] = await db.sql
    .select({ id: proofs.id, state: proofs.state, at: proofs.startedAt })
    .from(proofs)
    .where(ne(proofs.state, 'running'))
    .orderBy(desc(proofs.startedAt))
    .limit(1);
  return last?.state === 'faulty' ? alarmOf('booksWrong', [{ what: last.id, since: last.at.toISOString() }]) : [];
}

/** Since the last cycle that was counted, or since the oldest policy was made: earlier ones were those of policies that are gone. */
async function evaluator({ db, clock, list }: Parts): Promise<Alarm[]> {
  const cycles = new Map((await db.sql.select().from(alertCycles)).map(({ periodSeconds, at }) => [periodSeconds, at]));
  const now = clock.now();
  const watched = (list(alertPolicy) as readonly AlertPolicy[]).filter((policy) => isEvaluated(policy, now));
  const late = [...Map.groupBy(watched, ({ spec }) => spec.periodSeconds)].flatMap(([seconds, of]): One[] => {
    const made = of.map(({ metadata }) => instantOf(metadata.creationTimestamp) ?? now);
    const at = Math.max(cycles.get(seconds) ?? 0, Math.min(...made));
    const isLate = now - at > 2 * seconds * 1000 + LATE_MS;
    return isLate ? [{ what: `${seconds} s`, since: new Date(at).toISOString() }] : [];
  });
  return alarmOf('evaluatorLate', late);
}

/** The operator says of an object that it cannot bring about what is wanted of it. */
async function plans({ list }: Parts): Promise<Alarm[]> {
  const stuck = (Object.values(KINDS) as readonly KindFacts[]).flatMap((facts) =>
    (list(facts) as readonly (KubeObject & { status?: { conditions?: Condition[] } })[]).flatMap(
      ({ metadata, status }): One[] => {
        const condition = status?.conditions?.find(({ type }) => type === RECONCILED);
        return condition?.status === 'False'
          ? [{ what: `${metadata.namespace ?? ''}/${metadata.name}`, since: condition.lastTransitionTime }]
          : [];
      },
    ),
  );
  return alarmOf('planStuck', stuck);
}

/** The fill level of PGlite's disk, or of PostgreSQL by its own size, because nobody here sees its disk. */
async function disk({ db, dataDir, databaseSizeGi }: Parts): Promise<Alarm[]> {
  const used = dataDir === '' ? await usedOf(db, databaseSizeGi) : await fullness(dataDir);
  return used > FULL_SHARE ? alarmOf('diskFull', [{ what: `${Math.round(used * 100)}%` }]) : [];
}

async function fullness(folder: string): Promise<number> {
  const { blocks, bavail } = await statfs(folder);
  return 1 - bavail / blocks;
}

async function usedOf({ sql: db }: Parts['db'], sizeGi: number): Promise<number> {
  if (sizeGi === 0) return 0;
  const [row] = await rowsOf<{ bytes: string }>(db, sql`select pg_database_size(current_database())::text as bytes`);
  return Number(row?.bytes ?? 0) / (sizeGi * 2 ** 30);
}
