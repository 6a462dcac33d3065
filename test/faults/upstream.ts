// The real API server: its address, its CA, and one request to it. Callers bring their own credentials.

import { readFileSync } from 'node:fs';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { parse } from 'yaml';

export interface Upstream {
  /** Origin, e.g. `https://127.0.0.1:6443`. */
  readonly url: string;
  /** PEM; without it the system's roots are trusted. */
  readonly ca?: string;
}

/** A whole answer, of the API server or of the proxy in its place; watches have none. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
}

/**
 * Address and CA of the current context, from the text of a kubeconfig. Its user is left out on purpose: a client
 * certificate of an administrator would win over the token of the caller under test.
 * Throws when the context or its cluster is missing.
 */
export function readUpstream(kubeconfig: string): Upstream {
  const config = parse(kubeconfig);
  const context = config.contexts?.find((one: { name: string }) => one.name === config['current-context']);
  const cluster = config.clusters?.find((one: { name: string }) => one.name === context?.context.cluster)?.cluster;
  if (!cluster) throw new Error(`the kubeconfig has no cluster for its current context "${config['current-context']}"`);
  const data: string | undefined = cluster['certificate-authority-data'];
  const file: string | undefined = cluster['certificate-authority'];
  const ca = data ? Buffer.from(data, 'base64').toString('utf8') : file && readFileSync(file, 'utf8');
  return { url: cluster.server, ...(ca ? { ca } : {}) };
}

export interface UpstreamRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/** Opens connections to one API server and keeps them alive between requests. */
export class UpstreamClient {
  readonly #origin: string;
  readonly #agent: HttpAgent;
  readonly #request: typeof httpRequest;

  constructor({ url, ca }: Upstream) {
    this.#origin = url.replace(/\/$/, '');
    const isTls = url.startsWith('https:');
    this.#request = isTls ? httpsRequest : httpRequest;
    this.#agent = isTls
      ? new HttpsAgent({ keepAlive: true, ...(ca ? { ca } : {}) })
      : new HttpAgent({ keepAlive: true });
  }

  /** Resolves at the reply's headers; its body is still to be read. Rejects when the connection fails before. */
  send({ method, url, headers, body }: UpstreamRequest): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const request = this.#request(`${this.#origin}${url}`, { method, headers, agent: this.#agent });
    request.once('response', resolve);
    request.once('error', reject);
    request.end(body);
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }
}
