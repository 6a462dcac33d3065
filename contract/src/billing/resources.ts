// What can be used and costs: one row each. Kinds say what they use of these (`uses` of a kind's facts, `intervals` of its
// status); prices are per SKU, which is a resource and, where it has them, a model.

/** What one interval uses: `quantity` in the resource's unit, with three decimals at most (Kubernetes' milli). */
export interface Use {
  resource: string;
  model?: string;
  quantity: number;
}

/** What a bill says its money was for (`source_type` of a transaction). */
export const SOURCE_TYPES = ['container_rent', 'host_rent'] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

interface ResourceFacts {
  unit: 'card' | 'core' | 'GiB' | 'node';
  /** Its SKU has the model in it: `gpu/NVIDIA-H200`. */
  byModel?: true;
  /** What its price is for: an hour or a month (730 hours) of use, by the second; or whole months, paid ahead. */
  per: 'hour' | 'month' | 'rental';
  /** Paid for with the host that it is on: metered, and costs nothing. */
  included?: true;
}

export const RESOURCES = {
  gpu: { unit: 'card', byModel: true, per: 'hour' },
  cpu: { unit: 'core', per: 'hour' },
  memory: { unit: 'GiB', per: 'hour' },
  disk: { unit: 'GiB', per: 'month' },
  /** What is saved of instances and images in the registry. */
  snapshot: { unit: 'GiB', per: 'month' },
  host: { unit: 'node', byModel: true, per: 'rental' },
  'hosted-gpu': { unit: 'card', byModel: true, per: 'hour', included: true },
  'hosted-cpu': { unit: 'core', per: 'hour', included: true },
  'hosted-memory': { unit: 'GiB', per: 'hour', included: true },
} as const satisfies Record<string, ResourceFacts>;
export type Resource = keyof typeof RESOURCES;

export const isResource = (name: string): name is Resource => Object.hasOwn(RESOURCES, name);

/** `gpu/NVIDIA-H200`, `cpu`; undefined for what is included, or no resource of ours. */
export function skuOf({ resource, model }: Use): string | undefined {
  if (!isResource(resource)) return undefined;
  const facts: ResourceFacts = RESOURCES[resource];
  if (facts.included) return undefined;
  return facts.byModel ? `${resource}/${model ?? 'any'}` : resource;
}

/** The price that stands for every model that has none of its own. */
export const anyModel = (sku: string): string => sku.replace(/\/.*$/, '/any');
