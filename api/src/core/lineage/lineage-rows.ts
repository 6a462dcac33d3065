// Records the things that were made, their sources, and the things that are gone: within the transaction that makes or deletes the
// thing, so that neither exists without the other. A call may be repeated.
import { LINEAGE_RUNS, type LineageKind } from '@gantry/contract/areas/lineage/lineage.ts';
import { and, desc, eq, inArray, isNotNull, isNull, ne, notExists, or, sql } from 'drizzle-orm';
import type { Sql } from '../../platform/db/open.ts';
import { lineageEdges, lineageNodes } from '../../platform/db/schema/lineage.ts';

export interface MadeNode {
  organizationId: string;
  kind: LineageKind;
  /** The name by which people and pages refer to it. */
  ref: string;
  version: string | null;
  /** Its permanent id. */
  uid: string;
  /** The digest of its content; empty if it has no content. */
  digest: string;
  name: string;
  /** It is shown to nobody else. */
  managersOnly?: boolean;
}

/** One that is recorded already. */
export interface Source {
  kind: LineageKind;
  uid: string;
}

/** The object that has this name, or had it last; nothing if there never was one. */
export async function sourceCalled(
  tx: Sql,
  { organizationId, kind, ref }: Pick<MadeNode, 'organizationId' | 'kind' | 'ref'>,
): Promise<(Source & { name: string })[]> {
  return tx
    .select({ kind: lineageNodes.kind, uid: lineageNodes.uid, name: lineageNodes.name })
    .from(lineageNodes)
    .where(and(eq(lineageNodes.organizationId, organizationId), eq(lineageNodes.kind, kind), eq(lineageNodes.ref, ref)))
    .orderBy(sql`${lineageNodes.goneAt} is not null`, sql`${lineageNodes.id} desc`)
    .limit(1);
}

/** Sources that are not recorded are left out, and returned. What was gone is there again. */
export async function recordMade(
  tx: Sql,
  node: MadeNode,
  { from, at }: { from: readonly Source[]; at: Date },
): Promise<Source[]> {
  const [made] = await tx
    .insert(lineageNodes)
    .values({ ...node, at })
    .onConflictDoUpdate({
      target: [lineageNodes.kind, lineageNodes.uid, lineageNodes.digest],
      set: { name: node.name, goneAt: null, ...(node.managersOnly && { managersOnly: true }) },
    })
    .returning({ id: lineageNodes.id });
  if (from.length === 0 || !made) return [];
  const found = await tx
    .selectDistinctOn([lineageNodes.kind, lineageNodes.uid], {
      id: lineageNodes.id,
      kind: lineageNodes.kind,
      uid: lineageNodes.uid,
    })
    .from(lineageNodes)
    .where(or(...from.map(({ kind, uid }) => and(eq(lineageNodes.kind, kind), eq(lineageNodes.uid, uid)))))
    // For one whose content was replaced, the present content comes first.
    .orderBy(
      lineageNodes.kind,
      lineageNodes.uid,
      sql`${lineageNodes.goneAt} is not null`,
      sql`${lineageNodes.id} desc`,
    );
  const edges = found
    .filter(({ id }) => id !== made.id)
    .map(({ id }) => ({ fromId: id, toId: made.id, organizationId: node.organizationId, at }));
  if (edges.length > 0) await tx.insert(lineageEdges).values(edges).onConflictDoNothing();
  return from.filter(({ kind, uid }) => !found.some((one) => one.kind === kind && one.uid === uid));
}

/** What made the node, such as a run, is a node between it and its sources. */
export async function recordMadeBy(
  tx: Sql,
  by: MadeNode,
  node: MadeNode,
  { from, at }: { from: readonly Source[]; at: Date },
): Promise<void> {
  await recordMade(tx, by, { from, at });
  await recordMade(tx, node, { from: [by], at });
}

const RUNS = Object.keys(LINEAGE_RUNS) as (keyof typeof LINEAGE_RUNS)[];

/** A run of a task as a node: it consists of nothing. */
export const runNode = (
  kind: keyof typeof LINEAGE_RUNS,
  { organizationId, task, taskUid, run }: { organizationId: string; task: string; taskUid: string; run: number },
): MadeNode => ({
  ...{ organizationId, kind, ref: task, version: `${run}`, uid: `${taskUid}/${run}` },
  ...{ digest: '', name: task },
});

