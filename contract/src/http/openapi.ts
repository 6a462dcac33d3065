// The OpenAPI 3.1 document, out of the route table.
import * as z from 'zod';
import { MODEL_SECURITY, MODEL_TAG, modelPaths, modelSchemas } from '../areas/inference/model-calls.ts';
import { FEATURES } from '../features.ts';
import {
  type Access,
  ANSWERS_OF_EVERY_ROUTE,
  isMutation,
  type RouteFacts,
  takesIdempotencyKey,
} from './define-route.ts';
import { envelopeOf, problemBody } from './envelope.ts';
import { PROBLEM_WORDS, type ProblemCode, statusOf } from './problem.ts';

type Json = Record<string, unknown>;

/** The document of these routes. `version` is the product's. */
export function openapiDocument(routes: readonly RouteFacts[], version: string): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = `/api${route.path}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Gantry', version, description: 'An open GPU cloud and large-model platform on Kubernetes.' },
    servers: [{ url: '/' }],
    tags: [...tagsOf(routes), MODEL_TAG],
    paths: { ...paths, ...modelPaths(jsonSchema) },
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'X-Token', description: "A session's token." },
        bearer: { type: 'http', scheme: 'bearer', description: "A session's token, or an API token." },
        apiToken: MODEL_SECURITY,
      },
      schemas: { Problem: jsonSchema(problemBody, 'output'), ...modelSchemas(jsonSchema) },
    },
  };
}

const tagsOf = (routes: readonly RouteFacts[]): Json[] =>
  [...new Set(routes.map(({ tag }) => tag))].sort().map((name) => ({ name }));

/** One call, as the document has it. */
export function operation(route: RouteFacts): Json {
  const mime = 'stream' in route.answer ? route.answer.stream : 'file' in route.answer ? route.answer.file : undefined;
  const envelope = envelopeOf(route);
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: accessSentence(route.access),
    security: route.access === 'public' ? [] : [{ token: [] }, { bearer: [] }],
    parameters: [
      ...parameters(route.params, 'path'),
      ...parameters(route.query, 'query'),
      ...(takesIdempotencyKey(route)
        ? [{ name: 'Idempotency-Key', in: 'header', required: false, schema: IDEMPOTENCY_KEY }]
        : []),
    ],
    ...(route.body && {
      requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(route.body, 'input') } } },
    }),
    ...(route.upload && {
      requestBody: { required: true, content: { '*/*': { schema: BYTES } } },
    }),
    responses: {
      [`${route.status ?? 200}`]: {
        description: 'Success.',
        headers: HEADERS,
        ...(route.status !== 303 && {
          content: envelope
            ? { 'application/json': { schema: jsonSchema(envelope, 'output') } }
            : { [mime ?? 'application/octet-stream']: { schema: 'stream' in route.answer ? TEXT : BYTES } },
        }),
      },
      ...problemResponses(route),
    },
  };
}

const BYTES = { type: 'string', format: 'binary' };
const TEXT = { type: 'string' };
const HEADERS = { 'X-Request-Id': { schema: { type: 'string', pattern: '^[\\w-]{8,64}$' } } };
const RETRY_AFTER = { description: 'Seconds.', schema: { type: 'integer', minimum: 1 } };
const IDEMPOTENCY_KEY = { type: 'string', pattern: '^[\\w.:-]{1,255}$' };

function problemResponses(route: RouteFacts): Json {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of new Set([...problemsOfEveryRoute(route), ...route.problems]))
    byStatus.set(statusOf(code), [...(byStatus.get(statusOf(code)) ?? []), code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      `${status}`,
      {
        headers: status === 429 || status === 503 ? { ...HEADERS, 'Retry-After': RETRY_AFTER } : HEADERS,
        description: codes.map((code) => `\`${code}\`: ${PROBLEM_WORDS[code].en}`).join('\n\n'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
}

/** The frame's own possible answers to a call of this route. */
export function problemsOfEveryRoute(route: RouteFacts): ProblemCode[] {
  return [
    ...ANSWERS_OF_EVERY_ROUTE.all,
    ...(route.feature ? [FEATURES[route.feature]] : []),
    ...(route.access === 'public' ? [] : ANSWERS_OF_EVERY_ROUTE.signedIn),
    ...(typeof route.access === 'object' ? ANSWERS_OF_EVERY_ROUTE.allowed : []),
    ...(typeof route.access === 'object' && 'platform' in route.access ? ANSWERS_OF_EVERY_ROUTE.staff : []),
    ...(route.params ? ANSWERS_OF_EVERY_ROUTE.named : []),
    ...(route.body ? ANSWERS_OF_EVERY_ROUTE.withBody : []),
    ...(isMutation(route) ? ANSWERS_OF_EVERY_ROUTE.mutation : []),
    ...(takesIdempotencyKey(route) ? ANSWERS_OF_EVERY_ROUTE.withIdempotencyKey : []),
    ...(route.method === 'POST' && !takesIdempotencyKey(route) ? ANSWERS_OF_EVERY_ROUTE.withoutIdempotencyKey : []),
  ];
}

function accessSentence(access: Access): string {
  if (access === 'public') return 'Anybody may call it.';
  if (access === 'account') return 'Whoever is signed in may call it.';
  if ('right' in access) return `Takes a role with the right \`${access.right}\` in the organisation of the token.`;
  if (access.role) return `Takes the platform's role \`${access.role}\`.`;
  if (access.platform === 'any') return "Takes any role of the platform's staff.";
  return `Takes a role of the platform's staff with the menu \`${access.platform}\`.`;
}

function parameters(schema: z.ZodObject | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, of]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: of,
  }));
}

/** Generators of clients know neither tuples nor schemas that are `false`: a tuple is a list of whatever is in it. */
const override = ({ jsonSchema: schema }: { jsonSchema: Json }): void => {
  const { prefixItems: items } = schema;
  if (!Array.isArray(items)) return;
  const kinds = [...new Map(items.map((one) => [JSON.stringify(one), one])).values()];
  delete schema.prefixItems;
  schema.items = kinds.length === 1 ? kinds[0] : { anyOf: kinds };
  Object.assign(schema, { minItems: items.length, maxItems: items.length });
};

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const options = { io, unrepresentable: 'any', reused: 'inline', override } as const;
  const { $schema, ...rest } = z.toJSONSchema(schema, options as Parameters<typeof z.toJSONSchema>[1]) as Json;
  return rest;
}
