// The API server over HTTP/1.1 with kept-alive connections, JSON in and out. It never retries a write: only the caller knows what
// an unclear answer means.
import { type ClientRequest, type Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { ApiError, NoAnswer, type StatusBody } from './api-error.ts';
import type { Credentials } from './credentials.ts';
import type { Key, NamedRemoval, Patch, PatchStep, Resource, Target } from './resource.ts';
import { splitLines } from './split-lines.ts';

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'apply' | 'patch' | 'jsonPatch' | 'delete';

export interface ListPage {
  metadata: { resourceVersion: string; continue?: string };
  items: KubeObject[];
}

export interface WatchEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  object: KubeObject;
}

/** One finished request. `code` is 0 where no answer came. */
export interface RequestFacts {
  verb: Verb;
  kind: string;
  subresource: string;
  code: number;
}

export interface ClientOptions {
  /**
   * The field manager of all writes, and the user agent in the server's logs. Changing it would orphan every field applied so
   * far.
   */
  fieldManager: string;
  /** Labels of everything that is made, applied or labelled anew in its own name: as another user it adds none. */
  labels?: Readonly<Record<string, string>>;
  /** Hears of every finished request. */
  onRequest?: (facts: RequestFacts) => void;
}

/** How the server treats a write. By default it is carried out, and fields unknown to the schema are dropped with a warning. */
export interface WriteOptions {
  /** Everything is checked and the answer is what would be; nothing is stored. */
  dryRun?: 'All';
  /** A field that the schema does not know, or that is given twice, is refused: 400 on a create, 422 on a merge patch. */
  fieldValidation?: 'Strict';
}

interface Limits {
  limitMs: number;
  signal?: AbortSignal;
}

interface Call {
  verb: Verb;
  resource: Resource;
  namespace?: string | undefined;
  name?: string;
  subresource?: string | undefined;
  query?: Query;
  body?: unknown;
}

const METHOD: Record<Verb, string> = {
  get: 'GET',
  list: 'GET',
  watch: 'GET',
  create: 'POST',
  apply: 'PATCH',
  patch: 'PATCH',
  jsonPatch: 'PATCH',
  delete: 'DELETE',
};
const CONTENT_TYPE: Partial<Record<Verb, string>> = {
  create: 'application/json',
  apply: 'application/apply-patch+yaml',
  patch: 'application/merge-patch+json',
  jsonPatch: 'application/json-patch+json',
  delete: 'application/json',
};

/** The longest refusal to read: a node behind the server may have written it. */
const MOST_STATUS_BYTES = 1024 * 1024;
/** An answer that takes longer counts as none. Longer than the server's own limit for a write under load. */
const ANSWER_MS = 10_000;

export class KubeClient {
  readonly #credentials: Credentials;
  readonly #options: ClientOptions;
  /** Sent with every request, after what the credentials bring. */
  #impersonation: Readonly<Record<string, string>> = {};

  constructor(credentials: Credentials, options: ClientOptions) {
    this.#credentials = credentials;
    this.#options = options;
  }

