// Names a request to the API server the way an audit log would: verb, resource, object. Knows no kind of ours by name.

export type Verb =
  | 'list'
  | 'watch'
  | 'get'
  | 'create'
  | 'update'
  | 'patch'
  | 'apply'
  | 'delete'
  | 'deletecollection'
  | 'other';

/** One request. Text that a request does not have is '', as in Kubernetes' own RequestInfo. */
export interface Call {
  /** Ordinal over the proxy's life, from 1. */
  readonly n: number;
  /** Verb and resource, e.g. `apply gpuinstances/status`: the key of `counts()`. */
  readonly title: string;
  readonly verb: Verb;
  readonly group: string;
  readonly version: string;
  /** Plural resource; for a path outside the resource tree, the path (`/version`). */
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  /** For a create: `metadata.name`, or '' while only `generateName` is known. */
  readonly name: string;
  readonly fieldManager: string;
  readonly dryRun: boolean;
  /** Whether it is meant to change what the API server stores. */
  readonly isWrite: boolean;
  /** Path and query, as sent. */
  readonly url: string;
}

export interface Request {
  readonly method: string;
  readonly url: string;
  readonly contentType: string;
  readonly body: Buffer;
}

const WRITES: ReadonlySet<Verb> = new Set(['create', 'update', 'patch', 'apply', 'delete', 'deletecollection']);

// Reviews and tokens are POSTs that store nothing.
const STORES_NOTHING: ReadonlySet<string> = new Set([
  'subjectaccessreviews',
  'localsubjectaccessreviews',
  'selfsubjectaccessreviews',
  'selfsubjectrulesreviews',
  'selfsubjectreviews',
  'tokenreviews',
  'serviceaccounts/token',
]);

// Under /namespaces/<name>/ these are parts of the Namespace itself, anything else is a resource inside it.
const PARTS_OF_A_NAMESPACE: ReadonlySet<string> = new Set(['status', 'finalize']);

/** Parses a request line (and the body of a create). Never throws: an unknown request is `other` with its path. */
export function parseCall(n: number, request: Request): Call {
  const { pathname, searchParams } = new URL(request.url, 'http://proxy');
  const place = parsePath(pathname);
  const verb = verbOf(request, place, searchParams);
  const what = place.subresource === '' ? place.resource : `${place.resource}/${place.subresource}`;
  const dryRun = searchParams.has('dryRun');
  return {
    n,
    title: `${verb} ${what}`,
    verb,
    ...place,
    name: place.name === '' && verb === 'create' ? nameInBody(request.body) : place.name,
    fieldManager: searchParams.get('fieldManager') ?? '',
    dryRun,
    isWrite: WRITES.has(verb) && !dryRun && !STORES_NOTHING.has(what),
    url: request.url,
  };
}

type Place = Pick<Call, 'group' | 'version' | 'resource' | 'subresource' | 'namespace' | 'name'>;

function parsePath(pathname: string): Place {
  const parts = pathname.split('/').filter(Boolean).map(decode);
  const root = parts.shift();
  const group = root === 'apis' ? (parts.shift() ?? '') : '';
  const version = parts.shift() ?? '';
  if ((root !== 'api' && root !== 'apis') || parts.length === 0) {
    return { group: '', version: '', resource: pathname, subresource: '', namespace: '', name: '' };
  }
  const isNamespaced = parts[0] === 'namespaces' && parts.length > 2 && !PARTS_OF_A_NAMESPACE.has(parts[2] ?? '');
  const namespace = isNamespaced ? (parts[1] ?? '') : '';
  const [resource = '', name = '', ...subresource] = isNamespaced ? parts.slice(2) : parts;
  return { group, version, resource, subresource: subresource.join('/'), namespace, name };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const VERB_OF_METHOD: Readonly<Record<string, (request: Request, place: Place, query: URLSearchParams) => Verb>> = {
  GET: (_, place, query) => {
    if (query.has('watch') && !['false', '0'].includes(query.get('watch') ?? '')) return 'watch';
    return place.name === '' && place.version !== '' ? 'list' : 'get';
  },
  HEAD: () => 'get',
  POST: () => 'create',
  PUT: () => 'update',
  PATCH: ({ contentType }) => (contentType.startsWith('application/apply-patch+') ? 'apply' : 'patch'),
  DELETE: (_, place) => (place.name === '' ? 'deletecollection' : 'delete'),
};

function verbOf(request: Request, place: Place, query: URLSearchParams): Verb {
  return VERB_OF_METHOD[request.method]?.(request, place, query) ?? 'other';
}

function nameInBody(body: Buffer): string {
  try {
    const name: unknown = JSON.parse(body.toString('utf8'))?.metadata?.name;
    return typeof name === 'string' ? name : '';
  } catch {
    return '';
  }
}
