// Reads the lineage of one thing, level by level. Its organisation's own is shown whole; of what it uses of others' (the library)
// the name and the digest, and nothing of what those came from or became elsewhere.
import {
  type LineageKind,
  type LineageNodeView,
  type LineageQuery,
  type LineageView,
  MOST_NODES,
} from '@gantry/contract/areas/lineage/lineage.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { and, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { Database, Sql } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import { lineageEdges, lineageNodes } from '../../platform/db/schema/lineage.ts';
import { type Caller, mayManage } from '../../platform/http/caller.ts';

/** By kind: the organisation whose thing is shown to everybody; undefined where it is not. */
export type ShownToAll = { readonly [Kind in LineageKind]?: (id: string) => Promise<string | undefined> };

interface LineageParts {
  db: Pick<Database, 'sql'>;
  shown: ShownToAll;
}

/** Each thing is made of few others. */
const MOST_EDGES = 5 * MOST_NODES;

export class Lineage {
  readonly #parts: LineageParts;

  constructor(parts: LineageParts) {
    this.#parts = parts;
  }

  /** Throws not_found. */
  async of(caller: Caller, asked: LineageQuery): Promise<LineageView> {
    const { sql: db } = this.#parts.db;
    const { direction, depth } = asked;
    const { organization } = caller;
    const seen = seenBy(caller);
    const start = await this.#start(organization.id, asked, seen);
    const levels = new Map(start.map((id) => [id, 0]));
    for (const way of WAYS[direction])
      for (const { id, level } of await rowsOf<Step>(db, walk(way, organization.id, start, depth)))
        if (!levels.has(Number(id))) levels.set(Number(id), way === 'up' ? -level : level);
    const ids = [...levels.keys()].slice(0, MOST_NODES);
    const rows = await nodesOf(db, ids, seen);
    const edges = await edgesAmong(db, organization.id, ids);
    const places = new Map(rows.map(({ id }, place) => [id, place]));
    return {
      nodes: rows.map((row) => viewOf(row, levels.get(row.id) ?? 0, organization.id)),
      edges: edges
        .filter(({ fromId, toId }) => places.has(fromId) && places.has(toId))
        .slice(0, MOST_EDGES)
        .map(({ fromId, toId, via, at }) => ({
          from: places.get(fromId) ?? 0,
          to: places.get(toId) ?? 0,
          via,
          time: at.toISOString(),
        })),
      more: levels.size > MOST_NODES || edges.length > MOST_EDGES,
    };
  }

  /** The nodes of the request: all versions of the thing, unless one is named. Of others' things only those that still exist. */
  async #start(organizationId: string, { kind, id, version }: LineageQuery, seen: SQL | undefined): Promise<number[]> {
    const { db, shown } = this.#parts;
    const named = (of: string) =>
      and(
        eq(lineageNodes.organizationId, of),
        eq(lineageNodes.kind, kind),
        eq(lineageNodes.ref, id),
        ...(version === undefined ? [] : [eq(lineageNodes.version, version)]),
      );
    const find = async (where: SQL | undefined) =>
      (
        await db.sql
          .select({ id: lineageNodes.id })
          .from(lineageNodes)
          .where(and(where, seen))
          .orderBy(desc(lineageNodes.id))
          .limit(MOST_NODES)
      ).map((row) => row.id);
    const own = await find(named(organizationId));
    if (own.length > 0) return own;
    const owner = await shown[kind]?.(id);
    const found = owner === undefined ? [] : await find(and(named(owner), isNull(lineageNodes.goneAt)));
    if (found.length === 0) throw problem('not_found', { what: id });
    return found;
  }
}

/** What is for those who manage does not exist for others. */
const seenBy = (caller: Caller): SQL | undefined =>
  mayManage(caller) ? undefined : eq(lineageNodes.managersOnly, false);

type Way = 'up' | 'down';
const WAYS: Readonly<Record<LineageQuery['direction'], readonly Way[]>> = {
  up: ['up'],
  down: ['down'],
  both: ['up', 'down'],
};
const COLUMNS = {
  up: { at: lineageEdges.toId, next: lineageEdges.fromId },
  down: { at: lineageEdges.fromId, next: lineageEdges.toId },
} as const;

interface Step {
  id: string;
  level: number;
}

/**
 * A row of the recursion is a level, not a way: a node comes once, on its shortest way, so circles and a thousand ways between two
 * nodes cost nothing. It ends by itself with one node more than are shown. Without `offset 0` the planner may read a whole index in
 * the order of `next`, hoping to meet the limit early.
 */
export function walk(way: Way, organizationId: string, start: readonly number[], depth: number): SQL {
  const { at, next } = COLUMNS[way];
  const begin = sql`${`{${start.join(',')}}`}::bigint[]`;
  return sql`with recursive walk (level, ids, seen) as (
      select 0, ${begin}, ${begin}
    union all
      select walk.level + 1, found.ids, walk.seen || found.ids
        from walk cross join lateral (select array(
          select distinct next from (select ${next} as next from ${lineageEdges}
            where ${at} = any(walk.ids) and ${lineageEdges.organizationId} = ${organizationId} and ${next} <> all(walk.seen)
            offset 0) as edges
            limit greatest(0, ${MOST_NODES + 1} - cardinality(walk.seen))) as ids) as found
        where walk.level < ${depth} and cardinality(found.ids) > 0)
    select unnest(ids) as id, level from walk where level > 0`;
}

/** In the order of `ids`. */
async function nodesOf(db: Sql, ids: readonly number[], seen: SQL | undefined) {
  const rows = await db
    .select()
    .from(lineageNodes)
    .where(and(inArray(lineageNodes.id, [...ids]), seen));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

const edgesAmong = (db: Sql, organizationId: string, ids: readonly number[]) =>
  db
    .select()
    .from(lineageEdges)
    .where(
      and(
        eq(lineageEdges.organizationId, organizationId),
        inArray(lineageEdges.toId, [...ids]),
        inArray(lineageEdges.fromId, [...ids]),
      ),
    )
    .limit(MOST_EDGES + 1);

function viewOf(row: typeof lineageNodes.$inferSelect, level: number, organizationId: string): LineageNodeView {
  const { kind, name, digest } = row;
  const isOwn = row.organizationId === organizationId;
  return {
    ...{ kind, name, digest: digest || null, is_own: isOwn, level },
    id: isOwn ? row.ref : null,
    version: isOwn ? row.version : null,
    create_time: isOwn ? row.at.toISOString() : null,
    gone_time: isOwn ? (row.goneAt?.toISOString() ?? null) : null,
  };
}
