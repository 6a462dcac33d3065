// Which series a policy has among those that were measured, and one value for each. Pure.
import type { AlertPolicy, AlertPolicySpec } from '@gantry/contract/kinds/alert-policy.ts';
import { own } from '@gantry/contract/own.ts';
import { HIDDEN_LABELS } from '../../platform/prometheus/hidden-labels.ts';
import { oneLine } from '../../platform/storable.ts';

/** The measured value of one series. `object`: the one it belongs to; absent if its labels do not name it, as in a query of one's own. */
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
  return Object.entries(labels ?? {}).every(([label, value]) => own(object.labels, label) === value);
}

/** A query of one's own has no objects: all its series count. */
const belongs = (spec: AlertPolicySpec, { object }: Sample): boolean =>
  object === undefined ? spec.query !== undefined : watches(spec, object);

const passes = ({ filters }: AlertPolicySpec, { labels }: Sample): boolean =>
  (filters ?? []).every(
    ({ label, operator, values }) =>
      values.includes(HIDDEN_LABELS.has(label) ? '' : textOf(labels, label)) === (operator !== 'NotIn'),
  );

/** Finds a policy's samples in an answer of everybody's, by namespace and by the names that it watches: each policy looks at its own. */
export function samplesOf(
  all: readonly Sample[] = NONE,
): (policy: Pick<AlertPolicy, 'metadata' | 'spec'>) => readonly Sample[] {
  if (all.length === 0) return () => NONE;
  const byNamespace = new Map<string, Namespace>();
  for (const sample of all) {
    const { namespace = '' } = sample.labels;
    const of = byNamespace.get(namespace);
    if (of) of.all.push(sample);
    else byNamespace.set(namespace, { all: [sample] });
  }
  return ({ metadata: { namespace = '' }, spec: { query, objects } }) => {
    // All results of a person's own query are theirs, whatever its labels say.
    if (query !== undefined) return all;
    const mine = byNamespace.get(namespace);
    if (!mine || !objects.names) return mine?.all ?? NONE;
    mine.byName ??= byNameOf(mine.all);
    const { byName } = mine;
    const { names } = objects;
    return names.length === 1
      ? listOf(byName.get(names[0]))
      : [...new Set(names)].flatMap((name) => byName.get(name) ?? NONE);
  };
}

const listOf = (of: Sample | Sample[] | undefined): readonly Sample[] =>
  of === undefined ? NONE : Array.isArray(of) ? of : [of];

function byNameOf(all: readonly Sample[]): Map<string | undefined, Sample | Sample[]> {
  const byName: ReturnType<typeof byNameOf> = new Map();
  for (const sample of all) {
    const name = sample.object?.name;
    const of = byName.get(name);
    if (of === undefined) byName.set(name, sample);
    else if (Array.isArray(of)) of.push(sample);
    else byName.set(name, [of, sample]);
  }
  return byName;
}

/** `byName` is made once somebody asks by a name. Most objects have one sample, and need no list for it. */
interface Namespace {
  all: Sample[];
  byName?: Map<string | undefined, Sample | Sample[]>;
}

/** The key of the one series that a sample is; undefined where it is none of the policy's. The same as `seriesOf` gives it. */
export const keyIn = ({ spec }: Pick<AlertPolicy, 'spec'>, sample: Sample): string | undefined =>
  belongs(spec, sample) && passes(spec, sample) ? keyOf(sample.object?.name, groupOf(spec, sample)) : undefined;

/** By their keys. A query of one's own that names no group keeps all of its labels. What hidden ones alone tell apart is one series. */
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
    else groups.set(key, { key, labels, ...(object && { object: object.name }), value, values: [value] });
  }
  const combine = AGGREGATES[spec.aggregation];
  for (const group of groups.values()) group.value = combine(group.values);
  return groups;
}

/** The labels that tell a policy's series of one object apart. */
function groupOf({ groupBy }: AlertPolicySpec, { object, labels }: Sample): Record<string, string> {
  const all = groupBy ?? (object ? NO_LABELS : Object.keys(labels).sort());
  const named = all.filter((label) => !HIDDEN_LABELS.has(label));
  if (named.length === 0) return {};
  // A query can make any letter.
  return Object.fromEntries(named.map((label) => [label, oneLine(textOf(labels, label))]));
}

/** A policy may name labels that no series has and every object does, as `constructor`. */
const textOf = (labels: Sample['labels'], label: string): string => own(labels, label) || '';

const NONE: readonly Sample[] = [];
const NO_LABELS: readonly string[] = [];
const NO_SERIES: ReadonlyMap<string, Series> = new Map();

/** The same for the same object and labels, whatever their order. */
export function keyOf(object: string | undefined, labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels);
  if (pairs.length > 1) pairs.sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([object ?? '', ...pairs]);
}
