// What can be used and costs: one row each. Kinds say what they use of these (`uses` of a kind's facts, `intervals` of its
// status); prices are per SKU, which is a resource and, where it has them, a model.

/** Sizes that three decimals of a GiB do not hold are told in whole ones of these: so many make a GiB. */
export const SIZE_UNITS = { Mi: 1_024, B: 1_073_741_824 } as const;
export type SizeUnit = keyof typeof SIZE_UNITS;

/**
 * What one interval uses: `quantity` in the resource's unit, with three decimals at most (Kubernetes' milli), or in whole ones of
 * `unit`. Either way it is exact: it is rounded nowhere before what it costs is.
 */
export interface Use {
  resource: string;
  model?: string | undefined;
  quantity: number;
  unit?: SizeUnit | undefined;
}

/** How many parts make the resource's unit, where `countOf` counts them. */
export const partsOf = ({ unit }: Pick<Use, 'unit'>): bigint => BigInt(unit === undefined ? 1_000 : SIZE_UNITS[unit]);

export const countOf = ({ quantity, unit }: Pick<Use, 'quantity' | 'unit'>): bigint =>
  BigInt(Math.round(unit === undefined ? quantity * 1_000 : quantity));

/** In the resource's unit: to be compared and shown, not to be rated. */
export const amountOf = (use: Pick<Use, 'quantity' | 'unit'>): number =>
  use.unit === undefined ? use.quantity : use.quantity / SIZE_UNITS[use.unit];

/** A save below it is no use: it would cost nothing, and begin an interval of its own. */
export const LEAST_SAVED_BYTES = 1_048_576;

/** So many bytes, exactly. In thousandths of a GiB where these hold them, as all sizes were told once: such uses stay as they are. */
export function sizeUse<Resource extends string>(resource: Resource, bytes: number): Use & { resource: Resource } {
  const whole = BigInt(Math.round(bytes));
  const gi = BigInt(SIZE_UNITS.B);
  if ((whole * 1_000n) % gi === 0n) return { resource, quantity: Number((whole * 1_000n) / gi) / 1_000 };
  const perMi = gi / BigInt(SIZE_UNITS.Mi);
  if (whole % perMi === 0n) return { resource, quantity: Number(whole / perMi), unit: 'Mi' };
  return { resource, quantity: Number(whole), unit: 'B' };
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