  /**
   * The same connections, speaking as another user, who needs the rights for the request. The server adds the groups of a
   * ServiceAccount (`system:serviceaccount:<namespace>:<name>`); any other user has only system:authenticated.
   */
  as(user: string): KubeClient {
    // The server takes an empty name for nobody's, and would go by our own rights.
    if (user.trim() === '') throw new Error('nobody was named to speak as');
    const { labels: _, ...options } = this.#options;
    const other = new KubeClient(this.#credentials, options);
    other.#impersonation = { 'impersonate-user': user };
    return other;
  }

  get(resource: Resource, namespace: string | undefined, name: string): Promise<KubeObject> {
    return this.#json({ verb: 'get', resource, namespace, name });
  }

  list(resource: Resource, query: Query): Promise<ListPage> {
    return this.#json({ verb: 'list', resource, namespace: resource.namespace, query });
  }

  create(resource: Resource, object: KubeObject, options: WriteOptions = {}): Promise<KubeObject> {
    const query = this.#writing(options);
    return this.#json({
      verb: 'create',
      resource,
      namespace: object.metadata.namespace,
      query,
      body: this.#labelled(object),
    });
  }

  /** POSTs to a subresource, such as an account's token. Returns what the server made of `body`. */
  createUnder(resource: Resource, under: Key, subresource: string, body: KubeObject): Promise<KubeObject> {
    return this.#json({ verb: 'create', resource, ...under, subresource, query: this.#writing({}), body });
  }

  /** Server-side apply, taking over the fields it names. It creates what is absent, unless the body carries a uid. */
  apply(resource: Resource, object: KubeObject, subresource?: 'status'): Promise<KubeObject> {
    const { namespace, name } = object.metadata;
    const query = { ...this.#writing({}), force: true };
    return this.#json({ verb: 'apply', resource, namespace, name, subresource, query, body: this.#labelled(object) });
  }

  /** A JSON merge patch of the object with this uid, and this resourceVersion where given. */
  mergePatch(
    resource: Resource,
    patch: Patch,
    subresource?: 'status',
    options: WriteOptions = {},
  ): Promise<KubeObject> {
    const { namespace, name, uid, resourceVersion } = patch;
    const given: { labels?: object } = patch.body.metadata ?? {};
    // Objects of the whole cluster that are patched, such as nodes, are others': they get the patch's labels alone.
    const labels = given.labels && resource.namespaced && { labels: { ...given.labels, ...this.#options.labels } };
    const metadata = { ...given, ...labels, uid, ...(resourceVersion && { resourceVersion }) };
    const query = this.#writing(options);
    const body = { ...patch.body, metadata };
    return this.#json({ verb: 'patch', resource, namespace, name, subresource, query, body });
  }

  /**
   * A JSON patch of the object with this uid, whatever else has changed that no step tests: the server retries conflicts itself.
   * A failed test, or another uid, is a 422 (`isUntrue`).
   */
  jsonPatch(
    resource: Resource,
    { namespace, name, uid }: Pick<Target, 'namespace' | 'name' | 'uid'>,
    steps: readonly PatchStep[],
    subresource?: 'status',
  ): Promise<KubeObject> {
    const body = [{ op: 'test', path: '/metadata/uid', value: uid }, ...steps];
    return this.#json({ verb: 'jsonPatch', resource, namespace, name, subresource, query: this.#writing({}), body });
  }

  /** Returns the object as it is while something still holds it, or a Status once it is gone. */
  delete(resource: Resource, removal: NamedRemoval): Promise<KubeObject | StatusBody> {
    const { namespace, name, uid, gracePeriodSeconds, propagation } = removal;
    const body = {
      preconditions: { uid },
      ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
      ...(propagation && { propagationPolicy: propagation }),
    };
    return this.#json({ verb: 'delete', resource, namespace, name, body });
  }

  /** Resolves when the server ends the watch, rejects when anything else does: an error, the signal, or `limitMs` gone by. */
  async watch(
    resource: Resource,
    query: Query,
    onEvent: (event: WatchEvent) => void,
    { signal, limitMs }: { signal: AbortSignal; limitMs: number },
  ): Promise<void> {
    const call: Call = {
      verb: 'watch',
      resource,
      namespace: resource.namespace,
      query: { ...query, watch: true, allowWatchBookmarks: true },
    };
    const feed = splitLines((line) => onEvent(JSON.parse(line.toString('utf8')) as WatchEvent));
    await this.#call(call, { limitMs, signal }, (answer) => drain(answer, feed));
  }

  /** The bytes of a subresource as they come, such as a Pod's log; the reader's pace is the server's. Destroy it to leave. */
  stream(
    resource: Resource,
    { namespace, name }: Key,
    subresource: string,
    query: Query,
    limits: Limits,
  ): Promise<IncomingMessage> {
    const path = pathOf({ verb: 'get', resource, namespace, name, subresource, query });
    return this.#open('GET', path, undefined, undefined, limits);
  }

  /** A path outside of resources, such as /version. */
  async raw<T>(path: string): Promise<T> {
    const answer = await this.#open('GET', path, undefined, undefined, { limitMs: ANSWER_MS });
    return readJson<T>(answer);
  }

  /** The bytes of such a path. Rejects where there are more of them, or after `limitMs`. */
  async rawBytes(path: string, { mostBytes, ...limits }: Limits & { mostBytes: number }): Promise<Buffer> {
    return readBytes(await this.#open('GET', path, undefined, undefined, limits), mostBytes);
  }

  /** The options with which to open a WebSocket to a path of the server, as the same user. */
  async socketTarget(path: string): Promise<{ url: string; headers: Record<string, string>; agent: HttpAgent }> {
    const { server, headers, agent } = await this.#credentials.connection();
    const scheme = server.protocol === 'http:' ? 'ws:' : 'wss:';
    return {
      url: `${scheme}//${server.host}${server.pathname.replace(/\/$/, '')}${path}`,
      headers: { 'user-agent': this.#options.fieldManager, ...headers, ...this.#impersonation },
      agent,
    };
  }

  #labelled(object: KubeObject): KubeObject {
    const { labels } = this.#options;
    if (!labels) return object;
    return { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...labels } } };
  }

  #writing({ dryRun, fieldValidation }: WriteOptions): Query {
    return { fieldManager: this.#options.fieldManager, dryRun, fieldValidation };
  }

  #json<T>(call: Call): Promise<T> {
    return this.#call(call, { limitMs: ANSWER_MS }, readJson<T>);
  }

  async #call<T>(call: Call, limits: Limits, read: (answer: IncomingMessage) => Promise<T>): Promise<T> {
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const facts = { verb: call.verb, kind: call.resource.kind, subresource: call.subresource ?? '', code: 0 };
    try {
      const answer = await this.#open(METHOD[call.verb], pathOf(call), CONTENT_TYPE[call.verb], body, limits);
      facts.code = answer.statusCode ?? 0;
      return await read(answer);
    } catch (error) {
      if (error instanceof ApiError) facts.code = error.code;
      throw error;
    } finally {
      this.#options.onRequest?.(facts);
    }
  }

  /** Returns the answer once it is known to be a success. After a 401 it asks again once, with credentials read again. */
  async #open(
    method: string,
    path: string,
    contentType: string | undefined,
    body: string | undefined,
    { limitMs, signal }: Limits,
  ): Promise<IncomingMessage> {
    for (let attempt = 1; ; attempt++) {
      const connection = await this.#credentials.connection();
      const { server, agent } = connection;
      const options = {
        method,
        agent,
        ...(signal && { signal }),
        host: server.hostname.replace(/^\[|\]$/g, ''),
        port: server.port || (server.protocol === 'http:' ? 80 : 443),
        path: server.pathname.replace(/\/$/, '') + path,
        headers: {
          'user-agent': this.#options.fieldManager,
          ...connection.headers,
          ...this.#impersonation,
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }),
        },
      };
      const request = server.protocol === 'http:' ? httpRequest(options) : httpsRequest(options);
      const answer = await exchange(request, body, limitMs);
      const code = answer.statusCode ?? 0;
      if (code < 400) return answer;
      const said = await readJson<StatusBody>(answer, MOST_STATUS_BYTES).catch((): StatusBody => ({}));
      if (code === 401) {
        this.#credentials.distrust(connection);
        if (attempt === 1) continue;
      }
      const retryAfter = Number(answer.headers['retry-after']);
      throw new ApiError(code, said, Number.isFinite(retryAfter) ? retryAfter : undefined);
    }
  }
}

