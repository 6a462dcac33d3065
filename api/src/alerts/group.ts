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

/** By their keys. A query of one's own that names no group keeps all of its labels; hidden ones tell series apart, and are not shown. */
export function seriesOf({ spec }: Pick<AlertPolicy, 'spec'>, samples: readonly Sample[]): Map<string, Series> {
  const groups = new Map<string, Omit<Series, 'value'> & { values: number[] }>();
  for (const sample of samples) {
    if (!belongs(spec, sample) || !passes(spec, sample)) continue;
    const named = spec.groupBy ?? (sample.object ? [] : Object.keys(sample.labels).sort());
    // A query can make any letter.
    const labels = Object.fromEntries(named.map((label) => [label, storable(sample.labels[label] ?? '')]));
    const object = sample.object?.name;
    const key = keyOf(object, labels);
    const group = groups.get(key);
    if (group) group.values.push(sample.value);
    else
      groups.set(key, {
        key,
        labels: visible(labels),
        ...(object !== undefined && { object }),
        values: [sample.value],
      });
  }
  const combine = AGGREGATES[spec.aggregation];
  return new Map([...groups].map(([key, { values, ...group }]) => [key, { ...group, value: combine(values) }]));
}

/** The same for the same object and labels, whatever their order. */
export const keyOf = (object: string | undefined, labels: Readonly<Record<string, string>>): string =>
  JSON.stringify([object ?? '', ...Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1))]);
