// Reads the lineage of one thing, level by level. Its organisation's own is shown whole; of what it uses of others' (the library)
// the name and the digest, and nothing of what those came from or became elsewhere.
import { createHash } from 'node:crypto';
import {
  type AffectedView,
  type ImpactView,
  type LineageKind,
  type LineageNodeView,
  type LineageQuery,
  type LineageThing,
  type LineageView,
  MOST_COUNTED,
  MOST_LEVELS,
  MOST_NODES,
} from '@gantry/contract/areas/lineage/lineage.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { and, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { Database, Sql } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import { lineageEdges, lineageNodes } from '../../platform/db/schema/lineage.ts';
import { type Caller, mayManage } from '../../platform/http/caller.ts';
import type { EventGraph } from './run-events.ts';

/** By kind: the organisation whose thing is shown to everybody; undefined where it is not. */
export type ShownToAll = { readonly [Kind in LineageKind]?: (id: string) => Promise<string | undefined> };

interface LineageParts {
  db: Pick<Database, 'sql'>;
  shown: ShownToAll;
  /** Whether the deployment of this name is there with this uid, and answers, or does once it is ready or asked. */
  isRunning(organizationId: string, ref: string, uid: string): boolean;
  /** What people call the task of this run now; undefined where it has no such name, or is gone. */
  taskName(run: Pick<NodeRow, 'organizationId' | 'kind' | 'ref' | 'uid'>): string | undefined;
}

type NodeRow = typeof lineageNodes.$inferSelect;

