// The lineage as OpenLineage events: the members and the values that its schema demands, and how our kinds become jobs and datasets.
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { type EventGraph, runEvents } from './run-events.ts';

type Node = EventGraph['nodes'][number];
const at = new Date('2026-11-29T10:00:00Z');
let last = 0;
const node = (kind: Node['kind'], ref: string, more: Partial<Node> = {}): Node => ({
  ...{ id: ++last, organizationId: 'acme', kind, ref, version: null, uid: `uid of ${ref}`, digest: '', name: ref },
  ...{ managersOnly: false, at, goneAt: null },
  ...more,
});
const later = new Date('2026-11-30T10:00:00Z');
const base = node('model', 'mdl-base', { organizationId: 'staff', digest: 'a'.repeat(64), name: 'Base', version: '7' });
const asked = node('dataset', 'dst-1', { version: '3', digest: 'b'.repeat(64), name: 'Asked' });
const run = node('finetune', 'ftn-1', { version: '2', uid: 'task/2' });
const tuned = node('model', 'mdl-1', { version: '1.0', digest: 'c'.repeat(64), name: 'Tuned' });
const chat = node('deployment', 'dep-1', {
  digest: 'd'.repeat(64),
  at: later,
  goneAt: new Date('2026-12-01T10:00:00Z'),
});
const measured = node('evaluation', 'evl-1', { version: '1', at: later });
const kept = node('collected', 'dep-1', { at: later });
const again = node('dataset', 'dst-2', { version: '1', at: later });
const NODES = [base, asked, run, tuned, chat, measured, kept, again];
const EDGES = [
  [base, run],
  [asked, run],
  [run, tuned],
  [tuned, chat],
  [chat, measured],
  [asked, measured],
  [chat, kept],
  [kept, again],
].map(([from, to]) => ({ fromId: from?.id ?? 0, toId: to?.id ?? 0 }));
const eventsOf = (more: Partial<EventGraph> = {}) => [
  ...runEvents(
    { organizationId: 'acme', nodes: NODES, edges: EDGES, told: new Set(NODES.map(({ id }) => id)), ...more },
    'urn:gantry:gateway:1.1.5',
  ),
];

/** As the schema 2-0-2 defines them: its required members, formats and values. */
const uri = z.string().regex(/^[a-z][a-z0-9+.-]*:[^\s]+$/);
const facets = z.record(z.string(), z.looseObject({ _producer: uri, _schemaURL: uri }));
const dataset = z.object({ namespace: z.string(), name: z.string(), facets });
const runEvent = z.strictObject({
  eventType: z.enum(['START', 'RUNNING', 'COMPLETE', 'ABORT', 'FAIL', 'OTHER']),
  eventTime: z.iso.datetime(),
  run: z.strictObject({ runId: z.guid(), facets }),
  job: z.strictObject({ namespace: z.string(), name: z.string(), facets }),
  inputs: z.array(dataset),
  outputs: z.array(dataset),
  producer: uri,
  schemaURL: z.literal('https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent'),
});

test('every event has what the schema demands, and each run starts once and ends at most once', () => {
  const events = eventsOf();
  for (const event of events) expect(runEvent.parse(JSON.parse(JSON.stringify(event)))).toEqual(event);
  const runs = Map.groupBy(events, (event) => event.run.runId);
  const shapes = [...runs.values()].map((of) => of.map(({ eventType }) => eventType).join(' '));
  expect(new Set(shapes)).toEqual(new Set(['START COMPLETE']));
  expect(events.map(({ eventTime }) => eventTime)).toEqual(events.map(({ eventTime }) => eventTime).toSorted());
});

test('runs and deployments are jobs, versions and collected sets are datasets, and what came from outside arrived', () => {
  const ended = eventsOf().filter(({ eventType }) => eventType === 'COMPLETE');
  const said = ended.map(({ job, inputs, outputs }) => [
    job.name,
    inputs.map(({ name }) => name),
    outputs.map(({ name }) => name),
  ]);
  expect(said).toEqual([
    ['arrival/dataset/dst-1', [], ['dataset/dst-1']],
    ['finetune/ftn-1', [`model/${'a'.repeat(64)}`, 'dataset/dst-1'], ['model/mdl-1']],
    ['evaluation/evl-1', ['deployment/dep-1', 'dataset/dst-1'], []],
    ['arrival/dataset/dst-2', ['collected/dep-1'], ['dataset/dst-2']],
    ['deployment/dep-1', ['model/mdl-1'], ['collected/dep-1', 'deployment/dep-1']],
  ]);
});

test('a deployment that is there has started alone', () => {
  const events = eventsOf({ nodes: [tuned, { ...chat, goneAt: null }] });
  const ofChat = events.filter(({ job }) => job.name === 'deployment/dep-1');
  expect(ofChat.map(({ eventType, job }) => [eventType, job.facets.jobType])).toEqual([
    ['START', expect.objectContaining({ processingType: 'SERVICE', integration: 'GANTRY', jobType: 'DEPLOYMENT' })],
  ]);
});

test('a dataset says its version, its digest and when it was deleted; of the library the digest and the name alone', () => {
  const [, ended] = eventsOf({ nodes: [base, { ...asked, goneAt: later }, run], told: new Set([run.id]) });
  expect(ended?.inputs.map(({ namespace, facets: { version, gantry } }) => ({ namespace, version, gantry }))).toEqual([
    {
      namespace: 'gantry://library',
      version: undefined,
      gantry: expect.objectContaining({ kind: 'model', displayName: 'Base', sha256: 'a'.repeat(64), deletedAt: null }),
    },
    {
      namespace: 'gantry://acme',
      version: expect.objectContaining({ datasetVersion: '3' }),
      gantry: expect.objectContaining({ displayName: 'Asked', deletedAt: later.toISOString() }),
    },
  ]);
});

describe('ids of runs', () => {
  const idsOf = (nodes: readonly Node[]) => new Set(eventsOf({ nodes, edges: [] }).map((event) => event.run.runId));

  test('are the same in every export, and of no other run', () => {
    expect(idsOf(NODES).size).toBe(NODES.length - 1);
    expect(idsOf(NODES)).toEqual(idsOf(NODES));
    expect(idsOf([run])).not.toEqual(idsOf([{ ...run, uid: 'task/3' }]));
  });
});
