// The lineage as OpenLineage RunEvents, version 2-0-2 of its schema (openlineage.io/spec). A run of a task, and a deployment, is a run of a
// job; a version, and what was collected, is a dataset. What was made by no run of ours arrived by a job of its own. Pure.
import { createHash } from 'node:crypto';
import type { LineageKind } from '@gantry/contract/areas/lineage/lineage.ts';
import type { lineageNodes } from '../../platform/db/schema/lineage.ts';

type NodeRow = typeof lineageNodes.$inferSelect;

export interface EventGraph {
  /** Whose lineage it is: of what belongs to others only the name and the digest are told. */
  organizationId: string;
  nodes: readonly NodeRow[];
  edges: readonly { fromId: number; toId: number }[];
  /** Nodes that have events of their own; the others are only inputs and outputs of these. */
  told: ReadonlySet<number>;
}

type Facets = Readonly<Record<string, { _producer: string; _schemaURL: string }>>;

interface Dataset {
  namespace: string;
  name: string;
  facets: Facets;
}

/** The members that the schema requires, and those of its optional ones that are told. */
export interface RunEvent {
  eventType: 'START' | 'COMPLETE';
  eventTime: string;
  run: { runId: string; facets: Facets };
  job: { namespace: string; name: string; facets: Facets };
  inputs: readonly Dataset[];
  outputs: readonly Dataset[];
  producer: string;
  schemaURL: string;
}

const SPEC = 'https://openlineage.io/spec';
const CORE = `${SPEC}/2-0-2/OpenLineage.json`;
const VERSION = `${SPEC}/facets/1-0-0/DatasetVersionDatasetFacet.json#/$defs/DatasetVersionDatasetFacet`;
const JOB_TYPE = `${SPEC}/facets/2-0-4/JobTypeJobFacet.json#/$defs/JobTypeJobFacet`;
const LIBRARY = 'gantry://library';

/** A service ends when it is gone. Of anything else only the end is recorded: it starts in the same moment. */
const RUNS: Readonly<Partial<Record<LineageKind, 'BATCH' | 'SERVICE'>>> = {
  process: 'BATCH',
  finetune: 'BATCH',
  evaluation: 'BATCH',
  deployment: 'SERVICE',
};

/** In the order of their time. `producer`: a URI of what says so. */
export function* runEvents(graph: EventGraph, producer: string): Generator<RunEvent> {
  const { nodes, told, organizationId } = graph;
  const own = nodes.filter((node) => told.has(node.id) && node.organizationId === organizationId);
  const tell = eventsIn(graph, producer);
  const moments = own.flatMap((node) => {
    const started = { node, eventType: 'START', at: node.at } as const;
    if (RUNS[node.kind] !== 'SERVICE') return [started, { node, eventType: 'COMPLETE', at: node.at } as const];
    return node.goneAt ? [started, { node, eventType: 'COMPLETE', at: node.goneAt } as const] : [started];
  });
  // What is made is recorded after what it was made of, and in the same moment with its run.
  for (const { node, ...moment } of moments.toSorted(
    (one, other) => +one.at - +other.at || one.node.id - other.node.id,
  ))
    yield* tell(node, moment);
}

interface Moment {
  eventType: RunEvent['eventType'];
  at: Date;
}

/** None of what a run of ours has made: that run tells of it. */
function eventsIn({ organizationId, nodes, edges }: EventGraph, producer: string) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const into = Map.groupBy(edges, ({ toId }) => toId);
  const outOf = Map.groupBy(edges, ({ fromId }) => fromId);
  const found = (ids: readonly number[]) => ids.flatMap((id) => byId.get(id) ?? []);
  const facet = <Fields extends object>(_schemaURL: string, fields: Fields) => ({
    ...{ _producer: producer, _schemaURL },
    ...fields,
  });
  const namespace = `gantry://${organizationId}`;
  const dataset = (node: NodeRow): Dataset => {
    const { kind, ref, version, name, digest, goneAt } = node;
    const isOwn = node.organizationId === organizationId;
    const about = {
      ...{ kind, displayName: name, sha256: digest || null },
      deletedAt: isOwn && goneAt ? goneAt.toISOString() : null,
    };
    return {
      namespace: isOwn ? namespace : LIBRARY,
      name: isOwn ? `${kind}/${ref}` : `${kind}/${digest || name}`,
      facets: {
        ...(isOwn && version !== null && { version: facet(VERSION, { datasetVersion: version }) }),
        gantry: facet(`${CORE}#/$defs/DatasetFacet`, about),
      },
    };
  };
  return function* (node: NodeRow, { eventType, at }: Moment): Generator<RunEvent> {
    const processingType = RUNS[node.kind];
    const sources = found((into.get(node.id) ?? []).map(({ fromId }) => fromId));
    const made = found((outOf.get(node.id) ?? []).map(({ toId }) => toId));
    if (processingType === undefined && sources.some(({ kind }) => RUNS[kind] !== undefined)) return;
    // What another run reads of a run is that run itself, such as a deployment that is evaluated.
    const isRead = made.some(({ kind }) => RUNS[kind] !== undefined);
    const outputs =
      processingType === undefined
        ? [node]
        : [...made.filter(({ kind }) => RUNS[kind] === undefined), ...(isRead ? [node] : [])];
    yield {
      ...{ eventType, eventTime: at.toISOString() },
      run: { runId: runIdOf(node), facets: {} },
      job: {
        namespace,
        name: processingType === undefined ? `arrival/${node.kind}/${node.ref}` : `${node.kind}/${node.ref}`,
        facets: {
          jobType: facet(JOB_TYPE, {
            processingType: processingType ?? 'BATCH',
            ...{ integration: 'GANTRY', jobType: processingType === undefined ? 'ARRIVAL' : node.kind.toUpperCase() },
          }),
        },
      },
      inputs: sources.map(dataset),
      outputs: outputs.map(dataset),
      ...{ producer, schemaURL: `${CORE}#/$defs/RunEvent` },
    };
  };
}

/** Always the same of a node: a UUID of version 8 (RFC 9562), whose bits are ours to choose. */
function runIdOf({ kind, uid, digest }: Pick<NodeRow, 'kind' | 'uid' | 'digest'>): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify([kind, uid, digest]))
    .digest()
    .subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
