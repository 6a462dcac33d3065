// Breaches of a new version of our CRDs against the last one: objects that are stored must stay valid and mean the same, and an operator
// and gateway of the last release must be able to go on while the new one is rolled out.
import { IMAGE_SOURCE_RULE } from '../src/fields/image-source.ts';
import { metricKindsRule } from '../src/kinds/alert-policy.ts';

export interface Schema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly 'x-kubernetes-validations'?: readonly { readonly rule: string }[];
}

export interface Crd {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly scope: string;
    readonly names: { readonly kind: string; readonly plural: string; readonly shortNames?: readonly string[] };
    readonly versions: readonly CrdVersion[];
  };
}

interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly subresources?: Readonly<Record<string, unknown>>;
  readonly additionalPrinterColumns?: readonly { readonly name: string }[];
  readonly schema: { readonly openAPIV3Schema: Schema };
}

/** A sentence for each breach, such as `datadisks.gantry.dev v1alpha1 spec.sizeGi: its default was 1 and is 2`. */
export function crdBreaches(released: readonly Crd[], now: readonly Crd[]): string[] {
  return released.flatMap((before) => {
    const { name } = before.metadata;
    const after = now.find(({ metadata }) => metadata.name === name);
    if (!after) return [`${name}: the kind was removed`];
    const changed = (['scope'] as const)
      .filter((field) => before.spec[field] !== after.spec[field])
      .map((field) => `${name}: its ${field} was ${before.spec[field]} and is ${after.spec[field]}`);
    const { names } = before.spec;
    return [
      ...changed,
      ...(names.kind === after.spec.names.kind
        ? []
        : [`${name}: its kind was ${names.kind} and is ${after.spec.names.kind}`]),
      ...gone(names.shortNames, after.spec.names.shortNames).map(
        (short) => `${name}: the short name ${short} was removed`,
      ),
      ...before.spec.versions.flatMap((version) => versionBreaches(name, version, after.spec.versions)),
    ];
  });
}

function versionBreaches(kind: string, before: CrdVersion, all: readonly CrdVersion[]): string[] {
  const where = `${kind} ${before.name}`;
  const after = all.find(({ name }) => name === before.name);
  if (!after) return [`${where}: the version was removed`];
  const columns = (of: CrdVersion) => (of.additionalPrinterColumns ?? []).map(({ name }) => name);
  return [
    ...(before.served && !after.served ? [`${where}: the version is not served any more`] : []),
    ...gone(Object.keys(before.subresources ?? {}), Object.keys(after.subresources ?? {})).map(
      (name) => `${where}: the subresource ${name} was removed`,
    ),
    ...Object.entries(before.subresources ?? {})
      .filter(([name, was]) => after.subresources?.[name] && shown(after.subresources[name]) !== shown(was))
      .map(
        ([name, was]) =>
          `${where}: the subresource ${name} was ${shown(was)} and is ${shown(after.subresources?.[name])}`,
      ),
    ...gone(columns(before), columns(after)).map((name) => `${where}: the column ${name} was removed`),
    ...schemaBreaches(before.schema.openAPIV3Schema, after.schema.openAPIV3Schema).map(
      ([path, what]) => `${where}${path === '' ? '' : ` ${path}`}: ${what}`,
    ),
  ];
}

type Breach = readonly [path: string, what: string];

/** A lower one admits less. */
const UPPER = ['maximum', 'maxLength', 'maxItems', 'maxProperties'];
/** A higher one admits less. */
const LOWER = ['minimum', 'minLength', 'minItems', 'minProperties'];
/** Another one may admit less; none admits more. */
const NARROWING = ['pattern', 'format', 'multipleOf', 'uniqueItems', 'exclusiveMinimum', 'exclusiveMaximum'];
/** Whatever changes here is another field. */
const FIXED = [
  'type',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-int-or-string',
];
/** Keywords that may not be taken back once they were set. */
const ALLOWING = ['nullable', 'x-kubernetes-preserve-unknown-fields'];

