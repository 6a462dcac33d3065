// For tests: an API server over HTTP that answers as the test says. Pods, claims and policies are kept and deleted; what becomes of a
// Pod, and what it logs, is the test's to say.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { KubeClient } from '@gantry/kube/client.ts';
import { type Clock, systemClock } from '@gantry/kube/clock.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { Credentials } from '@gantry/kube/credentials.ts';
import { KubeConfig } from '@kubernetes/client-node';

export interface Refusal {
  code: number;
  reason?: string;
  message: string;
}

export class PlayedCluster {
  /** By path, without the query: what a GET answers. A function may throw a Refusal. */
  readonly answers = new Map<string, object | (() => object)>();
  /** The status of a new Pod. */
  podStatus: (pod: Pod) => Pod['status'] = () => ({ phase: 'Pending' });
  /** The end of a Pod's log, given the names of the policies that are there. */
  podLog: (name: string, policies: readonly string[]) => string = () => '';
  /** The answer to a dry run; undefined: it is accepted. */
  dryRun: (object: KubeObject) => Refusal | undefined = () => undefined;
  /** Whether what is deleted goes. */
  isTidy = true;
  /** Everything that was created, in order: `Pod caller-x`. */
  readonly made: string[] = [];
  readonly #kept = new Map<string, KubeObject>();
  readonly #close: () => void;
  readonly client: KubeClient;

  private constructor(port: number, close: () => void) {
    this.#close = close;
    const credentials = new Credentials(() => {
      const config = new KubeConfig();
      config.loadFromClusterAndUser(
        { name: 'c', server: `http://127.0.0.1:${port}`, skipTLSVerify: true },
        { name: 'u', token: 't' },
      );
      return config;
    }, systemClock);
    this.client = new KubeClient(credentials, { fieldManager: 'gantry-test' });
  }

  static async start(): Promise<PlayedCluster> {
    const server = createServer(async (request, response) => {
      const body = (await request.setEncoding('utf8').toArray()).join('');
      cluster.#answer(request, response, body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const cluster: PlayedCluster = new PlayedCluster((server.address() as AddressInfo).port, () => {
      server.closeAllConnections();
      server.close();
    });
    return cluster;
  }

  close(): void {
    this.#close();
  }

  /** The objects there now: `Pod caller-x`. */
  get left(): string[] {
    return [...this.#kept.values()].map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  }

  keep(plural: string, object: KubeObject): void {
    const { namespace, name } = object.metadata;
    const core = object.apiVersion === 'v1' ? '/api/v1' : `/apis/${object.apiVersion}`;
    const within = namespace === undefined ? '' : `/namespaces/${namespace}`;
    this.#kept.set(`${core}${within}/${plural}/${name}`, object);
  }

  #answer(request: IncomingMessage, response: ServerResponse, body: string): void {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    try {
      const answer = this.#answerTo(`${request.method}`, pathname, searchParams, body);
      response.writeHead(200).end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    } catch (error) {
      const { code = 500, ...said } = error as Refusal;
      response.writeHead(code).end(JSON.stringify({ kind: 'Status', code, ...said }));
    }
  }

  #answerTo(method: string, path: string, query: URLSearchParams, body: string): object | string {
    if (method === 'POST') return this.#create(path, JSON.parse(body) as KubeObject, query.has('dryRun'));
    if (method === 'DELETE') return this.#delete(path);
    const answer = this.answers.get(path);
    if (answer) return typeof answer === 'function' ? answer() : answer;
    const kept = this.#kept.get(path);
    if (kept) return kept;
    if (path.endsWith('/log')) {
      const policies = [...this.#kept.values()].filter(({ kind }) => kind === 'NetworkPolicy');
      const names = policies.map(({ metadata }) => metadata.name);
      return this.podLog(path.split('/').at(-2) ?? '', names);
    }
    const items = [...this.#kept].filter(([key]) => key.startsWith(`${path}/`)).map(([, object]) => object);
    if (items.length > 0 || /\/(pods|persistentvolumeclaims|networkpolicies)$/.test(path))
      return { metadata: { resourceVersion: '1' }, items };
    throw { code: 404, reason: 'NotFound', message: `${path} not found` } satisfies Refusal;
  }

  #create(path: string, object: KubeObject, isDryRun: boolean): KubeObject {
    const refusal = isDryRun ? this.dryRun(object) : undefined;
    if (refusal) throw refusal;
    if (isDryRun) return object;
    if (this.#kept.has(`${path}/${object.metadata.name}`))
      throw { code: 409, reason: 'AlreadyExists', message: 'it is there' } satisfies Refusal;
    this.made.push(`${object.kind} ${object.metadata.name}`);
    const metadata = { ...object.metadata, uid: `uid-${this.made.length}`, creationTimestamp: '2026-01-01T00:00:00Z' };
    const stored = { ...object, metadata, ...(object.kind === 'Pod' && { status: this.podStatus(object as Pod) }) };
    this.#kept.set(`${path}/${object.metadata.name}`, stored);
    if (object.kind === 'Namespace')
      this.answers.set(`/api/v1/namespaces/${object.metadata.name}/serviceaccounts/default`, {
        metadata: { name: 'default' },
      });
    return stored;
  }

  #delete(path: string): object {
    const object = this.#kept.get(path);
    if (!object) throw { code: 404, reason: 'NotFound', message: `${path} not found` } satisfies Refusal;
    if (this.isTidy) this.#kept.delete(path);
    return object;
  }
}

/** Short waits pass at once, and take their time on this clock; long ones, which are limits, pass when a test says so. */
export class ImpatientClock implements Clock {
  #ms = Date.parse('2026-01-01T00:00:10Z');
  readonly #limits = new Set<() => void>();

  now = (): number => this.#ms;
  monotonic = (): number => this.#ms;

  after(ms: number, run: () => void): () => void {
    if (ms > 1_000) {
      this.#limits.add(run);
      return () => this.#limits.delete(run);
    }
    const timer = setImmediate(() => {
      this.#ms += ms;
      run();
    });
    return () => clearImmediate(timer);
  }

  passLimits(): void {
    for (const run of [...this.#limits]) run();
  }
}

/** A Pod whose container has ended, and what it said. */
export const ended = (message: string): Pod['status'] => ({
  phase: 'Succeeded',
  containerStatuses: [
    {
      name: 'look',
      image: '',
      imageID: '',
      ready: false,
      restartCount: 0,
      state: { terminated: { exitCode: 0, message } },
    },
  ],
});

export const running = (podIP: string): Pod['status'] => ({
  phase: 'Running',
  podIP,
  containerStatuses: [
    {
      name: 'look',
      image: '',
      imageID: '',
      ready: true,
      restartCount: 0,
      state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
    },
  ],
});

export const waiting = (reason: string, message: string): Pod['status'] => ({
  phase: 'Pending',
  containerStatuses: [
    { name: 'look', image: '', imageID: '', ready: false, restartCount: 0, state: { waiting: { reason, message } } },
  ],
});
