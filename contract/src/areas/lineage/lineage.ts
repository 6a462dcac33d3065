// The lineage of a thing, in both directions: within the caller's organisation alone.
import * as z from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { TRANSFER_ENDS } from '../models/model-facets.ts';

/** What has a lineage. A new kind is a word here, a page in `console/src/parts/lineage/lineage-kinds.ts`, and its words. */
export const LINEAGE_KINDS = [
  ...(['dataset', 'process', 'finetune', 'model', 'evaluation', 'deployment'] as const),
  'collected',
] as const;
export type LineageKind = (typeof LINEAGE_KINDS)[number];

/** Those whose versions are runs of a task, with the kind of the task. */
export const LINEAGE_RUNS = {
  process: 'DataProcess',
  finetune: 'FineTune',
  evaluation: 'Evaluation',
} as const satisfies Partial<Record<LineageKind, string>>;

/** Present in an export that lacks something, because there is too much. */
export const EXPORT_IS_CUT = 'x-lineage-cut';

const DIRECTIONS = ['up', 'down', 'both'] as const;
export const MOST_LEVELS = 50;
export const MOST_NODES = 2_000;
/** The most neighbours that are counted of a node. */
export const MOST_COUNTED = 100;

const time = z.iso.datetime();
const place = z.int().min(0).meta({ description: 'Its place among the nodes.' });

const counted = z.int().min(0).max(MOST_COUNTED);

const node = z.object({
  key: z.string().meta({ description: 'The same in every answer.' }),
  kind: z.enum(LINEAGE_KINDS),
  name: z.string(),
  digest: z.string().nullable().meta({ description: 'SHA-256 of what it consists of.' }),
  is_own: z.boolean().meta({ description: 'Otherwise it is of the library, and only its name and digest are shown.' }),
  level: z.int().meta({ description: '0: what was asked for; -1: what that came from; 1: what came from it.' }),
  id: z.string().nullable(),
  version: z.string().nullable().meta({ description: 'Of a task the number of its run.' }),
  create_time: time.nullable(),
  gone_time: time.nullable().meta({ description: 'When it was deleted, or replaced.' }),
  sources: counted.meta({
    description: `What it was made from, whether shown here or not; ${MOST_COUNTED} are as many or more.`,
  }),
  uses: counted.meta({ description: 'What was made from it, counted likewise.' }),
});
export type LineageNodeView = z.output<typeof node>;

const edge = z.object({
  from: place,
  to: place,
  time,
});

const lineage = z.object({
  nodes: z.array(node),
  edges: z.array(edge),
  more: z.boolean().meta({ description: 'There are more than these.' }),
});
export type LineageView = z.output<typeof lineage>;

const affected = z.object({
  ...node.shape,
  is_running: z.boolean().meta({ description: 'A deployment that answers, or does once it is ready or asked.' }),
});
export type AffectedView = z.output<typeof affected>;

const impact = z.object({
  nodes: z.array(affected),
  more: z.boolean().meta({ description: 'There are more than these.' }),
});
export type ImpactView = z.output<typeof impact>;

const thing = {
  kind: z.enum(LINEAGE_KINDS),
  id: z.string().regex(/^[a-z0-9-]{1,63}$/),
  version: z
    .string()
    .max(63)
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'model_version_rule')
    .optional()
    .meta({ description: 'Of a task the number of a run. Absent: all versions there are and were.' }),
};
export type LineageThing = z.output<z.ZodObject<typeof thing>>;

const direction = z.enum(DIRECTIONS).default('both');
const depth = z.coerce.number().int().min(1).max(MOST_LEVELS);

const query = z.strictObject({
  ...thing,
  direction,
  depth: depth.default(1).meta({ description: 'How many levels.' }),
});
export type LineageQuery = z.output<typeof query>;

export const LINEAGE_ROUTES = {
  getLineage: defineRoute({
    id: 'getLineage',
    method: 'GET',
    path: '/data/v1/lineage',
    tag: 'lineage',
    summary:
      'What a model, a dataset or a deployment came from, and what came from it: one level each way unless `depth` says more, and at most 2,000 nodes. What was deleted stays, with its name and digest.',
    access: { right: 'view' },
    query,
    answer: { result: lineage },
    problems: ['not_found'],
  }),
  getLineageImpact: defineRoute({
    id: 'getLineageImpact',
    method: 'GET',
    path: '/data/v1/lineage/impact',
    tag: 'lineage',
    summary:
      'What would have to change if a model, a dataset or a deployment were wrong: all that came from it, over at most 50 levels and 2,000 things. Running deployments come first, then what is there, the nearest first; what was deleted comes last.',
    access: { right: 'view' },
    query: z.strictObject(thing),
    answer: { result: impact },
    problems: ['not_found'],
  }),
  exportLineage: defineRoute({
    id: 'exportLineage',
    method: 'GET',
    path: '/data/v1/lineage/export',
    tag: 'lineage',
    summary: `The lineage as OpenLineage RunEvents (2-0-2), one JSON a line in the order of their time, with all inputs and outputs of each run. The header ${EXPORT_IS_CUT} says that there is more than 2,000 things.`,
    access: { right: 'view' },
    query: z.strictObject({ ...thing, direction, depth: depth.default(MOST_LEVELS) }),
    answer: { file: 'application/x-ndjson' },
    problems: ['not_found', 'too_many_downloads', ...TRANSFER_ENDS],
    exempt: true,
  }),
};