function schemaBreaches(before: Schema, after: Schema, path = ''): Breach[] {
  return [...keywordBreaches(before, after).map((what): Breach => [path, what]), ...childBreaches(before, after, path)];
}

function keywordBreaches(before: Schema, after: Schema): string[] {
  const was = (keyword: string) => shown(before[keyword]);
  const is = (keyword: string) => shown(after[keyword]);
  const differs = (keyword: string) => was(keyword) !== is(keyword);
  const changed = (keyword: string) => `its ${keyword} was ${was(keyword)} and is ${is(keyword)}`;
  const tighter = (keyword: string, than: (a: number, b: number) => boolean) =>
    typeof after[keyword] === 'number' &&
    (typeof before[keyword] !== 'number' || than(after[keyword], before[keyword] as number));
  const rules = (of: Schema) => (of['x-kubernetes-validations'] ?? []).map(({ rule }) => rule);
  return [
    ...[...FIXED, 'default'].filter(differs).map(changed),
    ...NARROWING.filter((keyword) => after[keyword] !== undefined && after[keyword] !== false && differs(keyword)).map(
      changed,
    ),
    ...UPPER.filter((keyword) => tighter(keyword, (a, b) => a < b)).map(changed),
    ...LOWER.filter((keyword) => tighter(keyword, (a, b) => a > b)).map(changed),
    ...ALLOWING.filter((keyword) => before[keyword] === true && after[keyword] !== true).map(changed),
    ...(after.enum ? enumBreaches(before.enum, after.enum) : []),
    ...gone(after.required, before.required)
      // A new field with a default is never absent.
      .filter((name) => after.properties?.[name]?.default === undefined)
      .map((name) => `${name} is required now`),
    ...gone(rules(after), rules(before)).map((rule) => `a rule was added: ${rule}`),
  ];
}

const enumBreaches = (before: readonly unknown[] | undefined, after: readonly unknown[]): string[] =>
  before
    ? gone(before.map(shown), after.map(shown)).map((value) => `the value ${value} was removed`)
    : [`it takes only some values now: ${after.map(shown).join(', ')}`];

function childBreaches(before: Schema, after: Schema, path: string): Breach[] {
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  const fields = Object.entries(before.properties ?? {}).flatMap(([name, field]): Breach[] => {
    const now = after.properties?.[name];
    return now ? schemaBreaches(field, now, at(name)) : [[at(name), 'the field was removed']];
  });
  const items = before.items && after.items ? schemaBreaches(before.items, after.items, `${path}[]`) : [];
  return [...fields, ...items, ...mapBreaches(before.additionalProperties, after.additionalProperties, `${path}{}`)];
}

function mapBreaches(
  before: Schema['additionalProperties'],
  after: Schema['additionalProperties'],
  path: string,
): Breach[] {
  if (before === undefined || before === false) return [];
  if (after === undefined || after === false) return [[path, 'names of one’s own are not taken any more']];
  const admitsAll = after === true || Object.keys(after).length === 0;
  if (admitsAll) return [];
  return schemaBreaches(before === true ? {} : before, after, path);
}

/** The part of a CRD that can be broken: all but its words, which may change at any time. */
export const promisesOf = ({ metadata: { name }, spec: { scope, names, versions } }: Crd): Crd => ({
  metadata: { name },
  spec: {
    scope,
    names,
    versions: versions.map((version) => ({
      ...version,
      schema: { openAPIV3Schema: wordless(version.schema.openAPIV3Schema) },
    })),
  },
});

function wordless({ description: _, ...schema }: Schema): Schema {
  const { properties, items, additionalProperties, 'x-kubernetes-validations': rules } = schema;
  return {
    ...schema,
    ...(properties && { properties: mapValues(properties, wordless) }),
    ...(items && { items: wordless(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: wordless(additionalProperties) }),
    ...(rules && { 'x-kubernetes-validations': rules.map(({ rule }) => ({ rule })) }),
  };
}

const mapValues = <A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));