/** Marks the runs as gone whose task is gone. `present`: the uids of all tasks of that kind of the cluster. */
export async function recordGoneRuns(tx: Sql, task: string, present: ReadonlySet<string>, at: Date): Promise<void> {
  const kind = RUNS.find((each) => LINEAGE_RUNS[each] === task);
  if (!kind) return;
  const gone = await tx
    .select()
    .from(lineageNodes)
    .where(
      and(
        eq(lineageNodes.kind, kind),
        isNull(lineageNodes.goneAt),
        sql`split_part(${lineageNodes.uid}, '/', 1) <> all(${`{${[...present].map((uid) => JSON.stringify(uid)).join(',')}}`}::text[])`,
      ),
    );
  for (const { organizationId, ref, uid } of gone) await recordGone(tx, { organizationId, kind, ref, uid }, at);
}

/**
 * Marks the nodes of `ref` as gone, or the one with `uid` alone; the node whose digest is `replaced` stays. Nodes keep their name and
 * digest.
 */
export async function recordGone(
  tx: Sql,
  {
    organizationId,
    kind,
    ref,
    uid,
    replaced,
  }: Pick<MadeNode, 'organizationId' | 'kind' | 'ref'> & { uid?: string; replaced?: string },
  at: Date,
  mostAlone = MOST_ALONE,
): Promise<void> {
  await tx
    .update(lineageNodes)
    .set({ goneAt: at })
    .where(
      and(
        eq(lineageNodes.organizationId, organizationId),
        eq(lineageNodes.kind, kind),
        eq(lineageNodes.ref, ref),
        isNull(lineageNodes.goneAt),
        ...(uid === undefined ? [] : [eq(lineageNodes.uid, uid)]),
        ...(replaced === undefined ? [] : [ne(lineageNodes.digest, replaced)]),
      ),
    );
  await forgetAlone(tx, organizationId, mostAlone);
}

/** Nodes of an organisation that are gone and were made from nothing, as nothing was made from them: they tell nobody anything. */
const MOST_ALONE = 10_000;

/** The oldest beyond so many. */
async function forgetAlone(tx: Sql, organizationId: string, most: number): Promise<void> {
  const hasEdge = (end: typeof lineageEdges.fromId | typeof lineageEdges.toId) =>
    tx.select({ id: end }).from(lineageEdges).where(eq(end, lineageNodes.id));
  const beyond = tx
    .select({ id: lineageNodes.id })
    .from(lineageNodes)
    .where(
      and(
        eq(lineageNodes.organizationId, organizationId),
        isNotNull(lineageNodes.goneAt),
        notExists(hasEdge(lineageEdges.fromId)),
        notExists(hasEdge(lineageEdges.toId)),
      ),
    )
    .orderBy(desc(lineageNodes.goneAt), desc(lineageNodes.id))
    .offset(most);
  await tx.delete(lineageNodes).where(inArray(lineageNodes.id, beyond));
}

/** Renames a node; one that is gone keeps the name that it had. */
export async function recordRenamed(
  tx: Sql,
  { organizationId, kind, ref, name }: Pick<MadeNode, 'organizationId' | 'kind' | 'ref' | 'name'>,
): Promise<void> {
  await tx
    .update(lineageNodes)
    .set({ name })
    .where(
      and(
        eq(lineageNodes.organizationId, organizationId),
        eq(lineageNodes.kind, kind),
        eq(lineageNodes.ref, ref),
        isNull(lineageNodes.goneAt),
      ),
    );
}

/** From now on only those who manage the organisation see what is called so, and what ever was. */
export async function recordForManagers(
  tx: Sql,
  { organizationId, kind, ref }: Pick<MadeNode, 'organizationId' | 'kind' | 'ref'>,
): Promise<void> {
  await tx
    .update(lineageNodes)
    .set({ managersOnly: true })
    .where(
      and(eq(lineageNodes.organizationId, organizationId), eq(lineageNodes.kind, kind), eq(lineageNodes.ref, ref)),
    );
}