/** Nodes in the order in which they were reached. */
interface Reached {
  rows: readonly NodeRow[];
  /** By the node's id. */
  levels: ReadonlyMap<number, number>;
  more: boolean;
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
    const { id: own } = caller.organization;
    const { rows, levels, more } = await this.#reach(caller, asked);
    const ids = rows.map(({ id }) => id);
    const edges = await edgesAmong(db, own, ids);
    const places = new Map(ids.map((id, place) => [id, place]));
    return {
      nodes: await this.#views(caller, rows, levels),
      edges: edges.slice(0, MOST_EDGES).map(({ fromId, toId, at }) => ({
        from: places.get(fromId) ?? 0,
        to: places.get(toId) ?? 0,
        time: at.toISOString(),
      })),
      more: more || edges.length > MOST_EDGES,
    };
  }

  /** All that came from it. Running deployments first, then what is there, then what is gone; of each the nearest first. Throws not_found. */
  async impact(caller: Caller, thing: LineageThing): Promise<ImpactView> {
    const reached = await this.#reach(caller, { ...thing, direction: 'down', depth: MOST_LEVELS });
    const { levels, more } = reached;
    const rows = reached.rows.filter(({ id }) => levels.get(id) !== 0);
    const { isRunning } = this.#parts;
    const running = rows.map(
      ({ kind, goneAt, organizationId, ref, uid }) =>
        kind === 'deployment' && goneAt === null && isRunning(organizationId, ref, uid),
    );
    const views = await this.#views(caller, rows, levels);
    const nodes = views.map((view, place) => ({ ...view, is_running: running[place] === true }));
    return { nodes: nodes.toSorted((one, other) => urgency(one) - urgency(other) || one.level - other.level), more };
  }

  /**
   * What of it can be told as events, once with all that each run read and made: a run has more inputs than those by which it was
   * reached. Throws not_found.
   */
  async events(caller: Caller, asked: LineageQuery): Promise<EventGraph & { more: boolean }> {
    const { sql: db } = this.#parts.db;
    const { id: own } = caller.organization;
    const { rows, more } = await this.#reach(caller, asked);
    const ids = rows.map(({ id }) => id);
    const beside = await rowsOf<{ id: string }>(db, neighboursOf(own, ids, mayManage(caller)));
    const others = beside.slice(0, MOST_NODES).map(({ id }) => Number(id));
    const nodes = [...rows, ...(await nodesOf(db, others, seenBy(caller)))];
    const edges = await edgesAmong(db, own, [...ids, ...others]);
    return {
      ...{ organizationId: own, nodes, told: new Set(ids), edges: edges.slice(0, MOST_EDGES) },
      more: more || beside.length > MOST_NODES || edges.length > MOST_EDGES,
    };
  }

  async #reach(caller: Caller, asked: LineageQuery): Promise<Reached> {
    const { sql: db } = this.#parts.db;
    const { direction, depth } = asked;
    const { id: own } = caller.organization;
    const seen = seenBy(caller);
    const start = await this.#start(own, asked, seen);
    const levels = new Map(start.map((id) => [id, 0]));
    for (const way of WAYS[direction])
      for (const { id, level } of await rowsOf<Step>(db, walk(way, own, start, depth, mayManage(caller))))
        if (!levels.has(Number(id))) levels.set(Number(id), way === 'up' ? -level : level);
    const ids = [...levels.keys()].slice(0, MOST_NODES);
    return { rows: await nodesOf(db, ids, seen), levels, more: levels.size > MOST_NODES };
  }

  async #views(caller: Caller, rows: readonly NodeRow[], levels: Reached['levels']): Promise<LineageNodeView[]> {
    const { id: own } = caller.organization;
    const ids = rows.map(({ id }) => id);
    const counts = await countsOf(this.#parts.db.sql, own, ids, mayManage(caller));
    return rows.map((row) => {
      const view = viewOf(row, levels.get(row.id) ?? 0, own, counts.get(row.id));
      return { ...view, name: (view.is_own ? this.#parts.taskName(row) : undefined) ?? view.name };
    });
  }

  /** The nodes of the request: all versions of the thing, unless one is named. Of others' things only those that still exist. */
  async #start(organizationId: string, { kind, id, version }: LineageThing, seen: SQL | undefined): Promise<number[]> {
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

const urgency = ({ is_running: isRunning, gone_time: gone }: AffectedView): number =>
  isRunning ? 0 : gone === null ? 1 : 2;

/** Objects for managers only do not exist for others. */
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
 * the order of `next`, hoping to meet the limit early. For those who may not manage, no way leads through what only managers see.
 */
export function walk(way: Way, organizationId: string, start: readonly number[], depth: number, seesAll: boolean): SQL {
  const { at, next } = COLUMNS[way];
  const isSeen = seesAll ? sql`true` : isShown(sql`next`);
  const begin = sql`${`{${start.join(',')}}`}::bigint[]`;
  return sql`with recursive walk (level, ids, seen) as (
      select 0, ${begin}, ${begin}
    union all
      select walk.level + 1, found.ids, walk.seen || found.ids
        from walk cross join lateral (select array(
          select distinct next from (select ${next} as next from ${lineageEdges}
            where ${at} = any(walk.ids) and ${lineageEdges.organizationId} = ${organizationId} and ${next} <> all(walk.seen)
            offset 0) as edges
            where ${isSeen}
            limit greatest(0, ${MOST_NODES + 1} - cardinality(walk.seen))) as ids) as found
        where walk.level < ${depth} and cardinality(found.ids) > 0)
    select unnest(ids) as id, level from walk where level > 0`;
}

const isShown = (id: SQL): SQL =>
  sql`not exists (select from ${lineageNodes} as hidden where hidden.id = ${id} and hidden.managers_only)`;

/** Those that are not among `ids` themselves; one more than are taken. */
const neighboursOf = (organizationId: string, ids: readonly number[], seesAll: boolean): SQL => {
  const known = sql`${`{${ids.join(',')}}`}::bigint[]`;
  const of = (way: Way) => {
    const { at, next } = COLUMNS[way];
    return sql`select ${next} as id from ${lineageEdges}
      where ${at} = any(${known}) and ${lineageEdges.organizationId} = ${organizationId} and ${next} <> all(${known})`;
  };
  const isSeen = seesAll ? sql`true` : isShown(sql`beside.id`);
  return sql`select distinct id from (${of('up')} union all ${of('down')}) as beside where ${isSeen} limit ${MOST_NODES + 1}`;
};

interface Counts {
  sources: number;
  uses: number;
}

/** How many neighbours each has that the caller sees, up to MOST_COUNTED. */
async function countsOf(
  db: Sql,
  organizationId: string,
  ids: readonly number[],
  seesAll: boolean,
): Promise<ReadonlyMap<number, Counts>> {
  const count = (way: Way) => {
    const { at, next } = COLUMNS[way];
    return sql`(select count(*)::int from (select from ${lineageEdges}
      where ${at} = node.id and ${lineageEdges.organizationId} = ${organizationId} and ${seesAll ? sql`true` : isShown(sql`${next}`)}
      limit ${MOST_COUNTED}) as counted)`;
  };
  const rows = await rowsOf<Counts & { id: string }>(
    db,
    sql`select id, ${count('up')} as sources, ${count('down')} as uses
      from unnest(${`{${ids.join(',')}}`}::bigint[]) as node (id)`,
  );
  return new Map(rows.map(({ id, sources, uses }) => [Number(id), { sources, uses }]));
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

function viewOf(
  row: NodeRow,
  level: number,
  organizationId: string,
  { sources, uses }: Counts = { sources: 0, uses: 0 },
): LineageNodeView {
  const { kind, name, digest } = row;
  const isOwn = row.organizationId === organizationId;
  return {
    ...{ key: keyOf(row), sources, uses },
    ...{ kind, name, digest: digest || null, is_own: isOwn, level },
    id: isOwn ? row.ref : null,
    version: isOwn ? row.version : null,
    create_time: isOwn ? row.at.toISOString() : null,
    gone_time: isOwn ? (row.goneAt?.toISOString() ?? null) : null,
  };
}

/** Says nothing about the row: neither when it was written, nor whose it is. */
const keyOf = ({ kind, uid, digest }: Pick<NodeRow, 'kind' | 'uid' | 'digest'>): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, uid, digest]))
    .digest('base64url')
    .slice(0, KEY_LENGTH);

/** 132 bits. */
const KEY_LENGTH = 22;