/** The names in the first list that are not in the second. */
const gone = (first: readonly string[] = [], second: readonly string[] = []): string[] =>
  first.filter((name) => !second.includes(name));

const shown = (value: unknown): string => (value === undefined ? 'absent' : JSON.stringify(value));

/**
 * Breaches that were accepted, with the reason: each is gone with the next release. A sentence that is no breach any more is refused,
 * so that none outlives its cause.
 */
export const ACCEPTED_BREACHES: Readonly<Record<string, string>> = accepted(
  [
    'stored objects have the value, and its absence is read as the same: as a default inside an atomic list, it made who applies one file by kubectl and by the server conflict with themselves',
    [
      'alertpolicies.gantry.dev v1alpha1 spec.filters[].operator: its default was "In" and is absent',
      'alertpolicies.gantry.dev v1alpha1 spec.rules[].type: its default was "Threshold" and is absent',
      'alertpolicies.gantry.dev v1alpha1 spec.rules[].level: its default was "Warning" and is absent',
      'alertpolicies.gantry.dev v1alpha1 spec.silences[].timeZone: its default was "UTC" and is absent',
      'alertpolicies.gantry.dev v1alpha1 spec.channels[].afterMinutes: its default was 0 and is absent',
      'alertpolicies.gantry.dev v1alpha1 spec.channels: its default was [{"type":"Bell","afterMinutes":0}] and is [{"type":"Bell"}]',
      'containerservices.gantry.dev v1alpha1 spec.autoscaling.schedules[].timeZone: its default was "UTC" and is absent',
      'modeldeployments.gantry.dev v1alpha1 spec.autoscaling.schedules[].timeZone: its default was "UTC" and is absent',
    ],
  ],
  [
    'it admits what the rule before it did: absence is Threshold',
    [
      "alertpolicies.gantry.dev v1alpha1 spec.rules[]: a rule was added: (self.?type.orValue('') == 'NoData') != has(self.compare) && has(self.compare) == has(self.value)",
    ],
  ],
  [
    'the names and labels of a query were never read; a stored policy with them works on, and drops them with its next edit',
    [
      'alertpolicies.gantry.dev v1alpha1 spec: a rule was added: !has(self.query) || (!has(self.objects.names) && !has(self.objects.labels))',
    ],
  ],
  [
    'the operator alone writes the count, of Pods that there are; the scale subresource reads it as 32 bits',
    ['containerservices', 'modeldeployments'].map(
      (plural) =>
        `${plural}.gantry.dev v1alpha1 status.replicas.total: its maximum was 9007199254740991 and is 2147483647`,
    ),
  ],
  [
    'it takes what the rule before took, and sources by digest alone',
    ['containerservices spec.image', 'gpuinstances spec.image', 'gpujobs spec.image', 'images spec.source'].map(
      (at) => `${at.replace(' ', '.gantry.dev v1alpha1 ')}: a rule was added: ${IMAGE_SOURCE_RULE}`,
    ),
  ],
  [
    'it takes what the rule before took, and two metrics of data processing',
    [`alertpolicies.gantry.dev v1alpha1 spec: a rule was added: ${metricKindsRule()}`],
  ],
  [
    'it holds where a field is true that no stored object has',
    [
      'gpujobs.gantry.dev v1alpha1: a rule was added: !has(self.spec.tracking) || !self.spec.tracking || !has(self.spec.ports) || self.spec.ports.all(p, !(p.port in [8089, 8092]))',
    ],
  ],
);

function accepted(...rows: readonly [why: string, breaches: readonly string[]][]): Readonly<Record<string, string>> {
  return Object.fromEntries(rows.flatMap(([why, breaches]) => breaches.map((breach) => [breach, why])));
}

/** The complaints about breaches and the accepted ones; empty if there are none. */
export function complaintsOf(breaches: readonly string[], accepted: Readonly<Record<string, string>>): string[] {
  return [
    ...breaches.filter((breach) => !Object.hasOwn(accepted, breach)),
    ...gone(Object.keys(accepted), breaches).map((sentence) => `accepted and no breach: ${sentence}`),
  ];
}
