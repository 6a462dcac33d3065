// What the API shows of each kind: the product's fields in snake_case, and under `spec` what a PUT takes, as kubectl has it.
// Words are in the caller's language, times are RFC 3339 in UTC, sizes say their unit.
import * as z from 'zod';
import { currencyCode, money } from '../fields/amounts.ts';
import { dataDisk } from '../kinds/data-disk.ts';
import { gpuHost } from '../kinds/gpu-host.ts';
import { gpuInstance } from '../kinds/gpu-instance.ts';
import { image } from '../kinds/image.ts';

const time = z.string().meta({ format: 'date-time' });
const bytes = z.number().min(0);
const gpu = z.object({ model: z.string(), count: z.int() });

export const priceView = z.object({
  per: z.enum(['hour', 'month']).meta({ description: 'A month of use has 730 hours; one of rent is a month.' }),
  amount: money.meta({ description: 'What is to pay.' }),
  list: money.meta({ description: 'Before the discount.' }),
  discount_percent: z.number().min(0).max(100),
  currency: currencyCode,
});
export type PriceView = z.input<typeof priceView>;
const price = priceView.nullable().meta({ description: 'As it is wished for now; null where it costs nothing.' });

const tone = z.enum(['neutral', 'progress', 'good', 'warning', 'bad']);

/** What every kind has. */
const common = {
  id: z.string(),
  name: z.string().meta({ description: 'The name people see; the id where nobody chose one.' }),
  phase: z.string().meta({ description: 'What was asked for and not yet reported counts.' }),
  phase_label: z.string(),
  tone,
  reason: z.string().nullable(),
  message: z.string().nullable().meta({ description: 'Why it is in its phase.' }),
  actions: z
    .array(
      z.object({
        action: z.string(),
        label: z.string(),
        danger: z.enum(['none', 'interrupts', 'destroys']),
        spends: z.boolean(),
        price: priceView
          .optional()
          .meta({ description: 'What the object costs from then on, where that is another price than now.' }),
      }),
    )
    .meta({ description: 'What the caller may do with it now.' }),
  conditions: z.array(
    z.object({
      type: z.string(),
      status: z.enum(['True', 'False', 'Unknown']),
      reason: z.string(),
      message: z.string(),
      since: time,
    }),
  ),
  creator: z.string().nullable().meta({ description: 'The account that made it.' }),
  create_time: time,
  generation: z.int().meta({ description: 'Another number whenever what is wished for it changes.' }),
  region: z.string(),
  data_center: z.string(),
};

export const instanceView = z.object({
  ...common,
  status: z.string(),
  specification: z.string().meta({ description: 'Cards, cores and memory in one line.' }),
  gpu: gpu.nullable(),
  cards: z.int(),
  cores: z.number(),
  memory_gi: z.number(),
  root_limit_gi: z
    .int()
    .meta({ description: 'What the container may write outside its disks. It is ended when it writes more.' }),
  root_used_bytes: bytes.nullable(),
  process_limit: z.int().meta({ description: 'Processes and threads that may run at once.' }),
  health: z.enum(['normal', 'abnormal', 'notReady']).nullable(),
  health_label: z.string().nullable(),
  payment: z.literal('usage'),
  price,
  image: z.string(),
  home_used_bytes: bytes.nullable(),
  home_total_bytes: bytes.nullable().meta({ description: 'What its volume has, as measured while it runs.' }),
  image_type: z
    .enum(['base', 'user', 'external'])
    .meta({ description: 'Offered by the platform, saved by the organisation, or from elsewhere.' }),
  host: z.string().nullable().meta({ description: 'The id of its host; null in the shared pool.' }),
  node: z.string().nullable(),
  address: z.string().nullable(),
  ssh_address: z.string().nullable().meta({ description: 'The command that logs in.' }),
  running_since: time.nullable(),
  saved_time: time.nullable().meta({ description: 'When its root file system was last saved.' }),
  saved_bytes: bytes.nullable(),
  home_saved_time: time.nullable().meta({ description: 'While its home lies in the registry: when it was put there.' }),
  home_saved_bytes: bytes.nullable(),
  save: z
    .object({ phase: z.string(), phase_label: z.string(), tone, message: z.string().nullable() })
    .nullable()
    .meta({ description: 'The save under way, or the last one.' }),
  run: z
    .object({
      number: z.int(),
      cause: gpuInstance.status.shape.run.unwrap().shape.cause,
      ready_time: time.nullable(),
      end_time: time.nullable().meta({ description: 'Where nothing follows this run until it is wanted again.' }),
      exits: z.int().meta({ description: 'Exits in a row before this run.' }),
      last_exit: z.string().nullable().meta({ description: 'Why the run before ended.' }),
      last_exit_label: z.string().nullable(),
    })
    .nullable()
    .meta({ description: 'The newest run.' }),
  history: z
    .array(
      z.object({
        from: time,
        to: time.nullable().meta({ description: 'Null: it lasts.' }),
        uses: z.array(z.object({ resource: z.string(), model: z.string().nullable(), quantity: z.number() })),
      }),
    )
    .meta({ description: 'What it used when, newest first, at most 20 stretches.' }),
  spec: gpuInstance.spec,
});
export type InstanceView = z.input<typeof instanceView>;

