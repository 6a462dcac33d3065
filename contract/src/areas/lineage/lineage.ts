// The lineage of a thing, in both directions: within the caller's organisation alone.
import * as z from 'zod';
import { defineRoute } from '../../http/define-route.ts';

/** What has a lineage. A new kind is a word here, a page in `console/src/parts/lineage/lineage-kinds.ts`, and its words. */
export const LINEAGE_KINDS = ['model', 'deployment', 'dataset'] as const;
export type LineageKind = (typeof LINEAGE_KINDS)[number];

const DIRECTIONS = ['up', 'down', 'both'] as const;
export const MOST_LEVELS = 50;
export const MOST_NODES = 2_000;

const time = z.iso.datetime();
const place = z.int().min(0).meta({ description: 'Its place among the nodes.' });

const node = z.object({
  kind: z.enum(LINEAGE_KINDS),
  name: z.string(),
  digest: z.string().nullable().meta({ description: 'SHA-256 of what it consists of.' }),
  is_own: z.boolean().meta({ description: 'Otherwise it is of the library, and only its name and digest are shown.' }),
  level: z.int().meta({ description: '0: what was asked for; -1: what that came from; 1: what came from it.' }),
  id: z.string().nullable(),
  version: z.string().nullable(),
  create_time: time.nullable(),
  gone_time: time.nullable().meta({ description: 'When it was deleted, or replaced.' }),
});
export type LineageNodeView = z.output<typeof node>;

const edge = z.object({
  from: place,
  to: place,
  via: z.string().nullable().meta({ description: 'The uid of the task that made the one from the other.' }),
  time,
});

const lineage = z.object({
  nodes: z.array(node),
  edges: z.array(edge),
  more: z.boolean().meta({ description: 'There are more than these.' }),
});
export type LineageView = z.output<typeof lineage>;

const query = z.strictObject({
  kind: z.enum(LINEAGE_KINDS),
  id: z.string().regex(/^[a-z0-9-]{1,63}$/),
  version: z
    .string()
    .max(63)
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'model_version_rule')
    .optional()
    .meta({ description: 'Absent: all versions there are and were.' }),
  direction: z.enum(DIRECTIONS).default('both'),
  depth: z.coerce.number().int().min(1).max(MOST_LEVELS).default(1).meta({ description: 'How many levels.' }),
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
};
