// One kind's facts as a CustomResourceDefinition. Whatever the API server would refuse, or take and then choke on, is
// refused here first, with the kind and the field named (check-schema.ts).
import { readFileSync } from 'node:fs';
import { GROUP, type KindFacts, sentence, VERSION } from '@gantry/contract/define-kind.ts';
import { ANNOTATION } from '@gantry/contract/names.ts';
import { RULE_WORDS } from '@gantry/contract/rule-words.ts';
import * as z from 'zod';
import { isCut, rulesOf, walk } from './check-schema.ts';
import { OUTLIVES_RELEASE } from './outlives-release.ts';
import { SCALE, scalable } from './scale.ts';

/** A JSON schema as a CRD carries it: the part of OpenAPI 3.0 that Kubernetes calls structural. */
export interface CrdSchema {
  type?: string;
  properties?: Record<string, CrdSchema>;
  additionalProperties?: boolean | CrdSchema;
  items?: CrdSchema;
  required?: string[];
  enum?: unknown[];
  default?: unknown;
  format?: string;
  description?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: boolean;
  exclusiveMaximum?: boolean;
  multipleOf?: number;
  maxLength?: number;
  maxItems?: number;
  maxProperties?: number;
  anyOf?: CrdSchema[];
  oneOf?: CrdSchema[];
  allOf?: CrdSchema[];
  'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  'x-kubernetes-list-map-keys'?: string[];
  'x-kubernetes-validations'?: Rule[];
}

interface Rule {
  rule: string;
  message?: string;
  fieldPath?: string;
}

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The CustomResourceDefinition of a kind, as JSON. */
export function crdOf(facts: KindFacts) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${facts.plural}.${GROUP}`, annotations: { [ANNOTATION.version]: version, ...OUTLIVES_RELEASE } },
    spec: {
      group: GROUP,
      scope: facts.scope,
      names: {
        kind: facts.kind,
        listKind: `${facts.kind}List`,
        plural: facts.plural,
        singular: facts.singular ?? facts.kind.toLowerCase(),
        shortNames: facts.shortNames,
        categories: ['gantry'],
      },
      versions: [
        {
          name: VERSION,
          served: true,
          storage: true,
          subresources: { status: {}, ...(scalable([facts]).length > 0 && { scale: SCALE }) },
          // kubectl get --field-selector status.phase=running
          selectableFields: SELECTABLE.filter((path) => hasField(facts, path)).map((path) => ({
            jsonPath: `.${path}`,
          })),
          additionalPrinterColumns: facts.columns.map((column) => ({ type: 'string', ...column })),
          schema: { openAPIV3Schema: schemaOf(facts) },
        },
      ],
    },
  };
}

const SELECTABLE = ['status.phase', 'spec.power', 'spec.creator'] as const;

const hasField = (facts: KindFacts, path: (typeof SELECTABLE)[number]): boolean => {
  const [part, field] = path.split('.') as ['spec' | 'status', string];
  return field in facts[part].shape;
};

/** The schema of the whole object: spec, status and the rules over both. */
export function schemaOf(facts: KindFacts): CrdSchema {
  return {
    type: 'object',
    required: ['spec'],
    properties: { spec: structural(facts.spec), status: structural(facts.status) },
    ...(facts.rules.length > 0 && {
      'x-kubernetes-validations': facts.rules.map(({ rule, words, ...rest }) => ({ rule, message: words.en, ...rest })),
    }),
  };
}

function structural(object: z.ZodObject): CrdSchema {
  const options = { target: 'openapi-3.0', io: 'input', reused: 'inline', cycles: 'throw' } as const;
  const schema = z.toJSONSchema(object, options) as CrdSchema;
  for (const { node } of walk({ node: schema, at: '', above: [] })) avoidTraps(node);
  return schema;
}

function avoidTraps(node: CrdSchema): void {
  // By this format the API server admits what neither JavaScript nor Go reads, and hands CEL an error in its place.
  if (node.format === 'date-time') delete node.format;
  // A rule says in a sentence what the pattern says.
  if (rulesOf(node).length > 0) delete node.pattern;
  const { minimum = 0, exclusiveMinimum } = node;
  if (isCut(minimum) && minimum > 0 && !exclusiveMinimum)
    node['x-kubernetes-validations'] = [...rulesOf(node), atLeast(minimum)];
}

/**
 * The API server cuts a bound to a whole number before it compares one with it: 0 would pass a minimum of 0.1. CEL compares them
 * as they are.
 */
const atLeast = (minimum: number): Rule => ({
  rule: `self >= ${minimum}`,
  message: sentence(RULE_WORDS.atLeast, 'en', { bound: `${minimum}` }),
});