export const hostView = z.object({
  ...common,
  instance_id: z.string(),
  instance_name: z.string(),
  instance_status: z.enum(['Active', 'ActiveSync', 'Pending', 'NotReady', 'Draining', 'Expired', 'Lost', 'Releasing']),
  status: z.enum(['active', 'inactive']),
  lan_ip: z.string().nullable(),
  os: z.string().nullable(),
  source: z.enum(['rented', 'owned']),
  tags: z.array(z.string()),
  gpu_type: z.string(),
  gpu_spec: z.string(),
  gpu_count: z.int().meta({ description: 'Cards of all nodes.' }),
  gpu_free: z.int().meta({ description: 'Cards that no instance holds or is about to.' }),
  node_count: z.int(),
  nodes: z.array(
    z.object({
      name: z.string(),
      lan_ip: z.string().nullable(),
      os: z.string().nullable(),
      ready: z.boolean(),
      gpu_count: z.int(),
    }),
  ),
  duration_months: z.int(),
  start_time: time.nullable(),
  expire_time: time.nullable(),
  auto_renew: z.boolean(),
  payment: z.literal('month'),
  cost: price.meta({ description: 'Of all its nodes; null for nodes of its own.' }),
  discount: z.number().nullable().meta({ description: 'Percent off the list price.' }),
  disks: z.array(z.object({ id: z.string(), mount_path: z.string() })),
  spec: gpuHost.spec,
});
export type HostView = z.input<typeof hostView>;

export const diskView = z.object({
  ...common,
  status: z.enum(['active', 'inactive', 'mounted']),
  size_gi: z.number(),
  used_bytes: bytes.nullable(),
  available_bytes: bytes.nullable(),
  total_bytes: bytes.nullable(),
  measured_time: time.nullable().meta({ description: 'When used, available and total were last measured.' }),
  access: z.enum(['Single', 'Many']),
  mounted_by: z.array(
    z.object({
      kind: z.enum(['GpuInstance', 'GpuHost']),
      id: z.string(),
      name: z.string().meta({ description: 'The name people see; the id where nobody chose one.' }),
      mount_path: z.string().nullable(),
      at_next_start: z.boolean().meta({ description: 'It is kept for the instance, which does not have it yet.' }),
    }),
  ),
  price,
  spec: dataDisk.spec,
});
export type DiskView = z.input<typeof diskView>;

export const imageView = z.object({
  ...common,
  status: z.string(),
  size_bytes: bytes.nullable(),
  source: z.string(),
  local: z.boolean().meta({ description: 'Kept in the platform’s own registry.' }),
  official: z.boolean(),
  llm: z.boolean(),
  digest: z.string().nullable(),
  from_instance: z.string().nullable(),
  price,
  spec: image.spec,
});
export type ImageView = z.input<typeof imageView>;

export const snapshotView = z.object({
  ...common,
  status: z.string(),
  instance: z.string(),
  of: z.enum(['Root', 'Home', 'Copy']),
  target: z.string(),
  digest: z.string().nullable(),
  size_bytes: bytes.nullable(),
  finish_time: time.nullable(),
  price: price.meta({ description: 'While its bytes are kept.' }),
});
export type SnapshotView = z.input<typeof snapshotView>;

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
  gpu_type: z.string(),
  gpu_count: z.int().meta({ description: 'Cards of one node.' }),
  cores: z.number(),
  memory_gi: z.number(),
  nodes: z.int(),
  total: z.int(),
  free: z.int(),
  free_nodes: z.int().meta({ description: 'Nodes that nobody uses: what a host can be rented from.' }),
  price: price.meta({ description: 'Of one card, by the hour.' }),
  host_price: price.meta({ description: 'Of one node, rented by the month.' }),
  region: z.string(),
});
export type GpuSpecView = z.input<typeof gpuSpecView>;

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
});
export type FitView = z.input<typeof fitView>;
