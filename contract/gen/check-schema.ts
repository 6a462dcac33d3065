// Refuses a schema that the API server would refuse, or would take and then choke on: at generation, naming kind and field.
// What each rule guards against was met on a real API server; the tests beside this file hold one case of each.
import type { KindFacts } from '@gantry/contract/define-kind.ts';
import type { CrdSchema } from './crd.ts';

/** A schema and its place: `at` is `spec.disks[].name`, `above` goes from the root down to its parent. */
interface Place {
  node: CrdSchema;
  at: string;
  above: readonly CrdSchema[];
}

/** A sentence about the fault of this place, or nothing. */
type Check = (place: Place) => string | false | undefined;

// YAML 1.1, which kubectl reads, makes booleans of these words when they stand bare.
const YAML_BOOLEAN = /^(y|yes|n|no|true|false|on|off)$/i;
// Go's RE2 has no look-around and no \u; \p is not JavaScript's without a flag.
const FOREIGN_PATTERN = /\(\?<?[=!]|\\u|\\p/;
/** A rule is read by Go alone. */
const FOREIGN_RULE = /\(\?<?[=!]|\\u/;

const KEYWORDS = new Set([
  ...['type', 'properties', 'additionalProperties', 'items', 'required', 'enum', 'default', 'format', 'pattern'],
  ...['description', 'title', 'example', 'nullable', 'minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems'],
  ...['minProperties', 'maxProperties', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['x-kubernetes-list-type', 'x-kubernetes-list-map-keys', 'x-kubernetes-map-type', 'x-kubernetes-validations'],
  ...['x-kubernetes-int-or-string', 'x-kubernetes-preserve-unknown-fields'],
]);

const CHECKS: readonly Check[] = [
  // kubectl explain shows it. The list describes the entries of a list or map.
  ({ node, at }) => at !== '' && !/(\[\]|\{\})$/.test(at) && !node.description && 'has no description',
  ({ node }) =>
    (node.anyOf || node.oneOf || node.allOf) &&
    'is a union, which is not structural: use optional members and a CEL rule',
  ({ node }) => {
    const unknown = Object.keys(node).find((key) => !KEYWORDS.has(key) && !/^(any|one|all)Of$/.test(key));
    return unknown && `has ${unknown}, which a structural schema does not know`;
  },
  ({ node }) =>
    node.additionalProperties === false &&
    'has additionalProperties: false; the API server prunes or refuses by itself',
  ({ node }) => {
    const { maximum = 0, exclusiveMaximum, multipleOf = 1 } = node;
    const isWrong = isCut(multipleOf) || (isCut(maximum) && (maximum < 0 || exclusiveMaximum));
    return isWrong && 'has a fraction as a bound that the API server cuts to a whole number: use a CEL rule';
  },
  ({ node, at }) => {
    // Status is written as JSON, and its conditions say True as Kubernetes does; specs are typed by people.
    if (at.startsWith('status')) return false;
    const word = node.enum?.find((value) => typeof value === 'string' && YAML_BOOLEAN.test(value));
    return word !== undefined && `has the enum value ${word}, which kubectl reads as a boolean`;
  },
  ({ node }) => node.pattern && FOREIGN_PATTERN.test(node.pattern) && `has a pattern that RE2 refuses: ${node.pattern}`,
  ({ node, at }) =>
    node.type === 'array' &&
    at.startsWith('status.') &&
    !node['x-kubernetes-list-type'] &&
    "is a list in status: say x-kubernetes-list-type, or one manager's apply drops another's entries",
  ({ node }) => {
    const keys = node['x-kubernetes-list-map-keys'] ?? [];
    const loose = keys.find(
      (key) => !node.items?.required?.includes(key) && node.items?.properties?.[key]?.default === undefined,
    );
    return loose && `has the list key ${loose}, which is neither required nor defaulted`;
  },
  ({ node, above }) =>
    node.default !== undefined &&
    above.some((list) => list.type === 'array' && (list['x-kubernetes-list-type'] ?? 'atomic') === 'atomic') &&
    'has a default inside an atomic list: who applies the same list by the server conflicts with what kubectl applied. Say what absence means',
  ({ node, at }) =>
    // Tenants' objects share one database with everything else.
    /^spec\b/.test(at) && isUnbounded(node)
      ? 'has no maximum: a tenant can make it as large as an object may be'
      : undefined,
  ({ node }) => {
    const silent = rulesOf(node).find(({ message }) => !message || message.includes('\n'));
    return silent && `has a rule without a one-line message: ${silent.rule}`;
  },
  ({ node }) => {
    const foreign = rulesOf(node).find(({ rule }) => rule.includes('matches(') && FOREIGN_RULE.test(rule));
    return foreign && `has a rule with a pattern that RE2 refuses: ${foreign.rule}`;
  },
  ({ node, at }) => {
    const locking = rulesOf(node).find(
      ({ rule }) => (at.startsWith('status') || /\bself\.status\b/.test(rule)) && !rule.includes('oldSelf'),
    );
    return locking && `has a rule over status that does not compare oldSelf, and so locks the status: ${locking.rule}`;
  },
  ({ node, at, above }) => {
    for (const { rule } of rulesOf(node)) {
      const open = above.some(isUnbounded) ? 'a list or map above it' : firstUnbounded(node, rule, at);
      if (open) return `has a rule that costs without bound, since ${open} has no maximum: ${rule}`;
    }
    return undefined;
  },
];

/** Whether the API server compares whole numbers with another bound than this. */
export const isCut = (bound: number): boolean => bound !== Math.trunc(bound);

/** Throws one error with every fault of a kind's schema, each as `Kind field: sentence`. */
export function checkSchema(facts: Pick<KindFacts, 'kind'>, schema: CrdSchema): void {
  const faults = [...walk({ node: schema, at: '', above: [] })].flatMap((place) =>
    CHECKS.map((check) => check(place))
      .filter((fault) => typeof fault === 'string')
      .map((fault) => `${facts.kind} ${place.at || '(the object)'}: ${fault}`),
  );
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

export const rulesOf = (node: CrdSchema) => node['x-kubernetes-validations'] ?? [];

export function* walk({ node, at, above }: Place): Generator<Place> {
  yield { node, at, above };
  const below = [...above, node];
  for (const [name, child] of Object.entries(node.properties ?? {})) {
    yield* walk({ node: child, at: at ? `${at}.${name}` : name, above: below });
  }
  if (node.items) yield* walk({ node: node.items, at: `${at}[]`, above: below });
  if (typeof node.additionalProperties === 'object') {
    yield* walk({ node: node.additionalProperties, at: `${at}{}`, above: below });
  }
}

function isUnbounded(node: CrdSchema): boolean {
  if (node.type === 'array') return node.maxItems === undefined;
  if (node.type === 'string') {
    return node.maxLength === undefined && node.enum === undefined && node.format === undefined;
  }
  return node.additionalProperties !== undefined && node.maxProperties === undefined;
}

/** Follows every `self.a.b` of a rule; where a path ends, all below it counts. */
function firstUnbounded(root: CrdSchema, rule: string, at: string): string | undefined {
  for (const [path] of rule.matchAll(/\b(?:self|oldSelf)\b(?:\.\w+(?!\w*\())*/g)) {
    const names = path.split('.').slice(1);
    if (names[0] === 'metadata') continue;
    let node: CrdSchema | undefined = root;
    let place = at;
    for (const name of names) {
      node = node?.properties?.[name];
      place = place ? `${place}.${name}` : name;
    }
    for (const below of node ? walk({ node, at: place, above: [] }) : []) {
      if (isUnbounded(below.node)) return below.at || 'self';
    }
  }
  return undefined;
}