function pathOf({ resource, namespace, name, subresource, query = {} }: Call): string {
  const { group, version, plural } = resource;
  const words = [
    ...(group ? ['apis', group, version] : ['api', version]),
    ...(namespace === undefined ? [] : ['namespaces', namespace]),
    plural,
    ...(name === undefined ? [] : [name]),
    ...(subresource === undefined ? [] : [subresource]),
  ].map(encodeURIComponent);
  const parameters = Object.entries(query).flatMap(([key, value]): [string, string][] =>
    value === undefined ? [] : [[key, `${value}`]],
  );
  return `/${words.join('/')}${parameters.length > 0 ? `?${new URLSearchParams(parameters)}` : ''}`;
}

/** The limit covers the whole answer, to its last byte. */
function exchange(request: ClientRequest, body: string | undefined, limitMs: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => request.destroy(new Error(`the API server took longer than ${limitMs} ms`)),
      limitMs,
    );
    request.once('close', () => clearTimeout(timer));
    request.once('response', resolve);
    // Stays for good: a request that is called off after its answer began errors once more, with nobody waiting.
    request.on('error', (cause) => reject(new NoAnswer(cause.message, { cause })));
    request.end(body);
  });
}

/** Resolves at the end of the answer; rejects when it is cut off, or when `onChunk` throws. */
function drain(answer: IncomingMessage, onChunk: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    answer.on('data', (chunk: Buffer) => {
      try {
        onChunk(chunk);
      } catch (error) {
        reject(error);
        answer.destroy();
      }
    });
    answer.once('end', resolve);
    answer.on('error', (cause) => reject(new NoAnswer(cause.message, { cause })));
    answer.once('close', () => {
      // An error collects its stack, so that none is made for an answer that has ended.
      if (!answer.readableEnded) reject(new NoAnswer('the API server cut its answer off'));
    });
  });
}

