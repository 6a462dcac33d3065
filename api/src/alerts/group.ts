// Which series a policy has among those that were measured, and one value for each. Pure.
import type { AlertPolicy, AlertPolicySpec } from '@gantry/contract/kinds/alert-policy.ts';
import { HIDDEN_LABELS, visible } from '../monitor/hidden-labels.ts';
import { storable } from '../storable.ts';

/** What was measured of one series. `object`: whose it is; absent where its labels do not say, as in a query of one's own. */
export interface Sample {
  labels: Readonly<Record<string, string>>;
  value: number;
  object?: { kind: string; name: string; labels?: Readonly<Record<string, string>> | undefined };
}

/** One series of a policy: what its alarm is about. */
export interface Series {
  key: string;
  object?: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

const AGGREGATES: Readonly<Record<AlertPolicySpec['aggregation'], (values: readonly number[]) => number>> = {
  Average: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  Maximum: (values) => values.reduce((most, value) => Math.max(most, value)),
  Minimum: (values) => values.reduce((least, value) => Math.min(least, value)),
  Sum: (values) => values.reduce((sum, value) => sum + value, 0),
  Last: (values) => values.at(-1) as number,
};

/** Whether the policy watches an object. */
export function watches(
  { objects: { kind, names, labels } }: Pick<AlertPolicySpec, 'objects'>,
  object: NonNullable<Sample['object']>,
): boolean {
  if (object.kind !== kind || (names && !names.includes(object.name))) return false;
  return Object.entries(labels ?? {}).every(([label, value]) => object.labels?.[label] === value);
}

/** A query of one's own has no objects: all its series count. */
const belongs = (spec: AlertPolicySpec, { object }: Sample): boolean =>
  object === undefined ? spec.query !== undefined : watches(spec, object);

const passes = ({ filters }: AlertPolicySpec, { labels }: Sample): boolean =>
  (filters ?? []).every(
    ({ label, operator, values }) =>
      values.includes((!HIDDEN_LABELS.has(label) && labels[label]) || '') === (operator === 'In'),
  );

/** Finds a policy's samples in an answer of everybody's, by namespace and by the names that it watches: each policy looks at its own. */
export function samplesOf(
  all: readonly Sample[] = [],
): (policy: Pick<AlertPolicy, 'metadata' | 'spec'>) => readonly Sample[] {
  const byNamespace = Map.groupBy(all, ({ labels }) => labels.namespace ?? '');
  const byName = new Map<string, Map<string | undefined, Sample[]>>();
  const named = (namespace: string, of: readonly Sample[]) => {
    const known = byName.get(namespace) ?? Map.groupBy(of, ({ object }) => object?.name);
    byName.set(namespace, known);
    return known;
  };
  return ({ metadata: { namespace = '' }, spec: { query, objects } }) => {
    // What a person's own query answers is all theirs, whatever its labels say.
    if (query !== undefined) return all;
    const mine = byNamespace.get(namespace);
    if (!mine || !objects.names) return mine ?? NONE;
    const by = named(namespace, mine);
    const { names } = objects;
    return names.length === 1
      ? (by.get(names[0]) ?? NONE)
      : [...new Set(names)].flatMap((name) => by.get(name) ?? NONE);
  };
}

/** By their keys. A query of one's own that names no group keeps all of its labels; hidden ones tell series apart, and are not shown. */
export function seriesOf({ spec }: Pick<AlertPolicy, 'spec'>, samples: readonly Sample[]): ReadonlyMap<string, Series> {
  if (samples.length === 0) return NO_SERIES;
  const groups = new Map<string, Series & { values: number[] }>();
  for (const sample of samples) {
    if (!belongs(spec, sample) || !passes(spec, sample)) continue;
    const { object, value } = sample;
    const labels = groupOf(spec, sample);
    const key = keyOf(object?.name, labels);
    const group = groups.get(key);
    if (group) group.values.push(value);
    else
      groups.set(key, { key, labels: visible(labels), ...(object && { object: object.name }), value, values: [value] });
  }
  const combine = AGGREGATES[spec.aggregation];
  for (const group of groups.values()) group.value = combine(group.values);
  return groups;
}

/** The labels that tell a policy's series of one object apart. */
function groupOf({ groupBy }: AlertPolicySpec, { object, labels }: Sample): Record<string, string> {
  const named = groupBy ?? (object ? [] : Object.keys(labels).sort());
  // A query can make any letter.
  return Object.fromEntries(named.map((label) => [label, storable(labels[label] ?? '')]));
}

const NONE: readonly Sample[] = [];
const NO_SERIES: ReadonlyMap<string, Series> = new Map();

/** The same for the same object and labels, whatever their order. */
export const keyOf = (object: string | undefined, labels: Readonly<Record<string, string>>): string =>
  JSON.stringify([object ?? '', ...Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1))]);
