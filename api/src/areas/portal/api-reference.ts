// The API reference, out of the route table and the OpenAPI document of each call. An area is made when somebody first asks for it, call by
// call, so that nothing else waits; then it stays. Fields are bounded: the document has the rest.
import { setImmediate } from 'node:timers/promises';
import type {
  ApiAreaView,
  ApiCallView,
  ApiFieldView,
  ApiOverviewView,
} from '@gantry/contract/areas/portal/api-reference.ts';
import { GAP } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { openapiDocument, operation, problemsOfEveryRoute } from '@gantry/contract/http/openapi.ts';
import { PROBLEM_WORDS, type ProblemCode, problem, statusOf } from '@gantry/contract/http/problem.ts';
import { ROUTES } from '@gantry/contract/http/routes.ts';

/** The area of staff's calls, which are for nobody else. */
const STAFF = 'admin';
const MOST_FIELDS = 120;
const MOST_DEPTH = 3;
const MOST_VALUES = 8;
const MOST_DESCRIPTION = 400;

interface Schema {
  type?: string | readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  format?: string;
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  additionalProperties?: Schema | boolean;
}
interface Operation {
  operationId: string;
  tags: readonly string[];
  summary: string;
  parameters?: readonly { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Schema }[];
  requestBody?: { content: Readonly<Record<string, { schema: Schema }>> };
  responses: Readonly<Record<string, { content?: Readonly<Record<string, { schema: Schema }>> }>>;
}
/** A call before it is in a language. */
interface Made extends Omit<ApiCallView, 'errors'> {
  problems: readonly ProblemCode[];
}

export class ApiReference {
  readonly #routes: readonly RouteFacts[];
  readonly #areas: ReadonlyMap<string, readonly (() => Made)[]>;
  readonly #made = new Map<string, Promise<readonly Made[]>>();

  constructor(routes: readonly RouteFacts[] = Object.values(ROUTES)) {
    this.#routes = routes.filter(({ tag }) => tag !== STAFF);
    const areas = Map.groupBy(this.#routes, ({ tag }) => tag);
    this.#areas = new Map([
      ...[...areas].map(([area, own]) => [area, own.map((route) => () => routeCall(route))] as const),
      ...modelArea(),
    ]);
  }

  overview(language: Language): ApiOverviewView {
    const [first, ...others] = this.#routes.map((route) => new Set(problemsOfEveryRoute(route)));
    const common = [...(first ?? [])].filter((code) => others.every((own) => own.has(code)));
    return {
      areas: [...this.#areas]
        .map(([area, calls]) => ({ area, calls: calls.length }))
        .toSorted((a, b) => (a.area < b.area ? -1 : 1)),
      errors: common.map((code) => refusal(code, language)),
    };
  }

  /** Throws not_found. */
  async area(area: string, language: Language): Promise<ApiAreaView> {
    const makes = this.#areas.get(area);
    if (!makes) throw problem('not_found', { what: area });
    const made = this.#made.get(area) ?? allOf(makes);
    this.#made.set(area, made);
    const calls = (await made).map(({ problems, ...call }) => ({
      ...call,
      errors: problems.map((code) => refusal(code, language)),
    }));
    return { area, calls };
  }
}

async function allOf(makes: readonly (() => Made)[]): Promise<Made[]> {
  const made: Made[] = [];
  for (const make of makes) {
    made.push(make());
    await setImmediate();
  }
  return made;
}

const refusal = (code: ProblemCode, language: Language) => ({
  status: statusOf(code),
  code,
  message: sentenceIn(PROBLEM_WORDS[code][language]),
});

/** Of several forms the general one, with the names of what it fills in: "try again in {seconds} seconds". */
const sentenceIn = (words: string): string => (words.split('||||').at(-1) ?? words).trim().replaceAll(GAP, '{$1}');

function routeCall(route: RouteFacts): Made {
  const { access, method, path, problems } = route;
  const right = typeof access === 'object' && 'right' in access ? access.right : null;
  return {
    ...madeOf(operation(route) as unknown as Operation),
    ...{ method, path: `/api${path}`, right, problems: [...new Set(problems)] },
    needs: right ? 'right' : access === 'public' ? 'nothing' : 'account',
  };
}

