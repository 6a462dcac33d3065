// Our credentials and the API server's address. Credentials rotate: token files and exec plugins are read again every half minute;
// everything, including the kubeconfig, is read again when the server no longer accepts us.
import { Agent as HttpAgent } from 'node:http';
import { Agent, type AgentOptions, type RequestOptions } from 'node:https';
import type { KubeConfig } from '@kubernetes/client-node';
import type { Clock } from './clock.ts';

export interface Connection {
  /** Scheme, host, port and path prefix, without a slash at the end. */
  server: URL;
  headers: Record<string, string>;
  agent: Agent | HttpAgent;
}

const REREAD_MS = 30_000;
const AGENT = { keepAlive: true, maxFreeSockets: 64, scheduling: 'lifo' } as const;
/** Requests and watches at once, of everything that one process asks for. */
export const MOST_SOCKETS = 512;

export class Credentials {
  readonly #load: () => KubeConfig;
  readonly #clock: Clock;
  readonly #agentOptions: AgentOptions;
  #config: KubeConfig | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<Connection> | undefined;
  #identity = '';
  #agent: Agent | HttpAgent | undefined;
  #connection: Connection | undefined;

  /** `mostSockets` are requests and watches at once; more wait for one of them. */
  constructor(load: () => KubeConfig, clock: Clock, { mostSockets = MOST_SOCKETS } = {}) {
    this.#load = load;
    this.#clock = clock;
    this.#agentOptions = { ...AGENT, maxSockets: mostSockets };
  }

  async connection(): Promise<Connection> {
    if (this.#connection && this.#clock.monotonic() - this.#readAt < REREAD_MS) return this.#connection;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** The server answered 401 to this connection: unless there is a newer one, start from the file again. */
  distrust(connection: Connection): void {
    if (connection !== this.#connection) return;
    this.#config = undefined;
    this.#connection = undefined;
  }

  /** Lets idle sockets go. */
  close(): void {
    this.#agent?.destroy();
  }

  async #read(): Promise<Connection> {
    this.#config ??= this.#load();
    const config = this.#config;
    const cluster = config.getCurrentCluster();
    if (!cluster) throw new Error('the kubeconfig has no current cluster');
    const options: RequestOptions = {};
    await config.applyToHTTPSOptions(options as Parameters<KubeConfig['applyToHTTPSOptions']>[0]);
    const { ca, cert, key, servername, rejectUnauthorized, headers, auth } = options;
    const tls = Object.entries({ ca, cert, key, servername, rejectUnauthorized }).filter(([, value]) => value);
    if (rejectUnauthorized === false) tls.push(['rejectUnauthorized', false]);
    // Sockets are bound to the certificate they were opened with: a new one gets new sockets, requests under way keep the old.
    const identity = [cluster.server, ...tls.map(([name, value]) => `${name}=${value}`)].join('\n');
    if (!this.#agent || identity !== this.#identity) {
      this.#agent = cluster.proxyUrl
        ? (options.agent as Agent)
        : cluster.server.startsWith('http:')
          ? new HttpAgent(this.#agentOptions)
          : new Agent({ ...this.#agentOptions, ...(Object.fromEntries(tls) as AgentOptions) });
      this.#identity = identity;
    }
    this.#readAt = this.#clock.monotonic();
    this.#connection = {
      server: new URL(cluster.server),
      agent: this.#agent,
      headers: {
        ...(headers as Record<string, string> | undefined),
        ...(auth && { authorization: `Basic ${Buffer.from(auth).toString('base64')}` }),
      },
    };
    return this.#connection;
  }
}
