// Complaints of client generators and linters about the OpenAPI document, as sentences: they fail on the whole of it where one schema is
// beyond them. Pure.
type Json = Readonly<Record<string, unknown>>;

interface Operation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly security?: readonly Json[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema?: unknown }[];
  readonly responses?: Readonly<
    Record<string, { description?: unknown; content?: Record<string, { schema?: unknown }> }>
  >;
}
interface Placed extends Operation {
  readonly at: string;
  readonly path: string;
}

export interface OpenapiDocument {
  readonly tags?: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly securitySchemes?: Json; readonly schemas?: Json };
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Empty where there is none. */
export function openapiFaults(document: OpenapiDocument): string[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]): Placed => ({ at: `${method} ${path}`, path, ...one })),
  );
  return [
    ...schemaFaults(document),
    ...nameFaults(operations),
    ...tagFaults(document, operations),
    ...operations.flatMap((one) => [...parameterFaults(one), ...answerFaults(one), ...securityFaults(document, one)]),
    ...unusedSchemas(document),
  ];
}

/** Every object in it, with its path. */
function* objectsIn(value: unknown, at = ''): Generator<[string, Json]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [at, value as Json];
  for (const [name, one] of Object.entries(value)) yield* objectsIn(one, `${at}/${name}`);
}

function* schemaFaults(document: OpenapiDocument): Generator<string> {
  for (const [at, { type, items, $ref, ...more }] of objectsIn(document)) {
    if (type === 'array' && (typeof items !== 'object' || items === null || Array.isArray(items)))
      yield `${at}: items are no schema`;
    if ('prefixItems' in more && typeof type === 'string') yield `${at}: a tuple`;
    if (typeof $ref === 'string' && !isThere(document, $ref)) yield `${at}: ${$ref} is not there`;
  }
}

function isThere(document: OpenapiDocument, ref: string): boolean {
  if (!ref.startsWith('#/')) return false;
  const names = ref.slice(2).split('/');
  return names.reduce<unknown>((of, name) => (of as Json | undefined)?.[name], document) !== undefined;
}

function* nameFaults(operations: readonly Placed[]): Generator<string> {
  const seen = new Set<string>();
  for (const { at, operationId = '', summary } of operations) {
    if (!METHODS.includes(at.split(' ')[0] ?? '')) yield `${at}: no method`;
    if (!/^\w+$/.test(operationId)) yield `${at}: the operationId "${operationId}" is no name`;
    if (seen.has(operationId)) yield `${at}: the operationId ${operationId} is another operation's`;
    seen.add(operationId);
    if (!summary) yield `${at}: no summary`;
  }
}

function* tagFaults({ tags = [] }: OpenapiDocument, operations: readonly Placed[]): Generator<string> {
  const names = tags.map(({ name }) => name);
  const used = new Set(operations.flatMap((one) => one.tags ?? []));
  for (const name of names) if (!used.has(name)) yield `the tag ${name} is of no operation`;
  if (new Set(names).size < names.length) yield 'a tag is there twice';
  for (const name of used) if (!names.includes(name)) yield `the tag ${name} is not declared`;
  for (const one of operations) if (!one.tags?.length) yield `${one.at}: no tag`;
}

function* parameterFaults({ at, path, parameters = [] }: Placed): Generator<string> {
  const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const named = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
  for (const name of wanted) if (!named.includes(name)) yield `${at}: {${name}} is no parameter`;
  for (const name of named) if (!wanted.includes(name)) yield `${at}: the path has no {${name}}`;
  const keys = parameters.map((one) => `${one.in} ${one.name}`);
  if (new Set(keys).size < keys.length) yield `${at}: a parameter is there twice`;
  for (const { name, schema } of parameters) if (typeof schema !== 'object') yield `${at}: ${name} has no schema`;
}

function* answerFaults({ at, responses = {} }: Placed): Generator<string> {
  if (!Object.keys(responses).some((status) => /^[1-3]/.test(status))) yield `${at}: no answer but failures`;
  for (const [status, { description, content = {} }] of Object.entries(responses)) {
    if (typeof description !== 'string' || description === '') yield `${at}: ${status} has no description`;
    for (const [mime, { schema }] of Object.entries(content))
      if (typeof schema !== 'object') yield `${at}: ${status} ${mime} has no schema`;
  }
}

function* securityFaults({ components = {} }: OpenapiDocument, { at, security }: Placed): Generator<string> {
  if (!security) yield `${at}: says nothing of who may call`;
  for (const name of (security ?? []).flatMap(Object.keys))
    if (!Object.hasOwn(components.securitySchemes ?? {}, name)) yield `${at}: the scheme ${name} is not declared`;
}

function* unusedSchemas(document: OpenapiDocument): Generator<string> {
  const used = new Set([...objectsIn(document)].map(([, { $ref }]) => $ref));
  for (const name of Object.keys(document.components?.schemas ?? {}))
    if (!used.has(`#/components/schemas/${name}`)) yield `the schema ${name} is used nowhere`;
}