async function readJson<T>(answer: IncomingMessage, mostBytes?: number): Promise<T> {
  return JSON.parse((await readBytes(answer, mostBytes)).toString('utf8')) as T;
}

async function readBytes(answer: IncomingMessage, mostBytes = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  await drain(answer, (chunk) => {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new NoAnswer(`the answer is longer than ${mostBytes} bytes`);
    chunks.push(chunk);
  });
  return Buffer.concat(chunks);
}

/** The resource of an object whose kind no cache follows is asked of the server, once. */
export class ResourceNames {
  readonly #client: Pick<KubeClient, 'raw'>;
  readonly #known = new Map<string, Resource>();

  constructor(client: Pick<KubeClient, 'raw'>, known: Iterable<Resource>) {
    this.#client = client;
    for (const resource of known) this.#known.set(kindText(resource), resource);
  }

  async of({ apiVersion, kind }: Pick<Target, 'apiVersion' | 'kind'>): Promise<Resource> {
    const known = this.#known.get(`${apiVersion}/${kind}`);
    if (known) return known;
    const [group, version] = apiVersion.includes('/') ? (apiVersion.split('/') as [string, string]) : ['', apiVersion];
    const { resources } = await this.#client.raw<{ resources: { name: string; kind: string; namespaced: boolean }[] }>(
      group ? `/apis/${group}/${version}` : `/api/${version}`,
    );
    for (const { name, kind: found, namespaced } of resources) {
      if (name.includes('/')) continue;
      const resource = { group, version, plural: name, kind: found, namespaced };
      if (!this.#known.has(kindText(resource))) this.#known.set(kindText(resource), resource);
    }
    const resource = this.#known.get(`${apiVersion}/${kind}`);
    if (!resource) throw new Error(`the API server has no kind ${kind} in ${apiVersion}`);
    return resource;
  }
}

export const apiVersionOf = ({ group, version }: Resource): string => (group ? `${group}/${version}` : version);
const kindText = (resource: Resource): string => `${apiVersionOf(resource)}/${resource.kind}`;
