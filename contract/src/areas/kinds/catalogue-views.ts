// The API's views besides the kinds themselves: mounts, models on offer, capacity.
import * as z from 'zod';
import { price } from '../../kind-api.ts';

export const mountView = z.object({
  id: z.string().meta({ description: '`<disk>.<host or instance>`' }),
  disk: z.string(),
  disk_name: z.string(),
  kind: z.enum(['GpuInstance', 'GpuHost']),
  resource: z.string(),
  resource_name: z.string(),
  mount_path: z.string(),
  mounted: z.boolean().meta({ description: 'False: it waits for the next start, or for the disk.' }),
});
export type MountView = z.input<typeof mountView>;

export const gpuSpecView = z.object({
  id: z.string().meta({ description: '`<model>-<cards>`' }),
  gpu_type: z.string().meta({ description: 'The model, as instances and hosts ask for it.' }),
  name: z.string().meta({ description: 'The model as people read it.' }),
  gpu_memory_gi: z.int().nullable().meta({ description: 'Memory of one card; null where its nodes do not say.' }),
  gpu_count: z.int().meta({ description: 'Cards of one node.' }),
  cores: z.number(),
  memory_gi: z.number(),
  card_cores: z.number().meta({ description: 'Cores that come with one card: its share of a node.' }),
  card_memory_gi: z.number().meta({ description: 'Memory of the node that comes with one card.' }),
  nodes: z.int(),
  total: z.int(),
  free: z.int(),
  starts: z
    .array(z.object({ count: z.int(), free: z.int() }))
    .meta({ description: 'How many instances of so many cards, each with their cores and memory, could start now.' }),
  free_nodes: z.int().meta({ description: 'Nodes that nobody uses: what a host can be rented from.' }),
  price: price.meta({ description: 'Of one card, by the hour.' }),
  host_price: price.meta({ description: 'Of one node, rented by the month.' }),
  region: z.string(),
});
export type GpuSpecView = z.input<typeof gpuSpecView>;

export const regionView = z.object({
  region: z.string(),
  name: z.string(),
  takes_instances: z.boolean().meta({ description: 'Whether instances can be created there.' }),
  gpus: z
    .object({ free: z.int(), total: z.int() })
    .nullable()
    .meta({ description: 'Of all models on offer; null while the data centre is out of reach.' }),
});
export type RegionView = z.input<typeof regionView>;

export const fitView = z.object({
  fits: z.boolean(),
  reason: z.string().nullable(),
  message: z.string(),
  wanted: z.object({ model: z.string().nullable(), count: z.int(), cores: z.number(), memory_gi: z.number() }),
  free: z.int(),
  nodes: z.int(),
  largest: z.object({ count: z.int(), cores: z.number(), memory_gi: z.number() }).meta({
    description: 'What would fit on one node now.',
  }),
  quota_left: z.int().nullable().meta({ description: 'Cards that the organisation may still take.' }),
  blocked_by: z.enum(['quota', 'model', 'node', 'free']).nullable().meta({
    description: "What stands in the way: the organisation's quota, the model, what one node has, what is free.",
  }),
});
export type FitView = z.input<typeof fitView>;

/** The fit of several copies that run together, or of as many as there is room for. */
export const workloadFitView = fitView.extend({
  copies: z.object({
    wanted: z.int(),
    fitting: z.int().meta({ description: 'For how many of this size there is room now.' }),
  }),
  nearest: z
    .object({ model: z.string().nullable(), count: z.int(), copies: z.int() })
    .nullable()
    .meta({ description: 'The nearest size that would fit now, if this one does not. Null: nothing would.' }),
  position: z
    .int()
    .nullable()
    .meta({ description: 'The place that a job would have among the waiting ones of the organisation.' }),
});
export type WorkloadFitView = z.input<typeof workloadFitView>;

export const recommendationView = z.object({
  gpu: z.object({ model: z.string(), count: z.int() }).nullable().meta({ description: 'Null: none.' }),
  cores: z.number(),
  memory_gi: z.number(),
  reason: z.string(),
  basis: z.enum(['history', 'label', 'stock']).meta({
    description: 'What it rests on: what ran with the image before; what is known of the image; what is free.',
  }),
});
export type RecommendationView = z.input<typeof recommendationView>;
