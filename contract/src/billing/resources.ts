// Billable resources: one row each. Kinds say what they use of these (`uses` of a kind's facts, `intervals` of its status);
// prices are per SKU, which is a resource and, if it has them, a model.
import { gibibytes, MI } from '../fields/quantity.ts';

/** The units of a use's exact size, if three decimals of a GiB are too coarse: this many make a GiB. */
export const SIZE_UNITS = { Mi: 1_024, B: 1_073_741_824 } as const;
export type SizeUnit = keyof typeof SIZE_UNITS;

/**
 * The use of one resource in one interval: `quantity` in the resource's unit, with three decimals at most (Kubernetes' milli). If these are
 * too coarse, `exact` is precise and is what is rated. `quantity` is then the same amount rounded, for versions that do not know `exact`.
 */
export interface Use {
  resource: string;
  model?: string | undefined;
  quantity: number;
  exact?: { count: number; unit: SizeUnit } | undefined;
}
type Amount = Pick<Use, 'quantity' | 'exact'>;

/** How many parts make the resource's unit, where `countOf` counts them. */
export const partsOf = ({ exact }: Pick<Use, 'exact'>): bigint => BigInt(exact ? SIZE_UNITS[exact.unit] : 1_000);

export const countOf = (use: Amount): bigint => (use.exact ? BigInt(Math.round(use.exact.count)) : milliOf(use));

/** Rounded to thousandths of the resource's unit. */
export const milliOf = ({ quantity }: Pick<Use, 'quantity'>): bigint => BigInt(Math.round(quantity * 1_000));

/** In the resource's unit: to be compared and shown, not to be rated. */
export const amountOf = ({ quantity, exact }: Amount): number =>
  exact ? exact.count / SIZE_UNITS[exact.unit] : quantity;

/**
 * Whether nothing says that they differ. Of one that was written before there was `exact`, or through a schema that does not have
 * it, only the rounded amount is known.
 */
export const isSameUse = (one: Use, other: Use): boolean =>
  one.resource === other.resource &&
  (one.model ?? undefined) === (other.model ?? undefined) &&
  one.quantity === other.quantity &&
  (!one.exact || !other.exact || (one.exact.unit === other.exact.unit && one.exact.count === other.exact.count));

/** A smaller save is not metered: it would cost nothing and still begin an interval. */
export const LEAST_SAVED_BYTES = 1_048_576;

/** So many bytes, exactly, and rounded to thousandths of a GiB. */
export function sizeUse<Resource extends string>(resource: Resource, bytes: number): Use & { resource: Resource } {
  const use = { resource, quantity: gibibytes(bytes) };
  const whole = Math.round(bytes);
  // Beyond 8 PiB a number holds no single bytes.
  if (!Number.isSafeInteger(whole) || (BigInt(whole) * 1_000n) % BigInt(SIZE_UNITS.B) === 0n) return use;
  const exact: Use['exact'] = whole % MI === 0 ? { count: whole / MI, unit: 'Mi' } : { count: whole, unit: 'B' };
  return { ...use, exact };
}

/** The purpose of a bill (`source_type` of a transaction). */
export const SOURCE_TYPES = ['container_rent', 'host_rent'] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

interface ResourceFacts {
  unit: 'card' | 'core' | 'GiB' | 'node';
  /** Its SKU has the model in it: `gpu/NVIDIA-H200`. */
  byModel?: true;
  /** The unit of its price: an hour or a month (730 hours) of use, by the second; or whole months, paid in advance. */
  per: 'hour' | 'month' | 'rental';
  /** Paid for with the host that it is on: metered, and costs nothing. */
  included?: true;
}

export const RESOURCES = {
  gpu: { unit: 'card', byModel: true, per: 'hour' },
  cpu: { unit: 'core', per: 'hour' },
  memory: { unit: 'GiB', per: 'hour' },
  disk: { unit: 'GiB', per: 'month' },
  /** Saves of instances and images in the registry. */
  snapshot: { unit: 'GiB', per: 'month' },
  host: { unit: 'node', byModel: true, per: 'rental' },
  'hosted-gpu': { unit: 'card', byModel: true, per: 'hour', included: true },
  'hosted-cpu': { unit: 'core', per: 'hour', included: true },
  'hosted-memory': { unit: 'GiB', per: 'hour', included: true },
} as const satisfies Record<string, ResourceFacts>;
export type Resource = keyof typeof RESOURCES;

export const isResource = (name: string): name is Resource => Object.hasOwn(RESOURCES, name);

/** `gpu/NVIDIA-H200`, `cpu`; undefined for included use, or an unknown resource. */
export function skuOf({ resource, model }: Use): string | undefined {
  if (!isResource(resource)) return undefined;
  const facts: ResourceFacts = RESOURCES[resource];
  if (facts.included) return undefined;
  return facts.byModel ? `${resource}/${model ?? 'any'}` : resource;
}

/** The price for every model without its own. */
export const anyModel = (sku: string): string => sku.replace(/\/.*$/, '/any');