/** OpenAI's calls, which have errors of their own. */
function modelArea(): [string, (() => Made)[]][] {
  const paths = openapiDocument([], '').paths as Record<string, Record<string, Operation>>;
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, found]) => ({ path, method, found })),
  );
  return [...Map.groupBy(calls, ({ found }) => found.tags[0] ?? '')].map(([area, own]) => [
    area.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    own.map(
      ({ path, method, found }) =>
        (): Made => ({
          ...{ ...madeOf(found), path, method: method.toUpperCase(), needs: 'token', right: null, problems: [] },
        }),
    ),
  ]);
}

function madeOf(found: Operation): Omit<Made, 'method' | 'path' | 'needs' | 'right' | 'problems'> {
  const { operationId: id, summary, parameters = [], requestBody, responses } = found;
  const within = (place: 'path' | 'query' | 'header') =>
    bounded(
      parameters.filter((one) => one.in === place).map(({ name, required, schema }) => fieldOf(name, schema, required)),
    );
  const [status = '200', success] = Object.entries(responses).find(([code]) => /^[23]/.test(code)) ?? [];
  const [type = '', { schema } = {}] = Object.entries(success?.content ?? {})[0] ?? [];
  const [bodyType, { schema: body } = {}] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  return {
    ...{ id, summary, path_fields: within('path'), query_fields: within('query'), header_fields: within('header') },
    body: bodyType === undefined ? null : { type: bodyType, ...bounded(fieldsOf(body)) },
    answer: { status: Number(status), type, ...bounded(fieldsOf(schema)) },
  };
}

const bounded = (items: ApiFieldView[]) => ({
  items: items.slice(0, MOST_FIELDS),
  more: Math.max(0, items.length - MOST_FIELDS),
});

/** Those of an object, and below each those of objects in it. */
function fieldsOf(schema: Schema | undefined, prefix = '', depth = 1): ApiFieldView[] {
  const object = objectIn(schema);
  return Object.entries(object?.properties ?? {}).flatMap(([name, of]) => {
    const isRequired = object?.required?.includes(name) ?? false;
    const at = `${prefix}${name}`;
    const [inner, below] = isList(of) ? [listIn(of)?.items, `${at}[].`] : [of, `${at}.`];
    return [fieldOf(at, of, isRequired), ...(depth < MOST_DEPTH ? fieldsOf(inner, below, depth + 1) : [])];
  });
}

const choicesOf = (schema: Schema | undefined): readonly Schema[] =>
  schema?.anyOf ?? schema?.oneOf ?? (schema ? [schema] : []);
/** An object, or the only one among what is allowed. */
const objectIn = (schema: Schema | undefined): Schema | undefined =>
  choicesOf(schema).find(({ properties }) => properties);
const listIn = (schema: Schema): Schema | undefined => choicesOf(schema).find(({ items }) => items);
const isList = (schema: Schema): boolean => !objectIn(schema) && listIn(schema) !== undefined;

const fieldOf = (name: string, schema: Schema, isRequired: boolean): ApiFieldView => ({
  ...{ name, type: typeOf(schema), is_required: isRequired },
  description: schema.description?.slice(0, MOST_DESCRIPTION) ?? null,
});

/** As TypeScript would write it, in short. */
function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) {
    const values = schema.enum.slice(0, MOST_VALUES).map((value) => JSON.stringify(value));
    return [...values, ...(schema.enum.length > MOST_VALUES ? ['…'] : [])].join(' | ');
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeOf))].slice(0, MOST_VALUES).join(' | ');
  if (schema.items) {
    const inner = typeOf(schema.items);
    return inner.includes(' | ') ? `(${inner})[]` : `${inner}[]`;
  }
  const { type = 'any', format } = schema;
  return typeof type === 'string' ? (format === undefined ? type : `${type} (${format})`) : type.join(' | ');
}
