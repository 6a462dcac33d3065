// One kind's facts as a CustomResourceDefinition. Whatever the API server would refuse, or take and then choke on, is
// refused here first, with the kind and the field named (check-schema.ts).
import { GROUP, type KindFacts, VERSION } from '@gantry/contract/define-kind.ts';
import * as z from 'zod';

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
  pattern?: string;
  maxLength?: number;
  maxItems?: number;
  maxProperties?: number;
  anyOf?: CrdSchema[];
  oneOf?: CrdSchema[];
  allOf?: CrdSchema[];
  'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  'x-kubernetes-list-map-keys'?: string[];
  'x-kubernetes-validations'?: { rule: string; message?: string; fieldPath?: string }[];
}

/** The CustomResourceDefinition of a kind, as JSON. */
export function crdOf(facts: KindFacts) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${facts.plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: facts.scope,
      names: {
        kind: facts.kind,
        listKind: `${facts.kind}List`,
        plural: facts.plural,
        singular: facts.kind.toLowerCase(),
        shortNames: facts.shortNames,
        categories: ['gantry'],
      },
      versions: [
        {
          name: VERSION,
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: facts.columns.map((column) => ({ type: 'string', ...column })),
          schema: { openAPIV3Schema: schemaOf(facts) },
        },
      ],
    },
  };
}

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

const structural = (schema: z.ZodObject): CrdSchema =>
  z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io: 'input',
    reused: 'inline',
    cycles: 'throw',
    override: ({ jsonSchema }) => {
      // The API server parses this format itself; zod's pattern of leap years would only bury the schema.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  }) as CrdSchema;
